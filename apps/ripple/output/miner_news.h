/* apps/ripple/output/miner_news.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file What a table of a program that runs says that the one before did not. */
#pragma once

#include "noise/miner.h"

#include <stdio.h>

/**
 * A line for each row of @p now that @p before has no like of (a length within 15 %, on a rank of
 * its ranks), and one for each that came no more since; "nothing new" where there is neither.
 */
void app_miner_news_print(const noise_miner_report *before, const noise_miner_report *now,
                          FILE *out);
