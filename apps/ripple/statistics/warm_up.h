/* apps/ripple/statistics/warm_up.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How much of the beginning of a run is not yet the steady state: MSER-5. The cut minimises the
 * squared standard error of the mean of what is left, s^2 / k, with s^2 = (sum of squared
 * distances) / k: K. P. White, An effective truncation heuristic for bias reduction in simulation
 * output, Simulation 69(6), 323-334, 1997. In batches of five: K. P. White, M. J. Cobb and
 * S. C. Spratt, A comparison of five steady-state truncation heuristics for simulation, Winter
 * Simulation Conference 2000, 755-760.
 *
 * Only for increments of the ideal run, or of the average over replicas. In one noisy run the cut
 * falls behind the last detour of the beginning, whose mean is then too low.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/**
 * Cuts are whole batches, and leave five of them: the few last ones are often alike by chance
 * (K. Hoad, S. Robinson and R. Davies, Automating warm-up length estimation, Journal of the
 * Operational Research Society 61(9), 1389-1403, 2010). So of fewer than 30 increments nothing is
 * cut. Of cuts that are equally good, the shortest.
 * @param increments [n] how long each slice of a run took, in any unit; those behind the last
 *   whole batch are not looked at
 * @param refused set if the best cut takes more than half: there is no steady state yet
 * @return how many increments to leave out at the beginning, 0..n/2; 0 if refused. O(n).
 */
size_t app_warm_up_of(const double *increments, size_t n, bool *refused);
