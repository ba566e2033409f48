/* schedgen/convert/convert_resample.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_resample. */
/*
 * A circular block bootstrap with one block (Politis and Romano, A circular block-resampling
 * procedure for stationary data, in: Exploring the Limits of Bootstrap, Wiley 1992): the series of
 * a call site is closed to a ring, and begun anywhere. It asks for a series whose law does not
 * change with time. What changes for all ranks at once (a first iteration, a step with output) is
 * seen in their median, and parts the series; within a part, the ranks no longer tell times apart.
 *
 * A pool is one site of the ranks that come to it equally often. Of occurrence j, each rank's time
 * is divided by the rank's own mean; c(j) is the median over the ranks, with a standard error of
 * 1.25 s / sqrt(K) for K ranks which spread by s. Those within three standard errors, or a
 * twentieth, of the median of all c(j) are alike; of the others, those around their median; and so
 * on.
 */
#include "convert/convert_resample.h"
#include "convert/convert_private.h"

#include <assert.h>
#include <endian.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* A way from one call to the next, with the computation on it, if there is any. */
typedef struct crossing {
    uint64_t site; /* what it is known by */
    sim_time size;
    uint32_t index;
    int32_t bin;
    bool alone; /* not to be exchanged */
} crossing;

/* One site of one rank: crossings[first .. first + n) of it, by site. */
typedef struct visit {
    uint64_t site;
    uint32_t n;
    uint32_t record;
    uint32_t first;
} visit;

struct conv_resample {
    uint32_t num_records;
    uint64_t seed;
    bool finished;
    gint refs;
    GArray **crossings;  /* [num_records] of crossing; until it is finished */
    conv_series *series; /* [num_records] */
};

conv_resample *sched_convert_resample_new(uint32_t num_records, uint64_t seed)
{
    conv_resample *r = g_new0(conv_resample, 1);
    r->num_records = num_records;
    r->seed = seed;
    r->refs = 1;
    r->crossings = g_new0(GArray *, num_records);
    r->series = g_new0(conv_series, num_records);
    return r;
}

static void drop_crossings(conv_resample *r)
{
    for (uint32_t i = 0; i < r->num_records; i++) {
        g_clear_pointer(&r->crossings[i], g_array_unref);
    }
}

conv_resample *sched_convert_resample_ref(conv_resample *r)
{
    if (r != NULL) {
        g_atomic_int_inc(&r->refs);
    }
    return r;
}

void sched_convert_resample_unref(conv_resample *r)
{
    if (r == NULL || !g_atomic_int_dec_and_test(&r->refs)) {
        return;
    }
    drop_crossings(r);
    g_free(r->crossings);
    for (uint32_t i = 0; i < r->num_records; i++) {
        g_free(r->series[i].set);
        g_free(r->series[i].place);
        g_free(r->series[i].first);
        g_free(r->series[i].size);
    }
    g_free(r->series);
    g_free(r);
}

/* ---- call sites ---------------------------------------------------------------------------- */

/* What all ranks would call the same: neither peer nor tag, and of a communicator its size. */
static uint64_t step_key(const conv_template *template, const conv_step *step,
                         const sched_comm *comms)
{
    uint64_t words[4] = {step->type};
    if (step->type == CONV_COLL) {
        const coll_call *call = &g_array_index(template->colls, conv_coll, (guint)step->size).call;
        words[1] = (uint64_t)call->kind;
        words[2] = call->size;
        words[3] = (uint64_t)call->bytes;
    } else if (step->type != CONV_JOIN) {
        const bool sends = step->type == CONV_SEND || step->type == CONV_ISEND;
        words[2] = comms[step->comm / 2].size;
        words[3] = sends ? (uint64_t)step->size : 0; /* a receive may take more than comes */
    }
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        words[i] = htole64(words[i]);
    }
    return XXH3_64bits(words, sizeof words);
}

static void cross(const conv_resample *r, uint32_t record, uint64_t before, uint64_t after,
                  sim_time size)
{
    GArray *crossings = r->crossings[record];
    const uint64_t ends[2] = {htole64(before), htole64(after)};
    const crossing c = {
        .site = XXH3_64bits(ends, sizeof ends), .index = crossings->len, .size = size};
    g_array_append_val(crossings, c);
}

void sched_convert_resample_add(conv_resample *r, uint32_t record, const conv_template *template,
                                const sched_comm *comms)
{
    assert(!r->finished);
    g_clear_pointer(&r->crossings[record], g_array_unref);
    r->crossings[record] = g_array_new(FALSE, FALSE, sizeof(crossing));
    uint64_t before = 0; /* the beginning */
    uint32_t call = CONV_NONE;
    sim_time size = 0;
    for (guint i = 0; i < template->steps->len; i++) {
        const conv_step *step = &g_array_index(template->steps, conv_step, i);
        if (step->type == CONV_CALC) {
            if (size > 0) { /* two in a row, as where a call between them waits for nothing */
                cross(r, record, before, 0, size);
            }
            size = step->size;
            continue;
        }
        if (step->type == CONV_BESIDE) { /* part of the call */
            continue;
        }
        const uint64_t after = step_key(template, step, comms);
        if (size > 0 || step->call != call) { /* within a call nothing is computed */
            cross(r, record, before, after, size);
        }
        before = after;
        call = step->call;
        size = 0;
    }
    if (size > 0) {
        cross(r, record, before, 0, size);
    }
}

