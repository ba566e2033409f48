/* bench/sc10/replicas.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * One case at one size, in many replicas, through the libraries of Ripple.
 */
#pragma once

#include "lab.h"

/**
 * @param times [replicas] filled, us
 * @return the time without noise, us
 */
double sc10_run_replicas(const sc10_case *what, uint32_t ranks, uint32_t replicas, unsigned threads,
                         uint64_t seed, double *times);
