/* tests/noise/test_model_lognormal.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "noise/signature.h"

#include <gsl/gsl_cdf.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { SEEDS = 40, DRAWN = 100, MEDIAN_US = 20 };
static const double SIGMA = 0.8;

/* All lengths, in us, and all starts as parts of the period, of SEEDS traces of DRAWN detours. One
 * in 4 million of them, with the means used here, is cut by the end of its period: such a trace has
 * one detour more, and is left out. */
typedef struct sample {
    size_t n;
    double length[SEEDS * DRAWN];
    double start[SEEDS * DRAWN];
} sample;

static void draw(const char *text, sample *s)
{
    s->n = 0;
    for (uint64_t seed = 1; s->n < (size_t)SEEDS * DRAWN; seed++) {
        g_autoptr(noise_signature) signature = noise_signature_parse(text, seed, NULL);
        CU_ASSERT_PTR_NOT_NULL_FATAL(signature);
        const noise_detour_trace *t = noise_signature_trace(signature, 0);
        if (noise_detour_trace_count(t) != DRAWN) {
            CHECK(seed <= SEEDS && noise_detour_trace_start(t, 0) == 0, "seed %" PRIu64, seed);
            continue;
        }
        for (size_t i = 0; i < DRAWN; i++, s->n++) {
            s->length[s->n] = (double)noise_detour_trace_length(t, i) / SIM_US;
            s->start[s->n] =
                (double)noise_detour_trace_start(t, i) / (double)noise_detour_trace_period(t);
        }
    }
}

static int by_value(const void *pa, const void *pb)
{
    const double a = *(const double *)pa;
    const double b = *(const double *)pb;
    return (a > b) - (a < b);
}

/* Kolmogorov-Smirnov: the largest distance between what was drawn, p[i] = P(X <= x[i]), and the
 * distribution, times sqrt(n). Above 1.63 in one of 100 samples of the distribution. */
static double kolmogorov(double *p, size_t n)
{
    qsort(p, n, sizeof *p, by_value);
    double worst = 0;
    for (size_t i = 0; i < n; i++) {
        const double below = p[i] - (double)i / (double)n;
        const double above = (double)(i + 1) / (double)n - p[i];
        worst = fmax(worst, fmax(below, above));
    }
    return worst * sqrt((double)n);
}

static double distance_of_lengths(const sample *s, double median, double sigma)
{
    static double p[SEEDS * DRAWN];
    for (size_t i = 0; i < s->n; i++) {
        p[i] = gsl_cdf_lognormal_P(s->length[i], log(median), sigma);
    }
    return kolmogorov(p, s->n);
}

/* Meetings, which would cut lengths, take one in 50,000 intervals. */
static void lengths_are_lognormal(void)
{
    static sample s;
    draw("lognormal:1s:20us:0.8", &s);
    const double distance = distance_of_lengths(&s, MEDIAN_US, SIGMA);
    CHECK(distance < 1.63, "%g", distance);
    /* The test tells others from it: */
    CHECK(distance_of_lengths(&s, MEDIAN_US * 1.1, SIGMA) > 1.63);
    CHECK(distance_of_lengths(&s, MEDIAN_US, SIGMA * 1.1) > 1.63);
    CHECK(distance_of_lengths(&s, MEDIAN_US, SIGMA / 1.1) > 1.63);
}

static void starts_are_those_of_a_poisson_process(void)
{
    static sample s;
    draw("lognormal:1s:20us:0.8", &s);
    const double distance = kolmogorov(s.start, s.n);
    CHECK(distance < 1.63, "%g", distance);
}

static void share_is_the_mean_length_over_the_mean_gap(void)
{
    static sample s;
    draw("lognormal:1s:20us:0.8", &s);
    g_autoptr(noise_signature) signature = noise_signature_parse("lognormal:1s:20us:0.8", 1, NULL);
    const double mean = MEDIAN_US * exp(SIGMA * SIGMA / 2);
    CHECK_NEAR(noise_signature_component(signature, 0)->share, mean * 1e-6, 1e-16);
    double sum = 0;
    for (size_t i = 0; i < s.n; i++) {
        sum += s.length[i];
    }
    const double deviation = mean * sqrt((exp(SIGMA * SIGMA) - 1) / (double)s.n);
    CHECK_NEAR(sum / (double)s.n, mean, 3 * deviation);
}

static void extremes_stay_in_range(void)
{
    /* Lengths below 1 ps are 1 ps; what is longer than the period is refused. */
    g_autoptr(noise_signature) small = noise_signature_parse("lognormal:1s:1ps:3", 1, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(small);
    const noise_detour_trace *t = noise_signature_trace(small, 0);
    size_t ones = 0;
    for (size_t i = 0; i < noise_detour_trace_count(t); i++) {
        CHECK(noise_detour_trace_length(t, i) >= 1);
        ones += noise_detour_trace_length(t, i) == 1;
    }
    CHECK(ones >= 40 && ones < 80, "%zu", ones); /* half are below the median; 2 ps are less */
}

SUITE_MAIN("model_lognormal", TEST(lengths_are_lognormal),
           TEST(starts_are_those_of_a_poisson_process),
           TEST(share_is_the_mean_length_over_the_mean_gap), TEST(extremes_stay_in_range))
