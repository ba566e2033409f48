/* sim/run.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Run a program on a machine under noise: the whole interface of the engine. docs/model.md.
 */
#pragma once

#include "sim/levels.h"
#include "sim/machine.h"
#include "sim/noise.h"
#include "sim/program.h"
#include "sim/result.h"
#include "sim/sink.h"
#include "sim/slices.h"
#include "sim/watch.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct sim_run_record sim_run_record; /* sim/run_record.h */

typedef struct sim_run_options {
    const sim_noise *noise; /* NULL: none */
    /**
     * Which node each rank is on, what a message within a node takes, and how far nodes are from
     * each other; borrowed. NULL: every pair of ranks takes the parameters of the network. With
     * has_node, a rank has at most 128 network interfaces, else SIM_ERROR_BAD_PROGRAM.
     */
    const sim_levels *levels;
    sim_sink *sink;   /* NULL: none */
    sim_watch *watch; /* NULL: nobody */
    /** To be filled, where the program has slices; n as the program says. NULL: nobody asks. */
    const sim_slices *slices;
    sim_run_record *record; /* empty; the run fills it. NULL: none */
    /**
     * Upper bound on the threads that work on this run; 0 is 1. The result does not depend on it.
     * There is only one with a sink that has no parts, or where more would not be faster.
     */
    unsigned threads;
    /** One thread does a window with fewer turns than this; 0: a value that is usually fastest. */
    unsigned serial_below;
    /** Compute breakdown and critical path. Without a record: some 10 bytes more per operation. */
    bool explain;
    /**
     * May some ranks, or passes, stand for all, where that is exact (docs/model.md, sections 6.5
     * and 6.6)? Then the result has no path, and says how many: sim_result.representatives,
     * simulated_passes.
     */
    bool symmetry;
} sim_run_options;

/** What a run will take. */
typedef struct sim_run_needs {
    uint64_t bytes;   /* roughly; without what the program, the noise and explain take */
    unsigned threads; /* that will work on it, at most */
} sim_run_needs;

/** @param like a program like the one to be run: only its plain members are read */
sim_run_needs sim_run_estimate(uint32_t num_ranks, const sim_program *like,
                               const sim_params *params, const sim_run_options *options);

/**
 * Simulate. O(n log n) in operations and messages; allocates at load and when queues grow.
 * @param options NULL: the defaults (all zero)
 * @return owned by the caller; NULL with SIM_ERROR_UNMATCHED (the first ten left-overs, and the
 *   dependency cycle if there is one), SIM_ERROR_TRUNCATED, SIM_ERROR_OVERFLOW,
 * SIM_ERROR_STOPPED or SIM_ERROR_BAD_PROGRAM; or G_FILE_ERROR: the record could not be written, or
 * not be read again
 */
sim_result *sim_run(const sim_program *program, const sim_params *params,
                    const sim_run_options *options, GError **error);

G_END_DECLS
