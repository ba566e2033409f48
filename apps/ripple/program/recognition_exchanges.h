/* apps/ripple/program/recognition_exchanges.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What was found of each exchange of a trace: a table, or JSON.
 */
#pragma once

#include "sched/regrid.h"

#include <json-glib/json-glib.h>
#include <stdio.h>

/** The largest few. @param messages of the whole record */
void app_exchanges_print(const sched_regrid_exchanges *exchanges, uint64_t messages, FILE *out);
/** All. */
void app_exchanges_build(const sched_regrid_exchanges *exchanges, uint64_t messages,
                         JsonBuilder *builder);
/** "99.58 %", rounded down: less than all is never 100 %. Owned by the caller. */
char *app_exchanges_share(uint64_t part, uint64_t whole);
