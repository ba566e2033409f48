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

/** @param total steps to come; 0: not known  @param quiet print nothing */
app_progress *app_progress_new(const char *verb, const char *what, uint64_t total, bool quiet);
/**
 * For steps that differ: each step from now on is @p weight of @p total_work, and the time that is
 * left is estimated by work.
 */
void app_progress_weigh(app_progress *progress, double weight, double total_work);
/**
 * How far a step under way, or several at once, have come. Any thread.
 * @param own where the caller keeps how far they had come before; 0 at first
 * @param share 0..1 of a step, or 0..n of n
 */
void app_progress_reach(app_progress *progress, double *own, double share);
/** @p n more steps are done, which had come as far as @p own (NULL: not begun). Any thread. */
void app_progress_advance(app_progress *progress, uint64_t n, double *own);
/** How much of the whole is done, by work: 0..1. Any thread. */
double app_progress_share(app_progress *progress);
/** Take the bar away. NULL is a no-op. */
void app_progress_free(app_progress *progress);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_progress, app_progress_free)
