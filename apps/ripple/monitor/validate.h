/* apps/ripple/monitor/validate.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Does the monitor see on this machine what it should? Known bursts are burnt beside it, and what
 * it says of them is compared. docs/monitor.md, section 4.
 */
#pragma once

#include "noise/monitor.h"
#include "sim/time.h"

#include <stdio.h>

typedef enum { APP_VALIDATE_BURSTS, APP_VALIDATE_FWQ } app_validation;

/**
 * Validate on the last CPU that this process may use. The table goes to @p out.
 * @param o how to look; its file is overwritten again and again
 * @param time  of FWQ; bursts take some 35 s in all
 * @param passed the verdict
 */
bool app_validate(app_validation which, const noise_monitor_options *o, sim_time time, FILE *out,
                  bool *passed, GError **error);
/**
 * Watch for @p time, and say what it takes, and would take in 10 h (monitor/long_watch.h).
 */
bool app_validate_long(const noise_monitor_options *o, sim_time time, FILE *out, bool *passed,
                       GError **error);
/**
 * FWQ and an allreduce in turn on the ranks of an MPI program, beside bursts on one CPU: is the
 * late rank the one on that CPU, and does the monitor say who was there?
 * @param command  NULL-terminated: mpirun … fwq_allreduce; two arguments are added to it
 */
bool app_validate_allreduce(const noise_monitor_options *o, char **command, FILE *out, bool *passed,
                            GError **error);
