/* noise/timing/beats.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_miner_periods. */
#include "timing/beats.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>

#define SLACK     0.02  /* of a period: hits are a little off a perfect beat … */
#define SHARP     0.05  /* … and so much where events do not blur it */
#define MAIN_PART 0.4   /* of the hits: the others may have a rhythm of their own */
#define EXPLAINED 0.95  /* of the hits */
#define ADJUST    0.1   /* of a period, at the end of the hits */
#define STEPS     5     /* to either side */
#define SHORT     0.1   /* of a period: events that do not blur it */
#define LONG_PART 0.985 /* of the hits of long events, which aliases explain nearly as well */
#define NARROWED  0.15  /* of the intervals of long events, by what they agree on */

/* Where an interval of phases begins or ends. */
typedef struct edge {
    double phase;
    int step; /* +1, -1 */
} edge;

static int by_phase(const void *a, const void *b)
{
    const edge *x = a;
    const edge *y = b;
    if (x->phase != y->phase) {
        return x->phase < y->phase ? -1 : 1;
    }
    return y->step - x->step; /* closed intervals: begin first */
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The edges of all intervals that are no whole turn. @return how many; @p always: whole turns;
 * @p open: at phase 0 */
static size_t find_edges(const miner_seen *seen, size_t n, double period, double slack, edge *out,
                         size_t *always, size_t *open)
{
    size_t num = 0;
    *always = *open = 0;
    for (size_t i = 0; i < n; i++) {
        const double first = (double)(seen[i].first - seen[0].first) / period - slack;
        /* Of several hits the first one must leave room for the others. */
        const double length = (double)(seen[i].last - seen[i].first) / period -
                              ((double)seen[i].hits - 1) + 2 * slack;
        if (length >= 1) {
            ++*always;
        } else if (length >= 0) {
            const double from = first - floor(first);
            const double to = from + length;
            *open += to >= 1;
            out[num++] = (edge){from, 1};
            out[num++] = (edge){to >= 1 ? to - 1 : to, -1};
        }
    }
    qsort(out, num, sizeof *out, by_phase);
    return num;
}

/* The longest stretch, going round, on which at least @p need intervals lie over each other. */
static double longest_stretch(const edge *edges, size_t num, size_t open, size_t need)
{
    size_t count = open;
    double from = NAN; /* it may have begun before phase 0: known on the second turn */
    double longest = 0;
    for (size_t k = 0; k < 2 * num; k++) {
        const edge *e = &edges[k % num];
        const double phase = e->phase + (k < num ? 0 : 1);
        const bool was = count >= need;
        count += (size_t)e->step;
        if (!was && count >= need) {
            from = phase;
        } else if (was && count < need && !isnan(from)) {
            longest = fmax(longest, phase - from);
        }
    }
    return longest;
}

static double median_length(const miner_seen *seen, size_t n, double period)
{
    g_autofree double *length = g_new(double, n);
    for (size_t i = 0; i < n; i++) {
        length[i] = (double)(seen[i].last - seen[i].first) / period;
    }
    qsort(length, n, sizeof *length, by_value);
    return length[n / 2];
}

/* The most hits that have a beat in their interval, as a share. */
static double share_of(const miner_seen *seen, size_t n, double period, double slack)
{
    g_autofree edge *edges = g_new(edge, 2 * n);
    size_t always = 0;
    size_t open = 0;
    const size_t num = find_edges(seen, n, period, slack, edges, &always, &open);
    size_t most = open;
    size_t count = open;
    for (size_t i = 0; i < num; i++) {
        count += (size_t)edges[i].step;
        most = MAX(most, count);
    }
    return (double)(most + always) / (double)n;
}

/* How much of their intervals the long ones agree on, but for a few; in periods. */
static double agreed_width(const miner_seen *seen, size_t n, double period, double blur)
{
    g_autofree miner_seen *wide = g_new(miner_seen, n);
    size_t num_wide = 0;
    for (size_t i = 0; i < n; i++) {
        if ((double)(seen[i].last - seen[i].first) / period >= blur / 2) {
            wide[num_wide++] = seen[i];
        }
    }
    g_autofree edge *edges = g_new(edge, 2 * num_wide);
    size_t always = 0;
    size_t open = 0;
    const size_t num = find_edges(wide, num_wide, period, 0, edges, &always, &open);
    const size_t intervals = num / 2;
    const size_t need = (size_t)ceil(EXPLAINED * (double)intervals);
    return need > 0 ? longest_stretch(edges, num, open, need) : 1;
}

/* The same, and at which period near @p period that is. */
static double best_share(const miner_seen *seen, size_t n, double slack, double *period)
{
    const double turns = fmax((double)(seen[n - 1].last - seen[0].first) / *period, 1);
    const double around = *period;
    double share = share_of(seen, n, around, slack);
    for (int i = -STEPS; i <= STEPS && share < EXPLAINED; i++) {
        const double other = around * (1 + ADJUST * i / STEPS / turns);
        const double more = share_of(seen, n, other, slack);
        *period = more > share ? other : *period;
        share = fmax(share, more);
    }
    return share;
}

double noise_miner_beats_share(const miner_seen *seen, size_t n, double period, double slack)
{
    return best_share(seen, n, slack, &period);
}

miner_beats noise_miner_beats_fit(const miner_seen *seen, size_t n, double period)
{
    const double blur = median_length(seen, n, period);
    const double share = best_share(seen, n, blur <= SHORT ? SHARP : SLACK, &period);
    return (miner_beats){
        .share = share, .width = agreed_width(seen, n, period, blur), .blur = blur};
}

bool noise_miner_beats_are_sharp(const miner_beats *b)
{
    return b->blur <= SHORT;
}

bool noise_miner_beats_explain(const miner_beats *b)
{
    return noise_miner_beats_are_sharp(b) ? b->share >= MAIN_PART
                                          : b->share >= LONG_PART && b->width <= NARROWED * b->blur;
}
