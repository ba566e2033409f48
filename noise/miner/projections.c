/* noise/miner/projections.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* The algorithm as the tool Projections carries it out; docs/noise-miner.md, section 3. Times are
 * whole microseconds here, in double where that program divides. */
#include "miner/cluster.h"
#include "miner/state.h"

#include <math.h>

#define BINS           1001 /* the last one holds all that is longer */
#define WIDTH          100  /* us */
#define INTERNAL_SHARE 0.8  /* of the quantum */

static const miner_cluster_rules RULES = {.window = 30, .by_begin = true};

/* What is in a bin, then in a group of bins: here noise is a sum in us. */
typedef struct piles {
    miner_cluster bin[BINS];
} piles;

static void add_pile(miner_cluster *to, const miner_cluster *from)
{
    to->noise += from->noise;
    to->count += from->count;
    noise_miner_cluster_see(to, from->window, from->num_hits, RULES);
}

/* Take bin @p i of @p from away, if the hill does not rise behind it, seen from the peak; @p behind
 * is the count there, 0 at the end. */
static bool take_bin(const piles *from, uint64_t *left, uint32_t i, uint64_t behind,
                     miner_cluster *group)
{
    if (left[i] == 0 || left[i] < behind) {
        return false;
    }
    add_pile(group, &from->bin[i]);
    left[i] = 0;
    return true;
}

/* Hills in the order of their highest bins. A valley between two goes to the lower one, which is
 * taken away later. */
static void peel(const piles *from, GArray *groups)
{
    uint64_t left[BINS + 1] = {0};
    for (uint32_t i = 0; i < BINS; i++) {
        left[i] = from->bin[i].count;
    }
    g_array_set_size(groups, 0);
    for (;;) {
        uint32_t peak = 0;
        for (uint32_t i = 1; i < BINS; i++) {
            peak = left[i] > left[peak] ? i : peak;
        }
        if (left[peak] == 0) {
            return;
        }
        miner_cluster group = {.count = 0};
        for (uint32_t i = peak; i < BINS && take_bin(from, left, i, left[i + 1], &group);) {
            i++;
        }
        for (uint32_t i = peak;
             i > 0 && take_bin(from, left, i - 1, i > 1 ? left[i - 2] : 0, &group);) {
            i--;
        }
        g_array_append_val(groups, group);
    }
}

/* From sums of durations to sums of noise beyond the mean of the first group. What is shorter than
 * that loses its count, and by rounding the first group may, too. */
static void normalise(GArray *groups)
{
    const miner_cluster *first = &g_array_index(groups, miner_cluster, 0);
    const double expected = first->noise / (double)first->count;
    for (guint i = 0; i < groups->len; i++) {
        miner_cluster *g = &g_array_index(groups, miner_cluster, i);
        g->noise -= expected * (double)g->count;
        g->count = g->noise >= 0 ? g->count : 0;
    }
}

static double mean_of(const miner_cluster *group)
{
    return group->noise / (double)group->count;
}

static void empty(piles *p)
{
    for (uint32_t i = 0; i < BINS; i++) {
        p->bin[i].noise = 0;
        p->bin[i].count = 0;
        p->bin[i].num_hits = 0;
    }
}

/* The groups of one type on one rank, each as a whole into the bin of its mean noise. */
static void add_type(const miner_histogram *h, piles *scratch, GArray *groups, piles *noise)
{
    empty(scratch);
    for (uint32_t i = 0; i < h->num_cells; i++) {
        const miner_cell *cell = &h->cell[i];
        const miner_window *w = &h->window[i]; /* here every bin has its own */
        miner_cluster *bin = &scratch->bin[cell->bin];
        bin->noise = miner_cell_sum(cell) / (double)SIM_US;
        bin->count = cell->count;
        const uint32_t n = MIN(w->num, RULES.window);
        noise_miner_cluster_see(bin, w->hit + w->num - n, n, RULES);
    }
    peel(scratch, groups);
    normalise(groups);
    for (guint i = 0; i < groups->len; i++) {
        const miner_cluster *g = &g_array_index(groups, miner_cluster, i);
        if (g->count > 0) {
            add_pile(&noise->bin[(uint32_t)fmin(mean_of(g) / WIDTH, BINS - 1)], g);
        }
    }
}

/* All types of one rank: what lies above the heaviest bin of noise, which should be that of none.
 */
static void add_rank(const miner_rank *rank, uint32_t r, piles *scratch, piles *noise,
                     GArray *clusters)
{
    g_autoptr(GArray) groups = g_array_new(FALSE, FALSE, sizeof(miner_cluster));
    empty(noise);
    for (uint32_t t = 0; t < rank->detail->num_tables; t++) {
        add_type(&rank->detail->table[t].durations, scratch, groups, noise);
    }
    peel(noise, groups);
    normalise(groups);
    for (guint i = 1; i < groups->len; i++) {
        miner_cluster *g = &g_array_index(groups, miner_cluster, i);
        if (g->count > 0) {
            g->noise = mean_of(g) * (double)SIM_US;
            g->ranks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
            g_array_append_val(g->ranks, r);
            noise_miner_clusters_merge(clusters, g, RULES);
        }
    }
}

static void append_row(const noise_miner *miner, const miner_cluster *c, noise_miner_report *report,
                       GArray *rows)
{
    const sim_time period = noise_miner_cluster_range(c) / SIM_US / c->num_hits; /* us, whole */
    const double noise = c->noise / (double)SIM_US;
    const double importance = noise / (double)period * log(noise); /* no period: infinite */
    if (!(importance > miner->options.cutoff) || c->count < miner->options.min_count) {
        report->dropped_rows++;
        report->dropped_share += noise_miner_cluster_share(c, report);
        return;
    }
    noise_miner_row row = noise_miner_cluster_row(miner, c, period * SIM_US, report);
    const bool internal =
        (double)(period * SIM_US) < INTERNAL_SHARE * (double)miner->options.quantum;
    row.importance = importance;
    row.label = g_strdup(internal ? "internal" : "external");
    g_array_append_val(rows, row);
}

void noise_miner_projections_report(const noise_miner *miner, noise_miner_report *report)
{
    g_autofree piles *scratch = g_new(piles, 1);
    g_autofree piles *noise = g_new(piles, 1);
    g_autoptr(GArray) clusters = noise_miner_clusters_new();
    for (uint64_t r = 0; r < miner_rank_end(miner); r++) {
        const miner_rank *rank = miner_rank_at(miner, r);
        if (rank != NULL && rank->detail != NULL) {
            add_rank(rank, (uint32_t)r, scratch, noise, clusters);
        }
    }
    GArray *rows = g_array_new(FALSE, TRUE, sizeof(noise_miner_row));
    for (guint i = 0; i < clusters->len; i++) {
        append_row(miner, &g_array_index(clusters, miner_cluster, i), report, rows);
    }
    noise_miner_cluster_report(rows, report);
}
