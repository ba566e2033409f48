/* bench/sc10/apps/call_pattern.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * When a rank comes to its collectives.
 */
#pragma once

#include "app_lab.h"

typedef struct sc10_calls {
    double makespan; /* s */
    size_t n;        /* collectives of rank 0 */
    double *at;      /* [n] s */
    bool *allreduce; /* [n] */
} sc10_calls;

/** Of rank 0, on the record's ranks on CHiC, without noise. */
sc10_calls sc10_calls_of(sc10_app_lab *lab, sc10_proxy_id proxy);
void sc10_calls_clear(sc10_calls *calls);
/**
 * Standard deviation of the times from one of them to the next, over their mean.
 * @param allreduces of those between the first so many allreduces; 0: between all collectives
 */
double sc10_calls_variation(const sc10_calls *calls, size_t allreduces);
