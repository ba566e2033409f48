/* apps/ripple/steady/steady.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_steady. */
#include "steady/steady.h"

#include "experiment/estimate.h"
#include "experiment/series.h"
#include "output/error.h"
#include "sim/unit.h"
#include "steady/steady_breakdown.h"
#include "steady/steady_budget.h"
#include "steady/steady_rows.h"
#include "steady/steady_series.h"
#include "steady/steady_size.h"
#include "steady/threshold.h"

#include <string.h>

static const double COSCHED_SHARE = 0.3; /* of the budget, to settle co-scheduled noise */
static const double WORTH_SAYING = 15;   /* s */

typedef struct plan {
    const app_experiment *experiment;
    const app_steady_wish *wish;
    app_steady_size *sizes; /* [num_sizes] unsynchronized, from the smallest up */
    size_t num_sizes;
    double budget; /* s */
    double began;  /* s, on the clock */
    app_steady_pace pace;
    app_steady_size together; /* where co-scheduled noise is settled */
    app_series settled[2];    /* co-scheduled: ideal, noisy; at one size */
    GArray *series;           /* of app_series: the results */
    bool *is_done;            /* [num_sizes] its series are there */
    bool *is_left_out;        /* [num_sizes] the budget has no room for it */
    size_t *order;            /* [num_sizes] in which they are begun */
} plan;

/* Of the budget, s, for all sizes. */
static double given_to_sizes(const plan *p)
{
    return p->budget - p->wish->later * p->pace.seconds;
}

/* Of that, what has not been used; less than 0: it was exceeded. */
static double left_of(const plan *p)
{
    return given_to_sizes(p) - (app_steady_now() - p->began);
}

static bool size_of(const plan *p, uint32_t ranks, app_mode mode, app_steady_size *size,
                    GError **error)
{
    app_source *source = p->experiment->source;
    *size = (app_steady_size){.experiment = p->experiment,
                              .ranks = ranks,
                              .mode = mode,
                              .half_width = p->wish->half_width,
                              .only_settled = p->wish->only_settled,
                              .threshold = mode == APP_UNSYNCHRONIZED ? p->wish->threshold : 0};
    app_source_set_repeat(source, 1);
    const bool ok = app_source_count(source, ranks, &size->pass_ops, error);
    size->pass_ops = MAX(size->pass_ops, 1); /* a barrier of one rank has none */
    return ok;
}

static bool make_sizes(plan *p, GError **error)
{
    const app_experiment *x = p->experiment;
    g_autofree uint32_t *ranks = app_steady_choose_sizes(x, p->wish->threshold > 0, &p->num_sizes);
    p->sizes = g_new(app_steady_size, p->num_sizes);
    p->is_done = g_new0(bool, p->num_sizes);
    p->is_left_out = g_new0(bool, p->num_sizes);
    for (size_t i = 0; i < p->num_sizes; i++) {
        if (!size_of(p, ranks[i], APP_UNSYNCHRONIZED, &p->sizes[i], error)) {
            return false;
        }
    }
    return true;
}

/* Does every component strike somebody there? */
static bool has_all_noise(const app_noise *noise, uint32_t ranks)
{
    for (size_t i = 0; i < noise_signature_num_components(noise->signature); i++) {
        if (app_met_ranks(noise_signature_component(noise->signature, i), noise, ranks) == 0) {
            return false;
        }
    }
    return true;
}

/*
 * Where co-scheduled noise is settled: it needs time, not ranks, and depends little on their
 * number. So at the smallest size asked for, or, where that takes too long, at the program's own.
 */
static bool choose_cosched_size(const plan *p, double seconds, app_steady_size *size,
                                GError **error)
{
    const app_experiment *x = p->experiment;
    const uint32_t own = app_source_own_ranks(x->source);
    const uint32_t smallest = p->sizes[0].ranks;
    if (!size_of(p, smallest, APP_COSCHEDULED, size, error)) {
        return false;
    }
    const uint32_t passes = app_steady_planned_passes(size, &p->pace);
    const bool fits = app_steady_seconds(size, &p->pace, passes, APP_STEADY_FEWEST + 1) <= seconds;
    return fits || own >= smallest || !has_all_noise(x->noise, own) ||
           size_of(p, own, APP_COSCHEDULED, size, error);
}

/* @param ranks [num_sizes] receives those of the sizes that are @p chosen. @return how many */
static size_t choose(const plan *p, const bool *chosen, uint32_t *ranks)
{
    size_t n = 0;
    for (size_t i = 0; i < p->num_sizes; i++) {
        if (chosen[i]) {
            ranks[n++] = p->sizes[i].ranks;
        }
    }
    return n;
}

/* Work that is not done after all is no longer expected. */
static void drop_expected(const plan *p, app_steady_size *size)
{
    app_progress_expect(p->experiment->progress, 0, -size->expected);
    size->expected = 0;
}

