/* schedgen/goal/goal_any.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Receives of any tag in schedules with several communicators. GOAL has no communicators: there
 * such a receive takes the messages of all of them. Where that could happen, it gets a tag.
 */
#pragma once

#include "sched/rank_source.h"

typedef bool goal_visit(void *user, uint32_t rank, uint32_t index, const sim_op *op);

/** Call @p visit for every send and receive, until one returns false. @return whether none did */
bool sched_goal_each_message(sched_rank_source *source, goal_visit *visit, void *user,
                             GError **error);

typedef struct goal_any goal_any;

/**
 * Find the tags for such receives; three passes over the program, one if there are none.
 * @return owned by the caller; NULL with SCHED_ERROR_UNSUPPORTED where a receive has to keep any
 *   tag and could then meet a message of another communicator; or an error of the source
 */
goal_any *sched_goal_any_new(sched_rank_source *source, GError **error);
void sched_goal_any_free(goal_any *any); /* NULL is a no-op */

/** The tag, in its communicator, that a message of @p rank has instead of its own. */
uint32_t sched_goal_any_tag(const goal_any *any, uint32_t rank, const sim_op *op);
