/* tests/apps/findings/test_conclusion.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "by_hand.h"
#include "check.h"

#include <math.h>

#define U      APP_UNSYNCHRONIZED
#define C      APP_COSCHEDULED
#define PASS   APP_PASS
#define STEADY APP_STEADY
/* Five values around x, with an interval of about x -+ 2 %. */
#define AT(x)                                                                                      \
    {                                                                                              \
        (x) * 0.98, (x)*1.02, (x), (x)*0.99, (x)*1.01                                              \
    }
#define MET 50, 500

static char *conclusions_of(const hand_series *series, size_t n, const char *noise)
{
    g_autoptr(app_results) results = hand_results(series, n);
    g_autoptr(app_findings) findings = app_findings_new(results, hand_noise(noise), NULL);
    return g_strjoinv("\n", findings->conclusions);
}

static void one_sentence_for_each_mode_with_its_condition(void)
{
    static const hand_series rows[] = {
        {64, C, STEADY, 5, AT(0.02), MET, APP_STEADY_REACHED, false, 0},
        {64, U, STEADY, 5, AT(0.05), MET, APP_STEADY_REACHED, false, 0},
        {256, U, STEADY, 5, AT(0.5), MET, APP_STEADY_WIDE, false, 0},
        {256, C, STEADY, 1, {0}, 1, 1, APP_STEADY_TOO_SHORT, true, 0},
    };
    g_autofree char *text = conclusions_of(rows, G_N_ELEMENTS(rows), "fixed:10Hz:1ms");
    CHECK_STR(text,
              "co-scheduled at 64 ranks: 2 % (1.96 % .. 2.04 %, 95 % interval, 5 replicas); "
              "settled over 306us, 3 passes.\n"
              "unsynchronized at 256 ranks: 50 % (49 % .. 51 %, 95 % interval, 5 replicas); over "
              "450us, 3 passes, not as well known as the 10 % asked for.\n"
              "Unsynchronized noise is a bottleneck (more than 10 %) from 256 ranks on, of the "
              "sizes simulated; at 64 ranks it is not.");
}

static void what_has_not_settled_speaks_only_for_want_of_another(void)
{
    static const hand_series rows[] = {
        {64, U, STEADY, 5, AT(0.5), MET, APP_STEADY_REACHED, false, 0},
        {256, U, STEADY, 5, AT(0.7), MET, APP_STEADY_DRIFTS, false, 0},
    };
    g_autofree char *both = conclusions_of(rows, 2, "fixed:10Hz:1ms");
    CHECK_STR(both,
              "unsynchronized at 64 ranks: 50 % (49 % .. 51 %, 95 % interval, 5 replicas); "
              "settled over 450us, 3 passes.\n"
              "Unsynchronized noise is a bottleneck (more than 10 %) at every size simulated up to "
              "64 ranks. Sizes above 64 ranks are not known well enough.");
    g_autofree char *one = conclusions_of(&rows[1], 1, "fixed:10Hz:1ms");
    CHECK_STR(one, "unsynchronized at 256 ranks: 70 % (68.6 % .. 71.4 %, 95 % interval, 5 "
                   "replicas); not settled over 510us, 3 passes.");
}

static void nothing_stands_on_one_replica_or_a_range_of_both_answers(void)
{
    static const struct {
        hand_series series;
        const char *says;
    } rows[] = {
        {{64, U, PASS, 1, {0.5}, MET, 0, false, 0},
         "unsynchronized: no conclusion. At 64 ranks there is one replica, and an interval takes "
         "five (--replicas)."},
        {{64, U, PASS, 3, {0, 0.5, 0.3}, MET, 0, false, 0},
         "unsynchronized: no conclusion. At 64 ranks 3 replicas say one thing and the other, and "
         "an "
         "interval takes five (--replicas)."},
        {{64, U, PASS, 3, {0.4, 0.5, 0.3}, MET, 0, false, 0},
         "unsynchronized at 64 ranks: 40 % (30 % .. 50 %, the range of 3 replicas); of 3 passes "
         "from a cold start."},
        {{64, U, PASS, 3, {0.04, 0.5, 0.3}, MET, 0, false, 0},
         "unsynchronized: no conclusion. At 64 ranks 3 replicas say one thing and the other, and "
         "an "
         "interval takes five (--replicas)."},
        {{64, C, STEADY, 5, {0}, 0.3, 0.3, APP_STEADY_TOO_SHORT, false, 0},
         "co-scheduled: no conclusion. At 64 ranks a run meets 0.3 of the detours of "
         "fixed:10Hz:1ms, and 20 are needed (--budget)."},
        {{64, C, PASS, 5, {0}, 0.3, 0.3, 0, false, 0},
         "co-scheduled: no conclusion. At 64 ranks all replicas together meet 1.5 of the detours "
         "of "
         "fixed:10Hz:1ms, and 20 are needed (--repeat, --replicas)."},
        {{2, U, STEADY, 5, AT(0.001), MET, APP_STEADY_REACHED, false, 0},
         "unsynchronized at 2 ranks: 0.1 % (0.098 % .. 0.102 %, 95 % interval, 5 replicas); "
         "settled "
         "over 300.3us, 3 passes; absorbed: a rank that never waits would lose 1.01 %."},
        {{2, U, STEADY, 5, {0, 0, 0, 0.1, 0}, MET, APP_STEADY_DRIFTS, false, 0},
         "unsynchronized at 2 ranks: less than 7.55 % (the 95 % interval of 5 replicas holds 0); "
         "not "
         "settled over 306us, 3 passes."},
        {{2, U, STEADY, 5, {0}, MET, APP_STEADY_REACHED, false, 0},
         "unsynchronized at 2 ranks: no effect in 5 replicas; settled over 300us, 3 passes; "
         "absorbed: a rank that never waits would lose 1.01 %."},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *text = conclusions_of(&rows[i].series, 1, "fixed:10Hz:1ms");
        CHECK_STR(text, rows[i].says);
    }
}

