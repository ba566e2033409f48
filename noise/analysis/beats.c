/* noise/analysis/beats.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_decompose. */
#include "analysis/beats.h"

#include "sim/time.h"
#include "synopsis/histogram.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

enum { JOINED = 8, BINS = MINER_BINS / JOINED, OCTAVE = 4, WIDEST = 12 };
/* Bins of a quarter octave. What is 8 times as long as what comes on a beat mostly is another: a
 * program that is put on the CPU at a tick. */
#define FEWEST    8   /* detours on a beat */
#define MET       0.5 /* of the beats that can be seen */
#define LASTS     0.1 /* of the measurement: within a burst starts may be even, too */
#define SHARPEST  8.0 /* the window is at most this part of the period */
#define FOLLOWING 0.1 /* of what a start is off: clocks that are steered wander */
#define MULTIPLE  0.9 /* so much on every j-th beat: it is j times as long */
#define CHANCES   3   /* other phases that the beat is compared with */

/* Where a start is in relation to the nearest beat. */
typedef struct place {
    double beat; /* its number */
    double off;  /* ps from it */
} place;

static place place_of(const noise_beat *b, double instant)
{
    const double at = (instant - b->origin) / b->period;
    return (place){round(at), (at - round(at)) * b->period};
}

static uint32_t bin_of(sim_time length)
{
    return miner_bin(length) / JOINED;
}

/* Lengths that come on the beat. */
typedef struct lengths {
    uint32_t first, last; /* bins */
} lengths;

/* Is it more than chance that of all detours so long this many are near a beat? */
static bool is_on_beat(double near, double all, double window, double period)
{
    const double chance = 2 * window / (period - 2 * window);
    return near > 0 && near >= 2 * (all - near) * chance;
}

static lengths lengths_on_beat(const noise_observation *cpu, const noise_beat *b,
                               const uint16_t *owner)
{
    double near[BINS] = {0};
    double all[BINS] = {0};
    for (size_t i = 0; i < cpu->n; i++) {
        if (owner[i] == NOISE_NOBODY) {
            const uint32_t bin = bin_of(cpu->length[i]);
            all[bin]++;
            near[bin] += fabs(place_of(b, (double)cpu->start[i]).off) <= b->window;
        }
    }
    uint32_t most = 0;
    for (uint32_t bin = 1; bin < BINS; bin++) {
        /* What is near by chance does not make a length common. */
        const double chance = 2 * b->window / (b->period - 2 * b->window);
        const double here = near[bin] - (all[bin] - near[bin]) * chance;
        const double there = near[most] - (all[most] - near[most]) * chance;
        most = here > there ? bin : most;
    }
    lengths range = {most, most};
    for (uint32_t bin = most; bin-- > 0 && bin + OCTAVE >= range.first && bin + WIDEST >= most;) {
        range.first = is_on_beat(near[bin], all[bin], b->window, b->period) ? bin : range.first;
    }
    for (uint32_t bin = most + 1; bin < MIN(BINS, most + WIDEST) && bin <= range.last + OCTAVE;
         bin++) {
        range.last = is_on_beat(near[bin], all[bin], b->window, b->period) ? bin : range.last;
    }
    return range;
}

static bool has_length(const lengths *range, sim_time length)
{
    const uint32_t bin = bin_of(length);
    return range->first <= bin && bin <= range->last;
}

/* Share of the beats within the span of the detours at which one begins, for a phase elsewhere. */
static double met_by_chance(const noise_observation *cpu, const noise_beat *b, const lengths *range,
                            const uint16_t *owner)
{
    double most = 0;
    for (int c = 1; c <= CHANCES; c++) {
        noise_beat other = *b;
        other.origin += b->period * c / (CHANCES + 1);
        double met = 0;
        double last = -INFINITY;
        for (size_t i = 0; i < cpu->n; i++) {
            const place p = place_of(&other, (double)cpu->start[i]);
            if (owner[i] == NOISE_NOBODY && has_length(range, cpu->length[i]) &&
                fabs(p.off) <= b->window && p.beat != last) {
                met++;
                last = p.beat;
            }
        }
        most = fmax(most, met);
    }
    const double beats = (double)cpu->duration / b->period;
    return beats > 0 ? fmin((most + 1) / beats, 1) : 1;
}

typedef struct hit {
    size_t index;
    double beat;
    double off; /* from where the beat had wandered to */
} hit;

