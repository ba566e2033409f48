/* apps/ripple/calibration/round.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_calibration. */
#include "calibration/round.h"

#include <gsl/gsl_fit.h>
#include <math.h>

/* Two columns of a fit whose directions are not told apart: 1 - cosine squared. */
static const double NEVER_ALIKE = 1e-9;

void app_round_clear(app_round *round)
{
    g_clear_pointer(&round->half, g_free);
}

static int64_t limit_of(const app_samples *s, app_sample_kind kind)
{
    const app_sample *found = app_samples_find(s, kind, 0);
    return found == NULL || found->bytes >= APP_SAMPLE_NONE ? INT64_MAX : found->bytes;
}

int64_t app_round_limit(const app_samples *s)
{
    return limit_of(s, APP_SAMPLE_UNPOSTED);
}

static double time_of(const app_samples *s, app_sample_kind kind)
{
    const app_sample *found = app_samples_find(s, kind, 1);
    return found != NULL ? found->quarter : NAN;
}

/* Half of an exchange: o of a send and of a receive. What calls take at cold caches varies: the
 * middle one, not one of the shortest. */
static double find_cold(const app_samples *s)
{
    const app_sample *found = app_samples_find(s, APP_SAMPLE_COLD_EXCHANGE, 1);
    return found != NULL ? fmax((found->median - s->clock) / 2, 0) : NAN;
}

/* docs/model.md, sections 2.1 to 2.4: receive posted early, G >= O; a handshake goes twice more and
 * takes H. */
double app_round_model(const double *value, int64_t S, int64_t bytes)
{
    const double L = value[APP_CALIBRATED_L];
    const double eager =
        2 * value[APP_CALIBRATED_o] + L + (double)(bytes - 1) * value[APP_CALIBRATED_G];
    return bytes > S ? eager + 2 * L + value[APP_CALIBRATED_H] : eager;
}

/*
 * Of all G, and of all H if there is one, those with which the squared relative errors of the
 * model's round trips are least. They are linear in every time, so a small change of a time is a
 * small one of G. @p round: both are 0
 */
static void find_G_and_H(const app_samples *s, bool has_handshake, app_round *round)
{
    double bb = 0; /* sums of the products of what G and H are multiplied by, and of the rest */
    double bh = 0;
    double hh = 0;
    double br = 0;
    double hr = 0;
    for (size_t i = 0; i < s->num_samples; i++) {
        const app_sample *trip = &s->samples[i];
        if (trip->kind == APP_SAMPLE_ROUND_TRIP && trip->quarter > 0) {
            const double half = trip->quarter / 2;
            const double rest = half - app_round_model(round->value, round->S, trip->bytes);
            const double b = (double)(trip->bytes - 1) / half;
            const double h = has_handshake && trip->bytes > round->S ? 1 / half : 0;
            bb += b * b;
            bh += b * h;
            hh += h * h;
            br += b * rest / half;
            hr += h * rest / half;
        }
    }
    const double det = bb * hh - bh * bh;
    const bool is_told = det > NEVER_ALIKE * bb * hh; /* sizes up to S are there, too */
    double G = is_told ? (br * hh - hr * bh) / det : br / bb;
    double H = is_told ? (hr * bb - br * bh) / det : 0;
    if (G < 0) {
        G = 0;
        H = is_told ? hr / hh : 0;
    }
    round->value[APP_CALIBRATED_G] = G;
    round->value[APP_CALIBRATED_H] = H;
}

/*
 * The slope of receiving over the size, of messages that lie there when they are received: above S
 * a receive takes the transfer, too. Least squares of value = a + b size, each row divided by its
 * value so that small messages count as much as large ones.
 * @return ns per byte; NAN: too few sizes
 */
static double find_O(const app_samples *s, int64_t S)
{
    g_autofree double *bytes = g_new(double, s->num_samples + 1);
    g_autofree double *ns = g_new(double, s->num_samples + 1);
    g_autofree double *weight = g_new(double, s->num_samples + 1);
    size_t n = 0;
    for (size_t i = 0; i < s->num_samples; i++) {
        const app_sample *each = &s->samples[i];
        if (each->kind == APP_SAMPLE_RECEIVE && each->bytes <= S && each->quarter > s->clock) {
            bytes[n] = (double)(each->bytes - 1);
            ns[n] = each->quarter - s->clock;
            weight[n] = 1 / (ns[n] * ns[n]);
            n++;
        }
    }
    if (n < 4) {
        return NAN;
    }
    double a;
    double b;
    double rest[4];
    (void)gsl_fit_wlinear(bytes, 1, weight, 1, ns, 1, n, &a, &b, &rest[0], &rest[1], &rest[2],
                          &rest[3]);
    return b;
}

/* Half a round trip of each size, and how restless the round was. */
static void find_halves(const app_samples *s, app_round *out)
{
    out->half = g_new0(double, s->num_samples + 1);
    double unrest = 0;
    for (size_t i = 0; i < s->num_samples; i++) {
        const app_sample *trip = &s->samples[i];
        if (trip->kind == APP_SAMPLE_ROUND_TRIP && trip->quarter > 0) {
            out->half[out->num_sizes++] = trip->quarter / 2;
            unrest += log(trip->median / trip->quarter);
        }
    }
    out->unrest = exp(unrest / (double)MAX(out->num_sizes, 1)) - 1;
}

bool app_round_fit(const app_samples *s, int64_t S, bool has_handshake, app_round *out)
{
    *out = (app_round){.S = S, .waits = limit_of(s, APP_SAMPLE_WAITS)};
    const double trip = time_of(s, APP_SAMPLE_ROUND_TRIP);
    const double gaps = time_of(s, APP_SAMPLE_BURST) - trip;
    const double sends = time_of(s, APP_SAMPLE_SPACED) - time_of(s, APP_SAMPLE_PAUSES) - trip;
    const double receiving = time_of(s, APP_SAMPLE_RECEIVE) - s->clock;
    const double O = find_O(s, out->S);
    if (isnan(gaps) || isnan(sends) || isnan(receiving) || isnan(O)) {
        return false;
    }
    find_halves(s, out);
    const double way = trip / 2;
    const double overheads = fmax(sends / (s->spaced - 1), 0) + fmax(receiving, 0);
    double *value = out->value;
    out->cold = find_cold(s);
    out->left = way - overheads;
    value[APP_CALIBRATED_WAY] = way;
    value[APP_CALIBRATED_L] = fmax(out->left, APP_ROUND_LEAST_L * way);
    value[APP_CALIBRATED_o] = (way - value[APP_CALIBRATED_L]) / 2;
    value[APP_CALIBRATED_g] = fmax(gaps / (s->burst - 1), 0);
    find_G_and_H(s, has_handshake, out);
    /* The CPU of each end touches every byte, or the network does it alone. */
    value[APP_CALIBRATED_O] = fmin(fmax(O, 0), value[APP_CALIBRATED_G]);
    return true;
}

void app_round_fit_calls(const app_samples *s, const int64_t sizes[][APP_CALL_SIZES],
                         const size_t *num_sizes, app_round *out)
{
    for (int i = 0; i < SIM_NUM_CALLS; i++) {
        out->call[i] =
            app_calls_fit(s, (sim_call)i, sizes[i], num_sizes[i], out->value, out->S, out->cold);
    }
}

double app_round_apart(const app_round *a, const app_round *b)
{
    const size_t n = MIN(a->num_sizes, b->num_sizes);
    double apart = 0;
    for (size_t i = 0; i < n; i++) {
        apart += fabs(log(a->half[i] / b->half[i]));
    }
    return exp(apart / (double)MAX(n, 1));
}
