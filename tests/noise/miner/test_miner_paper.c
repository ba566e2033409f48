/* tests/noise/miner/test_miner_paper.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Every number: docs/noise-miner.md, section 4, from an independent program. */
#include "check.h"
#include "miner_vectors.h"

static noise_miner *paper_miner(double cutoff)
{
    noise_miner_options options;
    noise_miner_options_init(&options, NOISE_MINER_PAPER);
    options.cutoff = cutoff;
    return noise_miner_new(&options);
}

/* t_noise and period in ps; ranks are first..last, all of them. */
static void check_row(const noise_miner_report *report, size_t i, sim_time noise, uint64_t count,
                      sim_time period, const char *label, uint32_t first, uint32_t last)
{
    if (!CHECK(i < report->num_rows, "row %zu", i)) {
        return;
    }
    const noise_miner_row *row = &report->rows[i];
    CHECK_I64(row->t_noise, noise);
    CHECK_I64(row->count, count);
    CHECK_I64(row->period, period);
    CHECK_STR(row->label, label);
    CHECK(row->ranks_exact && row->num_ranges >= 1);
    CHECK_I64(row->ranks[0][0], first);
    CHECK_I64(row->ranks[row->num_ranges - 1][1], last);
}

static noise_miner *case_a(double cutoff)
{
    noise_miner *m = paper_miner(cutoff);
    vector_a(m);
    return m;
}

static void case_a_one_rank_one_type(void)
{
    g_autoptr(noise_miner) m = case_a(0);
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    CHECK_I64(report->num_rows, 1);
    check_row(report, 0, 5700 * SIM_US, 20, 14915 * SIM_US, "internal", 0, 0);
    CHECK_I64(report->events, 200);
    CHECK_I64(report->num_faster, 0);
}

/* t_noise / period of case A is 0.38217. */
static void cutoff_drops_what_is_below(void)
{
    g_autoptr(noise_miner) kept = case_a(0.38216);
    g_autoptr(noise_miner_report) with = noise_miner_report_new(kept);
    CHECK_I64(with->num_rows, 1);
    g_autoptr(noise_miner) cut = case_a(0.38218);
    g_autoptr(noise_miner_report) without = noise_miner_report_new(cut);
    CHECK_I64(without->num_rows, 0);
    CHECK_I64(without->dropped_rows, 1);
}

/* B': both at the same instants. The windows keep 25 of each: 24 * 11,100 / 50. */
static void case_b_two_ranks_two_types(void)
{
    for (int offset = 0; offset <= 137; offset += 137) {
        g_autoptr(noise_miner) m = paper_miner(0);
        vector_b(m, offset);
        g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
        CHECK_I64(report->num_rows, 1);
        const sim_time period = (offset > 0 ? 533074 : 532800) * SIM_US / 100;
        check_row(report, 0, 5700 * SIM_US, 200, period, "internal", 0, 1);
        CHECK_I64(report->rows[0].num_ranks, 2);
    }
}

static void case_c_short_noise(void)
{
    g_autoptr(noise_miner) m = paper_miner(0);
    vector_c(m);
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    CHECK_I64(report->num_rows, 1);
    check_row(report, 0, 60 * SIM_US, 100, 20188 * SIM_US / 10, "internal", 0, 0);
}

static void case_f_external(void)
{
    g_autoptr(noise_miner) m = paper_miner(0);
    vector_f(m);
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    CHECK_I64(report->num_rows, 1);
    check_row(report, 0, 12 * SIM_MS, 400, 98000 * SIM_US, "external", 0, 0);
}

/* 49 * 4 s / 50. */
static void case_g_one_bin_averages_two_sources(void)
{
    g_autoptr(noise_miner) m = paper_miner(0);
    vector_g(m);
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    CHECK_I64(report->num_rows, 1);
    check_row(report, 0, 250 * SIM_MS, 100, 3920 * SIM_MS, "external", 0, 0);
}

/* t_noise / period of T1 is 5700 / 21339.5 = 0.26711, of T3 5700 / 58800 and 5700 / 117600. */
static void case_t3_cutoff_by_spacing(void)
{
    static const struct {
        sim_time spacing;
        double cutoff;
        size_t rows;
    } rows[] = {{21775, 0.2671, 1}, {21775, 0.2672, 0},  {60000, 0.0969, 1},
                {60000, 0.0970, 0}, {120000, 0.0484, 1}, {120000, 0.0485, 0}};
    for (size_t r = 0; r < G_N_ELEMENTS(rows); r++) {
        g_autoptr(noise_miner) m = paper_miner(rows[r].cutoff);
        vector_t3(m, rows[r].spacing);
        g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
        CHECK_I64(report->num_rows, rows[r].rows, "row %zu", r);
        CHECK_I64(report->dropped_rows, 1 - rows[r].rows, "row %zu", r);
    }
}

