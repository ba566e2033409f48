/* tests/noise/analysis/test_ftq_spectrum.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "noise/ftq_spectrum.h"
#include "noise/random.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

enum { RATE = 10000, UNITS = 1000 }; /* intervals of 100 us, of units of 100 ns */

typedef struct injector {
    double frequency; /* Hz */
    double length;    /* us per hit */
} injector;

/* What FTQ counts, in us: work stops while an injector has the CPU, and a unit that is cut by the
 * end of an interval counts in the next (end_k = start + k * interval). */
static double *ftq(size_t n, const injector *in, size_t num, uint64_t seed, double jitter)
{
    double *lost = g_new0(double, n);
    double *work = g_new(double, n);
    for (size_t j = 0; j < num; j++) {
        for (uint64_t k = 0;; k++) {
            const double off = jitter * noise_random_normal(seed, j, k);
            double at = (0.3 + (double)k) * 1e6 / in[j].frequency + off;
            if (at >= 100.0 * (double)(n - 2)) {
                break;
            }
            for (double rest = in[j].length; rest > 0 && at >= 0;) {
                const size_t i = (size_t)(at / 100);
                const double here = fmin(rest, 100.0 * (double)(i + 1) - at);
                lost[i] += here;
                rest -= here;
                at = 100.0 * (double)(i + 1);
            }
        }
    }
    double done = 0;
    double counted = 0;
    for (size_t i = 0; i < n; i++) {
        done += fmax(100 - lost[i], 0);
        const double units = floor(done * 10) - counted;
        counted += units;
        work[i] = units;
    }
    g_free(lost);
    return work;
}

/* The acceptance of FTQ: 100 Hz, 50 us, seen in 10 s. */
static void an_injector_of_100_hz_is_found(void)
{
    static const injector in = {100, 50};
    g_autofree double *work = ftq((size_t)10 * RATE, &in, 1, 1, 0);
    g_autoptr(noise_spectrum) s =
        noise_ftq_spectrum_new(work, (size_t)10 * RATE, 100 * SIM_US, 0.01);
    CHECK_NEAR(s->missing, 0.005, 0.001);
    CHECK_NEAR(s->nyquist, 5000, 1e-9);
    if (CHECK_I64(s->num_peaks, 1)) {
        CHECK_NEAR(s->peaks[0].frequency, 100, 0.1);
        CHECK_NEAR(s->peaks[0].lost, 50 * SIM_US, 2.5 * SIM_US);
        CHECK_NEAR(s->peaks[0].share, 0.005, 0.0005);
        CHECK(s->peaks[0].harmonics > 30 && s->peaks[0].false_alarm < 1e-6, "%u %g",
              s->peaks[0].harmonics, s->peaks[0].false_alarm);
    }
}

/* Two that do not divide each other, off the bins, with jitter; 37.7 Hz and 333.3 Hz. */
static void two_injectors_are_two_peaks(void)
{
    static const injector in[] = {{37.7, 80}, {333.3, 10}};
    for (uint64_t seed = 1; seed <= 3; seed++) {
        g_autofree double *work = ftq((size_t)30 * RATE, in, 2, seed, 20);
        g_autoptr(noise_spectrum) s =
            noise_ftq_spectrum_new(work, (size_t)30 * RATE, 100 * SIM_US, 0.01);
        const noise_spectrum_peak *found[2] = {NULL, NULL};
        for (size_t p = 0; p < s->num_peaks; p++) {
            for (size_t j = 0; j < 2; j++) {
                if (fabs(s->peaks[p].frequency - in[j].frequency) < 0.3) {
                    found[j] = &s->peaks[p];
                }
            }
        }
        for (size_t j = 0; j < 2; j++) {
            if (CHECK(found[j] != NULL, "seed %" PRIu64 " %g Hz: %zu peaks", seed, in[j].frequency,
                      s->num_peaks)) {
                CHECK_NEAR(found[j]->frequency, in[j].frequency, 0.1);
                CHECK_NEAR(found[j]->lost / 1e6, in[j].length, 0.15 * in[j].length);
            }
        }
        CHECK(s->num_peaks <= 4, "seed %" PRIu64 ": %zu", seed, s->num_peaks);
    }
}

