/* sim/events/event_spill_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The event list of a rank that has many items: heaps for what is to be done, hash tables for what
 * waits. Each function does what its namesake in event_list_private.h does; O(log n).
 */
#pragma once

#include "events/event_list_private.h"

spills *sim_spills_new(event_list *a);
void sim_spills_free(spills *c); /* NULL is a no-op */

/** Begin a spill, which is empty so far. What engine_rank says about items is no longer valid. */
void sim_spill_begin(event_list *a, engine_rank *r);
void sim_spill_add(event_list *a, engine_rank *r, uint32_t rank, const event_item *item,
                   const event_cause *cause);
sim_time sim_spill_next(event_list *a, engine_rank *r, uint32_t *which);
uint32_t sim_spill_take(event_list *a, engine_rank *r, uint32_t which, event_entry *out);
bool sim_spill_event_due(const event_list *a, engine_rank *r, sim_time now);
event_item *sim_spill_find_receive(event_list *a, uint32_t rank, const event_item *message,
                                   uint32_t *ref);
event_item *sim_spill_find_message(event_list *a, uint32_t rank, const event_item *receive,
                                   uint32_t *ref);
/** A hint that a message of the rank will look for its receive: bring near where that is noted. */
void sim_spill_prefetch_receive(const event_list *a, uint32_t rank, const event_item *message);
/** The same a little later: bring near the receive itself. */
void sim_spill_prefetch_found(const event_list *a, uint32_t rank, const event_item *message);
event_item *sim_spill_find_op(event_list *a, engine_rank *r, uint32_t rank, event_kind kind,
                              uint32_t index, uint32_t *ref);
event_item *sim_spill_item(const event_list *a, uint32_t ref);
event_cause *sim_spill_cause(const event_list *a, uint32_t ref);
sim_time sim_spill_exposed_from(const event_list *a, engine_rank *r);
void sim_spill_remove(event_list *a, engine_rank *r, uint32_t ref, event_entry *out);
void sim_spill_become(event_list *a, engine_rank *r, uint32_t rank, uint32_t ref);

typedef struct spill_left {
    uint32_t rank;
    event_item item;
} spill_left;

/** How many items of all spills wait for a partner. */
size_t sim_spills_num_left(const event_list *a);
/** All of them, in no particular order. @param out [sim_spills_num_left()] */
void sim_spills_left(const event_list *a, spill_left *out);
