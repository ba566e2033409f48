/* tests/apps/impact/test_impact.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "impact/impact_print.h"
#include "trial.h"

#include <math.h>
#include <string.h>

enum { RANKS = 16, REPLICAS = 10 };

#define PROGRAM "pattern:calc=1ms,allreduce:8B*40"

static uint32_t everywhere[1][2] = {{0, RANKS - 1}};
static uint32_t two_ranks[1][2] = {{3, 4}};
static char label[] = "found";

/* A row of all ranks. */
static noise_miner_row row_of(sim_time length, sim_time period, double rate)
{
    return (noise_miner_row){.t_noise = length,
                             .t_noise_low = length,
                             .t_noise_high = length,
                             .count = 100,
                             .period = period,
                             .rate = rate,
                             .num_ranks = RANKS,
                             .ranks = everywhere,
                             .num_ranges = 1,
                             .ranks_exact = true,
                             .label = label};
}

static noise_miner_report report_of(noise_miner_row *rows, size_t n)
{
    return (noise_miner_report){.rows = rows, .num_rows = n, .ranks_seen = RANKS};
}

static app_impact *impact_of(trial *t, const char *program, const noise_miner_report *report,
                             uint32_t ranks, double seconds)
{
    g_autoptr(GError) error = NULL;
    const app_impact_wish wish = {.wanted = true, .ranks = ranks, .seconds = seconds};
    trial_open(t, program, "16", NULL, NULL, NULL);
    const app_experiment experiment = trial_experiment(t, 2);
    app_impact *impact = app_impact_run(&experiment, report, false, &wish, &error);
    g_assert_no_error(error);
    return impact;
}

/* Slowdown of each replica, from an experiment of its own. */
static void slowdowns_under(const char *noise, double out[REPLICAS])
{
    trial t = {0};
    g_autoptr(GError) error = NULL;
    trial_open(&t, PROGRAM, "16", noise, NULL, "10");
    const app_experiment experiment = trial_experiment(&t, 1);
    t.results = app_experiment_run(&experiment, &error);
    g_assert_no_error(error);
    const app_series *s = &t.results->series[t.results->num_series - 1];
    for (size_t r = 0; r < REPLICAS; r++) {
        out[r] = app_slowdown(s, s->runs[r].makespan);
    }
    trial_close(&t);
}

/* The same as experiments under the text of the noise, with and without a component. */
static void a_row_gains_what_its_noise_costs(void)
{
    static const char ALL[] = "fixed:10ms:400us+poisson:20ms:1ms+fixed:7ms:100us@3-4";
    static const char *const WITHOUT[] = {"fixed:10ms:400us", "poisson:20ms:1ms",
                                          "fixed:7ms:100us@3-4"};
    noise_miner_row rows[] = {row_of(400 * SIM_US, 10 * SIM_MS, 100), row_of(SIM_MS, 0, 50),
                              row_of(100 * SIM_US, 7 * SIM_MS, 142)};
    rows[2].ranks = two_ranks;
    rows[2].num_ranks = 2;
    const noise_miner_report report = report_of(rows, 3);
    trial t = {0};
    g_autoptr(app_impact) impact = impact_of(&t, PROGRAM, &report, 0, 0);
    double all[REPLICAS];
    slowdowns_under(ALL, all);
    CHECK_STR(impact->noise, ALL);
    CHECK_I64(impact->ranks, RANKS);
    CHECK_I64(impact->replicas, REPLICAS);
    for (size_t i = 0; i < 3; i++) {
        g_autofree char *text = g_strdup_printf("%s+without=%s", ALL, WITHOUT[i]);
        double gain[REPLICAS];
        slowdowns_under(text, gain);
        for (size_t r = 0; r < REPLICAS; r++) {
            gain[r] = all[r] - gain[r];
        }
        const app_mean want = app_mean_of(gain, REPLICAS, 1);
        CHECK(impact->rows[i].why_not == NULL);
        CHECK_NEAR(impact->rows[i].gain.gain.mean, want.mean, 1e-12);
        CHECK_NEAR(impact->rows[i].gain.gain.low, want.low, 1e-12);
        CHECK_NEAR(impact->rows[i].gain.gain.high, want.high, 1e-12);
    }
    CHECK(impact->rows[0].gain.gain.low > 0.01);
    CHECK_NEAR(impact->slowdown.mean, app_mean_of(all, REPLICAS, 1).mean, 1e-12);
    trial_close(&t);
}

static void what_cannot_be_said_as_noise_has_no_gain(void)
{
    noise_miner_row rows[] = {row_of(400 * SIM_US, 10 * SIM_MS, 100), row_of(400 * SIM_US, 0, 100),
                              row_of(400 * SIM_US, 0, 100), row_of(SIM_MS, SIM_MS, 100)};
    rows[1].at_least = true;
    rows[2].ranks_exact = false;
    const noise_miner_report report = report_of(rows, 4);
    trial t = {0};
    g_autoptr(app_impact) impact = impact_of(&t, PROGRAM, &report, 0, 0);
    CHECK(impact->rows[0].why_not == NULL);
    CHECK(strstr(impact->rows[1].why_not, "bound") != NULL);
    CHECK(strstr(impact->rows[2].why_not, "known in part") != NULL);
    CHECK(strstr(impact->rows[3].why_not, "without a gap") != NULL);
    CHECK_I64(impact->num_left_out, 0); /* of these none for lack of time */
    g_auto(GStrv) lines = app_impact_lines(impact);
    CHECK(g_str_has_prefix(lines[0], "without it the job gains "));
    CHECK(strstr(lines[0], " % (") != NULL);
    CHECK(g_str_has_suffix(lines[0], "at 16 ranks"));
    CHECK(strstr(lines[1], "not known: it is a bound") != NULL);
    trial_close(&t);
}

