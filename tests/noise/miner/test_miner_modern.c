/* tests/noise/miner/test_miner_modern.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Mode modern where the expected duration must be found out, and its parts. Cases A to H and table
 * T4: docs/noise-miner.md, section 4; true periods by hand from how the streams are made. */
#include "check.h"
#include "miner_oracle.h"
#include "synopsis/histogram.h"

/* Add an event of whole microseconds; the time it ends. */
static sim_time add(noise_miner *miner, uint32_t rank, uint64_t type, sim_time start_us,
                    sim_time length_us)
{
    noise_miner_add(miner, rank, type, start_us * SIM_US, (start_us + length_us) * SIM_US, -1);
    return start_us + length_us;
}

/* docs/noise-miner.md, section 2, step 2; the last two by hand: floor(ns) below 64, and the edge of
 * the sum. */
static void bins_are_logarithmic(void)
{
    static const struct {
        sim_time ns;
        uint32_t bin;
    } rows[] = {{1000, 190},           {400000, 464}, {5700000, 587}, {100000000, 719},
                {1099511627775, 1151}, {0, 0},        {31, 31},       {63, 63}};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        CHECK_I64(miner_bin(rows[i].ns * SIM_NS), rows[i].bin, "row %zu", i);
    }
    CHECK_I64(miner_bin_floor(190), 992 * SIM_NS);
    CHECK_I64(miner_bin_floor(191), 1008 * SIM_NS);
    CHECK_NEAR(miner_bin_floor(587), 5.636 * SIM_MS, 0.001 * SIM_MS);
    CHECK_NEAR(miner_bin_floor(588), 5.768 * SIM_MS, 0.001 * SIM_MS);
    CHECK(miner_bin(INT64_MAX) < MINER_BINS);
    for (uint32_t bin = 0; bin < miner_bin(INT64_MAX); bin++) {
        const sim_time floor = miner_bin_floor(bin);
        CHECK(miner_bin(floor) == bin && miner_bin(miner_bin_floor(bin + 1) - 1) == bin, "bin %u",
              bin);
    }
}

static void check_one_row(noise_miner *m, sim_time noise, uint64_t count, sim_time period,
                          uint32_t ranks)
{
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    g_autofree char *text = oracle_print(report);
    if (CHECK(report->num_rows == 1, "%s", text)) {
        CHECK_I64(report->rows[0].t_noise, noise, "%s", text);
        CHECK_I64(report->rows[0].count, count, "%s", text);
        CHECK_NEAR(report->rows[0].period, period, 1e-3 * (double)period, "%s", text);
        CHECK_I64(report->rows[0].num_ranks, ranks, "%s", text);
    }
    CHECK_I64(report->num_faster, 0);
}

static void case_a_one_rank_one_type(void)
{
    g_autoptr(noise_miner) m = modern_miner();
    sim_time t = 0;
    for (int i = 0; i < 200; i++) {
        t = add(m, 0, 0, t, 400 + (i % 10 == 9 ? 5700 : 0)) + 600;
    }
    check_one_row(m, 5700 * SIM_US, 20, 15700 * SIM_US, 1);
}

static void case_b_two_ranks_two_types(void)
{
    for (int offset = 0; offset <= 137; offset += 137) { /* 0: case B' */
        g_autoptr(noise_miner) m = modern_miner();
        for (uint32_t rank = 0; rank < 2; rank++) {
            sim_time t = rank * (sim_time)offset;
            for (int i = 0; i < 300; i++) {
                t = add(m, rank, 0, t, 200) + 50;
                t = add(m, rank, 1, t, 1500 + (i % 3 == 2 ? 5700 : 0)) + 50;
            }
        }
        check_one_row(m, 5700 * SIM_US, 200, 11100 * SIM_US, 2);
    }
}

static void case_c_short_noise(void)
{
    g_autoptr(noise_miner) m = modern_miner();
    sim_time t = 0;
    for (int i = 0; i < 500; i++) {
        t = add(m, 0, 0, t, 300 + (i % 5 == 4 ? 60 : 0)) + 100;
    }
    check_one_row(m, 60 * SIM_US, 100, 2060 * SIM_US, 1);
}

