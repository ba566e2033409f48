/* noise/analysis/ftq_spectrum.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/ftq_spectrum.h"

#include "analysis/spectrum_peaks.h"

#include <gsl/gsl_fft_halfcomplex.h>
#include <gsl/gsl_fft_real.h>
#include <math.h>
#include <stdlib.h>

#define UNDISTURBED 0.999 /* quantile */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double most_of(const double *work, size_t n)
{
    g_autofree double *sorted = g_memdup2(work, n * sizeof *work);
    qsort(sorted, n, sizeof *sorted, compare);
    return sorted[(size_t)(UNDISTURBED * (double)(n - 1))];
}

/* Add the density of one windowed segment; @p segment is overwritten. */
static void add_segment(double *segment, size_t m, double rate, double window_power,
                        noise_spectrum *s)
{
    gsl_fft_real_radix2_transform(segment, 1, m); /* real parts, then imaginary ones backwards */
    const double scale = 1 / (rate * window_power);
    for (size_t k = 0; k <= m / 2; k++) {
        const double re = segment[k];
        const double im = k == 0 || k == m / 2 ? 0 : segment[m - k];
        const double both_sides = k == 0 || k == m / 2 ? 1 : 2;
        s->density[k] += both_sides * scale * (re * re + im * im);
    }
}

static void welch(const double *lost, size_t n, size_t m, double rate, noise_spectrum *s)
{
    g_autofree double *window = g_new(double, m);
    g_autofree double *segment = g_new(double, m);
    double power = 0;
    for (size_t i = 0; i < m; i++) {
        window[i] = 0.5 - 0.5 * cos(2 * G_PI * (double)i / (double)m);
        power += window[i] * window[i];
    }
    for (size_t from = 0; from + m <= n; from += m / 2) {
        for (size_t i = 0; i < m; i++) {
            segment[i] = window[i] * lost[from + i];
        }
        add_segment(segment, m, rate, power, s);
        s->segments++;
    }
    for (size_t k = 0; k < s->num_bins; k++) {
        s->density[k] /= (double)s->segments;
    }
}

noise_spectrum *noise_ftq_spectrum_new(const double *work, size_t n, sim_time interval,
                                       double chance)
{
    const double most = n >= NOISE_SPECTRUM_FEWEST ? most_of(work, n) : 0;
    if (!(most > 0)) {
        return NULL;
    }
    size_t m = NOISE_SPECTRUM_SEGMENT;
    while (m > n) {
        m /= 2;
    }
    g_autofree double *lost = g_new(double, n);
    double mean = 0;
    for (size_t i = 0; i < n; i++) {
        lost[i] = 1 - work[i] / most; /* of an interval */
        mean += lost[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        lost[i] -= mean;
    }
    const double rate = (double)SIM_S / (double)interval;
    noise_spectrum *s = g_new0(noise_spectrum, 1);
    s->num_bins = m / 2 + 1;
    s->bin = rate / (double)m;
    s->density = g_new0(double, s->num_bins);
    s->nyquist = rate / 2;
    s->missing = fmax(mean, 0);
    s->most = most;
    s->chance = chance;
    welch(lost, n, m, rate, s);
    noise_spectrum_peaks_find(s);
    return s;
}

void noise_spectrum_free(noise_spectrum *s)
{
    if (s != NULL) {
        g_free(s->density);
        g_free(s->threshold);
        g_free(s->peaks);
        g_free(s);
    }
}
