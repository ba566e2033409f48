/* bench/sc10/lab.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Runs collectives under noise many times, and keeps what came of it: several experiments look at
 * the same runs.
 */
#pragma once

#include "sim/time.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sc10_lab sc10_lab;

/** What is run; equal cases are run once. */
typedef struct sc10_case {
    const char *collective; /* "allreduce": dissemination; "bcast", "reduce": binomial */
    int64_t bytes;          /* 0 stands for 1 */
    const char *machine;    /* preset: Table III */
    int network;            /* L, g and G: 0 as they are, 10 times as slow, -10 as fast */
    const char *noise;      /* text form of noise/signature.h */
    bool cosched;
} sc10_case;

/** Times of all replicas at one size, in us. */
typedef struct sc10_times {
    uint32_t ranks;
    double ideal; /* without noise */
    size_t n;
    double *replica; /* [n] in the order of the replicas */
    double *sorted;  /* [n] */
} sc10_times;

/** @param max_ranks largest size of all experiments, a power of two */
sc10_lab *sc10_lab_new(uint32_t replicas, uint32_t max_ranks, unsigned threads, uint64_t seed);
void sc10_lab_free(sc10_lab *lab);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(sc10_lab, sc10_lab_free)
uint32_t sc10_lab_max_ranks(const sc10_lab *lab);
uint64_t sc10_lab_seed(const sc10_lab *lab);
/** 2, 4, … up to the largest size. @return [*n] owned by the caller */
uint32_t *sc10_lab_sizes(const sc10_lab *lab, size_t *n);

/** Borrowed until the lab is gone. What cannot be run is an error of ours: aborts. */
const sc10_times *sc10_lab_times(sc10_lab *lab, const sc10_case *what, uint32_t ranks);

/** Of that case at the sizes @p first, 2 @p first, … @p last. @return [*n] owned by the caller */
const sc10_times **sc10_lab_by_size(sc10_lab *lab, const sc10_case *what, uint32_t first,
                                    uint32_t last, size_t *n);

double sc10_median(const sc10_times *times);
/** @param p 0..1, by linear interpolation */
double sc10_quantile(const sc10_times *times, double p);
double sc10_max(const sc10_times *times);
double sc10_max_of_first(const sc10_times *times, size_t n);
/** (time - ideal) / ideal. */
double sc10_slowdown(const sc10_times *times, double time);
/** Share of the values beyond 1.5 times the box. */
double sc10_outliers(const sc10_times *times);