static void case_f_external(void)
{
    g_autoptr(noise_miner) m = modern_miner();
    for (int i = 0; i < 4000; i++) {
        add(m, 0, 0, 10000 * (sim_time)i, 9000 + (i % 10 == 5 ? 12000 : 0));
    }
    check_one_row(m, 12 * SIM_MS, 400, 100 * SIM_MS, 1);
}

static void case_g_long_stalls_are_two_rows(void)
{
    g_autoptr(noise_miner) m = modern_miner();
    for (int i = 0; i < 400; i++) {
        const sim_time noise = i % 8 == 3 ? 150000 : i % 8 == 7 ? 350000 : 0;
        add(m, 0, 0, 1000000 * (sim_time)i, 2000 + noise);
    }
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    g_autofree char *text = oracle_print(report);
    if (CHECK(report->num_rows == 2, "%s", text)) {
        CHECK_I64(report->rows[0].t_noise, 350 * SIM_MS);
        CHECK_I64(report->rows[0].count, 50);
        CHECK_NEAR(report->rows[0].period, 8 * SIM_S, 8 * SIM_MS, "%s", text);
        CHECK_I64(report->rows[1].t_noise, 150 * SIM_MS);
        CHECK_I64(report->rows[1].count, 50);
        CHECK_NEAR(report->rows[1].period, 8 * SIM_S, 8 * SIM_MS, "%s", text);
    }
}

/* The lowest group with a quarter of the events is expected: 30 of 102. The three lengths above it,
 * each without any spread, are three rows; together they are the 1,697.22 us of 72 events. */
static void case_e_lowest_group_with_a_quarter_is_expected(void)
{
    static const struct {
        sim_time length;
        int count;
    } bins[] = {{450, 30}, {2050, 25}, {2150, 24}, {2250, 23}};
    g_autoptr(noise_miner) m = modern_miner();
    sim_time t = 0;
    for (size_t b = 0; b < G_N_ELEMENTS(bins); b++) {
        for (int i = 0; i < bins[b].count; i++) {
            t = add(m, 0, 0, t, bins[b].length) + 10;
        }
    }
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    g_autofree char *text = oracle_print(report);
    double sum = 0;
    uint64_t count = 0;
    for (size_t i = 0; i < report->num_rows; i++) {
        count += report->rows[i].count;
        sum += (double)report->rows[i].t_noise * (double)report->rows[i].count;
    }
    CHECK_I64(report->num_faster, 0, "%s", text);
    if (CHECK(count == 72, "%s", text)) {
        CHECK_NEAR(sum / 72, 1697.22 * SIM_US, 0.005 * SIM_US, "%s", text);
    }
}

/* 100 of 5,600 us on rank 0, 300 of 5,800 us on rank 3: lengths that differ by a bin are two rows
 * where neither spreads; their weighted mean is the 5,750 us of the published method. T3: sources
 * are judged by their share of the run time, so both spacings are found. */
static void cases_t2_and_t3(void)
{
    g_autoptr(noise_miner) m = modern_miner();
    for (uint32_t rank = 0; rank <= 3; rank += 3) {
        sim_time t = 0;
        for (int i = 0; i < (rank == 0 ? 500 : 1500); i++) {
            t = add(m, rank, 0, t, 400 + (i % 5 == 4 ? (rank == 0 ? 5600 : 5800) : 0)) + 10;
        }
    }
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    g_autofree char *text = oracle_print(report);
    if (CHECK(report->num_rows == 2, "%s", text)) {
        CHECK_I64(report->rows[0].t_noise, 5800 * SIM_US, "%s", text);
        CHECK_I64(report->rows[0].count, 300, "%s", text);
        CHECK_I64(report->rows[1].t_noise, 5600 * SIM_US, "%s", text);
        CHECK_I64(report->rows[1].count, 100, "%s", text);
    }
    for (sim_time spacing = 60000; spacing <= 120000; spacing *= 2) {
        g_autoptr(noise_miner) t3 = modern_miner();
        for (int i = 0; i < 100; i++) {
            const sim_time t = add(t3, 0, 0, spacing * i, 6100);
            add(t3, 0, 0, t + 1, 400);
            add(t3, 0, 0, t + 1000, 400);
        }
        check_one_row(t3, 5700 * SIM_US, 100, spacing * SIM_US, 1);
    }
}

