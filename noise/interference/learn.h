/* noise/interference/learn.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a learner keeps, and how a row of the model comes from it: docs/interference.md, section 4.
 * Tests: test_learner.
 */
#pragma once

#include "interference/compare.h"
#include "noise/interference.h"

/** A sample of one rank and sequence, and what it was compared with. */
typedef struct learn_point {
    uint64_t t;
    sim_time work, centre;
    double deviation;
    sim_time off; /* of work, off the CPU; -1: not known */
    uint32_t run;
    uint32_t level; /* so many of the k it exceeds: k = 0, 0.5, … are exceeded from the lowest on */
} learn_point;

typedef struct learn_cell {
    learn_point *at;
    uint32_t num, cap;
} learn_cell;

/** How many of the k does it exceed? */
uint32_t noise_learn_level(const compare_with *with, sim_time work);
/** Mean, deviation, relation to the reference and course of the clean samples, and how long they
 * were off the CPU. */
bool noise_learn_clean(const noise_interference_model *model, bool misaligned,
                       const learn_cell *cell, noise_interference_row *row);
/** With reference CLEAN: what the points are compared with is known when all have been seen. */
void noise_learn_compare(const noise_interference_model *model, learn_cell *cell,
                         const noise_interference_row *row);
/** K by the model's rule, and whether the sequence is used. @param others as in k_of_rate() */
bool noise_learn_threshold(const noise_interference_model *model, const learn_cell *cell,
                           uint64_t others, noise_interference_row *row);
/** How often clean samples exceed row->k, and how far they drive the CUSUM. */
void noise_learn_alarms(const noise_interference_model *model, const learn_cell *cell,
                        noise_interference_row *row);
