/* noise/analysis/source_figures.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_decompose. */
#include "analysis/draft.h"

#include <math.h>
#include <stdlib.h>

enum { FEW = 8 };
#define BURSTY_CV   1.5
#define SAME_PERIOD 0.01
#define MOSTLY      0.8 /* on the beat: it is periodic */
#define POISSON_CV  0.7 /* a Poisson stream has 1 */

typedef struct gaps {
    double n;
    double sum;
    double square;
} gaps;

static double scatter(const gaps *g)
{
    const double mean = g->sum / g->n;
    return mean > 0 ? sqrt(fmax(g->square / g->n - mean * mean, 0)) / mean : 0;
}

/* What is counted of a draft on all CPUs. */
typedef struct tally {
    GArray *length; /* of sim_time */
    double lived;   /* ps of the CPUs it is on */
    double cpus;
    double most; /* on one CPU */
    double scatter;
    double scatter_weight;
} tally;

static void tally_cpu(const noise_division *d, size_t c, tally *tallies)
{
    const size_t n = d->drafts->len;
    g_autofree gaps *between = g_new0(gaps, n);
    g_autofree sim_time *last = g_new(sim_time, n);
    g_autofree double *count = g_new0(double, n);
    const noise_observation *cpu = &d->cpus[c];
    for (size_t i = 0; i < cpu->n; i++) {
        const uint16_t s = d->draft[c][i];
        g_array_append_val(tallies[s].length, cpu->length[i]);
        if (count[s]++ > 0) {
            const double gap = (double)(cpu->start[i] - last[s]);
            between[s].n++;
            between[s].sum += gap;
            between[s].square += gap * gap;
        }
        last[s] = cpu->start[i];
    }
    for (size_t s = 0; s < n; s++) {
        tally *t = &tallies[s];
        t->cpus += count[s] > 0;
        t->lived += count[s] > 0 ? (double)cpu->duration : 0;
        t->most = fmax(t->most, count[s]);
        if (count[s] >= FEW) {
            t->scatter += count[s] * scatter(&between[s]);
            t->scatter_weight += count[s];
        }
    }
}

static int compare(const void *a, const void *b)
{
    const sim_time x = *(const sim_time *)a;
    const sim_time y = *(const sim_time *)b;
    return (x > y) - (x < y);
}

/* Of the fullest train, and of those of the same period on other CPUs or at other phases: means
 * weighted with the detours. @return share of the source that is on these */
static double figure_trains(const noise_division *d, const noise_draft *draft, noise_source *s)
{
    double weight = 0;
    double seen = 0;
    const noise_train *fullest = &g_array_index(d->trains, noise_train, draft->first_train);
    s->false_alarm = 1;
    for (size_t i = 0; i < draft->num_trains; i++) {
        const noise_train *t = &g_array_index(d->trains, noise_train, draft->first_train + i);
        const double w = (double)t->count;
        s->over_beat += t->over_beat;
        if (fabs(t->beat.period - fullest->beat.period) > SAME_PERIOD * fullest->beat.period) {
            continue;
        }
        weight += w;
        seen += t->beats - t->hidden;
        s->period += w * t->beat.period;
        s->jitter += w * t->jitter * t->jitter;
        s->false_alarm = fmin(s->false_alarm, t->false_alarm);
    }
    s->period /= weight;
    s->jitter = sqrt(s->jitter / weight);
    s->met = fmin(weight / seen, 1);
    return weight / (double)s->count;
}

static noise_rhythm rhythm_of(const tally *t)
{
    if (t->most < FEW) {
        return NOISE_RHYTHM_RARE;
    }
    const double cv = t->scatter / t->scatter_weight;
    return cv > BURSTY_CV     ? NOISE_RHYTHM_BURSTY
           : cv >= POISSON_CV ? NOISE_RHYTHM_RANDOM
                              : NOISE_RHYTHM_IRREGULAR;
}

static void figure(const noise_division *d, const noise_draft *draft, tally *t, double lived,
                   noise_source *s)
{
    *s = (noise_source){.count = t->length->len, .num_cpus = (size_t)t->cpus};
    if (s->count == 0) {
        return;
    }
    g_array_sort(t->length, compare);
    const sim_time *length = (const sim_time *)(gconstpointer)t->length->data;
    double sum = 0;
    for (size_t i = 0; i < s->count; i++) {
        sum += (double)length[i];
    }
    s->share = sum / lived;
    s->mean = sum / (double)s->count;
    s->median = length[s->count / 2];
    s->longest = length[s->count - 1];
    s->interval = t->lived / (double)s->count;
    s->rhythm = rhythm_of(t);
    s->false_alarm = 1;
    if (draft->num_trains > 0) {
        s->on_beat = figure_trains(d, draft, s);
        /* What the kernel names has other detours, too. */
        s->rhythm = s->on_beat >= MOSTLY || draft->class_of == NOISE_NO_CLASS
                        ? NOISE_RHYTHM_PERIODIC
                        : s->rhythm;
    }
}

void noise_sources_figure(const noise_division *d, noise_source *source)
{
    g_autofree tally *tallies = g_new0(tally, d->drafts->len);
    double lived = 0;
    for (guint s = 0; s < d->drafts->len; s++) {
        tallies[s].length = g_array_new(FALSE, FALSE, sizeof(sim_time));
    }
    for (size_t c = 0; c < d->num_cpus; c++) {
        tally_cpu(d, c, tallies);
        lived += (double)d->cpus[c].duration;
    }
    for (guint s = 0; s < d->drafts->len; s++) {
        figure(d, &g_array_index(d->drafts, noise_draft, s), &tallies[s], lived, &source[s]);
        g_array_unref(tallies[s].length);
    }
}
