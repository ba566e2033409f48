/* sim/placement.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Which node each rank is on. docs/model.md, section 10.1.
 *
 *     5 ranks, 2 per node      node 0   node 1   node 2
 *     block                    0 1      2 3      4
 *     cyclic                   0 3      1 4      2
 *     list 7 7 0 2 0           2 4               3        ... node 7: 0 1
 */
#pragma once

#include "sim/time.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum { SIM_PLACEMENT_BLOCK, SIM_PLACEMENT_CYCLIC, SIM_PLACEMENT_LIST } sim_placement_kind;

/** Nodes of a list are below this. */
#define SIM_PLACEMENT_MAX_NODES (1u << 24)

/** Plain numbers, copied freely; made by one of the functions below. */
typedef struct sim_placement {
    sim_placement_kind kind;
    uint32_t num_ranks;      /* > 0 */
    uint32_t ranks_per_node; /* > 0; of a list: the most that any node has */
    uint32_t num_nodes;      /* 1 + the highest node; those of a list may be empty */
    uint32_t num_used;       /* nodes with a rank */
    const uint32_t *node;    /* LIST: [num_ranks], borrowed; else NULL */
    const uint32_t *slot;    /* LIST: [num_ranks], how many ranks of the node come before; borrowed;
                                else NULL */
    uint64_t reciprocal;     /* of what ranks are divided by: sim_reciprocal(); 0 is right, slow */
} sim_placement;

/** ceil(2^64 / @p divisor), for sim_divide(); 0 for 0 and 1, which have none in 64 bits. */
static inline uint64_t sim_reciprocal(uint32_t divisor)
{
    return divisor > 1 ? UINT64_MAX / divisor + 1 : 0;
}

/**
 * @p n / @p divisor without a division, exact for all of 32 bits (Lemire, Kaser and Kurz, Faster
 * remainder by direct computation, 2019, section 3.2): the reciprocal is too large by less than
 * 1 / 2^32 of the quotient's last digit.
 */
static inline uint32_t sim_divide(uint32_t n, uint32_t divisor, uint64_t reciprocal)
{
    return reciprocal != 0 ? (uint32_t)(((sim_int128)reciprocal * n) >> 64) : n / divisor;
}

/** The node of @p rank < num_ranks. O(1), a multiplication or a look-up. */
static inline uint32_t sim_placement_node(const sim_placement *p, uint32_t rank)
{
    if (p->kind == SIM_PLACEMENT_BLOCK) {
        return sim_divide(rank, p->ranks_per_node, p->reciprocal);
    }
    if (p->kind == SIM_PLACEMENT_CYCLIC) {
        return rank - sim_divide(rank, p->num_nodes, p->reciprocal) * p->num_nodes;
    }
    return p->node[rank];
}

/** The index of @p rank among the ranks of its node, in their order. O(1). */
static inline uint32_t sim_placement_slot(const sim_placement *p, uint32_t rank)
{
    if (p->kind == SIM_PLACEMENT_BLOCK) {
        return rank - sim_divide(rank, p->ranks_per_node, p->reciprocal) * p->ranks_per_node;
    }
    if (p->kind == SIM_PLACEMENT_CYCLIC) {
        return sim_divide(rank, p->num_nodes, p->reciprocal);
    }
    return p->slot[rank];
}

/** Rank r on node r / @p ranks_per_node; the last node may have fewer. Both > 0. */
sim_placement sim_placement_block(uint32_t num_ranks, uint32_t ranks_per_node);
/**
 * Rank r on node r modulo n, where n = ceil(num_ranks / ranks_per_node) as for a block: the nodes
 * are dealt round like cards. Both > 0.
 */
sim_placement sim_placement_cyclic(uint32_t num_ranks, uint32_t ranks_per_node);
/**
 * Rank r on node @p node[r].
 * @param num_ranks > 0
 * @param node [num_ranks], each < SIM_PLACEMENT_MAX_NODES; borrowed
 * @param slot [num_ranks], filled here; borrowed
 */
sim_placement sim_placement_list(uint32_t num_ranks, const uint32_t *node, uint32_t *slot);

G_END_DECLS
