/* schedgen/goal/goal_block.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Labels and dependencies of the rank block that a text reader is in. Labels are looked up as they
 * come; references to labels that are not defined yet wait for the end of the block.
 *
 * Nearly all labels are "l<N>", with N counting up from operation to operation: these are in an
 * array by number. The others are found by hash.
 */
#pragma once

#include "goal/goal_private.h"

/** A label as it is in the text. */
typedef struct goal_label {
    const char *text;
    uint32_t len;
    uint32_t number; /* N of "l<N>" without leading zeros, else 0 */
} goal_label;

#define GOAL_OPEN UINT32_MAX /* no operation has that label so far */

typedef struct goal_named_op goal_named_op;
typedef struct goal_open_end goal_open_end;

/* Arrays grow and are used again by the next block. */
typedef struct goal_block {
    uint32_t num_ops, max_ops;
    const char **statement; /* [num_ops] */
    uint32_t first_number;  /* N of the first label l<N>; 0: there is none yet */
    uint32_t num_numbers, max_numbers;
    uint32_t *by_number; /* [num_numbers] operation of l<first_number + i>, or GOAL_OPEN */
    size_t num_edges, max_edges;
    sched_edge *edge;
    size_t num_open, max_open;
    goal_open_end *open;
    uint32_t num_named, num_slots; /* slots: a power of two, or 0 */
    goal_named_op *slot;
    bool backward; /* a dependency on what is not earlier in the text */
} goal_block;

goal_block *sched_goal_block_new(void);
void sched_goal_block_free(goal_block *block);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(goal_block, sched_goal_block_free)

/** Forget everything: a new block begins. */
void sched_goal_block_clear(goal_block *block);
/**
 * One more operation. A label that is taken stays with the operation that had it first.
 * @param label NULL: none
 * @param statement where it begins in the text; borrowed until the block is cleared
 */
void sched_goal_block_add(goal_block *block, const goal_label *label, const char *statement);
/** The operation of that name, or GOAL_OPEN. */
uint32_t sched_goal_block_find(const goal_block *block, const goal_label *label);
/** One more dependency. */
void sched_goal_block_depend(goal_block *block, const goal_label *later, const goal_label *earlier,
                             bool start);
/** Look up the references that wait. @return the first label that is not defined, or NULL */
const goal_label *sched_goal_block_resolve(goal_block *block);

/** Does any dependency point to an operation that is not earlier in the text? Else no cycle. */
static inline bool goal_block_may_have_cycle(const goal_block *block)
{
    return block->backward;
}

/* ---- what most statements are ---- */

void sched_goal_block_grow_ops(goal_block *block);
void sched_goal_block_grow_numbers(goal_block *block, uint32_t num);
void sched_goal_block_grow_edges(goal_block *block);

/** Is l<number> the next label in the count? Then no other operation has it. */
static inline bool goal_block_is_next(const goal_block *block, uint32_t number)
{
    return block->num_named == 0 &&
           (block->first_number == 0 || number - block->first_number == block->num_numbers);
}

/** Add an operation for which goal_block_is_next() holds. */
static inline void goal_block_add_next(goal_block *block, uint32_t number, const char *statement)
{
    if (block->num_ops == block->max_ops) {
        sched_goal_block_grow_ops(block);
    }
    if (block->num_numbers == block->max_numbers) {
        sched_goal_block_grow_numbers(block, block->num_numbers + 1);
    }
    block->first_number = block->first_number == 0 ? number : block->first_number;
    block->by_number[block->num_numbers++] = block->num_ops;
    block->statement[block->num_ops++] = statement;
}

/** The operation called l<number>, or GOAL_OPEN: then it may still be found by hash. */
static inline uint32_t goal_block_numbered(const goal_block *block, uint32_t number)
{
    const uint32_t at = number - block->first_number; /* large if it is less, or there is none */
    return number > 0 && at < block->num_numbers ? block->by_number[at] : GOAL_OPEN;
}

static inline void goal_block_connect(goal_block *block, uint32_t later, uint32_t earlier,
                                      bool start)
{
    if (block->num_edges == block->max_edges) {
        sched_goal_block_grow_edges(block);
    }
    block->backward |= later <= earlier; /* an open end as well: GOAL_OPEN is the largest */
    block->edge[block->num_edges++] = (sched_edge){later, earlier, start};
}
