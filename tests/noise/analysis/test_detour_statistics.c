/* tests/noise/analysis/test_detour_statistics.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "noise/detour_statistics.h"
#include "noise/random.h"

#include <math.h>

/* By hand: CPU 0 loses 10 + 30 of 100, CPU 1 20 of 100. */
static void shares_are_of_all_cpus_and_of_stretches_of_time(void)
{
    static const sim_time start[] = {0, 35};
    static const sim_time length[] = {10, 30};
    static const sim_time other_start[] = {80};
    static const sim_time other_length[] = {20};
    const noise_observation cpus[] = {{2, start, length, 100, NULL},
                                      {1, other_start, other_length, 100, NULL}};
    CHECK_NEAR(noise_stolen_share(cpus, 2), 0.3, 1e-12);
    CHECK_NEAR(noise_stolen_share(cpus, 0), 0, 0);
    double share[NOISE_TIME_BLOCKS]; /* 2 ps each */
    noise_share_blocks(cpus, 2, share);
    double sum = 0;
    for (size_t b = 0; b < NOISE_TIME_BLOCKS; b++) {
        sum += share[b];
        const double cpu0 = b < 5 || (b >= 18 && b < 32) ? 2 : b == 17 || b == 32 ? 1 : 0;
        const double cpu1 = b >= 40 ? 2 : 0;
        CHECK_NEAR(share[b], (cpu0 + cpu1) / 4, 1e-12, "block %zu", b);
    }
    CHECK_NEAR(sum / NOISE_TIME_BLOCKS, 0.3, 1e-12);
}

/* A detour may end a little after the loop did: nothing is lost. */
static void what_lies_beyond_the_end_counts_in_the_last_block(void)
{
    static const sim_time start[] = {95};
    static const sim_time length[] = {20};
    const noise_observation cpu = {1, start, length, 100, NULL};
    double share[NOISE_TIME_BLOCKS];
    noise_share_blocks(&cpu, 1, share);
    CHECK_NEAR(share[47] + share[48], (1.0 + 2.0) / 2, 1e-12);
    CHECK_NEAR(share[49], 17.0 / 2, 1e-12);
}

/* Conover, Practical Nonparametric Statistics, 3rd ed., section 3.2: fewer than k of n values are
 * below the quantile with the probability that the binomial terms sum up to. */
static double binomial_below(size_t n, double q, size_t k)
{
    double sum = 0;
    for (size_t i = 0; i < k; i++) {
        sum += exp(lgamma((double)n + 1) - lgamma((double)i + 1) - lgamma((double)(n - i) + 1) +
                   (double)i * log(q) + (double)(n - i) * log1p(-q));
    }
    return sum;
}

static void quantiles_come_with_exact_intervals(void)
{
    sim_time values[1000];
    for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
        values[i] = (sim_time)i + 1;
    }
    static const struct {
        size_t n;
        double q;
        sim_time value, low, high;
    } rows[] = {
        {16, 0.75, 12, 8, 16},  {1, 0.5, 1, 1, 1},        {10, 0.5, 5, 2, 9},
        {100, 0.5, 50, 40, 61}, {100, 0.99, 99, 97, 100}, {1000, 0.1, 100, 82, 120},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        const noise_quantile s = noise_quantile_of(values, rows[i].n, rows[i].q, 0.95);
        CHECK_I64(s.value, rows[i].value, "row %zu", i);
        CHECK_I64(s.low, rows[i].low, "row %zu", i);
        CHECK_I64(s.high, rows[i].high, "row %zu", i);
        const double level =
            1 - binomial_below(rows[i].n, rows[i].q, (size_t)s.low) -
            binomial_below(rows[i].n, 1 - rows[i].q, rows[i].n - (size_t)s.high + 1);
        CHECK_NEAR(s.level, fmax(level, 0), 1e-9, "row %zu", i);
    }
}

/* 1,000 samples of 200 exponential values: the interval holds the true quantile as often as it
 * says. */
