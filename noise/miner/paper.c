/* noise/miner/paper.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* The algorithm as published; docs/noise-miner.md, section 3. */
#include "miner/modes.h"
#include "miner/row.h"

#include <math.h>
#include <string.h>

#define WINDOW         50
#define SAME           0.15 /* components whose noise differs by less are one */
#define INTERNAL_SHARE 0.8  /* of the quantum */

/* Before the merge across ranks a component is one rank's; after it, of several. */
typedef struct component {
    double noise; /* ps */
    uint64_t count;
    miner_hit window[2 * WINDOW]; /* at most WINDOW between calls */
    uint32_t num_hits;
    GArray *ranks; /* uint32_t, ascending */
} component;

static void component_clear(void *data)
{
    g_array_unref(((component *)data)->ranks);
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

/* Step B and D: of two windows the WINDOW most recent events. @p n <= WINDOW. */
static void window_unite(component *c, const miner_hit *hit, uint32_t n)
{
    memcpy(c->window + c->num_hits, hit, n * sizeof *hit);
    c->num_hits += n;
    qsort(c->window, c->num_hits, sizeof *c->window, by_start);
    if (c->num_hits > WINDOW) {
        memmove(c->window, c->window + c->num_hits - WINDOW, WINDOW * sizeof *c->window);
        c->num_hits = WINDOW;
    }
}

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

/* Steps B and C for one type on one rank: append its components. */
static void components_of(const miner_histogram *h, uint32_t rank, GArray *out)
{
    g_autofree component *group = g_new0(component, h->num_cells); /* by the index of its peak */
    uint32_t expected = 0;
    for (uint32_t i = 0; i < h->num_cells; i++) {
        const miner_cell *cell = &h->cell[i];
        component *g = &group[climb(h, i)];
        g->noise += miner_cell_sum(cell);
        g->count += cell->count;
        const miner_window *w = &h->window[i]; /* here every bin has its own */
        const uint32_t n = MIN(w->num, WINDOW);
        window_unite(g, w->hit + w->num - n, n);
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
        g_array_append_val(out, group[i]);
    }
}

/* Step D: the first cluster near enough takes it; its weighted mean moves along. */
static void merge_component(GArray *clusters, component *c)
{
    for (guint i = 0; i < clusters->len; i++) {
        component *to = &g_array_index(clusters, component, i);
        const double larger = fmax(fabs(to->noise), fabs(c->noise));
        if (fabs(to->noise - c->noise) >= SAME * larger) {
            continue;
        }
        const double count = (double)(to->count + c->count);
        to->noise = (to->noise * (double)to->count + c->noise * (double)c->count) / count;
        to->count += c->count;
        window_unite(to, c->window, c->num_hits);
        const uint32_t rank = g_array_index(c->ranks, uint32_t, 0);
        if (g_array_index(to->ranks, uint32_t, to->ranks->len - 1) != rank) {
            g_array_append_val(to->ranks, rank);
        }
        component_clear(c);
        return;
    }
    g_array_append_val(clusters, *c);
}

static double span_of(const noise_miner *miner, const GArray *ranks)
{
    double span = 0;
    for (guint i = 0; i < ranks->len; i++) {
        span += (double)miner_rank_span(miner_rank_at(miner, g_array_index(ranks, uint32_t, i)));
    }
    return span / (double)SIM_S;
}

/* Step E. */
static void append_row(const noise_miner *miner, const component *c, noise_miner_report *report,
                       GArray *rows)
{
    const double range = (double)(c->window[c->num_hits - 1].start - c->window[0].start);
    const double period = range / c->num_hits;
    const double lost = fabs(c->noise) * (double)c->count / (double)SIM_S;
    const double share = report->run_time > 0 ? lost / report->run_time : 0;
    if (fabs(c->noise) < miner->options.cutoff * period) {
        report->dropped_rows++;
        report->dropped_share += share;
        return;
    }
    const double span = span_of(miner, c->ranks);
    const bool internal = period <= INTERNAL_SHARE * (double)miner->options.quantum;
    noise_miner_row row = {
        .t_noise = noise_miner_round(c->noise),
        .t_noise_low = noise_miner_round(c->noise),
        .t_noise_high = noise_miner_round(c->noise),
        .count = c->count,
        .period = noise_miner_round(period),
        .rate = span > 0 ? (double)c->count / span : 0,
        .share = share,
        .share_affected = span > 0 ? lost / span : 0,
        .label = g_strdup(internal ? "internal" : "external"),
    };
    noise_miner_row_set_ranks(&row, (const uint32_t *)(const void *)c->ranks->data, c->ranks->len);
    g_array_append_val(rows, row);
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

void noise_miner_paper_report(const noise_miner *miner, noise_miner_report *report)
{
    g_autoptr(GArray) clusters = g_array_new(FALSE, FALSE, sizeof(component));
    g_array_set_clear_func(clusters, component_clear);
    g_autoptr(GArray) own = g_array_new(FALSE, FALSE, sizeof(component));
    for (uint64_t r = 0; r < miner_rank_end(miner); r++) {
        const miner_rank *rank = miner_rank_at(miner, r);
        for (uint32_t t = 0; rank != NULL && t < rank->detail->num_tables; t++) {
            g_array_set_size(own, 0);
            components_of(&rank->detail->table[t].durations, (uint32_t)r, own);
            for (guint i = 0; i < own->len; i++) {
                merge_component(clusters, &g_array_index(own, component, i));
            }
        }
    }
    g_autoptr(GArray) rows = g_array_new(FALSE, TRUE, sizeof(noise_miner_row));
    for (guint i = 0; i < clusters->len; i++) {
        append_row(miner, &g_array_index(clusters, component, i), report, rows);
    }
    g_array_sort(rows, by_noise);
    report->num_rows = rows->len;
    report->rows = (noise_miner_row *)(void *)g_array_free(g_steal_pointer(&rows), FALSE);
}
