/* sim/events/event_list_slow.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run, test_run_random. */
#include "events/event_list_private.h"
#include "events/event_order_private.h"
#include "events/event_spill_private.h"
#include "sim/large.h"

#include <glib.h>

#include <assert.h>
#include <string.h>

_Static_assert(sizeof(engine_rank) == 40, "with three clocks: one cache line");
_Static_assert(sizeof(event_item) == 40,
               "12 items (or 6) behind that, and 8 bytes: nine cache lines (or five)");

#define LINE ((size_t)64)

event_list_layout sim_event_list_layout(const sim_program *program, bool has_node,
                                        bool keeps_causes, size_t kept_bytes)
{
    const uint32_t num_interfaces = (has_node ? 2 : 1) * program->num_nics;
    event_list_layout at = {.tx_at = program->num_cpus,
                            .rx_at = program->num_cpus + num_interfaces,
                            .node_nic = has_node ? program->num_nics : UINT32_MAX};
    at.num_clocks = at.rx_at + num_interfaces;
    const bool few = program->few_open || program->num_ranks > EVENT_MANY_RANKS;
    at.inside = few ? EVENT_INSIDE_FEW : EVENT_INSIDE;
    at.kept_at = sizeof(engine_rank) + at.num_clocks * sizeof(sim_time);
    at.clock_causes_at = at.kept_at + kept_bytes;
    at.causes_at = at.clock_causes_at + (keeps_causes ? at.num_clocks * sizeof(clock_cause) : 0);
    at.items_at = at.causes_at + (keeps_causes ? at.inside * sizeof(event_cause) : 0);
    const size_t bytes = at.items_at + at.inside * sizeof(event_item);
    at.rank_bytes = bytes + -bytes % LINE;
    return at;
}

void sim_event_list_init(event_list *a, const event_list_layout *layout, bool async,
                         bool keeps_causes, bool wildcards)
{
    *a = (event_list){
        .at = *layout, .async = async, .keeps_causes = keeps_causes, .wildcards = wildcards};
    a->plain = layout->num_clocks == 3;
    const size_t each = sizeof(event_item) + (keeps_causes ? sizeof(event_cause) : 0);
    a->store[0] = (event_list_store){.array_bytes = EVENT_OUTSIDE_FEW * each, .num_arrays = 1};
    a->store[1] = (event_list_store){.array_bytes = EVENT_OUTSIDE * each, .num_arrays = 1};
}

void sim_event_list_clear(event_list *a)
{
    for (uint32_t few = 0; few < G_N_ELEMENTS(a->store); few++) {
        const event_list_store *s = &a->store[few];
        for (uint32_t i = 0; i < s->num_segments; i++) {
            sim_large_free(s->segment[i]);
        }
        g_free(s->segment);
    }
    sim_spills_free(a->spills);
    *a = (event_list){0};
}

/* ---- where the items are ---- */

/* How many items the array of a rank whose list has not spilled holds, 0 being the place inside. */
static inline uint32_t room_of(const event_list *a, uint32_t outside)
{
    if (outside == 0) {
        return a->at.inside;
    }
    return outside % 2 == 0 ? EVENT_OUTSIDE_FEW : EVENT_OUTSIDE;
}

event_cause *sim_event_list_causes(const event_list *a, engine_rank *r)
{
    char *causes = r->outside != 0 ? event_list_outside(a, r->outside) +
                                         room_of(a, r->outside) * sizeof(event_item)
                                   : (char *)r + a->at.causes_at;
    return (event_cause *)(void *)causes;
}

event_item *sim_event_list_item(const event_list *a, engine_rank *r, uint32_t ref)
{
    return event_list_has_spilled(r) ? sim_spill_item(a, ref) : &event_items(a, r)[ref];
}

event_cause *sim_event_list_cause(const event_list *a, engine_rank *r, uint32_t ref)
{
    return event_list_has_spilled(r) ? sim_spill_cause(a, ref) : &sim_event_list_causes(a, r)[ref];
}

