/* bench/sc07/figure_calls.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file Figures of calls and of what is computed before them: 3 and 7 of the paper. */
#pragma once

#include "lab.h"
#include "report/page.h"

/** Figure 3: how like itself CG's string of calls is, lag by lag. */
bool sc07_draw_periods(const char *folder, app_page *page, GError **error);

/** Figure 7: what POP computes on processors 1 to 4, before each call and in each occurrence of
 * two sequences. */
bool sc07_draw_profile(const sc07_lab *lab, const char *folder, app_page *page, GError **error);

/**
 * Autocorrelation of @p x [n], less its mean, at lags 0..num_lags-1, each over the pairs there are:
 * at lag 0 it is 1. O(n num_lags).
 * @param out [num_lags], num_lags < n
 */
void sc07_autocorrelation(const double *x, size_t n, double *out, size_t num_lags);
