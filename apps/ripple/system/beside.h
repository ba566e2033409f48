/* apps/ripple/system/beside.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Which runs go beside each other, and on how many threads each, so that all are over soonest: a
 * thread each wastes none by waiting, but runs that are left over at the end leave threads idle.
 *
 *     three runs, two threads    thread 1   0000000000222222222     or   000000 1111111111
 *                                thread 2   1111111111                   000000 2222222222
 */
#pragma once

#include <stddef.h>

/** The first @c before runs are done at once, then the others, @c at_once of them at a time. */
typedef struct app_beside {
    size_t before;
    unsigned at_once;
} app_beside;

/**
 * For runs on which several threads can work. They share threads evenly; each doubling of the
 * threads of a run is taken to make it 1.7 times as fast, which is measured for two alone
 * (bench/README.md, "Runs beside each other"). Cost: n * most * log(threads).
 * @param work [n] of the runs, in any unit of time
 * @param most how many may go at once: at most @p threads
 */
app_beside app_beside_plan(const double *work, size_t n, unsigned most, unsigned threads);
