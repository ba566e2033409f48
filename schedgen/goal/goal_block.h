/* schedgen/goal/goal_block.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Labels and dependencies of the rank block that a text reader is in. Labels are looked up as they
 * come; references to labels that are not defined yet wait for the end of the block.
 *
 * Nearly all labels of a block are "l<N>", or another stem and N, with N counting up from operation
 * to operation: these are in an array by number. The others are found by hash.
 *
 * Most blocks have the labels of the one before, and its dependencies. So what is known of labels
 * stays while each operation has the label that this operation had before; and which
 * operations a dependency joins is guessed from the one before, and then compared with the text.
 */
#pragma once

#include "goal/goal_private.h"

/** A label as it is in the text. */
typedef struct goal_label {
    const char *text;
    uint32_t len;
    uint32_t number; /* N behind the block's stem, without leading zeros; else 0, and until then */
} goal_label;

#define GOAL_OPEN UINT32_MAX /* no operation has that label so far */

typedef struct goal_slot goal_slot;
typedef struct goal_open_end goal_open_end;

/* Arrays grow and are used again by the next block. */
typedef struct goal_block {
    uint32_t num_ops, max_ops;
    uint32_t num_known; /* operations whose labels are in by_number or slot: num_ops, or more that
                           are expected to come as they did in a block before */
    goal_label *op;     /* [num_known] their labels, at which their statements begin; none: len 0 */
    sim_op *body;       /* [num_ops] what they do */
    bool renamed;       /* an operation has another label than the one at its place had before */
    uint32_t ops_named; /* of the block before */
    sim_name *names;    /* of the last block that had others than the one before */
    size_t max_names;
    bool twice;            /* two of these labels are the same */
    goal_label stem;       /* of labels with a number: "l", or the one that the block begins with */
    uint32_t first_number; /* of the first such label; 0: there is none yet */
    uint32_t num_numbers, max_numbers;
    uint32_t *by_number; /* [num_numbers] operation of number first_number + i, or GOAL_OPEN */
    size_t num_edges, max_edges;
    size_t num_guesses; /* from num_edges up to here: edges of blocks before */
    sched_edge *edge;
    size_t num_open, max_open;
    goal_open_end *open;
    uint32_t num_named, num_slots; /* slots: a power of two, or 0 */
    goal_slot *slot;
    bool backward; /* a dependency on what is not earlier in the text */
} goal_block;

goal_block *sched_goal_block_new(void);
void sched_goal_block_free(goal_block *block);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(goal_block, sched_goal_block_free)

/** A new block begins. */
void sched_goal_block_clear(goal_block *block);
/**
 * One more operation, which goal_block_body() has. A label that is taken stays with the operation
 * that had it first.
 * @param label NULL: none
 * @param statement where it begins in the text, which is borrowed, with that of labels, as long as
 * there is a block: the next one is compared with it
 */
void sched_goal_block_add(goal_block *block, const goal_label *label, const char *statement);
/** Give its operations, with their names, and its dependencies to the rank that was begun. */
void sched_goal_block_give(goal_block *block, sim_graph_builder *builder);
/** N, where the label is the stem of the block and N, without leading zeros; else 0. */
uint32_t sched_goal_block_number(const goal_block *block, const goal_label *label);
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

/** Is op[num_ops] the label that the next operation is expected to have? */
static inline bool goal_block_expects(const goal_block *block)
{
    return block->num_ops < block->num_known;
}

/** Where the next operation goes; nothing of it is set. */
static inline sim_op *goal_block_body(goal_block *block)
{
    if (block->num_ops == block->max_ops) {
        sched_goal_block_grow_ops(block);
    }
    return &block->body[block->num_ops];
}

/** Add the operation that has the label expected. */
static inline void goal_block_add_expected(goal_block *block, const char *statement)
{
    block->op[block->num_ops++].text = statement;
}

/** Is @p number that of the next label in the count, and none expected? Then no other operation has
 * it. */
static inline bool goal_block_is_next(const goal_block *block, uint32_t number)
{
    return block->num_named == 0 && block->num_ops == block->num_known &&
           (block->first_number == 0 || number - block->first_number == block->num_numbers);
}

/** Add an operation for which goal_block_is_next() holds. */
static inline void goal_block_add_next(goal_block *block, const goal_label *label)
{
    if (block->num_numbers == block->max_numbers) {
        sched_goal_block_grow_numbers(block, block->num_numbers + 1);
    }
    block->first_number = block->first_number == 0 ? label->number : block->first_number;
    block->by_number[block->num_numbers++] = block->num_ops;
    block->op[block->num_ops++] = *label;
    block->num_known = block->num_ops;
    block->renamed = true;
}

/** The operation of that number, or GOAL_OPEN: then it may still be found by hash. */
static inline uint32_t goal_block_numbered(const goal_block *block, uint32_t number)
{
    const uint32_t at = number - block->first_number; /* large if it is less, or there is none */
    if (number == 0 || at >= block->num_numbers) {
        return GOAL_OPEN;
    }
    const uint32_t index = block->by_number[at];
    return index < block->num_ops ? index : GOAL_OPEN; /* it may be one that is expected */
}

/**
 * The dependency that a block before had where the next one stands. Only a guess: operations that
 * there are have to be compared by label. NULL: there is none.
 */
static inline const sched_edge *goal_block_guess(const goal_block *block)
{
    return block->num_edges < block->num_guesses && !block->twice ? &block->edge[block->num_edges]
                                                                  : NULL;
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
