/* schedgen/model/parallel_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file The same for each of many things, by several threads. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/** More threads than that are never used, as each holds a rank. */
#define SCHED_PARALLEL_MOST 8

/** @p thread: from 0, below SCHED_PARALLEL_MOST; the caller's own is 0. @return success */
typedef bool sched_parallel_task(void *data, uint32_t i, uint32_t thread);

/**
 * Do @p task for i = 0 .. @p n - 1, on as many threads as there are processors. They are begun in
 * that order; once one has failed, no more are begun, so all before the first that fails have been
 * done.
 * @return did all succeed?
 */
bool sched_parallel_do(uint32_t n, sched_parallel_task *task, void *data);
/** How many threads do @p n tasks. */
uint32_t sched_parallel_threads(uint32_t n);
/** From now on use so many threads, whatever the machine has; 0: as many as it has. For tests. */
void sched_parallel_use(uint32_t threads);
