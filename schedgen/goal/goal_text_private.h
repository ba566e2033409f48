/* schedgen/goal/goal_text_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A GOAL text while it is read, between the tokens (goal_scan.h) and the statements
 * (sched_goal_text_read.c): what may lie between two words, numbers in a range, and what is said
 * where neither fits: file, line, what is wrong and the text there.
 */
#pragma once

#include "goal/goal_private.h"
#include "goal/goal_scan.h"

typedef struct goal_text {
    goal_scan scan;
    const char *name;
    const char *data; /* the first byte */
    bool strict;      /* only what the reference converter takes */
    GError **error;
} goal_text;

/** Counted from 1. O(bytes up to there). */
uint64_t sched_goal_text_line(const goal_text *t, const char *at);

/** Always false. The first error stays. */
bool sched_goal_text_fail_at(const goal_text *t, const char *at, const char *what);
bool sched_goal_text_fail(const goal_text *t, const char *what);

/** Go to the next statement: past blanks, line ends and comments. */
bool sched_goal_text_skip_filler(goal_text *t);
/** Blanks within a statement; a comment without end is reported and ends the scan. */
void sched_goal_text_skip_blanks(goal_text *t);
/** Nothing but blanks and a comment may follow in the line. */
bool sched_goal_text_end_statement(goal_text *t);
/** @param what of the messages: where there is no number, or one above @p max */
bool sched_goal_text_number(goal_text *t, uint64_t max, const char *what, uint64_t *out);
