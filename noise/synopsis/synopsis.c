/* noise/synopsis/synopsis.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_synopsis, test_miner_modern, test_miner_merge. */
#include "synopsis/synopsis.h"

#include <assert.h>
#include <string.h>

/* Without a window of its own a form keeps 512 events while few histograms have anything to
 * remember, and 2^17 events per class of bins over all of them when they are many. */
#define WINDOW_MAX     512
#define WINDOW_MIN     16
#define WINDOWS_BUDGET (1 << 17)

#define PAGE_BYTES sizeof(void *) /* of a pointer to one */

static sim_time earlier(sim_time a, sim_time b)
{
    return a < b ? a : b;
}

static sim_time later(sim_time a, sim_time b)
{
    return a > b ? a : b;
}

void noise_synopsis_init(noise_synopsis *s, const miner_form *form, uint64_t most_bytes)
{
    *s = (noise_synopsis){.form = *form, .memory = {.most = most_bytes}};
}

static void clear_rank(noise_synopsis *s, miner_rank *rank)
{
    miner_detail *detail = rank->detail;
    if (detail == NULL) {
        return;
    }
    noise_miner_histogram_clear(&detail->slower, &s->memory);
    noise_miner_histogram_clear(&detail->faster, &s->memory);
    for (uint32_t i = 0; i < detail->num_tables; i++) {
        noise_miner_histogram_clear(&detail->table[i].durations, &s->memory);
    }
    noise_synopsis_free(&s->memory, detail->table, detail->cap_tables, sizeof *detail->table);
    noise_synopsis_free(&s->memory, detail, 1, sizeof *detail);
}

void noise_synopsis_clear(noise_synopsis *s)
{
    for (uint32_t p = 0; p < s->num_pages; p++) {
        for (uint32_t i = 0; s->page[p] != NULL && i < MINER_PAGE; i++) {
            clear_rank(s, &s->page[p][i]);
        }
        noise_synopsis_free(&s->memory, s->page[p], MINER_PAGE, sizeof *s->page[p]);
    }
    noise_synopsis_free(&s->memory, s->page, s->cap_pages, PAGE_BYTES);
    noise_synopsis_types_clear(&s->types, &s->memory);
    noise_exposures_clear(&s->exposures, &s->memory);
    noise_synopsis_exemplars_clear(&s->exemplars, &s->memory);
    const miner_memory memory = s->memory; /* what is left of it has moved elsewhere */
    noise_synopsis_init(s, &s->form, 0);
    s->memory = memory;
}

uint32_t noise_synopsis_window_limit(const noise_synopsis *s)
{
    if (s->form.window > 0) {
        return s->form.window;
    }
    const uint64_t each = WINDOWS_BUDGET / (s->num_histograms > 0 ? s->num_histograms : 1);
    return each < WINDOW_MIN ? WINDOW_MIN : each > WINDOW_MAX ? WINDOW_MAX : (uint32_t)each;
}

miner_place noise_synopsis_place(const miner_form *form, sim_time value)
{
    if (form->width == 0) {
        return miner_place_log(value);
    }
    const uint32_t bin = (uint32_t)earlier(value / form->width, form->last_bin);
    return (miner_place){bin, bin, 0, true};
}

miner_rank *noise_synopsis_rank_make(noise_synopsis *s, uint32_t rank)
{
    const uint32_t page = rank / MINER_PAGE;
    if (page >= s->num_pages) {
        miner_rank **grown =
            noise_synopsis_grow(&s->memory, s->page, &s->cap_pages, page + 1ULL, PAGE_BYTES);
        if (grown == NULL) {
            return NULL;
        }
        memset(grown + s->num_pages, 0, (page + 1 - s->num_pages) * PAGE_BYTES);
        s->page = grown;
        s->num_pages = page + 1;
    }
    if (s->page[page] == NULL) {
        s->page[page] = noise_synopsis_new(&s->memory, MINER_PAGE, sizeof *s->page[page]);
    }
    return s->page[page] != NULL ? &s->page[page][rank % MINER_PAGE] : NULL;
}

miner_detail *noise_synopsis_detail(noise_synopsis *s, miner_rank *rank)
{
    if (rank->detail == NULL) {
        rank->detail = noise_synopsis_new(&s->memory, 1, sizeof *rank->detail);
    }
    return rank->detail;
}

