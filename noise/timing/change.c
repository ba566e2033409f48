/* noise/timing/change.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_change, test_miner_when. */
#include "timing/change.h"

#include <glib.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#define CHANCE     1e-3
#define TIMES      2.0 /* the least difference of rates that is worth a word */
#define LEAST_HITS 8.0 /* fewer are never a change */
#define NEAR_SHARE                                                                                 \
    (2.0 / 3.0) /* of neighbours: those that differ least, so that a step is not among them … */
#define NEAR_SQUARE                                                                                \
    0.275 /* … and the mean of so many of a chi-square with one degree, if all is chance */
#define LEAST_PAIRS 3
#define CLUMPED     2.0 /* less may be chance */

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* How many times the variance of a Poisson process neighbouring epochs have, where that is clearly
 * more than one. */
static double dispersion_of(const miner_course *c)
{
    double square[NOISE_MINER_EPOCHS];
    size_t n = 0;
    for (uint32_t i = 1; i < c->num; i++) {
        const double seen = c->seen[i - 1] + c->seen[i];
        const double hits = c->hits[i - 1] + c->hits[i];
        if (c->seen[i - 1] > 0 && c->seen[i] > 0) {
            const double share = c->seen[i] / seen;
            const double off = c->hits[i] - hits * share;
            square[n++] = hits > 0 ? off * off / (hits * share * (1 - share)) : 0;
        }
    }
    if (n < LEAST_PAIRS) {
        return 1;
    }
    qsort(square, n, sizeof *square, by_value);
    const size_t few = (size_t)ceil(NEAR_SHARE * (double)n);
    double sum = 0;
    for (size_t i = 0; i < few; i++) {
        sum += square[i];
    }
    const double times = sum / (double)few / NEAR_SQUARE;
    return times > CLUMPED ? times : 1;
}

typedef struct stretch {
    uint32_t first;
    uint32_t last;
    double hits;       /* in it */
    double share;      /* of the time that was looked at */
    double likelihood; /* logarithm of its ratio to that of a constant rate */
} stretch;

static double term(double hits, double expected)
{
    return hits > 0 ? hits * log(hits / expected) : 0;
}

static bool is_clearer(const stretch *a, const stretch *b, double all)
{
    if (a->likelihood != b->likelihood) {
        return a->likelihood > b->likelihood;
    }
    return a->hits / all - a->share >
           b->hits / all - b->share; /* what comes rather than what stops */
}

/* Of all stretches but the whole. */
static stretch find_clearest(const miner_course *c, double hits, double seen, uint32_t *looked)
{
    stretch best = {.likelihood = -1};
    *looked = 0;
    for (uint32_t first = 0; first < c->num; first++) {
        stretch s = {.first = first};
        double inside = 0;
        for (uint32_t last = first; last < c->num; last++) {
            inside += c->seen[last];
            s.hits += c->hits[last];
            s.last = last;
            s.share = inside / seen;
            if (c->seen[first] <= 0 || c->seen[last] <= 0 || !(s.share < 1 - 1e-9)) {
                continue;
            }
            s.likelihood = term(s.hits, hits * s.share) + term(hits - s.hits, hits * (1 - s.share));
            best = is_clearer(&s, &best, hits) ? s : best;
            ++*looked;
        }
    }
    return best;
}

/* As far from what is expected as that, to either side. */
static double chance_of(double hits, double all, double share)
{
    const unsigned n = (unsigned)fmin(round(all), 1e9);
    const unsigned k = (unsigned)fmin(round(hits), (double)n);
    const double less = gsl_cdf_binomial_P(k, share, n);
    const double more = k > 0 ? gsl_cdf_binomial_Q(k - 1, share, n) : 1;
    return 2 * fmin(less, more);
}

noise_miner_change noise_miner_change_find(const miner_course *c)
{
    noise_miner_change change = {.verdict = NOISE_MINER_TOO_FEW, .chance = 1};
    double hits = 0;
    double seen = 0;
    for (uint32_t i = 0; i < c->num; i++) {
        hits += c->hits[i];
        seen += c->seen[i];
    }
    const double clumps = fmax(fmax(c->clumps, 1), dispersion_of(c));
    if (c->num < 2 || !(seen > 0) || hits < LEAST_HITS * clumps) {
        return change;
    }
    uint32_t looked = 0;
    const stretch best = find_clearest(c, hits, seen, &looked);
    if (looked == 0) {
        return change;
    }
    const double chance = chance_of(best.hits / clumps, hits / clumps, best.share);
    const double inside = best.hits / best.share;
    const double outside = (hits - best.hits) / (1 - best.share);
    change.verdict = NOISE_MINER_NO_CHANGE;
    change.chance = fmin(1, looked * chance);
    if (change.chance < CHANCE && fmax(inside, outside) >= TIMES * fmin(inside, outside)) {
        change.verdict = NOISE_MINER_CHANGED;
        change.first = best.first;
        change.last = best.last;
        change.times = outside > 0 ? inside / outside : INFINITY;
    }
    return change;
}