static void case_h_short_outliers_are_faster(void)
{
    g_autoptr(noise_miner) m = modern_miner();
    sim_time t = 0;
    for (int i = 0; i < 400; i++) {
        t = add(m, 0, 0, t, i % 10 == 0 ? 1000 : 8000) + 100;
    }
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    CHECK_I64(report->num_rows, 0);
    if (CHECK(report->num_faster == 1)) {
        CHECK_I64(report->faster[0].t_noise, -7000 * SIM_US);
        CHECK_I64(report->faster[0].count, 40);
    }
}

static void case_t1_headline_of_the_paper(void)
{
    g_autoptr(noise_miner) m = modern_miner();
    for (int i = 0; i < 1425; i++) {
        const sim_time start = 21775 * (sim_time)i;
        sim_time t = add(m, 0, 0, start, 6100);
        for (int k = 0; k < 5; k++) {
            t = add(m, 0, 0, t, 400);
            add(m, 1, 0, start + 500 * (sim_time)k, 400);
        }
    }
    check_one_row(m, 5700 * SIM_US, 1425, 21775 * SIM_US, 1);
}

/* A hit of 5 us at each time, known to have been expected otherwise. */
static void check_rhythm(const char *name, const double *ms, size_t n, double wanted_ms,
                         double tolerance_ms, const char *label)
{
    g_autoptr(noise_miner) m = modern_miner();
    for (size_t i = 0; i < n; i++) {
        const sim_time t = (sim_time)llround((ms[i] + 10) * (double)SIM_MS);
        noise_miner_add(m, 0, 0, t, t + 10 * SIM_US, 5 * SIM_US);
    }
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    g_autofree char *text = oracle_print(report);
    if (CHECK(report->num_rows == 1, "%s: %s", name, text)) {
        CHECK_NEAR(report->rows[0].period, wanted_ms * SIM_MS, tolerance_ms * SIM_MS, "%s: %s",
                   name, text);
        CHECK(g_str_has_prefix(report->rows[0].label, label), "%s: %s", name, text);
    }
}

static void rhythms_of_table_t4(void)
{
    double strict[30];
    double jitter[30];
    double bursts[30];
    double random[30];
    double missing[31];
    size_t kept = 0;
    oracle o;
    oracle_init(&o, 5);
    for (int i = 0; i < 30; i++) {
        strict[i] = 10 * i;
        jitter[i] = 10 * i + (i % 2 == 0 ? -0.5 : 0.5);
        bursts[i] = 200 * (i / 10) + i % 10; // NOLINT(bugprone-integer-division): that is a burst
        random[i] = (i == 0 ? 0 : random[i - 1]) + 5 + 10 * oracle_unit(&o);
    }
    for (int i = 0; i < 43; i++) {
        if (i % 10 != 3 && i % 10 != 7 && i % 10 != 8) {
            missing[kept++] = 10 * i;
        }
    }
    check_rhythm("strict", strict, 30, 10, 0.001, "periodic 10ms");
    check_rhythm("missing", missing, kept, 10, 0.001, "periodic 10ms");
    check_rhythm("jitter", jitter, 30, 9.993, 0.02, "periodic");
    check_rhythm("bursts", bursts, 30, 200, 2, "periodic"); /* T4: 198.2, a point of its grid */
    check_rhythm("random", random, 30, 0, 0, "irregular");
    oracle_clear(&o);
}

/* Events come on the beats of the program; detours at random are seen only there. */
static void beats_of_the_program_are_no_rhythm(void)
{
    g_autoptr(noise_miner) m = modern_miner();
    for (uint64_t i = 0; i < 600; i++) {
        const bool hit = (i * i * 0x9e3779b97f4a7c15U) >> 61 == 0;
        add(m, 0, 0, (sim_time)i * 13500, 400 + (hit ? 3000 : 0));
    }
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    g_autofree char *text = oracle_print(report);
    if (CHECK(report->num_rows == 1, "%s", text)) {
        CHECK_I64(report->rows[0].t_noise, 3 * SIM_MS, "%s", text);
        CHECK_I64(report->rows[0].period, 0, "%s", text);
    }
}

