/* bench/grammar_figures.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What bench_grammar measured, drawn, and how it grows: the exponent b of time ~ n^b, fitted.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum { GRAMMAR_MOST_LENGTHS = 16 };

/** One string, at growing lengths. */
typedef struct grammar_series {
    const char *name;
    size_t num;
    uint64_t symbols[GRAMMAR_MOST_LENGTHS]; /* [num] ascending */
    double seconds[GRAMMAR_MOST_LENGTHS];   /* [num] of CPU time, > 0 */
    double bytes[GRAMMAR_MOST_LENGTHS];     /* [num] held at the end, > 0 */
} grammar_series;

typedef struct grammar_growth {
    double exponent;
    double half_width; /* of its 95 % interval, if deviations from the power law are by chance */
} grammar_growth;

/**
 * Least squares of log @p y over log @p symbols; the interval by Student's distribution.
 * @param num >= 3: with two points nothing is left to say how well it fits
 */
grammar_growth grammar_growth_fit(const uint64_t *symbols, const double *y, size_t num);

/** One line per string. Strings of less than three lengths are left out. */
void grammar_growth_print(const grammar_series *series, size_t num);

/** A page and two figures, by gnuplot where there is one, in a new or empty-handed folder. */
bool grammar_figures_write(const grammar_series *series, size_t num, const char *folder,
                           GError **error);
