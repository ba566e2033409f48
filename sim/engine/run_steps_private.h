/* sim/engine/run_steps_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Declarations that the bodies included by run_turn.inl share.
 */
#pragma once

#include "engine/run_private.h"
#include "events/event_list_turn.inl"

/* In a plain run, these are constants; in one that only a sink is told of, but for that. */

static inline bool engine_has_levels(const engine *e)
{
    return ENGINE_LEVELS && e->levels != NULL;
}

static inline bool engine_async(const engine *e)
{
    return ENGINE_ASYNC || (!ENGINE_PLAIN && e->async);
}

static inline bool engine_keeps_causes(const engine *e)
{
    return !ENGINE_PLAIN && e->keeps_causes;
}

static inline bool engine_told(const engine *e)
{
    return (ENGINE_TOLD || !ENGINE_PLAIN) && e->sink != NULL;
}

static inline bool engine_recorded(const engine *e)
{
    return !ENGINE_PLAIN && e->record != NULL;
}

/* What the CPU takes up is told or recorded. */
static inline bool engine_noted(const engine *e)
{
    return engine_told(e) || engine_recorded(e);
}

/* ---- levels: docs/model.md, section 10 ---- */

/** The parameters of a message, or of a send. */
static inline const sim_level *engine_level(const engine_turn *t, const event_item *i)
{
    return &t->p->e->level[event_list_level(&t->p->event_list, i)];
}

/** Are the rank and @p other on one node of a machine with levels? */
static inline bool engine_is_on_node_of(const engine_turn *t, uint32_t other)
{
    const sim_placement *placement = &t->p->e->levels->placement;
    return sim_placement_node(placement, t->rank) == sim_placement_node(placement, other);
}

/** What distance adds to L between the rank and the one at the other end of message @p i. */
static inline sim_time engine_distance(const engine_turn *t, const event_item *i, uint32_t other)
{
    const sim_levels *levels = t->p->e->levels;
    if (!engine_has_levels(t->p->e) || event_list_level(&t->p->event_list, i) == MESSAGE_NODE ||
        levels->distance.kind == SIM_DISTANCE_NONE) {
        return 0;
    }
    const uint32_t here = sim_placement_node(&levels->placement, t->rank);
    const uint32_t there = sim_placement_node(&levels->placement, other);
    return here != there ? sim_distance_extra(&levels->distance, here, there) : 0;
}

/** L of a message between the rank and @p other, whichever sends it. */
static inline sim_time engine_latency(const engine_turn *t, const event_item *i, uint32_t other)
{
    return engine_level(t, i)->L + engine_distance(t, i, other);
}

/* ---- run_ready.inl ---- */

/** An operation of the rank starts at @p at. @return entries written to @p out */
static inline size_t engine_start_op(const engine_turn *t, const event_item *i, sim_time at,
                                     sim_ready *out);
/** An operation of the rank has finished or will at @p at. @return entries written to @p out */
static inline size_t engine_finish_op(const engine_turn *t, uint32_t op, sim_time at,
                                      sim_ready *out);
/**
 * Operations have become ready. @p direct: a single receive may be posted on the spot, if nothing
 * else is due before.
 */
static void engine_take_up(const engine_turn *t, const sim_ready *ready, size_t n, bool direct);

/* ---- run_cpu.inl ---- */

/** The CPU takes up, now, what has just been taken from the event list. */
static void engine_cpu_step(const engine_turn *t, const event_entry *entry, uint32_t ref);

/* ---- run_network.inl ---- */

/** An event of the rank, just taken from its event list, happens now. */
static void engine_event_step(const engine_turn *t, const event_entry *entry, uint32_t ref);
/** A receive is posted now. @p ref: on the event list, or EVENT_TAKEN */
static void engine_post(const engine_turn *t, const event_entry *entry, uint32_t ref);
/** A message comes to the rank that it is for, ahead of its time. */
static void engine_deliver(engine_partition *p, const engine_message *m);

/* ---- run_window.inl ---- */

/** @p rank has got something to do at @p when. */
static inline void engine_due(engine_partition *p, engine_rank *r, uint32_t rank, sim_time when);
/** Where a message to @p dest is to be written, all of it, before engine_emit(). */
static engine_message *engine_new_message(engine_partition *p, uint32_t dest);
/** Send the message just written on its way. */
static inline void engine_emit(engine_partition *p, const engine_message *m);
