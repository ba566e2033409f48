/* tests/apps/experiment/test_app_experiment.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiment/experiment.h"
#include "output/progress.h"
#include "sim/run_record.h"
#include "sim/unit.h"
#include "trial.h"

#include <glib/gstdio.h>

/** One experiment on a collective, from options to results; everything it takes to run it. */
typedef struct setup {
    trial trial;
    bool one_by_one; /* no lanes: somebody could listen to the runs */
    bool no_symmetry;
    bool no_breakdown; /* nothing but lanes, where there are any */
    const char *record;
    uint64_t memory;
} setup;

/* Listens to none of the runs, but might have. */
static sim_sink *no_sink(void *data, uint32_t ranks, app_mode mode, uint32_t replica)
{
    (void)data;
    (void)ranks;
    (void)mode;
    (void)replica;
    return NULL;
}

static void run(setup *s, const char *program, const char *ranks, const char *noise,
                const char *cosched, unsigned threads)
{
    g_autoptr(GError) error = NULL;
    trial_open(&s->trial, program, ranks, noise, cosched, noise != NULL ? "9" : NULL);
    app_experiment experiment = trial_experiment(&s->trial, threads);
    experiment.keep_finish = true;
    experiment.no_breakdown = s->no_breakdown;
    experiment.no_symmetry = s->no_symmetry;
    experiment.explain = !s->no_breakdown;
    experiment.record = s->record;
    experiment.record_label = "of a test";
    experiment.memory = s->memory;
    experiment.sink = s->one_by_one ? no_sink : NULL;
    s->trial.results = app_experiment_run(&experiment, &error);
    g_assert_no_error(error);
}

static void without_noise_there_is_the_ideal_run_only(void)
{
    setup s = {0};
    run(&s, "collective:barrier:dissemination", "4,8", NULL, NULL, 2);
    CHECK(!s.trial.results->noisy);
    CHECK_I64(s.trial.results->num_series, 2);
    for (size_t i = 0; i < s.trial.results->num_series; i++) {
        const app_series *series = &s.trial.results->series[i];
        CHECK_I64(series->mode, APP_IDEAL);
        CHECK_I64(series->num_runs, 1);
        /* docs/collectives.md, section 6.4: log2(P) rounds of o + L + o, b = 0, no contention */
        const sim_params *p = &s.trial.machine->params;
        CHECK_I64(series->ideal, (sim_time)(i + 2) * (2 * p->o + p->L));
    }
    trial_close(&s.trial);
}

static void modes_come_size_by_size_ideal_first(void)
{
    setup s = {0};
    run(&s, "collective:barrier", "2,16", "fixed:1kHz:100us", "1us", 2);
    CHECK_I64(s.trial.results->num_series, 6);
    for (size_t i = 0; i < s.trial.results->num_series; i++) {
        const app_series *series = &s.trial.results->series[i];
        CHECK_I64(series->ranks, i < 3 ? 2 : 16);
        CHECK_I64(series->mode, i % 3);
        CHECK_I64(series->num_runs, i % 3 == 0 ? 1 : 9);
        CHECK_I64(series->ideal, s.trial.results->series[i / 3 * 3].runs[0].makespan);
    }
    trial_close(&s.trial);
}

static void noise_never_makes_a_chain_faster(void)
{
    /* docs/model.md, section 6.2 */
    setup s = {0};
    run(&s, "collective:allreduce:ring:64", "24", "fixed:1kHz:100us+poisson:1ms:20us", "", 2);
    for (size_t i = 1; i < s.trial.results->num_series; i++) {
        const app_series *series = &s.trial.results->series[i];
        for (uint32_t r = 0; r < series->num_runs; r++) {
            for (uint32_t rank = 0; rank < series->ranks; rank++) {
                CHECK(series->runs[r].finish[rank] >=
                          s.trial.results->series[0].runs[0].finish[rank],
                      "series %zu replica %u rank %u", i, r, rank);
            }
        }
    }
    trial_close(&s.trial);
}

static void results_do_not_depend_on_the_number_of_threads(void)
{
    setup one = {0};
    setup many = {0};
    run(&one, "collective:alltoall:8", "4,31", "fixed:2kHz:50us", "500ns", 1);
    run(&many, "collective:alltoall:8", "4,31", "fixed:2kHz:50us", "500ns", 7);
    for (size_t i = 0; i < one.trial.results->num_series; i++) {
        const app_series *a = &one.trial.results->series[i];
        const app_series *b = &many.trial.results->series[i];
        for (uint32_t r = 0; r < a->num_runs; r++) {
            CHECK(memcmp(a->runs[r].finish, b->runs[r].finish, a->ranks * sizeof(sim_time)) == 0,
                  "series %zu replica %u", i, r);
        }
        CHECK_STR(a->explanation->sentence, b->explanation->sentence, "series %zu", i);
    }
    trial_close(&one.trial);
    trial_close(&many.trial);
}

