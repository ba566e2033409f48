/* apps/ripple/calibration/calibration.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_calibration. */
#include "calibration/calibration.h"

#include "calibration/samples.h"
#include "output/error.h"

#include <gsl/gsl_multifit.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What one round comes to, in ns and ns per byte. */
typedef struct found {
    double value[APP_NUM_CALIBRATED]; /* L: what the overheads leave, which may be less than 0 */
    double half;                      /* half a round trip of 1 byte */
} found;

/* Half a round trip, ns. */
static double half_trip(const app_samples *s, const app_sample *trip)
{
    return fmax(trip->quartile - s->clock, 1) / 2;
}

/* From the time of a message of that size there and back, and of several that are @p pause apart,
 * to what each of these took besides: the sender's overhead, with no pause the gap. */
static double each_of(const app_samples *s, uint32_t round, app_sample_kind kind, int64_t bytes,
                      int messages)
{
    const app_sample *trip = app_samples_find(s, round, APP_SAMPLE_ROUND_TRIP, bytes);
    const app_sample *all = app_samples_find(s, round, kind, bytes);
    if (trip == NULL || all == NULL) {
        return NAN;
    }
    /* A pause is as long as the median of the round trips, and ends with a look at the clock. */
    const double pause = kind == APP_SAMPLE_SPACED ? trip->median + s->clock : 0;
    return (all->quartile - trip->quartile) / (messages - 1) - pause;
}

/* What the CPUs of both ends do for a message: the mean. */
static double overhead(const app_samples *s, uint32_t round, int64_t bytes)
{
    const app_sample *taken = app_samples_find(s, round, APP_SAMPLE_RECEIVE, bytes);
    const double sending = each_of(s, round, APP_SAMPLE_SPACED, bytes, s->spaced);
    if (taken == NULL || isnan(sending)) {
        return NAN;
    }
    return (fmax(sending, 0) + fmax(taken->quartile - s->clock, 0)) / 2;
}

typedef double sample_value(const app_samples *s, const app_sample *trip);

static double overhead_of(const app_samples *s, const app_sample *trip)
{
    return overhead(s, trip->round, trip->bytes);
}

/*
 * The slope of a value over the size, with a step where messages are no longer eager: robust
 * regression (Tukey's bisquare, GSL) of value = a + b size + c [size > S], each row divided by its
 * value so that small messages count as much as large ones.
 * @return ns per byte; NAN: too few sizes
 */
static double slope_of(const app_samples *s, uint32_t round, int64_t S, sample_value *value)
{
    g_autofree const app_sample **rows = g_new(const app_sample *, s->num_samples);
    size_t n = 0;
    size_t beyond = 0;
    for (size_t i = 0; i < s->num_samples; i++) {
        const app_sample *each = &s->samples[i];
        if (each->round == round && each->kind == APP_SAMPLE_ROUND_TRIP &&
            value(s, each) > 0) { /* nor NAN */
            rows[n++] = each;
            beyond += each->bytes > S;
        }
    }
    const bool has_step = beyond > 1 && n - beyond > 1;
    const size_t p = has_step ? 3 : 2;
    if (n < p + 2) {
        return NAN;
    }
    gsl_matrix *X = gsl_matrix_alloc(n, p);
    gsl_vector *y = gsl_vector_alloc(n);
    gsl_vector *c = gsl_vector_alloc(p);
    gsl_matrix *covariance = gsl_matrix_alloc(p, p);
    for (size_t i = 0; i < n; i++) {
        const double weight = 1 / value(s, rows[i]);
        gsl_matrix_set(X, i, 0, weight);
        gsl_matrix_set(X, i, 1, weight * (double)(rows[i]->bytes - 1));
        if (has_step) {
            gsl_matrix_set(X, i, 2, rows[i]->bytes > S ? weight : 0);
        }
        gsl_vector_set(y, i, 1);
    }
    gsl_multifit_robust_workspace *w =
        gsl_multifit_robust_alloc(gsl_multifit_robust_bisquare, n, p);
    /* That it has not settled in all its steps is no harm: the last one is as good as any. */
    const int status = gsl_multifit_robust(X, y, c, covariance, w);
    const double slope =
        status == GSL_SUCCESS || status == GSL_EMAXITER ? gsl_vector_get(c, 1) : NAN;
    gsl_multifit_robust_free(w);
    gsl_matrix_free(covariance);
    gsl_vector_free(c);
    gsl_vector_free(y);
    gsl_matrix_free(X);
    return slope;
}

static bool find_values(const app_samples *s, uint32_t round, int64_t S, found *out)
{
    const app_sample *first = app_samples_find(s, round, APP_SAMPLE_ROUND_TRIP, 1);
    const double gap = each_of(s, round, APP_SAMPLE_BURST, 1, s->burst);
    const double o = overhead(s, round, 1);
    const double G = slope_of(s, round, S, half_trip);
    if (first == NULL || isnan(gap) || isnan(o) || isnan(G)) {
        return false;
    }
    const double half = half_trip(s, first);
    out->half = half;
    out->value[APP_CALIBRATED_o] = o;
    out->value[APP_CALIBRATED_L] = half - 2 * o;
    out->value[APP_CALIBRATED_g] = fmax(gap, 0);
    out->value[APP_CALIBRATED_G] = fmax(G, 0);
    /* The CPU of each end touches every byte, or the network does it alone. */
    const double O = slope_of(s, round, S, overhead_of);
    out->value[APP_CALIBRATED_O] = isnan(O) ? 0 : fmin(fmax(O, 0), out->value[APP_CALIBRATED_G]);
    return true;
}

