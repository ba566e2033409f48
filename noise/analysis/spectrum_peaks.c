/* noise/analysis/spectrum_peaks.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_ftq_spectrum. */
#include "analysis/spectrum_peaks.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST = 3,   /* the mean, and what drifts, are below */
    BLOCK = 512, /* bins that say what is there without peaks */
    REACH = 3,   /* bins that a peak fills on each side: Hann's main lobe and a little */
    ALIASES = 4, /* times Nyquist up to which harmonics are looked for where they fold to */
};
#define DEEPEST                                                                                    \
    1e-10 /* of the highest density: what is so far below it, counts of work do not tell */
#define LOBE      4.0 /* times what leaks: that much is not exact between bins */
#define AS_STRONG 0.25
#define NEAR      1.0 /* bins: a harmonic is where it should be */

/* Neighbouring segments that overlap by half under Hann's window correlate by 1/6, their densities
 * by 1/36 (Welch 1967, from the window): so many independent ones have the same variance. */
static double independent(size_t segments)
{
    const double k = (double)segments;
    return k / (1 + 2.0 / 36 * (k - 1) / k);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const double *value, size_t n)
{
    g_autofree double *sorted = g_memdup2(value, n * sizeof *value);
    qsort(sorted, n, sizeof *sorted, compare);
    return sorted[n / 2];
}

/* The level without peaks around each bin: the median of a block of bins, straight between the
 * middles of blocks. A density averaged over K segments is Gamma(K, level / K). */
static void set_thresholds(noise_spectrum *s)
{
    const double k = independent(s->segments);
    const double middle = gsl_cdf_gamma_Pinv(0.5, k, 1 / k);
    const double highest = gsl_cdf_gamma_Qinv(s->chance / (double)s->num_bins, k, 1 / k);
    const size_t bins = s->num_bins - 1 - FIRST; /* without the last, which has half the freedom */
    const size_t blocks = MAX(bins / BLOCK, 1);
    g_autofree double *level = g_new(double, blocks);
    for (size_t b = 0; b < blocks; b++) {
        const size_t from = FIRST + bins * b / blocks;
        const size_t to = FIRST + bins * (b + 1) / blocks;
        level[b] = median(s->density + from, to - from) / middle;
    }
    s->threshold = g_new(double, s->num_bins);
    const double width = (double)bins / (double)blocks;
    double floor_level = 0;
    for (size_t i = FIRST; i < s->num_bins; i++) {
        floor_level = fmax(floor_level, DEEPEST * s->density[i]);
    }
    for (size_t i = 0; i < s->num_bins; i++) {
        const double at = ((double)i - FIRST) / width - 0.5;
        const double low = fmin(fmax(floor(at), 0), (double)blocks - 1);
        const double high = fmin(low + 1, (double)blocks - 1);
        const double part = fmin(fmax(at - low, 0), 1);
        s->threshold[i] = highest * fmax(floor_level, (1 - part) * level[(size_t)low] +
                                                          part * level[(size_t)high]);
    }
}

/* One that stands out by itself. */
typedef struct line {
    double frequency;
    double power;  /* (fraction of an interval)^2: half the square of the amplitude */
    double height; /* density over level */
    double density;
    bool taken;
} line;

/* Under Hann's window a tone d of a bin from bin k towards the next one has there the amplitudes a
 * and b with b / a = (1 + d) / (2 - d): d = (2 b - a) / (a + b). */
static double shift_of(const noise_spectrum *s, size_t i)
{
    const double before = sqrt(s->density[i - 1]);
    const double after = sqrt(s->density[i + 1]);
    const double here = sqrt(s->density[i]);
    const double beside = fmax(before, after);
    const double shift = (2 * beside - here) / (beside + here);
    return fmin(fmax(after > before ? shift : -shift, -0.5), 0.5);
}

/* What a line leaks into a bin so far away: the side lobes of Hann's window fall with the third
 * power of the distance. */
static double leak(const noise_spectrum *s, const line *from, double frequency)
{
    const double d = fmax(fabs(frequency - from->frequency) / s->bin, 2);
    const double lobe = 1 / (d * (d * d - 1));
    return from->density * lobe * lobe;
}

/* Lines that others explain are none. */
static void drop_lobes(const noise_spectrum *s, GArray *lines)
{
    g_autofree bool *is_lobe = g_new0(bool, lines->len + 1);
    const line last = {.frequency = s->nyquist, .density = s->density[s->num_bins - 1]};
    for (guint i = 0; i < lines->len; i++) {
        const line *l = &g_array_index(lines, line, i);
        double leaked = leak(s, &last, l->frequency);
        for (guint j = 0; j < lines->len; j++) {
            leaked += j != i ? leak(s, &g_array_index(lines, line, j), l->frequency) : 0;
        }
        is_lobe[i] = l->density <= LOBE * leaked;
    }
    for (guint i = lines->len; i-- > 0;) {
        if (is_lobe[i]) {
            g_array_remove_index(lines, i);
        }
    }
}

