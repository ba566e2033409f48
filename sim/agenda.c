/* sim/agenda.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "agenda_private.h"
#include "crowd_private.h"
#include "sim/large.h"

#include <glib.h>

#include <assert.h>
#include <string.h>

_Static_assert(sizeof(agenda_item) == 40, "eight items and three clocks in six cache lines");
_Static_assert(sizeof(engine_rank) == 40, "and with three clocks, one cache line");

#define LINE    ((size_t)64)
#define SEGMENT 256U /* arrays outside that are allocated at once */

agenda_layout sim_agenda_layout(const sim_program *program, bool noted)
{
    agenda_layout at = {.tx_at = program->num_cpus, .rx_at = program->num_cpus + program->num_nics};
    at.num_clocks = at.rx_at + program->num_nics;
    at.items_at = sizeof(engine_rank) + at.num_clocks * sizeof(sim_time);
    at.notes_at = at.items_at + AGENDA_INSIDE * sizeof(agenda_item);
    at.clock_notes_at = at.notes_at + (noted ? AGENDA_INSIDE * sizeof(agenda_note) : 0);
    const size_t bytes = at.clock_notes_at + (noted ? at.num_clocks * sizeof(clock_note) : 0);
    at.rank_bytes = bytes + -bytes % LINE;
    return at;
}

void sim_agenda_init(agenda *a, const agenda_layout *layout, bool async, bool noted, bool wildcards)
{
    *a = (agenda){.at = *layout, .async = async, .noted = noted, .wildcards = wildcards};
    a->num_outside = 1; /* 0 is inside */
}

void sim_agenda_clear(agenda *a)
{
    for (uint32_t s = 0; s < a->num_segments; s++) {
        sim_large_free(a->segment[s]);
    }
    g_free(a->segment);
    sim_crowds_free(a->crowds);
}

/* ---- where the items are ---- */

static size_t outside_bytes(const agenda *a)
{
    return AGENDA_OUTSIDE * (sizeof(agenda_item) + (a->noted ? sizeof(agenda_note) : 0));
}

static char *outside_of(const agenda *a, uint32_t outside)
{
    return a->segment[outside / SEGMENT] + outside % SEGMENT * outside_bytes(a);
}

static inline agenda_item *items_of(const agenda *a, engine_rank *r)
{
    if (__builtin_expect(r->outside != 0, 0)) {
        return (agenda_item *)(void *)outside_of(a, r->outside);
    }
    return agenda_inside(a, r);
}

static agenda_note *notes_of(const agenda *a, engine_rank *r)
{
    char *notes = r->outside != 0 ? outside_of(a, r->outside) + AGENDA_OUTSIDE * sizeof(agenda_item)
                                  : (char *)r + a->at.notes_at;
    return (agenda_note *)(void *)notes;
}

static uint32_t new_outside(agenda *a)
{
    const uint32_t outside = a->free_outside;
    if (outside != 0) {
        memcpy(&a->free_outside, outside_of(a, outside), sizeof a->free_outside);
        return outside;
    }
    if (a->num_outside >= a->num_segments * SEGMENT) {
        a->segment = g_renew(char *, a->segment, a->num_segments + 1);
        a->segment[a->num_segments++] = sim_large_new(SEGMENT, outside_bytes(a));
    }
    return a->num_outside++;
}

static void drop_outside(agenda *a, uint32_t outside)
{
    memcpy(outside_of(a, outside), &a->free_outside, sizeof a->free_outside);
    a->free_outside = outside;
}

/* All items move to where engine_rank.outside is to be @p outside. */
static void move_items(agenda *a, engine_rank *r, uint32_t outside)
{
    const agenda_item *from = items_of(a, r);
    const agenda_note *from_notes = notes_of(a, r);
    r->outside = outside;
    memcpy(items_of(a, r), from, r->num_items * sizeof *from);
    if (a->noted) {
        memcpy(notes_of(a, r), from_notes, r->num_items * sizeof *from_notes);
    }
}

static void become_crowd(agenda *a, engine_rank *r, uint32_t rank)
{
    const agenda_item *items = items_of(a, r);
    const agenda_note *notes = notes_of(a, r);
    const uint32_t n = r->num_items;
    const uint32_t outside = r->outside;
    if (a->crowds == NULL) {
        a->crowds = sim_crowds_new(a);
    }
    sim_crowd_begin(a, r);
    for (uint32_t k = 0; k < n; k++) {
        agenda_entry entry = {.item = items[k]};
        if (a->noted) {
            entry.note = notes[k];
        }
        sim_crowd_add(a, r, rank, &entry);
    }
    drop_outside(a, outside);
}

