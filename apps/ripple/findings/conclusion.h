/* apps/ripple/findings/conclusion.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the results come to: one sentence for each way the noise is laid over the ranks, with the
 * condition under which it holds, and one on the size from which on noise is a bottleneck.
 */
#pragma once

#include "findings/condition.h"

/** "2.56 % (2.55 % .. 2.57 %, 95 % interval, 10 replicas)". @param series allows a conclusion;
 * owned by the caller */
char *app_conclusion_estimate(const app_series *series);
/**
 * A conclusion stands on the largest size that allows one: an interval; or a range of which all
 * says the same. Where none does, the sentence says what is missing. Nothing is concluded from a
 * measurement that is not valid.
 * @return NULL-terminated, owned by the caller; empty without noise
 */
char **app_conclusions_new(const app_results *results, const app_noise *noise,
                           const app_conditions *conditions);
