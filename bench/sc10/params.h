/* bench/sc10/params.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The machines of Table III, their networks faster and slower.
 */
#pragma once

#include "sim/machine.h"

/**
 * @param machine preset; one that is not there is an error of ours: aborts
 * @param network L, g and G: 0 as they are, 10 times as slow, -10 as fast
 */
sim_params sc10_params(const char *machine, int network);
