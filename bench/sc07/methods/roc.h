/* bench/sc07/methods/roc.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How well a score tells disturbed ranks from others: the area under its curve of true against
 * false positives is the chance that a disturbed rank has a higher score than one that is not,
 * equal scores counted by half (Hanley and McNeil, Radiology 143, 1982).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sc07_scored {
    double score; /* the higher, the more disturbed; not NaN */
    double hours; /* that the rank was watched */
    uint32_t group;
    bool disturbed;
} sc07_scored;

/** A value and its 95 % interval; NaN where it cannot be told. */
typedef struct sc07_interval {
    double value, low, high;
} sc07_interval;

/** A threshold: what is at least as high counts as disturbed. */
typedef struct sc07_operating {
    double threshold;
    double found;        /* share of the disturbed ranks */
    double false_alarms; /* per hour in which a rank was not disturbed */
} sc07_operating;

typedef struct sc07_roc {
    sc07_interval area;
    sc07_operating at;          /* the highest threshold that finds a share of the disturbed */
    sc07_interval false_alarms; /* at such a threshold, chosen anew in each resample */
} sc07_roc;

/**
 * Intervals: percentile bootstrap of whole groups (runs that share what is random are one), 1,000
 * resamples, GSL's generator mt19937 with its default seed: the same each time.
 * @param scored [n]; is sorted
 * @param num_groups groups are numbered below it @param found share that the threshold is to find,
 * 0..1
 */
sc07_roc sc07_roc_of(sc07_scored *scored, size_t n, uint32_t num_groups, double found);

/** A point of the curve. */
typedef struct sc07_roc_point {
    double false_share, true_share;
} sc07_roc_point;

/**
 * From (0, 0) to (1, 1), a point for each value that scores have.
 * @param scored [n] sorted by sc07_roc_of() @param out [n + 1] @return how many points
 */
size_t sc07_roc_curve(const sc07_scored *scored, size_t n, sc07_roc_point *out);

/** The most of the disturbed that are found at @p false_share of false positives, 0..1, between two
 * points on the line between them: equal scores are told apart by chance.
 * @param curve [n] from sc07_roc_curve() */
double sc07_roc_found(const sc07_roc_point *curve, size_t n, double false_share);