static void case_h_short_outliers_are_negative(void)
{
    g_autoptr(noise_miner) m = paper_miner(0);
    vector_h(m);
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    CHECK_I64(report->num_rows, 1);
    CHECK_I64(report->rows[0].t_noise, -7000 * SIM_US);
    CHECK_I64(report->rows[0].count, 40);
}

/* The bins of case E are of 100 us. The same counts in neighbouring bins of 10 us, so a tenth of
 * the lengths (405 us and 205, 215, 225 us, each 10 us apart): the reference is the group of the
 * three, -169.722 us stands for -1697.22 us. */
static void case_e_reference_is_the_largest_group(void)
{
    static const vector_bin bins[] = {{45, 30}, {205, 25}, {215, 24}, {225, 23}};
    g_autoptr(noise_miner) m = paper_miner(0);
    vector_of_bins(m, bins, G_N_ELEMENTS(bins), 10);
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    CHECK_I64(report->num_rows, 1);
    CHECK_NEAR(report->rows[0].t_noise, -169.722 * SIM_US, 0.001 * SIM_US);
    CHECK_I64(report->rows[0].count, 30);
}

/* docs/noise-miner.md, section 4, valleys: counts 5 3 4 2 in bins of 10 us, samples in mid-bin,
 * make groups with the means 8.75 and 28.33 us; the first has more events and is the reference. */
static void valley_bin_joins_the_larger_neighbour(void)
{
    static const vector_bin bins[] = {{5, 5}, {15, 3}, {25, 4}, {35, 2}};
    g_autoptr(noise_miner) m = paper_miner(0);
    vector_of_bins(m, bins, G_N_ELEMENTS(bins), 1);
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    CHECK_I64(report->num_rows, 1);
    CHECK_NEAR(report->rows[0].t_noise, (85.0 / 3 - 8.75) * SIM_US, 1);
    CHECK_I64(report->rows[0].count, 6);
}

static void case_t1_headline_of_the_paper(void)
{
    g_autoptr(noise_miner) m = paper_miner(0);
    vector_t1(m);
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    CHECK_I64(report->num_rows, 1);
    check_row(report, 0, 5700 * SIM_US, 1425, 213395 * SIM_US / 10, "internal", 0, 0);
}

static void case_t2_weighted_merge(void)
{
    g_autoptr(noise_miner) m = paper_miner(0);
    vector_t2(m);
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    CHECK_I64(report->num_rows, 1);
    CHECK_I64(report->rows[0].t_noise, 5750 * SIM_US);
    CHECK_I64(report->rows[0].count, 400);
    CHECK_I64(report->rows[0].num_ranks, 2);
    CHECK_I64(report->rows[0].num_ranges, 2);
    CHECK_I64(report->rows[0].ranks[1][0], 3);
}

/* docs/noise-miner.md, section 4, merge: leader clustering in the order of ranks with distance
 * 0.15: 5000, 5700 and 6450 us with 20 hits each give 5.35 ms on ranks 0 and 1, and 6.45 ms on
 * rank 2. */
static void leader_clustering_goes_in_order_of_ranks(void)
{
    g_autoptr(noise_miner) m = paper_miner(0);
    vector_merge(m, false);
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    CHECK_I64(report->num_rows, 2);
    CHECK_I64(report->rows[0].t_noise, 6450 * SIM_US); /* largest first */
    CHECK_I64(report->rows[0].count, 20);
    CHECK_I64(report->rows[1].t_noise, 5350 * SIM_US);
    CHECK_I64(report->rows[1].count, 40);
    CHECK_I64(report->rows[1].ranks[0][1], 1);
}

static void nothing_seen_reports_nothing(void)
{
    g_autoptr(noise_miner) m = paper_miner(0);
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    CHECK_I64(report->num_rows, 0);
    CHECK_I64(report->observed, 0);
    CHECK_I64(report->ranks_seen, 0);
}

SUITE_MAIN("miner_paper", TEST(case_a_one_rank_one_type), TEST(cutoff_drops_what_is_below),
           TEST(case_b_two_ranks_two_types), TEST(case_c_short_noise), TEST(case_f_external),
           TEST(case_g_one_bin_averages_two_sources), TEST(case_t3_cutoff_by_spacing),
           TEST(case_h_short_outliers_are_negative), TEST(case_e_reference_is_the_largest_group),
           TEST(valley_bin_joins_the_larger_neighbour), TEST(case_t1_headline_of_the_paper),
           TEST(case_t2_weighted_merge), TEST(leader_clustering_goes_in_order_of_ranks),
           TEST(nothing_seen_reports_nothing))
