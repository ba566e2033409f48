/* tests/bench/test_app_ideal.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a record takes without noise in many copies, from how long it takes in few. */
#include "ideal.h"

#include "check.h"

/* A hand calculation: 7, 9 and 11 rounds take 10, 12 and 14 s. */
static void what_grows_with_the_rounds_goes_on(void)
{
    static const uint32_t RANKS[] = {100, 400, 1600};
    static const double SECONDS[] = {10, 12, 14};
    const sc10_ideal ideal = sc10_ideal_extrapolate(RANKS, SECONDS, 16000);
    CHECK_NEAR(ideal.seconds, 17, 1e-12, "%s", "14 rounds");
    CHECK_NEAR(ideal.off, 0, 1e-12, "%s", "straight");
}

/* x^2 at 7, 9 and 11 is 49, 81 and 121; straight on from the last two it is 20 a round. */
static void a_parabola_is_off_by_what_is_said(void)
{
    static const uint32_t RANKS[] = {128, 512, 2048};
    static const double SECONDS[] = {49, 81, 121};
    const sc10_ideal ideal = sc10_ideal_extrapolate(RANKS, SECONDS, 32000);
    CHECK_NEAR(ideal.seconds, 121 + 4 * 20, 1e-9, "%s", "15 rounds");
    CHECK_NEAR(ideal.seconds + ideal.off, 15 * 15, 1e-9, "%s", "the parabola");
}

static void as_many_rounds_take_as_long(void)
{
    static const uint32_t RANKS[] = {128, 512, 2048};
    static const double SECONDS[] = {3, 4, 6};
    const sc10_ideal ideal = sc10_ideal_extrapolate(RANKS, SECONDS, 1025);
    CHECK_NEAR(ideal.seconds, 6, 0, "%s", "11 rounds");
    CHECK_NEAR(ideal.off, 0, 0, "%s", "nothing to go on from");
}

/* `ripple simulate --no-symmetry --machine=chic --flops-per-second=RATE --ranks=N` of the records,
 * RATE as in proxy.c, the largest here twice the size extrapolated from; s. A slowdown of 0.1 % is
 * off by 2 % of itself then. */
static void runs_of_twice_the_size_take_what_is_said(void)
{
    static const struct {
        uint32_t ranks[SC10_IDEAL_SIZES];
        double seconds[SC10_IDEAL_SIZES];
        uint32_t wanted;
        double taken;
    } RUNS[] = {
        {{100, 400, 1600}, {55.018700874, 55.019248891, 55.020400814}, 3200, 55.020707453},
        {{125, 500, 2000}, {80.211170574, 80.219046905, 80.225385639}, 4000, 80.229799356},
        {{128, 640, 3200}, {12.103447336, 12.135543826, 12.157024095}, 6400, 12.167670595},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(RUNS); i++) {
        const sc10_ideal ideal =
            sc10_ideal_extrapolate(RUNS[i].ranks, RUNS[i].seconds, RUNS[i].wanted);
        CHECK_NEAR(ideal.seconds, RUNS[i].taken, 2e-5 * RUNS[i].taken, "%u ranks", RUNS[i].wanted);
        CHECK(ideal.off > 0, "%u ranks", RUNS[i].wanted);
    }
}

SUITE_MAIN("app_ideal", TEST(what_grows_with_the_rounds_goes_on),
           TEST(a_parabola_is_off_by_what_is_said), TEST(as_many_rounds_take_as_long),
           TEST(runs_of_twice_the_size_take_what_is_said))
