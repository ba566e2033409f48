/* tests/apps/experiment/test_experiment_report.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "by_hand.h"
#include "check.h"
#include "experiment/scaling.h"
#include "findings/experiment_figures.h"
#include "findings/experiment_report.h"
#include "folder.h"
#include "options/sizes.h"
#include "report/figure.h"

#include <glib/gstdio.h>

enum { NUM_SERIES = 6, NUM_RUNS = 10 };

/* Often enough. */
static const app_met MET = {.by_rank = 30, .by_run = 30, .share = 0.01, .ranks = 64};

static app_findings *findings_of(const app_results *results)
{
    static app_noise noise;
    if (noise.signature == NULL) {
        noise.signature = noise_signature_parse("poisson:1ms:10us", 1, NULL);
    }
    return app_findings_new(results, &noise, NULL);
}

/* Two sizes, three modes; numbers by hand: replica i takes base * (1 + i/10) at the small size,
 * and 5 times that at the large one. */
static app_results *results_by_hand(void)
{
    app_results *results = g_new0(app_results, 1);
    results->noisy = true;
    results->num_series = NUM_SERIES;
    results->series = g_new0(app_series, NUM_SERIES);
    for (unsigned i = 0; i < NUM_SERIES; i++) {
        app_series *s = &results->series[i];
        s->ranks = i < 3 ? 64 : 1024;
        s->mode = (app_mode)(i % 3);
        s->ideal = 100 * SIM_US;
        s->num_ops = (uint64_t)s->ranks * 100;
        s->num_runs = s->mode == APP_IDEAL ? 1 : NUM_RUNS;
        s->runs = g_new0(app_run, s->num_runs);
        sim_time makespans[NUM_RUNS] = {0};
        for (uint32_t r = 0; r < s->num_runs; r++) {
            const int64_t tenths = s->mode == APP_UNSYNCHRONIZED ? (i < 3 ? 1 : 5) * (int64_t)r : 0;
            makespans[r] = s->ideal / 10 * (10 + tenths);
            s->runs[r].makespan = makespans[r];
        }
        s->times = app_statistics_of(makespans, s->num_runs, 0.95);
        if (s->mode != APP_IDEAL) {
            double slowdowns[NUM_RUNS];
            for (uint32_t r = 0; r < NUM_RUNS; r++) {
                slowdowns[r] = app_slowdown(s, makespans[r]);
            }
            s->slowdown = app_mean_of(slowdowns, NUM_RUNS, 1);
            s->passes = 1;
            s->met = g_memdup2(&MET, sizeof MET);
            s->num_met = 1;
        }
        s->has_breakdown = true;
        s->breakdown = (sim_breakdown){.compute = 70 * SIM_US, .L = 30 * SIM_US};
    }
    return results;
}

static void a_report_is_a_page_and_three_figures(void)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-report-XXXXXX", NULL);
    g_autoptr(app_results) results = results_by_hand();
    g_autoptr(app_findings) findings = findings_of(results);
    char *argv[] = {NULL};
    g_autoptr(app_manifest) manifest = app_manifest_new("run", argv);
    static const noise_miner_report nothing_mined;
    const app_report report = {.title = "By hand",
                               .program = "nothing",
                               .manifest = manifest,
                               .findings = findings,
                               .mined = &nothing_mined,
                               .mined_from = "CPU 0: too loud\nCPU 1: too loud"};
    g_autoptr(GError) error = NULL;
    CHECK(app_report_write(&report, folder, &error), "%s", error != NULL ? error->message : "");
    static const char *const files[] = {"report.html",  "slowdown.csv", "slowdown.gp",
                                        "replicas.csv", "replicas.gp",  "where.csv",
                                        "where.gp"};
    static const char *const drawings[] = {"slowdown.svg", "replicas.svg", "where.svg"};
    for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *path = g_build_filename(folder, files[i], NULL);
        CHECK(g_file_test(path, G_FILE_TEST_IS_REGULAR), "%s", files[i]);
    }
    for (size_t i = 0; app_figure_can_draw() && i < G_N_ELEMENTS(drawings); i++) {
        g_autofree char *path = g_build_filename(folder, drawings[i], NULL);
        CHECK(g_file_test(path, G_FILE_TEST_IS_REGULAR), "%s", drawings[i]);
    }
    g_autofree char *csv_path = g_build_filename(folder, "slowdown.csv", NULL);
    g_autofree char *csv = NULL;
    CHECK(g_file_get_contents(csv_path, &csv, NULL, NULL));
    /* Means of 0, 10, ... 90 % and of 0, 50, ... 450 %; nothing when co-scheduled. */
    CHECK(strstr(csv, "\n64,unsynchronized,45,") != NULL, "%s", csv);
    CHECK(strstr(csv, "\n1024,unsynchronized,225,") != NULL, "%s", csv);
    CHECK(strstr(csv, "\n1024,co-scheduled,0,0,0,0,no effect\n") != NULL, "%s", csv);
    g_autofree char *page_path = g_build_filename(folder, "report.html", NULL);
    g_autofree char *page = NULL;
    CHECK(g_file_get_contents(page_path, &page, NULL, NULL));
    /* 225 +- 2.262 * 151.4 / sqrt(10) */
    CHECK(strstr(page, "225 % (117 % .. 333 %, 95 % interval, 10 replicas)") != NULL);
    CHECK(strstr(page, "circles are outliers. Of one pass from a cold start. Files:") != NULL,
          "the caption says under which condition the figure holds");
    CHECK(strstr(page, "<p>CPU 0: too loud</p>\n<p>CPU 1: too loud</p>") != NULL);
    folder_remove(folder);
}

