/* noise/detours/model_fixed.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_signature. */
/**
 * @file
 * fixed:PERIOD:LENGTH — a detour of LENGTH every PERIOD.
 */
#include "detours/model_arrivals.h"

enum { PERIOD, LENGTH };

const noise_model_class noise_model_fixed = {
    .name = "fixed",
    .parameters = {[PERIOD] = {"PERIOD", NOISE_PARAMETER_INTERVAL, 0, 0},
                   [LENGTH] = {"LENGTH", NOISE_PARAMETER_LENGTH, 0, 0}},
    .is_periodic = true,
    .share = noise_arrivals_share_of_one_length,
    .place = noise_arrivals_every,
    .length = noise_arrivals_one_length,
};
