/* noise/detours/model_draw.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_signature. */
#include "detours/model_arrivals.h"

#include "noise/detour_tables.h"

#include <assert.h>
#include <stdlib.h>

/* Fewer, and all ranks share few detours: results jump between seeds (docs/noise.md, section 7). */
enum { MIN_DRAWN = 100 };
/* Common multiples of the fixed intervals are taken up to so many of the longest interval. */
enum { MAX_MULTIPLE = 10000 };
/* They take 1.2 GB while they are laid out. */
static const double MAX_DETOURS = 0x1p24;

static sim_int128 common_divisor(sim_int128 a, sim_int128 b)
{
    while (b != 0) {
        const sim_int128 rest = a % b;
        a = b;
        b = rest;
    }
    assert(a > 0);
    return a;
}

/* Least common multiple of the intervals of all models that are fixed in time; 1 if there is none;
 * the longest alone where the multiple is too long. */
static sim_time common_interval(const noise_model *const *models, size_t n)
{
    sim_time longest = 1;
    for (size_t i = 0; i < n; i++) {
        if (models[i]->kind->is_periodic) {
            longest = MAX(longest, models[i]->interval);
        }
    }
    sim_int128 common = 1;
    for (size_t i = 0; i < n; i++) {
        if (!models[i]->kind->is_periodic) {
            continue;
        }
        common = common / common_divisor(common, models[i]->interval) * models[i]->interval;
        if (common > (sim_int128)longest * MAX_MULTIPLE || common > SIM_TIME_MAX) {
            return longest;
        }
    }
    return (sim_time)common;
}

/* The period of the trace to be drawn; 0 if it is beyond the range of time. */
static sim_time horizon(const noise_model *const *models, size_t n)
{
    const sim_time step = common_interval(models, n);
    assert(step > 0);
    sim_int128 wanted = step;
    for (size_t i = 0; i < n; i++) {
        wanted = MAX(wanted, models[i]->at_least);
        if (models[i]->kind->is_drawn) {
            wanted = MAX(wanted, (sim_int128)models[i]->interval * MIN_DRAWN);
        }
    }
    /* Where the common multiple alone would make the trace much longer it is given up: the gap at
     * the end of the period is then an odd one. */
    const sim_int128 up = (wanted + step - 1) / step * step;
    const sim_int128 period = up <= 2 * wanted ? up : wanted;
    return period <= SIM_TIME_MAX ? (sim_time)period : 0;
}

static int by_start(const void *pa, const void *pb)
{
    const noise_arrival *a = pa;
    const noise_arrival *b = pb;
    if (a->start != b->start) {
        return a->start < b->start ? -1 : 1;
    }
    return (a->model > b->model) - (a->model < b->model);
}

static bool are_in_order(const noise_arrival *at, guint n)
{
    for (guint i = 1; i < n; i++) {
        if (at[i].start < at[i - 1].start) {
            return false;
        }
    }
    return true;
}

/* All by start, what there is of model i from @p first[i] on. Mostly each model's are in order as
 * they were placed: they are merged, which takes one pass. */
static GArray *merge(const GArray *arrivals, const guint *first, size_t n)
{
    GArray *merged = g_array_new(FALSE, FALSE, sizeof(noise_arrival));
    g_array_set_size(merged, arrivals->len);
    noise_arrival *to = (noise_arrival *)(void *)merged->data;
    g_autofree guint *next = g_memdup2(first, n * sizeof *first);
    const noise_arrival *at = (const noise_arrival *)(const void *)arrivals->data;
    for (guint i = 0; i < arrivals->len; i++) {
        size_t least = n;
        for (size_t m = 0; m < n; m++) {
            if (next[m] < first[m + 1] &&
                (least == n || by_start(&at[next[m]], &at[next[least]]) < 0)) {
                least = m;
            }
        }
        to[i] = at[next[least]++];
    }
    return merged;
}

static GArray *place(const noise_model *const *models, size_t n, sim_time period, uint64_t seed,
                     bool alone)
{
    g_autoptr(GArray) arrivals = g_array_new(FALSE, FALSE, sizeof(noise_arrival));
    g_autofree guint *first = g_new0(guint, n + 1);
    for (size_t i = 0; i < n; i++) {
        noise_arrivals out = {arrivals, period, seed, i, alone && n == 1};
        models[i]->kind->place(models[i], &out);
        first[i + 1] = arrivals->len;
        noise_arrival *own = &g_array_index(arrivals, noise_arrival, first[i]);
        if (!are_in_order(own, arrivals->len - first[i])) {
            qsort(own, arrivals->len - first[i], sizeof *own, by_start);
        }
    }
    return n == 1 ? g_steal_pointer(&arrivals) : merge(arrivals, first, n);
}

