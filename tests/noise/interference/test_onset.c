/* tests/noise/interference/test_onset.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "interference/onset.h"

#include "sim/time.h"

#include "check.h"

static const noise_interference_onset USUAL = {
    .allowance = 1000, .most = 4000, .alarm = 8000, .floor = 20};

/* Samples of 10 ms, one a time; deviation 1 ms; those of from..to last 20 ms. */
static unsigned run(onset *o, unsigned num, unsigned from, unsigned to,
                    noise_interference_stretch *stretches)
{
    unsigned ended = 0;
    for (unsigned t = 0; t < num; t++) {
        const bool hit = t >= from && t < to;
        const onset_sample sample = {.begin = t * SIM_S,
                                     .end = t * SIM_S + SIM_MS,
                                     .excess = hit          ? 10 * SIM_MS
                                               : t % 2 == 0 ? SIM_MS
                                                            : -SIM_MS,
                                     .deviation = SIM_MS};
        if (noise_onset_add(o, &USUAL, 8, &sample, &stretches[ended]) == ONSET_ENDED) {
            ended++;
        }
    }
    return ended;
}

static void a_step_up_and_down_is_dated_by_its_samples(void)
{
    onset o = {0};
    noise_interference_stretch s[4];
    CHECK_I64(run(&o, 200, 50, 100, s), 1);
    CHECK_I64(s[0].begin, 50 * SIM_S);
    CHECK_I64(s[0].end, 99 * SIM_S + SIM_MS, "of the last disturbed");
    CHECK_I64(s[0].lost, SIM_MS * 50 * 10, "what each was longer");
    CHECK(!s[0].open);
    CHECK(!noise_onset_finish(&o, &s[0]));
}

static void one_that_goes_on_is_open(void)
{
    onset o = {0};
    noise_interference_stretch s[4];
    CHECK_I64(run(&o, 100, 50, 100, s), 0);
    CHECK(noise_onset_finish(&o, &s[0]));
    CHECK_I64(s[0].begin, 50 * SIM_S);
    CHECK(s[0].open);
    CHECK_I64(s[0].lost, 500 * SIM_MS);
}

static void single_samples_are_no_disturbance(void)
{
    onset o = {0};
    noise_interference_stretch s[4];
    for (unsigned i = 0; i < 20; i++) {
        CHECK_I64(run(&o, 20, 10, 12, s), 0, "two in a row, however long");
    }
    CHECK(!noise_onset_finish(&o, &s[0]));
    CHECK_NEAR(o.peak, 6, 1e-9, "each counts as 4 deviations, less 1");
}

static void clean_runs_that_went_far_move_the_alarm(void)
{
    CHECK_NEAR(noise_onset_alarm(&USUAL, 7000), 14, 1e-12);
    CHECK_NEAR(noise_onset_alarm(&USUAL, 3000), 8, 1e-12);
}

SUITE_MAIN("onset", TEST(a_step_up_and_down_is_dated_by_its_samples),
           TEST(one_that_goes_on_is_open), TEST(single_samples_are_no_disturbance),
           TEST(clean_runs_that_went_far_move_the_alarm))
