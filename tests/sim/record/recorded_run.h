/* tests/sim/record/recorded_run.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The record of a run, in a file.
 */
#pragma once

#include "sim/run_record.h"

/** @return owned by the caller; NULL: the run fails */
sim_run_record *recorded_run(const sim_program *program, const sim_params *params,
                             const sim_run_options *options, GError **error);
