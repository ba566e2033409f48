/* apps/ripple/steady/steady_series.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_steady. */
#include "steady/steady_series.h"

#include "statistics/halves.h"
#include "statistics/warm_up.h"

#include <math.h>

enum { HALVES = 2 };               /* slices of a pass */
static const double MATTERS = 0.1; /* of the half width */

/* ps in each slice of a run. The last one ends with the run: requests may still be open. */
static double *increments_of(const app_run *run, uint32_t n)
{
    double *out = g_new(double, n);
    sim_time before = 0;
    for (uint32_t i = 0; i < n; i++) {
        const sim_time end = i + 1 == n ? run->makespan : run->slice[i];
        out[i] = (double)(end - before);
        before = end;
    }
    return out;
}

/* How many slices are warm-up, by the passes of the ideal run: whole passes only. */
static uint32_t warm_up(const double *ideal, uint32_t num_slices, bool *refused)
{
    const size_t passes = num_slices / HALVES;
    g_autofree double *pass = g_new(double, MAX(passes, 1));
    for (size_t i = 0; i < passes; i++) {
        pass[i] = ideal[HALVES * i] + ideal[HALVES * i + 1];
    }
    return (uint32_t)app_warm_up_of(pass, passes, refused) * HALVES;
}

static double sum_of(const double *values, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += values[i];
    }
    return sum;
}

/*
 * ps that the end of a run may be off by, as detours of what is locked are met whole or not at all:
 * half a detour where there is one phase (app_mean_widen()). Where each node has its own, and some
 * do not wait for the others, the run lasts until the one that met most is through: a whole one.
 */
double app_steady_off_by(const app_noise *noise, app_mode mode, uint32_t ranks)
{
    double off = 0;
    for (size_t i = 0; i < noise_signature_num_components(noise->signature); i++) {
        const noise_component *c = noise_signature_component(noise->signature, i);
        const double phases = app_met_phases(c, noise, mode, ranks);
        off += c->is_locked && phases > 0 ? c->mean_length * (phases > 1 ? 1 : 0.5) : 0;
    }
    return off;
}

/* Where the interval holds 0, what is said is that the slowdown is less than its upper end. */
double app_steady_width(const app_mean *slowdown, double half_width)
{
    const double said = slowdown->low > 0 ? slowdown->mean : fabs(slowdown->high);
    return MAX(half_width * said, 1e-12);
}

typedef struct settling {
    app_halves halves;
    double wanted; /* half width */
    bool is_known; /* there are halves to compare, and a warm-up to cut */
} settling;

app_steady_values app_steady_values_of(const app_series *noisy, const app_run *ideal,
                                       uint32_t num_slices)
{
    const uint32_t n = MAX(num_slices, 1); /* a program without is one slice */
    const uint32_t runs = noisy->num_runs;
    app_steady_values v = {.slowdown = g_new(double, runs),
                           .first = g_new0(double, runs),
                           .second = g_new0(double, runs)};
    g_autofree double *without = increments_of(ideal, n);
    bool refused = false;
    v.cut = warm_up(without, n, &refused);
    const uint32_t left = n - v.cut;
    const size_t unit = left >= 2 * HALVES ? HALVES : 1;
    v.reference = sum_of(without + v.cut, left);
    v.is_split = !refused;
    for (uint32_t r = 0; r < runs; r++) {
        g_autofree double *with = increments_of(&noisy->runs[r], n);
        const double time = sum_of(with + v.cut, left);
        v.slowdown[r] = v.reference > 0 ? time / v.reference - 1 : 0;
        v.is_split = v.is_split && app_halves_split(with + v.cut, without + v.cut, left, unit,
                                                    &v.first[r], &v.second[r]);
    }
    v.is_comparable = v.is_split && unit == HALVES;
    return v;
}

void app_steady_values_clear(app_steady_values *v)
{
    g_free(v->slowdown);
    g_free(v->first);
    g_free(v->second);
}

/* Slowdowns of all replicas, and of their halves. */
static void settle(app_series *noisy, const app_series *ideal, const app_noise *noise,
                   settling *out, double half_width, uint64_t seed)
{
    const uint32_t runs = noisy->num_runs;
    g_auto(app_steady_values) v = app_steady_values_of(noisy, &ideal->runs[0], noisy->num_slices);
    noisy->steady.cut = v.cut;
    noisy->slowdown = app_mean_of(v.slowdown, runs, seed);
    if (v.is_comparable) { /* the halves of a pass may be different programs */
        const app_halves h = app_halves_of(v.first, v.second, runs, 1);
        app_mean_stretch(&noisy->slowdown, app_halves_off_by(h.difference, h.standard_error));
    }
    if (v.reference > 0) {
        app_mean_widen(&noisy->slowdown,
                       app_steady_off_by(noise, noisy->mode, noisy->ranks) / v.reference);
    }
    *out = (settling){.halves.standard_error = INFINITY,
                      .wanted = app_steady_width(&noisy->slowdown, half_width),
                      .is_known = v.is_split};
    if (v.is_split) {
        out->halves = app_halves_of(v.first, v.second, runs, out->wanted);
    }
}

static bool matters(const app_met *met, double slowdown, double half_width)
{
    return met->most > 0 && met->most >= MATTERS * half_width * MAX(slowdown, 0);
}

