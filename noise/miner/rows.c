/* noise/miner/rows.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_miner_modern, test_miner_simulated. */
#include "miner/rows.h"

#include "miner/course.h"
#include "miner/label.h"
#include "miner/state.h"

#include <math.h>
#include <stdlib.h>

#define SAME_PERIOD  0.01 /* relative */
#define OTHER_RATE   3.0  /* times as often is another source */
#define ENOUGH_HITS  30   /* to tell */
#define MANY         16   /* events are no single ones */
#define MAX_SINGLES  8
#define SINGLE_SHARE 10.0 /* times min_share: one alone must be worth a word */
#define NORMAL_95    1.959963985
#define SIGMAS       4.0

static int by_rank(const void *a, const void *b)
{
    const miner_affected *x = a;
    const miner_affected *y = b;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static int by_period(const void *a, const void *b)
{
    const miner_affected *x = a;
    const miner_affected *y = b;
    if (x->period.period != y->period.period) {
        return x->period.period < y->period.period ? -1 : 1;
    }
    return by_rank(a, b);
}

static double rate(const miner_affected *a)
{
    return a->span > 0 ? a->hits / a->span : 0;
}

static int by_rate(const void *a, const void *b)
{
    const double x = rate(a);
    const double y = rate(b);
    return x != y ? (x < y ? -1 : 1) : by_rank(a, b);
}

/* How often all of them are hit, rests included, per ps. */
static double common_rate(const miner_affected *a, size_t n)
{
    double hits = 0;
    double span = 0;
    for (size_t i = 0; i < n; i++) {
        hits += a[i].hits + a[i].partial;
        span += a[i].span;
    }
    return span > 0 ? hits / span : 0;
}

/* A rank with hits too few for a period of its own joins the ranks that have one if that would
 * give it as many. @param rate_of_group of these ranks */
static bool joins(const miner_affected *rank, double rate_of_group)
{
    const double wanted = rate_of_group * rank->span;
    return fabs(rank->hits + rank->partial - wanted) <= SIGMAS * sqrt(wanted) + 1;
}

typedef struct totals {
    double hits;
    double partial;
    double time;
    double whole;
    double square;
    double looked;
    double exact;
    double span;
    double cpu_time;
    double cpu;
    double
        period; /* mean over ranks; long series are surer: weighted with the cube of their hits */
    double period_weight;
    double false_alarm;
    double cv; /* mean over ranks that have one; -1 */
} totals;

static totals sum_up(const miner_affected *a, size_t n)
{
    totals t = {.false_alarm = 1, .cv = -1};
    double cv = 0;
    double cv_weight = 0;
    for (size_t i = 0; i < n; i++) {
        t.hits += a[i].hits;
        t.partial += a[i].partial;
        t.time += a[i].time;
        t.whole += a[i].whole;
        t.square += a[i].square;
        t.looked += a[i].looked;
        t.exact += a[i].exact;
        t.span += a[i].span;
        t.cpu_time += a[i].cpu_time;
        t.cpu += a[i].cpu;
        if (a[i].period.period > 0) {
            const double weight = pow(a[i].hits, 3);
            t.period_weight += weight;
            t.period += (a[i].period.period - t.period) * weight / t.period_weight;
            t.false_alarm = fmin(t.false_alarm, a[i].period.false_alarm);
        }
        if (a[i].period.gap_cv >= 0) {
            cv += a[i].period.gap_cv * a[i].hits;
            cv_weight += a[i].hits;
        }
    }
    t.cv = cv_weight > 0 ? cv / cv_weight : -1;
    return t;
}

/* The length of the detours on these ranks: that of the source if they have just it, else their own
 * mean, since a source may differ a little from rank to rank. @return the mean; @p error: its
 * standard error */
static double length_of(const miner_source *source, const totals *t, double *error)
{
    *error = source->error;
    if (t->hits < 1 ||
        (source->exact && (t->looked < 1 || noise_miner_is_exact(t->exact, t->looked)))) {
        return source->length;
    }
    const double mean = t->whole / t->hits;
    *error = sqrt(fmax(t->square / t->hits - pow(mean - source->length, 2), 0) / t->hits);
    return mean;
}

static void append(const noise_miner *miner, const miner_blame *blame, uint32_t source,
                   miner_affected *a, size_t n, const GArray *examples, noise_miner_report *report,
                   GArray *rows)
{
    qsort(a, n, sizeof *a, by_rank);
    const totals t = sum_up(a, n);
    const double share = report->run_time > 0 ? t.time / (double)SIM_S / report->run_time : 0;
    if (share < miner->options.min_share || t.hits < (double)miner->options.min_count) {
        report->dropped_rows++;
        report->dropped_share += share;
        return;
    }
    const double sign = blame->faster ? -1 : 1;
    double error = 0;
    const double length =
        length_of(&g_array_index(blame->sources, miner_source, source), &t, &error);
    const double margin = NORMAL_95 * error;
    noise_miner_row row = {
        .t_noise = noise_miner_round(sign * length),
        .t_noise_low = noise_miner_round(sign * length - margin),
        .t_noise_high = noise_miner_round(sign * length + margin),
        .count = (uint64_t)llround(t.hits),
        .partial = (uint64_t)llround(t.partial),
        .period = noise_miner_round(t.period),
        .period_confidence = t.period > 0 ? 1 - t.false_alarm : 0,
        .rate = t.span > 0 ? t.hits * (double)SIM_S / t.span : 0,
        .share = share,
        .share_affected = t.span > 0 ? t.time / t.span : 0,
        .preempted = t.cpu_time > 0 ? 1 - CLAMP(t.cpu / t.cpu_time, 0, 1) : -1,
        .gap_cv = t.cv,
    };
    row.label = noise_miner_label_new(&(miner_character){.length = length,
                                                         .period = t.period,
                                                         .hits = t.hits,
                                                         .gap_cv = t.cv,
                                                         .preempted = row.preempted,
                                                         .faster = blame->faster,
                                                         .quantum = miner->options.quantum});
    g_autofree uint32_t *ranks = g_new(uint32_t, MAX(n, 1));
    size_t num_ranks = 0;
    for (size_t i = 0; i < n; i++) { /* a rank may be there twice, with periods near each other */
        if (num_ranks == 0 || ranks[num_ranks - 1] != a[i].rank) {
            ranks[num_ranks++] = a[i].rank;
        }
    }
    noise_miner_row_set_ranks(&row, ranks, num_ranks);
    noise_miner_examples_choose((const miner_example *)(void *)examples->data, examples->len, ranks,
                                num_ranks, &row);
    bool split = false;
    for (size_t i = 0; i < n; i++) {
        split |= a[i].split;
    }
    if (!split) {
        noise_miner_course_fill(miner, blame, source, ranks, num_ranks, report, &row);
    }
    g_array_append_val(rows, row);
}

/* Ranks without a period, in groups of similar rates. */
static void append_unperiodic(const noise_miner *miner, const miner_blame *blame, uint32_t source,
                              miner_affected *a, size_t n, const GArray *examples,
                              noise_miner_report *report, GArray *rows)
{
    qsort(a, n, sizeof *a, by_rate);
    size_t from = 0;
    for (size_t i = 1; i <= n; i++) {
        const bool other =
            i < n && a[i].hits >= ENOUGH_HITS && rate(&a[i]) >= OTHER_RATE * rate(&a[i - 1]);
        if (i == n || other) {
            append(miner, blame, source, a + from, i - from, examples, report, rows);
            from = i;
        }
    }
}

void noise_miner_rows_append(const noise_miner *miner, const miner_blame *blame, uint32_t source,
                             miner_affected *a, size_t n, const GArray *examples,
                             noise_miner_report *report, GArray *rows)
{
    if (n == 0) {
        return;
    }
    qsort(a, n, sizeof *a, by_period);
    size_t without = 0; /* they come first: period 0 */
    while (without < n && a[without].period.period == 0) {
        without++;
    }
    for (size_t i = without; i < n;) {
        size_t end = i + 1;
        while (end < n && a[end].period.period <= (1 + SAME_PERIOD) * a[end - 1].period.period) {
            end++;
        }
        /* The group takes its share of those without: they are moved to its front. */
        GArray *group = g_array_new(FALSE, FALSE, sizeof *a);
        g_array_append_vals(group, a + i, (guint)(end - i));
        const double rate_of_group = common_rate(a + i, end - i);
        size_t left = 0;
        for (size_t j = 0; j < without; j++) {
            if (joins(&a[j], rate_of_group)) {
                g_array_append_val(group, a[j]);
            } else {
                a[left++] = a[j];
            }
        }
        without = left;
        append(miner, blame, source, (miner_affected *)(void *)group->data, group->len, examples,
               report, rows);
        g_array_unref(group);
        i = end;
    }
    if (without > 0) {
        append_unperiodic(miner, blame, source, a, without, examples, report, rows);
    }
}

static int by_length(const void *pa, const void *pb)
{
    const miner_lone_hit *a = pa;
    const miner_lone_hit *b = pb;
    if (a->hit.value != b->hit.value) {
        return a->hit.value > b->hit.value ? -1 : 1;
    }
    if (a->rank != b->rank) {
        return a->rank > b->rank ? 1 : -1;
    }
    return (a->hit.start > b->hit.start) - (a->hit.start < b->hit.start);
}

/* Many that are spread over all lengths up to the longest. */
static noise_miner_row spread_row(const miner_lone *lone)
{
    const miner_lone_hit *hit = (const miner_lone_hit *)(void *)lone->hit->data;
    g_autofree uint32_t *ranks = g_new(uint32_t, lone->hit->len);
    size_t n = 0;
    double span = 0;
    sim_time longest = 0;
    for (guint i = 0; i < lone->hit->len; i++) {
        longest = MAX(longest, hit[i].hit.value);
        if (n == 0 || ranks[n - 1] != hit[i].rank) {
            ranks[n++] = hit[i].rank;
            span += hit[i].span;
        }
    }
    noise_miner_row row = {
        .t_noise = longest,
        .t_noise_low = longest,
        .t_noise_high = SIM_TIME_MAX,
        .at_least = true,
        .count = lone->events,
        .partial = lone->events,
        .rate = span > 0 ? (double)lone->events * (double)SIM_S / span : 0,
        .share = lone->share,
        .preempted = -1,
        .gap_cv = -1,
        .label = g_strdup("no length stands out: rests of longer detours, or work that varies"),
    };
    noise_miner_row_set_ranks(&row, ranks, n);
    return row;
}

static void report_singles(const miner_lone *lone, double min_share, noise_miner_report *report)
{
    g_array_sort(lone->hit, by_length);
    report->singles = g_new(noise_miner_single, MAX_SINGLES);
    for (guint i = 0; i < lone->hit->len; i++) {
        const miner_lone_hit *one = &g_array_index(lone->hit, miner_lone_hit, i);
        if ((double)one->hit.value < min_share * one->span) {
            continue;
        }
        if (report->num_singles == MAX_SINGLES) {
            report->more_singles++;
            continue;
        }
        report->singles[report->num_singles++] = (noise_miner_single){
            .rank = one->rank,
            .start = one->hit.start,
            .length = one->hit.value,
            .share = one->span > 0 ? (double)one->hit.value / one->span : 0,
        };
    }
}

void noise_miner_rows_append_lone(const noise_miner *miner, miner_lone *lone,
                                  noise_miner_report *report, GArray *rows)
{
    const bool many = lone->events >= MANY && lone->share >= miner->options.min_share &&
                      lone->events >= miner->options.min_count;
    if (many && lone->hit->len > 0) {
        const noise_miner_row row = spread_row(lone);
        g_array_append_val(rows, row);
        report->residue_events -= lone->events;
        report->residue_share = fmax(report->residue_share - lone->share, 0);
    } else if (lone->hit->len > 0) {
        report_singles(lone, SINGLE_SHARE * miner->options.min_share, report);
    }
}

static int by_share(const void *a, const void *b)
{
    const noise_miner_row *x = a;
    const noise_miner_row *y = b;
    if (x->share != y->share) {
        return x->share > y->share ? -1 : 1;
    }
    if (x->t_noise != y->t_noise) {
        return x->t_noise > y->t_noise ? -1 : 1;
    }
    if (x->period != y->period) {
        return x->period < y->period ? -1 : 1;
    }
    return (x->ranks[0][0] > y->ranks[0][0]) - (x->ranks[0][0] < y->ranks[0][0]);
}

void noise_miner_rows_sort(GArray *rows)
{
    g_array_sort(rows, by_share);
}
