/* noise/miner/cluster.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_miner_paper, test_miner_projections. */
#include "miner/cluster.h"

#include "timing/period.h"

#include <math.h>
#include <string.h>

#define SAME 0.15 /* components whose noise differs by less are one */

static void cluster_clear(void *data)
{
    g_array_unref(((miner_cluster *)data)->ranks);
}

GArray *noise_miner_clusters_new(void)
{
    GArray *clusters = g_array_new(FALSE, FALSE, sizeof(miner_cluster));
    g_array_set_clear_func(clusters, cluster_clear);
    return clusters;
}

static int by_start(const void *a, const void *b)
{
    const miner_hit *x = a;
    const miner_hit *y = b;
    if (x->start != y->start) {
        return x->start < y->start ? -1 : 1;
    }
    return (x->end > y->end) - (x->end < y->end);
}

void noise_miner_cluster_see(miner_cluster *c, const miner_hit *hit, uint32_t n,
                             miner_cluster_rules rules)
{
    memcpy(c->window + c->num_hits, hit, n * sizeof *hit);
    c->num_hits += n;
    qsort(c->window, c->num_hits, sizeof *c->window, by_start);
    if (rules.by_begin) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < c->num_hits; i++) {
            if (kept == 0 || c->window[kept - 1].start != c->window[i].start) {
                c->window[kept++] = c->window[i];
            }
        }
        c->num_hits = kept;
    }
    if (c->num_hits > rules.window) {
        memmove(c->window, c->window + c->num_hits - rules.window, rules.window * sizeof *hit);
        c->num_hits = rules.window;
    }
}

/* Its weighted mean moves along. */
void noise_miner_clusters_merge(GArray *clusters, miner_cluster *c, miner_cluster_rules rules)
{
    for (guint i = 0; i < clusters->len; i++) {
        miner_cluster *to = &g_array_index(clusters, miner_cluster, i);
        const double larger = fmax(fabs(to->noise), fabs(c->noise));
        if (fabs(to->noise - c->noise) >= SAME * larger) {
            continue;
        }
        const double count = (double)(to->count + c->count);
        to->noise = (to->noise * (double)to->count + c->noise * (double)c->count) / count;
        to->count += c->count;
        noise_miner_cluster_see(to, c->window, c->num_hits, rules);
        const uint32_t rank = g_array_index(c->ranks, uint32_t, 0);
        if (g_array_index(to->ranks, uint32_t, to->ranks->len - 1) != rank) {
            g_array_append_val(to->ranks, rank);
        }
        g_array_unref(c->ranks);
        return;
    }
    g_array_append_val(clusters, *c);
}

sim_time noise_miner_cluster_range(const miner_cluster *c)
{
    return c->window[c->num_hits - 1].start - c->window[0].start;
}

static double lost(const miner_cluster *c)
{
    return fabs(c->noise) * (double)c->count / (double)SIM_S;
}

double noise_miner_cluster_share(const miner_cluster *c, const noise_miner_report *report)
{
    return report->run_time > 0 ? lost(c) / report->run_time : 0;
}

static double span_of(const noise_miner *miner, const GArray *ranks)
{
    double span = 0;
    for (guint i = 0; i < ranks->len; i++) {
        span += (double)miner_rank_span(miner_rank_at(miner, g_array_index(ranks, uint32_t, i)));
    }
    return span / (double)SIM_S;
}

noise_miner_row noise_miner_cluster_row(const noise_miner *miner, const miner_cluster *c,
                                        sim_time period, const noise_miner_report *report)
{
    const double span = span_of(miner, c->ranks);
    noise_miner_row row = {
        .t_noise = noise_miner_round(c->noise),
        .t_noise_low = noise_miner_round(c->noise),
        .t_noise_high = noise_miner_round(c->noise),
        .count = c->count,
        .period = period,
        .rate = span > 0 ? (double)c->count / span : 0,
        .share = noise_miner_cluster_share(c, report),
        .share_affected = span > 0 ? lost(c) / span : 0,
        .preempted = -1,
        .gap_cv = -1,
    };
    sim_time start[2 * MINER_CLUSTER_WINDOW];
    for (uint32_t i = 0; i < c->num_hits; i++) {
        start[i] = c->window[i].start;
    }
    row.classic = noise_miner_classic_of(start, c->num_hits, 0);
    row.gap_cv = row.classic.gap_cv;
    noise_miner_row_set_ranks(&row, (const uint32_t *)(const void *)c->ranks->data, c->ranks->len);
    return row;
}

static int by_noise(const void *a, const void *b)
{
    const noise_miner_row *x = a;
    const noise_miner_row *y = b;
    if (x->t_noise != y->t_noise) {
        return x->t_noise > y->t_noise ? -1 : 1;
    }
    return (x->count < y->count) - (x->count > y->count);
}

void noise_miner_cluster_report(GArray *rows, noise_miner_report *report)
{
    g_array_sort(rows, by_noise);
    report->num_rows = rows->len;
    report->rows = (noise_miner_row *)(void *)g_array_free(rows, FALSE);
}