/* An array for more than @p n items. */
static uint32_t new_outside(event_list *a, uint32_t n)
{
    a->is_outside = true;
    const uint32_t store = n < EVENT_OUTSIDE_FEW ? 0 : 1;
    event_list_store *s = &a->store[store];
    const uint32_t outside = s->free_array;
    if (outside != 0) {
        memcpy(&s->free_array, event_list_outside(a, outside), sizeof s->free_array);
        return outside;
    }
    if (s->num_arrays >= s->num_segments * EVENT_SEGMENT) {
        s->segment = g_renew(char *, s->segment, s->num_segments + 1);
        s->segment[s->num_segments++] = sim_large_new(EVENT_SEGMENT, s->array_bytes);
    }
    return 2 * s->num_arrays++ + store;
}

static void drop_outside(event_list *a, uint32_t outside)
{
    event_list_store *s = &a->store[outside % 2];
    memcpy(event_list_outside(a, outside), &s->free_array, sizeof s->free_array);
    s->free_array = outside;
}

/* Bit @p k of @p mask as bit @p n. */
static inline uint32_t moved(uint32_t mask, uint32_t k, uint32_t n)
{
    return (mask >> k & 1) << n;
}

/* All items move to where engine_rank.outside is to be @p outside, which may be where they are:
 * none is vacant then. */
static void move_items(event_list *a, engine_rank *r, uint32_t outside)
{
    const event_item *from = event_items(a, r);
    const event_cause *from_causes = sim_event_list_causes(a, r);
    const uint32_t before = r->outside;
    const engine_rank was = *r;
    r->outside = outside;
    event_item *to = event_items(a, r);
    event_cause *to_causes = sim_event_list_causes(a, r);
    uint32_t n = 0;
    r->active = r->events = r->posted = 0;
    for (uint32_t mask = event_list_items(&was); mask != 0; mask &= mask - 1, n++) {
        const uint32_t k = (uint32_t)__builtin_ctz(mask);
        to[n] = from[k];
        if (a->keeps_causes) {
            to_causes[n] = from_causes[k];
        }
        r->active |= moved(was.active, k, n);
        r->events |= moved(was.events, k, n);
        r->posted |= moved(was.posted, k, n);
    }
    r->num_items = (uint8_t)n;
    if (before != 0 && before != outside) {
        drop_outside(a, before);
    }
}

static void spill(event_list *a, engine_rank *r, uint32_t rank)
{
    const event_item *items = event_items(a, r);
    const event_cause *causes = sim_event_list_causes(a, r);
    uint32_t mask = event_list_items(r);
    const uint32_t outside = r->outside;
    if (a->spills == NULL) {
        a->spills = sim_spills_new(a);
    }
    sim_spill_begin(a, r);
    for (; mask != 0; mask &= mask - 1) {
        const uint32_t k = (uint32_t)__builtin_ctz(mask);
        sim_spill_add(a, r, rank, &items[k], a->keeps_causes ? &causes[k] : NULL);
    }
    drop_outside(a, outside);
}

/* ---- adding and removing ---- */

/*
 * Of CPU work the order does not count, but of sends that are behind, and of messages that receives
 * may still find: outside, the last item takes the place of one that goes, so that the list is on
 * fewer lines of the cache.
 * @return the place that is vacant then
 */
static uint32_t fill_place(event_list *a, engine_rank *r, uint32_t ref)
{
    event_item *items = event_items(a, r);
    const uint32_t last = r->num_items - 1U;
    if (ref == last || (event_list_candidates(r) & ~r->events) >> last == 0 ||
        event_list_is_unmatched(a, &items[last])) {
        return ref;
    }
    items[ref] = items[last];
    if (a->keeps_causes) {
        event_cause *causes = sim_event_list_causes(a, r);
        causes[ref] = causes[last];
    }
    event_list_set_kind(r, ref, items[ref].kind);
    return last;
}

void sim_event_list_remove(event_list *a, engine_rank *r, uint32_t ref, event_entry *out)
{
    if (__builtin_expect(event_list_has_spilled(r), 0)) {
        sim_spill_remove(a, r, ref, out);
        return;
    }
    if (out != NULL) {
        out->item = event_items(a, r)[ref];
        if (a->keeps_causes) {
            out->cause = sim_event_list_causes(a, r)[ref];
        }
    }
    if (r->outside == 0) {
        event_list_vacate(r, ref);
        return;
    }
    event_list_vacate(r, fill_place(a, r, ref));
    if (r->num_items <= a->at.inside / 2) {
        move_items(a, r, 0);
    }
}

static uint32_t count_items(const engine_rank *r)
{
    uint32_t n = 0;
    for (uint32_t mask = event_list_items(r); mask != 0; mask &= mask - 1) {
        n++;
    }
    return n;
}