/* @p seconds for all that there is room for, and what there is none for. */
static void announce(const plan *p, double seconds)
{
    const app_experiment *x = p->experiment;
    g_autofree uint32_t *without = g_new(uint32_t, p->num_sizes);
    const size_t n = choose(p, p->is_left_out, without);
    app_progress_presume(x->progress, seconds);
    if ((seconds < WORTH_SAYING && n == 0) || x->quiet) {
        return;
    }
    g_autofree char *time = app_estimate_format_time(seconds);
    g_autofree char *budget = sim_unit_format_time(p->wish->budget);
    g_autofree char *sizes = app_sizes_format(without, n);
    fprintf(stderr, "ripple %s: about %s on %u threads; --budget is %s%s%s%s\n", x->verb, time,
            x->threads, budget, n > 0 ? ", with no room for " : "", sizes,
            n > 0 ? " ranks as it seems" : "");
}

/* Not where only settled rows are wanted, and this will be none. */
static bool is_cosched_tried(const plan *p)
{
    return !p->wish->only_settled ||
           app_steady_has_room(p->budget, COSCHED_SHARE * p->budget, &p->together, &p->pace);
}

static bool plan_coscheduled(plan *p, double *work, GError **error)
{
    const double seconds = COSCHED_SHARE * p->budget;
    if (!choose_cosched_size(p, seconds, &p->together, error)) {
        return false;
    }
    *work = is_cosched_tried(p) ? app_steady_planned_work(&p->together, &p->pace, seconds) : 0;
    p->together.expected = *work;
    return true;
}

/* The smallest is run in any case, but where others may settle at its expense; whether another one
 * is begun, the clock decides. */
static bool is_too_much(const plan *p, size_t i, double left)
{
    return (i > 0 || p->wish->only_settled) &&
           !app_steady_has_room(p->budget, left, &p->sizes[i], &p->pace);
}

/* Before anything but the pace is run: sizes and work are known, about. */
static bool plan_all(plan *p, GError **error)
{
    double work = 0;
    if (p->experiment->noise->cosched && !plan_coscheduled(p, &work, error)) {
        return false;
    }
    p->order = app_steady_order(p->sizes, p->num_sizes, &p->pace);
    for (size_t k = 0; k < p->num_sizes; k++) {
        const size_t i = p->order[k];
        app_steady_size *size = &p->sizes[i];
        /* Bisection goes through few of them. */
        const double used = p->wish->threshold > 0 ? 0 : work * p->pace.seconds;
        const double left = given_to_sizes(p) - used;
        p->is_left_out[i] = is_too_much(p, i, left);
        if (!p->is_left_out[i]) {
            const double part = app_steady_part(p->budget, left, size, p->num_sizes - i, &p->pace);
            const double least = app_steady_floor(p->budget, left, size, &p->pace);
            size->expected = app_steady_planned_work(size, &p->pace, MAX(part, least));
            work += size->expected;
        }
    }
    app_progress_expect(p->experiment->progress, 0, work);
    const double seconds = (work + p->wish->later) * p->pace.seconds;
    announce(p, p->wish->threshold > 0 ? MIN(seconds, p->budget) : seconds);
    memset(p->is_left_out, 0, p->num_sizes * sizeof *p->is_left_out); /* when its turn comes */
    return true;
}

static bool settle_coscheduled(plan *p, GError **error)
{
    const bool ok =
        !is_cosched_tried(p) || app_steady_settle(&p->together, COSCHED_SHARE * p->budget, &p->pace,
                                                  &p->settled[0], &p->settled[1], error);
    drop_expected(p, &p->together);
    return ok;
}

static void keep(plan *p, app_series *series)
{
    g_array_append_val(p->series, *series);
    *series = (app_series){0};
}

static bool has_room_for(plan *p, size_t i)
{
    app_steady_size *size = &p->sizes[i];
    p->is_left_out[i] = is_too_much(p, i, left_of(p));
    if (p->is_left_out[i]) {
        drop_expected(p, size);
    }
    return !p->is_left_out[i];
}

