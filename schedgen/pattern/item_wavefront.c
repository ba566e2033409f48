/* schedgen/pattern/item_wavefront.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_pattern_items. */
#include "pattern/pattern_item_private.h"

/*
 * wavefront[:BYTES]: a sweep over a grid of two dimensions, from its corner at rank 0: MPI_Recv
 * from the west, from the north; the calc that follows in the text, if one does; MPI_Send to the
 * east, to the south. Ranks at the borders leave out what has no partner.
 */

enum { DOWN, RIGHT }; /* dimensions: rows come first, as in MPI_Dims_create() */

enum { FROM_WEST, FROM_NORTH, WORK, TO_EAST, TO_SOUTH, STEPS };

static bool shape(pattern_part *part, const sched_pattern_options *options, GError **error)
{
    (void)options;
    (void)error;
    part->grid = sched_pattern_grid(part->ranks, part->item->class->dimensions);
    return true;
}

/* The step of that number. @return false: the rank leaves it out */
static bool find(const pattern_part *part, pattern_place at, uint32_t number, coll_step *step)
{
    const pattern_grid *grid = &part->grid;
    const uint32_t d = number == FROM_WEST || number == TO_EAST ? RIGHT : DOWN;
    const uint32_t coordinate = pattern_grid_coordinate(grid, at.rank, d);
    if (number == WORK) {
        *step =
            part->item->inside != NULL ? pattern_calc_step(part->item->inside, at) : (coll_step){0};
        return part->item->inside != NULL;
    }
    const bool receives = number < WORK;
    const uint32_t peer = receives ? at.rank - grid->stride[d] : at.rank + grid->stride[d];
    *step = pattern_message(part, receives ? SIM_OP_RECV : SIM_OP_SEND, peer);
    return receives ? coordinate > 0 : coordinate + 1 < grid->extent[d];
}

static bool next(const pattern_part *part, pattern_place at, coll_walk *walk, coll_step *step)
{
    while (walk->position < STEPS) {
        if (find(part, at, walk->position++, step)) {
            return true;
        }
    }
    return false;
}

static uint64_t max_steps(const pattern_part *part)
{
    (void)part;
    return STEPS;
}

const pattern_item_class sched_pattern_item_wavefront = {
    .form = "wavefront[:BYTES]",
    .parse = sched_pattern_parse_bytes,
    .dimensions = 2,
    .shape = shape,
    .next = next,
    .max_steps = max_steps,
};
