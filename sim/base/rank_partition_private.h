/* sim/base/rank_partition_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Which ranks belong to which partition of a run: blocks of 2^shift ranks, dealt out in turn.
 * Neighbours are mostly in one partition, and so are partners at distances of large powers of two.
 * And where a delay spreads over the ranks, all partitions stay equally busy, unlike halves of the
 * ranks.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct rank_partition {
    uint32_t partition; /* of num_partitions */
    uint32_t num_partitions;
    uint32_t shift;
    uint32_t num_ranks; /* of all partitions */
} rank_partition;

static inline uint32_t rank_partition_of(const rank_partition *s, uint32_t rank)
{
    return s->num_partitions == 1 ? 0 : (rank >> s->shift) % s->num_partitions;
}

/** The ranks of the partition have places 0, 1, …; in the last block some may be without a rank. */
static inline uint32_t rank_partition_place(const rank_partition *s, uint32_t rank)
{
    const uint32_t in_block = rank & ((UINT32_C(1) << s->shift) - 1);
    return (rank >> s->shift) / s->num_partitions << s->shift | in_block;
}

/** @return num_ranks or more if the place is without a rank */
static inline uint64_t rank_partition_rank(const rank_partition *s, uint32_t place)
{
    const uint32_t in_block = place & ((UINT32_C(1) << s->shift) - 1);
    const uint64_t block = (uint64_t)(place >> s->shift) * s->num_partitions + s->partition;
    return block << s->shift | in_block;
}

/** How many places there are. */
static inline uint32_t rank_partition_places(const rank_partition *s)
{
    const uint64_t blocks = ((uint64_t)s->num_ranks + (UINT64_C(1) << s->shift) - 1) >> s->shift;
    return (uint32_t)((blocks + s->num_partitions - 1 - s->partition) / s->num_partitions
                      << s->shift);
}