static void a_smaller_job_may_lack_the_ranks_of_a_row(void)
{
    noise_miner_row rows[] = {row_of(400 * SIM_US, 10 * SIM_MS, 100),
                              row_of(SIM_MS, 20 * SIM_MS, 50)};
    rows[1].ranks = two_ranks;
    rows[1].num_ranks = 2;
    const noise_miner_report report = report_of(rows, 2);
    trial t = {0};
    g_autoptr(app_impact) impact = impact_of(&t, PROGRAM, &report, 2, 0);
    CHECK_I64(impact->ranks, 2);
    CHECK(impact->rows[0].why_not == NULL);
    CHECK(strstr(impact->rows[1].why_not, "none of its ranks") != NULL);
    trial_close(&t);
    /* A larger one: the condition is said. */
    trial u = {0};
    g_autoptr(app_impact) larger = impact_of(&u, PROGRAM, &report, 32, 0);
    g_auto(GStrv) conditions = app_impact_conditions(larger);
    g_autofree char *all = g_strjoinv("\n", conditions);
    CHECK(strstr(all, "strikes the ranks of these numbers, of 16") != NULL);
    CHECK(larger->rows[1].why_not == NULL);
    trial_close(&u);
}

static void rows_of_the_same_noise_go_together(void)
{
    noise_miner_row rows[] = {row_of(400 * SIM_US, 10 * SIM_MS, 100),
                              row_of(400 * SIM_US, 10 * SIM_MS, 100),
                              row_of(SIM_MS, 20 * SIM_MS, 50)};
    const noise_miner_report report = report_of(rows, 3);
    trial t = {0};
    g_autoptr(app_impact) impact = impact_of(&t, PROGRAM, &report, 0, 0);
    CHECK(impact->rows[0].is_shared && impact->rows[1].is_shared && !impact->rows[2].is_shared);
    CHECK_NEAR(impact->rows[0].gain.gain.mean, impact->rows[1].gain.gain.mean, 0);
    trial_close(&t);
}

static void rows_of_small_share_are_left_out_first(void)
{
    noise_miner_row rows[] = {row_of(400 * SIM_US, 10 * SIM_MS, 100), row_of(SIM_MS, 0, 50),
                              row_of(100 * SIM_US, 7 * SIM_MS, 142)};
    const noise_miner_report report = report_of(rows, 3);
    trial t = {0};
    g_autoptr(app_impact) impact = impact_of(&t, PROGRAM, &report, 0, 1e-9);
    CHECK(impact->rows[0].why_not == NULL); /* one row in any case, where that is not much */
    CHECK(strstr(impact->rows[1].why_not, "--budget") != NULL);
    CHECK(strstr(impact->rows[2].why_not, "--budget") != NULL);
    CHECK_I64(impact->num_left_out, 2);
    g_auto(GStrv) conditions = app_impact_conditions(impact);
    g_autofree char *all = g_strjoinv("\n", conditions);
    CHECK(strstr(all, "2 rows of the smallest shares were not left out in turn") != NULL);
    trial_close(&t);
}

/* Some 1e10 steps of the lanes: nobody wants to wait for them. */
static void what_is_much_is_not_begun(void)
{
    noise_miner_row rows[] = {row_of(400 * SIM_US, 10 * SIM_MS, 100)};
    const noise_miner_report report = report_of(rows, 1);
    trial t = {.program.repeat = g_strdup("1000")};
    g_autoptr(app_impact) impact =
        impact_of(&t, "collective:allreduce:dissemination:8", &report, 1 << 20, 0.01);
    CHECK_I64(impact->replicas, 0);
    CHECK(impact->needed > 1);
    CHECK(strstr(impact->rows[0].why_not, "no time") != NULL);
    g_auto(GStrv) conditions = app_impact_conditions(impact);
    CHECK(strstr(conditions[0], "one row alone takes about") != NULL);
    trial_close(&t);
}

static void a_clean_run_has_nothing_to_gain(void)
{
    const noise_miner_report report = report_of(NULL, 0);
    trial t = {0};
    g_autoptr(app_impact) impact = impact_of(&t, PROGRAM, &report, 0, 0);
    CHECK(impact->noise == NULL);
    CHECK_I64(impact->num_rows, 0);
    CHECK_I64(impact->replicas, 0);
    trial_close(&t);
}

SUITE_MAIN("impact", TEST(a_row_gains_what_its_noise_costs),
           TEST(what_cannot_be_said_as_noise_has_no_gain),
           TEST(a_smaller_job_may_lack_the_ranks_of_a_row),
           TEST(rows_of_the_same_noise_go_together), TEST(rows_of_small_share_are_left_out_first),
           TEST(what_is_much_is_not_begun), TEST(a_clean_run_has_nothing_to_gain))
