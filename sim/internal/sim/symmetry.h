/* sim/symmetry.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Programs in which some ranks do the same as others, each with partners of its own, so that a few
 * ranks can stand for all: docs/model.md, section 6.5. The program says which; whether that holds
 * for a run is up to sim_symmetry_holds().
 */
#pragma once

#include "sim/program.h"
#include "sim/run.h"

#include <stdbool.h>
#include <stdint.h>

/** What is known of the ranks of a program. */
typedef struct sim_symmetry {
    /**
     * Rank r does what rank r mod classes does: the same operations by index, of the same sizes,
     * with the same dependencies; and what it sends in operation i reaches the same operation of a
     * rank of the same class. Divides num_ranks. 0: nothing is known.
     */
    uint32_t classes;
    /** Every rank sends, receives, exchanges or computes, one after the other. */
    bool in_step;
    /**
     * What a receive from any source may take is sent by the block of ranks that it is in, the k-th
     * `classes` of them, and by no others. Then several that come at one instant go by the same
     * order in each block.
     */
    bool any_within_block;
} sim_symmetry;

/** How a program says so; sim_program_class.symmetry. */
typedef struct sim_symmetry_class {
    /** O(items of the program). */
    sim_symmetry (*find)(const sim_program *program);
    /**
     * The way from @p from to @p to, below num_ranks: the same for messages of @p op's tag and
     * communicator that stand for each other, another from each other source of one class. @p op is
     * the send or the receive; @p from is SIM_ANY if that receives from any source, whose way is
     * the same for all that it may take. O(items of the program) at worst.
     */
    uint32_t (*way)(const sim_program *program, const sim_op *op, uint32_t from, uint32_t to);
    /** As begin() of the program, for a run that asks for ranks below @p num_ranks only. */
    void *(*begin)(const sim_program *program, uint32_t num_ranks);
} sim_symmetry_class;

/**
 * How many ranks are simulated, if sim_run() is asked to use symmetry; 0: all. It may still come
 * back to all of them, where the program turns out to have messages for which it does not hold.
 */
uint32_t sim_symmetry_holds(const sim_program *program, const sim_params *params,
                            const sim_run_options *options);

/**
 * The first ranks of @p program, which it is borrowed from: what goes to another rank of a class
 * goes to the one that stands for it. For sim_run(), without symmetry; events and results are of
 * these ranks. Each object is for one run. Owned by the caller: sim_program_free().
 * @param holds sim_symmetry_holds(), not 0
 */
sim_program *sim_quotient_new(const sim_program *program, const sim_params *params, uint32_t holds);
/**
 * Has the run met messages for which symmetry does not hold? Then its result is worth nothing, and
 * so are its events.
 */
bool sim_quotient_has_failed(const sim_program *quotient);
