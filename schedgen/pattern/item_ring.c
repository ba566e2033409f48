/* schedgen/pattern/item_ring.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_pattern_items. */
#include "pattern/pattern_item_private.h"

/* ring[:BYTES]: MPI_Sendrecv to the next rank, from the one before. */
static bool next(const pattern_part *part, pattern_place at, coll_walk *walk, coll_step *step)
{
    if (walk->position++ == 2 || part->ranks == 1) {
        return false;
    }
    const uint32_t to = at.rank + 1 < part->ranks ? at.rank + 1 : 0;
    const uint32_t from = at.rank > 0 ? at.rank - 1 : part->ranks - 1;
    *step = pattern_sendrecv(part, walk, to, from);
    return true;
}

static pattern_ways ways(const pattern_part *part)
{
    (void)part;
    return PATTERN_WAYS_SHIFT;
}

const pattern_item_class sched_pattern_item_ring = {
    .form = "ring[:BYTES]",
    .parse = sched_pattern_parse_bytes,
    .next = next,
    .max_steps = sched_pattern_sendrecv_max_steps,
    .ways = ways,
};