miner_histogram *noise_synopsis_table(noise_synopsis *s, miner_detail *detail, uint64_t type)
{
    uint32_t low = 0;
    uint32_t high = detail->num_tables;
    while (low < high) {
        const uint32_t mid = (low + high) / 2;
        if (detail->table[mid].type < type) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    if (low < detail->num_tables && detail->table[low].type == type) {
        return &detail->table[low].durations;
    }
    miner_table *grown = noise_synopsis_grow(&s->memory, detail->table, &detail->cap_tables,
                                             detail->num_tables + 1ULL, sizeof *grown);
    if (grown == NULL) {
        return NULL;
    }
    detail->table = grown;
    memmove(&grown[low + 1], &grown[low], (detail->num_tables - low) * sizeof *grown);
    detail->num_tables++;
    grown[low] = (miner_table){.type = type};
    return &grown[low].durations;
}

/* What is counted of an event, and where. Of a detour whose length is known, all of it counts, also
 * what was over before the event began. */
static miner_side sample_of(const noise_synopsis *s, const noise_miner_event *event,
                            miner_sample *sample)
{
    const sim_time duration = noise_miner_event_duration(event);
    *sample = (miner_sample){
        .hit = {event->start, event->end, duration},
        .begin = event->start,
        .wall = duration,
        .cpu = event->cpu,
    };
    if (s->form.durations || event->expected < 0) {
        return MINER_DURATIONS;
    }
    if (duration < event->expected) {
        sample->hit.value = event->expected - duration;
        return MINER_FASTER;
    }
    sample->hit.value = duration - event->expected;
    if (event->detour > sample->hit.value) {
        sample->missed = event->detour - sample->hit.value;
        sample->hit.value = event->detour;
        sample->hit.start -= sample->missed;
    }
    return MINER_SLOWER;
}

/* An event that has something to tell. */
static bool add_detail(noise_synopsis *s, miner_rank *rank, uint32_t type,
                       const noise_miner_event *event)
{
    miner_detail *detail = noise_synopsis_detail(s, rank);
    if (detail == NULL) {
        return false;
    }
    miner_sample sample;
    const miner_side side = sample_of(s, event, &sample);
    miner_histogram *histogram = side == MINER_DURATIONS
                                     ? noise_synopsis_table(s, detail, event->type)
                                 : side == MINER_SLOWER ? &detail->slower
                                                        : &detail->faster;
    const miner_place place = noise_synopsis_place(&s->form, sample.hit.value);
    if (histogram == NULL ||
        !noise_synopsis_exemplars_add(&s->exemplars, &s->memory, side, type, place.bin, event)) {
        return false;
    }
    const bool first = histogram->num_cells == 0;
    s->num_histograms += first;
    const bool added = noise_miner_histogram_add(histogram, &s->memory, place, &sample,
                                                 noise_synopsis_window_limit(s));
    s->num_histograms -= first && !added;
    return added;
}

static miner_exposure *exposure_of(noise_synopsis *s, uint32_t rank)
{
    return noise_exposures_get(&s->exposures, &s->memory, noise_exposures_index(rank));
}

void noise_synopsis_add(noise_synopsis *s, const noise_miner_event *event)
{
    assert(event->end >= event->start);
    miner_type *t = noise_synopsis_types_get(&s->types, &s->memory, event->type);
    miner_rank *r = t != NULL ? noise_synopsis_rank_of(s, event->rank) : NULL;
    const sim_time duration = noise_miner_event_duration(event);
    /* Nearly all of a simulated stream last as expected, and that is all there is to them. */
    const bool quiet = duration == event->expected && !s->form.durations;
    miner_exposure *seen = r != NULL && !s->form.durations ? exposure_of(s, event->rank) : NULL;
    if (r == NULL || (seen == NULL && !s->form.durations) ||
        (!quiet && !add_detail(s, r, (uint32_t)(t - s->types.type), event))) {
        s->lost++;
        return;
    }
    if (seen != NULL) {
        noise_exposure_add(seen, event->start, duration);
    }
    t->events++;
    if (r->events++ == 0) {
        r->first = event->start;
        r->last = event->end;
    }
    r->first = earlier(r->first, event->start);
    r->last = later(r->last, event->end);
    if (event->expected >= 0 && duration > event->expected) {
        t->slower++;
        t->excess += (miner_u128)(duration - event->expected);
    }
}

/* The largest that both are multiples of. */
static sim_time common_tick(sim_time a, sim_time b)
{
    while (b != 0) {
        const sim_time rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static bool merge_type(noise_synopsis *s, const miner_type *from)
{
    miner_type *to = noise_synopsis_types_get(&s->types, &s->memory, from->type);
    if (to == NULL) {
        return false;
    }
    to->events += from->events;
    to->slower += from->slower;
    to->excess += from->excess;
    return from->name == NULL ||
           noise_synopsis_type_name(to, &s->memory, from->name, strlen(from->name));
}

static bool merge_histogram(noise_synopsis *s, miner_histogram *to, const miner_histogram *from)
{
    if (from->num_cells == 0) {
        return true;
    }
    s->num_histograms += to != NULL && to->num_cells == 0;
    return to != NULL &&
           noise_miner_histogram_merge(to, &s->memory, from, noise_synopsis_window_limit(s));
}

static bool merge_rank(noise_synopsis *s, miner_rank *to, const miner_rank *from)
{
    to->first = to->events == 0 ? from->first : earlier(to->first, from->first);
    to->last = to->events == 0 ? from->last : later(to->last, from->last);
    to->events += from->events;
    if (from->detail == NULL) {
        return true;
    }
    miner_detail *detail = noise_synopsis_detail(s, to);
    bool whole = detail != NULL && merge_histogram(s, &detail->slower, &from->detail->slower) &&
                 merge_histogram(s, &detail->faster, &from->detail->faster);
    for (uint32_t i = 0; whole && i < from->detail->num_tables; i++) {
        const miner_table *table = &from->detail->table[i];
        whole = merge_histogram(s, noise_synopsis_table(s, detail, table->type), &table->durations);
    }
    return whole;
}

bool noise_synopsis_has_type(const noise_synopsis *s, uint64_t type)
{
    return noise_synopsis_types_have(&s->types, type);
}

bool noise_synopsis_name_type(noise_synopsis *s, uint64_t type, const char *name)
{
    miner_type *t = noise_synopsis_types_get(&s->types, &s->memory, type);
    return t != NULL && noise_synopsis_type_name(t, &s->memory, name, strlen(name));
}

bool noise_synopsis_same_form(const noise_synopsis *x, const noise_synopsis *y)
{
    const miner_form *a = &x->form;
    const miner_form *b = &y->form;
    return a->width == b->width && a->last_bin == b->last_bin && a->window == b->window &&
           a->durations == b->durations;
}

static uint64_t histograms_of(const miner_detail *detail)
{
    uint64_t n = (uint64_t)(detail->slower.num_cells > 0) + (detail->faster.num_cells > 0);
    for (uint32_t i = 0; i < detail->num_tables; i++) {
        n += detail->table[i].durations.num_cells > 0;
    }
    return n;
}

/* The details of a rank that is new here change hands. */
static bool move_rank(noise_synopsis *s, miner_rank *to, miner_rank *from)
{
    if (to->events > 0 || from->detail == NULL) {
        return merge_rank(s, to, from);
    }
    *to = *from;
    from->detail = NULL;
    s->num_histograms += histograms_of(to->detail);
    return true;
}

static bool merge_common(noise_synopsis *s, const noise_synopsis *other)
{
    assert(s != other && noise_synopsis_same_form(s, other));
    bool whole = true;
    s->lost += other->lost;
    s->tick = common_tick(s->tick, other->tick);
    for (uint32_t i = 0; i < other->types.num; i++) {
        whole &= merge_type(s, &other->types.type[i]);
    }
    return whole && noise_exposures_merge(&s->exposures, &s->memory, &other->exposures) &&
           noise_synopsis_exemplars_merge(&s->exemplars, &s->memory, &s->types, &other->exemplars);
}

bool noise_synopsis_merge(noise_synopsis *s, const noise_synopsis *other)
{
    bool whole = merge_common(s, other);
    for (uint64_t r = 0; whole && r < noise_synopsis_rank_end(other); r++) {
        const miner_rank *from = noise_synopsis_rank(other, r);
        if (from != NULL) {
            miner_rank *to = noise_synopsis_rank_of(s, (uint32_t)r);
            whole = to != NULL && merge_rank(s, to, from);
        }
    }
    return whole;
}

bool noise_synopsis_absorb(noise_synopsis *s, noise_synopsis *other)
{
    bool whole = merge_common(s, other);
    const uint64_t end = noise_synopsis_rank_end(other);
    for (uint64_t r = 0; whole && r < end; r++) {
        if (noise_synopsis_rank(other, r) != NULL) {
            miner_rank *from = &other->page[r / MINER_PAGE][r % MINER_PAGE];
            miner_rank *to = noise_synopsis_rank_of(s, (uint32_t)r);
            whole = to != NULL && move_rank(s, to, from);
            clear_rank(other, from);
            from->detail = NULL;
        }
    }
    noise_synopsis_clear(other);
    s->memory.used += other->memory.used;
    other->memory.used = 0;
    return whole;
}