static void intervals_hold_the_quantile_as_often_as_they_say(void)
{
    enum { SAMPLES = 1000, N = 200 };
    static const double q[] = {0.5, 0.9, 0.99};
    for (size_t k = 0; k < G_N_ELEMENTS(q); k++) {
        size_t held = 0;
        double level = 0;
        for (uint64_t s = 0; s < SAMPLES; s++) {
            sim_time value[N];
            sim_time start[N];
            for (uint64_t i = 0; i < N; i++) {
                value[i] = (sim_time)(-1e9 * log(noise_random_unit(1, s, i)));
                start[i] = (sim_time)i * SIM_S;
            }
            const noise_observation cpu = {N, start, value, N * SIM_S, NULL};
            size_t n = 0;
            g_autofree sim_time *sorted = noise_sorted_lengths(&cpu, 1, &n);
            const noise_quantile found = noise_quantile_of(sorted, n, q[k], 0.95);
            const double truth = -1e9 * log1p(-q[k]);
            held += (double)found.low <= truth && truth <= (double)found.high;
            level = found.level;
        }
        const double slack = 4 * sqrt(level * (1 - level) / SAMPLES);
        CHECK_NEAR((double)held / SAMPLES, level, slack, "quantile %g, seed 1", q[k]);
    }
}

/* Edges by hand: 8 bins per octave of ns. */
static void histograms_count_and_add_up(void)
{
    static const sim_time values[] = {1000, 3999, 4000, 1000000, 1023999, 1024000, 2000000};
    size_t n = 0;
    g_autofree noise_length_bin *bins = noise_length_histogram(values, G_N_ELEMENTS(values), &n);
    if (CHECK_I64(n, 5)) {
        CHECK(bins[0].from == 0 && bins[0].to == 4000 && bins[0].count == 2 && bins[0].above == 7);
        CHECK(bins[1].from == 4000 && bins[1].to == 8000 && bins[1].count == 1);
        CHECK(bins[2].from == 960 * SIM_NS && bins[2].to == 1024 * SIM_NS);
        CHECK(bins[2].count == 2 && bins[2].above == 4);
        CHECK(bins[3].from == 1024 * SIM_NS && bins[3].count == 1 && bins[3].above == 2);
        CHECK_NEAR(bins[2].time, 2023999, 0);
        CHECK(bins[4].from == 1920 * SIM_NS && bins[4].count == 1 && bins[4].above == 1);
    }
    CHECK(noise_length_histogram(NULL, 0, &n) == NULL && n == 0);
}

static void gaps_are_of_neighbours_on_one_cpu(void)
{
    static const sim_time start[] = {5, 20, 100};
    static const sim_time length[] = {1, 1, 1};
    const noise_observation cpus[] = {{3, start, length, 200, NULL}, {2, start, length, 200, NULL}};
    size_t n = 0;
    g_autofree sim_time *gaps = noise_sorted_gaps(cpus, 2, &n);
    if (CHECK_I64(n, 3)) {
        CHECK(gaps[0] == 15 && gaps[1] == 15 && gaps[2] == 80);
    }
}

/* spec of section 8: jaguar's detours of 2.5 ms every 20 s at w = 20 us strike from 5,500 ranks on;
 * by hand 13.863 s / 2.52 ms. */
static void bottlenecks_follow_from_interval_and_length(void)
{
    CHECK_NEAR(noise_bottleneck_ranks(20e12, 2.5e9, 20e6), 5501.2, 0.1);
    CHECK_NEAR(noise_bottleneck_ranks(1e6, 1e9, 0), 1, 0, "never below one rank");
}

SUITE_MAIN("detour_statistics", TEST(shares_are_of_all_cpus_and_of_stretches_of_time),
           TEST(what_lies_beyond_the_end_counts_in_the_last_block),
           TEST(quantiles_come_with_exact_intervals),
           TEST(intervals_hold_the_quantile_as_often_as_they_say),
           TEST(histograms_count_and_add_up), TEST(gaps_are_of_neighbours_on_one_cpu),
           TEST(bottlenecks_follow_from_interval_and_length))