/* ---- what is alike ------------------------------------------------------------------------- */

static int compare_crossings(const void *a, const void *b)
{
    const crossing *x = a;
    const crossing *y = b;
    return x->site != y->site ? (x->site > y->site) - (x->site < y->site)
                              : (x->index > y->index) - (x->index < y->index);
}

static int compare_visits(const void *a, const void *b)
{
    const visit *x = a;
    const visit *y = b;
    return x->site != y->site ? (x->site > y->site) - (x->site < y->site)
           : x->n != y->n     ? (x->n > y->n) - (x->n < y->n)
                              : (x->record > y->record) - (x->record < y->record);
}

static crossing *crossings_of(const conv_resample *r, const visit *v)
{
    return &g_array_index(r->crossings[v->record], crossing, v->first);
}

/* Sort the crossings of each rank by site. @return of visit, by site and number; the caller's */
static GArray *visits_find(const conv_resample *r)
{
    GArray *visits = g_array_new(FALSE, FALSE, sizeof(visit));
    for (uint32_t record = 0; record < r->num_records; record++) {
        GArray *of = r->crossings[record];
        qsort(of->data, of->len, sizeof(crossing), compare_crossings);
        for (guint i = 0; i < of->len;) {
            visit v = {.site = g_array_index(of, crossing, i).site, .record = record, .first = i};
            while (i < of->len && g_array_index(of, crossing, i).site == v.site) {
                i++;
                v.n++;
            }
            g_array_append_val(visits, v);
        }
    }
    qsort(visits->data, visits->len, sizeof(visit), compare_visits);
    return visits;
}

static double mean_of(const crossing *c, uint32_t n)
{
    double sum = 0;
    for (uint32_t j = 0; j < n; j++) {
        sum += (double)c[j].size;
    }
    return sum / n;
}

/*
 * What ranks have in common at each occurrence: c(j) in @p level, and how far they spread around
 * it, in the middle.
 */
static double levels_find(const conv_resample *r, const visit *pool, const double *mean, uint32_t k,
                          double *level)
{
    const uint32_t n = pool[0].n;
    g_autofree double *ratio = g_new(double, k);
    g_autofree double *work = g_new(double, k);
    g_autofree double *spread = g_new(double, n);
    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t i = 0; i < k; i++) {
            ratio[i] = (double)crossings_of(r, &pool[i])[j].size / mean[i];
        }
        spread[j] = gsl_stats_mad(ratio, 1, k, work);
        level[j] = gsl_stats_median(ratio, 1, k);
    }
    return gsl_stats_median(spread, 1, n);
}

/* Those of the @p n levels without a bin whose middle is theirs. @return their median; 0: none */
static double middle_find(const double *level, const int32_t *bin, uint32_t n, double *work)
{
    uint32_t left = 0;
    for (uint32_t j = 0; j < n; j++) {
        if (bin[j] < 0) {
            work[left++] = level[j];
        }
    }
    return left > 0 ? gsl_stats_median(work, 1, left) : 0;
}

/* Levels as far as @p reach (a share) around their median, then of those left; 0 by itself. */
static void bins_find(const double *level, uint32_t n, double reach, int32_t *bin)
{
    g_autofree double *work = g_new(double, n);
    uint32_t left = n;
    for (uint32_t j = 0; j < n; j++) {
        bin[j] = level[j] > 0 ? -1 : 0;
        left -= bin[j] == 0;
    }
    for (int32_t next = 1; left > 0; next++) {
        const double middle = middle_find(level, bin, n, work);
        const uint32_t before = left;
        for (uint32_t j = 0; j < n; j++) {
            if (bin[j] < 0 && fabs(log(level[j] / middle)) <= reach) {
                bin[j] = next;
                left--;
            }
        }
        for (uint32_t j = 0; left == before && j < n; j++) { /* an even number, middle in a gap */
            if (bin[j] < 0 && level[j] < middle) {
                bin[j] = next;
                left--;
                break;
            }
        }
    }
}

