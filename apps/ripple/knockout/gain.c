/* apps/ripple/knockout/gain.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_knockout. */
#include "knockout/gain.h"

#include "statistics/halves.h"
#include "steady/steady_series.h"

#include <stdlib.h>

app_knockout_values app_knockout_values_of(const app_series *s, const app_run *ideal,
                                           const app_noise *noise)
{
    app_knockout_values out = {0};
    if (ideal == NULL) {
        out.slowdown = g_new(double, s->num_runs);
        for (uint32_t r = 0; r < s->num_runs; r++) {
            out.slowdown[r] = app_slowdown(s, s->runs[r].makespan);
        }
        return out;
    }
    g_auto(app_steady_values) v = app_steady_values_of(s, ideal, s->num_slices);
    out.slowdown = g_steal_pointer(&v.slowdown);
    if (v.is_comparable) {
        out.first = g_steal_pointer(&v.first);
        out.second = g_steal_pointer(&v.second);
    }
    if (v.reference > 0) {
        out.off_by = app_steady_off_by(noise, s->mode, s->ranks) / v.reference;
    }
    return out;
}

app_knockout_values app_knockout_values_zero(size_t n)
{
    return (app_knockout_values){
        .slowdown = g_new0(double, n), .first = g_new0(double, n), .second = g_new0(double, n)};
}

void app_knockout_values_clear(app_knockout_values *v)
{
    g_free(v->slowdown);
    g_free(v->first);
    g_free(v->second);
    *v = (app_knockout_values){0};
}

app_mean app_knockout_sum(const app_knockout_values *const *part, const double *sign, size_t num,
                          size_t n, uint64_t seed)
{
    g_autofree double *sum = g_new0(double, n);
    g_autofree double *first = g_new0(double, n);
    g_autofree double *second = g_new0(double, n);
    bool has_halves = false;
    bool lacks_halves = false;
    double off_by = 0;
    for (size_t i = 0; i < num; i++) {
        const bool halved = part[i]->first != NULL;
        has_halves = has_halves || halved;
        lacks_halves = lacks_halves || !halved;
        off_by += part[i]->off_by;
        for (size_t r = 0; r < n; r++) {
            sum[r] += sign[i] * part[i]->slowdown[r];
            first[r] += halved ? sign[i] * part[i]->first[r] : 0;
            second[r] += halved ? sign[i] * part[i]->second[r] : 0;
        }
    }
    app_mean mean = app_mean_of(sum, n, seed);
    if (has_halves && !lacks_halves) {
        const app_halves h = app_halves_of(first, second, n, 1);
        app_mean_stretch(&mean, app_halves_off_by(h.difference, h.standard_error));
    }
    app_mean_widen(&mean, off_by);
    return mean;
}

bool app_knockout_told_apart(const app_mean *m)
{
    return m->level > 0 && (m->low > 0 || m->high < 0);
}

/* Its interval may be compared with others. */
static bool is_comparable(const app_knockout_gain *g)
{
    return g->gain.level > 0 && !g->few_met;
}

bool app_knockout_is_ranked(const app_knockout_gain *g)
{
    return is_comparable(g) && g->gain.low > 0;
}

/* The largest first; of the same, in the order of the text. */
static int by_gain(const void *pa, const void *pb)
{
    const app_knockout_gain *a = pa;
    const app_knockout_gain *b = pb;
    if (a->gain.mean != b->gain.mean) {
        return a->gain.mean > b->gain.mean ? -1 : 1;
    }
    return (a->component > b->component) - (a->component < b->component);
}

void app_knockout_rank(app_knockout_gain *gains, size_t n)
{
    if (n > 0) {
        qsort(gains, n, sizeof *gains, by_gain);
    }
    for (size_t i = 0; i < n; i++) {
        gains[i].best = gains[i].worst = 0;
        if (!app_knockout_is_ranked(&gains[i])) {
            continue;
        }
        gains[i].best = 1;
        for (size_t j = 0; j < n; j++) {
            const bool both = is_comparable(&gains[j]);
            gains[i].best += both && gains[j].gain.low > gains[i].gain.high;
            gains[i].worst += both && gains[j].gain.high >= gains[i].gain.low;
        }
    }
}
