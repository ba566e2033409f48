/* tests/apps/knockout/test_knockout.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "knockout/gain.h"
#include "knockout/knockout_findings.h"
#include "knockout/knockout_print.h"
#include "steady/steady.h"
#include "trial.h"

#include <math.h>
#include <string.h>

#define CALC_AND_REDUCE "pattern:calc=1ms,allreduce:8B*40"
static const char *const PARTS[] = {"fixed:100Hz:40us", "poisson:300ms:200us",
                                    "lognormal:50ms:30us:1"};
#define SUM "fixed:100Hz:40us+poisson:300ms:200us+lognormal:50ms:30us:1"

static app_knockout *run(const app_experiment *experiment, const app_results *results, bool pairs,
                         GError **error)
{
    const app_knockout_wish wish = {.wanted = true, .pairs = pairs};
    return app_knockout_run(experiment, results, &wish, error);
}

static app_knockout *knock_out(trial *t, const char *program, const char *ranks, const char *noise,
                               const char *cosched, bool pairs, unsigned threads)
{
    g_autoptr(GError) error = NULL;
    trial_open(t, program, ranks, noise, cosched, "9");
    const app_experiment experiment = trial_experiment(t, threads);
    t->results = app_experiment_run(&experiment, &error);
    g_assert_no_error(error);
    app_knockout *k = run(&experiment, t->results, pairs, &error);
    g_assert_no_error(error);
    return k;
}

static const app_knockout_gain *gain_of(const app_knockout *k, size_t table, const char *name)
{
    for (size_t i = 0; i < k->tables[table].num_gains; i++) {
        if (g_str_equal(k->parts[k->tables[table].gains[i].component].name, name)) {
            return &k->tables[table].gains[i];
        }
    }
    g_assert_not_reached();
}

/* Slowdowns of all replicas of the series of that mode, from an experiment of its own. */
static void slowdowns_of(const char *program, const char *ranks, const char *noise, app_mode mode,
                         double *out, size_t n)
{
    trial t = {0};
    g_autoptr(GError) error = NULL;
    trial_open(&t, program, ranks, noise, "", "9");
    const app_experiment experiment = trial_experiment(&t, 2);
    t.results = app_experiment_run(&experiment, &error);
    g_assert_no_error(error);
    for (size_t i = 0; i < t.results->num_series; i++) {
        const app_series *s = &t.results->series[i];
        for (size_t r = 0; s->mode == mode && r < n; r++) {
            out[r] = app_slowdown(s, s->runs[r].makespan);
        }
    }
    trial_close(&t);
}

/* The same numbers as from experiments with the text "without=...", taken apart by hand. */
static void a_gain_is_the_mean_of_paired_differences(void)
{
    static const char *const PROGRAMS[] = {CALC_AND_REDUCE, "collective:allreduce:1KiB"};
    for (size_t p = 0; p < G_N_ELEMENTS(PROGRAMS); p++) { /* engine; lanes */
        trial t = {0};
        g_autoptr(app_knockout) k = knock_out(&t, PROGRAMS[p], "48", SUM, "", true, 3);
        CHECK_I64(k->num_parts, 3);
        CHECK_I64(k->num_tables, 2);
        for (size_t table = 0; table < k->num_tables; table++) {
            const app_mode mode = k->tables[table].all->mode;
            double all[9] = {0};
            double without[3][9] = {{0}};
            slowdowns_of(PROGRAMS[p], "48", SUM, mode, all, 9);
            for (size_t i = 0; i < 3; i++) {
                g_autofree char *text = g_strdup_printf("%s+without=%s", SUM, PARTS[i]);
                slowdowns_of(PROGRAMS[p], "48", text, mode, without[i], 9);
                double gain[9];
                for (size_t r = 0; r < 9; r++) {
                    gain[r] = all[r] - without[i][r];
                }
                const app_mean want = app_mean_of(gain, 9, 1);
                const app_knockout_gain *got = gain_of(k, table, PARTS[i]);
                CHECK_NEAR(got->gain.mean, want.mean, 1e-12);
                CHECK_NEAR(got->gain.low, want.low, 1e-12);
                CHECK_NEAR(got->gain.high, want.high, 1e-12);
                CHECK_NEAR(got->without.mean, app_mean_of(without[i], 9, 1).mean, 1e-12);
            }
            for (size_t i = 0; i < k->tables[table].num_pairs; i++) {
                const app_knockout_gain *g = &k->tables[table].pairs[i];
                g_autofree char *text =
                    g_strdup_printf("%s+without=%s,%s", SUM, PARTS[g->component], PARTS[g->other]);
                double both[9];
                double more[9];
                slowdowns_of(PROGRAMS[p], "48", text, mode, both, 9);
                for (size_t r = 0; r < 9; r++) {
                    more[r] = all[r] - both[r] - (all[r] - without[g->component][r]) -
                              (all[r] - without[g->other][r]);
                }
                CHECK_NEAR(g->more.mean, app_mean_of(more, 9, 1).mean, 1e-12);
                CHECK_NEAR(g->more.low, app_mean_of(more, 9, 1).low, 1e-12);
            }
            CHECK_I64(k->tables[table].num_pairs, 3);
        }
        trial_close(&t);
    }
}

