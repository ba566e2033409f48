/* sim/symmetry/symmetry_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file From the result of the ranks that stand for all that of all. */
#pragma once

#include "sim/symmetry.h"

/** Make of @p result, of the quotient, that of @p program. O(num_ranks). */
void sim_quotient_unfold(const sim_program *program, sim_result *result);
