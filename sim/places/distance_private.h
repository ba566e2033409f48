/* sim/places/distance_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "sim/distance.h"

/** Switches on the longest way - 1, or more. MATRIX: O(switches²). */
uint32_t sim_distance_most_hops(const sim_distance *d);
