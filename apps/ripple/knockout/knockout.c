/* apps/ripple/knockout/knockout.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_knockout, cli_knockout. */
#include "knockout/knockout.h"

#include "experiment/estimate.h"
#include "experiment/pace.h"
#include "knockout/gain.h"
#include "knockout/knockout_room.h"
#include "output/error.h"
#include "steady/steady_series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double MATTERS = 0.01; /* of the slowdown: less cannot be seen in it */

/* What is common to all variants of one series. */
typedef struct bench {
    const app_experiment *experiment;
    app_knockout *knockout;
    const app_series *all;
    const app_results *results;
    const app_run *ideal; /* steady: a run as long, with its slices; else NULL */
    app_results *made;    /* that holds it, if there was none */
    app_progress *progress;
    bool in_lanes;
} bench;

bool app_knockout_resolve(const char *text, const app_noise *noise, app_manifest *manifest,
                          app_knockout_wish *wish, GError **error)
{
    *wish = (app_knockout_wish){.wanted = text != NULL};
    wish->pairs = text != NULL && g_str_equal(text, "pairs");
    wish->largest = text != NULL && g_str_equal(text, "largest");
    if (text != NULL && !wish->pairs && !wish->largest && text[0] != '\0') {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "--knock-out: '%s' is none of the values that it takes: pairs, largest", text);
        return false;
    }
    const app_option_use use = {"--knock-out", text != NULL,
                                !app_noise_is_some(noise) ? "without noise"
                                : noise->replicas == 1    ? "with one replica"
                                                          : NULL};
    if (!app_options_refuse_idle(&use, 1, error)) {
        return false;
    }
    if (text != NULL) {
        app_manifest_add(manifest, "knock-out", "%s", text[0] != '\0' ? text : "yes");
    }
    return true;
}

/* Is it an estimate of its own? Steady, one run may be a check of another size. */
static bool is_looked_at(const app_series *s)
{
    return s->mode != APP_IDEAL && !(s->quantity == APP_STEADY && s->steady.check);
}

/* The runs of @p b's series, under @p noise. */
static app_experiment same_runs(const bench *b, const app_noise *noise)
{
    const app_series *s = b->all;
    app_experiment x = *b->experiment;
    x.noise = noise;
    x.sizes = &s->ranks;
    x.num_sizes = 1;
    x.ideal = MAX(s->ideal, 1); /* there is no ideal run */
    x.no_breakdown = true;
    x.explain = false;
    x.keep_finish = false;
    x.record = NULL;
    x.sink = NULL;
    x.progress = b->progress;
    x.planned = NULL;
    x.first_replica = 0;
    x.keep_slices = x.redraw = s->quantity == APP_STEADY; /* as steady/steady_size.c has run them */
    return x;
}

static app_noise same_noise(const bench *b, noise_signature *signature)
{
    app_noise noise = *b->experiment->noise;
    noise.signature = signature;
    noise.replicas = b->all->num_runs;
    noise.cosched = noise.only_cosched = b->all->mode == APP_COSCHEDULED;
    return noise;
}

/* @param other NULL: one alone */
static bool run_without(const bench *b, const app_knockout_part *one,
                        const app_knockout_part *other, app_knockout_values *values, GError **error)
{
    const app_series *s = b->all;
    g_autoptr(GPtrArray) labels = g_ptr_array_new();
    for (char **label = one->labels; *label != NULL; label++) {
        g_ptr_array_add(labels, *label);
    }
    for (char **label = other != NULL ? other->labels : NULL; label != NULL && *label != NULL;
         label++) {
        g_ptr_array_add(labels, *label);
    }
    g_ptr_array_add(labels, NULL);
    g_autoptr(noise_signature) signature = noise_signature_without(
        b->experiment->noise->signature, (const char *const *)labels->pdata, error);
    if (signature == NULL) {
        return false;
    }
    if (noise_signature_num_components(signature) == 0) { /* that is the ideal run */
        *values = app_knockout_values_zero(s->num_runs);
        return true;
    }
    const app_noise noise = same_noise(b, signature);
    app_experiment x = same_runs(b, &noise);
    uint64_t num_ops = 0;
    if (!app_source_count(x.source, s->ranks, &num_ops, error)) {
        return false;
    }
    const app_work work = app_workload_at(&x, s->ranks, num_ops, b->in_lanes);
    const double planned = app_work_total(&work);
    x.planned = &planned;
    g_autoptr(app_results) results = app_experiment_run(&x, error);
    if (results == NULL) {
        return false;
    }
    results->series[0].ideal = s->ideal;
    *values = app_knockout_values_of(&results->series[0], b->ideal, &noise);
    return true;
}

