/* apps/ripple/impact/impact.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_impact, cli_mine. */
#include "impact/impact.h"

#include "experiment/estimate.h"
#include "output/miner_print.h"

enum { REPLICAS = 10, FEWER = APP_MEAN_LEAST }; /* the least that have an interval */

/* Work from which on it is worth being judged before it begins. */
static const double MUCH_WORK = 1e8;

/* The first rank of a row. */
static uint32_t first_rank(const noise_miner_row *row)
{
    return row->num_ranges > 0 ? row->ranks[0][0] : 0;
}

/* NULL: the row can be said as noise, on some rank of so many. Static. */
static const char *why_not(const noise_miner_report *report, const noise_miner_row *row,
                           uint32_t ranks)
{
    g_autofree char *noise = app_miner_row_noise(report, row);
    if (noise != NULL) {
        return first_rank(row) < ranks ? NULL : "none of its ranks is in a job of this size";
    }
    return row->at_least       ? "it is a bound: how long its detours are is not known"
           : row->t_noise <= 0 ? "it is shorter than expected, and no noise"
           : !row->ranks_exact ? "which ranks it strikes is known in part only"
           : row->rate <= 0    ? "how often it comes is not known"
                               : "its detours follow each other without a gap";
}

/* The rows that can be said, joined; a component of the noise each, in their order. */
static char *noise_of(const app_impact *impact, const noise_miner_report *report)
{
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < impact->num_rows; i++) {
        if (impact->rows[i].why_not == NULL) {
            g_autofree char *one = app_miner_row_noise(report, &report->rows[i]);
            g_string_append_printf(text, "%s%s", text->len > 0 ? "+" : "", one);
        }
    }
    return g_string_free(text, text->len == 0);
}

static void look_over(app_impact *impact, const noise_miner_report *report)
{
    impact->rows = g_new0(app_impact_row, report->num_rows + 1);
    impact->num_rows = report->num_rows;
    for (size_t i = 0; i < report->num_rows; i++) {
        const noise_miner_row *row = &report->rows[i];
        const char *why = why_not(report, row, impact->ranks);
        impact->rows[i].why_not = why;
        impact->has_unknown_gaps = impact->has_unknown_gaps || (why == NULL && row->period == 0);
        impact->is_of_some_ranks =
            impact->is_of_some_ranks || (why == NULL && row->num_ranks != report->ranks_seen);
    }
    impact->noise = noise_of(impact, report);
}

/* How often each run is made, so that there is time for one row at least; 0: there is none. */
static bool choose_replicas(app_impact *impact, const app_experiment *x, app_noise *noise,
                            GError **error)
{
    const bool in_lanes = app_workload_in_lanes(x);
    app_work work;
    impact->replicas = noise->replicas = REPLICAS;
    if (!app_workload_plan(x, impact->ranks, in_lanes, &work, error)) {
        return false;
    }
    if (impact->seconds == 0 || app_work_total(&work) < MUCH_WORK) {
        return true;
    }
    app_estimate estimate;
    if (!app_estimate_measure(x, in_lanes, &estimate, error)) {
        return false;
    }
    double seconds = 2 * app_estimate_seconds(&estimate, &work); /* with and without one row */
    if (seconds > impact->seconds) {
        impact->replicas = noise->replicas = FEWER;
        if (!app_workload_plan(x, impact->ranks, in_lanes, &work, error)) {
            return false;
        }
        seconds = 2 * app_estimate_seconds(&estimate, &work);
    }
    if (seconds > impact->seconds) {
        impact->replicas = noise->replicas = 0;
        impact->needed = seconds;
    }
    return true;
}

/* Where the gain of component @p i of the noise is, if its runs were made. */
static const app_knockout_gain *gain_of(const app_knockout *k, const noise_component *component,
                                        size_t *part)
{
    for (*part = 0; *part < k->num_parts; ++*part) {
        if (app_knockout_part_has(&k->parts[*part], component)) {
            break;
        }
    }
    for (size_t i = 0; k->num_tables > 0 && i < k->tables[0].num_gains; i++) {
        if (k->tables[0].gains[i].component == *part) {
            return &k->tables[0].gains[i];
        }
    }
    return NULL;
}