static void leave_outside(agenda *a, engine_rank *r)
{
    const uint32_t outside = r->outside;
    move_items(a, r, 0);
    drop_outside(a, outside);
}

/* ---- adding and removing ---- */

static inline uint32_t without_bit(uint32_t mask, uint32_t bit)
{
    const uint32_t below = (UINT32_C(1) << bit) - 1;
    return (mask & below) | ((mask >> 1) & ~below);
}

/* Those behind it move up. */
static inline void remove_item(agenda *a, engine_rank *r, uint32_t k, agenda_entry *out)
{
    agenda_item *items = items_of(a, r);
    const uint32_t behind = --r->num_items - k;
    out->item = items[k];
    for (uint32_t i = k; i < k + behind; i++) {
        items[i] = items[i + 1];
    }
    if (a->noted) {
        agenda_note *notes = notes_of(a, r);
        out->note = notes[k];
        memmove(&notes[k], &notes[k + 1], behind * sizeof *notes);
    }
    r->active = without_bit(r->active, k);
    r->posted = without_bit(r->posted, k);
    if (__builtin_expect(r->outside != 0, 0) && r->num_items <= AGENDA_INSIDE / 2) {
        leave_outside(a, r);
    }
}

void sim_agenda_add(agenda *a, engine_rank *r, uint32_t rank, const agenda_entry *entry)
{
    if (__builtin_expect(r->num_items >= AGENDA_INSIDE, 0) && !r->crowd) {
        if (r->outside == 0) {
            move_items(a, r, new_outside(a));
        } else if (r->num_items == AGENDA_OUTSIDE) {
            become_crowd(a, r, rank);
        }
    }
    if (__builtin_expect(r->crowd, 0)) {
        sim_crowd_add(a, r, rank, entry);
        return;
    }
    const uint32_t k = r->num_items++;
    items_of(a, r)[k] = entry->item;
    if (a->noted) {
        notes_of(a, r)[k] = entry->note;
    }
    r->active |= (uint32_t)(entry->item.kind < AGENDA_FIRST_WAITING) << k;
    r->posted |= (uint32_t)(entry->item.kind == AGENDA_POSTED) << k;
}

/* ---- what is next ---- */

/* Of two that can start, or happen, at one instant. */
static bool goes_before(const agenda *a, const agenda_item *x, const agenda_item *y)
{
    const bool event = agenda_is_event(x);
    if (event != agenda_is_event(y)) {
        return event; /* at one instant the network goes first */
    }
    if (!event) {
        const sim_time rx = agenda_ready(a, x);
        const sim_time ry = agenda_ready(a, y);
        if (rx != ry) {
            return rx < ry;
        }
    }
    return x->kind < y->kind || (x->kind == y->kind && agenda_tie(a, x) < agenda_tie(a, y));
}

sim_time sim_agenda_next(agenda *a, engine_rank *r, uint32_t *which)
{
    if (__builtin_expect(r->crowd, 0)) {
        return sim_crowd_next(a, r, which);
    }
    uint32_t mask = r->active;
    if (mask == 0) {
        return AGENDA_NEVER;
    }
    const agenda_item *items = items_of(a, r);
    uint32_t first = (uint32_t)__builtin_ctz(mask);
    sim_time least = agenda_start(a, r, &items[first]);
    for (mask &= mask - 1; mask != 0; mask &= mask - 1) {
        const uint32_t k = (uint32_t)__builtin_ctz(mask);
        const sim_time start = agenda_start(a, r, &items[k]);
        if (start < least || (start == least && goes_before(a, &items[k], &items[first]))) {
            least = start;
            first = k;
        }
    }
    *which = first;
    return least;
}

bool sim_agenda_event_due(const agenda *a, engine_rank *r, sim_time now)
{
    if (__builtin_expect(r->crowd, 0)) {
        return sim_crowd_event_due(a, r, now);
    }
    const agenda_item *items = items_of(a, r);
    for (uint32_t mask = r->active; mask != 0; mask &= mask - 1) {
        const agenda_item *i = &items[__builtin_ctz(mask)];
        if (agenda_is_event(i) && i->time <= now) {
            return true;
        }
    }
    return false;
}

