/* noise/analysis/gap_peaks.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_decompose. */
#include "analysis/gap_peaks.h"

#include <glib.h>
#include <math.h>

enum {
    LAGS = 8,          /* so many others may come between two beats */
    FINEST = 1024,     /* bins per octave; the others join 8 and 64 of these */
    FIRST_OCTAVE = 20, /* 2^20 ps: 1 us */
    OCTAVES = 30,      /* up to 18 min */
    ALL = FINEST * OCTAVES,
    AROUND = 40,      /* bins on each side that say what is there by chance … */
    APART = 4,        /* … but for these beside the peak */
    FEWEST = 8,       /* gaps above that */
    PEAKS_OF_ONE = 2, /* of each resolution */
};
#define SIGMAS 6.0

static void count_gaps(const sim_time *start, size_t n, uint32_t *count)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n && j <= i + LAGS; j++) {
            const double octave = log2((double)(start[j] - start[i]) + 1) - FIRST_OCTAVE;
            if (octave >= 0 && octave < OCTAVES) {
                count[(size_t)(octave * FINEST)]++;
            }
        }
    }
}

static double bin_at(const uint32_t *count, int joined, int bin)
{
    double sum = 0;
    if (bin >= 0 && (bin + 1) * joined <= ALL) {
        for (int k = 0; k < joined; k++) {
            sum += count[bin * joined + k];
        }
    }
    return sum;
}

/* How much the three bins around @p bin rise above what is beside them; 0 if not clearly. */
static double excess_of(const double *bins, int n, int bin)
{
    double beside = 0;
    double num = 0;
    for (int k = bin - AROUND; k <= bin + AROUND; k++) {
        if (k >= 0 && k < n && abs(k - bin) > APART) {
            beside += bins[k];
            num++;
        }
    }
    const double chance = 3 * beside / fmax(num, 1);
    const double here = bins[bin - 1] + bins[bin] + bins[bin + 1];
    const double excess = here - chance;
    return excess >= FEWEST && excess > SIGMAS * sqrt(chance + 1) ? excess : 0;
}

static void add_peak(noise_gap_peak *peak, size_t *n, noise_gap_peak one)
{
    for (size_t i = 0; i < *n; i++) {
        if (fabs(peak[i].gap - one.gap) <= peak[i].slack) {
            return;
        }
    }
    if (*n < NOISE_GAP_PEAKS) {
        peak[(*n)++] = one;
    }
}

/* The highest of one resolution. Where a beat is met, its multiples are, too: of peaks nearly as
 * high the shortest gap comes first. */
static void peaks_of(const uint32_t *count, int joined, noise_gap_peak *peak, size_t *num)
{
    const int n = ALL / joined;
    g_autofree double *bins = g_new(double, n);
    g_autofree double *excess = g_new0(double, n);
    for (int b = 0; b < n; b++) {
        bins[b] = bin_at(count, joined, b);
    }
    for (int b = 1; b + 1 < n; b++) {
        const double here = bins[b - 1] + 2 * bins[b] + bins[b + 1];
        excess[b] = here > 0 ? excess_of(bins, n, b) : 0;
    }
    for (int p = 0; p < PEAKS_OF_ONE; p++) {
        int best = 0;
        for (int b = 1; b + 1 < n; b++) {
            best = excess[b] > 1.5 * excess[best] || (excess[b] > excess[best] && b < best + APART)
                       ? b
                       : best;
        }
        if (!(excess[best] > 0)) {
            return;
        }
        const double gap = exp2(FIRST_OCTAVE + (best + 0.5) * joined / FINEST);
        add_peak(peak, num, (noise_gap_peak){gap, gap * 1.5 * G_LN2 * joined / FINEST});
        for (int b = MAX(best - APART, 0); b <= MIN(best + APART, n - 1); b++) {
            excess[b] = 0;
        }
    }
}

size_t noise_gap_peaks_find(const sim_time *start, size_t n, noise_gap_peak *peak)
{
    static const int joined[] = {1, 8, 64};
    g_autofree uint32_t *count = g_new0(uint32_t, ALL);
    size_t num = 0;
    count_gaps(start, n, count);
    for (size_t r = 0; r < G_N_ELEMENTS(joined); r++) {
        peaks_of(count, joined[r], peak, &num);
    }
    return num;
}
