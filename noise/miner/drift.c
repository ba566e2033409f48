/* noise/miner/drift.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_miner_drift. */
#include "miner/drift.h"

#include "miner/row.h"
#include "miner/tempos.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_MOVE 0.02 /* as in tempo.c */
#define SAME_SIZE  0.25 /* of it, or LEAST_MOVE: sizes that differ by less are one */
#define FEW        6    /* sizes that have no quantiles */
#define NORMAL_95  1.959963985

/* Epochs of a rank in which its tempo is another than at first. */
typedef struct moved {
    uint32_t rank;
    uint32_t first; /* epochs */
    uint32_t last;
    uint32_t parts; /* of the heaviest type */
    uint32_t types;
    guint sizes; /* where those of its types begin, in sizes … */
    double size; /* … and their mean, weighted with the time of each */
} moved;

typedef struct size {
    double value; /* +0.1: 10 % longer */
    double error;
} size;

typedef struct finder {
    const noise_miner *miner;
    GArray *moved;
    GArray *sizes; /* size */
} finder;

static double ratio(const miner_tempo *tempo, const miner_mode *mode)
{
    return mode->duration / tempo->part[0].duration - 1;
}

/* What a type says of the size, if it says anything. */
static void add_size(finder *f, const miner_table *table, const miner_tempo *tempo, uint32_t epoch,
                     moved *m, double *weight)
{
    const miner_mode *mode = tempo->num_parts > 1 ? noise_tempo_at(tempo, epoch) : NULL;
    if (mode == NULL) {
        return;
    }
    const miner_mode *from = &tempo->part[0];
    const double error = sqrt(mode->spread * mode->spread / mode->events +
                              from->spread * from->spread / from->events);
    const size one = {ratio(tempo, mode), error / from->duration};
    double time = 0;
    for (uint32_t c = 0; c < table->durations.num_cells; c++) {
        time += (double)table->durations.cell[c].wall;
    }
    g_array_append_val(f->sizes, one);
    *weight += time;
    m->size += (one.value - m->size) * time / *weight;
    m->types++;
}

/* From part @p from to before part @p to, all on one side of the first. */
static void add_moved(finder *f, uint32_t rank, const miner_detail *detail,
                      const miner_tempos *tempos, uint32_t from, uint32_t to)
{
    const miner_tempo *p = &tempos->tempo[tempos->heaviest];
    uint32_t furthest = from;
    for (uint32_t i = from; i < to; i++) {
        furthest = fabs(ratio(p, &p->part[i])) > fabs(ratio(p, &p->part[furthest])) ? i : furthest;
    }
    moved m = {.rank = rank,
               .first = p->begin[from],
               .last = p->end[to - 1] - 1,
               .parts = to - from,
               .sizes = f->sizes->len};
    const uint32_t epoch = (p->begin[furthest] + p->end[furthest] - 1) / 2;
    double weight = 0;
    for (uint32_t t = 0; t < detail->num_tables; t++) {
        add_size(f, &detail->table[t], &tempos->tempo[t], epoch, &m, &weight);
    }
    g_array_append_val(f->moved, m);
}

static void look_at(finder *f, uint32_t rank, const miner_rank *r)
{
    miner_tempos tempos = noise_miner_tempos_find(f->miner, r);
    const miner_tempo *p = tempos.heaviest != MINER_NO_TYPE ? &tempos.tempo[tempos.heaviest] : NULL;
    for (uint32_t i = 1; p != NULL && i < p->num_parts;) {
        const double side = ratio(p, &p->part[i]);
        uint32_t end = i + 1;
        if (fabs(side) < LEAST_MOVE) { /* back again */
            i++;
            continue;
        }
        while (end < p->num_parts && side * ratio(p, &p->part[end]) > 0 &&
               fabs(ratio(p, &p->part[end])) >= LEAST_MOVE) {
            end++;
        }
        add_moved(f, rank, r->detail, &tempos, i, end);
        i = end;
    }
    noise_miner_tempos_clear(&tempos);
}

static int by_when(const void *pa, const void *pb)
{
    const moved *a = pa;
    const moved *b = pb;
    if (a->first != b->first) {
        return a->first < b->first ? -1 : 1;
    }
    if (a->last != b->last) {
        return a->last < b->last ? -1 : 1;
    }
    if (a->size != b->size) {
        return a->size < b->size ? -1 : 1;
    }
    return (a->rank > b->rank) - (a->rank < b->rank);
}

