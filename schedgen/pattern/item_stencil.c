/* schedgen/pattern/item_stencil.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_pattern_items, test_pattern_mpi. */
#include "pattern/pattern_item_private.h"

/*
 * stencil1d, stencil2d, stencil3d[:BYTES]: a halo exchange with the nearest neighbours on a torus.
 * MPI_Irecv from all of them, MPI_Isend to all, MPI_Waitall: so all messages are one stage, and
 * each post irequires the one before. Where an extent is 2, both neighbours in it are the same
 * rank, which gets two messages, as from MPI_Cart_shift(); where it is 1, there is none.
 */

static bool shape(pattern_part *part, const sched_pattern_options *options, GError **error)
{
    (void)options;
    (void)error;
    const pattern_grid full = sched_pattern_grid(part->ranks, part->item->class->dimensions);
    uint32_t n = 0;
    while (n < full.dimensions &&
           full.extent[n] > 1) { /* they do not grow: those of 1 are the last */
        n++;
    }
    part->grid = full;
    part->grid.dimensions = n;
    return true;
}

static bool next(const pattern_part *part, pattern_place at, coll_walk *walk, coll_step *step)
{
    const uint32_t half = 2 * part->grid.dimensions; /* receives; and as many sends after them */
    const uint32_t position = walk->position++;
    if (position >= 2 * half) {
        return false;
    }
    const bool receives = position < half;
    const uint32_t which = receives ? position : position - half;
    const uint32_t peer = pattern_grid_neighbour(&part->grid, at.rank, which / 2, which % 2 == 1);
    *step = pattern_message(part, receives ? SIM_OP_RECV : SIM_OP_SEND, peer);
    step->with_previous = position > 0;
    walk->due = position + 1 < 2 * half ? COLL_DUE_EXCHANGE : COLL_DUE_ROUND;
    return true;
}

static uint64_t max_steps(const pattern_part *part)
{
    return UINT64_C(4) * part->grid.dimensions;
}

static pattern_ways ways(const pattern_part *part)
{
    (void)part;
    return PATTERN_WAYS_TORUS;
}

#define STENCIL(n)                                                                                 \
    const pattern_item_class sched_pattern_item_stencil##n##d = {                                  \
        .form = "stencil" #n "d[:BYTES]",                                                          \
        .parse = sched_pattern_parse_bytes,                                                        \
        .dimensions = (n),                                                                         \
        .shape = shape,                                                                            \
        .next = next,                                                                              \
        .max_steps = max_steps,                                                                    \
        .ways = ways,                                                                              \
    };
STENCIL(1)
STENCIL(2)
STENCIL(3)
