/* apps/ripple/enlarged/enlarged_words.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a comparison of enlarged records comes to, in words. All texts are owned by the caller.
 */
#pragma once

#include "enlarged/enlarged.h"

/** "Regridded from 16 ranks (4 x 4, open) to 64 (8 x 8, open): ...": the one sentence. */
char *app_enlarged_verdict(const app_enlarged *enlarged);
/** What the other columns stand on: NULL-terminated. */
char **app_enlarged_notes(const app_enlarged *enlarged);
/** "exact", "-1.2 %", "not recorded". */
char *app_enlarged_format_off(double off);
/** The value of a side as a table has it; "-" where there is none. */
char *app_enlarged_format_value(const app_enlarged *enlarged, const app_enlarged_row *row,
                                app_enlarged_side side);
