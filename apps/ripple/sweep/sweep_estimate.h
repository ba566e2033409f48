/* apps/ripple/sweep/sweep_estimate.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How long the points that are left will take (the largest of them, made smaller, is run and
 * timed), and how much will be written.
 */
#pragma once

#include "experiment/estimate.h"
#include "sweep/sweep_plan.h"

/** Operations of all runs from which on a sweep is worth an estimate: a second or so. */
extern const double app_sweep_worth_estimating;

/** @param left [num_points] is the point still to be done? */
bool app_sweep_estimate_measure(const app_sweep_plan *plan, app_sweep_maker *maker,
                                const bool *left, unsigned threads, app_estimate *estimate,
                                GError **error);

/** About how much the database grows by the results of so many runs of so many points, bytes. */
double app_sweep_estimate_disk(size_t num_points, double runs);
/** Is there that much on the disk of @p path? An error says how much there is. */
bool app_sweep_estimate_check_disk(const char *path, double bytes, GError **error);
