/* sim/symmetry/symmetry_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file The program of the ranks that stand for all, and from their result that of all. */
#pragma once

#include "sim/symmetry.h"

/**
 * The first ranks of @p program, which it is borrowed from: what goes to another rank of a class
 * goes to the one that stands for it. Each object is for one run.
 * @param holds sim_symmetry_holds(), not 0
 */
sim_program *sim_quotient_new(const sim_program *program, const sim_params *params, uint32_t holds);
/** Has the run met messages for which symmetry does not hold? Then its result is worth nothing. */
bool sim_quotient_has_failed(const sim_program *quotient);
/** Make of @p result, of the quotient, that of @p program. O(num_ranks). */
void sim_quotient_unfold(const sim_program *program, sim_result *result);