/* Table T4, "2 PEs pooled": together they have no period, each for itself has. */
static void ranks_are_never_pooled(void)
{
    g_autoptr(noise_miner) m = modern_miner();
    for (uint32_t r = 0; r < 2; r++) {
        for (int i = 0; i < 30; i++) {
            const sim_time t = (sim_time)i * 10 * SIM_MS + (sim_time)r * 3700 * SIM_US;
            noise_miner_add(m, r, 0, t, t + 10 * SIM_US, 5 * SIM_US);
        }
    }
    check_one_row(m, 5 * SIM_US, 60, 10 * SIM_MS, 2);
}

/* 95 % interval of the mean: 1.96 s / sqrt(n), by a two-pass sum. */
static void interval_of_the_mean(void)
{
    g_autoptr(noise_miner) m = modern_miner();
    oracle o;
    oracle_init(&o, 11);
    enum { N = 400 };
    double value[N];
    double mean = 0;
    for (int i = 0; i < N; i++) {
        const double spread = oracle_unit(&o) + oracle_unit(&o) + oracle_unit(&o) - 1.5;
        const sim_time noise = (sim_time)(900e6 + 120e6 * spread);
        const sim_time t = (sim_time)i * 10 * SIM_MS;
        noise_miner_add(m, 0, 0, t, t + SIM_MS + noise, SIM_MS);
        value[i] = (double)noise;
        mean += value[i] / N;
    }
    double square = 0;
    for (int i = 0; i < N; i++) {
        square += (value[i] - mean) * (value[i] - mean);
    }
    const double margin = 1.959964 * sqrt(square / N / N);
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    g_autofree char *text = oracle_print(report);
    if (CHECK(report->num_rows == 1 && report->rows[0].count == N, "%s", text)) {
        CHECK_NEAR(report->rows[0].t_noise, mean, 1e-6 * mean);
        CHECK_NEAR(report->rows[0].t_noise_low, mean - margin, 1e-6 * mean);
        CHECK_NEAR(report->rows[0].t_noise_high, mean + margin, 1e-6 * mean);
    }
    oracle_clear(&o);
}

/* 1 of 1000 is a share that is below the limit, 2 are too few. */
static void rows_below_the_limits_are_counted(void)
{
    for (int hits = 2; hits <= 8; hits += 6) {
        noise_miner_options options;
        noise_miner_options_init(&options, NOISE_MINER_MODERN);
        options.min_share = hits == 2 ? 0 : 1.0;
        g_autoptr(noise_miner) m = noise_miner_new(&options);
        for (int i = 0; i < 1000; i++) {
            noise_miner_add(m, 0, 0, i * SIM_MS, i * SIM_MS + (i < hits ? 800 : 400) * SIM_US,
                            400 * SIM_US);
        }
        g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
        CHECK_I64(report->num_rows, 0);
        CHECK_I64(report->dropped_rows, hits == 8 ? 1 : 0);
        CHECK_I64(report->residue_events, hits == 8 ? 0 : 2); /* two are no peak */
    }
}

/* 3.2 us on a clock of whole microseconds: 3 or 4; and 7 us of noise now and then. */
static void rounding_of_the_clock_is_no_noise(void)
{
    for (sim_time tick = 0; tick <= SIM_US; tick += SIM_US) {
        noise_miner_options options;
        noise_miner_options_init(&options, NOISE_MINER_MODERN);
        options.tick = tick;
        g_autoptr(noise_miner) m = noise_miner_new(&options);
        sim_time t = 0;
        for (int i = 0; i < 1000; i++) {
            t = add(m, 0, 0, t, i % 5 == 4 ? 4 : (i % 10 == 7 ? 10 : 3)) + 100;
        }
        g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
        g_autofree char *text = oracle_print(report);
        CHECK_I64(report->num_rows, tick == 0 ? 2 : 1, "%s", text);
        CHECK_I64(report->rows[0].t_noise, 7 * SIM_US);
        CHECK_I64(report->rows[0].count, 100);
        CHECK_NEAR(report->rows[0].period, 1039 * SIM_US, SIM_US, "%s",
                   text); /* 3.2 * 10 + 7 + 1000 */
        CHECK_I64(report->num_faster, 0);
    }
}

