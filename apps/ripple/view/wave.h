/* apps/ripple/view/wave.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The idle wave of an injected detour: where it came when, its speed and how it becomes smaller,
 * fitted; beside the formula of Afzal, Hager and Wellein (2019, 2021): sigma d / (T_exec + T_comm).
 * docs/view.md, section 4.
 */
#pragma once

#include "view/observer.h"

/** A rank's partners, as it talks to them in a pass. */
typedef struct app_wave_facts {
    uint32_t num_ranks;
    app_detour detour;
    const app_observed_arrival *arrivals; /* [num_ranks] */
    const sim_time *steps;                /* [num_steps] when the rank's computations begin */
    size_t num_steps;
    uint32_t distance; /* of its farthest partner; 0: it has none */
    sim_time finish_delay;
} app_wave_facts;

/** Fit. @return owned by the caller, as a part of a picture */
app_picture_injection *app_wave_fit(const app_wave_facts *facts);

/** From @p a to @p b around a ring, the shorter way: -n/2 < d <= n/2. */
int64_t app_wave_way(uint32_t a, uint32_t b, uint32_t num_ranks);

/**
 * y = a + b x through [n] points by least squares: b with its 95 % interval (Student's t, n - 2
 * degrees of freedom). Below 3 points, or with all x alike: NAN.
 */
app_picture_fit app_wave_slope(const double *x, const double *y, size_t n);