/* Of one component there is nothing else: without it the run is the ideal one. */
static void a_single_component_gains_the_whole_slowdown(void)
{
    trial t = {0};
    g_autoptr(app_knockout) k =
        knock_out(&t, CALC_AND_REDUCE, "4,16", "fixed:100Hz:40us", "", true, 2);
    CHECK_I64(k->num_tables, 4);
    for (size_t i = 0; i < k->num_tables; i++) {
        const app_knockout_gain *g = &k->tables[i].gains[0];
        CHECK_NEAR(g->gain.mean, k->tables[i].all->slowdown.mean, 1e-12);
        CHECK_NEAR(g->gain.low, k->tables[i].all->slowdown.low, 1e-12);
        CHECK_NEAR(g->without.mean, 0, 0);
        CHECK_I64(k->tables[i].num_pairs, 0);
        CHECK_I64(k->tables[i].all->ranks, i < 2 ? 4 : 16);
    }
    trial_close(&t);
}

static void results_do_not_depend_on_the_number_of_threads(void)
{
    trial a = {0};
    trial b = {0};
    g_autoptr(app_knockout) one = knock_out(&a, CALC_AND_REDUCE, "24", SUM, NULL, false, 1);
    g_autoptr(app_knockout) many = knock_out(&b, CALC_AND_REDUCE, "24", SUM, NULL, false, 5);
    for (size_t i = 0; i < 3; i++) {
        CHECK_NEAR(gain_of(one, 0, PARTS[i])->gain.mean, gain_of(many, 0, PARTS[i])->gain.mean, 0);
    }
    trial_close(&a);
    trial_close(&b);
}

/* In the long run: warm-up cut, noise drawn anew for each replica, as long with it as without. */
static void a_steady_gain_is_that_of_runs_as_long(void)
{
    trial t = {0};
    g_autoptr(GError) error = NULL;
    trial_open(&t, "pattern:calc=1ms,allreduce:8B*20", "8", "fixed:100Hz:250us+poisson:20ms:100us",
               NULL, "6");
    const app_experiment experiment = trial_experiment(&t, 2);
    const app_steady_wish wish = {.wanted = true, .half_width = 0.5, .budget = 100 * SIM_S};
    t.results = app_steady_run(&experiment, &wish, &error);
    g_assert_no_error(error);
    g_autoptr(app_knockout) k = run(&experiment, t.results, true, &error);
    g_assert_no_error(error);
    CHECK_I64(k->num_tables, 1);
    const app_knockout_table *table = &k->tables[0];
    CHECK_NEAR(table->slowdown.mean, table->all->slowdown.mean, 1e-9);
    CHECK_NEAR(table->slowdown.low, table->all->slowdown.low, 1e-9);
    CHECK_NEAR(table->slowdown.high, table->all->slowdown.high, 1e-9);
    CHECK_I64(table->num_pairs, 1);
    /* Without both there is no noise: the pair gains all. */
    CHECK_NEAR(table->pairs[0].gain.mean, table->slowdown.mean, 1e-12);
    for (size_t i = 0; i < 2; i++) {
        const app_knockout_gain *g = &table->gains[i];
        CHECK_NEAR(g->gain.mean + g->without.mean, table->slowdown.mean, 1e-12);
        CHECK(g->gain.low > 0 && g->gain.low <= g->gain.mean && g->gain.mean <= g->gain.high);
    }
    trial_close(&t);
}

