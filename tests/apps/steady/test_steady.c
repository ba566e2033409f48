/* tests/apps/steady/test_steady.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* What a steady estimate says, and how far it went for it, on the bundled record and patterns. */
#include "analysis/breakdown.h"
#include "check.h"
#include "seeds.h"
#include "steady/steady.h"
#include "steady/steady_series.h"
#include "trial.h"

#include <math.h>

#define RECORD TRACES "/halo-cg-16"

static void estimate_with(trial *s, const char *program, const char *ranks, const char *noise,
                          const char *replicas, bool cosched, const app_steady_wish *wish,
                          unsigned threads)
{
    g_autoptr(GError) error = NULL;
    trial_open(s, program, ranks, noise, cosched ? "" : NULL, replicas);
    const app_experiment experiment = trial_experiment(s, threads);
    s->results = app_steady_run(&experiment, wish, &error);
    g_assert_no_error(error);
}

static void estimate(trial *s, const char *program, const char *ranks, const char *noise,
                     const char *replicas, bool cosched, sim_time budget, unsigned threads)
{
    const app_steady_wish wish = {.wanted = true, .half_width = 0.1, .budget = budget};
    estimate_with(s, program, ranks, noise, replicas, cosched, &wish, threads);
}

static const app_series *series_of(const trial *s, uint32_t ranks, app_mode mode)
{
    for (size_t i = 0; i < s->results->num_series; i++) {
        const app_series *one = &s->results->series[i];
        if (one->ranks == ranks && one->mode == mode) {
            return one;
        }
    }
    g_assert_not_reached();
}

/* The example: 2.5 ms ten times per second take s / (1 - s) = 2.564 % of a program that
 * does not wait; the mean phase costs 38 % unsynchronized (docs/model.md, section 9). */
static void settles_where_one_pass_meets_hardly_any_detour(void)
{
    trial s = {0};
    estimate(&s, RECORD, "16", "fixed:10Hz:2.5ms", "10", true, 100 * SIM_S, 2);
    const app_series *together = series_of(&s, 16, APP_COSCHEDULED);
    CHECK_I64(together->quantity, APP_STEADY);
    CHECK_I64(together->steady.state, APP_STEADY_REACHED);
    CHECK(together->slowdown.low <= 0.02564 && together->slowdown.high >= 0.0255, "%g .. %g",
          together->slowdown.low, together->slowdown.high);
    CHECK(together->slowdown.low < 0.02564 && together->slowdown.high > 0.02564);
    CHECK(together->slowdown.level == 0.95);
    CHECK(together->met[0].by_run >= APP_STEADY_MET, "%g", together->met[0].by_run);
    /* A pass of 15 ms meets one of them in six or seven, and the others are known. */
    const uint64_t passes = (uint64_t)together->passes * together->num_runs;
    CHECK(app_series_simulated_passes(together) < passes / 3, "%" G_GUINT64_FORMAT,
          app_series_simulated_passes(together));
    const app_series *apart = series_of(&s, 16, APP_UNSYNCHRONIZED);
    CHECK_I64(apart->steady.state, APP_STEADY_REACHED);
    CHECK(app_series_simulated_passes(apart) == (uint64_t)apart->passes * apart->num_runs);
    CHECK(apart->slowdown.low < 0.379 && apart->slowdown.high > 0.379, "%g .. %g",
          apart->slowdown.low, apart->slowdown.high);
    CHECK(apart->slowdown.half_width <= 0.1 * apart->slowdown.mean);
    trial_close(&s);
}

static void says_too_short_without_time(void)
{
    trial s = {0};
    estimate(&s, RECORD, "64", "poisson:1000s:2.5ms", "10", true, 0, 1);
    for (int mode = APP_UNSYNCHRONIZED; mode < APP_NUM_MODES; mode++) {
        const app_series *series = series_of(&s, mode == APP_COSCHEDULED ? 16 : 64, (app_mode)mode);
        CHECK_I64(series->steady.state, APP_STEADY_TOO_SHORT);
        CHECK_I64(series->steady.rarest, 0);
        CHECK(series->met[0].by_run < APP_STEADY_MET);
    }
    trial_close(&s);
}

static void without_time_only_the_smallest_size_is_run(void)
{
    trial s = {0};
    estimate(&s, RECORD, "64,16,32", "fixed:10Hz:2.5ms", "5", true, 0, 1);
    CHECK_I64(s.results->num_series, APP_NUM_MODES);
    CHECK_I64(s.results->series[0].ranks, 16);
    CHECK(s.results->stopped_by == NULL);
    CHECK_I64(s.results->num_missing, 0);
    if (CHECK_I64(s.results->num_left_out, 2)) {
        CHECK_I64(s.results->left_out[0], 32);
        CHECK_I64(s.results->left_out[1], 64);
    }
    trial_close(&s);
}