void sim_agenda_take(agenda *a, engine_rank *r, uint32_t which, agenda_entry *out, uint32_t *ref)
{
    if (__builtin_expect(r->crowd, 0)) {
        sim_crowd_take(a, r, which, out, ref);
        return;
    }
    const agenda_item *i = &items_of(a, r)[which];
    if (!a->async || i->kind != AGENDA_RECEIVE || (i->flags & AGENDA_MATCHED) != 0) {
        remove_item(a, r, which, out);
        return;
    }
    out->item = *i;
    if (a->noted) {
        out->note = notes_of(a, r)[which];
    }
    *ref = which;
}

void sim_agenda_accepted(agenda *a, engine_rank *r, uint32_t ref, const agenda_entry *entry)
{
    if (r->crowd) {
        sim_crowd_accepted(a, ref, entry);
        return;
    }
    agenda_item *i = &items_of(a, r)[ref];
    *i = entry->item;
    i->kind = AGENDA_MESSAGE;
    i->flags |= AGENDA_ACCEPTED;
    if (a->noted) {
        notes_of(a, r)[ref] = entry->note;
    }
    r->active &= ~(UINT32_C(1) << ref);
}

/* ---- matching: simulation-model.md section 4 ---- */

static inline bool fits(const agenda_item *receive, const agenda_item *message)
{
    return receive->comm == message->comm &&
           (receive->peer == message->peer || receive->peer == SIM_ANY) &&
           (receive->tag == message->tag || receive->tag == SIM_ANY || message->tag == SIM_ANY);
}

bool sim_agenda_find_receive(agenda *a, engine_rank *r, uint32_t rank, const agenda_item *message,
                             agenda_entry *out)
{
    if (__builtin_expect(r->crowd, 0)) {
        return sim_crowd_find_receive(a, r, rank, message, out);
    }
    const agenda_item *items = items_of(a, r);
    for (uint32_t mask = r->posted; mask != 0; mask &= mask - 1) {
        const uint32_t k = (uint32_t)__builtin_ctz(mask);
        if (fits(&items[k], message)) {
            remove_item(a, r, k, out);
            return true;
        }
    }
    return false;
}

/* A message that is to be accepted has got its receive. */
void sim_agenda_bind(agenda_item *message, uint32_t receive)
{
    message->flags |= AGENDA_MATCHED;
    message->send = message->index;
    message->index = receive;
}

bool sim_agenda_find_message(agenda *a, engine_rank *r, uint32_t rank, const agenda_entry *receive,
                             agenda_entry *out)
{
    if (__builtin_expect(r->crowd, 0)) {
        return sim_crowd_find_message(a, r, rank, receive, out);
    }
    agenda_item *items = items_of(a, r);
    for (uint32_t k = 0; k < r->num_items; k++) {
        if (!agenda_is_unmatched(a, &items[k]) || !fits(&receive->item, &items[k])) {
            continue;
        }
        if (items[k].kind == AGENDA_MESSAGE) {
            remove_item(a, r, k, out);
            return true;
        }
        out->item = items[k];
        sim_agenda_bind(&items[k], receive->item.index);
        if (a->noted) {
            out->note = notes_of(a, r)[k];
            notes_of(a, r)[k].cause = receive->note.cause;
        }
        return true;
    }
    return false;
}

void sim_agenda_find_op(agenda *a, engine_rank *r, uint32_t rank, agenda_kind kind, uint32_t index,
                        agenda_entry *out)
{
    if (__builtin_expect(r->crowd, 0)) {
        sim_crowd_find_op(a, r, rank, kind, index, out);
        return;
    }
    const agenda_item *items = items_of(a, r);
    uint32_t k = 0;
    while (items[k].kind != kind || items[k].index != index) {
        k++;
        assert(k < r->num_items);
    }
    remove_item(a, r, k, out);
}

size_t sim_agenda_left(const agenda *a, engine_rank *r, agenda_item *out)
{
    if (r->crowd) {
        return 0;
    }
    const agenda_item *items = items_of(a, r);
    size_t n = 0;
    for (uint32_t k = 0; k < r->num_items; k++) {
        if (items[k].kind == AGENDA_POSTED || items[k].kind == AGENDA_MESSAGE) {
            out[n++] = items[k];
        }
    }
    return n;
}