/* Half of the differences between the halves is added to the interval, and the ends of the runs. */
static void a_sum_is_as_wide_as_its_parts_are_uncertain(void)
{
    double a[] = {0.30, 0.31, 0.29, 0.30, 0.32};
    double b[] = {0.10, 0.12, 0.09, 0.11, 0.10};
    double zero[5] = {0};
    const app_knockout_values all = {.slowdown = a, .first = a, .second = a, .off_by = 0.2};
    const app_knockout_values some = {.slowdown = b, .first = b, .second = zero, .off_by = 0.1};
    const app_knockout_values *const parts[] = {&all, &some};
    const double sign[] = {1, -1};
    const app_mean m = app_knockout_sum(parts, sign, 2, 5, 1);
    CHECK_NEAR(m.mean, 0.2, 1e-12);
    CHECK_NEAR(m.low, m.mean - 0.3, 1e-12); /* both ends together */
    CHECK_NEAR(m.high, m.mean + 0.3, 1e-12);
    const app_knockout_values whole = {.slowdown = a};
    const app_knockout_values part = {.slowdown = b};
    const app_knockout_values *const plain[] = {&whole, &part};
    const app_mean n = app_knockout_sum(plain, sign, 2, 5, 1);
    double difference[5];
    for (size_t i = 0; i < 5; i++) {
        difference[i] = a[i] - b[i];
    }
    CHECK_NEAR(n.low, app_mean_of(difference, 5, 1).low, 1e-12);
}

static app_knockout_gain gain(double low, double high, bool few_met)
{
    return (app_knockout_gain){.gain = {.mean = (low + high) / 2,
                                        .low = low,
                                        .high = high,
                                        .level = 0.95,
                                        .half_width = (high - low) / 2},
                               .other = SIZE_MAX,
                               .few_met = few_met};
}

static void ranks_say_no_more_than_the_intervals_allow(void)
{
    app_knockout_gain g[] = {gain(0.1, 0.3, false),  gain(0.5, 0.6, false), gain(0.25, 0.4, false),
                             gain(-0.1, 0.2, false), gain(0.7, 0.8, true),  gain(-0.4, -0.3, false),
                             gain(0.01, 0.05, false)};
    static const struct {
        double low;
        const char *rank;
        const char *remark;
    } WANT[] = {{0.7, "-", "few met"},
                {0.5, "1", ""},
                {0.25, "2-3", ""},
                {0.1, "2-4", ""},
                {-0.1, "-", "not told apart from 0"},
                {0.01, "4-5", ""},
                {-0.4, "-", "slower without it"}};
    for (size_t i = 0; i < G_N_ELEMENTS(g); i++) {
        g[i].component = i;
    }
    app_knockout_rank(g, G_N_ELEMENTS(g));
    for (size_t i = 0; i < G_N_ELEMENTS(g); i++) {
        g_autofree char *rank = app_knockout_rank_text(&g[i]);
        CHECK_NEAR(g[i].gain.low, WANT[i].low, 0);
        CHECK_STR(rank, WANT[i].rank, "%zu", i);
        CHECK_STR(app_knockout_remark(&g[i]), WANT[i].remark, "%zu", i);
    }
    app_knockout_gain range = gain(0.1, 0.3, false);
    range.gain.level = 0;
    app_knockout_rank(&range, 1);
    CHECK(!app_knockout_is_ranked(&range) && !app_knockout_told_apart(&range.gain));
    CHECK_STR(app_knockout_remark(&range), "no interval");
}