/* How long after @p period are the arrivals served, if the CPU has @p backlog to do at 0? */
static sim_time backlog_after(const GArray *arrivals, sim_time period, sim_time backlog)
{
    sim_time now = backlog;
    for (guint i = 0; i < arrivals->len; i++) {
        const noise_arrival *a = &g_array_index(arrivals, noise_arrival, i);
        now = MAX(now, a->start) + a->length;
    }
    return MAX(now - period, 0);
}

/*
 * Serve arrivals one after the other, as one CPU does. What is left at the end of the period is
 * done at the beginning of the next, hence of every one; as the CPU is idle at some time in a
 * period, what is left does not depend on what there was at the beginning.
 *
 * A detour's number is that of its arrival, behind that of what is left over; with @p num_numbers
 * above 0 the trace keeps them.
 */
static noise_detour_trace *serve(const GArray *arrivals, sim_time period, size_t num_numbers,
                                 GError **error)
{
    const sim_time backlog = backlog_after(arrivals, period, 0);
    g_autofree sim_time *start = g_new(sim_time, arrivals->len + 1);
    g_autofree sim_time *length = g_new(sim_time, arrivals->len + 1);
    g_autofree uint32_t *number = g_new(uint32_t, arrivals->len + 1);
    size_t n = 0;
    sim_time now = 0;
    if (backlog > 0) {
        number[n] = 0;
        start[n] = 0;
        length[n++] = now = backlog;
    }
    for (guint i = 0; i < arrivals->len && now < period; i++) {
        const noise_arrival *a = &g_array_index(arrivals, noise_arrival, i);
        start[n] = MAX(now, a->start);
        length[n] = MIN(a->length, period - start[n]);
        number[n] = (uint32_t)a->number;
        now = start[n] + length[n];
        n++;
    }
    noise_detour_trace *trace = noise_detour_trace_new(start, length, n, period, error);
    if (trace != NULL && num_numbers > 0) {
        noise_detour_trace_keep_numbers(trace, g_steal_pointer(&number), num_numbers);
    }
    return trace;
}

/* Each has a number of its own, but those of a stay have that of its first. */
static void number(GArray *arrivals, size_t num_models, sim_time period, size_t num_numbers)
{
    g_autofree noise_arrival *last = g_new0(noise_arrival, num_models);
    const size_t first = backlog_after(arrivals, period, 0) > 0 ? 1 : 0;
    for (guint i = 0; i < arrivals->len; i++) {
        noise_arrival *a = &g_array_index(arrivals, noise_arrival, i);
        const noise_arrival *before = &last[a->model];
        /* What came too late to begin in the period was served with what was left over. */
        a->number = a->stay > 0 && a->stay == before->stay ? before->number
                                                           : MIN(first + i, num_numbers - 1);
        last[a->model] = *a;
    }
}

/* As it was with all of them; then those of models that are left out are not there. */
static void leave_out(GArray *arrivals, const noise_model *const *models)
{
    guint kept = 0;
    for (guint i = 0; i < arrivals->len; i++) {
        const noise_arrival a = g_array_index(arrivals, noise_arrival, i);
        if (!models[a.model]->is_left_out) {
            g_array_index(arrivals, noise_arrival, kept++) = a;
        }
    }
    g_array_set_size(arrivals, kept);
}

noise_detour_trace *noise_model_draw(const noise_model *const *models, size_t n, uint64_t seed,
                                     bool alone, sim_time *longest, GError **error)
{
    const sim_time period = horizon(models, n);
    double count = 0;
    for (size_t i = 0; i < n; i++) {
        count += (double)period / noise_model_gap(models[i]);
        longest[i] = 0;
    }
    if (period == 0 || count > MAX_DETOURS) {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_MODEL,
                    "noise: the rarest component needs a trace that is too long for the others "
                    "(more than %.0f detours, or 26 days)",
                    MAX_DETOURS);
        return NULL;
    }
    g_autoptr(GArray) arrivals = place(models, n, period, seed, alone);
    double stolen = 0;
    for (guint i = 0; i < arrivals->len; i++) {
        const noise_arrival *a = &g_array_index(arrivals, noise_arrival, i);
        stolen += (double)a->length;
        longest[a->model] = MAX(longest[a->model], a->length);
    }
    if (stolen >= (double)period) {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_MODEL,
                    "noise: the components together steal %.4g %% of the CPU time: none is left",
                    100 * stolen / (double)period);
        return NULL;
    }
    g_autoptr(noise_detour_trace) all = serve(arrivals, period, 0, error);
    bool some = false;
    for (size_t i = 0; i < n; i++) {
        some = some || models[i]->is_left_out;
    }
    for (guint i = 0; i < arrivals->len && !some; i++) {
        some = g_array_index(arrivals, noise_arrival, i).stay > 0;
    }
    if (all == NULL || !some || arrivals->len == 0) {
        return g_steal_pointer(&all);
    }
    const size_t num_numbers = noise_detour_trace_count(all);
    number(arrivals, n, period, num_numbers);
    leave_out(arrivals, models);
    return serve(arrivals, period, num_numbers, error);
}
