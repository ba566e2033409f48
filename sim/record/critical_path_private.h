/* sim/record/critical_path_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Why did a run take as long as it did? From the makespan back to 0, each instant follows from an
 * earlier one, and what lies between the two is of one kind: so the kinds sum up to the makespan.
 * docs/model.md, section 7.
 */
#pragma once

#include "record/run_record_private.h"
#include "sim/run.h"

/**
 * Breakdown and path of a run from its record: one look at each step, latest first, and memory for
 * the path and a chunk of each log.
 * @param result gets breakdown and path; its other members have been set
 * @return false with SIM_ERROR_BAD_FILE: the record is damaged
 */
bool sim_path_explain(const sim_run_record *record, sim_result *result, GError **error);