static void components_of_one_name_are_left_out_together(void)
{
    trial t = {0};
    g_autoptr(app_knockout) k =
        knock_out(&t, "collective:barrier", "8",
                  "fixed:1kHz:1us@0+fixed:1kHz:1us@0+fixed:1kHz:1us@1", NULL, false, 1);
    CHECK_I64(k->num_parts, 2);
    CHECK_STR(k->parts[0].name, "fixed:1kHz:1us@0");
    CHECK_STR(k->parts[1].name, "fixed:1kHz:1us@1");
    trial_close(&t);
}

static void too_few_detours_give_no_rank(void)
{
    trial t = {0};
    g_autoptr(app_knockout) k =
        knock_out(&t, CALC_AND_REDUCE, "8", "poisson:2s:100ms+fixed:100Hz:40us", NULL, false, 2);
    CHECK(gain_of(k, 0, "poisson:2s:100ms")->few_met);
    CHECK(!gain_of(k, 0, "fixed:100Hz:40us")->few_met);
    CHECK_I64(gain_of(k, 0, "poisson:2s:100ms")->worst, 0);
    g_auto(GStrv) said = app_knockout_conclusions(k);
    CHECK(strstr(said[0], "Not ranked, as too few detours were met, and perhaps before it: "
                          "poisson:2s:100ms.") != NULL,
          "%s", said[0]);
    trial_close(&t);
}

static const noise_component *component_of(const noise_signature *signature, const char *name)
{
    size_t i = 0;
    while (strcmp(noise_signature_component(signature, i)->name, name) != 0) {
        i++;
    }
    return noise_signature_component(signature, i);
}

/* A program of measured nodes is one, whichever node a component of it is of; what was said to
 * strike some nodes is what was said. */
static void a_program_is_left_out_on_all_measured_nodes(void)
{
    char name[] = "all.nit: cron";
    char where[] = "core:1-4294967294/2";
    char *labels[] = {name, NULL};
    const app_knockout_part part = {.name = name, .labels = labels};
    noise_component c = {.name = name, .where = where, .num_nodes = 2};
    CHECK(app_knockout_part_has(&part, &c));
    c.num_nodes = 1;
    CHECK(!app_knockout_part_has(&part, &c));
}

/* Two that take next to nothing go together; what that is worth, and what is left without them, are
 * as if their sum were one component. */
static void small_ones_are_left_out_together(void)
{
    static const char NOISE[] = "fixed:100Hz:40us+poisson:300ms:600us+fixed:1s:1us+fixed:2s:2us";
    trial t = {0};
    g_autoptr(GError) error = NULL;
    trial_open(&t, CALC_AND_REDUCE, "48", NOISE, NULL, "6");
    const app_experiment experiment = trial_experiment(&t, 2);
    t.results = app_experiment_run(&experiment, &error);
    g_assert_no_error(error);
    const app_knockout_wish wish = {.wanted = true, .largest = true};
    g_autoptr(app_knockout) k = app_knockout_run(&experiment, t.results, &wish, &error);
    g_assert_no_error(error);
    CHECK_I64(k->num_parts, 3);
    CHECK_STR(k->parts[2].name, "2 others together");
    CHECK(k->parts[2].is_rest);
    CHECK(app_knockout_part_has(&k->parts[2],
                                component_of(experiment.noise->signature, "fixed:1s:1us")));
    CHECK(app_knockout_part_has(&k->parts[2],
                                component_of(experiment.noise->signature, "fixed:2s:2us")));
    CHECK(!app_knockout_part_has(&k->parts[2],
                                 component_of(experiment.noise->signature, "fixed:100Hz:40us")));
    double without[6] = {0};
    g_autofree char *text = g_strconcat(NOISE, "+without=fixed:1s:1us,fixed:2s:2us", NULL);
    slowdowns_of(CALC_AND_REDUCE, "48", text, APP_UNSYNCHRONIZED, without, 6);
    CHECK_NEAR(gain_of(k, 0, "2 others together")->without.mean, app_mean_of(without, 6, 1).mean,
               1e-12);
    trial_close(&t);
}

