/* bench/sc10/apps/app_slowdown.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What noise does to an application, in per cent of its time without.
 */
#pragma once

#include "app_lab.h"
#include "estimate.h"
#include "table.h"

/** Mean over the runs, %: from five on with its 95 % interval (Student's t), else their range. */
sc10_estimate sc10_app_slowdown(const sc10_app_times *times, uint64_t seed);
/** "mean of 5 runs", "mean and range of 2 runs", "1 run". Owned by the caller. */
char *sc10_app_runs_text(const sc10_app_times *times);
/**
 * A row: is the slowdown in @p low .. @p high, %? It is a check at the paper's size, else a note.
 * @param label "CHiC"; the row adds ranks and runs
 */
void sc10_app_check(sc10_table *table, const char *id, const char *label, const char *paper,
                    const sc10_app_times *times, uint64_t seed, bool is_whole, double low,
                    double high);
