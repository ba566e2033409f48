/* tests/apps/experiment/test_workload.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* What an experiment is planned to do, against what it then does. */
#include "check.h"
#include "experiment/pace.h"
#include "experiment/scaling.h"
#include "experiment/workload.h"
#include "options/machine_options.h"
#include "output/progress.h"
#include "sim/noise_lanes.h"

#include <math.h>

/* An experiment, and what it borrows. */
typedef struct setup {
    app_source *source;
    sim_machine *machine;
    app_noise noise;
    app_experiment x;
} setup;

/* @param roots as of --roots; NULL: the default */
static void begin_rooted(setup *s, const char *program, const char *roots, const char *noise,
                         bool cosched, uint32_t replicas, const uint32_t *sizes, size_t n)
{
    char *argv[] = {NULL};
    g_autoptr(GError) error = NULL;
    g_autoptr(app_manifest) manifest = app_manifest_new("test", argv);
    g_autofree char *own_roots = g_strdup(roots);
    const app_program_options program_options = {.roots = own_roots};
    const app_machine_options machine_options = {0};
    s->source = app_source_open(program, &program_options, false, manifest, &error);
    g_assert_no_error(error);
    s->machine = app_machine_options_resolve(&machine_options, manifest, &error);
    g_assert_no_error(error);
    s->noise = (app_noise){.signature = noise_signature_parse(noise, 1, &error),
                           .cosched = cosched,
                           .replicas = replicas};
    g_assert_no_error(error);
    s->x = (app_experiment){.source = s->source,
                            .sizes = sizes,
                            .num_sizes = n,
                            .params = &s->machine->params,
                            .noise = &s->noise,
                            .seed = 1,
                            .threads = 2,
                            .verb = "test",
                            .quiet = true};
}

static void begin(setup *s, const char *program, const char *noise, bool cosched, uint32_t replicas,
                  const uint32_t *sizes, size_t n)
{
    begin_rooted(s, program, NULL, noise, cosched, replicas, sizes, n);
}

static void finish(setup *s)
{
    app_source_free(s->source);
    sim_machine_free(s->machine);
    app_noise_clear(&s->noise);
}

static void larger_and_recorded_runs_are_more_work(void)
{
    CHECK(app_work_of_run(64, 1000, false) == 1000);
    CHECK(app_work_of_run(4096, 1000, false) == 1000);
    CHECK(app_work_of_run(4096, 1000, true) > 2000);
    CHECK(fabs(app_work_of_run(16384, 1000, false) - 1050) < 1e-9);
    CHECK(fabs(app_work_of_run(1 << 20, 1000, false) - 1000 * pow(1.05, 4)) < 1e-9);
    CHECK(app_work_of_lanes(16, 1000) < 1000.0 / SIM_LANES, "eight at once");
    CHECK(app_work_of_lanes(1000, 2000) > 1000, "no less than a step of each rank");
}

/* Counted by hand: which runs there are, and which of them are recorded or go in lanes. */
static void runs_are_counted_as_they_will_be_made(void)
{
    static const struct {
        const char *noise;
        double engine; /* operations */
        double lanes;
        uint64_t runs;
        uint32_t replicas;
        bool cosched;
        bool no_breakdown;
        bool in_lanes;
        bool symmetry;
    } row[] = {
        {"none", 1, 0, 1, 10, false, true, false, false},
        {"none", 0, 1, 1, 10, false, true, true, false},
        {"fixed:1kHz:1us", 11, 0, 11, 10, false, true, false, false},
        {"fixed:1kHz:1us", 21, 0, 21, 10, true, true, false, false},
        {"fixed:1kHz:1us", 18 + 3 * 2.5, 0, 21, 10, true, false, false, false},
        {"fixed:1kHz:1us", 0, 1 + 2 + 2, 21, 10, true, true, true, false},
        {"fixed:1kHz:1us", 3 * 2.5, 2 + 2, 21, 10, true, false, true, false},
        {"fixed:1kHz:1us", 3 * 2.5, 0, 3, 1, true, false, true, false},
        {"fixed:1kHz:1us", 2 * 2.5, 1, 10, 9, false, false, true, false},
        /* One of the 64 ranks stands for all; not in what is broken down under noise. */
        {"none", 1 / 64.0, 0, 1, 10, false, true, true, true},
        {"fixed:1kHz:1us", 11 / 64.0, 2, 21, 10, true, true, true, true},
        {"fixed:1kHz:1us", (2.5 + 9) / 64 + 2 * 2.5, 2, 21, 10, true, false, true, true},
    };
    static const uint32_t sizes[] = {64};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        setup s;
        begin(&s, "collective:barrier", row[i].noise, row[i].cosched, row[i].replicas, sizes, 1);
        s.x.no_breakdown = row[i].no_breakdown;
        s.x.no_symmetry = !row[i].symmetry;
        const app_work work = app_workload_at(&s.x, 64, 6400, row[i].in_lanes);
        CHECK_I64(work.runs, row[i].runs, "row %zu", i);
        CHECK(fabs(work.engine - 6400 * row[i].engine) < 1e-6, "row %zu: %g", i, work.engine);
        CHECK(fabs(work.lanes - row[i].lanes * app_work_of_lanes(64, 6400)) < 1e-6, "row %zu: %g",
              i, work.lanes);
        finish(&s);
    }
}

