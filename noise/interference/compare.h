/* noise/interference/compare.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a sample is compared with, and whether it exceeds: exactly, in whole numbers.
 * docs/interference.md, section 3. Tests: test_scorer, test_scorer_oracle.
 */
#pragma once

#include "interference/wide.h"
#include "noise/interference.h"

/** Of some samples. */
typedef struct compare_sums {
    uint64_t num;
    wide_half sum, squares;
} compare_sums;

typedef enum { COMPARE_NOTHING, COMPARE_MEAN, COMPARE_MEDIAN, COMPARE_LEARNED } compare_kind;

/** A centre and a deviation, as exactly as the samples give them. */
typedef struct compare_with {
    compare_kind kind;
    compare_sums sums;        /* MEAN */
    sim_time median2, mad4;   /* MEDIAN: twice the median, four times the MAD */
    sim_time mean, deviation; /* LEARNED */
} compare_with;

/** Samples below 2^53 ps, at most 2^20 of them: squares fit. */
void noise_compare_sums_add(compare_sums *sums, sim_time sample);
/** @p all without @p some of them. */
compare_sums noise_compare_sums_without(const compare_sums *all, const compare_sums *some);

/** Median and MAD of @p samples [num > 0]; sorts them. O(num log num). */
compare_with noise_compare_with_median(sim_time *samples, uint32_t num);
/** What clean runs say of the @p t-th; a deviation is at least @p floor thousandths of it. */
compare_with noise_compare_with_learned(const noise_interference_row *row, uint64_t t,
                                        uint32_t floor);

/** Is @p sample above centre + @p k / 1000 deviations? Strictly. */
bool noise_compare_exceeds(const compare_with *with, sim_time sample, uint32_t k);
/** To the nearest ps below. */
sim_time noise_compare_centre(const compare_with *with);
/** In ps; 1.4826 MAD for the median. */
double noise_compare_deviation(const compare_with *with);
/** What a sample is expected to be, ps: the centre, in the relation to it that the rank had in
 * clean runs. */
double noise_compare_expected(const compare_with *with, const noise_interference_row *row);
