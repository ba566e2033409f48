/* tests/apps/view/test_wave.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Fronts that are made up: their speed, decay and end are known. */
#include "check.h"
#include "view/wave.h"

#include <math.h>

enum { RANKS = 30, INJECTED = 10 };

/* Anscombe 1973, "Graphs in statistical analysis", first set: slope 0.5001, its standard error
 * 0.1179; t of 9 degrees of freedom at 97.5 %: 2.2622. */
static void slope_and_interval_are_those_of_anscombe(void)
{
    const double x[] = {10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5};
    const double y[] = {8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68};
    const app_picture_fit fit = app_wave_slope(x, y, G_N_ELEMENTS(x));
    CHECK_NEAR(fit.value, 0.5001, 0.0001, "slope");
    CHECK_NEAR(fit.high - fit.value, 0.1179 * 2.2622, 0.0003, "interval");
    CHECK_NEAR(fit.value - fit.low, 0.1179 * 2.2622, 0.0003, "interval");
    CHECK(isnan(app_wave_slope(x, y, 2).value), "of two points");
    const double same[] = {1, 1, 1};
    CHECK(isnan(app_wave_slope(same, y, 3).value), "x all alike");
}

static void the_way_around_a_ring_is_the_shorter_one(void)
{
    CHECK_I64(app_wave_way(1, 3, 10), 2, "");
    CHECK_I64(app_wave_way(9, 0, 10), 1, "");
    CHECK_I64(app_wave_way(0, 9, 10), -1, "");
    CHECK_I64(app_wave_way(0, 5, 10), 5, "half around");
    CHECK_I64(app_wave_way(UINT32_MAX - 1, 0, UINT32_MAX), 1, "large");
}

static void clear(app_observed_arrival *a)
{
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        a[rank] = (app_observed_arrival){SIM_TIME_MAX, 0, APP_PICTURE_NONE};
    }
}

static app_picture_injection *fit(const app_observed_arrival *arrivals)
{
    static const sim_time steps[] = {0, 100 * SIM_US, 200 * SIM_US, 300 * SIM_US};
    const app_wave_facts facts = {.num_ranks = RANKS,
                                  .detour = {INJECTED, SIM_MS, SIM_MS},
                                  .arrivals = arrivals,
                                  .steps = steps,
                                  .num_steps = G_N_ELEMENTS(steps),
                                  .distance = 1};
    return app_wave_fit(&facts);
}

static void drop(app_picture_injection *i)
{
    g_free(i->fronts);
    g_free(i);
}

/* One rank per 100 us, 50 us of delay lost from one to the next, gone after eight. */
static void a_wave_that_decays_ends_where_it_is_absorbed(void)
{
    app_observed_arrival a[RANKS];
    clear(a);
    for (sim_time k = 1; k <= 8; k++) {
        a[INJECTED + k] = (app_observed_arrival){
            SIM_MS + k * 100 * SIM_US, SIM_MS - k * 50 * SIM_US, (uint32_t)(INJECTED + k - 1)};
    }
    app_picture_injection *i = fit(a);
    CHECK_I64(i->num_waves, 1, "upwards only");
    CHECK_I64(i->num_fronts, 9, "with the rank itself");
    CHECK_NEAR(i->waves[0].speed.value, 10000, 1e-6, "ranks/s");
    CHECK_NEAR(i->waves[0].decay.value, 50 * (double)SIM_US, 1e-3, "ps per rank");
    CHECK_I64(i->waves[0].absorbed, INJECTED + 9, "");
    CHECK_I64(i->step, 100 * SIM_US, "");
    CHECK_NEAR(i->formula, 10000, 1e-6, "");
    CHECK_I64(i->sigma, 1, "");
    drop(i);
}

/* Downwards past rank 0; causes are the ranks themselves, so the nearest late one is taken. */
static void a_wave_goes_around_a_ring(void)
{
    app_observed_arrival a[RANKS];
    clear(a);
    for (sim_time k = 1; k <= 20; k++) {
        const uint32_t rank = (uint32_t)((INJECTED + RANKS - k) % RANKS);
        a[rank] = (app_observed_arrival){SIM_MS + k * 50 * SIM_US, SIM_MS, rank};
    }
    app_picture_injection *i = fit(a);
    CHECK_I64(i->num_waves, 1, "downwards only");
    CHECK_I64(i->waves[0].direction, -1, "");
    CHECK_I64(i->fronts[0].distance, -20, "");
    CHECK_I64(i->fronts[0].rank, 20, "");
    CHECK_NEAR(i->waves[0].speed.value, 20000, 1e-6, "ranks/s");
    CHECK_I64(i->sigma, 2, "two ranks per step");
    CHECK_I64(i->waves[0].absorbed, 19, "it is a ring, and goes on");
    drop(i);
}

static void nobody_late_is_no_wave(void)
{
    app_observed_arrival a[RANKS];
    clear(a);
    app_picture_injection *i = fit(a);
    CHECK_I64(i->num_waves, 0, "");
    CHECK_I64(i->num_fronts, 1, "the rank itself");
    drop(i);
}

SUITE_MAIN("wave", TEST(slope_and_interval_are_those_of_anscombe),
           TEST(the_way_around_a_ring_is_the_shorter_one),
           TEST(a_wave_that_decays_ends_where_it_is_absorbed), TEST(a_wave_goes_around_a_ring),
           TEST(nobody_late_is_no_wave))
