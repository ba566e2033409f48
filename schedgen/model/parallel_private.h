/* schedgen/model/parallel_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file The same for each of many things, by several threads. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/**
 * Do @p task (data, i) for i = 0 .. @p n - 1, on as many threads as there are processors, but at
 * most 8: each holds a rank. They are begun in that order; once one has failed, no more are begun,
 * so all before the first that fails have been done.
 * @return did all succeed?
 */
bool sched_parallel_do(uint32_t n, bool (*task)(void *data, uint32_t i), void *data);
