/* apps/ripple/findings/result_text.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How parts of a result read, the same in every table and sentence.
 */
#pragma once

#include "experiment/experiment.h"

/** The column "cosched": "no", "yes", or the clock error. Owned by the caller. */
char *app_format_cosched(const app_series *series, const app_noise *noise);
/** "12.3 %", "-0.5 %". Owned by the caller. */
char *app_format_percent(double fraction);