/* Sizes 64, 256, 1Ki, each below 10 %, above, open (the interval holds 10 %), or one replica. */
static void a_threshold_is_said_only_where_whole_intervals_say_so(void)
{
    static const struct {
        const char *sides;
        const char *says;
    } rows[] = {
        {"bbb", "Unsynchronized noise costs less than 10 % at every size simulated."},
        {"aaa", "Unsynchronized noise is a bottleneck (more than 10 %) at every size simulated."},
        {"baa", "Unsynchronized noise is a bottleneck (more than 10 %) from 256 ranks on, of the "
                "sizes simulated; at 64 ranks it is not."},
        {"boa", "Unsynchronized noise becomes a bottleneck (more than 10 %) between 64 ranks and "
                "1Ki ranks: what lies between is not known well enough."},
        {"ooa", "Unsynchronized noise is a bottleneck (more than 10 %) at 1Ki ranks, at the "
                "latest; smaller sizes are not known well enough."},
        {"boo", "Unsynchronized noise costs less than 10 % up to 64 ranks; larger sizes are not "
                "known well enough."},
        {"aob", "From how many ranks on noise is a bottleneck (more than 10 %) cannot be said: no "
                "size is known well enough."},
        {"bao", "Unsynchronized noise is a bottleneck (more than 10 %) from 256 ranks on, of the "
                "sizes simulated; at 64 ranks it is not. Sizes above 256 ranks are not known well "
                "enough."},
        {"aoo", "Unsynchronized noise is a bottleneck (more than 10 %) at every size simulated up "
                "to 64 ranks. Sizes above 64 ranks are not known well enough."},
        {"oao", "Unsynchronized noise is a bottleneck (more than 10 %) at 256 ranks, at the "
                "latest; smaller sizes are not known well enough. Sizes above 256 ranks are not "
                "known well enough."},
        {"ooo", "From how many ranks on noise is a bottleneck (more than 10 %) cannot be said: no "
                "size is known well enough."},
        {"ba1", "Unsynchronized noise is a bottleneck (more than 10 %) from 256 ranks on, of the "
                "sizes simulated; at 64 ranks it is not."},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        hand_series series[3];
        for (int k = 0; k < 3; k++) {
            const char side = rows[i].sides[k];
            const double x = side == 'b' ? 0.02 : side == 'o' ? 0.1 : 0.5;
            series[k] =
                (hand_series){64U << 2 * k, U, PASS, side == '1' ? 1 : 5, AT(x), MET, 0, false, 0};
        }
        g_autofree char *text = conclusions_of(series, 3, "fixed:10Hz:1ms");
        const char *last = strrchr(text, '\n');
        CHECK(last != NULL, "%s", text);
        CHECK_STR(last != NULL ? last + 1 : "", rows[i].says);
    }
}

static void an_invalid_measurement_allows_no_conclusion(void)
{
    static const hand_series row = {64, U, PASS, 5, AT(0.5), MET, 0, false, 0};
    g_autofree char *file =
        g_build_filename(RIPPLE_TEST_DATA, "..", "cli", "data", "invalid.detours", NULL);
    g_autofree char *text = conclusions_of(&row, 1, file);
    CHECK_STR(text, "No conclusion: the measurement of the noise is not valid.");
}

SUITE_MAIN("conclusion", TEST(one_sentence_for_each_mode_with_its_condition),
           TEST(what_has_not_settled_speaks_only_for_want_of_another),
           TEST(nothing_stands_on_one_replica_or_a_range_of_both_answers),
           TEST(a_threshold_is_said_only_where_whole_intervals_say_so),
           TEST(an_invalid_measurement_allows_no_conclusion))
