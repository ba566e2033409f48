/* tests/apps/findings/by_hand.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Results written down, not simulated: what is to be said of them is known.
 */
#pragma once

#include "findings/findings.h"

/** One series with noise. The ideal run takes 100 us a pass. */
typedef struct hand_series {
    uint32_t ranks;
    app_mode mode;
    app_quantity quantity;
    uint32_t n;
    double slowdown[10];
    double by_rank; /* detours met, of the one component */
    double by_run;
    app_steady_state state;
    bool check;
    double drift;
} hand_series;

/** With an ideal series before each. Owned by the caller. */
app_results *hand_results(const hand_series *series, size_t n);
/** The noise that they are under; its signature is kept until the program ends. */
const app_noise *hand_noise(const char *text);
