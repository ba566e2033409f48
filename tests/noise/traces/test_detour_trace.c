/* tests/noise/traces/test_detour_trace.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "noise/detour_trace.h"

enum { SEED = 20101113, MAX_DETOURS = 40 };

/* The judge: one ps after the other. A ps is stolen if a detour covers it. */
static sim_time finish_slowly(const noise_detour_trace *t, sim_time offset, sim_time ready,
                              sim_time work)
{
    while (work > 0) {
        const sim_time pos = (ready + offset) % noise_detour_trace_period(t);
        bool stolen = false;
        for (size_t i = 0; i < noise_detour_trace_count(t); i++) {
            const sim_time start = noise_detour_trace_start(t, i);
            stolen |= pos >= start && pos < start + noise_detour_trace_length(t, i);
        }
        ready++;
        work -= !stolen;
    }
    return ready;
}

/* Random detours, often touching each other, the beginning or the end of the period. */
static noise_detour_trace *random_trace(GRand *rand)
{
    sim_time start[MAX_DETOURS];
    sim_time length[MAX_DETOURS];
    const size_t n = (size_t)g_rand_int_range(rand, 0, MAX_DETOURS + 1);
    const int gap = g_rand_int_range(rand, 1, 20);
    sim_time now = 0;
    for (size_t i = 0; i < n; i++) {
        start[i] = now + g_rand_int_range(rand, 0, gap);
        length[i] = g_rand_int_range(rand, 1, 12);
        now = start[i] + length[i];
    }
    /* at least 1 ps for work, at most a long quiet end; or none, where work fits before */
    const bool quiet_before = n > 0 && start[n - 1] > 50;
    const sim_time rest =
        quiet_before ? g_rand_int_range(rand, 0, 2) * 30 : g_rand_int_range(rand, 1, 100);
    return noise_detour_trace_new(start, length, n, now + MAX(rest, 1), NULL);
}

static noise_detour_trace *must(noise_detour_trace *t, GError *error)
{
    CHECK(t != NULL, "%s", error != NULL ? error->message : "");
    g_clear_error(&error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    return t;
}

static void finish_matches_table(void)
{
    static const sim_time start[] = {10, 20, 25};
    static const sim_time length[] = {5, 5, 1};
    static const sim_time row[][4] = {
        /* offset, ready, work, want: by hand; 89 of 100 ps are available */
        {0, 0, 0, 0},
        {0, 12, 0, 12},
        {0, 0, 10, 10},
        {0, 0, 11, 16},
        {0, 10, 1, 16},
        {0, 12, 1, 16},
        {0, 15, 1, 16},
        {0, 15, 5, 20},
        {0, 15, 6, 27},
        {0, 26, 9, 35},
        {0, 26, 74, 100},
        {0, 26, 84, 110},
        {0, 26, 85, 116},
        {0, 0, 89, 100},
        {0, 0, 90, 101},
        {0, 0, 890, 1000},
        {0, 0, 891, 1001},
        {0, 0, 900, 1010},
        {0, 0, 901, 1016},
        {0, 1000, 11, 1016},
        {12, 0, 1, 4},
        {12, 98, 1, 104},
        {12, 98, 2, 105},
        {100, 12, 1, 16},
        {0, 1000000012, 1, 1000000016},
        {0, 2 * SIM_TIME_MAX, 5, 2 * SIM_TIME_MAX},
    };
    GError *error = NULL;
    g_autoptr(noise_detour_trace) t =
        must(noise_detour_trace_new(start, length, 3, 100, &error), error);
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        CHECK_I64(noise_detour_trace_finish(t, row[i][0], row[i][1], row[i][2]), row[i][3],
                  "row %zu", i);
    }
}

static void detours_may_touch_both_ends_of_the_period(void)
{
    static const sim_time start[] = {0, 90};
    static const sim_time length[] = {10, 10};
    g_autoptr(noise_detour_trace) t =
        must(noise_detour_trace_new(start, length, 2, 100, NULL), NULL);
    CHECK_I64(noise_detour_trace_finish(t, 0, 0, 1), 11);
    CHECK_I64(noise_detour_trace_finish(t, 0, 0, 80), 90);
    CHECK_I64(noise_detour_trace_finish(t, 0, 0, 81), 111);
    CHECK_I64(noise_detour_trace_finish(t, 90, 0, 1), 21);
    CHECK_I64(noise_detour_trace_finish(t, 100, 0, 160), 190);
    CHECK_NEAR(noise_detour_trace_share(t), 0.2, 1e-15);
}