/* Epochs beside each other are one: a step need not lie alike in those of all ranks. */
static bool is_same(const moved *a, const moved *b)
{
    return b->first <= a->first + 1 && a->first <= b->first + 1 && b->last <= a->last + 1 &&
           a->last <= b->last + 1 &&
           fabs(a->size - b->size) <= fmax(LEAST_MOVE, SAME_SIZE * fabs(a->size));
}

static int by_value(const void *a, const void *b)
{
    const double x = ((const size *)a)->value;
    const double y = ((const size *)b)->value;
    return (x > y) - (x < y);
}

/* The median of the sizes of all ranks and types, and what it may be by order statistics; of few,
 * all that they may be. */
static void set_size(size *s, guint n, noise_miner_drift *drift)
{
    qsort(s, n, sizeof *s, by_value);
    drift->size = n % 2 == 1 ? s[n / 2].value : (s[n / 2 - 1].value + s[n / 2].value) / 2;
    const double off = (n - NORMAL_95 * sqrt(n)) / 2;
    if (n >= FEW) {
        const guint k = (guint)fmax(off, 0);
        drift->low = s[k].value;
        drift->high = s[n - 1 - k].value;
        return;
    }
    drift->low = s[0].value;
    drift->high = s[0].value;
    for (guint i = 0; i < n; i++) {
        drift->low = fmin(drift->low, s[i].value - NORMAL_95 * s[i].error);
        drift->high = fmax(drift->high, s[i].value + NORMAL_95 * s[i].error);
    }
}

static int by_rank(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a;
    const uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static noise_miner_drift drift_of(const finder *f, const noise_miner_report *report,
                                  const GArray *group)
{
    g_autoptr(GArray) sizes = g_array_new(FALSE, FALSE, sizeof(size));
    g_autofree uint32_t *ranks = g_new(uint32_t, group->len);
    noise_miner_drift drift = {.first = UINT32_MAX, .types = UINT32_MAX};
    for (guint i = 0; i < group->len; i++) {
        const moved *m = &g_array_index(group, moved, i);
        drift.first = MIN(drift.first, m->first);
        drift.last = MAX(drift.last, m->last);
        drift.types = MIN(drift.types, m->types);
        drift.gradual |= m->parts > 1;
        ranks[i] = m->rank;
        g_array_append_vals(sizes, &g_array_index(f->sizes, size, m->sizes), m->types);
    }
    set_size((size *)(void *)sizes->data, sizes->len, &drift);
    qsort(ranks, group->len, sizeof *ranks, by_rank);
    noise_miner_row row = {.num_ranks = 0};
    noise_miner_row_set_ranks(&row, ranks, group->len);
    drift.num_ranks = row.num_ranks;
    drift.num_ranges = row.num_ranges;
    drift.ranks = row.ranks;
    drift.ranks_exact = row.ranks_exact;
    drift.from = report->epochs_from + (sim_time)drift.first * report->epoch;
    drift.to = MIN(report->epochs_from + ((sim_time)drift.last + 1) * report->epoch,
                   report->first + report->observed);
    return drift;
}

void noise_miner_drift_report(const noise_miner *miner, noise_miner_report *report)
{
    finder f = {miner, g_array_new(FALSE, FALSE, sizeof(moved)),
                g_array_new(FALSE, FALSE, sizeof(size))};
    for (uint64_t r = 0; r < miner_rank_end(miner); r++) {
        const miner_rank *rank = miner_rank_at(miner, r);
        if (rank != NULL && rank->detail != NULL && rank->detail->num_tables > 0) {
            look_at(&f, (uint32_t)r, rank);
        }
    }
    GArray *drifts = g_array_new(FALSE, FALSE, sizeof(noise_miner_drift));
    g_array_sort(f.moved, by_when);
    while (f.moved->len > 0) {
        g_autoptr(GArray) group = g_array_new(FALSE, FALSE, sizeof(moved));
        GArray *left = g_array_new(FALSE, FALSE, sizeof(moved));
        const moved first = g_array_index(f.moved, moved, 0);
        for (guint i = 0; i < f.moved->len; i++) {
            const moved m = g_array_index(f.moved, moved, i);
            g_array_append_val(is_same(&first, &m) ? group : left, m);
        }
        const noise_miner_drift drift = drift_of(&f, report, group);
        g_array_append_val(drifts, drift);
        g_array_unref(f.moved);
        f.moved = left;
    }
    g_array_unref(f.moved);
    g_array_unref(f.sizes);
    report->num_drifts = drifts->len;
    report->drifts = (noise_miner_drift *)(void *)g_array_free(drifts, FALSE);
}
