/* sim/base/rank_share_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Which ranks belong to which part of a run: blocks of 2^shift ranks, dealt out in turn. Neighbours
 * are mostly in one part, partners at large powers of two, too; and where a delay spreads over the
 * ranks it keeps all parts equally busy, which halves of them would not be.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct rank_share {
    uint32_t part; /* of num_parts */
    uint32_t num_parts;
    uint32_t shift;
    uint32_t num_ranks; /* of all parts */
} rank_share;

static inline uint32_t rank_share_part_of(const rank_share *s, uint32_t rank)
{
    return s->num_parts == 1 ? 0 : (rank >> s->shift) % s->num_parts;
}

/** The ranks of the part have places 0, 1, …; in the last block some may stand for no rank. */
static inline uint32_t rank_share_place(const rank_share *s, uint32_t rank)
{
    const uint32_t in_block = rank & ((UINT32_C(1) << s->shift) - 1);
    return (rank >> s->shift) / s->num_parts << s->shift | in_block;
}

/** @return num_ranks or more where the place stands for no rank */
static inline uint64_t rank_share_rank(const rank_share *s, uint32_t place)
{
    const uint32_t in_block = place & ((UINT32_C(1) << s->shift) - 1);
    const uint64_t block = (uint64_t)(place >> s->shift) * s->num_parts + s->part;
    return block << s->shift | in_block;
}

/** Places that there are. */
static inline uint32_t rank_share_places(const rank_share *s)
{
    const uint64_t blocks = ((uint64_t)s->num_ranks + (UINT64_C(1) << s->shift) - 1) >> s->shift;
    return (uint32_t)((blocks + s->num_parts - 1 - s->part) / s->num_parts << s->shift);
}
