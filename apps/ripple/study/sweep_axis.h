/* apps/ripple/study/sweep_axis.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The values of a swept parameter as people write them: a list whose items are separated by ','
 * (or by ';', if there is one: for values with commas of their own). An item is a value or, for
 * numbers, a range, both ends included:
 *   LO..HI/N       N values, equally far apart
 *   LO..HI/log:N   N values, each the same factor above the one before
 *   LO..HI/xF      LO, F times that, ... as long as HI is not passed
 *   LO..HI/+STEP   LO, STEP more, ... as long as HI is not passed
 * Units as everywhere: 10us, 64KiB, 2^20, 1.5ns/B.
 */
#pragma once

#include "study/sweep_parameter.h"

enum { APP_SWEEP_MOST_VALUES = 10000 };

/**
 * Values that are written out stay as they are written; those of ranges are rounded to the unit of
 * the kind (ps, bytes, ranks), and repetitions by that rounding are dropped.
 * @return NULL-terminated, owned by the caller; NULL with an error that names the item
 */
char **app_sweep_axis_parse(app_parameter_id id, const char *text, GError **error);