/* One that takes little has nobody to go with. */
static void a_single_small_one_keeps_its_name(void)
{
    trial t = {0};
    trial_open(&t, CALC_AND_REDUCE, "4", "fixed:100Hz:40us+fixed:1s:1us", NULL, "6");
    const app_experiment experiment = trial_experiment(&t, 1);
    size_t n = 0;
    app_knockout_part *parts = app_knockout_parts_new(experiment.noise, true, &n);
    if (CHECK_I64(n, 2)) {
        CHECK_STR(parts[1].name, "fixed:1s:1us");
        CHECK(!parts[1].is_rest);
    }
    app_knockout_parts_free(parts, n);
    trial_close(&t);
}

/* A run that happens once has a gain without an interval; no time for more than the first size. */
static void what_there_is_no_time_for_is_named(void)
{
    trial t = {0};
    g_autoptr(GError) error = NULL;
    trial_open(&t, CALC_AND_REDUCE, "4,16", SUM, NULL, "1");
    const app_experiment experiment = trial_experiment(&t, 1);
    t.results = app_experiment_run(&experiment, &error);
    g_assert_no_error(error);
    const app_knockout_wish wish = {.wanted = true, .seconds = 1e-9};
    g_autoptr(app_knockout) k = app_knockout_run(&experiment, t.results, &wish, &error);
    g_assert_no_error(error);
    if (CHECK_I64(k->num_tables, 1)) {
        CHECK_I64(k->tables[0].all->ranks, 4);
        CHECK_I64((int64_t)k->tables[0].gains[0].gain.level, 0);
        CHECK_NEAR(k->tables[0].gains[0].gain.low, k->tables[0].gains[0].gain.mean, 0);
        g_autofree char *title = app_knockout_table_title(&k->tables[0]);
        CHECK(strstr(title, "one replica") != NULL, "%s", title);
    }
    if (CHECK_I64(k->num_left_out, 1)) {
        CHECK_I64(k->left_out[0].ranks, 16);
    }
    g_auto(GStrv) conditions = app_knockout_conditions(k);
    g_autofree char *all = g_strjoinv("\n", conditions);
    CHECK(strstr(all, "at 16 ranks, unsynchronized: there was no time") != NULL, "%s", all);
    trial_close(&t);
}

/* Half of the components at the larger size: its table says so, and which ones are not in it. */
static void a_size_with_some_components_names_the_others(void)
{
    trial t = {0};
    g_autoptr(app_knockout) k = knock_out(&t, CALC_AND_REDUCE, "4,16", SUM, NULL, false, 1);
    if (CHECK_I64(k->num_tables, 2) && CHECK_I64(k->tables[1].num_gains, 3)) {
        k->tables[1].num_gains = 2;
        const char *absent = k->parts[k->tables[1].gains[2].component].name;
        g_autofree char *want = g_strdup_printf(
            "At 16 ranks, unsynchronized, there was time (--budget) to leave out 2 of 3 in turn, "
            "those with the largest gains at the size before; what the others cost there is not "
            "known: %s.",
            absent);
        g_auto(GStrv) conditions = app_knockout_conditions(k);
        CHECK(g_strv_contains((const char *const *)conditions, want), "%s", want);
    }
    trial_close(&t);
}

SUITE_MAIN("knockout", TEST(a_gain_is_the_mean_of_paired_differences),
           TEST(a_single_component_gains_the_whole_slowdown),
           TEST(results_do_not_depend_on_the_number_of_threads),
           TEST(a_steady_gain_is_that_of_runs_as_long),
           TEST(a_sum_is_as_wide_as_its_parts_are_uncertain),
           TEST(ranks_say_no_more_than_the_intervals_allow),
           TEST(components_of_one_name_are_left_out_together), TEST(too_few_detours_give_no_rank),
           TEST(a_program_is_left_out_on_all_measured_nodes),
           TEST(small_ones_are_left_out_together), TEST(a_single_small_one_keeps_its_name),
           TEST(what_there_is_no_time_for_is_named),
           TEST(a_size_with_some_components_names_the_others))
