/* noise/detours/model_poisson.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_signature. */
/**
 * @file
 * poisson:MEAN:LENGTH — detours of LENGTH, with exponential gaps of mean MEAN between their starts.
 */
#include "detours/model_arrivals.h"

enum { MEAN, LENGTH };

const noise_model_class noise_model_poisson = {
    .name = "poisson",
    .parameters = {[MEAN] = {"MEAN", NOISE_PARAMETER_INTERVAL, 0, 0},
                   [LENGTH] = {"LENGTH", NOISE_PARAMETER_LENGTH, 0, 0}},
    .is_drawn = true,
    .share = noise_arrivals_share_of_one_length,
    .place = noise_arrivals_at_random,
    .length = noise_arrivals_one_length,
};
