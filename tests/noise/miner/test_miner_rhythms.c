/* tests/noise/miner/test_miner_rhythms.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Two sources of one length on one rank are told apart by their rhythms. True periods and numbers
 * by hand from how the streams are made. */
#include "check.h"
#include "miner_oracle.h"
#include "timing/period.h"

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

/* Table T4 of docs/noise-miner.md, section 4, in ms; Rayleigh for periods from 8 ms. */
typedef struct estimates {
    const char *name;
    double by_events, by_gaps, median, cv, period, period_slack, z;
} estimates;

static void check_classic(const estimates *want, const double *ms, size_t n)
{
    sim_time start[40];
    for (size_t i = 0; i < n; i++) {
        start[i] = (sim_time)llround((ms[i] + 10) * (double)SIM_MS);
    }
    const noise_miner_classic got = noise_miner_classic_of(start, n, 8.0 * (double)SIM_MS);
    const double unit = (double)SIM_MS;
    CHECK_NEAR((double)got.range_by_events / unit, want->by_events, 0.006, "%s", want->name);
    CHECK_NEAR((double)got.range_by_gaps / unit, want->by_gaps, 0.006, "%s", want->name);
    CHECK_NEAR((double)got.median_gap / unit, want->median, 1e-6, "%s", want->name);
    CHECK_NEAR(got.gap_cv, want->cv, 0.006, "%s", want->name);
    CHECK_NEAR((double)got.rayleigh_period / unit, want->period, want->period_slack, "%s",
               want->name);
    CHECK_NEAR(got.rayleigh_z, want->z, 0.1, "%s", want->name);
}

static void classic_estimators_of_table_t4(void)
{
    double strict[30];
    double jitter[30];
    double pooled[30];
    double bursts[30];
    double missing[31];
    size_t kept = 0;
    for (int i = 0; i < 30; i++) {
        strict[i] = 10 * i;
        jitter[i] = 10 * i + (i % 2 == 0 ? -0.5 : 0.5);
        pooled[i] =
            10.0 * (double)(i / 2) + (i % 2 == 0 ? 0 : 3.7); // NOLINT(bugprone-integer-division)
        bursts[i] = 200 * (i / 10) + i % 10; // NOLINT(bugprone-integer-division): that is a burst
    }
    for (int i = 0; i < 43; i++) {
        if (i % 10 != 3 && i % 10 != 7 && i % 10 != 8) {
            missing[kept++] = 10 * i;
        }
    }
    check_classic(&(estimates){"strict", 9.667, 10.000, 10, 0, 10, 0.001, 30}, strict, 30);
    check_classic(&(estimates){"missing", 13.548, 14, 10, 0.508, 10, 0.001, 31}, missing, kept);
    check_classic(&(estimates){"jitter", 9.70, 10.03, 11, 0.10, 9.993, 0.02, 27.1}, jitter, 30);
    check_classic(&(estimates){"pooled", 4.79, 4.96, 3.7, 0.26, 10.07, 0.05, 4.7}, pooled, 30);
    /* 9.993 and 198.2 are points of a grid */
    check_classic(&(estimates){"bursts", 13.63, 14.10, 1, 3.41, 200, 2, 29.7}, bursts, 30);
}

/* Of one instant, or of equal ones, nothing can be said. */
static void too_few_instants_have_no_estimate(void)
{
    const sim_time same[] = {SIM_S, SIM_S, SIM_S};
    for (size_t n = 0; n <= 3; n++) {
        const noise_miner_classic got = noise_miner_classic_of(same, n, 0);
        CHECK(got.range_by_events == 0 && got.rayleigh_period == 0 && got.gap_cv < 0, "%zu", n);
    }
}

/* Every 17th step of some 0.4 ms takes 6 ms longer; now and then another rank holds all up for 2
 * ms, so that hits fall out of step: still one source. */
static void a_rhythm_that_stumbles_is_one_row(void)
{
    g_autoptr(noise_miner) m = modern_miner();
    sim_time t = 0;
    for (int i = 1; i <= 1500; i++) {
        t += (i * 7) % 3 * SIM_US + 408 * SIM_US + (i % 29 == 0 ? 2 * SIM_MS : 0);
        const sim_time end = t + 2 * SIM_US + (i % 17 == 0 ? 6 * SIM_MS : 0);
        noise_miner_add(m, 0, 0, t, end, 2 * SIM_US);
        t = end;
    }
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    g_autofree char *text = oracle_print(report);
    if (CHECK_I64(report->num_rows, 1, "%s", text)) {
        CHECK_I64(report->rows[0].t_noise, 6 * SIM_MS, "%s", text);
        CHECK_I64(report->rows[0].count, 88, "%s", text);
    }
}

SUITE_MAIN("miner_rhythms", TEST(a_rhythm_that_stumbles_is_one_row),
           TEST(classic_estimators_of_table_t4), TEST(too_few_instants_have_no_estimate),
           TEST(two_periods_of_one_length_are_two_rows),
           TEST(three_periods_of_one_length_are_three_rows), TEST(one_period_is_one_row),
           TEST(hits_at_random_are_no_second_rhythm))
