/* sim/events/agenda.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "events/agenda_private.h"
#include "events/crowd_private.h"
#include "sim/large.h"

#include <glib.h>

#include <assert.h>
#include <string.h>

_Static_assert(sizeof(engine_rank) == 40, "with three clocks: one cache line");
_Static_assert(sizeof(agenda_item) == 40, "eight items behind that: five cache lines");

#define LINE ((size_t)64)

agenda_layout sim_agenda_layout(const sim_program *program, bool noted)
{
    agenda_layout at = {.tx_at = program->num_cpus, .rx_at = program->num_cpus + program->num_nics};
    at.num_clocks = at.rx_at + program->num_nics;
    const bool few = program->few_open || program->num_ranks > AGENDA_MANY_RANKS;
    at.inside = few ? AGENDA_INSIDE_FEW : AGENDA_INSIDE;
    at.clock_notes_at = sizeof(engine_rank) + at.num_clocks * sizeof(sim_time);
    at.notes_at = at.clock_notes_at + (noted ? at.num_clocks * sizeof(clock_note) : 0);
    at.items_at = at.notes_at + (noted ? at.inside * sizeof(agenda_note) : 0);
    const size_t bytes = at.items_at + at.inside * sizeof(agenda_item);
    at.rank_bytes = bytes + -bytes % LINE;
    return at;
}

void sim_agenda_init(agenda *a, const agenda_layout *layout, bool async, bool noted, bool wildcards)
{
    *a = (agenda){.at = *layout, .async = async, .noted = noted, .wildcards = wildcards};
    a->plain = !async && layout->num_clocks == 3;
    const size_t each = sizeof(agenda_item) + (noted ? sizeof(agenda_note) : 0);
    a->store[0] = (agenda_store){.array_bytes = AGENDA_OUTSIDE_FEW * each, .num_arrays = 1};
    a->store[1] = (agenda_store){.array_bytes = AGENDA_OUTSIDE * each, .num_arrays = 1};
}

void sim_agenda_clear(agenda *a)
{
    for (uint32_t few = 0; few < G_N_ELEMENTS(a->store); few++) {
        const agenda_store *s = &a->store[few];
        for (uint32_t i = 0; i < s->num_segments; i++) {
            sim_large_free(s->segment[i]);
        }
        g_free(s->segment);
    }
    sim_crowds_free(a->crowds);
    *a = (agenda){0};
}

/* ---- where the items are ---- */

/* How many items the array of a rank that is no crowd holds, 0 being the place inside. */
static inline uint32_t room_of(const agenda *a, uint32_t outside)
{
    if (outside == 0) {
        return a->at.inside;
    }
    return outside % 2 == 0 ? AGENDA_OUTSIDE_FEW : AGENDA_OUTSIDE;
}

agenda_note *sim_agenda_notes(const agenda *a, engine_rank *r)
{
    char *notes = r->outside != 0
                      ? agenda_outside(a, r->outside) + room_of(a, r->outside) * sizeof(agenda_item)
                      : (char *)r + a->at.notes_at;
    return (agenda_note *)(void *)notes;
}

agenda_item *sim_agenda_item(const agenda *a, engine_rank *r, uint32_t ref)
{
    return agenda_is_crowd(r) ? sim_crowd_item(a, ref) : &agenda_items(a, r)[ref];
}

agenda_note *sim_agenda_note(const agenda *a, engine_rank *r, uint32_t ref)
{
    return agenda_is_crowd(r) ? sim_crowd_note(a, ref) : &sim_agenda_notes(a, r)[ref];
}

/* An array for more than @p n items. */
static uint32_t new_outside(agenda *a, uint32_t n)
{
    const uint32_t store = n < AGENDA_OUTSIDE_FEW ? 0 : 1;
    agenda_store *s = &a->store[store];
    const uint32_t outside = s->free_array;
    if (outside != 0) {
        memcpy(&s->free_array, agenda_outside(a, outside), sizeof s->free_array);
        return outside;
    }
    if (s->num_arrays >= s->num_segments * AGENDA_SEGMENT) {
        s->segment = g_renew(char *, s->segment, s->num_segments + 1);
        s->segment[s->num_segments++] = sim_large_new(AGENDA_SEGMENT, s->array_bytes);
    }
    return 2 * s->num_arrays++ + store;
}

static void drop_outside(agenda *a, uint32_t outside)
{
    agenda_store *s = &a->store[outside % 2];
    memcpy(agenda_outside(a, outside), &s->free_array, sizeof s->free_array);
    s->free_array = outside;
}

/* All items move to where engine_rank.outside is to be @p outside. */
static void move_items(agenda *a, engine_rank *r, uint32_t outside)
{
    const agenda_item *from = agenda_items(a, r);
    const agenda_note *from_notes = sim_agenda_notes(a, r);
    const uint32_t before = r->outside;
    r->outside = outside;
    memcpy(agenda_items(a, r), from, r->num_items * sizeof *from);
    if (a->noted) {
        memcpy(sim_agenda_notes(a, r), from_notes, r->num_items * sizeof *from_notes);
    }
    if (before != 0) {
        drop_outside(a, before);
    }
}

