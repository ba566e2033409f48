/* noise/timing/period.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_miner_modern, test_miner_simulated. */
#include "timing/period.h"

#include <glib.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define MIN_HITS      8
#define MAX_HITS      1024
#define OVERSAMPLING  10  /* of the periodogram */
#define MIN_STEPS     512 /* of frequency, whatever the effort */
#define MAX_STEPS     40000
#define MAX_PEAKS     16
#define CYCLES        2.2 /* in a period: with fewer of the program, aliases explain long events, too */
#define NEAR_PEAK     0.8 /* of the highest */
#define HIDDEN        0.2 /* of the shortest gaps: the beats between may all be hidden */
#define BURSTY_CV     1.5
#define SHORT_EVENT   0.5  /* of a period: longer ones blur the phase */
#define FEW_BEATS     0.25 /* of the beats are hit, or they may be those of the program's events */
#define LINE_SLACK    0.1  /* of a period, by which a hit may miss its event on a straight line */
#define LINE_CYCLES   4    /* of a recorded program in a period: below, a line fits aliases, too */
#define EVEN_HITS     2.0  /* per event on average: less, and events without one are not rare */
#define LINE_OUTLIERS 0.05

typedef struct train {
    size_t n;
    double *time; /* [n] ps since the first */
    double blur;  /* typical uncertainty of a time */
    double mean_gap;
    double low_gap; /* 5 % of the gaps are shorter */
    double gap_cv;
} train;

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(double *value, size_t n, double q)
{
    qsort(value, n, sizeof *value, by_value);
    return value[(size_t)(q * (double)(n - 1))];
}

/* Where several hits share an event they are spread evenly over it. */
static void train_init(train *t, const miner_seen *seen, size_t n)
{
    size_t total = 0;
    for (size_t i = 0; i < n; i++) {
        total += seen[i].hits;
    }
    t->n = 0;
    t->time = g_new(double, total);
    g_autofree double *scratch = g_new(double, total + n);
    for (size_t i = 0; i < n; i++) {
        const double first = (double)(seen[i].first - seen[0].first);
        const double room = (double)(seen[i].last - seen[i].first);
        for (uint32_t k = 0; k < seen[i].hits; k++) {
            t->time[t->n++] = first + room * (k + 0.5) / seen[i].hits;
        }
        scratch[i] = room;
    }
    t->blur = quantile(scratch, n, 0.5);
    const double origin = t->time[0];
    double square = 0;
    for (size_t i = 0; i < t->n; i++) {
        t->time[i] -= origin;
        scratch[i] = i > 0 ? t->time[i] - t->time[i - 1] : 0;
    }
    t->mean_gap = t->time[t->n - 1] / (double)(t->n - 1);
    for (size_t i = 1; i < t->n; i++) {
        square += (scratch[i] - t->mean_gap) * (scratch[i] - t->mean_gap);
    }
    t->gap_cv = t->mean_gap > 0 ? sqrt(square / (double)(t->n - 1)) / t->mean_gap : -1;
    t->low_gap = quantile(scratch + 1, t->n - 1, 0.05);
}

/* Z(f) = |sum exp(2 pi i f t)|^2 / n at f = low + k * step, and after it, [steps..2 steps), the
 * same less what an even stream over the span gives (it counts where the span holds few periods;
 * the first tells where a peak is, the second whether it is one). Phases turn by a fixed angle from
 * one frequency to the next: a complex product instead of a sine. O(n * steps). */
static double *periodogram_new(const train *t, double low, double step, size_t steps)
{
    double *z = g_new(double, 2 * steps);
    g_autofree double *phase = g_new(double, 4 * t->n);
    double *re = phase;
    double *im = phase + t->n;
    double *turn_re = phase + 2 * t->n;
    double *turn_im = phase + 3 * t->n;
    for (size_t j = 0; j < t->n; j++) {
        re[j] = cos(2 * G_PI * low * t->time[j]);
        im[j] = sin(2 * G_PI * low * t->time[j]);
        turn_re[j] = cos(2 * G_PI * step * t->time[j]);
        turn_im[j] = sin(2 * G_PI * step * t->time[j]);
    }
    for (size_t k = 0; k < steps; k++) {
        const double turns = 2 * G_PI * (low + (double)k * step) * t->time[t->n - 1];
        const double even_re = (double)t->n * sin(turns) / turns;
        const double even_im = (double)t->n * (1 - cos(turns)) / turns;
        double sum_re = 0;
        double sum_im = 0;
        for (size_t j = 0; j < t->n; j++) {
            sum_re += re[j];
            sum_im += im[j];
            const double next = re[j] * turn_re[j] - im[j] * turn_im[j];
            im[j] = re[j] * turn_im[j] + im[j] * turn_re[j];
            re[j] = next;
        }
        z[k] = (sum_re * sum_re + sum_im * sum_im) / (double)t->n;
        sum_re -= even_re;
        sum_im -= even_im;
        z[steps + k] = (sum_re * sum_re + sum_im * sum_im) / (double)t->n;
    }
    return z;
}