/* One size: the ideal run, the unsynchronized series, the co-scheduled one. */
static bool run_size(plan *p, size_t i, double given, GError **error)
{
    const app_noise *noise = p->experiment->noise;
    app_steady_size *size = &p->sizes[i];
    double seconds = MAX(given, app_steady_floor(p->budget, left_of(p), size, &p->pace));
    app_series ideal = {0};
    app_series noisy = {0};
    app_series check = {0};
    if (size->expected <= 0) { /* there seemed to be no room for it */
        size->expected = app_steady_planned_work(size, &p->pace, seconds);
        app_progress_expect(p->experiment->progress, 0, size->expected);
    }
    seconds -= MIN(app_steady_breakdown_seconds(size, &p->pace), seconds / 2);
    bool ok = app_steady_settle(size, seconds, &p->pace, &ideal, &noisy, error);
    const bool is_settled_here = noise->cosched && p->settled[1].ranks == size->ranks;
    const bool is_checked = ok && noise->cosched && !is_settled_here && !p->wish->only_settled &&
                            app_steady_check_is_long(size, (double)ideal.ideal);
    if (is_checked) {
        app_steady_size coscheduled = *size;
        coscheduled.mode = APP_COSCHEDULED;
        ok = app_steady_check(&coscheduled, &ideal, &check, error);
        size->expected = coscheduled.expected;
    }
    app_series *together = is_settled_here ? &p->settled[1] : is_checked ? &check : NULL;
    if (ok && app_steady_break_down(size, &ideal, &noisy, together, error)) {
        keep(p, &ideal);
        keep(p, &noisy);
        if (together != NULL) {
            keep(p, together);
        }
        p->is_done[i] = true;
    } else {
        ok = false;
    }
    drop_expected(p, size);
    app_series_clear(&ideal);
    app_series_clear(&noisy);
    app_series_clear(&check);
    return ok;
}

static bool is_asked_for(const plan *p, uint32_t ranks)
{
    bool asked = false;
    for (size_t i = 0; i < p->num_sizes; i++) {
        asked = asked || p->sizes[i].ranks == ranks;
    }
    return asked;
}

/* The size at which co-scheduled noise was settled may be none of those asked for, and bisection
 * may pass it by: its breakdown is made here. Stopped there, nothing is missing. */
static bool keep_settled(plan *p, GError **error)
{
    GError *why = NULL;
    if (p->settled[1].num_runs == 0) {
        return true;
    }
    if (!app_steady_break_down(&p->together, &p->settled[0], NULL, &p->settled[1], &why)) {
        if (!g_error_matches(why, APP_ERROR, APP_ERROR_STOPPED)) {
            g_propagate_error(error, why);
            return false;
        }
        g_clear_error(&why);
        p->settled[0].unexplained = p->settled[1].unexplained = "the runs were stopped before";
    }
    keep(p, &p->settled[0]);
    keep(p, &p->settled[1]);
    return true;
}

static bool begin(plan *p, GError **error)
{
    if (!make_sizes(p, error)) {
        return false;
    }
    const uint32_t small = MIN(app_source_own_ranks(p->experiment->source), p->sizes[0].ranks);
    if (!app_steady_pace_measure(p->experiment, small, &p->pace, error) || !plan_all(p, error)) {
        return false;
    }
    if (!p->experiment->noise->cosched) {
        return true;
    }
    if (!settle_coscheduled(p, error)) {
        return false;
    }
    return is_asked_for(p, p->settled[1].ranks) || keep_settled(p, error);
}

/* Of the sizes that were to be looked at, some were left out; those that are not done otherwise, as
 * it was stopped, are missing. */
static void name_absent(const plan *p, const app_bracket *among, bool is_stopped,
                        app_results *results)
{
    g_autofree bool *is_left_out = g_new0(bool, p->num_sizes);
    g_autofree bool *is_missing = g_new0(bool, p->num_sizes);
    g_autofree uint32_t *ranks = g_new(uint32_t, p->num_sizes);
    for (size_t i = among->below; i < among->above; i++) {
        is_left_out[i] = p->is_left_out[i];
        is_missing[i] = !p->is_done[i] && !p->is_left_out[i];
    }
    app_results_leave_out(results, ranks, choose(p, is_left_out, ranks));
    if (is_stopped) {
        app_results_cut(results, results->num_series, ranks, choose(p, is_missing, ranks));
    }
}

static bool run_all_sizes(plan *p, GError **error)
{
    bool any = false;
    for (size_t k = 0; k < p->num_sizes; k++) {
        const size_t i = p->order[k];
        if (!has_room_for(p, i)) {
            continue;
        }
        const double given =
            app_steady_part(p->budget, left_of(p), &p->sizes[i], p->num_sizes - i, &p->pace);
        if (!run_size(p, i, given, error)) {
            return false;
        }
        any = true;
    }
    return any || run_size(p, 0, MAX(left_of(p), 0), error);
}

/* Rows that have not settled are none where only settled ones are wanted. */
static void choose_rows(plan *p)
{
    if (!p->wish->only_settled) {
        return;
    }
    app_steady_rows_keep_settled(p->series);
    for (size_t i = 0; i < p->num_sizes; i++) {
        const bool is_there =
            app_steady_rows_find(p->series, p->sizes[i].ranks, APP_UNSYNCHRONIZED) != NULL;
        p->is_left_out[i] = !is_there && (p->is_done[i] || p->is_left_out[i]);
    }
}