/* Two passes of 1 Mi ranks are 3 billion operations; 4 ranks need a fiftieth of the budget, so that
 * a machine that does much else has time for them. */
static void sizes_that_have_no_room_are_left_out_and_named(void)
{
    trial s = {0};
    estimate(&s, "pattern:calc=1us*1500", "4,1Mi", "fixed:1kHz:25us", "5", false, 10 * SIM_S, 2);
    CHECK_I64(series_of(&s, 4, APP_UNSYNCHRONIZED)->steady.state, APP_STEADY_REACHED);
    CHECK(!app_results_have(s.results, 1 << 20));
    if (CHECK_I64(s.results->num_left_out, 1)) {
        CHECK_I64(s.results->left_out[0], 1 << 20);
    }
    trial_close(&s);
}

/* Every row that is there has settled, and each size is a row or is named; which, the clock says.
 */
static void rows_of_sizes_that_nobody_asked_for_have_settled(void)
{
    trial s = {0};
    const app_steady_wish wish = {
        .wanted = true, .half_width = 0.1, .budget = 2 * SIM_S, .only_settled = true};
    estimate_with(&s, "pattern:calc=100us*10,allreduce:8B", "4,64,64Ki", "fixed:1kHz:25us", "10",
                  true, &wish, 2);
    size_t unsynchronized = 0;
    for (size_t i = 0; i < s.results->num_series; i++) {
        unsynchronized += s.results->series[i].mode == APP_UNSYNCHRONIZED;
    }
    for (size_t i = 0; i < s.results->num_series; i++) {
        const app_series *one = &s.results->series[i];
        CHECK(one->mode == APP_IDEAL || one->steady.state == APP_STEADY_REACHED ||
                  unsynchronized == 1,
              "%u ranks", one->ranks);
        CHECK(!one->steady.check);
    }
    CHECK_I64(unsynchronized + s.results->num_left_out, 3);
    CHECK(s.results->only_settled);
    trial_close(&s);
}

static void the_smallest_remains_if_there_is_no_time_to_settle(void)
{
    trial s = {0};
    const app_steady_wish wish = {.wanted = true, .half_width = 0.1, .only_settled = true};
    estimate_with(&s, RECORD, "16,32", "poisson:1000s:2.5ms", "5", true, &wish, 1);
    CHECK_I64(series_of(&s, 16, APP_UNSYNCHRONIZED)->steady.state, APP_STEADY_TOO_SHORT);
    CHECK_I64(s.results->num_series, 2);
    CHECK(s.results->left_out_cosched);
    if (CHECK_I64(s.results->num_left_out, 1)) {
        CHECK_I64(s.results->left_out[0], 32);
    }
    trial_close(&s);
}

/* Sizes without room are undecided, though bisection asks for them first. */
static void thresholds_are_looked_for_where_there_is_room(void)
{
    trial s = {0};
    const app_steady_wish wish = {.wanted = true, .half_width = 0.1, .threshold = 1000};
    estimate_with(&s, RECORD, "16,128", "fixed:1kHz:25us", "5", false, &wish, 2);
    CHECK(app_results_have(s.results, 16));
    CHECK_I64(s.results->threshold.above, 0);
    CHECK_I64(s.results->threshold.undecided, s.results->threshold.below == 16 ? 3 : 4);
    if (CHECK_I64(s.results->num_left_out, 3)) {
        CHECK_I64(s.results->left_out[0], 32);
        CHECK_I64(s.results->left_out[2], 128);
    }
    trial_close(&s);
}

/* More than any budget: there is nothing left but for the smallest, which is run in any case. */
static void time_is_kept_for_what_comes_later(void)
{
    trial s = {0};
    const app_steady_wish wish = {
        .wanted = true, .half_width = 0.1, .budget = 1000 * SIM_S, .later = 1e18};
    estimate_with(&s, RECORD, "16,32", "fixed:1kHz:25us", "5", false, &wish, 2);
    CHECK(app_results_have(s.results, 16));
    if (CHECK_I64(s.results->num_left_out, 1)) {
        CHECK_I64(s.results->left_out[0], 32);
    }
    trial_close(&s);
}