/* Detours of the components of that name, and whether they are too few. */
static void count_met(const bench *b, app_knockout_gain *gain)
{
    const app_series *s = b->all;
    const noise_signature *signature = b->experiment->noise->signature;
    const bool steady = s->quantity == APP_STEADY;
    double most = 0;
    bool is_rate = true;
    for (size_t i = 0; i < noise_signature_num_components(signature) && i < s->num_met; i++) {
        const noise_component *c = noise_signature_component(signature, i);
        if (app_knockout_part_has(&b->knockout->parts[gain->component], c)) {
            gain->met += s->met[i].by_run * (steady ? 1 : s->num_runs);
            most += s->met[i].most;
            is_rate = is_rate && isinf(c->interval);
        }
    }
    gain->few_met =
        most > 0 && most >= MATTERS * MAX(s->slowdown.mean, 0) && gain->met < APP_STEADY_MET;
    gain->met = is_rate ? INFINITY : gain->met;
}

static int by_interaction(const void *pa, const void *pb)
{
    const app_knockout_gain *a = pa;
    const app_knockout_gain *b = pb;
    const double x = fabs(a->more.mean);
    const double y = fabs(b->more.mean);
    if (x != y) {
        return x > y ? -1 : 1;
    }
    return a->component != b->component ? (a->component > b->component ? 1 : -1)
                                        : (a->other > b->other) - (a->other < b->other);
}

static bool run_pairs(const bench *b, const app_knockout_values *all,
                      const app_knockout_values *single, app_knockout_table *table, GError **error)
{
    const app_knockout *k = b->knockout;
    const uint32_t n = b->all->num_runs;
    const uint64_t seed = b->experiment->seed;
    table->pairs = g_new0(app_knockout_gain, k->num_parts * (k->num_parts - 1) / 2);
    for (size_t i = 0; i < k->num_parts; i++) {
        for (size_t j = i + 1; j < k->num_parts; j++) {
            app_knockout_gain *g = &table->pairs[table->num_pairs++];
            app_knockout_values both = {0};
            if (!run_without(b, &k->parts[i], &k->parts[j], &both, error)) {
                return false;
            }
            /* (all - both) - (all - i) - (all - j) */
            const app_knockout_values *const parts[] = {all, &both, &single[i], &single[j]};
            const double more[] = {-1, -1, 1, 1};
            *g = (app_knockout_gain){.component = i, .other = j};
            g->gain = app_knockout_sum(parts, (const double[]){1, -1}, 2, n, seed);
            g->more = app_knockout_sum(parts, more, 4, n, seed);
            g->without = app_knockout_sum(parts + 1, (const double[]){1}, 1, n, seed);
            for (size_t s = 0; s < table->num_gains; s++) {
                const app_knockout_gain *one = &table->gains[s];
                g->few_met =
                    g->few_met || ((one->component == i || one->component == j) && one->few_met);
            }
            app_knockout_values_clear(&both);
        }
    }
    if (table->num_pairs > 0) {
        qsort(table->pairs, table->num_pairs, sizeof *table->pairs, by_interaction);
    }
    return true;
}

/* The components, those first whose gain was largest at the size before. */
static void order_parts(const bench *b, size_t *order)
{
    const app_knockout *k = b->knockout;
    const app_knockout_table *before = NULL;
    for (size_t i = 0; i < k->num_tables; i++) {
        const app_knockout_table *t = &k->tables[i];
        before = t->all->mode == b->all->mode && t->num_gains == k->num_parts ? t : before;
    }
    for (size_t i = 0; i < k->num_parts; i++) {
        order[i] = before != NULL ? before->gains[i].component : i;
    }
}

