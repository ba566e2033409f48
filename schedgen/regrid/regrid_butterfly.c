/* schedgen/regrid/regrid_butterfly.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_regrid_butterfly. */
/*
 * A collective that the program makes by itself: all 2^K ranks send, in K stages, to rank xor 2^k,
 * or to rank + 2^k and receive from rank - 2^k; k goes up or down. Every rank makes the same
 * messages, counted from itself, and these are such runs of stages and nothing else.
 */
#include "regrid/regrid_private.h"

/* The power of two that the message goes by; NONE: none. */
static uint32_t stage_of(const regrid_item *item, uint32_t rank, uint32_t ranks, bool mirror)
{
    if (item->peer == SIM_ANY) {
        return REGRID_NONE;
    }
    const uint32_t by = mirror          ? rank ^ item->peer
                        : item->is_recv ? (rank + ranks - item->peer) % ranks
                                        : (item->peer + ranks - rank) % ranks;
    return by != 0 && (by & (by - 1)) == 0 ? (uint32_t)__builtin_ctz(by) : REGRID_NONE;
}

/* Do all ranks do as rank 0 does? */
static bool all_alike(const regrid_record *record, bool mirror)
{
    const uint32_t n = record->trace->num_ranks;
    const regrid_rank *first = &record->ranks[0];
    for (uint32_t r = 0; r < n; r++) {
        const regrid_rank *own = &record->ranks[r];
        if (own->num_items != first->num_items || own->num_colls != first->num_colls) {
            return false;
        }
        for (uint32_t i = 0; i < own->num_items; i++) {
            const regrid_item *a = &first->items[i];
            const regrid_item *b = &own->items[i];
            const uint32_t stage = stage_of(b, r, n, mirror);
            if (stage == REGRID_NONE || stage != stage_of(a, 0, n, mirror) || a->tag != b->tag ||
                a->bytes != b->bytes || a->is_recv != b->is_recv || a->comm != b->comm ||
                record->trace->comms[b->comm].size != n) {
                return false;
            }
        }
        for (uint32_t c = 0; c < own->num_colls; c++) {
            const regrid_coll *a = &first->colls[c];
            const regrid_coll *b = &own->colls[c];
            const uint32_t *members = record->trace->comms[b->comm].members;
            if (a->what != b->what || a->root != b->root || a->comm != b->comm || b->uneven ||
                b->root_counts || record->trace->comms[b->comm].size != n || members[r] != r) {
                return false;
            }
        }
    }
    return true;
}

/* Bytes of a stage by those of the one before: 1, 2 or 1/2 as a power of two; other: none. */
static bool find_factor(int64_t before, int64_t after, int32_t *power)
{
    const int32_t p = after == before ? 0 : after == 2 * before ? 1 : 2 * after == before ? -1 : 2;
    *power = p;
    return p != 2;
}

/* Is the item as in the stage before, but for its bytes and its tag? */
static bool continues(regrid_run *run, const regrid_item *before, const regrid_item *item,
                      bool *known)
{
    int32_t power = 0;
    const int64_t step = (int64_t)item->tag - before->tag;
    if (item->is_recv != before->is_recv || item->comm != before->comm ||
        (!item->is_recv && !find_factor(before->bytes, item->bytes, &power))) {
        return false;
    }
    if (!*known) {
        run->tag_step = step;
    }
    if (!item->is_recv && !run->power_known) {
        run->power = power;
        run->power_known = true;
    }
    *known = true;
    return step == run->tag_step && (item->is_recv || power == run->power);
}

/* All stages of the run that begins at @p first. @return false: it is none */
static bool take_run(const regrid_butterfly *b, const regrid_rank *rank, const uint32_t *stages,
                     uint32_t first, regrid_run *run)
{
    const uint32_t last = b->num_stages - 1;
    *run = (regrid_run){.first = first, .up = stages[first] == 0};
    if (stages[first] != 0 && stages[first] != last) {
        return false;
    }
    while (first + run->items < rank->num_items && stages[first + run->items] == stages[first]) {
        run->items++;
    }
    bool known = false;
    for (uint32_t s = 1; s < b->num_stages; s++) {
        for (uint32_t i = 0; i < run->items; i++) {
            const uint32_t at = first + s * run->items + i;
            if (at >= rank->num_items || stages[at] != (run->up ? s : last - s) ||
                !continues(run, &rank->items[at - run->items], &rank->items[at], &known)) {
                return false;
            }
        }
    }
    return true;
}

static bool find_runs(regrid_butterfly *b, const regrid_record *record)
{
    const regrid_rank *rank = &record->ranks[0];
    g_autofree uint32_t *stages = g_new(uint32_t, (gsize)rank->num_items + 1);
    for (uint32_t i = 0; i < rank->num_items; i++) {
        stages[i] = stage_of(&rank->items[i], 0, record->trace->num_ranks, b->mirror);
    }
    uint32_t at = 0;
    while (at < rank->num_items) {
        regrid_run run;
        if (!take_run(b, rank, stages, at, &run)) {
            return false;
        }
        g_array_append_val(b->runs, run);
        at += b->num_stages * run.items;
    }
    return b->runs->len > 0;
}

regrid_butterfly *sched_regrid_butterfly_find(const regrid_record *record)
{
    const uint32_t n = record->trace->num_ranks;
    if (n < 4 || (n & (n - 1)) != 0) {
        return NULL;
    }
    for (int mirror = 0; mirror < 2; mirror++) {
        if (!all_alike(record, mirror == 1)) {
            continue;
        }
        regrid_butterfly *b = g_new0(regrid_butterfly, 1);
        b->mirror = mirror == 1;
        b->num_stages = (uint32_t)__builtin_ctz(n);
        b->runs = g_array_new(FALSE, FALSE, sizeof(regrid_run));
        if (find_runs(b, record)) {
            return b;
        }
        sched_regrid_butterfly_free(b);
    }
    return NULL;
}

uint32_t sched_regrid_butterfly_stage(const regrid_butterfly *b, const regrid_record *record,
                                      uint32_t item)
{
    return stage_of(&record->ranks[0].items[item], 0, record->trace->num_ranks, b->mirror);
}

void sched_regrid_butterfly_free(regrid_butterfly *b)
{
    if (b != NULL) {
        g_array_unref(b->runs);
        g_free(b);
    }
}
