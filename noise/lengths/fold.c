/* noise/lengths/fold.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_miner_modern, test_miner_simulated. */
#include "lengths/fold.h"

#include <math.h>
#include <stdlib.h>

#define TOLERANCE     0.016 /* half a bin */
#define OF_A_DETOUR   0.1   /* a multiple k D is never further off than this share of D */
#define SAME_RANKS    0.9
#define OFTEN         4.0 /* times as often as expected may be accident … */
#define FEW           9.0 /* … and as many more */
#define MOST_KNOWN    0.5
#define FILLS         3.0 /* k detours on average need at least k / FILLS of them expected */
#define MAX_MULTIPLE  64
#define MAX_OF_SECOND 8
#define MIN_EXACT     3
#define EXACT_SHARE   0.25
#define NEAR_REST     4.0  /* times as long or as short */
#define RARE_REST     3.0  /* times as rare */
#define LATTICE       0.02 /* of the spacing: how well multiples of an unseen D must fit */

typedef struct fold {
    miner_peak *peak;
    uint32_t n;
    const double *overlap;
    GArray *sources;
} fold;

static double length_of(const miner_peak *p)
{
    return p->exact > 0 ? p->exact : p->mean;
}

static bool near(double value, double wanted, double smallest)
{
    return fabs(value - wanted) <= fmin(TOLERANCE * value, OF_A_DETOUR * smallest);
}

/* How many detours of @p length an operation as long as those of peak @p p has on average in
 * @p span, if all peaks at its multiples were of that source? */
static double expected_hits(const fold *f, double length, double span, const miner_peak *p)
{
    double hits = 0;
    for (uint32_t i = 0; i < f->n; i++) {
        const double k = round(length_of(&f->peak[i]) / length);
        const bool multiple = k >= 1 && k <= MAX_MULTIPLE && f->peak[i].count > 0 &&
                              near(length_of(&f->peak[i]), k * length, length);
        hits += multiple ? k * f->peak[i].count : 0;
    }
    return hits / fmax(span, 1) * p->wall;
}

static double expected_of(const fold *f, uint32_t s, const miner_peak *p)
{
    const miner_source *source = &g_array_index(f->sources, miner_source, s);
    return expected_hits(f, source->length, source->span, p);
}

/* How many events so far hold exactly @p k detours of source @p s? */
static double events_with(const fold *f, uint32_t s, uint32_t k)
{
    double events = 0;
    for (uint32_t i = 0; i < f->n; i++) {
        const miner_peak *p = &f->peak[i];
        events += p->part[0] == s && p->hits[0] == k && p->hits[1] == 0 ? p->count : 0;
    }
    return events;
}

static bool same_ranks(const fold *f, uint32_t i, uint32_t source)
{
    double best = 0;
    for (uint32_t j = 0; j < f->n; j++) {
        if (f->peak[j].hits[0] > 0 && f->peak[j].part[0] == source && f->peak[j].hits[1] == 0) {
            best = fmax(best, f->overlap[(size_t)i * f->n + j]);
        }
    }
    return best >= SAME_RANKS * f->peak[i].count;
}

/* Can operations as long as those of peak @p p hold @p k of a source, and that often? */
static bool plausible(const fold *f, const miner_peak *p, uint32_t source, uint32_t k)
{
    const double expected = expected_of(f, source, p);
    return expected >= k / FILLS ||
           p->count <= OFTEN * events_with(f, source, k - 1) * expected / k + FEW;
}

static bool try_multiple(fold *f, uint32_t i)
{
    miner_peak *p = &f->peak[i];
    for (uint32_t s = 0; s < f->sources->len; s++) {
        miner_source *source = &g_array_index(f->sources, miner_source, s);
        const double k = round(length_of(p) / source->length);
        if (k >= 2 && k <= MAX_MULTIPLE && near(length_of(p), k * source->length, source->length) &&
            same_ranks(f, i, s) && plausible(f, p, s, (uint32_t)k)) {
            p->part[0] = s;
            p->hits[0] = (uint32_t)k;
            source->hits += k * p->count;
            return true;
        }
    }
    return false;
}

/* ka detours of one source and kb of another in one operation. */
static bool sum_fits(const fold *f, uint32_t i, uint32_t a, uint32_t b, uint32_t kb, uint32_t *ka)
{
    const miner_peak *p = &f->peak[i];
    const double la = g_array_index(f->sources, miner_source, a).length;
    const double lb = g_array_index(f->sources, miner_source, b).length;
    const double k = round((length_of(p) - kb * lb) / la);
    if (k < 1 || k > MAX_MULTIPLE || lb < 2 * TOLERANCE * length_of(p) ||
        !near(length_of(p), k * la + kb * lb, fmin(la, lb))) {
        return false;
    }
    *ka = (uint32_t)k;
    const double other = expected_of(f, b, p);
    return plausible(f, p, a, *ka + 1) && same_ranks(f, i, a) && same_ranks(f, i, b) &&
           (other >= kb / FILLS || p->count <= OFTEN * events_with(f, a, *ka) * other / kb + FEW);
}

static bool try_sum(fold *f, uint32_t i)
{
    miner_peak *p = &f->peak[i];
    for (uint32_t kb = 1; kb <= MAX_OF_SECOND; kb++) {
        for (uint32_t a = 0; a < f->sources->len; a++) {
            for (uint32_t b = 0; b < f->sources->len; b++) {
                uint32_t ka = 0;
                if (a != b && sum_fits(f, i, a, b, kb, &ka)) {
                    p->part[0] = a;
                    p->hits[0] = ka;
                    p->part[1] = b;
                    p->hits[1] = kb;
                    g_array_index(f->sources, miner_source, a).hits += ka * p->count;
                    g_array_index(f->sources, miner_source, b).hits += kb * p->count;
                    return true;
                }
            }
        }
    }
    return false;
}

