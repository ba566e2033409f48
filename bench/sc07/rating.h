/* bench/sc07/rating.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Thresholds learned from runs, and runs rated by them: sections 4.2 and 4.3 of the paper.
 */
#pragma once

#include "noise/interference.h"
#include "samples.h"

/** The two ranks of a node that are rated. */
enum { SC07_RATED = SC07_RANKS_PER_NODE };

typedef struct sc07_rating {
    uint32_t node;
    noise_interference_model *model;             /* its own */
    uint32_t num;                                /* sequences */
    uint32_t length[NOISE_SEQUENCES_MOST];       /* their calls */
    bool used[SC07_RATED][NOISE_SEQUENCES_MOST]; /* else it does not tell them apart: below 0.05 */
    double k[SC07_RATED][NOISE_SEQUENCES_MOST];
    double gain[SC07_RATED][NOISE_SEQUENCES_MOST]; /* of ILS, at K */
} sc07_rating;

/** Runs to learn from. */
typedef struct sc07_lesson {
    sc07_samples *const *clean;
    size_t num_clean;
    sc07_samples *const *disturbed;
    size_t num_disturbed;
} sc07_lesson;

sc07_rating sc07_learn(const sc07_set *set, uint32_t node, const sc07_lesson *lesson,
                       noise_interference_rule rule);
void sc07_rating_clear(sc07_rating *rating);

/** What a run comes to. */
typedef struct sc07_rated {
    double metric[SC07_RATED];                    /* (4), by length among the sequences used */
    double ils[SC07_RATED][NOISE_SEQUENCES_MOST]; /* at the end; NAN: not used */
} sc07_rated;

sc07_rated sc07_rate(const sc07_rating *rating, const sc07_samples *run);
