/* tests/noise/miner/test_miner_projections.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Mode projections. Every number: docs/noise-miner.md, section 4, column "mode projections": the
 * original program was given these streams, and an independent one agrees. */
#include "check.h"
#include "miner_vectors.h"

#include <math.h>

static noise_miner *projections_miner(void)
{
    noise_miner_options options;
    noise_miner_options_init(&options, NOISE_MINER_PROJECTIONS);
    return noise_miner_new(&options);
}

/* All in us; ranks are first..last, @p ranks of them. */
typedef struct wanted {
    sim_time noise;
    uint64_t count;
    sim_time period;
    double importance; /* 0: not asked for */
    const char *label;
    uint32_t first;
    uint32_t last;
    uint32_t ranks;
} wanted;

static void check_row(const noise_miner_report *report, size_t i, wanted w)
{
    if (!CHECK(i < report->num_rows, "row %zu", i)) {
        return;
    }
    const noise_miner_row *row = &report->rows[i];
    CHECK_I64(row->t_noise, w.noise * SIM_US);
    CHECK_I64(row->count, w.count);
    CHECK_I64(row->period, w.period * SIM_US);
    CHECK_STR(row->label, w.label);
    CHECK(w.importance == 0 || fabs(row->importance - w.importance) < 5e-8 * w.importance, "%.9g",
          row->importance);
    CHECK(row->ranks_exact && row->num_ranges >= 1);
    CHECK_I64(row->num_ranks, w.ranks);
    CHECK_I64(row->ranks[0][0], w.first);
    CHECK_I64(row->ranks[row->num_ranges - 1][1], w.last);
}

static void check_one(noise_miner *m, wanted w)
{
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    CHECK_I64(report->num_rows, 1);
    CHECK_I64(report->num_faster, 0);
    check_row(report, 0, w);
}

static void check_none(noise_miner *m, uint64_t dropped)
{
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    CHECK_I64(report->num_rows, 0);
    CHECK_I64(report->num_faster, 0);
    CHECK_I64(report->dropped_rows, dropped);
}

static void case_a_one_rank_one_type(void)
{
    g_autoptr(noise_miner) m = projections_miner();
    vector_a(m);
    check_one(m, (wanted){5700, 20, 14915, 3.3050528, "internal", 0, 0, 1});
}

static void case_b_two_ranks_two_types(void)
{
    g_autoptr(noise_miner) m = projections_miner();
    vector_b(m, 137);
    check_one(m, (wanted){5700, 200, 5184, 0, "internal", 0, 1, 2});
}

/* B': at the same instants on both ranks; a window keeps one of two that begin together. */
static void case_b_at_the_same_instants(void)
{
    g_autoptr(noise_miner) m = projections_miner();
    vector_b(m, 0);
    check_one(m, (wanted){5700, 200, 10730, 0, "internal", 0, 1, 2});
}

static void case_c_below_a_bin_is_not_seen(void)
{
    g_autoptr(noise_miner) m = projections_miner();
    vector_c(m);
    check_none(m, 0);
}

/* The bin with most events is expected, though three others hold more together: noise of 1,697.22
 * us in 72 events. Alone, they outweigh bin 0 of the second histogram, whose group is left out as
 * that without noise: nothing is reported. With 100 more events as expected they are. */
static void case_e_reference_is_the_heaviest_bin(void)
{
    static const vector_bin bins[] = {{450, 30}, {2050, 25}, {2150, 24}, {2250, 23}};
    for (uint64_t clean = 0; clean <= 100; clean += 100) {
        g_autoptr(noise_miner) m = projections_miner();
        sim_time t = vector_of_bins(m, bins, G_N_ELEMENTS(bins), 10);
        for (uint64_t i = 0; i < clean; i++) {
            t = vector_add(m, 0, 1, t, 70) + 10;
        }
        g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
        CHECK_I64(report->num_rows, clean > 0 ? 1 : 0);
        for (size_t i = 0; i < report->num_rows; i++) {
            CHECK_NEAR(report->rows[i].t_noise, 1697.22 * SIM_US, 0.005 * SIM_US);
            CHECK_I64(report->rows[i].count, 72);
        }
    }
}

