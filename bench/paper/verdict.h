/* bench/paper/verdict.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a check comes to: where an estimate lies against the band of what is accepted.
 */
#pragma once

#include "estimate.h"

typedef enum sc10_verdict {
    SC10_INSIDE,     /* the whole interval lies in the band */
    SC10_COMPATIBLE, /* part of it does: the runs do not tell */
    SC10_OUTSIDE,    /* none of it does, or there is no number */
    SC10_NUM_VERDICTS
} sc10_verdict;

/** "inside", "compatible", "outside". Static. */
extern const char *const SC10_VERDICTS[SC10_NUM_VERDICTS];

/**
 * Interval and band both hold their ends: an interval that ends where the band begins is
 * compatible. A value without interval is inside or outside.
 * @param low, high of the band; -INFINITY or INFINITY: it has no end there
 */
sc10_verdict sc10_verdict_of(sc10_estimate ours, double low, double high);