static void results_do_not_depend_on_how_replicas_are_run(void)
{
    setup way[4] = {{.one_by_one = true},
                    {.no_breakdown = false},
                    {.no_breakdown = true},
                    {.no_breakdown = true, .no_symmetry = true}};
    for (size_t i = 0; i < G_N_ELEMENTS(way); i++) {
        run(&way[i], "collective:reduce_scatter:ring:96Ki", "5,24", "fixed:2kHz:50us@2-30", "2us",
            2);
    }
    for (size_t i = 0; i < way[0].trial.results->num_series; i++) {
        const app_series *a = &way[0].trial.results->series[i];
        CHECK(!a->in_lanes, "series %zu", i);
        for (size_t j = 1; j < G_N_ELEMENTS(way); j++) {
            const app_series *b = &way[j].trial.results->series[i];
            const bool symmetric = b->mode == APP_IDEAL && j == 2;
            CHECK(b->in_lanes == (b->mode != APP_IDEAL || j == 3), "series %zu, way %zu", i, j);
            CHECK_I64(b->representatives, symmetric ? 1 : 0, "series %zu, way %zu", i, j);
            CHECK(b->has_breakdown == (j < 2), "series %zu, way %zu", i, j);
            CHECK_I64(b->num_ops, a->num_ops, "series %zu, way %zu", i, j);
            CHECK_I64(b->num_messages, a->num_messages, "series %zu, way %zu", i, j);
            for (uint32_t r = 0; r < a->num_runs; r++) {
                CHECK_I64(b->runs[r].makespan, a->runs[r].makespan, "replica %u, way %zu", r, j);
                CHECK(memcmp(a->runs[r].finish, b->runs[r].finish, a->ranks * sizeof(sim_time)) ==
                          0,
                      "series %zu replica %u, way %zu", i, r, j);
            }
        }
    }
    for (size_t i = 0; i < G_N_ELEMENTS(way); i++) {
        trial_close(&way[i].trial);
    }
}

static void breakdown_adds_up_to_the_makespan_of_replica_0(void)
{
    setup s = {0};
    run(&s, "collective:reduce:4Ki", "33", "fixed:5kHz:40us", "", 2);
    for (size_t i = 0; i < s.trial.results->num_series; i++) {
        const app_series *series = &s.trial.results->series[i];
        const sim_breakdown *b = &series->breakdown;
        CHECK(series->has_breakdown, "series %zu", i);
        CHECK_I64(b->compute + b->o + b->O + b->L + b->gap + b->peer_noise + b->noise,
                  series->runs[0].makespan, "series %zu", i);
    }
    trial_close(&s.trial);
}

static void written_out_and_computed_programs_take_the_same_time(void)
{
    static const char *const programs[] = {
        "collective:barrier",       "collective:allreduce:recursive-doubling:100",
        "collective:bcast:1Ki",     "collective:reduce_scatter:7",
        "collective:gatherv:64",    "collective:allgatherv:5",
        "collective:alltoallv:100", "collective:exscan:8",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(programs); i++) {
        for (uint32_t ranks = 1; ranks <= 9; ranks++) {
            setup s = {0};
            g_autofree char *text = g_strdup_printf("%u", ranks);
            run(&s, programs[i], text, NULL, NULL, 1);
            g_autoptr(GError) error = NULL;
            const sim_graph *graph = app_source_graph(s.trial.source, ranks, &error);
            g_assert_no_error(error);
            sim_graph *own; /* sim_run() wants a program, and leaves it as it is */
            // NOLINTNEXTLINE(bugprone-sizeof-expression): the size of the pointer is meant
            memcpy(&own, &graph, sizeof own);
            g_autoptr(sim_result) result =
                sim_run(sim_graph_program(own), &s.trial.machine->params, NULL, &error);
            g_assert_no_error(error);
            CHECK_I64(result->makespan, s.trial.results->series[0].ideal, "%s at %u", programs[i],
                      ranks);
            trial_close(&s.trial);
        }
    }
}

/* Looks, while a run hands it its events, at how far all runs have come. */
typedef struct onlooker {
    sim_sink sink;
    app_progress *progress;
    double share;
    unsigned rises;
    bool fell;
} onlooker;

static void look(sim_sink *sink, const sim_event *events, size_t n)
{
    onlooker *o = (onlooker *)sink;
    (void)events;
    (void)n;
    const double share = app_progress_share(o->progress);
    o->fell |= share < o->share;
    o->rises += share > o->share;
    o->share = share;
}

static sim_sink *onlooker_sink(void *data, uint32_t ranks, app_mode mode, uint32_t replica)
{
    onlooker *o = data;
    (void)ranks;
    (void)mode;
    (void)replica;
    return &o->sink;
}

typedef struct census {
    unsigned asked;      /* for a sink */
    unsigned for_others; /* than replica 0 */
} census;

static sim_sink *count_runs(void *data, uint32_t ranks, app_mode mode, uint32_t replica)
{
    census *c = data;
    (void)ranks;
    (void)mode;
    c->asked++;
    c->for_others += replica > 0;
    return NULL;
}

