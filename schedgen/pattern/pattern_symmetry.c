/* schedgen/pattern/pattern_symmetry.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_symmetry. */
/*
 * Where all ranks do the same in every item, each with partners of its own, one rank stands for all
 * of them: every operation takes as long on all, and whatever comes, comes at the same instant.
 */
#include "coll/symmetric.h"
#include "pattern/pattern_private.h"

sim_symmetry sched_pattern_shape_symmetry(const pattern_shape *shape)
{
    sim_symmetry s = {.classes = 1, .in_step = true};
    for (guint i = 0; i < shape->pattern->nodes->len; i++) {
        if (shape->nodes[i].item == PATTERN_GROUP) {
            continue;
        }
        const pattern_ways ways = shape->parts[shape->nodes[i].item].ways;
        if (ways == PATTERN_WAYS_DIFFER) {
            return (sim_symmetry){0};
        }
        s.in_step = s.in_step && ways != PATTERN_WAYS_TORUS; /* all messages are one stage */
    }
    return s;
}

/* The rank that is from the first as @p to is from @p from. */
static uint32_t way_on_torus(const pattern_grid *grid, uint32_t from, uint32_t to)
{
    uint32_t way = 0;
    for (uint32_t i = 0; i < grid->dimensions; i++) {
        const uint32_t a = pattern_grid_coordinate(grid, from, i);
        const uint32_t b = pattern_grid_coordinate(grid, to, i);
        way += coll_way(COLL_WAYS_SHIFT, grid->extent[i], a, b) * grid->stride[i];
    }
    return way;
}

uint32_t sched_pattern_shape_way(const pattern_shape *shape, uint32_t turn, uint32_t from,
                                 uint32_t to)
{
    const pattern_part *part = &shape->parts[pattern_item_at(shape, turn)];
    if (part->ways == PATTERN_WAYS_TORUS) {
        return way_on_torus(&part->grid, from, to);
    }
    const bool mirrors = part->ways == PATTERN_WAYS_MIRROR;
    return coll_way(mirrors ? COLL_WAYS_MIRROR : COLL_WAYS_SHIFT, shape->ranks, from, to);
}
