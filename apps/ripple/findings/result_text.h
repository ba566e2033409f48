/* apps/ripple/findings/result_text.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How a series is told from the others, the same in every table.
 */
#pragma once

#include "experiment/experiment.h"

/** The column "cosched": "no", "yes", or the clock error. Owned by the caller. */
char *app_format_cosched(const app_series *series, const app_noise *noise);