/* The median over the rounds of a size that is found by bisection; INT64_MAX: there is none. */
static int64_t median_size(const app_samples *s, app_sample_kind kind)
{
    g_autofree double *sizes = g_new(double, s->num_rounds);
    size_t n = 0;
    for (uint32_t round = 0; round < s->num_rounds; round++) {
        const app_sample *each = app_samples_find(s, round, kind, 0);
        if (each != NULL) {
            sizes[n++] = (double)each->bytes;
        }
    }
    const double median = n > 0 ? gsl_stats_median(sizes, 1, n) : INFINITY;
    return median >= (double)APP_SAMPLE_NONE ? INT64_MAX : (int64_t)median;
}

static int by_bytes(const void *pa, const void *pb)
{
    const app_calibration_size *a = pa;
    const app_calibration_size *b = pb;
    return (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

/* docs/model.md, sections 2.1 to 2.4: receive posted early, G >= O; a handshake goes twice more. */
static double model_half(const app_calibration *c, int64_t bytes)
{
    const double L = c->value[APP_CALIBRATED_L].mean;
    const double eager = 2 * c->value[APP_CALIBRATED_o].mean + L +
                         (double)(bytes - 1) * c->value[APP_CALIBRATED_G].mean;
    return bytes > c->S ? eager + 2 * L : eager;
}

static void compare_sizes(const app_samples *s, app_calibration *c)
{
    c->sizes = g_new0(app_calibration_size, s->num_samples + 1);
    g_autofree double *halves = g_new(double, s->num_rounds);
    for (size_t i = 0; i < s->num_samples; i++) {
        const app_sample *each = &s->samples[i];
        if (each->round != 0 || each->kind != APP_SAMPLE_ROUND_TRIP) {
            continue;
        }
        size_t n = 0;
        for (uint32_t round = 0; round < s->num_rounds; round++) {
            const app_sample *trip = app_samples_find(s, round, each->kind, each->bytes);
            if (trip != NULL) {
                halves[n++] = half_trip(s, trip);
            }
        }
        c->sizes[c->num_sizes++] = (app_calibration_size){
            each->bytes, gsl_stats_median(halves, 1, n), model_half(c, each->bytes)};
    }
    qsort(c->sizes, c->num_sizes, sizeof *c->sizes, by_bytes);
}

/* "NODE/CPU NODE/CPU" */
static bool same(const char *places, bool cpus)
{
    g_auto(GStrv) place = g_strsplit(places, " ", 2);
    if (g_strv_length(place) != 2) {
        return false;
    }
    if (!cpus) {
        for (int i = 0; i < 2; i++) {
            char *slash = strrchr(place[i], '/');
            if (slash != NULL) {
                *slash = '\0';
            }
        }
    }
    return g_str_equal(place[0], place[1]);
}

static char *why_invalid(const app_samples *s)
{
    if (same(s->begin, true) || same(s->end, true)) {
        return g_strdup_printf("both ranks ran on one CPU (%s): each needs one of its own",
                               same(s->begin, true) ? s->begin : s->end);
    }
    if (!g_str_equal(s->begin, s->end)) {
        return g_strdup_printf("the ranks were moved to other CPUs meanwhile (%s; %s)", s->begin,
                               s->end);
    }
    return NULL;
}

app_calibration *app_calibration_read(const char *path, GError **error)
{
    g_autoptr(app_samples) s = app_samples_read(path, error);
    if (s == NULL) {
        return NULL;
    }
    g_autoptr(app_calibration) c = g_new0(app_calibration, 1);
    c->mpi = g_strdup(s->mpi);
    c->places = g_strdup(s->begin);
    c->one_node = same(s->begin, false);
    c->num_rounds = s->num_rounds;
    c->S = median_size(s, APP_SAMPLE_JUMP);
    c->waits = median_size(s, APP_SAMPLE_WAITS);
    c->S = c->S == INT64_MAX ? c->waits : c->S;
    c->invalid = why_invalid(s);
    g_autofree found *rounds = g_new0(found, s->num_rounds);
    double left = 0;
    for (uint32_t round = 0; round < s->num_rounds; round++) {
        if (!find_values(s, round, c->S, &rounds[round])) {
            g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                        "%s: round %u lacks measurements that the values are found by", path,
                        round);
            return NULL;
        }
        left += rounds[round].value[APP_CALIBRATED_L];
    }
    c->guessed = left <= 0; /* of all rounds together: they are one measurement */
    for (uint32_t round = 0; c->guessed && round < s->num_rounds; round++) {
        rounds[round].value[APP_CALIBRATED_L] = rounds[round].half / 3;
        rounds[round].value[APP_CALIBRATED_o] = rounds[round].half / 3;
    }
    g_autofree double *values = g_new(double, s->num_rounds);
    for (size_t i = 0; i < APP_NUM_CALIBRATED; i++) {
        for (uint32_t round = 0; round < s->num_rounds; round++) {
            values[round] = rounds[round].value[i];
        }
        c->value[i] = app_mean_of(values, s->num_rounds, 1);
    }
    compare_sizes(s, c);
    return g_steal_pointer(&c);
}

void app_calibration_free(app_calibration *c)
{
    if (c != NULL) {
        g_free(c->mpi);
        g_free(c->places);
        g_free(c->sizes);
        g_free(c->invalid);
        g_free(c);
    }
}