static void case_f_external(void)
{
    g_autoptr(noise_miner) m = projections_miner();
    vector_f(m);
    /* 12000 / 96666 ln 12000; the document says 1.166 */
    check_one(m, (wanted){12000, 400, 96666, 1.16599366, "external", 0, 0, 1});
}

static void case_g_one_bin_averages_two_sources(void)
{
    g_autoptr(noise_miner) m = projections_miner();
    vector_g(m);
    /* 250000 / 3866666 ln 250000 = 0.80361: just above the limit of 0.8 */
    check_one(m, (wanted){250000, 100, 3866666, 0, "external", 0, 0, 1});
}

static void case_h_what_is_shorter_is_left_out(void)
{
    g_autoptr(noise_miner) m = projections_miner();
    vector_h(m);
    check_none(m, 0);
}

static void case_t1_headline_of_the_paper(void)
{
    g_autoptr(noise_miner) m = projections_miner();
    vector_t1(m);
    check_one(m, (wanted){5700, 1425, 21049, 0, "internal", 0, 0, 1});
}

static void case_t2_weighted_merge(void)
{
    g_autoptr(noise_miner) m = projections_miner();
    vector_t2(m);
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    CHECK_I64(report->num_rows, 1);
    /* the 30 most recent are all of rank 3: 29 * 10,800 / 30 */
    check_row(report, 0, (wanted){5750, 400, 10440, 0, "internal", 0, 3, 2});
    CHECK_I64(report->rows[0].num_ranges, 2);
}

/* 5700 / (29 s / 30) ln 5700 for a spacing s of 60 and of 120 ms. */
static void case_t3_threshold(void)
{
    static const struct {
        sim_time spacing;
        double importance; /* kept */
        uint64_t dropped;
    } rows[] = {{60000, 0.849911419, 0}, {120000, 0, 1}};
    for (size_t r = 0; r < G_N_ELEMENTS(rows); r++) {
        g_autoptr(noise_miner) m = projections_miner();
        vector_t3(m, rows[r].spacing);
        if (rows[r].dropped > 0) {
            check_none(m, rows[r].dropped);
        } else {
            check_one(m, (wanted){5700, 100, 58000, rows[r].importance, "internal", 0, 0, 1});
        }
    }
}

/* Below what is dropped at 120 ms lies a limit of 0.42: importance is 0.42495. */
static void the_threshold_is_an_option(void)
{
    for (int k = 0; k < 2; k++) {
        noise_miner_options options;
        noise_miner_options_init(&options, NOISE_MINER_PROJECTIONS);
        options.cutoff = k == 0 ? 0.4249 : 0.4250;
        g_autoptr(noise_miner) m = noise_miner_new(&options);
        vector_t3(m, 120000);
        g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
        CHECK_I64(report->num_rows, k == 0 ? 1 : 0);
    }
}

static void five_occurrences_are_too_few(void)
{
    for (int hits = 5; hits <= 6; hits++) {
        g_autoptr(noise_miner) m = projections_miner();
        vector_add_hits(m, 0, hits, 10, 5700, 600);
        g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
        CHECK_I64(report->num_rows, hits == 6 ? 1 : 0);
    }
}

static void leader_clustering_goes_in_order_of_ranks(void)
{
    for (int reversed = 0; reversed < 2; reversed++) { /* as the events come: no difference */
        g_autoptr(noise_miner) m = projections_miner();
        vector_merge(m, reversed > 0);
        g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
        CHECK_I64(report->num_rows, 2);
        CHECK_I64(report->rows[0].t_noise, 6450 * SIM_US); /* largest first */
        CHECK_I64(report->rows[0].count, 20);
        CHECK_I64(report->rows[1].t_noise, 5350 * SIM_US);
        CHECK_I64(report->rows[1].count, 40);
        CHECK_I64(report->rows[1].ranks[0][1], 1);
    }
}

