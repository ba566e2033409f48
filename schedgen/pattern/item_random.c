/* schedgen/pattern/item_random.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_pattern_items, test_pattern_draw. */
#include "pattern/pattern_item_private.h"

/*
 * random[:BYTES]: MPI_Sendrecv along a cyclic order of all ranks that is drawn anew in each turn:
 * everybody sends one message and receives one, never its own.
 */
static bool next(const pattern_part *part, pattern_place at, coll_walk *walk, coll_step *step)
{
    if (walk->position++ == 2 || part->ranks == 1) {
        return false;
    }
    const pattern_cycle cycle = sched_pattern_cycle(at.seed, at.turn, part->ranks);
    const uint32_t peer = walk->position == 1 ? sched_pattern_cycle_next(&cycle, at.rank)
                                              : sched_pattern_cycle_previous(&cycle, at.rank);
    *step = pattern_sendrecv(part, walk, peer, peer);
    return true;
}

const pattern_item_class sched_pattern_item_random = {
    .form = "random[:BYTES]",
    .parse = sched_pattern_parse_bytes,
    .next = next,
    .max_steps = sched_pattern_sendrecv_max_steps,
};
