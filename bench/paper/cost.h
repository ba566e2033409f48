/* bench/paper/cost.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What each experiment takes, by the clock and of CPU time: on a machine that others use as well,
 * only the latter says how long it would take alone.
 */
#pragma once

#include <stddef.h>
#include <stdio.h>

/** Spent so far, s; differences count. */
typedef struct sc10_cost {
    double wall;
    double cpu; /* user and system, of all threads and of processes that have been waited for */
} sc10_cost;

sc10_cost sc10_cost_now(void);
static inline sc10_cost sc10_cost_since(sc10_cost begin)
{
    const sc10_cost now = sc10_cost_now();
    return (sc10_cost){now.wall - begin.wall, now.cpu - begin.cpu};
}

/** A line for each, and one for their sum. */
void sc10_cost_print(const char *const *names, const sc10_cost *costs, size_t n, FILE *out);