static void become_crowd(agenda *a, engine_rank *r, uint32_t rank)
{
    const agenda_item *items = agenda_items(a, r);
    const agenda_note *notes = sim_agenda_notes(a, r);
    const uint32_t n = r->num_items;
    const uint32_t outside = r->outside;
    if (a->crowds == NULL) {
        a->crowds = sim_crowds_new(a);
    }
    sim_crowd_begin(a, r);
    for (uint32_t k = 0; k < n; k++) {
        sim_crowd_add(a, r, rank, &items[k], a->noted ? &notes[k] : NULL);
    }
    drop_outside(a, outside);
}

/* ---- adding and removing ---- */

static inline uint32_t without_bit(uint32_t mask, uint32_t bit)
{
    const uint32_t below = (UINT32_C(1) << bit) - 1;
    return (mask & below) | ((mask >> 1) & ~below);
}

/*
 * Of what is active the order does not count, but for messages that receives may still find: the
 * last item takes the place of one removed.
 */
static inline void move_last(engine_rank *r, agenda_item *items, uint32_t ref)
{
    const uint32_t last = r->num_items;
    items[ref] = items[last];
    agenda_set_kind(r, ref, items[ref].kind);
    const uint32_t below = (UINT32_C(1) << last) - 1;
    r->active &= below;
    r->events &= below;
}

void sim_agenda_remove(agenda *a, engine_rank *r, uint32_t ref, agenda_entry *out)
{
    if (__builtin_expect(agenda_is_crowd(r), 0)) {
        sim_crowd_remove(a, r, ref, out);
        return;
    }
    agenda_item *items = agenda_items(a, r);
    const uint32_t behind = --r->num_items - ref;
    if (out != NULL) {
        out->item = items[ref];
    }
    if (behind > 0 && (r->active >> r->num_items & 1) != 0 && !a->noted &&
        !agenda_is_unmatched(a, &items[r->num_items])) {
        move_last(r, items, ref);
        return;
    }
    for (uint32_t k = ref; k < ref + behind; k++) {
        items[k] = items[k + 1]; /* those behind it move up, since their order counts */
    }
    if (__builtin_expect(a->noted, 0)) {
        agenda_note *notes = sim_agenda_notes(a, r);
        if (out != NULL) {
            out->note = notes[ref];
        }
        memmove(&notes[ref], &notes[ref + 1], behind * sizeof *notes);
    }
    r->active = without_bit(r->active, ref);
    r->events = without_bit(r->events, ref);
    r->posted = without_bit(r->posted, ref);
    if (__builtin_expect(r->outside != 0, 0) && r->num_items <= a->at.inside / 2) {
        move_items(a, r, 0);
    }
}

agenda_item *sim_agenda_make_room(agenda *a, engine_rank *r, uint32_t rank)
{
    if (!agenda_is_crowd(r) && r->num_items == room_of(a, r->outside)) {
        if (r->num_items == AGENDA_OUTSIDE) {
            become_crowd(a, r, rank);
        } else {
            move_items(a, r, new_outside(a, r->num_items));
        }
    }
    return agenda_is_crowd(r) ? &a->new_item : &agenda_items(a, r)[r->num_items];
}

void sim_agenda_add(agenda *a, engine_rank *r, uint32_t rank, const agenda_item *item,
                    const agenda_note *note)
{
    if (agenda_is_crowd(r)) {
        sim_crowd_add(a, r, rank, item, note);
        return;
    }
    const uint32_t k = r->num_items++;
    sim_agenda_notes(a, r)[k] = *note;
    agenda_set_kind(r, k, item->kind);
}

/* ---- what is next ---- */

/* What decides last, and between events at one instant alone: docs/model.md, "Ties". */
static bool tie_goes_before(const agenda *a, const agenda_item *x, const agenda_item *y)
{
    return x->kind < y->kind || (x->kind == y->kind && agenda_tie(a, x) < agenda_tie(a, y));
}

/* Of CPU work that can start at one instant: simulation-model.md section 3. */
static bool work_goes_before(const agenda *a, const agenda_item *x, const agenda_item *y)
{
    const sim_time rx = agenda_ready(a, x);
    const sim_time ry = agenda_ready(a, y);
    return rx < ry || (rx == ry && tie_goes_before(a, x, y));
}

/* The first event; there is one. */
static inline uint32_t first_event(const agenda *a, const agenda_item *items, uint32_t mask)
{
    uint32_t first = (uint32_t)__builtin_ctz(mask);
    for (mask &= mask - 1; mask != 0; mask &= mask - 1) {
        const uint32_t k = (uint32_t)__builtin_ctz(mask);
        if (items[k].time < items[first].time ||
            (items[k].time == items[first].time && tie_goes_before(a, &items[k], &items[first]))) {
            first = k;
        }
    }
    return first;
}

