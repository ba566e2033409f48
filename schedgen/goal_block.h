/* schedgen/goal_block.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Labels and dependencies of the rank block that a text reader is in. Labels are looked up as they
 * come; what refers to a label that is not there yet waits for the end of the block.
 *
 * Nearly all labels are "l<N>" for operation N, counted from one: these take no table.
 */
#pragma once

#include "goal_private.h"

/** A label as it stands in the text. */
typedef struct goal_label {
    const char *text;
    uint32_t len;
    uint32_t number; /* N of "l<N>" without leading zeros, else 0 */
} goal_label;

typedef struct goal_block goal_block;

goal_block *goal_block_new(void);
void goal_block_free(goal_block *block);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(goal_block, goal_block_free)

/** Forget everything: a new block begins. */
void goal_block_clear(goal_block *block);
/**
 * One more operation. A label that is taken stays with the operation that had it first.
 * @param label NULL: none
 * @param statement where it begins in the text; borrowed until the block is cleared
 */
void goal_block_add(goal_block *block, const goal_label *label, const char *statement);
/** One more dependency. */
void goal_block_depend(goal_block *block, const goal_label *later, const goal_label *earlier,
                       bool start);
/** Look up what is still open. @return the first label that is nowhere defined, or NULL */
const goal_label *goal_block_resolve(goal_block *block);

uint32_t goal_block_num_ops(const goal_block *block);
const char *goal_block_statement(const goal_block *block, uint32_t index);
/** In the order they were read. Borrowed. */
const sched_edge *goal_block_edges(const goal_block *block, size_t *n);
/** Does any dependency point to an operation that is not earlier in the text? Else no cycle. */
bool goal_block_may_have_cycle(const goal_block *block);