/* Where every operation holds several detours, D itself is not seen, but two neighbouring
 * multiples are: D is their difference, if both are whole multiples of it and operations are long
 * enough for as many. 0: no. Not so where the expected duration was found out: it is that of many
 * operations of the same type, which then had none. */
static double unseen_length(const fold *f, uint32_t i, uint32_t j)
{
    const miner_peak *p = &f->peak[i];
    const miner_peak *q = &f->peak[j];
    const double low = length_of(p);
    const double high = length_of(q);
    const double spacing = high - low;
    const double k = round(low / spacing);
    if (p->known < MOST_KNOWN * p->count || !(spacing < 0.75 * low) || k > MAX_MULTIPLE ||
        fabs(low - k * spacing) > LATTICE * spacing * sqrt(k) ||
        f->overlap[(size_t)i * f->n + j] < SAME_RANKS * p->count) {
        return 0;
    }
    const double hits = k * p->count + (k + 1) * q->count;
    if (expected_hits(f, spacing, p->span, p) < k / FILLS) {
        return 0;
    }
    return (low * p->count + high * q->count) / hits;
}

static void add_source(fold *f, uint32_t i, uint32_t next)
{
    miner_peak *p = &f->peak[i];
    const double unseen = next < f->n ? unseen_length(f, i, next) : 0;
    p->part[0] = f->sources->len;
    p->hits[0] = unseen > 0 ? (uint32_t)round(length_of(p) / unseen) : 1;
    const double k = p->hits[0];
    const miner_source source = {
        .length = unseen > 0     ? unseen
                  : p->exact > 0 ? p->exact
                                 : length_of(p),
        .error = p->exact > 0 ? 0 : sqrt(p->variance / p->count) / k,
        .exact = p->exact > 0,
        .hits = k * p->count,
        .span = p->span,
    };
    g_array_append_val(f->sources, source);
}

void noise_miner_fold_drop_rests(miner_peak *peak, uint32_t n, const double *overlap)
{
    g_autofree bool *rest = g_new0(bool, MAX(n, 1));
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n && peak[i].exact == 0; j++) {
            rest[i] = rest[i] || (peak[j].exact > 0 && peak[i].mean > peak[j].mean / NEAR_REST &&
                                  peak[i].mean < peak[j].mean * NEAR_REST &&
                                  peak[i].count * RARE_REST <= peak[j].count &&
                                  overlap[(size_t)i * n + j] >= SAME_RANKS * peak[i].count);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        peak[i].count = rest[i] ? 0 : peak[i].count;
    }
}

typedef struct ordered {
    double mean;
    uint32_t index;
} ordered;

static int by_mean(const void *a, const void *b)
{
    const ordered *x = a;
    const ordered *y = b;
    return (x->mean > y->mean) - (x->mean < y->mean);
}

GArray *noise_miner_fold(miner_peak *peak, uint32_t n, const double *overlap)
{
    fold f = {.peak = peak, .n = n, .overlap = overlap};
    f.sources = g_array_new(FALSE, FALSE, sizeof(miner_source));
    g_autofree ordered *order = g_new(ordered, MAX(n, 1));
    uint32_t used = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (peak[i].count > 0) {
            order[used++] = (ordered){length_of(&peak[i]), i};
        }
    }
    qsort(order, used, sizeof *order, by_mean);
    for (uint32_t i = 0; i < used; i++) {
        const uint32_t here = order[i].index;
        if (!try_multiple(&f, here) && !try_sum(&f, here)) {
            add_source(&f, here, i + 1 < used ? order[i + 1].index : n);
        }
    }
    return f.sources;
}

void noise_miner_peak_add(miner_peak *peak, const miner_cell *cell)
{
    /* Sums count from the edge of the bin, so nothing is lost to cancellation. */
    const double n = (double)cell->count;
    const double above = (double)cell->sum / n;
    const double inner = fmax((double)cell->sum_2 / n - above * above, 0);
    const double total = peak->count + n;
    const double step = miner_cell_mean(cell) - peak->mean;
    peak->variance = (peak->variance * peak->count + inner * n) / total +
                     step * step * peak->count * n / (total * total);
    peak->mean += step * n / total;
    peak->wall += ((double)cell->wall / n - peak->wall) * n / total;
    peak->count = total;
}

static int by_time(const void *a, const void *b)
{
    const sim_time x = *(const sim_time *)a;
    const sim_time y = *(const sim_time *)b;
    return (x > y) - (x < y);
}

bool noise_miner_is_exact(double exact, double looked)
{
    return exact >= fmax(MIN_EXACT, EXACT_SHARE * looked);
}

/* Rests of a detour are a little shorter than it, hits by two sources a little longer. */
void noise_miner_peak_find_exact(miner_peak *peak, sim_time *value, size_t n)
{
    if (n == 0) {
        return;
    }
    qsort(value, n, sizeof *value, by_time);
    size_t longest = 0;
    for (size_t i = 0; i < n;) {
        size_t end = i + 1;
        while (end < n && value[end] == value[i]) {
            end++;
        }
        if (end - i > longest) {
            longest = end - i;
            peak->exact = (double)value[i];
        }
        i = end;
    }
    if (!noise_miner_is_exact((double)longest, (double)n)) {
        peak->exact = 0;
    }
}