/* Without each of the first @p num_parts components in turn. */
static bool run_variants(const bench *b, size_t num_parts, const app_knockout_values *all,
                         app_knockout_values *single, app_knockout_table *table, GError **error)
{
    const app_knockout *k = b->knockout;
    const uint32_t n = b->all->num_runs;
    const uint64_t seed = b->experiment->seed;
    g_autofree size_t *order = g_new(size_t, k->num_parts);
    order_parts(b, order);
    for (size_t j = 0; j < num_parts; j++) {
        const size_t i = order[j];
        if (!run_without(b, &k->parts[i], NULL, &single[i], error)) {
            return false;
        }
        const app_knockout_values *const parts[] = {all, &single[i]};
        app_knockout_gain *g = &table->gains[table->num_gains++];
        *g = (app_knockout_gain){.component = i, .other = SIZE_MAX};
        g->gain = app_knockout_sum(parts, (const double[]){1, -1}, 2, n, seed);
        g->without = app_knockout_sum(parts + 1, (const double[]){1}, 1, n, seed);
        count_met(b, g);
    }
    table->slowdown = app_knockout_sum(&all, (const double[]){1}, 1, n, seed);
    const bool ok = !k->pairs || run_pairs(b, all, single, table, error);
    app_knockout_rank(table->gains, table->num_gains);
    return ok;
}

/* A run without noise as long as those of the series: its slices say where the warm-up ends. The
 * experiment may have it. */
static bool find_ideal(bench *b, GError **error)
{
    b->ideal = NULL;
    if (b->all->quantity != APP_STEADY) {
        return true;
    }
    app_source_set_repeat(b->experiment->source, b->all->passes);
    for (size_t i = 0; i < b->results->num_series; i++) {
        const app_series *s = &b->results->series[i];
        if (s->mode == APP_IDEAL && s->ranks == b->all->ranks && s->passes == b->all->passes &&
            s->num_slices == b->all->num_slices && s->num_slices > 0 && s->num_runs == 1) {
            b->ideal = &s->runs[0];
            return true;
        }
    }
    app_experiment x = same_runs(b, b->experiment->noise);
    x.ideal = 0;
    x.without_noise = true;
    x.progress = NULL;
    x.quiet = true;
    b->made = app_experiment_run(&x, error);
    b->ideal = b->made != NULL ? &b->made->series[0].runs[0] : NULL;
    return b->made != NULL;
}

static bool run_table(bench *b, size_t num_parts, app_knockout_table *table, GError **error)
{
    const app_knockout *k = b->knockout;
    *table = (app_knockout_table){.all = b->all, .gains = g_new0(app_knockout_gain, k->num_parts)};
    if (!find_ideal(b, error)) {
        return false;
    }
    app_knockout_values all = app_knockout_values_of(b->all, b->ideal, b->experiment->noise);
    g_autofree app_knockout_values *single = g_new0(app_knockout_values, k->num_parts);
    const bool ok = run_variants(b, num_parts, &all, single, table, error);
    for (size_t i = 0; i < k->num_parts; i++) {
        app_knockout_values_clear(&single[i]);
    }
    app_knockout_values_clear(&all);
    g_clear_pointer(&b->made, app_results_free);
    return ok;
}

static void table_clear(app_knockout_table *table)
{
    g_free(table->gains);
    g_free(table->pairs);
    *table = (app_knockout_table){0};
}

void app_knockout_free(app_knockout *k)
{
    if (k != NULL) {
        for (size_t i = 0; i < k->num_tables; i++) {
            table_clear(&k->tables[i]);
        }
        g_free(k->tables);
        g_free(k->left_out);
        app_knockout_parts_free(k->parts, k->num_parts);
        g_free(k);
    }
}

/* How many times each noisy series is run again. */
static size_t num_variants(const app_knockout *k)
{
    return k->num_parts + (k->pairs ? k->num_parts * (k->num_parts - 1) / 2 : 0);
}

/* Of all variants of b's series; that of the experiment with all of the noise stays in @p x. */
static bool plan(const bench *b, app_experiment *x, app_noise *noise, app_work *work,
                 GError **error)
{
    if (b->all->quantity == APP_STEADY) {
        app_source_set_repeat(b->experiment->source, b->all->passes);
    }
    uint64_t num_ops = 0;
    if (!app_source_count(b->experiment->source, b->all->ranks, &num_ops, error)) {
        return false;
    }
    *noise = same_noise(b, b->experiment->noise->signature);
    *x = same_runs(b, noise);
    const app_work one = app_workload_at(x, b->all->ranks, num_ops, b->in_lanes);
    const size_t variants = num_variants(b->knockout);
    *work = (app_work){0};
    for (size_t v = 0; v < variants; v++) {
        app_work_add(work, &one);
    }
    return true;
}