static void take_gains(app_impact *impact, const app_knockout *k, const noise_signature *signature)
{
    g_autofree size_t *part = g_new(size_t, impact->num_rows + 1);
    size_t component = 0;
    for (size_t i = 0; i < impact->num_rows; i++) {
        part[i] = SIZE_MAX;
        if (impact->rows[i].why_not != NULL) {
            continue;
        }
        const noise_component *c = noise_signature_component(signature, component++);
        const app_knockout_gain *gain = gain_of(k, c, &part[i]);
        if (gain == NULL) {
            impact->rows[i].why_not = "there was no time for it (--budget)";
            impact->num_left_out++;
            continue;
        }
        impact->rows[i].gain = *gain;
        for (size_t j = 0; j < i; j++) {
            if (part[j] == part[i]) {
                impact->rows[i].is_shared = impact->rows[j].is_shared = true;
            }
        }
    }
}

static bool run_all(app_impact *impact, const app_experiment *x, GError **error)
{
    const gint64 began = g_get_monotonic_time();
    g_autoptr(app_results) results = app_estimate_run(x, error);
    if (results == NULL) {
        return false;
    }
    const double taken = (double)(g_get_monotonic_time() - began) / 1e6;
    /* Each row takes as long as all of them did. */
    const double left = MAX(impact->seconds - taken, 0) / MAX(taken, 1e-6);
    const app_knockout_wish wish = {
        .wanted = true,
        .most = impact->seconds > 0 ? (size_t)CLAMP(left, 1, 1e6) : 0,
    };
    g_autoptr(app_knockout) k = app_knockout_run(x, results, &wish, error);
    if (k == NULL) {
        return false;
    }
    take_gains(impact, k, x->noise->signature);
    impact->slowdown = k->num_tables > 0 ? k->tables[0].slowdown : (app_mean){0};
    return true;
}

static void leave_all_out(app_impact *impact, const char *why)
{
    for (size_t i = 0; i < impact->num_rows; i++) {
        if (impact->rows[i].why_not == NULL) {
            impact->rows[i].why_not = why;
            impact->num_left_out++;
        }
    }
}

app_impact *app_impact_run(const app_experiment *program, const noise_miner_report *report,
                           bool is_recorded, const app_impact_wish *wish, GError **error)
{
    g_autoptr(app_impact) impact = g_new0(app_impact, 1);
    impact->ranks = wish->ranks > 0 ? wish->ranks : report->ranks_seen;
    impact->observed_ranks = report->ranks_seen;
    impact->seconds = wish->seconds;
    impact->is_recorded = is_recorded;
    look_over(impact, report);
    if (impact->noise == NULL) {
        return g_steal_pointer(&impact);
    }
    g_auto(app_noise) noise = *program->noise;
    GError *failure = NULL;
    noise.signature = noise_signature_parse(impact->noise, program->seed, &failure);
    if (noise.signature == NULL) { /* what was found is still worth being told */
        impact->failure = g_strdup(failure->message);
        g_clear_error(&failure);
        leave_all_out(impact, "the noise that was found cannot be simulated");
        return g_steal_pointer(&impact);
    }
    noise.only_cosched = noise.cosched;
    noise.invalid = false;
    impact->mode = noise.cosched ? APP_COSCHEDULED : APP_UNSYNCHRONIZED;
    app_experiment x = *program;
    x.noise = &noise;
    x.sizes = &impact->ranks;
    x.num_sizes = 1;
    x.no_breakdown = true;
    if (!choose_replicas(impact, &x, &noise, error)) {
        return NULL;
    }
    if (impact->replicas == 0) {
        leave_all_out(impact, "there was no time for it (--budget)");
        return g_steal_pointer(&impact);
    }
    return run_all(impact, &x, error) ? g_steal_pointer(&impact) : NULL;
}

void app_impact_free(app_impact *impact)
{
    if (impact != NULL) {
        g_free(impact->rows);
        g_free(impact->noise);
        g_free(impact->failure);
        g_free(impact);
    }
}
