/* noise/analysis/rhythm.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_decompose. */
#include "analysis/rhythm.h"

#include "timing/period.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>

#define RECENT       1024 /* hits the search looks at */
#define EFFORT       5e6  /* hits times frequencies */
#define STEPS        12   /* of frequency on each side of the last estimate */
#define FIRST_WINDOW 16.0 /* of a period */
#define ROUNDS       4    /* of the straight line */
#define WINDOW       5.0  /* times the shortest range that holds half of what is near a beat */
#define LEAST_WINDOW 5e5  /* ps: 500 ns; finer than what a kernel's timers keep */
#define FEWEST       8    /* starts in a chain */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* |sum exp(2 pi i f t)|^2 / n, t counted from the last; and where in a period they are. */
static double power_at(const sim_time *start, size_t n, double frequency, double *phase)
{
    double re = 0;
    double im = 0;
    for (size_t i = 0; i < n; i++) {
        const double turns = (double)(start[i] - start[n - 1]) * frequency;
        const double angle = 2 * G_PI * (turns - floor(turns));
        re += cos(angle);
        im += sin(angle);
    }
    *phase = atan2(im, re) / (2 * G_PI);
    return (re * re + im * im) / (double)n;
}

/* The frequency is known to a part of 1 / span; of twice the span the best near it is sought. */
static double sharpen(const sim_time *start, size_t n, double frequency, double slack,
                      double *phase)
{
    double best = frequency;
    double highest = power_at(start, n, frequency, phase);
    for (int k = -STEPS; k <= STEPS; k++) {
        double at = 0;
        const double f = frequency + slack * k / STEPS;
        const double power = power_at(start, n, f, &at);
        if (power > highest) {
            highest = power;
            best = f;
            *phase = at;
        }
    }
    return best;
}

/* From the last hits, twice as many each time, to all. */
static void follow(const sim_time *start, size_t n, noise_beat *b)
{
    double frequency = 1 / b->period;
    double phase = 0;
    size_t m = MIN(n, RECENT);
    double span = (double)(start[n - 1] - start[n - m]);
    frequency = sharpen(start + n - m, m, frequency, 0.3 / span, &phase);
    while (m < n) {
        m = MIN(n, 2 * m);
        span = (double)(start[n - 1] - start[n - m]);
        frequency = sharpen(start + n - m, m, frequency, 0.6 / span, &phase);
    }
    b->period = 1 / frequency;
    b->origin = (double)start[n - 1] + phase * b->period;
}

/* The shortest range of sorted values that holds half of them. */
static double half_range(const double *sorted, size_t n, double *middle)
{
    const size_t half = (n + 1) / 2;
    double least = INFINITY;
    for (size_t i = 0; i + half <= n; i++) {
        const double range = sorted[i + half - 1] - sorted[i];
        if (range < least) {
            least = range;
            *middle = (sorted[i + half - 1] + sorted[i]) / 2;
        }
    }
    return least;
}

/* The straight line through the hits that are near a beat, and how near that is. */
static bool fit(const sim_time *start, size_t n, noise_beat *b)
{
    g_autofree double *off = g_new(double, n);
    double count = 0;
    double sum_k = 0;
    double sum_off = 0;
    double sum_kk = 0;
    double sum_k_off = 0;
    double middle = 0;
    size_t near = 0;
    const double first = round(((double)start[0] - b->origin) / b->period);
    for (size_t i = 0; i < n; i++) {
        const double at = ((double)start[i] - b->origin) / b->period;
        const double o = (at - round(at)) * b->period;
        if (fabs(o) <= b->window) {
            const double k = round(at) - first;
            off[near++] = o;
            count++;
            sum_k += k;
            sum_off += o;
            sum_kk += k * k;
            sum_k_off += k * o;
        }
    }
    if (near < 4) {
        return false;
    }
    const double spread = count * sum_kk - sum_k * sum_k;
    const double slope = spread > 0 ? (count * sum_k_off - sum_k * sum_off) / spread : 0;
    const double offset = (sum_off - slope * sum_k) / count;
    b->origin += first * b->period + offset;
    b->period += slope;
    near = 0;
    for (size_t i = 0; i < n; i++) { /* once more, about the line */
        const double at = ((double)start[i] - b->origin) / b->period;
        const double o = (at - round(at)) * b->period;
        if (fabs(o) <= b->window) {
            off[near++] = o;
        }
    }
    if (near < 4) {
        return false;
    }
    qsort(off, near, sizeof *off, compare);
    b->window = fmin(b->window, fmax(WINDOW * half_range(off, near, &middle), LEAST_WINDOW));
    b->origin += middle;
    return b->period > 0;
}