event_item *sim_event_list_make_room(event_list *a, engine_rank *r, uint32_t rank)
{
    if (!event_list_has_spilled(r) && r->num_items == room_of(a, r->outside)) {
        const uint32_t n = count_items(r);
        if (n <= a->at.inside / 2) {
            move_items(a, r, 0);
        } else if (r->num_items == EVENT_OUTSIDE && n == EVENT_OUTSIDE) {
            spill(a, r, rank);
        } else if (r->num_items == EVENT_OUTSIDE || n + r->num_items / 4U <= r->num_items) {
            move_items(a, r, r->outside); /* enough are vacant to be worth it, or more would cost */
        } else {
            move_items(a, r, new_outside(a, r->num_items));
        }
    }
    return event_list_has_spilled(r) ? &a->new_item : &event_items(a, r)[r->num_items];
}

void sim_event_list_add(event_list *a, engine_rank *r, uint32_t rank, const event_item *item,
                        const event_cause *cause)
{
    if (event_list_has_spilled(r)) {
        sim_spill_add(a, r, rank, item, cause);
        return;
    }
    const uint32_t k = r->num_items++;
    sim_event_list_causes(a, r)[k] = *cause;
    event_list_set_kind(r, k, item->kind);
}

/* ---- what is next ---- */

/* The first event; there is one. */
static inline uint32_t first_event(const event_list *a, const event_item *items, uint32_t mask)
{
    uint32_t first = (uint32_t)__builtin_ctz(mask);
    for (mask &= mask - 1; mask != 0; mask &= mask - 1) {
        const uint32_t k = (uint32_t)__builtin_ctz(mask);
        if (items[k].time < items[first].time ||
            (items[k].time == items[first].time &&
             event_list_tie_goes_before(a, &items[k], &items[first]))) {
            first = k;
        }
    }
    return first;
}

/* The first CPU work that starts before @p least, which is when the first event happens. */
static inline sim_time first_work(event_list *a, const engine_rank *r, const event_item *items,
                                  sim_time least, uint32_t *which)
{
    uint32_t first = EVENT_TAKEN;
    for (uint32_t mask = r->active & ~r->events; mask != 0; mask &= mask - 1) {
        const uint32_t k = (uint32_t)__builtin_ctz(mask);
        if (items[k].time > least) {
            continue;
        }
        const sim_time start = event_list_start(a, r, &items[k]);
        if (start < least || (start == least && first != EVENT_TAKEN &&
                              event_list_work_goes_before(a, &items[k], &items[first]))) {
            least = start;
            first = k;
        }
    }
    if (first != EVENT_TAKEN) {
        *which = first;
    }
    return least;
}

/*
 * The same for one CPU and interface, which nearly all programs are about: what each kind of work
 * has to wait for is looked up once.
 */
static inline sim_time first_plain_work(event_list *a, const engine_rank *r,
                                        const event_item *items, sim_time least, uint32_t *which)
{
    enum { CPU, TX, RX };
    const sim_time rx = r->clock[RX];
    const sim_time free_from[] = {[EVENT_SEND] = event_list_later(r->clock[CPU], r->clock[TX]),
                                  [EVENT_RECEIVE] = a->async ? event_list_later(r->clock[CPU], rx)
                                                             : r->clock[CPU],
                                  [EVENT_CALC] = r->clock[CPU]};
    const event_item *first = NULL;
    for (uint32_t mask = event_list_candidates(r) & ~r->events; mask != 0;) {
        const uint32_t k = 31U - (uint32_t)__builtin_clz(mask); /* the last is mostly the first */
        const event_item *i = &items[k];
        mask &= ~(UINT32_C(1) << k);
        sim_time start = event_list_later(i->time, free_from[i->kind]);
        if (i->kind == EVENT_RECEIVE && !a->async) {
            if (i->arrival > least) {
                continue; /* most are on their way yet */
            }
            start = event_list_later(start, event_list_later(i->arrival, rx) +
                                                message_cost_of(a->costs, i->size)->delay);
        }
        if (start < least ||
            (start == least && first != NULL && event_list_work_goes_before(a, i, first))) {
            least = start;
            first = i;
        }
    }
    if (first != NULL) {
        *which = (uint32_t)(first - items);
    }
    return least;
}