static double false_alarm(double z, double trials)
{
    /* 1 - (1 - exp(-z))^m without cancellation */
    return -expm1(trials * log1p(-exp(-fmax(z, 1e-9))));
}

/* A local maximum of the periodogram. */
typedef struct peak {
    size_t step;
    double height; /* less what an even stream gives */
} peak;

static int by_height(const void *a, const void *b)
{
    const peak *x = a;
    const peak *y = b;
    if (x->height != y->height) {
        return x->height > y->height ? -1 : 1;
    }
    return (x->step > y->step) - (x->step < y->step);
}

static int by_step(const void *a, const void *b)
{
    const peak *x = a;
    const peak *y = b;
    return (x->step > y->step) - (x->step < y->step);
}

/* The highest that chance does not reach, the slowest first: where every hit falls on a beat, it
 * falls on every second beat of twice the pace as well. @return how many */
static size_t find_peaks(const double *z, size_t steps, double trials, double chance,
                         peak out[MAX_PEAKS])
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(peak));
    for (size_t k = 1; k + 1 < steps; k++) {
        if (z[k] >= z[k - 1] && z[k] >= z[k + 1] && false_alarm(z[k], trials) < chance) {
            const peak one = {k, z[k]};
            g_array_append_val(all, one);
        }
    }
    g_array_sort(all, by_height);
    const size_t n = MIN(all->len, MAX_PEAKS);
    for (size_t i = 0; i < n; i++) {
        out[i] = g_array_index(all, peak, i);
    }
    if (n > 0) {
        qsort(out, n, sizeof *out, by_step);
    }
    return n;
}

/* Where near step @p k the plain periodogram is highest, between its neighbours. */
static double top_near(const double *z, size_t steps, size_t k)
{
    while (k + 2 < steps && z[k + 1] > z[k]) {
        k++;
    }
    while (k > 1 && z[k - 1] > z[k]) {
        k--;
    }
    const double curve = z[k - 1] - 2 * z[k] + z[k + 1];
    return (double)k + (curve < 0 ? 0.5 * (z[k - 1] - z[k + 1]) / curve : 0);
}

/* No more beats are hit than can be seen, if the program has a cycle of its own: where they are,
 * the period is an alias of another one, or a multiple, or program and noise keep step. */
static bool is_visible(const train *t, double period, double visible)
{
    const double beats = t->time[t->n - 1] / period + 1;
    const double chance = 2 * sqrt(visible * (1 - visible) / beats);
    return visible <= 0 || (double)t->n <= beats * (visible + chance + 0.05);
}

/* Hits on beats that are hidden while the rank waits, or that a program with a cycle of its own
 * shows at some phases only, have many peaks. The slowest that explains the hits is the period. */
