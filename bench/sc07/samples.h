/* bench/sc07/samples.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The typical sequences of a program, and what their occurrences computed in a run of it.
 */
#pragma once

#include "noise/sequences.h"
#include "programs.h"

/** Which sequences of a program are typical: as the paper has it, section 4.1. */
typedef struct sc07_set {
    const sc07_program *program; /* borrowed */
    noise_sequences *sequences;  /* of functions */
    uint32_t num;
    uint32_t length[NOISE_SEQUENCES_MOST]; /* calls, descending */
    uint32_t num_rules;                    /* of the grammar */
    double covered; /* share of the calls that belong to an occurrence of one of them */
} sc07_set;

/**
 * The rules of the grammar of rank 0's functions and peers, the longest first; of those that stand
 * for the same functions the first; with two occurrences of the functions at least.
 * @param most of them @param longer than so many calls
 * @return owned by the caller
 */
sc07_set *sc07_set_new(const sc07_program *program, uint32_t most, uint32_t longer);
void sc07_set_free(sc07_set *set); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(sc07_set, sc07_set_free)

/** Samples of one sequence in one run: all ranks have as many. */
typedef struct sc07_series {
    uint32_t n;
    noise_sample *sample; /* [SC07_RANKS][n] */
} sc07_series;

/** A run as a detector sees it. */
typedef struct sc07_samples {
    uint32_t num;        /* sequences */
    sc07_series *series; /* [num] */
    sim_time makespan;
} sc07_samples;

/** Run the program of @p set. Any thread. @return owned by the caller */
sc07_samples *sc07_samples_new(const sc07_set *set, const sc07_scene *scene);
void sc07_samples_free(sc07_samples *samples); /* NULL is a no-op */