sim_time sim_event_list_next(event_list *a, engine_rank *r, sim_time now, uint32_t *which)
{
    if (__builtin_expect(event_list_has_spilled(r), 0)) {
        return sim_spill_next(a, r, which);
    }
    const event_item *items = event_items(a, r);
    sim_time least = EVENT_NEVER;
    if (event_list_events(r) != 0) {
        *which = first_event(a, items, event_list_events(r));
        least = items[*which].time;
    }
    if (least <= now) {
        return least; /* at one instant the network goes first */
    }
    return a->plain ? first_plain_work(a, r, items, least, which)
                    : first_work(a, r, items, least, which);
}

uint32_t sim_event_list_take(event_list *a, engine_rank *r, uint32_t which, event_entry *out)
{
    if (__builtin_expect(event_list_has_spilled(r), 0)) {
        return sim_spill_take(a, r, which, out);
    }
    const event_item *i = &event_items(a, r)[which];
    if (!event_list_stays(a, i)) {
        sim_event_list_remove(a, r, which, out);
        event_list_move_up(r, out->item.kind);
        return EVENT_TAKEN;
    }
    out->item = *i;
    if (a->keeps_causes) {
        out->cause = sim_event_list_causes(a, r)[which];
    }
    return which;
}

event_item *sim_event_list_find_op(event_list *a, engine_rank *r, uint32_t rank, event_kind kind,
                                   uint32_t index, uint32_t *ref)
{
    if (__builtin_expect(event_list_has_spilled(r), 0)) {
        return sim_spill_find_op(a, r, rank, kind, index, ref);
    }
    event_item *items = event_items(a, r);
    uint32_t mask = event_list_waiting(r);
    do {
        assert(mask != 0);
        *ref = (uint32_t)__builtin_ctz(mask);
        mask &= mask - 1;
    } while (items[*ref].kind != kind || items[*ref].index != index);
    return &items[*ref];
}

sim_time sim_event_list_exposed_from(const event_list *a, engine_rank *r)
{
    sim_time from = EVENT_NEVER;
    if (__builtin_expect(event_list_has_spilled(r), 0)) {
        from = sim_spill_exposed_from(a, r);
    } else {
        const event_item *items = event_items(a, r);
        for (uint32_t mask = event_list_waiting(r); mask != 0; mask &= mask - 1) {
            const event_item *i = &items[__builtin_ctz(mask)];
            if (i->kind == EVENT_HELD && i->arrival < from) {
                from = i->arrival;
            }
        }
    }
    r->holds = from != EVENT_NEVER;
    return from;
}

uint32_t sim_event_list_held(const event_list *a, engine_rank *r, sim_time when, uint32_t *out,
                             uint32_t most)
{
    if (__builtin_expect(event_list_has_spilled(r), 0)) {
        return sim_spill_exposed_from(a, r) <= when ? most + 1 : 0;
    }
    const event_item *items = event_items(a, r);
    uint32_t n = 0;
    for (uint32_t mask = event_list_waiting(r); mask != 0; mask &= mask - 1) {
        const event_item *i = &items[__builtin_ctz(mask)];
        if (i->kind == EVENT_HELD && i->arrival <= when && (i->flags & EVENT_KNOWN) == 0) {
            if (n == most) {
                return most + 1;
            }
            out[n++] = i->index;
        }
    }
    return n;
}

void sim_event_list_note_known(const event_list *a, engine_rank *r, uint32_t send)
{
    if (event_list_has_spilled(r)) {
        return; /* sim_event_list_held() does not look there */
    }
    event_item *items = event_items(a, r);
    for (uint32_t mask = event_list_waiting(r); mask != 0; mask &= mask - 1) {
        event_item *i = &items[__builtin_ctz(mask)];
        if (i->kind == EVENT_HELD && i->index == send) {
            i->flags |= EVENT_KNOWN;
        }
    }
}

size_t sim_event_list_left(const event_list *a, engine_rank *r, event_item *out)
{
    if (event_list_has_spilled(r)) {
        return 0;
    }
    const event_item *items = event_items(a, r);
    size_t n = 0;
    for (uint32_t mask = event_list_items(r); mask != 0; mask &= mask - 1) {
        const event_item *i = &items[__builtin_ctz(mask)];
        if (i->kind == EVENT_POSTED || i->kind == EVENT_UNEXPECTED) {
            out[n++] = *i;
        }
    }
    return n;
}