static void try_rayleigh(const train *t, const miner_seen *seen, size_t n, double chance,
                         double effort, double visible, miner_period *out)
{
    const double span = t->time[t->n - 1];
    double shortest = t->gap_cv > BURSTY_CV ? 0.5 * t->mean_gap : HIDDEN * t->low_gap;
    shortest = fmax(shortest, t->blur / SHORT_EVENT);
    const double most = fmin(fmax(effort / (double)t->n, MIN_STEPS), MAX_STEPS);
    shortest = fmax(shortest, OVERSAMPLING * span / most);
    const double low = 2 / span; /* two periods at least must have been seen */
    const double high = 1 / shortest;
    if (high <= low) {
        return;
    }
    const double step = 1 / (OVERSAMPLING * span);
    const size_t steps = (size_t)((high - low) / step) + 3;
    g_autofree double *z = periodogram_new(t, low - step, step, steps);
    peak peaks[MAX_PEAKS];
    const double trials = (high - low) * span;
    const size_t num = find_peaks(z + steps, steps, trials, chance, peaks);
    double highest = 0;
    for (size_t i = 0; i < num; i++) {
        highest = fmax(highest, peaks[i].height);
    }
    for (size_t i = 0; i < num; i++) {
        const double period = 1 / (low - step + step * top_near(z, steps, peaks[i].step));
        const miner_beats beats = noise_miner_beats_fit(seen, n, period);
        const double least = noise_miner_beats_are_sharp(&beats) ? NEAR_PEAK * highest : 0;
        /* Hits are seen where events are: those at random fall on the beats of a steady program. */
        if (period < FEW_BEATS * t->mean_gap || peaks[i].height < least ||
            !noise_miner_beats_explain(&beats)) {
            continue;
        }
        const bool clear = noise_miner_beats_are_sharp(&beats) ||
                           CYCLES * beats.blur <= (visible > 0 ? visible : 1);
        if (clear && is_visible(t, period, visible)) { /* else faster ones would explain as much */
            out->period = period;
            out->false_alarm = false_alarm(peaks[i].height, trials);
        }
        return;
    }
}

/* The straight line through (number of hits so far, time): slope is the period. */
typedef struct line {
    double offset;
    double slope;
} line;