static void which_programs_go_in_lanes_is_known_before(void)
{
    static const char *const programs[] = {"collective:allreduce:8B", "collective:barrier",
                                           "collective:bcast:binomial:1Ki", TRACES "/halo-cg-16"};
    static const uint32_t sizes[] = {64, 256};
    for (size_t i = 0; i < G_N_ELEMENTS(programs); i++) {
        setup s;
        begin(&s, programs[i], "fixed:1kHz:1us", true, 10, sizes, 2);
        const bool in_lanes = app_workload_in_lanes(&s.x);
        g_autoptr(GError) error = NULL;
        g_autoptr(app_results) results = app_experiment_run(&s.x, &error);
        g_assert_no_error(error);
        CHECK(in_lanes == results->series[1].in_lanes, "%s", programs[i]);
        finish(&s);
    }
}

/* One progress of a whole command, whose experiments were all planned: it ends where it should. */
static void what_is_done_in_the_end_is_what_was_planned(void)
{
    static const struct {
        const char *program;
        const char *roots;
        const char *noise;
    } row[] = {
        {"collective:allreduce:8B", NULL, "jaguar"},
        {TRACES "/ocean-pcg-16", NULL, "jaguar"},
        /* 16 of the ranks stand for all: in the ideal runs, and without noise in those recorded */
        {TRACES "/ocean-pcg-16", "copy", "jaguar"},
        {TRACES "/ocean-pcg-16", "copy", "none"},
    };
    static const uint32_t sizes[] = {64, 256, 1024};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        setup s;
        begin_rooted(&s, row[i].program, row[i].roots, row[i].noise, true, 3, sizes,
                     G_N_ELEMENTS(sizes));
        g_autoptr(GError) error = NULL;
        g_autoptr(app_progress) progress = app_progress_new("test", "runs", true);
        double planned[G_N_ELEMENTS(sizes)];
        double all = 0;
        for (size_t j = 0; j < G_N_ELEMENTS(sizes); j++) {
            app_work work;
            CHECK(app_workload_plan(&s.x, sizes[j], app_workload_in_lanes(&s.x), &work, &error));
            planned[j] = app_work_total(&work);
            all += planned[j];
            app_progress_expect(progress, (int64_t)work.runs, planned[j]);
        }
        double sum = 0;
        s.x.progress = progress;
        for (size_t j = 0; j < G_N_ELEMENTS(sizes); j++) {
            app_experiment one = s.x;
            one.sizes = &sizes[j];
            one.num_sizes = 1;
            one.planned = &planned[j];
            g_autoptr(app_results) results = app_experiment_run(&one, &error);
            g_assert_no_error(error);
            sum += planned[j];
            const double share = app_progress_share(progress);
            CHECK(fabs(share / (sum / all) - 1) < 0.02, "row %zu, %u ranks: %g, planned %g", i,
                  sizes[j], share, sum / all);
        }
        CHECK(app_progress_share(progress) > 1 - 1e-9);
        CHECK(app_progress_left(progress) < 1e-6);
        finish(&s);
    }
}

