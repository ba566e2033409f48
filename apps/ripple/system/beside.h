/* apps/ripple/system/beside.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Which runs go beside each other, one thread each, and which share threads: those that would be
 * left over at the end.
 *
 *     two threads, three runs     0 0 0 0        0 1 2
 *                                 1 1 1 1 2 2 2 2    0 1 2     better: run 0 on both, then 1 and 2
 */
#pragma once

#include <stddef.h>

/**
 * How many runs, from the first on, are better done before the others, all at once, each on several
 * threads; the others follow @p at_once at a time. That is 0 if no number of them makes it shorter.
 * Cost: at_once * n * at_once.
 * @param work [n] of the runs, in any unit of time
 */
size_t app_beside_before(const double *work, size_t n, unsigned at_once, unsigned threads);