static void no_detours_mean_no_delay(void)
{
    g_autoptr(noise_detour_trace) t = must(noise_detour_trace_new(NULL, NULL, 0, 7, NULL), NULL);
    CHECK_I64(noise_detour_trace_finish(t, 3, 100, 1000), 1100);
    CHECK_I64(noise_detour_trace_finish(t, 0, SIM_TIME_MAX, SIM_TIME_MAX), 2 * SIM_TIME_MAX);
    CHECK_I64(noise_detour_trace_count(t), 0);
}

static void finish_agrees_with_counting_every_picosecond(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(SEED);
    for (int i = 0; i < 400; i++) {
        g_autoptr(noise_detour_trace) t = must(random_trace(rand), NULL);
        const int period = (int)noise_detour_trace_period(t);
        for (int j = 0; j < 25; j++) {
            const sim_time offset = g_rand_int_range(rand, 0, period + 1);
            const sim_time ready = g_rand_int_range(rand, 0, 5 * period);
            const sim_time work = g_rand_int_range(rand, 0, j % 2 == 0 ? 20 : 3 * period);
            CHECK_I64(noise_detour_trace_finish(t, offset, ready, work),
                      finish_slowly(t, offset, ready, work), "seed %d trace %d query %d", SEED, i,
                      j);
        }
    }
}

/* Until the instant that is said, work takes no longer than it is; at that instant a detour or the
 * next period begins. Nothing is said of work that a detour strikes, and of that alone. */
static void what_is_left_alone_is_left_alone_until_then(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(SEED);
    int told = 0;
    for (int i = 0; i < 400; i++) {
        g_autoptr(noise_detour_trace) t = must(random_trace(rand), NULL);
        const sim_time period = noise_detour_trace_period(t);
        for (int j = 0; j < 25; j++) {
            const sim_time offset = g_rand_int_range(rand, 0, (gint32)period + 1);
            const sim_time ready = g_rand_int_range(rand, 0, 5 * (gint32)period);
            const sim_time work = g_rand_int_range(rand, 1, 20);
            sim_time until = -1;
            const sim_time end = noise_detour_trace_finish_until(t, offset, ready, work, &until);
            CHECK_I64(end, finish_slowly(t, offset, ready, work), "seed %d trace %d", SEED, i);
            const bool ends_before_period = (ready + offset) % period + work <= period;
            CHECK((until >= 0) == (end == ready + work && ends_before_period),
                  "seed %d trace %d: %d", SEED, i, (int)until);
            if (until >= 0) {
                told++;
                CHECK(until >= end);
                CHECK_I64(finish_slowly(t, offset, ready, until - ready), until);
                CHECK(finish_slowly(t, offset, until, 1) > until + 1 ||
                          (until + offset) % period == 0,
                      "seed %d trace %d: it goes on being quiet", SEED, i);
            }
        }
        sim_time until = -1;
        CHECK_I64(noise_detour_trace_finish_until(t, 0, 7, 0, &until), 7);
        CHECK_I64(until, -1, "nothing is asked");
    }
    CHECK(told > 1000, "%d", told);
}

static void splitting_work_changes_nothing(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(SEED);
    for (int i = 0; i < 1000; i++) {
        g_autoptr(noise_detour_trace) t = must(random_trace(rand), NULL);
        for (int j = 0; j < 50; j++) {
            const sim_time offset =
                g_rand_int_range(rand, 0, (gint32)noise_detour_trace_period(t) + 1);
            const sim_time ready = g_rand_int_range(rand, 0, G_MAXINT32);
            const sim_time a = g_rand_int_range(rand, 0, 500);
            const sim_time b = g_rand_int_range(rand, 0, 5000);
            const sim_time half = noise_detour_trace_finish(t, offset, ready, a);
            CHECK_I64(noise_detour_trace_finish(t, offset, half, b),
                      noise_detour_trace_finish(t, offset, ready, a + b), "seed %d trace %d", SEED,
                      i);
        }
    }
}

static void starting_later_or_working_longer_never_ends_earlier(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(SEED);
    for (int i = 0; i < 1000; i++) {
        g_autoptr(noise_detour_trace) t = must(random_trace(rand), NULL);
        for (int j = 0; j < 50; j++) {
            const sim_time ready = g_rand_int_range(rand, 0, G_MAXINT32);
            const sim_time work = g_rand_int_range(rand, 0, 1000);
            const sim_time end = noise_detour_trace_finish(t, 0, ready, work);
            CHECK(end >= ready + work);
            CHECK(noise_detour_trace_finish(t, 0, ready + 1, work) >= end || work == 0);
            CHECK(noise_detour_trace_finish(t, 0, ready, work + 1) > end);
        }
    }
}

