/* schedgen/goal/goal_text_fast.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * GOAL text as programs write it, read eight bytes at a time. What looks the least bit different is
 * left to the reader that knows all of the format.
 */
#pragma once

#include "goal/goal_block.h"

typedef struct goal_fast {
    goal_block *block;
    uint32_t num_ranks;
} goal_fast;

/**
 * Read operations and dependencies of the block that is open, whole lines in the canonical form
 * (docs/goal.md, section 4), nothing out of range, no label that is defined further down.
 * @param at the beginning of a statement
 * @return the beginning of the first statement that was not read
 */
const char *sched_goal_fast_read(goal_fast *fast, const char *at, const char *end);
