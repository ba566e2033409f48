/* noise/interference/scorer.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The state of a scorer, and what its parts share.
 * Tests: test_scorer, test_scorer_oracle.
 */
#pragma once

#include "interference/align.h"
#include "interference/compare.h"
#include "interference/onset.h"
#include "noise/interference.h"
#include "synopsis/memory.h"

typedef struct scorer_cover {
    uint64_t calls, covered;
    sim_time work, covered_work;
    bool known;
} scorer_cover;

/** Of a rank and sequence. */
typedef struct scorer_signal {
    noise_interference_signal shown;
    onset onset[NOISE_INTERFERENCE_KINDS];
    double alarm[NOISE_INTERFERENCE_KINDS]; /* of samples that are split … */
    double alarm_whole;                     /* … and of others */
    uint64_t seen_until;                    /* t below it have been seen */
    uint64_t stride;                        /* a point of ILS every so many judged */
    sim_time end;                           /* of the last one judged … */
    uint64_t t;                             /* … and its t */
    noise_interference_point *points;       /* [options.course + 1] */
} scorer_signal;

struct noise_interference_scorer {
    miner_memory memory; /* without a budget */
    const noise_interference_model *model;
    noise_interference_options options; /* nodes: [num_ranks], never NULL */
    uint32_t *nodes;
    uint32_t num_nodes;     /* highest number + 1 */
    align *align;           /* NULL: CLEAN */
    compare_sums *of_node;  /* [num_nodes] of a row */
    sim_time *work;         /* [num_ranks] of a row */
    scorer_cover *cover;    /* [num_ranks] */
    scorer_signal *signals; /* [num_ranks][num_sequences] */
    bool finished;
};

scorer_signal *noise_scorer_signal_of(const noise_interference_scorer *s, uint32_t rank,
                                      uint32_t sequence);
/** The samples of one row; @p to is the scorer. For noise_align_new(). */
void noise_scorer_take_row(void *to, const align_row *row);
