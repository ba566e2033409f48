/* apps/ripple/sweep/sweep_findings.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a sweep comes to, in sentences: where noise costs most, as far as that can be said.
 */
#pragma once

#include "database/sweep_table.h"

/**
 * What is missing, then one sentence for each way the noise is laid over the ranks. It stands on
 * the points that allow a conclusion: five replicas and detours enough, or a range above 0; never
 * on one replica, or on a measurement that is not valid. NULL-terminated, owned by the caller.
 */
char **app_sweep_findings_new(const app_sweep_table *table);
