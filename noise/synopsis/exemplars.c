/* noise/synopsis/exemplars.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_exemplars. */
#include "synopsis/exemplars.h"

#include "noise/event_type.h"

#include <stdlib.h>
#include <string.h>

#define BUDGET (512 * MINER_EXEMPLARS) /* events of each choice over all bins */

static uint64_t draw(const noise_miner_event *e)
{
    return noise_event_mix(noise_event_mix(noise_event_mix(e->type) + e->rank) +
                           (uint64_t)e->start);
}

static int order(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* A total order of events: what two of them differ in decides, so that any order of adding leaves
 * the same. The choice decides first. */
static int compare(miner_choice choice, const noise_miner_event *a, const noise_miner_event *b)
{
    int first = 0;
    if (choice == MINER_LARGEST) {
        first = order(noise_miner_event_duration(a), noise_miner_event_duration(b));
    } else if (choice == MINER_DRAWN) {
        const uint64_t x = draw(a);
        const uint64_t y = draw(b);
        first = (x > y) - (x < y);
    }
    const int by[] = {
        first,
        order(a->start, b->start),
        order(a->end, b->end),
        order(a->rank, b->rank),
        order(a->expected, b->expected),
        order(a->waited, b->waited),
        order(a->cpu, b->cpu),
        order(a->detour, b->detour),
    };
    for (unsigned i = 0; i < sizeof by / sizeof *by; i++) {
        if (by[i] != 0) {
            return by[i];
        }
    }
    return 0;
}

uint32_t noise_synopsis_exemplar_limit(const miner_exemplars *x)
{
    const uint32_t each = x->num > 0 ? BUDGET / x->num : MINER_EXEMPLARS;
    return each < 1 ? 1 : each > MINER_EXEMPLARS ? MINER_EXEMPLARS : each;
}

const noise_miner_event *noise_synopsis_exemplars_of(const miner_exemplars *x,
                                                     const miner_exemplar_bin *bin,
                                                     miner_choice choice, uint32_t *num)
{
    const miner_chosen *c = &bin->chosen[choice];
    const uint32_t limit = noise_synopsis_exemplar_limit(x);
    *num = c->num < limit ? c->num : limit;
    return c->event + (c->num - *num);
}

/* Keep it if it is among the best. Twice the limit is let in before the worse half goes. */
static bool choose(miner_chosen *c, miner_memory *memory, miner_choice choice, uint32_t limit,
                   const noise_miner_event *event)
{
    if (c->num >= limit && compare(choice, event, &c->event[c->num - limit]) < 0) {
        return true;
    }
    if (c->event != NULL && c->num >= 2 * limit) {
        memmove(c->event, c->event + c->num - limit, limit * sizeof *c->event);
        c->num = limit;
    }
    noise_miner_event *grown =
        noise_synopsis_grow(memory, c->event, &c->cap, c->num + 1ULL, sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    c->event = grown;
    uint32_t i = c->num++;
    for (; i > 0 && compare(choice, event, &c->event[i - 1]) < 0; i--) {
        c->event[i] = c->event[i - 1];
    }
    c->event[i] = *event;
    return true;
}

/* @p type is the index of the type. */
static miner_exemplar_bin *bin_of(miner_exemplars *x, miner_memory *memory, miner_side side,
                                  uint32_t type, uint32_t bin, uint64_t number)
{
    const uint64_t key = (uint64_t)type << 32 | bin << 2 | side; /* bins are few: 30 bits */
    const uint32_t known = noise_synopsis_map_find(&x->index, key);
    if (known != MINER_NOWHERE) {
        return &x->bin[known];
    }
    miner_exemplar_bin *grown =
        noise_synopsis_grow(memory, x->bin, &x->cap, x->num + 1ULL, sizeof *grown);
    if (grown == NULL) {
        return NULL;
    }
    x->bin = grown;
    if (!noise_synopsis_map_put(&x->index, memory, key, x->num)) {
        return NULL;
    }
    grown[x->num] = (miner_exemplar_bin){.type = number, .bin = bin, .side = side};
    return &grown[x->num++];
}

bool noise_synopsis_exemplars_add(miner_exemplars *x, miner_memory *memory, miner_side side,
                                  uint32_t type, uint32_t bin, const noise_miner_event *event)
{
    miner_exemplar_bin *b = bin_of(x, memory, side, type, bin, event->type);
    const uint32_t limit = noise_synopsis_exemplar_limit(x);
    bool kept = b != NULL;
    for (int c = 0; kept && c < MINER_CHOICES; c++) {
        kept = choose(&b->chosen[c], memory, (miner_choice)c, limit, event);
    }
    return kept;
}

bool noise_synopsis_exemplars_put(miner_exemplars *x, miner_memory *memory, miner_side side,
                                  uint32_t type, uint32_t bin, miner_choice choice,
                                  const noise_miner_event *event)
{
    miner_exemplar_bin *b = bin_of(x, memory, side, type, bin, event->type);
    return b != NULL &&
           choose(&b->chosen[choice], memory, choice, noise_synopsis_exemplar_limit(x), event);
}

bool noise_synopsis_exemplars_merge(miner_exemplars *x, miner_memory *memory,
                                    const miner_types *types, const miner_exemplars *other)
{
    bool whole = true;
    for (uint32_t i = 0; i < other->num; i++) {
        const miner_exemplar_bin *from = &other->bin[i];
        const uint32_t type = noise_synopsis_map_find(&types->index, from->type);
        miner_exemplar_bin *to = bin_of(x, memory, from->side, type, from->bin, from->type);
        const uint32_t limit = noise_synopsis_exemplar_limit(x);
        whole &= to != NULL;
        for (int c = 0; to != NULL && c < MINER_CHOICES; c++) {
            for (uint32_t e = 0; e < from->chosen[c].num; e++) {
                whole &= choose(&to->chosen[c], memory, (miner_choice)c, limit,
                                &from->chosen[c].event[e]);
            }
        }
    }
    return whole;
}

static int by_place(const void *p, const void *q)
{
    const miner_exemplar_bin *a = *(const miner_exemplar_bin *const *)p;
    const miner_exemplar_bin *b = *(const miner_exemplar_bin *const *)q;
    if (a->side != b->side) {
        return a->side < b->side ? -1 : 1;
    }
    if (a->type != b->type) {
        return a->type < b->type ? -1 : 1;
    }
    return (a->bin > b->bin) - (a->bin < b->bin);
}

const miner_exemplar_bin **noise_synopsis_exemplars_sorted(const miner_exemplars *x,
                                                           miner_memory *memory)
{
    const miner_exemplar_bin **sorted = noise_synopsis_new(memory, x->num, sizeof(void *));
    for (uint32_t i = 0; sorted != NULL && i < x->num; i++) {
        sorted[i] = &x->bin[i];
    }
    if (sorted != NULL) {
        qsort(sorted, x->num, sizeof(void *), by_place);
    }
    return sorted;
}

void noise_synopsis_exemplars_clear(miner_exemplars *x, miner_memory *memory)
{
    for (uint32_t i = 0; i < x->num; i++) {
        for (int c = 0; c < MINER_CHOICES; c++) {
            miner_chosen *chosen = &x->bin[i].chosen[c];
            noise_synopsis_free(memory, chosen->event, chosen->cap, sizeof *chosen->event);
        }
    }
    noise_synopsis_free(memory, x->bin, x->cap, sizeof *x->bin);
    noise_synopsis_map_clear(&x->index, memory);
    *x = (miner_exemplars){.num = 0};
}