static void is_the_same_on_any_number_of_threads(void)
{
    trial one = {0};
    trial three = {0};
    estimate(&one, RECORD, "32", "fixed:100Hz:200us+poisson:1s:2ms", "6", false, 1000 * SIM_S, 1);
    estimate(&three, RECORD, "32", "fixed:100Hz:200us+poisson:1s:2ms", "6", false, 1000 * SIM_S, 3);
    const app_series *a = series_of(&one, 32, APP_UNSYNCHRONIZED);
    const app_series *b = series_of(&three, 32, APP_UNSYNCHRONIZED);
    CHECK_I64(a->steady.state, APP_STEADY_REACHED);
    CHECK_I64(a->passes, b->passes);
    CHECK_I64(a->num_runs, b->num_runs);
    CHECK(a->slowdown.mean == b->slowdown.mean && a->slowdown.low == b->slowdown.low);
    trial_close(&one);
    trial_close(&three);
}

static void settles_coscheduled_noise_where_that_is_affordable(void)
{
    trial s = {0};
    estimate(&s, RECORD, "4Ki", "fixed:10Hz:2.5ms", "5", true, 40 * SIM_S, 2);
    CHECK_I64(s.results->series[0].ranks, 16);
    CHECK_I64(s.results->num_series, 4); /* no check, which would have been too short */
    const app_series *settled = series_of(&s, 16, APP_COSCHEDULED);
    CHECK_I64(settled->steady.state, APP_STEADY_REACHED);
    CHECK(!settled->steady.check);
    CHECK(settled->has_breakdown && series_of(&s, 16, APP_IDEAL)->has_breakdown);
    trial_close(&s);
    estimate(&s, RECORD, "16,64", "fixed:1kHz:25us", "5", true, 40 * SIM_S, 2);
    const app_series *check = series_of(&s, 64, APP_COSCHEDULED);
    CHECK(check->steady.check);
    CHECK(check->steady.state != APP_STEADY_TOO_SHORT);
    CHECK_I64(check->num_runs, 1);
    trial_close(&s);
}

static void needs_passes_for_what_can_matter(void)
{
    g_autoptr(GError) error = NULL;
    g_auto(app_noise)
        noise = {.signature = noise_signature_parse("fixed:10Hz:2.5ms+fixed:10s:10us", 1, &error)};
    g_assert_no_error(error);
    const double pass = 0.01 * (double)SIM_S;
    /* 20 detours of the second on 16 ranks: 12.5 s. It adds 16 us / s at most: a tenth of the half
     * width of 38 %, not of 0.1 %. */
    CHECK(app_steady_passes(&noise, APP_UNSYNCHRONIZED, 16, 0.001, 0.1, pass) == 1250);
    CHECK(app_steady_passes(&noise, APP_UNSYNCHRONIZED, 16, 0.38, 0.1, pass) == 13);
    CHECK(app_steady_passes(&noise, APP_COSCHEDULED, 16, 0, 0.1, pass) == 20000);
}

/* A daemon of 3 ms every 10 s: P ranks lose up to P 3 ms / 10 s, 7.7 % at 256 and 15 % at 512. */
static void finds_from_how_many_ranks_on_a_daemon_hurts(void)
{
    if (IS_SANITIZED) {
        return; /* half a minute of what other tests do in less */
    }
    trial s = {0};
    const app_steady_wish wish = {
        .wanted = true, .half_width = 0.1, .budget = 1000 * SIM_S, .threshold = 0.1};
    estimate_with(&s, RECORD, "256,1Ki", "poisson:10s:3ms", "10", false, &wish, 2);
    CHECK_I64(s.results->threshold.below, 256);
    CHECK_I64(s.results->threshold.above, 512);
    CHECK_I64(s.results->threshold.undecided, 0);
    for (size_t i = 1; i < s.results->num_series; i++) {
        CHECK(s.results->series[i].ranks >= s.results->series[i - 1].ranks);
    }
    trial_close(&s);
}

/* Each of 64 ranks loses s / (1 - s) and waits for none; but a run ends with the one that met most:
 * one detour more than the others, in every replica. */
static void does_not_take_the_last_detour_for_the_steady_state(void)
{
    trial s = {0};
    estimate(&s, "pattern:calc=1ms*10", "64", "fixed:10Hz:2.5ms", "10", false, 100 * SIM_S, 2);
    const app_series *apart = series_of(&s, 64, APP_UNSYNCHRONIZED);
    CHECK_I64(apart->steady.state, APP_STEADY_REACHED);
    CHECK(apart->slowdown.low < 0.025641 && apart->slowdown.high > 0.025641, "%g .. %g",
          apart->slowdown.low, apart->slowdown.high);
    CHECK(!apart->steady.absorbed);
    trial_close(&s);
}