/* Which occurrences of one pool are alike. */
static void part(const conv_resample *r, const visit *pool, uint32_t k)
{
    static const double LEAST = 0.05;
    static const double THREE_ERRORS = 3 * 1.2533; /* of a median */
    const uint32_t n = pool[0].n;
    g_autofree double *mean = g_new0(double, k);
    g_autofree visit *working = g_new(visit, k);
    uint32_t num_working = 0; /* ranks that compute there at all */
    for (uint32_t i = 0; i < k; i++) {
        const double average = mean_of(crossings_of(r, &pool[i]), n);
        if (average > 0) {
            mean[num_working] = average;
            working[num_working++] = pool[i];
        }
    }
    if (num_working == 0) {
        return;
    }
    g_autofree double *level = g_new(double, n);
    g_autofree int32_t *bin = g_new(int32_t, n);
    const double spread = levels_find(r, working, mean, num_working, level);
    bins_find(level, n, MAX(LEAST, THREE_ERRORS * spread / sqrt(num_working)), bin);
    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t i = 0; i < num_working; i++) {
            crossing *c = &crossings_of(r, &working[i])[j];
            c->bin = bin[j];
            c->alone = num_working == 1; /* nobody else says whether it is the time or the rank */
        }
    }
}

static void part_all(const conv_resample *r)
{
    g_autoptr(GArray) visits = visits_find(r);
    const visit *all = (const visit *)(const void *)visits->data;
    for (guint i = 0; i < visits->len;) {
        uint32_t k = 1;
        while (i + k < visits->len && all[i + k].site == all[i].site && all[i + k].n == all[i].n) {
            k++;
        }
        part(r, &all[i], k);
        i += k;
    }
}

/* ---- sets ---------------------------------------------------------------------------------- */

static int compare_alike(const void *a, const void *b)
{
    const crossing *x = a;
    const crossing *y = b;
    return x->site != y->site     ? (x->site > y->site) - (x->site < y->site)
           : x->alone != y->alone ? (int)x->alone - (int)y->alone
           : x->bin != y->bin     ? (x->bin > y->bin) - (x->bin < y->bin)
                                  : (x->index > y->index) - (x->index < y->index);
}

static bool are_alike(const crossing *a, const crossing *b)
{
    return a->site == b->site && a->bin == b->bin && !a->alone && !b->alone;
}

/* The number that each computation has in the template, by its crossing. */
static uint32_t *numbers_of(const GArray *crossings, uint32_t *num_calcs)
{
    uint32_t *number = g_new0(uint32_t, (gsize)crossings->len + 1);
    for (guint i = 0; i < crossings->len; i++) {
        const crossing *c = &g_array_index(crossings, crossing, i);
        number[c->index] = c->size > 0;
    }
    *num_calcs = 0;
    for (guint i = 0; i < crossings->len; i++) {
        const uint32_t is_calc = number[i];
        number[i] = *num_calcs;
        *num_calcs += is_calc;
    }
    return number;
}

/* @p all: the time of all computations; @p kept: of those that stay where they are */
static void series_make(conv_series *s, GArray *crossings, double *all, double *kept)
{
    g_autofree uint32_t *number = numbers_of(crossings, &s->num_calcs);
    qsort(crossings->data, crossings->len, sizeof(crossing), compare_alike);
    s->set = g_new(uint32_t, (gsize)s->num_calcs + 1);
    s->place = g_new(uint32_t, (gsize)s->num_calcs + 1);
    s->size = g_new(sim_time, (gsize)s->num_calcs + 1);
    GArray *first = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    const crossing *last = NULL;
    uint32_t n = 0;
    for (guint i = 0; i < crossings->len; i++) {
        const crossing *c = &g_array_index(crossings, crossing, i);
        if (c->size == 0) {
            continue;
        }
        if (last == NULL || !are_alike(last, c)) {
            g_array_append_val(first, n);
        }
        last = c;
        const uint32_t calc = number[c->index];
        s->set[calc] = first->len - 1;
        s->place[calc] = n - g_array_index(first, uint32_t, first->len - 1);
        s->size[n++] = c->size;
        *all += (double)c->size;
    }
    g_array_append_val(first, n);
    for (guint i = 0; i + 1 < first->len; i++) {
        const uint32_t at = g_array_index(first, uint32_t, i);
        *kept += g_array_index(first, uint32_t, i + 1) == at + 1 ? (double)s->size[at] : 0;
    }
    s->first = (uint32_t *)(void *)g_array_free(first, FALSE);
}

double sched_convert_resample_finish(conv_resample *r)
{
    double all = 0;
    double kept = 0;
    part_all(r);
    for (uint32_t record = 0; record < r->num_records; record++) {
        series_make(&r->series[record], r->crossings[record], &all, &kept);
    }
    drop_crossings(r);
    r->finished = true;
    return all > 0 ? kept / all : 0;
}

bool sched_convert_resample_is_finished(const conv_resample *r)
{
    return r->finished;
}

const conv_series *sched_convert_resample_series(const conv_resample *r)
{
    return r->series;
}

uint32_t sched_convert_resample_turn(const conv_resample *r, uint32_t who, uint32_t pass)
{
    if (who == 0) {
        return 0;
    }
    const uint64_t key[3] = {htole64(r->seed), htole64(who), htole64(pass)};
    return (uint32_t)(XXH3_64bits(key, sizeof key) >> 32);
}
