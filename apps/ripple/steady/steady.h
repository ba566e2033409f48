/* apps/ripple/steady/steady.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The steady slowdown of a program at several sizes: how much slower it is in the long run, to a
 * stated width, within a budget of wall time. docs/model.md, section 9.
 *
 * What settles within the budget is the same on any machine and number of threads: stages are
 * decided by what was simulated. The budget decides only whether the next one is begun; where it is
 * not, the series says how far it came. It decides, too, whether a size is begun, all but the
 * smallest: those that it has no room for are in the results' list of what is left out.
 */
#pragma once

#include "experiment/experiment.h"
#include "options/steady_options.h"

/**
 * Why there is no steady slowdown to be had, to go on "has no effect": "on a collective", whose
 * quantity is the pass; or NULL. Static.
 */
const char *app_steady_never(const app_source *source, const app_noise *noise);

/**
 * Run it. With a threshold, the sizes are those that bisection asks for, of the doublings of the
 * smallest size up to the largest. Of each size the results have the ideal run, and the
 * unsynchronized series and the co-scheduled one, as the noise of @p experiment asks. Co-scheduled
 * noise is settled at one size, small enough for the budget (the program's own, where no size asked
 * for affords it: it comes first); at the others, there is one run as a check.
 * @param experiment a program that has slices, and noise; its noise->replicas are what each series
 *   begins with. Sinks and finish times are not kept.
 * @return as of app_experiment_run()
 */
app_results *app_steady_run(const app_experiment *experiment, const app_steady_wish *wish,
                            GError **error);
