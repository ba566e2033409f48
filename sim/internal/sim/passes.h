/* sim/passes.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Programs that repeat themselves, so that a pass can stand for others: docs/model.md, section 6.6.
 * The program says that its passes are the same; whether that helps a run is up to sim_run().
 */
#pragma once

#include "sim/program.h"

/** How a program says so; sim_program_class.passes. It has num_slices / 2 passes. */
typedef struct sim_passes_class {
    /**
     * @p n passes of it, as a program with the same ranks and 2 n slices. Owned by the caller, for
     * as long as @p program is there. O(num_ranks) and what depends on the number of ranks.
     * @param n 1..num_slices / 2
     * @return NULL: passes differ, or a rank may begin one before all that it did in the one before
     * has finished
     */
    sim_program *(*some)(const sim_program *program, uint32_t n);
    /**
     * @p rank has ended an earlier pass at @p at, and goes on from there. Called right after
     * begin(), before first(), of a program that some() has made.
     */
    void (*start_at)(void *cursor, uint32_t rank, sim_time at);
} sim_passes_class;