/* 6 ms on rank 5, once in 100 ms. */
static void one_detour_in_a_short_run_is_told(void)
{
    for (int times = 1; times <= 2; times++) {
        g_autoptr(noise_miner) m = modern_miner();
        for (uint32_t rank = 0; rank < 8; rank++) {
            sim_time t = 0;
            for (int i = 0; i < 100; i++) {
                const bool hit = rank == 5 && (i == 40 || (times == 2 && i == 77));
                t = add(m, rank, 0, t, hit ? 6400 + (i == 77 ? 900 : 0) : 400) + 600;
            }
        }
        g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
        g_autofree char *text = oracle_print(report);
        CHECK_I64(report->num_rows, 0, "%s", text);
        if (CHECK_I64(report->num_singles, times, "%s", text)) {
            const noise_miner_single *last = &report->singles[times - 1]; /* the longest first */
            CHECK_I64(last->rank, 5);
            CHECK_I64(last->length, 6 * SIM_MS);
            CHECK_I64(last->start, 40 * SIM_MS);
            CHECK_NEAR(last->share, 0.006 / (times == 1 ? 0.1054 : 0.1123), 1e-4);
        }
        CHECK_I64(report->residue_events, times);
    }
}

/* What is small beside the run of its rank is not told. */
static void small_single_detours_are_not_told(void)
{
    g_autoptr(noise_miner) m = modern_miner();
    sim_time t = 0;
    for (int i = 0; i < 20000; i++) {
        t = add(m, 0, 0, t, i == 40 ? 10400 : 400) + 600; /* 10 ms of 20 s: below 1e-3 */
    }
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    CHECK_I64(report->num_singles, 0);
    CHECK_I64(report->residue_events, 1);
}

/* Recorded ranks that mostly wait: rests of a detour of 2 ms, of any length up to it, are no length
 * of their own but say that it is at least as long as the longest. */
static void rests_alone_give_a_bound(void)
{
    g_autoptr(noise_miner) m = modern_miner();
    oracle o;
    oracle_init(&o, 4);
    sim_time longest = 0;
    for (uint32_t rank = 0; rank < 4; rank++) {
        sim_time t = 0;
        for (int i = 0; i < 4000; i++) {
            const sim_time rest =
                i % 20 == 7 ? (sim_time)(oracle_unit(&o) * 2.0 * (double)SIM_MS) : 0;
            noise_miner_add(m, rank, 0, t, t + 10 * SIM_US + rest, rank < 2 ? 10 * SIM_US : -1);
            longest = MAX(longest, rest);
            t += 4 * SIM_MS;
        }
    }
    oracle_clear(&o);
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    g_autofree char *text = oracle_print(report);
    bool found = false;
    for (size_t i = 0; i < report->num_rows; i++) {
        const noise_miner_row *row = &report->rows[i];
        found = found || row->at_least;
        CHECK(!row->at_least || (row->t_noise <= longest + 2 * SIM_US && row->t_noise > SIM_MS),
              "%s", text);
    }
    CHECK(found, "%s", text);
    CHECK_I64(report->num_singles, 0, "%s", text);
}

SUITE_MAIN("miner_modern", TEST(bins_are_logarithmic), TEST(case_a_one_rank_one_type),
           TEST(case_b_two_ranks_two_types), TEST(case_c_short_noise), TEST(case_f_external),
           TEST(case_g_long_stalls_are_two_rows), TEST(case_h_short_outliers_are_faster),
           TEST(case_e_lowest_group_with_a_quarter_is_expected), TEST(cases_t2_and_t3),
           TEST(case_t1_headline_of_the_paper), TEST(rhythms_of_table_t4),
           TEST(beats_of_the_program_are_no_rhythm), TEST(ranks_are_never_pooled),
           TEST(one_detour_in_a_short_run_is_told), TEST(small_single_detours_are_not_told),
           TEST(rests_alone_give_a_bound), TEST(interval_of_the_mean),
           TEST(rows_below_the_limits_are_counted), TEST(rounding_of_the_clock_is_no_noise))