/* Work that repeats each third interval, a little, beats with 100 Hz at 33.3 Hz, weakly: that is
 * not what the 100 Hz belong to. */
static void a_weak_line_does_not_swallow_a_strong_one(void)
{
    enum { N = 20000 };
    g_autofree double *work = g_new(double, N);
    for (size_t i = 0; i < N; i++) {
        work[i] = i % 100 == 7 ? 500 : 1000 - (double)(i % 3);
    }
    g_autoptr(noise_spectrum) s = noise_ftq_spectrum_new(work, N, 100 * SIM_US, 0.01);
    bool found = false;
    for (size_t p = 0; p < s->num_peaks; p++) {
        found = found ||
                (fabs(s->peaks[p].frequency - 100) < 0.1 && fabs(s->peaks[p].lost - 50e6) < 2.5e6);
    }
    CHECK(found, "%zu peaks", s->num_peaks);
}

/* 3,300 Hz sampled at 5,000 Hz shows at 1,700 Hz: the density cannot know, the reader is told
 * Nyquist's frequency. */
static void what_is_too_fast_shows_elsewhere(void)
{
    enum { N = 20000 };
    g_autofree double *work = g_new(double, N);
    for (size_t i = 0; i < N; i++) {
        work[i] = 1000 + 10 * cos(2 * G_PI * 3300 * (double)i / 5000) + 1e-3 * (double)(i % 7);
    }
    g_autoptr(noise_spectrum) s = noise_ftq_spectrum_new(work, N, 200 * SIM_US, 0.01);
    bool found = false;
    for (size_t p = 0; p < s->num_peaks; p++) {
        found = found || fabs(s->peaks[p].frequency - 1700) < 0.1;
    }
    CHECK(found && s->nyquist == 2500);
}

/* The density of white noise adds up to its variance (Parseval), and of 400 spectra at 5 % as many
 * have a peak as a binomial allows, for one segment and for several. */
static void white_noise_has_peaks_as_rarely_as_stated(void)
{
    static const size_t lengths[] = {2048, 40000};
    static const size_t trials[] = {400, 60};
    static const double chance = 0.05;
    for (size_t l = 0; l < 2; l++) {
        const size_t n = lengths[l];
        g_autofree double *work = g_new(double, n);
        size_t alarms = 0;
        for (uint64_t seed = 0; seed < trials[l]; seed++) {
            for (size_t i = 0; i < n; i++) {
                work[i] = 1000 + 5 * noise_random_normal(77, seed, i);
            }
            g_autoptr(noise_spectrum) s = noise_ftq_spectrum_new(work, n, 100 * SIM_US, chance);
            alarms += s->num_peaks > 0;
            if (seed == 0) {
                double power = 0;
                for (size_t k = 1; k < s->num_bins; k++) {
                    power += s->density[k] * s->bin;
                }
                CHECK_NEAR(power * s->most * s->most, 25, 2.5);
            }
        }
        const unsigned most = (unsigned)trials[l];
        CHECK(gsl_cdf_binomial_Q((unsigned)alarms, chance, most) > 1e-3, "%zu of %u", alarms, most);
        CHECK(gsl_cdf_binomial_P((unsigned)alarms, chance / 4, most) > 1e-3, "%zu of %u", alarms,
              most);
    }
}

static void little_has_no_spectrum(void)
{
    static const double work[64] = {0};
    CHECK(noise_ftq_spectrum_new(work, 63, 100 * SIM_US, 0.01) == NULL);
    CHECK(noise_ftq_spectrum_new(work, 64, 100 * SIM_US, 0.01) == NULL); /* no work at all */
    double even[64];
    for (size_t i = 0; i < 64; i++) {
        even[i] = 500;
    }
    g_autoptr(noise_spectrum) s = noise_ftq_spectrum_new(even, 64, 100 * SIM_US, 0.01);
    CHECK(s != NULL && s->num_peaks == 0 && s->missing == 0);
}

SUITE_MAIN("ftq_spectrum", TEST(an_injector_of_100_hz_is_found), TEST(two_injectors_are_two_peaks),
           TEST(a_weak_line_does_not_swallow_a_strong_one), TEST(what_is_too_fast_shows_elsewhere),
           TEST(white_noise_has_peaks_as_rarely_as_stated), TEST(little_has_no_spectrum))