/* All that there is to do: its work, and that of its first variant as what it is judged by. */
static app_progress *begin(const bench *all, const app_results *results, GError **error)
{
    app_work work = {0};
    bench b = *all;
    app_experiment largest = *all->experiment;
    uint32_t passes = app_source_repeat(largest.source);
    app_noise noise = *largest.noise;
    for (size_t i = 0; i < results->num_series; i++) {
        app_work more;
        b.all = &results->series[i];
        if (!is_looked_at(b.all)) {
            continue;
        }
        if (!plan(&b, &largest, &noise, &more, error)) {
            return NULL;
        }
        passes = app_source_repeat(largest.source);
        app_work_add(&work, &more);
    }
    app_source_set_repeat(largest.source, passes);
    return app_estimate_begin(&largest, &work, all->in_lanes, error);
}

/* How much each of the series at @p looked_at is. @return owned by the caller; NULL with an error
 */
static app_knockout_load *weigh(bench *b, const app_series *const *looked_at, size_t n,
                                GError **error)
{
    g_autofree app_knockout_load *loads = g_new(app_knockout_load, n + 1);
    for (size_t i = 0; i < n; i++) {
        app_experiment x;
        app_noise noise;
        app_work work;
        b->all = looked_at[i];
        if (!plan(b, &x, &noise, &work, error)) {
            return NULL;
        }
        loads[i] = (app_knockout_load){b->all->ranks, app_work_total(&work)};
    }
    return g_steal_pointer(&loads);
}

/* One series after the other. @return false: an error */
static bool run_tables(bench *b, const app_results *results, app_pace *pace, GError **error)
{
    app_knockout *k = b->knockout;
    g_autofree const app_series **looked_at = g_new(const app_series *, results->num_series + 1);
    size_t n = 0;
    for (size_t i = 0; i < results->num_series; i++) {
        if (is_looked_at(&results->series[i])) {
            looked_at[n++] = &results->series[i];
        }
    }
    g_autofree app_knockout_load *loads = weigh(b, looked_at, n, error);
    for (size_t i = 0; loads != NULL && i < n; i++) {
        const size_t parts = app_knockout_room(pace, loads, n, i, k->num_parts, k->pairs);
        b->all = looked_at[i];
        if (parts == 0 && k->num_parts > 0) {
            k->left_out[k->num_left_out++] = (app_knockout_absent){b->all->ranks, b->all->mode};
            continue;
        }
        GError *why = NULL;
        app_pace_begin_step(pace);
        if (run_table(b, parts, &k->tables[k->num_tables], &why)) {
            app_pace_end_step(pace, loads[i].work * (double)parts / (double)MAX(k->num_parts, 1));
            k->num_tables++;
            continue;
        }
        table_clear(&k->tables[k->num_tables]);
        if (!g_error_matches(why, APP_ERROR, APP_ERROR_STOPPED)) {
            g_propagate_error(error, why);
            return false;
        }
        g_clear_error(&why);
        k->is_stopped = true;
        break;
    }
    return loads != NULL;
}

app_knockout *app_knockout_run(const app_experiment *x, const app_results *results,
                               const app_knockout_wish *wish, GError **error)
{
    app_pace pace = app_pace_new(wish->seconds > 0 ? wish->seconds : INFINITY);
    g_autoptr(app_knockout) k = g_new0(app_knockout, 1);
    k->parts = app_knockout_parts_new(x->noise, wish->largest, &k->num_parts);
    while (wish->most > 0 && k->num_parts > wish->most) {
        app_knockout_part_clear(&k->parts[--k->num_parts]);
    }
    k->pairs = wish->pairs;
    k->is_invalid = x->noise->invalid;
    k->tables = g_new0(app_knockout_table, results->num_series);
    k->left_out = g_new0(app_knockout_absent, results->num_series + 1);
    bench b = {
        .experiment = x, .knockout = k, .results = results, .in_lanes = app_workload_in_lanes(x)};
    g_autoptr(app_progress) progress = isinf(pace.seconds)
                                           ? begin(&b, results, error)
                                           : app_progress_new(x->verb, "runs", x->quiet);
    b.progress = progress;
    return progress != NULL && run_tables(&b, results, &pace, error) ? g_steal_pointer(&k) : NULL;
}

bool app_knockout_run_if(const app_knockout_wish *wish, const app_experiment *experiment,
                         const app_results *results, app_knockout **out, GError **error)
{
    *out = NULL;
    if (!wish->wanted || results->stopped_by != NULL) {
        return true;
    }
    *out = app_knockout_run(experiment, results, wish, error);
    return *out != NULL;
}
