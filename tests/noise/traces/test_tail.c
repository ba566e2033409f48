/* tests/noise/traces/test_tail.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "noise/random.h"
#include "noise/tail.h"

/* One detour every 100 us, of these lengths in us. */
static noise_tail tail_of(const int *us, size_t n)
{
    g_autofree sim_time *start = g_new(sim_time, n + 1);
    g_autofree sim_time *length = g_new(sim_time, n + 1);
    for (size_t i = 0; i < n; i++) {
        start[i] = (sim_time)i * 100 * SIM_US;
        length[i] = us[i] * SIM_US;
    }
    g_autoptr(noise_detour_trace) trace =
        noise_detour_trace_new(start, length, n, (sim_time)(n + 1) * 100 * SIM_US, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(trace);
    return noise_tail_of(trace);
}

static void what_was_seen_fewer_than_five_times_is_the_tail(void)
{
    static const struct {
        int us[8];
        size_t n;
        uint32_t count;
        int longest, shortest;
    } row[] = {
        {{0}, 0, 0, 0, 0},
        {{7}, 1, 1, 7, 7},
        {{1, 1, 1, 1}, 4, 4, 1, 1},
        {{1, 1, 1, 1, 1}, 5, 0, 0, 0},
        {{1, 1, 90, 1, 1, 1}, 6, 1, 90, 90},
        /* 2 is no more than twice the fifth longest: of the size of the others */
        {{1, 2, 1, 1, 1, 1}, 6, 0, 0, 0},
        {{1, 3, 1, 1, 1, 1}, 6, 1, 3, 3},
        {{1, 3, 1, 2, 1, 1}, 6, 1, 3, 3},
        {{9, 1, 50, 1, 1, 1, 1, 1}, 8, 2, 50, 9},
        /* four of 30 are the tail, a fifth of that size takes them out of it */
        {{30, 31, 32, 33, 1, 2}, 6, 4, 33, 30},
        {{30, 31, 32, 33, 1, 16}, 6, 1, 33, 33},
        {{30, 31, 32, 33, 17, 2}, 6, 0, 0, 0},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        const noise_tail tail = tail_of(row[i].us, row[i].n);
        CHECK_I64(tail.count, row[i].count, "row %zu", i);
        CHECK_I64(tail.longest, row[i].longest * SIM_US, "row %zu", i);
        CHECK_I64(tail.shortest, row[i].shortest * SIM_US, "row %zu", i);
        CHECK_I64(tail.measured, (sim_time)(row[i].n + 1) * 100 * SIM_US, "row %zu", i);
    }
}

/* By the definition: count, for each detour, those at least half as long. */
static void it_is_the_tail_of_the_definition(void)
{
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        int us[8];
        const size_t n = noise_random_below(seed, 0, 0, 9);
        for (size_t i = 0; i < n; i++) {
            us[i] = 1 + (int)noise_random_below(seed, 1, i, 12);
        }
        uint32_t count = 0;
        for (size_t i = 0; i < n; i++) {
            unsigned alike = 0;
            for (size_t j = 0; j < n; j++) {
                alike += 2 * us[j] >= us[i];
            }
            count += alike < 5;
        }
        CHECK_I64(tail_of(us, n).count, count, "seed %" G_GUINT64_FORMAT, seed);
    }
}

static void a_run_lives_longer_than_it_was_measured(void)
{
    /* By hand: 128Ki ranks for 96 ms live 12,583 s = 3.5 h; once in 30 s is 419 times in that;
     * five times 3.5 h are needed. */
    const noise_tail once = {1, SIM_S, SIM_S, 30 * SIM_S};
    const noise_tail_reach r = noise_tail_reach_of(&once, 131072, 96 * SIM_MS);
    CHECK_NEAR(r.lived / (double)SIM_S, 12582.912, 1e-9);
    CHECK_NEAR(r.expected, 419.4304, 1e-9);
    /* Seen once in 30 s, on 1 Mi ranks: 30 s / 2^20. */
    const noise_tail rare = {1, SIM_MS, SIM_MS, 30 * SIM_S};
    CHECK_NEAR(noise_tail_reach_of(&rare, 1048576, SIM_S).every / SIM_US, 28.6102, 1e-4);
    CHECK_NEAR(r.needed / (double)SIM_S, 62914.56, 1e-9);

    const noise_tail twice = {2, SIM_S, SIM_S, 10 * SIM_S};
    CHECK_NEAR(noise_tail_reach_of(&twice, 1, 15 * SIM_S).expected, 3, 1e-12);
    const noise_tail none = {.measured = SIM_S};
    CHECK_NEAR(noise_tail_reach_of(&none, 5, SIM_S).expected, 0, 0);
}

SUITE_MAIN("tail", TEST(what_was_seen_fewer_than_five_times_is_the_tail),
           TEST(it_is_the_tail_of_the_definition), TEST(a_run_lives_longer_than_it_was_measured))