static bool ask(void *data, size_t i, unsigned more, app_verdict *verdict, GError **error)
{
    plan *p = data;
    const double left = MAX(left_of(p), 0);
    if (!has_room_for(p, i)) {
        *verdict = APP_UNDECIDED;
        return true;
    }
    if (!run_size(p, i, left / (more + 1), error)) {
        return false;
    }
    for (guint k = 0; k < p->series->len; k++) {
        const app_series *s = &g_array_index(p->series, app_series, k);
        if (s->ranks == p->sizes[i].ranks && s->mode == APP_UNSYNCHRONIZED) {
            *verdict = app_steady_verdict(s, p->wish->threshold);
        }
    }
    return true;
}

static bool find_threshold(plan *p, app_bracket *bracket, app_threshold *threshold, GError **error)
{
    const bool ok = app_threshold_find(p->num_sizes, ask, p, bracket, error);
    *threshold = (app_threshold){
        .slowdown = p->wish->threshold,
        .below = bracket->below > 0 ? p->sizes[bracket->below - 1].ranks : 0,
        .above = bracket->above < p->num_sizes ? p->sizes[bracket->above].ranks : 0,
        .undecided = (uint32_t)(bracket->above - MIN(bracket->below, bracket->above)),
    };
    return ok;
}

/* All sizes are done: what they have left is for co-scheduled noise, if that has not settled.
 * Stopped there, nothing is missing. */
static bool settle_with_what_is_left(plan *p, GError **error)
{
    const double left = left_of(p);
    app_series *settled = app_steady_rows_find_cosched(p->series);
    if (settled == NULL || settled->steady.state == APP_STEADY_REACHED ||
        left < COSCHED_SHARE * p->budget) {
        return true;
    }
    app_series ideal = {0};
    app_series noisy = {0};
    GError *why = NULL;
    const bool ok = app_steady_settle(&p->together, left, &p->pace, &ideal, &noisy, &why);
    const bool is_stopped = !ok && g_error_matches(why, APP_ERROR, APP_ERROR_STOPPED);
    if (ok && noisy.passes >= settled->passes) {
        app_steady_take_breakdown(&noisy, settled);
        app_series_clear(settled);
        *settled = noisy;
        noisy = (app_series){0};
    }
    app_series_clear(&ideal);
    app_series_clear(&noisy);
    if (ok || is_stopped) {
        g_clear_error(&why);
        return true;
    }
    g_propagate_error(error, why);
    return false;
}

static app_results *run_all(plan *p, GError **error)
{
    app_threshold threshold = {0};
    app_bracket bracket = {.above = p->num_sizes};
    GError *why = NULL;
    bool ok = p->wish->threshold > 0 ? find_threshold(p, &bracket, &threshold, &why)
                                     : run_all_sizes(p, &why);
    const bool kept = keep_settled(p, ok ? &why : NULL);
    ok = ok && kept && settle_with_what_is_left(p, &why);
    if (!ok && (p->series->len == 0 || !g_error_matches(why, APP_ERROR, APP_ERROR_STOPPED))) {
        g_propagate_error(error, why);
        return NULL;
    }
    g_clear_error(&why);
    choose_rows(p);
    const bool without = p->experiment->noise->cosched && p->wish->only_settled &&
                         app_steady_rows_find_cosched(p->series) == NULL;
    app_results *results = app_steady_rows_take(p->series);
    results->threshold = threshold;
    results->only_settled = p->wish->only_settled;
    results->left_out_cosched = without;
    name_absent(p, &bracket, !ok, results);
    return results;
}

app_results *app_steady_run(const app_experiment *experiment, const app_steady_wish *wish,
                            GError **error)
{
    if (!app_experiment_check_memory(experiment, error)) {
        return NULL;
    }
    g_autoptr(app_progress) progress =
        app_progress_new(experiment->verb, "runs", experiment->quiet);
    app_experiment x = *experiment;
    x.progress = progress;
    const double budget = (double)wish->budget / (double)SIM_S;
    plan p = {.experiment = &x,
              .wish = wish,
              .budget = budget,
              .began = app_steady_now(),
              .series = g_array_new(FALSE, FALSE, sizeof(app_series))};
    app_results *results = begin(&p, error) ? run_all(&p, error) : NULL;
    for (guint i = 0; i < p.series->len; i++) {
        app_series_clear(&g_array_index(p.series, app_series, i));
    }
    g_array_unref(p.series);
    app_series_clear(&p.settled[0]);
    app_series_clear(&p.settled[1]);
    g_free(p.sizes);
    g_free(p.is_done);
    g_free(p.is_left_out);
    g_free(p.order);
    return results;
}

const char *app_steady_never(const app_source *source, const app_noise *noise)
{
    return !app_noise_is_some(noise)                              ? "without noise"
           : app_source_get_kind(source) == APP_SOURCE_COLLECTIVE ? "on a collective"
                                                                  : NULL;
}