static void a_report_that_cannot_be_written_leaves_nothing(void)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-report-XXXXXX", NULL);
    g_autofree char *file = g_build_filename(folder, "in-the-way", NULL);
    CHECK(g_file_set_contents(file, "", -1, NULL));
    g_autofree char *below = g_build_filename(file, "report", NULL);
    g_autoptr(app_results) results = results_by_hand();
    g_autoptr(app_findings) findings = findings_of(results);
    char *argv[] = {NULL};
    g_autoptr(app_manifest) manifest = app_manifest_new("run", argv);
    const app_report report = {
        .title = "By hand", .program = "nothing", .manifest = manifest, .findings = findings};
    g_autoptr(GError) error = NULL;
    CHECK(!app_report_write(&report, below, &error));
    CHECK_ERROR(error, "in-the-way");
    folder_remove(folder);
}

/* Three passes of 100 us, 20 % slower in the long run: 120 us each. */
static void in_the_long_run_a_figure_shows_one_pass(void)
{
    static const hand_series row = {.ranks = 64,
                                    .mode = APP_UNSYNCHRONIZED,
                                    .quantity = APP_STEADY,
                                    .n = 5,
                                    .slowdown = {0.2, 0.2, 0.2, 0.2, 0.2},
                                    .by_rank = 50,
                                    .by_run = 500};
    g_autoptr(app_results) results = hand_results(&row, 1);
    g_autoptr(app_findings) findings =
        app_findings_new(results, hand_noise("poisson:1ms:10us"), NULL);
    g_autoptr(app_chart) chart = app_figure_replicas(findings);
    CHECK(strstr(chart->csv, "120000") != NULL && strstr(chart->csv, "360000") == NULL &&
              strstr(chart->csv, "300000") == NULL,
          "%s", chart->csv);
    CHECK_STR(chart->title, "How long a pass takes in each replica");
}

/* Nothing is drawn as if it stood on enough where the measurement is not valid. */
static void points_of_an_invalid_measurement_are_hollow(void)
{
    static const hand_series row = {.ranks = 64,
                                    .mode = APP_UNSYNCHRONIZED,
                                    .n = 5,
                                    .slowdown = {0.2, 0.21, 0.2, 0.22, 0.2},
                                    .by_rank = 50,
                                    .by_run = 500};
    g_autofree char *invalid =
        g_build_filename(RIPPLE_TEST_DATA, "..", "cli", "data", "invalid.detours", NULL);
    const char *const noises[] = {"poisson:1ms:10us", invalid};
    for (int i = 0; i < 2; i++) {
        g_autoptr(app_results) results = hand_results(&row, 1);
        g_autoptr(app_findings) findings = app_findings_new(results, hand_noise(noises[i]), NULL);
        g_autoptr(app_chart) chart = app_figure_slowdown(findings);
        g_autofree char *end = g_strdup_printf(",%d,", i); /* hollow; no remark */
        CHECK(strstr(chart->csv, end) != NULL, "%s", chart->csv);
        CHECK((strstr(chart->caption, "The measurement is not valid.") != NULL) == (i == 1), "%s",
              chart->caption);
    }
}

static void sizes_are_multiples_of_what_was_recorded(void)
{
    static const struct {
        uint32_t unit;
        uint32_t n;
        uint32_t size[6];
    } rows[] = {
        {16, 6, {64, 256, 1024, 4096, 16384, 65536}},
        {1, 6, {64, 256, 1024, 4096, 16384, 65536}},
        {27, 5, {81, 324, 1296, 5184, 20736}},
        {100000, 1, {100000}},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        size_t n = 0;
        g_autofree uint32_t *sizes = app_scaling_sizes(rows[i].unit, 64, 65536, &n);
        CHECK_I64(n, rows[i].n, "unit %u", rows[i].unit);
        for (size_t j = 0; j < n && j < rows[i].n; j++) {
            CHECK_I64(sizes[j], rows[i].size[j], "unit %u", rows[i].unit);
        }
    }
}

static void large_programs_get_fewer_replicas(void)
{
    CHECK_I64(app_scaling_replicas(10, 0, false), 10);
    CHECK_I64(app_scaling_replicas(10, 1000000, false), 10);
    CHECK_I64(app_scaling_replicas(1000, 1000000, false), 40);
    CHECK_I64(app_scaling_replicas(10, 80000000, false), 5);
    CHECK_I64(app_scaling_replicas(10, 80000001, false), 1);
    CHECK_I64(app_scaling_replicas(3, 50000000, false), 3);
    CHECK_I64(app_scaling_replicas(1000, 1000000, true), 640);
    CHECK_I64(app_scaling_replicas(10, 1000000000, true), 5);
    CHECK_I64(app_scaling_replicas(10, 3000000000, true), 1);
}

SUITE_MAIN("report", TEST(a_report_is_a_page_and_three_figures),
           TEST(a_report_that_cannot_be_written_leaves_nothing),
           TEST(in_the_long_run_a_figure_shows_one_pass),
           TEST(points_of_an_invalid_measurement_are_hollow),
           TEST(sizes_are_multiples_of_what_was_recorded), TEST(large_programs_get_fewer_replicas))