/* The first CPU work that starts before @p least, which is when the first event happens. */
static inline sim_time first_work(agenda *a, const engine_rank *r, const agenda_item *items,
                                  sim_time least, uint32_t *which)
{
    uint32_t first = AGENDA_TAKEN;
    for (uint32_t mask = r->active & ~r->events; mask != 0; mask &= mask - 1) {
        const uint32_t k = (uint32_t)__builtin_ctz(mask);
        const sim_time start = agenda_start(a, r, &items[k]);
        if (start < least || (start == least && first != AGENDA_TAKEN &&
                              work_goes_before(a, &items[k], &items[first]))) {
            least = start;
            first = k;
        }
    }
    if (first != AGENDA_TAKEN) {
        *which = first;
    }
    return least;
}

/*
 * The same for polling and one CPU and interface, which nearly all programs are about: what each
 * kind of work has to wait for is looked up once.
 */
static inline sim_time first_plain_work(agenda *a, const engine_rank *r, const agenda_item *items,
                                        sim_time least, uint32_t *which)
{
    enum { CPU, TX, RX };
    const sim_time rx = r->clock[RX];
    const sim_time free_from[] = {[AGENDA_SEND] = agenda_later(r->clock[CPU], r->clock[TX]),
                                  [AGENDA_RECEIVE] = r->clock[CPU],
                                  [AGENDA_CALC] = r->clock[CPU]};
    const agenda_item *first = NULL;
    for (uint32_t mask = r->active & ~r->events; mask != 0; mask &= mask - 1) {
        const agenda_item *i = &items[__builtin_ctz(mask)];
        sim_time start = agenda_later(i->time, free_from[i->kind]);
        if (i->kind == AGENDA_RECEIVE) {
            start = agenda_later(start, agenda_later(i->arrival, rx) +
                                            message_cost_of(&a->costs, i->size)->delay);
        }
        if (start < least || (start == least && first != NULL && work_goes_before(a, i, first))) {
            least = start;
            first = i;
        }
    }
    if (first != NULL) {
        *which = (uint32_t)(first - items);
    }
    return least;
}

sim_time sim_agenda_next(agenda *a, engine_rank *r, sim_time now, uint32_t *which)
{
    if (__builtin_expect(agenda_is_crowd(r), 0)) {
        return sim_crowd_next(a, r, which);
    }
    const agenda_item *items = agenda_items(a, r);
    sim_time least = AGENDA_NEVER;
    if (r->events != 0) {
        *which = first_event(a, items, r->events);
        least = items[*which].time;
    }
    if (least <= now) {
        return least; /* at one instant the network goes first */
    }
    return a->plain ? first_plain_work(a, r, items, least, which)
                    : first_work(a, r, items, least, which);
}

uint32_t sim_agenda_take(agenda *a, engine_rank *r, uint32_t which, agenda_entry *out)
{
    if (__builtin_expect(agenda_is_crowd(r), 0)) {
        return sim_crowd_take(a, r, which, out);
    }
    const agenda_item *i = &agenda_items(a, r)[which];
    if (i->kind != AGENDA_POST &&
        (!a->async || i->kind != AGENDA_RECEIVE || (i->flags & AGENDA_MATCHED) != 0)) {
        sim_agenda_remove(a, r, which, out);
        return AGENDA_TAKEN;
    }
    out->item = *i;
    if (a->noted) {
        out->note = sim_agenda_notes(a, r)[which];
    }
    return which;
}

void sim_agenda_find_op(agenda *a, engine_rank *r, uint32_t rank, agenda_kind kind, uint32_t index,
                        agenda_entry *out)
{
    uint32_t ref = 0;
    if (__builtin_expect(agenda_is_crowd(r), 0)) {
        ref = sim_crowd_find_op(a, rank, kind, index);
    } else {
        const agenda_item *items = agenda_items(a, r);
        while (items[ref].kind != kind || items[ref].index != index) {
            ref++;
            assert(ref < r->num_items);
        }
    }
    sim_agenda_remove(a, r, ref, out);
}

sim_time sim_agenda_exposed_from(const agenda *a, engine_rank *r)
{
    sim_time from = AGENDA_NEVER;
    if (__builtin_expect(agenda_is_crowd(r), 0)) {
        from = sim_crowd_exposed_from(a, r);
    } else {
        const agenda_item *items = agenda_items(a, r);
        const uint32_t all = (uint32_t)((UINT64_C(1) << r->num_items) - 1);
        for (uint32_t mask = all & ~(r->active | r->posted); mask != 0; mask &= mask - 1) {
            const agenda_item *i = &items[__builtin_ctz(mask)];
            if (i->kind == AGENDA_HELD && i->arrival < from) {
                from = i->arrival;
            }
        }
    }
    r->holds = from != AGENDA_NEVER;
    return from;
}

size_t sim_agenda_left(const agenda *a, engine_rank *r, agenda_item *out)
{
    if (agenda_is_crowd(r)) {
        return 0;
    }
    const agenda_item *items = agenda_items(a, r);
    size_t n = 0;
    for (uint32_t k = 0; k < r->num_items; k++) {
        if (items[k].kind == AGENDA_POSTED || items[k].kind == AGENDA_MESSAGE) {
            out[n++] = items[k];
        }
    }
    return n;
}
