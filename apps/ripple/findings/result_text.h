/* apps/ripple/findings/result_text.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How a series is told from the others, and its numbers, the same in every table and sentence. All
 * texts are owned by the caller.
 */
#pragma once

#include "experiment/experiment.h"

/** The column "cosched": "no", "yes", or the clock error. */
char *app_format_cosched(const app_series *series, const app_noise *noise);
/** "64, 256 and 1Ki ranks"; of many, the first and the last. @param n > 0 */
char *app_format_sizes(const uint32_t *ranks, size_t n);
/** How many detours are met, three digits: "0.0123", "47.3", "1,230", "12.3M". */
char *app_format_met(double detours);
/** "12.3 % .. 14 %" */
char *app_format_interval(double low, double high);
/** "once", "twice", "3 times". */
char *app_format_times(uint64_t times);
/** "one pass", "3 passes". */
char *app_format_passes(uint32_t passes);
