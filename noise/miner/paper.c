/* noise/miner/paper.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* The algorithm as published; docs/noise-miner.md, section 3. */
#include "miner/cluster.h"
#include "miner/state.h"

#include <math.h>

#define INTERNAL_SHARE 0.8 /* of the quantum */

static const miner_cluster_rules RULES = {.window = 50};

static bool adjacent(const miner_histogram *h, uint32_t i)
{
    return i + 1 < h->num_cells && h->cell[i + 1].bin == h->cell[i].bin + 1;
}

/* Step B: the cell a cell climbs to, a local maximum: always to the larger neighbour. A plateau
 * climbs as one, and is its own maximum in its first cell. */
static uint32_t climb(const miner_histogram *h, uint32_t i)
{
    for (;;) {
        const uint64_t here = h->cell[i].count;
        uint32_t first = i;
        uint32_t last = i;
        while (first > 0 && adjacent(h, first - 1) && h->cell[first - 1].count == here) {
            first--;
        }
        while (adjacent(h, last) && h->cell[last + 1].count == here) {
            last++;
        }
        const uint64_t left = first > 0 && adjacent(h, first - 1) ? h->cell[first - 1].count : 0;
        const uint64_t right = adjacent(h, last) ? h->cell[last + 1].count : 0;
        if (left > here && left >= right) {
            i = first - 1;
        } else if (right > here) {
            i = last + 1;
        } else {
            return first;
        }
    }
}

/* Steps B and C for one type on one rank: merge its components (step D). */
static void components_of(const miner_histogram *h, uint32_t rank, GArray *clusters)
{
    g_autofree miner_cluster *group = g_new0(miner_cluster, h->num_cells); /* by its peak */
    uint32_t expected = 0;
    for (uint32_t i = 0; i < h->num_cells; i++) {
        const miner_cell *cell = &h->cell[i];
        miner_cluster *g = &group[climb(h, i)];
        g->noise += miner_cell_sum(cell);
        g->count += cell->count;
        const miner_window *w = &h->window[i]; /* here every bin has its own */
        const uint32_t n = MIN(w->num, RULES.window);
        noise_miner_cluster_see(g, w->hit + w->num - n, n, RULES);
    }
    for (uint32_t i = 0; i < h->num_cells; i++) {
        if (group[i].count > group[expected].count) {
            expected = i;
        }
    }
    const double mean = group[expected].noise / (double)group[expected].count;
    for (uint32_t i = 0; i < h->num_cells; i++) {
        if (group[i].count == 0 || i == expected) {
            continue;
        }
        group[i].noise = group[i].noise / (double)group[i].count - mean;
        group[i].ranks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
        g_array_append_val(group[i].ranks, rank);
        noise_miner_clusters_merge(clusters, &group[i], RULES);
    }
}

/* Step E. */
static void append_row(const noise_miner *miner, const miner_cluster *c, noise_miner_report *report,
                       GArray *rows)
{
    const double period = (double)noise_miner_cluster_range(c) / c->num_hits;
    if (fabs(c->noise) < miner->options.cutoff * period) {
        report->dropped_rows++;
        report->dropped_share += noise_miner_cluster_share(c, report);
        return;
    }
    noise_miner_row row = noise_miner_cluster_row(miner, c, noise_miner_round(period), report);
    const bool internal = period <= INTERNAL_SHARE * (double)miner->options.quantum;
    row.label = g_strdup(internal ? "internal" : "external");
    g_array_append_val(rows, row);
}

void noise_miner_paper_report(const noise_miner *miner, noise_miner_report *report)
{
    g_autoptr(GArray) clusters = noise_miner_clusters_new();
    for (uint64_t r = 0; r < miner_rank_end(miner); r++) {
        const miner_rank *rank = miner_rank_at(miner, r);
        for (uint32_t t = 0; rank != NULL && t < rank->detail->num_tables; t++) {
            components_of(&rank->detail->table[t].durations, (uint32_t)r, clusters);
        }
    }
    GArray *rows = g_array_new(FALSE, TRUE, sizeof(noise_miner_row));
    for (guint i = 0; i < clusters->len; i++) {
        append_row(miner, &g_array_index(clusters, miner_cluster, i), report, rows);
    }
    noise_miner_cluster_report(rows, report);
}
