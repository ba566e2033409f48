/* apps/ripple/validation/validation.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "validation/validation.h"

#include "output/error.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static void clear_row(void *data)
{
    g_free(((app_validation_row *)data)->name);
}

void app_validation_free(app_validation *v)
{
    if (v != NULL) {
        g_array_unref(v->rows);
        g_free(v->runs);
        g_free(v);
    }
}

static app_statistics over(const app_validation_pair *pairs, size_t n,
                           sim_time value_of(const app_validation_pair *pair))
{
    g_autofree sim_time *values = g_new(sim_time, n);
    for (size_t i = 0; i < n; i++) {
        values[i] = value_of(&pairs[i]);
    }
    return app_statistics_of(values, n, APP_VALIDATION_LEVEL);
}

static sim_time wall_of(const app_validation_pair *p)
{
    return app_spans_wall(p->spans);
}

static sim_time recorded_of(const app_validation_pair *p)
{
    return p->times->recorded;
}

static sim_time simulated_of(const app_validation_pair *p)
{
    return p->times->simulated;
}

/* Parts per 1e9. Far beyond any tolerance it does not matter how far. */
static sim_time ratio(sim_time value, sim_time of)
{
    return (sim_time)llround(CLAMP((double)value / (double)of - 1, -1, 1e6) * 1e9);
}

static sim_time error_of(const app_validation_pair *p)
{
    return ratio(simulated_of(p), wall_of(p));
}

static sim_time of_record_of(const app_validation_pair *p)
{
    return ratio(simulated_of(p), recorded_of(p));
}

static sim_time recording_of(const app_validation_pair *p)
{
    return ratio(recorded_of(p), wall_of(p));
}

static sim_time outside_of(const app_validation_pair *p)
{
    return MAX(p->command - wall_of(p), 0);
}

static sim_time cpu_of(const app_validation_pair *p)
{
    sim_time sum = 0;
    for (uint32_t r = 0; r < p->spans->num_ranks; r++) {
        sum += p->spans->rank[r].cpu;
    }
    return sum;
}

static size_t all_cpus(const app_spans *s)
{
    size_t sum = 0;
    for (uint32_t node = 0; node < s->num_nodes; node++) {
        sum += app_spans_num_cpus(s, node);
    }
    return sum;
}

/* Was a rank off its CPU for so long that the clock says more of that than of the program? */
static bool is_disturbed(const app_spans *s)
{
    for (uint32_t r = 0; r < s->num_ranks; r++) {
        const double wall = (double)s->rank[r].wall;
        if (wall - (double)s->rank[r].cpu > APP_VALIDATION_DISTURBED * wall) {
            return true;
        }
    }
    return false;
}

/* The computations alone, were they spread evenly over all CPUs: no run is shorter. */
static sim_time bound_of(const app_validation_pair *p)
{
    const size_t cpus = all_cpus(p->spans);
    assert(cpus > 0); /* app_spans_read() */
    return p->times->computed / (sim_time)cpus;
}

/* ---- rows ---- */

/* What of the calls of one name a row is about. */
typedef enum { ALL_CALLS, FIRST_CALLS, LATER_CALLS } calls_part;

/* "MPI_Bcast"; NULL: the run has no such row. */
static const app_call_time *find_time(const app_call_times *times, app_time_kind kind,
                                      const char *name)
{
    for (guint i = 0; i < times->rows->len; i++) {
        const app_call_time *t = &g_array_index(times->rows, app_call_time, i);
        if (t->kind == kind && g_str_equal(t->name, name)) {
            return t;
        }
    }
    return NULL;
}

static app_call_time part_of(const app_call_time *t, calls_part part)
{
    app_call_time out = *t;
    if (part == FIRST_CALLS) {
        out.calls = t->first_calls;
        out.recorded = t->first_recorded;
        out.simulated = t->first_simulated;
        out.is_collective = false; /* the model has nothing that is set up once */
    } else if (part == LATER_CALLS) {
        out.calls -= t->first_calls;
        out.recorded -= t->first_recorded;
        out.simulated -= t->first_simulated;
    }
    return out;
}

/* Do first calls take so much longer than others that they say nothing of these? By the median of
 * the runs, since one rank that was preempted once is no first call. */
static bool has_slow_first(const app_validation_pair *pairs, size_t n, const app_call_time *of)
{
    g_autofree sim_time *first = g_new0(sim_time, n);
    g_autofree sim_time *later = g_new0(sim_time, n);
    size_t runs = 0;
    for (size_t i = 0; i < n; i++) {
        const app_call_time *t = find_time(pairs[i].times, of->kind, of->name);
        if (t != NULL && t->first_calls > 0) { /* a rank that has a first call has others */
            const app_call_time rest = part_of(t, LATER_CALLS);
            first[runs] = llround(t->first_recorded / (double)t->first_calls);
            later[runs] = llround(rest.recorded / (double)rest.calls);
            runs++;
        }
    }
    return runs > 0 && (double)app_statistics_of(first, runs, APP_VALIDATION_LEVEL).median >
                           APP_VALIDATION_FIRST *
                               (double)app_statistics_of(later, runs, APP_VALIDATION_LEVEL).median;
}