/* One for each beat, the nearest, in order; a clock that is steered is followed. */
static GArray *hits_on_beat(const noise_observation *cpu, const noise_beat *b, const lengths *range,
                            const uint16_t *owner)
{
    GArray *hits = g_array_new(FALSE, FALSE, sizeof(hit));
    double wandered = 0;
    for (size_t i = 0; i < cpu->n; i++) {
        if (owner[i] != NOISE_NOBODY || !has_length(range, cpu->length[i])) {
            continue;
        }
        const place p = place_of(b, (double)cpu->start[i] - wandered);
        if (fabs(p.off) > b->window) {
            continue;
        }
        const hit here = {i, p.beat, p.off};
        hit *last = hits->len > 0 ? &g_array_index(hits, hit, hits->len - 1) : NULL;
        if (last == NULL || last->beat != p.beat) {
            g_array_append_val(hits, here);
        } else if (fabs(p.off) < fabs(last->off)) {
            *last = here;
        } else {
            continue;
        }
        wandered += FOLLOWING * p.off;
    }
    return hits;
}

/* Do they come at every j-th beat only? The largest such j; @p residue says at which. */
static unsigned multiple_of(const GArray *hits, double *residue)
{
    unsigned found = 1;
    for (unsigned j = 2; j <= 12; j++) {
        unsigned count[12] = {0};
        unsigned most = 0;
        for (guint i = 0; i < hits->len; i++) {
            const double beat = g_array_index(hits, hit, i).beat;
            const unsigned r = (unsigned)(beat - j * floor(beat / j));
            count[r % j]++;
            most = count[r % j] > count[most] ? r % j : most;
        }
        if (count[most] >= MULTIPLE * hits->len) {
            found = j;
            *residue = most;
        }
    }
    return found;
}

/* Beats of which one cannot know whether they were met: they lie in a detour that began before. */
static void count_hidden(const noise_observation *cpu, const noise_beat *b, double first,
                         double last, noise_train *t)
{
    for (size_t i = 0; i < cpu->n; i++) {
        const double start = (double)cpu->start[i];
        const double end = start + (double)cpu->length[i];
        const double from = floor((start + b->window - b->origin) / b->period) + 1;
        const double to = floor((end + b->window - b->origin) / b->period);
        if (to >= from && from >= first && to <= last) {
            t->hidden += to - from + 1;
            t->over_beat++;
        }
    }
}

static int compare_times(const void *a, const void *b)
{
    const sim_time x = *(const sim_time *)a;
    const sim_time y = *(const sim_time *)b;
    return (x > y) - (x < y);
}

static void describe(const noise_observation *cpu, const GArray *hits, noise_train *t)
{
    g_autofree sim_time *length = g_new(sim_time, hits->len);
    double square = 0;
    for (guint i = 0; i < hits->len; i++) {
        const hit *h = &g_array_index(hits, hit, i);
        length[i] = cpu->length[h->index];
        square += h->off * h->off;
    }
    qsort(length, hits->len, sizeof *length, compare_times);
    t->count = hits->len;
    t->median = length[hits->len / 2];
    t->jitter = sqrt(square / hits->len);
    const double first = g_array_index(hits, hit, 0).beat;
    const double last = g_array_index(hits, hit, hits->len - 1).beat;
    t->beats = last - first + 1;
    count_hidden(cpu, &t->beat, first, last, t);
}

/* P(B >= met), B ~ Binomial(beats, by_chance), for one of the periods and phases that differ. */
static double chance_of(const noise_train *t, double by_chance)
{
    const double met = (double)t->count;
    const double tried = t->beats * t->beat.period / t->beat.window;
    return fmin(
        tried * gsl_cdf_binomial_Q((unsigned)met - 1, by_chance, (unsigned)fmax(t->beats, met)), 1);
}

bool noise_beat_take(const noise_observation *cpu, noise_beat beat, double chance, uint16_t mine,
                     uint16_t *owner, noise_train *train)
{
    unsigned times = 1;
    do {
        if (beat.window > beat.period / SHARPEST) {
            return false;
        }
        const lengths range = lengths_on_beat(cpu, &beat, owner);
        const double by_chance = met_by_chance(cpu, &beat, &range, owner);
        g_autoptr(GArray) hits = hits_on_beat(cpu, &beat, &range, owner);
        if (hits->len < FEWEST) {
            return false;
        }
        double residue = 0;
        times = multiple_of(hits, &residue);
        if (times > 1) {
            beat.origin += residue * beat.period;
            beat.period *= times;
            continue;
        }
        noise_train t = {.beat = beat};
        describe(cpu, hits, &t);
        t.false_alarm = chance_of(&t, by_chance);
        if (t.beats * beat.period < LASTS * (double)cpu->duration ||
            (double)t.count < MET * (t.beats - t.hidden) || t.false_alarm >= chance) {
            return false;
        }
        for (guint i = 0; i < hits->len; i++) {
            owner[g_array_index(hits, hit, i).index] = mine;
        }
        *train = t;
    } while (times > 1);
    return true;
}
