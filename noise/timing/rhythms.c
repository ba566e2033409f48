/* noise/timing/rhythms.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_miner_rhythms, test_miner_simulated. */
#include "timing/rhythms.h"

#include <glib.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define BEAT_WIDTH   0.15 /* of a period: what lies as near together may be on one beat … */
#define HALF_WIDTHS  4.0 /* … and what lies within so many times the width of its denser half is */
#define LEAST_WIDTH  0.01
#define BISECTIONS   20
#define FULL         0.85 /* of the beats */
#define SHORT_EVENT  0.1  /* of a period: longer ones do not say when their hits were */
#define SHORT_EVENTS 0.9  /* so many of them must be short */
#define LEAST_RESTS  0.5  /* of the hits: fewer are not every second detour */
#define MOST_PARTS   4
#define REST_SLACK   0.01 /* of a period: when the detour of a rest began is known */
#define OTHER        0.02 /* relative: periods that differ by less are one */

static double middle(const miner_seen *seen)
{
    return (double)seen->first + (double)(seen->last - seen->first) / 2;
}

static double phase_of(const miner_seen *seen, sim_time origin, double period)
{
    const double turns = (middle(seen) - (double)origin) / period;
    return turns - floor(turns);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A stretch of the circle. */
typedef struct beat {
    double from;
    double width;
    size_t count; /* phases within */
} beat;

/* Where the most of the sorted phases lie within @p width. */
static beat densest(const double *phase, size_t n, double width)
{
    beat best = {phase[0], width, 0};
    size_t end = 0; /* one past the last within reach, going round */
    for (size_t i = 0; i < n; i++) {
        end = MAX(end, i + 1);
        while (end < i + n && phase[end % n] + (end >= n ? 1 : 0) <= phase[i] + width) {
            end++;
        }
        if (end - i > best.count) {
            best = (beat){phase[i], width, end - i};
        }
    }
    return best;
}

/* As narrow as it can be: around the shortest stretch that holds half of what is near the beat. */
static beat find_beat(double *phase, size_t n)
{
    qsort(phase, n, sizeof *phase, by_value);
    const beat wide = densest(phase, n, BEAT_WIDTH);
    double low = 0;
    double high = BEAT_WIDTH;
    for (int i = 0; i < BISECTIONS; i++) {
        const double width = (low + high) / 2;
        if (2 * densest(phase, n, width).count >= wide.count) {
            high = width;
        } else {
            low = width;
        }
    }
    const beat half = densest(phase, n, high);
    const double width = fmin(fmax(HALF_WIDTHS * high, LEAST_WIDTH), BEAT_WIDTH);
    const double from = half.from - (width - high) / 2;
    return (beat){from - floor(from), width, 0};
}

static bool are_short(const miner_seen *seen, size_t n, double period)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        count += (double)(seen[i].last - seen[i].first) <= SHORT_EVENT * period;
    }
    return (double)count >= SHORT_EVENTS * (double)n;
}

/* Divide @p seen into what is on the beat and what is not; both stay in order. */
static size_t divide(miner_seen *seen, size_t n, double period, double *width)
{
    const sim_time origin = seen[0].first;
    g_autofree double *phase = g_new(double, n);
    for (size_t i = 0; i < n; i++) {
        phase[i] = phase_of(&seen[i], origin, period);
    }
    const beat on = find_beat(phase, n);
    g_autofree miner_seen *off = g_new(miner_seen, n);
    size_t on_beat = 0;
    size_t off_beat = 0;
    for (size_t i = 0; i < n; i++) {
        const double turns = phase_of(&seen[i], origin, period) - on.from;
        if (turns - floor(turns) <= on.width) {
            seen[on_beat++] = seen[i];
        } else {
            off[off_beat++] = seen[i];
        }
    }
    memcpy(seen + on_beat, off, off_beat * sizeof *off);
    *width = on.width;
    return on_beat;
}

static int by_first(const void *a, const void *b)
{
    const miner_seen *x = a;
    const miner_seen *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

static double count_hits(const miner_seen *seen, size_t n)
{
    double hits = 0;
    for (size_t i = 0; i < n; i++) {
        hits += seen[i].hits;
    }
    return hits;
}

static bool is_other(const miner_period *a, const miner_period *b)
{
    return fabs(a->period - b->period) > OTHER * fmax(a->period, b->period);
}

/* Is nearly every beat hit? A single rhythm that stumbles has hits off its beat as well, and misses
 * as many on it. */
static bool is_full(const miner_seen *seen, size_t n, double period)
{
    return n > 1 &&
           count_hits(seen, n) >= FULL * ((double)(seen[n - 1].first - seen[0].first) / period + 1);
}

size_t noise_miner_rhythms_find(const miner_seen *seen, size_t n, double chance, double effort,
                                double visible, miner_rhythm rhythm[MINER_MAX_RHYTHMS])
{
    rhythm[0] = (miner_rhythm){noise_miner_period_of_seen(seen, n, chance, effort, visible), 1};
    if (rhythm[0].period.period == 0) {
        return 1;
    }
    g_autofree miner_seen *left = g_memdup2(seen, n * sizeof *seen);
    const double all = count_hits(seen, n);
    size_t found = 1;
    miner_seen *from = left;
    while (found < MINER_MAX_RHYTHMS) {
        miner_rhythm *last = &rhythm[found - 1];
        if (!are_short(from, n, last->period.period)) {
            break;
        }
        double width = 0;
        const size_t on_beat = divide(from, n, last->period.period, &width);
        const miner_period next =
            noise_miner_period_find(from + on_beat, n - on_beat, chance, effort);
        bool other = next.period > 0;
        for (size_t i = 0; i < found; i++) {
            other = other && is_other(&next, &rhythm[i].period);
        }
        /* Each by itself: without what lay between, the first is clearer. Where both then have one
         * period, they are every second, third … hit of the same. */
        const miner_period alone = noise_miner_period_find(from, on_beat, chance, effort);
        if (!other || (alone.period > 0 && !is_other(&alone, &next)) ||
            !is_full(from, on_beat, last->period.period) ||
            !is_full(from + on_beat, n - on_beat, next.period)) {
            break;
        }
        last->period = alone.period > 0 ? alone : last->period;
        from += on_beat;
        n -= on_beat;
        /* Some of the others are on the beat by chance: as many as elsewhere. */
        const double others = fmin(count_hits(from, n) / all / (1 - width), last->share);
        last->share -= others;
        rhythm[found++] = (miner_rhythm){next, others};
    }
    return found;
}

miner_period noise_miner_rhythm_with_rests(const miner_seen *seen, size_t n,
                                           const miner_seen *rests, size_t num_rests, double chance,
                                           double effort, miner_period period)
{
    if (period.period <= 0 || (double)num_rests < LEAST_RESTS * (double)n) {
        return period;
    }
    g_autofree miner_seen *all = g_new(miner_seen, n + num_rests);
    memcpy(all, seen, n * sizeof *seen);
    memcpy(all + n, rests, num_rests * sizeof *rests);
    qsort(all, n + num_rests, sizeof *all, by_first);
    const miner_period both = noise_miner_period_find(all, n + num_rests, chance, effort);
    const double parts = both.period > 0 ? period.period / both.period : 0;
    const bool divides =
        parts > 1.5 && parts < MOST_PARTS + 0.5 && fabs(parts / round(parts) - 1) < OTHER;
    return divides && noise_miner_beats_share(all, n + num_rests, both.period, REST_SLACK) >= FULL
               ? both
               : period;
}