/* Runs this short hardly take time; what they take, a busy machine spends on threads. There is time
 * for ten of each, none of them too short. */
static void has_time_for_short_programs(void)
{
    trial s = {0};
    estimate(&s, "pattern:calc=1ms*10", "1,64", "fixed:1kHz:25us", "10", true, 20 * SIM_S, 1);
    for (size_t i = 0; i < s.results->num_series; i++) {
        const app_series *one = &s.results->series[i];
        if (one->mode != APP_IDEAL && !one->steady.check) {
            CHECK_I64(one->steady.state, APP_STEADY_REACHED, "%u ranks", one->ranks);
            CHECK(one->slowdown.low < 0.025641 && one->slowdown.high > 0.025641, "%g .. %g",
                  one->slowdown.low, one->slowdown.high);
        }
    }
    trial_close(&s);
}

static void takes_programs_without_operations(void)
{
    trial s = {0};
    estimate(&s, "pattern:barrier", "1", "fixed:10Hz:2.5ms", "5", true, SIM_S, 1);
    const app_series *apart = series_of(&s, 1, APP_UNSYNCHRONIZED);
    CHECK_I64(apart->steady.state, APP_STEADY_TOO_SHORT);
    CHECK(apart->slowdown.mean == 0);
    trial_close(&s);
}

/* Simulated time ends after some 26 days: no more passes than that. */
static void stays_within_simulated_time(void)
{
    trial s = {0};
    estimate(&s, "pattern:calc=1000s", "2", "fixed:10Hz:2.5ms", "5", false, SIM_S, 1);
    const app_series *apart = series_of(&s, 2, APP_UNSYNCHRONIZED);
    CHECK(apart->slowdown.low < 0.025642 && apart->slowdown.high > 0.02564, "%g .. %g",
          apart->slowdown.low, apart->slowdown.high);
    trial_close(&s);
}

/* Nine ranks whose phases take some 50 periods to lock: 1.35 % after 3 passes, which meet 27
 * detours, and 0.52 % +- 0.01 after 1,000 (200 replicas each). */
static void waits_for_phases_to_lock(void)
{
    trial s = {0};
    estimate(&s, VECTORS "/e001_ring.goal", "9", "fixed:1kHz:25us", "10", false, 20 * SIM_S, 1);
    const app_series *apart = series_of(&s, 9, APP_UNSYNCHRONIZED);
    CHECK_I64(apart->steady.state, APP_STEADY_REACHED);
    CHECK(apart->slowdown.low < 0.0052 && apart->slowdown.high > 0.0052, "%g .. %g",
          apart->slowdown.low, apart->slowdown.high);
    CHECK(apart->steady.absorbed);
    trial_close(&s);
}

/* 100 detours of lengths that differ much: a list has 2 % or 4 %, the model 3.08 %. */
static void refers_to_the_model_and_not_to_a_list(void)
{
    const double share = 0.01 * exp(1.5 * 1.5 / 2);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        g_autoptr(GError) error = NULL;
        g_auto(app_noise) noise = {
            .signature = noise_signature_parse("lognormal:1ms:10us:1.5@2-3", seed, &error)};
        g_assert_no_error(error);
        CHECK_NEAR(app_steady_reference(&noise, APP_UNSYNCHRONIZED, 3), share / (1 - share), 1e-12);
        CHECK(app_steady_reference(&noise, APP_UNSYNCHRONIZED, 2) == 0);
    }
}

/* The first half of the steps of a pass takes 1 % of its time, and waits for each other's detours
 * there: slowdowns of the halves, 120 % and 5 %, differ, and nothing drifts. */
static void the_halves_of_a_pass_are_no_drift(void)
{
    g_autoptr(GError) error = NULL;
    g_auto(app_noise) noise = {.signature = noise_signature_parse("fixed:1ms:50us", 1, &error)};
    g_assert_no_error(error);
    sim_time without[] = {10 * SIM_US, SIM_MS};
    sim_time with[5][2];
    app_run ideal_run = {.makespan = SIM_MS, .slice = without};
    app_run runs[5];
    for (int i = 0; i < 5; i++) {
        with[i][0] = (20 + i) * SIM_US;
        with[i][1] = (1060 + i) * SIM_US;
        runs[i] = (app_run){.makespan = with[i][1], .slice = with[i]};
    }
    app_met met = {.by_rank = 1, .by_run = 100, .share = 0.05, .ranks = 100};
    const app_series ideal = {
        .ranks = 100, .passes = 1, .num_slices = 2, .num_runs = 1, .runs = &ideal_run};
    app_series noisy = {.ranks = 100,
                        .mode = APP_UNSYNCHRONIZED,
                        .passes = 1,
                        .num_slices = 2,
                        .num_runs = 5,
                        .runs = runs,
                        .met = &met,
                        .num_met = 1};
    app_steady_evaluate(&noisy, &ideal, &noise, 0.1, 1);
    CHECK_NEAR(noisy.slowdown.mean, 0.062, 1e-12);
    CHECK(noisy.slowdown.low > 0, "%g", noisy.slowdown.low);
}

