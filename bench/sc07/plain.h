/* bench/sc07/plain.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The formulas of the paper, written down once more and evaluated in the plainest way, from all
 * samples of a run at once: what noise/interference.h computes is compared with them.
 */
#pragma once

#include "samples.h"

/** (1) to (3) and ILS of the last sample, with the filter of 0.5 ms. */
double sc07_plain_ils(const sc07_series *series, uint32_t rank, double k);
/** ILS after each sample. @param out [series->n] */
void sc07_plain_course(const sc07_series *series, uint32_t rank, double k, double *out);
