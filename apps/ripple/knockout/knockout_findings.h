/* apps/ripple/knockout/knockout_findings.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a knock-out comes to, in sentences, and what they stand on.
 */
#pragma once

#include "knockout/knockout.h"

/** One for each mode, of its largest size, and those about pairs. [NULL-terminated], owned by the
 * caller. */
char **app_knockout_conclusions(const app_knockout *knockout);
/** What the numbers stand on. [NULL-terminated], owned by the caller. */
char **app_knockout_conditions(const app_knockout *knockout);

/** "12.3 % .. 14 %", also above 1,000 %: a gain is no factor. Owned by the caller. */
char *app_knockout_interval(const app_mean *mean);
/** "1", "2-3", "-". Owned by the caller. */
char *app_knockout_rank_text(const app_knockout_gain *gain);
/** "few met", "not told apart from 0", "no interval", "slower without it" or "". Static. */
const char *app_knockout_remark(const app_knockout_gain *gain);
/** "poisson:20s:2.5ms", "A and B" of a pair. Owned by the caller. */
char *app_knockout_name(const app_knockout *knockout, const app_knockout_gain *gain);