static void who_listens_to_the_first_replica_leaves_the_others_in_lanes(void)
{
    setup s = {.one_by_one = true};
    run(&s, "collective:barrier", "64", "fixed:1kHz:100us", NULL, 1);
    census c = {0};
    app_experiment experiment = trial_experiment(&s.trial, 1);
    experiment.no_breakdown = true;
    experiment.sink = count_runs;
    experiment.sink_data = &c;
    experiment.sink_of_first = true;
    g_autoptr(GError) error = NULL;
    g_autoptr(app_results) results = app_experiment_run(&experiment, &error);
    g_assert_no_error(error);
    CHECK_I64(c.asked, results->num_series, "once for each mode");
    CHECK_I64(c.for_others, 0, "not for other replicas");
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *in_lanes = &results->series[i];
        const app_series *alone = &s.trial.results->series[i];
        CHECK(in_lanes->in_lanes == (in_lanes->num_runs > 1));
        for (uint32_t r = 0; r < alone->num_runs; r++) {
            CHECK_I64(in_lanes->runs[r].makespan, alone->runs[r].makespan, "replica %u", r);
        }
    }
    trial_close(&s.trial);
}

static void progress_goes_on_inside_a_run(void)
{
    enum { RANKS = 1 << 14 };
    setup s = {0};
    run(&s, "collective:barrier", "2", "fixed:1kHz:100us", NULL, 1);
    const uint32_t sizes[] = {RANKS};
    g_autoptr(app_progress) progress = app_progress_new("test", "runs", true);
    onlooker o = {.sink = {.events = look}, .progress = progress};
    s.trial.noise.replicas = 2;
    app_experiment experiment = trial_experiment(&s.trial, 1);
    experiment.sizes = sizes;
    experiment.num_sizes = G_N_ELEMENTS(sizes);
    experiment.no_breakdown = true;
    experiment.sink = onlooker_sink;
    experiment.sink_data = &o;
    experiment.progress = progress;
    g_autoptr(GError) error = NULL;
    g_autoptr(app_results) results = app_experiment_run(&experiment, &error);
    g_assert_no_error(error);
    CHECK(o.rises >= 5, "%u times", o.rises); /* three of it when a run was through */
    CHECK(!o.fell && o.share < 1);
    CHECK(app_progress_share(progress) == 1);
    trial_close(&s.trial);
}

static void records_say_the_same_in_memory_and_in_files(void)
{
    static const char PROGRAM[] = "collective:allreduce:ring:64";
    static const char NOISE[] = "fixed:1kHz:100us+poisson:1ms:20us";
    g_autofree char *folder = g_dir_make_tmp("ripple.XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "run.hb", NULL);
    setup in_memory = {0};
    setup spilled = {.memory = 1}; /* no record fits */
    setup kept = {.record = path};
    run(&in_memory, PROGRAM, "24", NOISE, "", 2);
    run(&spilled, PROGRAM, "24", NOISE, "", 2);
    run(&kept, PROGRAM, "24", NOISE, "", 2);
    for (size_t i = 0; i < in_memory.trial.results->num_series; i++) {
        const app_series *s = &in_memory.trial.results->series[i];
        CHECK(s->has_breakdown);
        for (int k = 0; k < 2; k++) {
            const app_series *other = &(k == 0 ? spilled : kept).trial.results->series[i];
            CHECK(other->has_breakdown);
            CHECK(memcmp(&s->breakdown, &other->breakdown, sizeof s->breakdown) == 0);
            CHECK_I64(other->explanation->length, s->explanation->length);
        }
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_run_record) record = sim_run_record_open(path, &error);
    g_assert_no_error(error);
    CHECK_STR(sim_run_record_label(record), "of a test");
    g_autoptr(sim_result) result = sim_run_record_explain(record, &error);
    g_assert_no_error(error);
    const app_series *noisy = &in_memory.trial.results->series[APP_UNSYNCHRONIZED];
    CHECK_I64(result->makespan, noisy->runs[0].makespan);
    CHECK(memcmp(&result->breakdown, &noisy->breakdown, sizeof result->breakdown) == 0);
    (void)g_unlink(path);
    (void)g_rmdir(folder);
    trial_close(&in_memory.trial);
    trial_close(&spilled.trial);
    trial_close(&kept.trial);
}

SUITE_MAIN("app_experiment", TEST(without_noise_there_is_the_ideal_run_only),
           TEST(modes_come_size_by_size_ideal_first), TEST(noise_never_makes_a_chain_faster),
           TEST(results_do_not_depend_on_the_number_of_threads),
           TEST(results_do_not_depend_on_how_replicas_are_run),
           TEST(breakdown_adds_up_to_the_makespan_of_replica_0),
           TEST(written_out_and_computed_programs_take_the_same_time),
           TEST(who_listens_to_the_first_replica_leaves_the_others_in_lanes),
           TEST(records_say_the_same_in_memory_and_in_files), TEST(progress_goes_on_inside_a_run))