static line fit_line(const miner_seen *seen, size_t n)
{
    double sx = 0;
    double sy = 0;
    double sxx = 0;
    double sxy = 0;
    double index = 0;
    for (size_t i = 0; i < n; i++) {
        const double x = index + ((double)seen[i].hits - 1) / 2;
        const double y =
            ((double)(seen[i].first - seen[0].first) + (double)(seen[i].last - seen[0].first)) / 2;
        index += seen[i].hits;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    const double count = (double)n;
    const double slope = (count * sxy - sx * sy) / (count * sxx - sx * sx);
    return (line){(sy - slope * sx) / count, slope};
}

/* Does the line pass through nearly all events, each hit within its own? */
static bool fits(const miner_seen *seen, size_t n, line l)
{
    const double slack = LINE_SLACK * l.slope;
    double index = 0;
    size_t outside = 0;
    for (size_t i = 0; i < n; i++) {
        const double from = l.offset + l.slope * index;
        const double to = from + l.slope * ((double)seen[i].hits - 1);
        outside += from < (double)(seen[i].first - seen[0].first) - slack ||
                   to > (double)(seen[i].last - seen[0].first) + slack;
        index += seen[i].hits;
    }
    return (double)outside <= LINE_OUTLIERS * (double)n;
}

/* Poisson hits spread over the intervals between events with a dispersion of 1. How likely is one
 * as small as here? And does a strict rhythm agree with every event? */
static void try_counting(const train *t, const miner_seen *seen, size_t n, double chance,
                         double visible, miner_period *out)
{
    const line l = fit_line(seen, n);
    const bool single = (double)t->n < EVEN_HITS * (double)n;
    const bool may_be_alias = visible > 0 && single && LINE_CYCLES * t->blur > visible * l.slope;
    if (!(l.slope > 0) || may_be_alias || !fits(seen, n, l)) {
        return;
    }
    double dispersion = 0;
    for (size_t i = 1; i < n; i++) {
        const double wanted = fmax((double)(seen[i].last - seen[i - 1].last) / l.slope, 1e-3);
        const double off = (double)seen[i].hits - wanted;
        dispersion += off * off / wanted;
    }
    const double alarm = gsl_cdf_chisq_P(dispersion, (double)n - 2);
    if (alarm < chance) {
        out->period = l.slope;
        out->false_alarm = alarm;
    }
}

/* Every event holds as many hits as its length asks for, to the next whole number: Poisson hits
 * would scatter. Time between events does not count, so hits hidden there are not missed. */
static void try_even(const miner_seen *seen, size_t n, double chance, miner_period *out)
{
    double hits = 0;
    double wall = 0;
    size_t events = 0;
    for (size_t i = 0; i < n; i++) {
        hits += seen[i].wall > 0 ? seen[i].hits : 0;
        wall += (double)seen[i].wall;
        events += seen[i].wall > 0;
    }
    if (events < MIN_HITS || hits < EVEN_HITS * (double)events) {
        return;
    }
    const double period = wall / hits;
    double dispersion = 0;
    size_t off_by_more = 0;
    for (size_t i = 0; i < n; i++) {
        if (seen[i].wall > 0) {
            const double wanted = (double)seen[i].wall / period;
            const double off = (double)seen[i].hits - wanted;
            off_by_more += fabs(off) > 1 + LINE_SLACK;
            dispersion += off * off / wanted;
        }
    }
    const double alarm = gsl_cdf_chisq_P(dispersion, (double)events - 1);
    if (alarm < chance && (double)off_by_more <= LINE_OUTLIERS * (double)events) {
        out->period = period;
        out->false_alarm = alarm;
    }
}

miner_period noise_miner_period_find(const miner_seen *seen, size_t n, double chance, double effort)
{
    return noise_miner_period_of_seen(seen, n, chance, effort, 0);
}

miner_period noise_miner_period_of_seen(const miner_seen *seen, size_t n, double chance,
                                        double effort, double visible)
{
    miner_period found = {.period = 0, .false_alarm = 1, .gap_cv = -1};
    size_t hits = 0; /* of the most recent events only, if they are many */
    size_t from = n;
    while (from > 0 && hits + seen[from - 1].hits <= MAX_HITS) {
        hits += seen[--from].hits;
    }
    if (n - from < MIN_HITS) {
        return found;
    }
    train t;
    train_init(&t, seen + from, n - from);
    found.gap_cv = t.gap_cv;
    if (t.time[t.n - 1] > 0) {
        try_counting(&t, seen + from, n - from, chance, visible, &found);
        /* Phases of long events would beat with the rhythm of the program. */
        if (found.period == 0 && t.blur <= SHORT_EVENT * t.mean_gap) {
            try_rayleigh(&t, seen + from, n - from, chance, effort, visible, &found);
        }
        if (found.period == 0) {
            try_even(seen + from, n - from, chance, &found);
        }
    }
    g_free(t.time);
    return found;
}

/* The highest point of the periodogram, between its neighbours. */
static void find_rayleigh(const train *t, double shortest, noise_miner_classic *out)
{
    const double span = t->time[t->n - 1];
    const double step = 1 / (OVERSAMPLING * span);
    const double low = 1 / span;
    const size_t steps = (size_t)fmin((1 / shortest - low) / step + 1, MAX_STEPS);
    g_autofree double *z = periodogram_new(t, low, step, MAX(steps, 1));
    size_t best = 0;
    for (size_t k = 1; k < steps; k++) {
        best = z[k] > z[best] ? k : best;
    }
    double shift = 0;
    out->rayleigh_z = z[best];
    if (best > 0 && best + 1 < steps) {
        const double curve = z[best - 1] - 2 * z[best] + z[best + 1];
        shift = curve < 0 ? 0.5 * (z[best - 1] - z[best + 1]) / curve : 0;
        out->rayleigh_z -= 0.25 * (z[best - 1] - z[best + 1]) * shift;
    }
    out->rayleigh_period = (sim_time)llround(1 / (low + step * ((double)best + shift)));
}

noise_miner_classic noise_miner_classic_of(const sim_time *start, size_t n, double shortest)
{
    noise_miner_classic out = {.gap_cv = -1};
    if (n < 2 || start[n - 1] == start[0]) {
        return out;
    }
    const sim_time range = start[n - 1] - start[0];
    out.range_by_events = range / (sim_time)n;
    out.range_by_gaps = range / (sim_time)(n - 1);
    g_autofree miner_seen *seen = g_new0(miner_seen, n);
    g_autofree double *gap = g_new(double, n);
    for (size_t i = 0; i < n; i++) {
        seen[i] = (miner_seen){start[i], start[i], 1, 0};
        gap[i] = i > 0 ? (double)(start[i] - start[i - 1]) : 0;
    }
    out.median_gap = (sim_time)llround(quantile(gap + 1, n - 1, 0.5));
    train t;
    train_init(&t, seen, n);
    out.gap_cv = t.gap_cv;
    shortest = shortest > 0 ? shortest : 0.8 * t.low_gap;
    if (shortest > 0 && shortest < (double)range) {
        find_rayleigh(&t, shortest, &out);
    }
    g_free(t.time);
    return out;
}
