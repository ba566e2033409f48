/* apps/ripple/output/progress.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How far a long piece of work has come, on standard error: a bar with the time that is left on a
 * terminal, else one line every 10 seconds. Work that is soon done prints nothing.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct app_progress app_progress;

/**
 * Of a whole command; it may be of several experiments, one after the other. What is to be done is
 * said by app_progress_expect(), what is done by app_progress_reach() and app_progress_advance(),
 * in a measure of work of the caller's choice (experiment/workload.h). Nothing expected: the line
 * tells the time alone.
 * @param what "runs"  @param quiet print nothing
 */
app_progress *app_progress_new(const char *verb, const char *what, bool quiet);
/**
 * There are @p steps, which are @p work together, besides what was expected so far; fewer, where
 * they are negative: what was planned turned out to be less. Better once, and of the whole command:
 * what is shown never falls, and waits where more is expected than before. Any thread.
 */
void app_progress_expect(app_progress *progress, int64_t steps, double work);
/**
 * All that is expected is thought to take so long. That counts for as much as if a tenth of the
 * work had taken a tenth of it: soon it is the time since the beginning that says what is left.
 */
void app_progress_presume(app_progress *progress, double seconds);
/**
 * How far a step under way, or several at once, have come. Any thread.
 * @param own  where the caller keeps how far they had come before; 0 at first
 * @param work done of it
 */
void app_progress_reach(app_progress *progress, double *own, double work);
/**
 * @p n more steps are done, which were @p work together, and had come as far as @p own (NULL: not
 * begun). Any thread.
 */
void app_progress_advance(app_progress *progress, uint64_t n, double work, double *own);
/** How long what is left will take, s; negative: nobody knows. Any thread. */
double app_progress_left(app_progress *progress);
/** How much of the whole is done, by work: 0..1. Never falls. Any thread. */
double app_progress_share(app_progress *progress);
/** Take the bar away. NULL is a no-op. */
void app_progress_free(app_progress *progress);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_progress, app_progress_free)
