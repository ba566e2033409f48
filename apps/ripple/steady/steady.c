/* apps/ripple/steady/steady.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_steady. */
#include "steady/steady.h"

#include "experiment/series.h"
#include "output/error.h"
#include "steady/steady_breakdown.h"
#include "steady/steady_series.h"
#include "steady/steady_size.h"

enum { FEWEST = 5 };                     /* replicas that every size should get */
static const double COSCHED_SHARE = 0.3; /* of the budget, to settle co-scheduled noise */
static const double PER_SIZE = 0.5;      /* of the budget, dealt out evenly; the rest by need */

typedef struct plan {
    const app_experiment *experiment;
    const app_steady_wish *wish;
    app_steady_size *sizes; /* [num_sizes] unsynchronized, from the smallest up */
    size_t num_sizes;
    double end; /* of the budget, s on the monotonic clock */
    app_steady_pace pace;
    app_series settled[2]; /* co-scheduled: ideal, noisy; at one size */
    GArray *series;        /* of app_series: the results */
} plan;

static double now(void)
{
    return (double)g_get_monotonic_time() / 1e6;
}

static int by_ranks(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a;
    const uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool size_of(const plan *p, uint32_t ranks, app_mode mode, app_steady_size *size,
                    GError **error)
{
    app_source *source = p->experiment->source;
    *size = (app_steady_size){.experiment = p->experiment,
                              .ranks = ranks,
                              .mode = mode,
                              .half_width = p->wish->half_width};
    app_source_set_repeat(source, 1);
    return app_source_count(source, ranks, &size->pass_ops, error);
}

static bool make_sizes(plan *p, GError **error)
{
    const app_experiment *x = p->experiment;
    g_autofree uint32_t *ranks = g_memdup2(x->sizes, x->num_sizes * sizeof *ranks);
    qsort(ranks, x->num_sizes, sizeof *ranks, by_ranks);
    p->num_sizes = x->num_sizes;
    p->sizes = g_new(app_steady_size, x->num_sizes);
    for (size_t i = 0; i < x->num_sizes; i++) {
        if (!size_of(p, ranks[i], APP_UNSYNCHRONIZED, &p->sizes[i], error)) {
            return false;
        }
    }
    return true;
}

/* Wall time for size @p i: its part of what is left, by what the sizes to come need at least. */
static double seconds_for(const plan *p, size_t i)
{
    const double left = MAX(p->end - now(), 0);
    double all = 0;
    double own = 0;
    const double base = PER_SIZE * (double)p->wish->budget / (double)SIM_S / (double)p->num_sizes;
    for (size_t j = i; j < p->num_sizes; j++) {
        const double need = MAX(base, app_steady_seconds(&p->sizes[j], &p->pace, 1, FEWEST + 2));
        own = j == i ? need : own;
        all += need;
    }
    return left * own / all;
}

/* Does every component strike somebody there? */
static bool has_all_noise(const app_noise *noise, uint32_t ranks)
{
    for (size_t i = 0; i < noise_signature_num_components(noise->signature); i++) {
        if (app_met_ranks(noise_signature_component(noise->signature, i), ranks) == 0) {
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
    const double passes = app_steady_passes(x->noise, APP_COSCHEDULED, smallest,
                                            app_steady_reference(x->noise, smallest),
                                            p->wish->half_width, p->pace.pass);
    const bool fits = app_steady_seconds(size, &p->pace, passes, FEWEST + 1) <= seconds;
    return fits || own >= smallest || !has_all_noise(x->noise, own) ||
           size_of(p, own, APP_COSCHEDULED, size, error);
}

static bool settle_coscheduled(plan *p, GError **error)
{
    const double seconds = COSCHED_SHARE * (double)p->wish->budget / (double)SIM_S;
    app_steady_size size;
    return choose_cosched_size(p, seconds, &size, error) &&
           app_steady_settle(&size, seconds, &p->pace, &p->settled[0], &p->settled[1], error);
}

static void keep(plan *p, app_series *series)
{
    g_array_append_val(p->series, *series);
    *series = (app_series){0};
}

/* One size: the ideal run, the unsynchronized series, the co-scheduled one. */
static bool run_size(plan *p, size_t i, GError **error)
{
    const app_noise *noise = p->experiment->noise;
    app_steady_size *size = &p->sizes[i];
    app_series ideal = {0};
    app_series noisy = {0};
    app_series check = {0};
    bool ok = app_steady_settle(size, seconds_for(p, i), &p->pace, &ideal, &noisy, error);
    const bool is_settled_here = noise->cosched && p->settled[1].ranks == size->ranks;
    if (ok && noise->cosched && !is_settled_here) {
        app_steady_size coscheduled = *size;
        coscheduled.mode = APP_COSCHEDULED;
        ok = app_steady_check(&coscheduled, &ideal, &check, error);
    }
    app_series *together = is_settled_here ? &p->settled[1] : &check;
    if (ok && app_steady_break_down(size, noise->cosched, &ideal, &noisy, together, error)) {
        keep(p, &ideal);
        keep(p, &noisy);
        if (noise->cosched) {
            keep(p, together);
        }
    } else {
        ok = false;
    }
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

static bool begin(plan *p, GError **error)
{
    if (!make_sizes(p, error) ||
        !app_steady_pace_measure(p->experiment, p->sizes[0].ranks, &p->pace, error)) {
        return false;
    }
    if (!p->experiment->noise->cosched) {
        return true;
    }
    if (!settle_coscheduled(p, error)) {
        return false;
    }
    if (!is_asked_for(p, p->settled[1].ranks)) {
        keep(p, &p->settled[0]);
        keep(p, &p->settled[1]);
    }
    return true;
}

/* The sizes from @p i on were not finished. */
static void cut(const plan *p, size_t i, app_results *results)
{
    g_autofree uint32_t *missing = g_new(uint32_t, p->num_sizes - i);
    for (size_t j = i; j < p->num_sizes; j++) {
        missing[j - i] = p->sizes[j].ranks;
    }
    app_results_cut(results, results->num_series, missing, p->num_sizes - i);
}

static app_results *take_results(plan *p)
{
    app_results *results = g_new0(app_results, 1);
    results->noisy = true;
    results->num_series = p->series->len;
    results->series = g_memdup2(p->series->data, p->series->len * sizeof(app_series));
    g_array_set_size(p->series, 0);
    return results;
}

static app_results *run_all(plan *p, GError **error)
{
    if (!begin(p, error)) {
        return NULL;
    }
    for (size_t i = 0; i < p->num_sizes; i++) {
        GError *why = NULL;
        if (run_size(p, i, &why)) {
            continue;
        }
        if (i == 0 || !g_error_matches(why, APP_ERROR, APP_ERROR_STOPPED)) {
            g_propagate_error(error, why);
            return NULL;
        }
        g_clear_error(&why);
        app_results *results = take_results(p);
        cut(p, i, results);
        return results;
    }
    return take_results(p);
}

app_results *app_steady_run(const app_experiment *experiment, const app_steady_wish *wish,
                            GError **error)
{
    if (!app_experiment_check_memory(experiment, error)) {
        return NULL;
    }
    plan p = {.experiment = experiment,
              .wish = wish,
              .end = now() + (double)wish->budget / (double)SIM_S,
              .series = g_array_new(FALSE, FALSE, sizeof(app_series))};
    app_results *results = run_all(&p, error);
    for (guint i = 0; i < p.series->len; i++) {
        app_series_clear(&g_array_index(p.series, app_series, i));
    }
    g_array_unref(p.series);
    app_series_clear(&p.settled[0]);
    app_series_clear(&p.settled[1]);
    g_free(p.sizes);
    return results;
}
