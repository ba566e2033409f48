/* schedgen/pattern/pattern_item_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the files of the items have in common.
 */
#pragma once

#include "pattern/pattern_table.h"

/** Set SCHED_ERROR_BAD_PATTERN. @return false */
bool sched_pattern_refuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

/** ":BYTES" or nothing, which is 8 bytes: the `parse` of an item with messages of one size. */
bool sched_pattern_parse_bytes(pattern_item *item, const char *arguments, GError **error);

/** A send to, or receive from, @p peer. */
static inline coll_step pattern_message(const pattern_part *part, sim_op_type type, uint32_t peer)
{
    return (coll_step){.size = part->item->bytes, .peer = peer, .type = type};
}

/** The computation of @p item. */
static inline coll_step pattern_calc_step(const pattern_item *item, pattern_place at)
{
    const uint64_t draw = item->spread > 0 ? sched_pattern_draw(at.seed, at.rank, at.turn) : 0;
    return (coll_step){.size = sched_pattern_draw_time(draw, item->time, item->spread),
                       .type = SIM_OP_CALC};
}

/**
 * MPI_Sendrecv(): a send to @p to, and a receive from @p from as soon as it has started.
 * @p walk->position is 1 or 2, for which of them is meant.
 */
static inline coll_step pattern_sendrecv(const pattern_part *part, coll_walk *walk, uint32_t to,
                                         uint32_t from)
{
    const bool sends = walk->position == 1;
    walk->due = sends ? COLL_DUE_EXCHANGE : COLL_DUE_ROUND;
    coll_step step = pattern_message(part, sends ? SIM_OP_SEND : SIM_OP_RECV, sends ? to : from);
    step.with_previous = !sends;
    return step;
}

/** `max_steps` of MPI_Sendrecv(). */
uint64_t sched_pattern_sendrecv_max_steps(const pattern_part *part);