static GArray *lines_of(const noise_spectrum *s)
{
    GArray *lines = g_array_new(FALSE, FALSE, sizeof(line));
    const double k = independent(s->segments);
    const double highest = gsl_cdf_gamma_Qinv(s->chance / (double)s->num_bins, k, 1 / k);
    for (size_t i = FIRST; i + 1 < s->num_bins; i++) {
        if (s->density[i] <= s->threshold[i] || s->density[i] < s->density[i - 1] ||
            s->density[i] < s->density[i + 1]) {
            continue;
        }
        bool is_highest = true; /* not on the foot of a higher one */
        line l = {.frequency = ((double)i + shift_of(s, i)) * s->bin, .density = s->density[i]};
        for (size_t j = MAX(i, REACH) - REACH; j <= MIN(i + REACH, s->num_bins - 1); j++) {
            is_highest = is_highest && s->density[j] <= s->density[i];
            l.power += fmax(s->density[j] - s->threshold[j] / highest, 0) * s->bin;
        }
        l.height = s->density[i] / s->threshold[i] * highest;
        if (is_highest) {
            g_array_append_val(lines, l);
        }
    }
    drop_lobes(s, lines);
    return lines;
}

/* Where a frequency shows that is above Nyquist's. */
static double folded(double frequency, double nyquist)
{
    const double turn = fmod(frequency, 2 * nyquist);
    return turn <= nyquist ? turn : 2 * nyquist - turn;
}

/* All that is a multiple of line @p first belongs to it; the frequency is then a mean of all that
 * are not folded, the higher the surer. */
static noise_spectrum_peak merge(const noise_spectrum *s, GArray *lines, guint first)
{
    line *base = &g_array_index(lines, line, first);
    noise_spectrum_peak p = {.height = base->height, .harmonics = 1};
    base->taken = true;
    double frequency = base->frequency;
    double weighted = frequency;
    double weight = 1;
    for (unsigned h = 2; h * frequency <= ALIASES * s->nyquist; h++) {
        const double wanted = folded(h * frequency, s->nyquist);
        for (guint i = 0; i < lines->len; i++) {
            line *l = &g_array_index(lines, line, i);
            if (l->taken || fabs(l->frequency - wanted) > NEAR * s->bin) {
                continue;
            }
            l->taken = true;
            p.harmonics++;
            if (h * frequency <= s->nyquist) {
                weighted += h * l->frequency;
                weight += (double)h * h;
                frequency = weighted / weight;
            }
            break;
        }
    }
    p.frequency = frequency;
    const double k = independent(s->segments);
    p.false_alarm = -expm1((double)s->num_bins * log1p(-gsl_cdf_gamma_Q(base->height, k, 1 / k)));
    /* A pulse of work a each 1 / f, added up over intervals of t, has at f the amplitude
     * 2 a f sinc(f t), as a fraction of an interval. */
    const double turns = frequency / (2 * s->nyquist);
    const double sinc = sin(G_PI * turns) / (G_PI * turns);
    p.share = sqrt(2 * base->power) / (2 * sinc);
    p.lost = p.share * (double)SIM_S / frequency;
    return p;
}

/* The highest line that is not taken yet, or what it is a harmonic of: the lowest line that is
 * nearly as strong (pulses have harmonics of like power) and of which it is a multiple. */
static bool fundamental(const noise_spectrum *s, const GArray *lines, guint *found)
{
    const line *strongest = NULL;
    for (guint i = 0; i < lines->len; i++) {
        const line *l = &g_array_index(lines, line, i);
        if (!l->taken && (strongest == NULL || l->power > strongest->power)) {
            strongest = l;
            *found = i;
        }
    }
    for (guint i = 0; strongest != NULL && i < *found; i++) {
        const line *l = &g_array_index(lines, line, i);
        const double off = remainder(strongest->frequency, l->frequency);
        if (!l->taken && l->power >= AS_STRONG * strongest->power && fabs(off) <= NEAR * s->bin) {
            *found = i;
        }
    }
    return strongest != NULL;
}

static int by_frequency(const void *a, const void *b)
{
    const double x = ((const noise_spectrum_peak *)a)->frequency;
    const double y = ((const noise_spectrum_peak *)b)->frequency;
    return (x > y) - (x < y);
}

void noise_spectrum_peaks_find(noise_spectrum *s)
{
    set_thresholds(s);
    g_autoptr(GArray) lines = lines_of(s);
    GArray *peaks = g_array_new(FALSE, FALSE, sizeof(noise_spectrum_peak));
    guint first = 0;
    while (fundamental(s, lines, &first)) {
        const noise_spectrum_peak p = merge(s, lines, first);
        g_array_append_val(peaks, p);
    }
    g_array_sort(peaks, by_frequency);
    s->num_peaks = peaks->len;
    s->peaks = (noise_spectrum_peak *)(gpointer)g_array_free(peaks, FALSE);
}
