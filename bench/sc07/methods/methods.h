/* bench/sc07/methods/methods.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What different methods say of the ranks of one run: typical sequences (noise/interference.h),
 * NoiseMiner (noise/miner.h), and two that one would try first. The higher a score, the more
 * disturbed a rank is said to be.
 */
#pragma once

#include "noise/interference.h"
#include "programs.h"

typedef enum {
    SC07_BY_METRIC, /* typical sequences: m(p), SC07 (4) */
    SC07_BY_LOST,   /* the same model: seconds lost in disturbed stretches */
    SC07_BY_MINER,  /* NoiseMiner listens to each rank alone: share of its time that is noise, in
                       rows,  singles and residue */
    SC07_BY_CALLS, /* share of calls whose computation is more than 3 population standard deviations
                      above the mean of all ranks at the same call */
    SC07_BY_TOTAL, /* all that a rank computes: deviations above the mean of all ranks */
    SC07_NUM_METHODS
} sc07_method;

/** For the head of a column. */
extern const char *const sc07_method_names[SC07_NUM_METHODS];

/**
 * A model of a program, learned from @p num_clean runs without a job: sequences from function and
 * peer, the others' nodes as reference (loo), thresholds beyond what clean runs show.
 * @param most sequences, of more than @p longer calls
 * @return owned by the caller
 */
noise_interference_model *sc07_model_new(const sc07_program *program, uint32_t most,
                                         uint32_t longer, uint64_t seed, unsigned num_clean);

/** What is said of a run. */
typedef struct sc07_said {
    double score[SC07_NUM_METHODS][SC07_RANKS]; /* NaN: not asked, see sc07_ask() */
    bool disturbed[SC07_RANKS];    /* the verdict on the typical sequences, as of `ripple detect` */
    sim_time computed[SC07_RANKS]; /* in the whole run */
    sim_time makespan;
} sc07_said;

/**
 * Run @p program, and ask all methods. Any thread.
 * @param node NoiseMiner, which takes most of the time, listens to its ranks and to every eighth
 */
void sc07_ask(const sc07_program *program, const noise_interference_model *model,
              const sc07_scene *scene, uint32_t node, sc07_said *out);
