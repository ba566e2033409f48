/* apps/ripple/enlarged/enlarged_program.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * One program that is compared: what it consists of, by MPI call, and what a run of it takes.
 */
#pragma once

#include "program/source.h"
#include "sim/machine.h"
#include "sim/result.h"

/** All calls of one name that send or receive something, or wait for others. */
typedef struct app_enlarged_call {
    char *name;
    uint64_t calls;
    uint64_t messages; /* of a collective: those that it is made of */
    uint64_t bytes;
} app_enlarged_call;

typedef struct app_enlarged_program {
    uint32_t ranks;
    GPtrArray *calls; /* of app_enlarged_call, by name */
    uint64_t messages;
    uint64_t bytes;
    sim_time compute; /* of all ranks */
    sim_time makespan;
    sim_breakdown path;
} app_enlarged_program;

/**
 * Go through @p source, a trace, at @p ranks, and run it without noise. O(operations) time; the
 * memory of a run, and 4 bytes for each recorded call.
 */
bool app_enlarged_program_measure(app_enlarged_program *program, app_source *source, uint32_t ranks,
                                  const sim_params *params, unsigned threads, GError **error);
void app_enlarged_program_clear(app_enlarged_program *program); /* one that is zero, too */