static void bursts_and_long_quiet_times_are_exact(void)
{
    /* 1000 detours within 1 us of an hour: nearly all fall into one cell of either grid */
    enum { N = 1000 };
    static sim_time start[N];
    static sim_time length[N];
    for (size_t i = 0; i < N; i++) {
        start[i] = 5 * SIM_S + (sim_time)i * SIM_NS;
        length[i] = 400;
    }
    const sim_time hour = 3600 * SIM_S;
    g_autoptr(noise_detour_trace) t =
        must(noise_detour_trace_new(start, length, N, hour, NULL), NULL);
    for (sim_time i = 0; i < N; i++) {
        /* 600 ps of each ns are free */
        CHECK_I64(noise_detour_trace_finish(t, 0, 5 * SIM_S, i * 600 + 1),
                  5 * SIM_S + i * SIM_NS + 401, "detour %d", (int)i);
        CHECK_I64(noise_detour_trace_finish(t, 5 * SIM_S, i * SIM_NS + 399, 1), i * SIM_NS + 401);
        CHECK_I64(noise_detour_trace_finish(t, 0, 2 * hour, 5 * SIM_S + i * 600 + 1),
                  2 * hour + 5 * SIM_S + i * SIM_NS + 401);
    }
    CHECK_I64(noise_detour_trace_finish(t, 0, 0, 10 * (hour - N * (sim_time)400)), 10 * hour);
}

static void results_past_the_range_of_time_are_capped(void)
{
    /* one ps in a million is free: 10^15 ps of work take 10^21 ps, more than an int64 holds */
    const sim_time start = 0;
    const sim_time length = 999999;
    g_autoptr(noise_detour_trace) t =
        must(noise_detour_trace_new(&start, &length, 1, 1000000, NULL), NULL);
    CHECK_I64(noise_detour_trace_finish(t, 0, 0, 1000 * SIM_S), 2 * SIM_TIME_MAX);
    CHECK_I64(noise_detour_trace_finish(t, 0, 0, 1000), 1000000000);
}

static void bad_detours_are_refused_by_number(void)
{
    static const struct {
        sim_time start[2], length[2], period;
        const char *message;
    } row[] = {
        {{10, 14}, {5, 1}, 100, "detour 1 (start 14 ps, length 1 ps) overlaps the one before"},
        {{10, 9}, {5, 1}, 100, "detour 1 (start 9 ps, length 1 ps) is out of order"},
        {{10, 10}, {5, 1}, 100, "detour 1 (start 10 ps, length 1 ps) overlaps the one before"},
        {{10, 20}, {0, 1}, 100, "detour 0 (start 10 ps, length 0 ps) has no length"},
        {{10, 20}, {1, -3}, 100, "detour 1 (start 20 ps, length -3 ps) has no length"},
        {{-1, 20}, {1, 3}, 100, "detour 0 (start -1 ps, length 1 ps) is out of range"},
        {{0, 101}, {1, 3}, 100, "detour 1 (start 101 ps, length 3 ps) is out of range"},
        {{0, 98}, {1, 3}, 100, "detour 1 (start 98 ps, length 3 ps) ends after the period"},
        {{0, 98}, {1, INT64_MAX}, 100, "detour 1"},
        {{0, 50}, {50, 50}, 100, "fill the whole period of 100 ps"},
        {{0, 1}, {1, 1}, 0, "out of range"},
        {{0, 1}, {1, 1}, SIM_TIME_MAX + 1, "out of range"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(noise_detour_trace) t =
            noise_detour_trace_new(row[i].start, row[i].length, 2, row[i].period, &error);
        CHECK(t == NULL, "row %zu", i);
        CHECK_ERROR(error, row[i].message);
    }
}

SUITE_MAIN("detour_trace", TEST(finish_matches_table),
           TEST(detours_may_touch_both_ends_of_the_period), TEST(no_detours_mean_no_delay),
           TEST(finish_agrees_with_counting_every_picosecond),
           TEST(what_is_left_alone_is_left_alone_until_then), TEST(splitting_work_changes_nothing),
           TEST(starting_later_or_working_longer_never_ends_earlier),
           TEST(bursts_and_long_quiet_times_are_exact),
           TEST(results_past_the_range_of_time_are_capped), TEST(bad_detours_are_refused_by_number))
