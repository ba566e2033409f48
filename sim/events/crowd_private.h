/* sim/events/crowd_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The agenda of a rank that has much before it: heaps for what is to be done, hash tables for
 * what waits. Each function does what its namesake in agenda_private.h does; O(log n).
 */
#pragma once

#include "events/agenda_private.h"

crowds *sim_crowds_new(const agenda *a);
void sim_crowds_free(crowds *c); /* NULL is a no-op */

/** The rank becomes an empty crowd; what is in engine_rank about its items is void. */
void sim_crowd_begin(agenda *a, engine_rank *r);
void sim_crowd_add(agenda *a, engine_rank *r, uint32_t rank, const agenda_item *item,
                   const agenda_note *note);
sim_time sim_crowd_next(agenda *a, engine_rank *r, uint32_t *which);
uint32_t sim_crowd_take(agenda *a, engine_rank *r, uint32_t which, agenda_entry *out);
bool sim_crowd_event_due(const agenda *a, engine_rank *r, sim_time now);
agenda_item *sim_crowd_find_receive(agenda *a, uint32_t rank, const agenda_item *message,
                                    uint32_t *ref);
agenda_item *sim_crowd_find_message(agenda *a, uint32_t rank, const agenda_item *receive,
                                    uint32_t *ref);
uint32_t sim_crowd_find_op(agenda *a, uint32_t rank, agenda_kind kind, uint32_t index);
agenda_item *sim_crowd_item(const agenda *a, uint32_t ref);
agenda_note *sim_crowd_note(const agenda *a, uint32_t ref);
sim_time sim_crowd_exposed_from(const agenda *a, engine_rank *r);
void sim_crowd_remove(agenda *a, engine_rank *r, uint32_t ref, agenda_entry *out);
void sim_crowd_become(agenda *a, engine_rank *r, uint32_t ref);

typedef struct crowd_left {
    uint32_t rank;
    agenda_item item;
} crowd_left;

/** How many items of all crowds wait for a partner. */
size_t sim_crowds_num_left(const agenda *a);
/** All of them, in no particular order. @param out [sim_crowds_num_left()] */
void sim_crowds_left(const agenda *a, crowd_left *out);