/* A run that did not make such a call was there for no time. */
static app_validation_row make_row(const app_validation_pair *pairs, size_t n,
                                   const app_call_time *of, calls_part part)
{
    app_validation_row row = {
        .kind = of->kind, .name = g_strconcat(part == FIRST_CALLS ? "first " : "", of->name, NULL)};
    g_autofree sim_time *recorded = g_new0(sim_time, n);
    g_autofree sim_time *simulated = g_new0(sim_time, n);
    g_autofree sim_time *difference = g_new0(sim_time, n);
    for (size_t i = 0; i < n; i++) {
        const app_call_time *t = find_time(pairs[i].times, of->kind, of->name);
        if (t != NULL) {
            const app_call_time taken = part_of(t, part);
            recorded[i] = llround(taken.recorded);
            simulated[i] = llround(taken.simulated);
            difference[i] = simulated[i] - recorded[i];
            row.calls += (double)taken.calls / (double)n;
            row.is_collective |= taken.is_collective;
        }
    }
    row.recorded = app_statistics_of(recorded, n, APP_VALIDATION_LEVEL);
    row.simulated = app_statistics_of(simulated, n, APP_VALIDATION_LEVEL);
    row.difference = app_statistics_of(difference, n, APP_VALIDATION_LEVEL);
    return row;
}

/* The largest difference first; what makes none, by time. */
static int compare_rows(const void *a, const void *b)
{
    const app_validation_row *x = a;
    const app_validation_row *y = b;
    const sim_time dx = llabs(x->difference.median);
    const sim_time dy = llabs(y->difference.median);
    const sim_time rx = x->recorded.median;
    const sim_time ry = y->recorded.median;
    return dx != dy   ? (dx < dy) - (dx > dy)
           : rx != ry ? (rx < ry) - (rx > ry)
                      : g_strcmp0(x->name, y->name);
}

/* Has a run before run @p p such a row? Then it has been made. */
static bool is_known(const app_validation_pair *pairs, size_t p, const app_call_time *t)
{
    for (size_t i = 0; i < p; i++) {
        if (find_time(pairs[i].times, t->kind, t->name) != NULL) {
            return true;
        }
    }
    return false;
}

static GArray *make_rows(const app_validation_pair *pairs, size_t n)
{
    GArray *rows = g_array_new(FALSE, TRUE, sizeof(app_validation_row));
    g_array_set_clear_func(rows, clear_row);
    for (size_t p = 0; p < n; p++) {
        const GArray *times = pairs[p].times->rows;
        for (guint i = 0; i < times->len; i++) {
            const app_call_time *t = &g_array_index(times, app_call_time, i);
            if (is_known(pairs, p, t)) {
                continue;
            }
            const bool splits = has_slow_first(pairs, n, t);
            const app_validation_row row = make_row(pairs, n, t, splits ? LATER_CALLS : ALL_CALLS);
            g_array_append_val(rows, row);
            if (splits) {
                const app_validation_row first = make_row(pairs, n, t, FIRST_CALLS);
                g_array_append_val(rows, first);
            }
        }
    }
    g_array_sort(rows, compare_rows);
    return rows;
}

/* ---- verdict ---- */

static bool is_between(double limit, const app_statistics *s)
{
    return app_validation_fraction(s->low) < limit && limit < app_validation_fraction(s->high);
}

static void judge(app_validation *v)
{
    const double error = app_validation_fraction(v->error.median);
    v->holds = (double)v->bound.median <= (double)v->wall.median * (1 + v->tolerance);
    v->verdict = !v->has_room                  ? APP_VALIDATION_NONE
                 : fabs(error) <= v->tolerance ? APP_VALIDATION_INSIDE
                                               : APP_VALIDATION_OUTSIDE;
    v->is_close = is_between(v->tolerance, &v->error) || is_between(-v->tolerance, &v->error);
}

/* All runs have to be of the same ranks, each at the same kind of place. */
static bool check_pairs(const app_validation_pair *pairs, size_t n, GError **error)
{
    for (size_t i = 0; i < n; i++) {
        const uint32_t first = pairs[0].spans->num_ranks;
        const uint32_t timed = pairs[i].spans->num_ranks;
        const uint32_t traced = pairs[i].times->num_ranks;
        if (timed != first || traced != first) {
            g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                        "the command does not start as many ranks in every run: %u, then %u", first,
                        timed != first ? timed : traced);
            return false;
        }
    }
    return true;
}

app_validation *app_validation_new(const app_validation_pair *pairs, size_t n, double tolerance,
                                   GError **error)
{
    if (!check_pairs(pairs, n, error)) {
        return NULL;
    }
    app_validation *v = g_new0(app_validation, 1);
    v->num_ranks = pairs[0].spans->num_ranks;
    v->num_nodes = pairs[0].spans->num_nodes;
    v->num_cpus = all_cpus(pairs[0].spans);
    v->num_pairs = n;
    v->tolerance = tolerance;
    v->has_room = true;
    v->is_pinned = true;
    v->runs = g_new(app_validation_run, n);
    for (size_t i = 0; i < n; i++) {
        v->runs[i] = (app_validation_run){wall_of(&pairs[i]), recorded_of(&pairs[i]),
                                          simulated_of(&pairs[i])};
        v->has_room &= app_spans_have_room(pairs[i].spans);
        v->is_pinned &= app_spans_are_pinned(pairs[i].spans);
        for (uint32_t r = 0; r < v->num_ranks; r++) {
            v->preempted += pairs[i].spans->rank[r].preempted;
        }
        v->num_disturbed += is_disturbed(pairs[i].spans);
    }
    v->wall = over(pairs, n, wall_of);
    v->recorded = over(pairs, n, recorded_of);
    v->simulated = over(pairs, n, simulated_of);
    v->error = over(pairs, n, error_of);
    v->of_record = over(pairs, n, of_record_of);
    v->recording = over(pairs, n, recording_of);
    v->outside = over(pairs, n, outside_of);
    v->cpu = over(pairs, n, cpu_of);
    v->bound = over(pairs, n, bound_of);
    v->rows = make_rows(pairs, n);
    judge(v);
    return v;
}