/* Co-scheduled noise is settled at 16 ranks, where bisection for a threshold above all never looks.
 */
static void keeps_where_coscheduled_noise_was_settled(void)
{
    trial s = {0};
    const app_steady_wish wish = {
        .wanted = true, .half_width = 0.1, .budget = 100 * SIM_S, .threshold = 1000};
    estimate_with(&s, RECORD, "16,64", "fixed:100Hz:250us", "5", true, &wish, 2);
    CHECK_I64(s.results->threshold.below, 64);
    const app_series *settled = series_of(&s, 16, APP_COSCHEDULED);
    CHECK_I64(settled->steady.state, APP_STEADY_REACHED);
    CHECK(!settled->steady.check);
    CHECK_I64(series_of(&s, 16, APP_IDEAL)->passes, settled->passes);
    CHECK(settled->has_breakdown && series_of(&s, 16, APP_IDEAL)->has_breakdown);
    trial_close(&s);
}

/* A pass of 8Ki ranks has 12 million operations. */
static void every_size_has_a_breakdown_or_a_reason(void)
{
    for (int k = 0; k < 4; k++) {
        trial s = {0};
        const bool explain = k < 2;
        if (IS_SANITIZED && k == 1) {
            continue; /* 12 million operations, and their ways */
        }
        const char *ranks = k % 2 == 0 ? "4" : "8Ki";
        trial_open(&s, "pattern:calc=1us*1500", ranks, "fixed:1kHz:25us", "", "5");
        app_experiment experiment = trial_experiment(&s, 2);
        experiment.explain = explain;
        const app_steady_wish wish = {.wanted = true, .half_width = 0.1};
        s.results = app_steady_run(&experiment, &wish, NULL);
        CHECK_I64(s.results->num_series,
                  k % 2 == 0 ? 3 : 4); /* co-scheduled noise is settled at a small size */
        for (size_t i = 0; i < s.results->num_series; i++) {
            const app_series *one = &s.results->series[i];
            const bool has = explain || one->ranks < 8192;
            CHECK(one->has_breakdown == has, "%u ranks", one->ranks);
            CHECK((one->unexplained == NULL) == has, "%u ranks", one->ranks);
            CHECK((one->explanation != NULL) == explain, "%u ranks", one->ranks);
            sim_time sum = 0;
            for (size_t part = 0; part < APP_NUM_PARTS; part++) {
                sum += app_breakdown_part(&one->breakdown, part);
            }
            CHECK_I64(sum, one->breakdown_makespan, "%u ranks", one->ranks);
            CHECK((one->breakdown_passes > 0) == has, "%u ranks", one->ranks);
        }
        trial_close(&s);
    }
}

SUITE_MAIN("steady", TEST(without_time_only_the_smallest_size_is_run),
           TEST(sizes_that_have_no_room_are_left_out_and_named),
           TEST(rows_of_sizes_that_nobody_asked_for_have_settled),
           TEST(the_smallest_remains_if_there_is_no_time_to_settle),
           TEST(thresholds_are_looked_for_where_there_is_room),
           TEST(time_is_kept_for_what_comes_later), TEST(keeps_where_coscheduled_noise_was_settled),
           TEST(every_size_has_a_breakdown_or_a_reason), TEST(the_halves_of_a_pass_are_no_drift),
           TEST(waits_for_phases_to_lock), TEST(refers_to_the_model_and_not_to_a_list),
           TEST(settles_where_one_pass_meets_hardly_any_detour),
           TEST(does_not_take_the_last_detour_for_the_steady_state),
           TEST(has_time_for_short_programs), TEST(takes_programs_without_operations),
           TEST(stays_within_simulated_time), TEST(says_too_short_without_time),
           TEST(is_the_same_on_any_number_of_threads),
           TEST(settles_coscheduled_noise_where_that_is_affordable),
           TEST(needs_passes_for_what_can_matter),
           TEST(finds_from_how_many_ranks_on_a_daemon_hurts))
