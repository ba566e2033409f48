/* tests/noise/miner/test_miner_rhythms.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Two sources of one length on one rank are told apart by their rhythms. True periods and numbers
 * by hand from how the streams are made. */
#include "check.h"
#include "miner_oracle.h"

#define LENGTH (20 * SIM_US)

static noise_miner *mine_one_rank(const sim_time *period, size_t n, sim_time poisson, guint64 seed)
{
    noise_miner *m = modern_miner();
    oracle o;
    oracle_init(&o, seed);
    for (size_t i = 0; i < n; i++) {
        oracle_add_periodic(&o, (sim_time)(seed % 7 + i + 1) * 321 * SIM_US, period[i], LENGTH,
                            10 * SIM_S);
    }
    if (poisson > 0) {
        oracle_add_poisson(&o, poisson, LENGTH, 10 * SIM_S);
    }
    oracle_sort(&o);
    oracle_run(&o, m, 0, 150 * SIM_US, 2 * SIM_US, 10 * SIM_S);
    oracle_clear(&o);
    return m;
}

static void check_periods(const noise_miner_report *report, const sim_time *period, size_t n,
                          const char *text)
{
    if (!CHECK(report->num_rows == n, "%s", text)) {
        return;
    }
    for (size_t i = 0; i < n; i++) { /* the most frequent first: the largest share */
        const noise_miner_row *row = &report->rows[i];
        const double hits = 10.0 * SIM_S / (double)period[i];
        CHECK_I64(row->t_noise, LENGTH, "%s", text);
        CHECK_NEAR(row->period, period[i], 1e-3 * (double)period[i], "%s", text);
        /* Of two on one beat nobody knows which was whose. */
        CHECK_NEAR(row->count, hits, 0.1 * hits + 2, "%s", text);
        CHECK_I64(row->num_ranks, 1, "%s", text);
    }
}

static void two_periods_of_one_length_are_two_rows(void)
{
    static const sim_time pairs[][2] = {
        {4 * SIM_MS, 70 * SIM_MS},
        {10 * SIM_MS, 33 * SIM_MS},
        {7 * SIM_MS, 9 * SIM_MS},
        {20 * SIM_MS, 27300 * SIM_US},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++) {
        for (guint64 seed = 1; seed <= 3; seed++) {
            g_autoptr(noise_miner) m = mine_one_rank(pairs[i], 2, 0, seed);
            g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
            g_autofree char *text = oracle_print(report);
            check_periods(report, pairs[i], 2, text);
        }
    }
}

static void three_periods_of_one_length_are_three_rows(void)
{
    static const sim_time periods[] = {5 * SIM_MS, 13 * SIM_MS, 41 * SIM_MS};
    g_autoptr(noise_miner) m = mine_one_rank(periods, 3, 0, 2);
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    g_autofree char *text = oracle_print(report);
    check_periods(report, periods, 3, text);
}

static void one_period_is_one_row(void)
{
    static const sim_time periods[] = {4 * SIM_MS, 33 * SIM_MS, 70 * SIM_MS};
    for (size_t i = 0; i < G_N_ELEMENTS(periods); i++) {
        g_autoptr(noise_miner) m = mine_one_rank(&periods[i], 1, 0, i);
        g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
        g_autofree char *text = oracle_print(report);
        check_periods(report, &periods[i], 1, text);
    }
}

/* What comes at random beside a rhythm has none of its own. */
static void hits_at_random_are_no_second_rhythm(void)
{
    const sim_time period = 10 * SIM_MS;
    for (guint64 seed = 1; seed <= 10; seed++) {
        g_autoptr(noise_miner) m = mine_one_rank(&period, 1, 30 * SIM_MS, seed);
        g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
        g_autofree char *text = oracle_print(report);
        if (CHECK(report->num_rows == 1, "%s", text)) {
            CHECK_NEAR(report->rows[0].period, period, 1e-3 * (double)period, "%s", text);
        }
    }
}

SUITE_MAIN("miner_rhythms", TEST(two_periods_of_one_length_are_two_rows),
           TEST(three_periods_of_one_length_are_three_rows), TEST(one_period_is_one_row),
           TEST(hits_at_random_are_no_second_rhythm))