/* Counts 5 3 4 2 in neighbouring bins, the valley goes to the hill that is taken away later:
 * {bin 0} and {bins 1 to 3}. With samples of 1 us in bin 0 and at the upper ends of the others,
 * noise is (3 * 199 + 4 * 299 + 2 * 399) / 9 - 1 us; 100 clean events of another type make bin 0
 * of noise the heaviest. */
static void valley_bin_joins_the_lower_hill(void)
{
    static const vector_bin bins[] = {{1, 5}, {199, 3}, {299, 4}, {399, 2}};
    g_autoptr(noise_miner) m = projections_miner();
    sim_time t = vector_of_bins(m, bins, G_N_ELEMENTS(bins), 1);
    for (int i = 0; i < 100; i++) {
        t = vector_add(m, 0, 1, t, 10) + 1;
    }
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    CHECK_I64(report->num_rows, 1);
    if (report->num_rows == 1) {
        CHECK_NEAR(report->rows[0].t_noise, (2591.0 / 9 - 1) * SIM_US, SIM_NS);
        CHECK_I64(report->rows[0].count, 9);
    }
}

/* A component in the bin beside that of no noise, with fewer events, is swallowed by it. */
static void noise_of_less_than_two_bins_is_swallowed(void)
{
    static const struct {
        sim_time noise;
        size_t rows;
    } rows[] = {{90, 0}, {150, 0}, {250, 1}};
    for (size_t r = 0; r < G_N_ELEMENTS(rows); r++) {
        g_autoptr(noise_miner) m = projections_miner();
        vector_add_hits(m, 0, 30, 2, 0, 600);
        sim_time t = SIM_S / SIM_US;
        for (int i = 0; i < 20; i++) {
            t = vector_add(m, 0, 1, t, 1000) + 10;
            t = vector_add(m, 0, 1, t, 1000) + 10;
            t = vector_add(m, 0, 1, t, 1000 + rows[r].noise) + 10;
        }
        g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
        CHECK_I64(report->num_rows + report->dropped_rows, rows[r].rows, "row %zu", r);
    }
}

static void fractions_of_a_microsecond_are_cut_off(void)
{
    g_autoptr(noise_miner) m = projections_miner();
    sim_time t = -SIM_MS; /* before 0 as well */
    for (int i = 0; i < 200; i++) {
        const sim_time start = t + 999 * SIM_NS;
        const sim_time end = t + (400 + (i % 10 == 9 ? 5700 : 0)) * SIM_US + 1;
        noise_miner_add(m, 0, 0, start, end, -1);
        t = end - 1 + 600 * SIM_US;
    }
    check_one(m, (wanted){5700, 20, 14915, 3.3050528, "internal", 0, 0, 1});
}

SUITE_MAIN("miner_projections", TEST(case_a_one_rank_one_type), TEST(case_b_two_ranks_two_types),
           TEST(case_b_at_the_same_instants), TEST(case_c_below_a_bin_is_not_seen),
           TEST(case_e_reference_is_the_heaviest_bin), TEST(case_f_external),
           TEST(case_g_one_bin_averages_two_sources), TEST(case_h_what_is_shorter_is_left_out),
           TEST(case_t1_headline_of_the_paper), TEST(case_t2_weighted_merge),
           TEST(case_t3_threshold), TEST(the_threshold_is_an_option),
           TEST(five_occurrences_are_too_few), TEST(leader_clustering_goes_in_order_of_ranks),
           TEST(valley_bin_joins_the_lower_hill), TEST(noise_of_less_than_two_bins_is_swallowed),
           TEST(fractions_of_a_microsecond_are_cut_off))