static void a_step_has_room_as_the_last_one_tells(void)
{
    app_pace pace = app_pace_new(10);
    CHECK(app_pace_has_room(&pace, 1e30)); /* the first */
    app_pace_begin_step(&pace);
    app_pace_end_step(&pace, 100);
    CHECK(pace.per_work > 0);
    pace.per_work = 0.01;
    CHECK(app_pace_has_room(&pace, 900));
    CHECK(!app_pace_has_room(&pace, 1001));
    pace.began -= G_GINT64_CONSTANT(5) * G_USEC_PER_SEC; /* half of it is over */
    CHECK(!app_pace_has_room(&pace, 900));
    CHECK(app_pace_has_room(&pace, 400));
    pace.seconds = INFINITY;
    CHECK(app_pace_has_room(&pace, 1e30));
}

/* Sizes of @p results, left out or there. */
static void check_sizes(const app_results *results, const uint32_t *sizes, size_t there, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        CHECK(app_results_have(results, sizes[i]) == (i < there), "%u ranks", sizes[i]);
    }
    CHECK_I64(results->num_left_out, n - there);
    for (size_t i = there; i < n && i - there < results->num_left_out; i++) {
        CHECK_I64(results->left_out[i - there], sizes[i]);
    }
}

/* At 32Ki ranks a run of all makes 15 million operations, more than are recorded; the run of the 16
 * that stand for them is recorded. Counted by the run itself. */
static void a_record_is_planned_as_the_few_ranks_that_are_run(void)
{
    static const uint32_t sizes[] = {1 << 15};
    g_autoptr(GError) error = NULL;
    setup s;
    begin_rooted(&s, TRACES "/ocean-pcg-16", "copy", "none", false, 1, sizes, 1);
    app_work few;
    app_work all;
    CHECK(app_workload_plan(&s.x, sizes[0], false, &few, &error));
    g_autoptr(app_results) results = app_experiment_run(&s.x, &error);
    g_assert_no_error(error);
    const uint64_t ops = results->series[0].num_ops;
    CHECK(ops > APP_BREAKDOWN_OPS && results->series[0].has_breakdown);
    CHECK(fabs(few.engine / app_work_of_run(16, ops / (sizes[0] / 16), true) - 1) < 1e-3, "%g",
          few.engine);
    s.x.no_symmetry = true;
    CHECK(app_workload_plan(&s.x, sizes[0], false, &all, &error));
    CHECK(fabs(all.engine / app_work_of_run(sizes[0], ops, false) - 1) < 1e-3, "%g", all.engine);
    finish(&s);
}

/* Where sizes are left out: by the time; of a trace as soon as there would be one replica (150
 * million operations of halo-cg-16 at 256Ki ranks). */
static void sizes_that_take_too_long_are_left_out(void)
{
    static const uint32_t sizes[] = {64, 1024, 2048};
    static const uint32_t of_trace[] = {64, 1 << 18, 1 << 20};
    g_autoptr(GError) error = NULL;
    setup s;
    begin(&s, "collective:allreduce:8B", "fixed:1kHz:1us", true, 10, sizes, G_N_ELEMENTS(sizes));
    g_autoptr(app_results) none = app_scaling_run_within(&s.x, 0, &error);
    g_assert_no_error(error);
    check_sizes(none, sizes, 1, G_N_ELEMENTS(sizes));
    g_autoptr(app_results) all = app_scaling_run_within(&s.x, 1e6, &error);
    g_assert_no_error(error);
    check_sizes(all, sizes, 3, G_N_ELEMENTS(sizes));
    finish(&s);
    begin(&s, TRACES "/halo-cg-16", "jaguar", false, 10, of_trace, G_N_ELEMENTS(of_trace));
    g_autoptr(app_results) trace = app_scaling_run_within(&s.x, 1e6, &error);
    g_assert_no_error(error);
    check_sizes(trace, of_trace, 1, G_N_ELEMENTS(of_trace));
    finish(&s);
}

SUITE_MAIN("workload", TEST(larger_and_recorded_runs_are_more_work),
           TEST(runs_are_counted_as_they_will_be_made),
           TEST(which_programs_go_in_lanes_is_known_before),
           TEST(what_is_done_in_the_end_is_what_was_planned),
           TEST(a_record_is_planned_as_the_few_ranks_that_are_run),
           TEST(a_step_has_room_as_the_last_one_tells), TEST(sizes_that_take_too_long_are_left_out))