/* The component that was met least often of those that matter, if that was too seldom. */
static bool is_too_short(const app_series *s, double half_width, size_t *rarest)
{
    bool found = false;
    for (size_t i = 0; i < s->num_met; i++) {
        if (matters(&s->met[i], s->slowdown.mean, half_width) &&
            s->met[i].by_run < APP_STEADY_MET &&
            (!found || s->met[i].by_run < s->met[*rarest].by_run)) {
            *rarest = i;
            found = true;
        }
    }
    return found;
}

/* Of the models, not of the lists that were drawn of them: each replica draws its own. */
static double share_on(const app_noise *noise, app_mode mode, uint32_t rank,
                       const sim_placement *placement)
{
    double share = 0;
    for (size_t i = 0; i < noise_signature_num_components(noise->signature); i++) {
        const noise_component *c = noise_signature_component(noise->signature, i);
        if (noise_component_holds(c, rank, placement)) {
            /* Of one core of a node some rank has it all. */
            share += c->place == NOISE_PLACE_NODE_FIXED ? c->share : app_met_share(c, noise, mode);
        }
    }
    return share;
}

static bool is_everywhere(const noise_signature *signature)
{
    for (size_t i = 0; i < noise_signature_num_components(signature); i++) {
        if (noise_signature_component(signature, i)->scope != NOISE_SCOPE_ALL) {
            return false;
        }
    }
    return true;
}

/* Of the ranks. */
static double largest_share(const app_noise *noise, app_mode mode, uint32_t ranks)
{
    const sim_placement placement = app_noise_placement(noise, ranks);
    const uint32_t differ = is_everywhere(noise->signature) ? 1 : ranks;
    double largest = 0;
    for (uint32_t rank = 0; rank < differ; rank++) {
        largest = MAX(largest, share_on(noise, mode, rank, &placement));
    }
    return largest;
}

double app_steady_reference(const app_noise *noise, app_mode mode, uint32_t ranks)
{
    const double share = largest_share(noise, mode, ranks);
    return share < 1 ? share / (1 - share) : INFINITY;
}

/* A difference is seen; else, where it is not settled, one could not be seen: that takes more
 * replicas, not longer runs (statistics/halves.h). */
static bool drifts(const settling *s)
{
    return !s->is_known || fabs(s->halves.difference) > s->wanted + s->halves.standard_error;
}

void app_steady_evaluate(app_series *noisy, const app_series *ideal, const app_noise *noise,
                         double half_width, uint64_t seed)
{
    app_steady *steady = &noisy->steady;
    settling found;
    noisy->quantity = APP_STEADY;
    *steady = (app_steady){.half_width = half_width};
    settle(noisy, ideal, noise, &found, half_width, seed);
    const app_mean *m = &noisy->slowdown;
    steady->drift = found.halves.difference;
    steady->drift_error = found.halves.standard_error;
    steady->reference = app_steady_reference(noise, noisy->mode, noisy->ranks);
    if (is_too_short(noisy, half_width, &steady->rarest)) {
        steady->state = APP_STEADY_TOO_SHORT;
    } else if (noisy->num_runs < APP_MEAN_LEAST) {
        steady->state = APP_STEADY_FEW;
    } else if (drifts(&found)) {
        steady->state = APP_STEADY_DRIFTS;
    } else if (!found.halves.is_settled || (m->low > 0 && m->half_width > half_width * m->mean)) {
        steady->state = APP_STEADY_WIDE;
    } else {
        steady->state = APP_STEADY_REACHED;
    }
    const bool stands = steady->state == APP_STEADY_REACHED || steady->state == APP_STEADY_WIDE;
    steady->absorbed =
        stands && found.halves.is_settled && m->high < (1 - half_width) * steady->reference;
}

double app_steady_met(const app_noise *noise, app_mode mode, uint32_t ranks, double slowdown,
                      double half_width, double lasts)
{
    g_autofree app_met *met = app_met_of(noise, mode, ranks, lasts);
    double least = INFINITY;
    for (size_t i = 0; i < noise_signature_num_components(noise->signature); i++) {
        if (matters(&met[i], slowdown, half_width)) {
            least = MIN(least, met[i].by_run);
        }
    }
    return least;
}

double app_steady_passes(const app_noise *noise, app_mode mode, uint32_t ranks, double slowdown,
                         double half_width, double pass)
{
    const double met = app_steady_met(noise, mode, ranks, slowdown, half_width, pass);
    return MAX(1, ceil(APP_STEADY_MET / met));
}

double app_steady_passes_to_end(const app_noise *noise, app_mode mode, uint32_t ranks, double width,
                                double pass)
{
    return width > 0 ? MAX(ceil(app_steady_off_by(noise, mode, ranks) / (width * pass)), 1) : 1;
}

app_verdict app_steady_verdict(const app_series *series, double threshold)
{
    const bool known =
        series->steady.state == APP_STEADY_REACHED || series->steady.state == APP_STEADY_WIDE;
    if (known && series->slowdown.high < threshold) {
        return APP_BELOW;
    }
    return known && series->slowdown.low > threshold ? APP_ABOVE : APP_UNDECIDED;
}
