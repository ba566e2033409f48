/* apps/ripple/output/number_text.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Numbers as people read them, the same in every table, sentence and page: three digits, thousands
 * set apart, factors instead of percentages beyond 1,000 %. CSV, JSON and databases have them raw.
 * All texts are owned by the caller.
 */
#pragma once

#include <stdint.h>

/** "12.3 %", "-0.5 %", "2,180 %", "<0.0001 %"; 0.123 is 12.3 %. */
char *app_format_percent(double fraction);
/**
 * A slowdown, (noisy - ideal) / ideal, in a table: as a percentage, from 1,000 % on as the factor
 * noisy / ideal, "x 23.2".
 */
char *app_format_slowdown(double slowdown);
/**
 * The same in a sentence, where it follows "takes": "12.3 % longer", "23.2 times as long", "0.5 %
 * less", "just as long".
 */
char *app_format_longer(double slowdown);

/** "1,234,567". */
char *app_format_number(uint64_t n);
/** "1Mi ranks", "1000 ranks", "1 rank": sizes as tables and axes have them and --ranks takes them.
 */
char *app_format_ranks(uint64_t ranks);