bool noise_beat_find(const sim_time *start, size_t n, double chance, noise_beat *beat)
{
    g_autofree miner_seen *seen = g_new(miner_seen, n + 1);
    for (size_t i = 0; i < n; i++) {
        seen[i] = (miner_seen){start[i], start[i], 1, 0};
    }
    const miner_period found = noise_miner_period_find(seen, n, chance, EFFORT);
    if (!(found.period > 0)) {
        return false;
    }
    *beat = (noise_beat){.period = found.period};
    follow(start, n, beat);
    beat->window = beat->period / FIRST_WINDOW;
    for (int round = 0; round < ROUNDS; round++) {
        if (!fit(start, n, beat)) {
            return false;
        }
    }
    return true;
}

/* From each start, the one that comes a gap later: the longest chain of these. @p first, @p last:
 * its ends. @return how many */
static size_t longest_chain(const sim_time *start, size_t n, double gap, double slack,
                            size_t *first, size_t *last)
{
    g_autofree uint32_t *length = g_new(uint32_t, n + 1); /* of the chain that begins here */
    g_autofree size_t *end = g_new(size_t, n + 1);
    if (n == 0) {
        return 0;
    }
    size_t j = n;
    size_t best = n - 1;
    length[best] = 1;
    end[best] = best;
    for (size_t i = n - 1; i-- > 0;) {
        const double wanted = (double)start[i] + gap;
        while (j > 0 && (double)start[j - 1] >= wanted) {
            j--;
        }
        /* The nearer of the two around it. */
        size_t next = j;
        if (j == n || (j > i + 1 && wanted - (double)start[j - 1] < (double)start[j] - wanted)) {
            next = j > 0 ? j - 1 : j;
        }
        const bool is_there = next > i && next < n && fabs((double)start[next] - wanted) <= slack;
        length[i] = is_there ? length[next] + 1 : 1;
        end[i] = is_there ? end[next] : i;
        best = length[i] > length[best] ? i : best;
    }
    *first = best;
    *last = end[best];
    return length[best];
}

bool noise_beat_follow(const sim_time *start, size_t n, double gap, double slack, noise_beat *beat)
{
    size_t first = 0;
    size_t last = 0;
    const size_t chain = longest_chain(start, n, gap, slack, &first, &last);
    if (chain < FEWEST) {
        return false;
    }
    beat->period = (double)(start[last] - start[first]) / (double)(chain - 1);
    beat->origin = (double)start[first];
    beat->window = fmin(fmax(4 * slack, LEAST_WINDOW), beat->period / FIRST_WINDOW);
    const double widest = beat->window;
    for (;;) {
        for (int round = 0; round < ROUNDS; round++) {
            if (!fit(start + first, last + 1 - first, beat)) {
                return false;
            }
        }
        if (first == 0 && last + 1 == n) {
            return true;
        }
        /* Half as many again on either side, where the line may be a little off. */
        const size_t more = (last + 1 - first) / 2 + 1;
        first -= MIN(first, more);
        last = MIN(last + more, n - 1);
        beat->window = fmin(3 * beat->window, widest);
    }
}
