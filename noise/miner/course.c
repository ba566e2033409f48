/* noise/miner/course.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_miner_when. */
#include "miner/course.h"

#include "miner/excess.h"
#include "timing/change.h"

#include <math.h>

G_STATIC_ASSERT(MINER_EPOCHS == NOISE_MINER_EPOCHS);

void noise_miner_course_epochs(noise_miner *miner, noise_miner_report *report)
{
    const miner_exposures *x = &miner->synopsis.exposures;
    miner_exposure all = {.count = {0}};
    for (uint32_t i = 0; i < noise_exposures_end(x); i++) {
        const miner_exposure *one = noise_exposures_at(x, i);
        if (one != NULL) {
            noise_exposure_merge(&all, one);
        }
    }
    if (all.count[0] > 0) {
        const sim_time last = noise_epochs_last(all.grid, all.count);
        report->epochs_from = all.grid.from;
        report->epoch = (sim_time)1 << all.grid.shift;
        report->num_epochs = (uint32_t)((last - all.grid.from) >> all.grid.shift) + 1;
    }
    miner->grid = all.grid;
    miner->num_epochs = report->num_epochs;
}

/* What is summed up over the ranks of a row. */
typedef struct course {
    miner_grid grid;
    uint32_t num;
    double length; /* of a detour, ps */
    double hits[MINER_EPOCHS];
    double square[MINER_EPOCHS]; /* of those of each rank … */
    double cross[MINER_EPOCHS];  /* … and times all of that rank */
    double square_all;           /* of all of each rank */
    double seen[MINER_EPOCHS];   /* ps */
    sim_time first;              /* no hit is before … */
    sim_time last;               /* … or after */
    uint32_t block;              /* of ranks that share an exposure … */
    uint32_t sharing;            /* … and how many they are */
} course;

static void add_hits(course *c, const miner_cell *cell, uint32_t hits, double *of_rank)
{
    const miner_grid grid = miner_cell_grid(cell);
    for (uint32_t i = 0; i < MINER_EPOCHS; i++) {
        const uint32_t e = noise_epochs_find(grid, i, c->grid);
        if (cell->epoch[i] > 0 && e < c->num) {
            of_rank[e] += (double)hits * cell->epoch[i];
        }
    }
    const sim_time end = noise_epochs_last(grid, cell->epoch) + ((sim_time)1 << grid.shift);
    c->first = MIN(c->first, grid.from);
    c->last = MAX(c->last, end);
}

static void count_hits(course *c, const miner_blame *blame, uint32_t source,
                       const miner_histogram *h)
{
    double of_rank[MINER_EPOCHS] = {0};
    g_autofree bool *on = noise_miner_blame_known(blame, h);
    for (uint32_t i = 0; i < h->num_cells; i++) {
        const uint32_t hits = noise_miner_blame_hits(blame, on, &h->cell[i], source);
        if (hits > 0) {
            add_hits(c, &h->cell[i], hits, of_rank);
        }
    }
    double all = 0;
    for (uint32_t e = 0; e < c->num; e++) {
        all += of_rank[e];
    }
    for (uint32_t e = 0; e < c->num; e++) {
        c->hits[e] += of_rank[e];
        c->square[e] += of_rank[e] * of_rank[e];
        c->cross[e] += of_rank[e] * all;
    }
    c->square_all += all * all;
}

/* How many ranks were seen of those that share an exposure with @p rank. */
static uint32_t sharing(course *c, const noise_miner *miner, uint32_t rank)
{
    const uint32_t block = noise_exposures_index(rank);
    if (rank < MINER_OWN_EXPOSURES) {
        return 1;
    }
    if (c->block != block) {
        const uint32_t first = rank - (rank - MINER_OWN_EXPOSURES) % MINER_SHARING;
        c->block = block;
        c->sharing = 0;
        for (uint32_t i = 0; i < MINER_SHARING; i++) {
            c->sharing += miner_rank_at(miner, (uint64_t)first + i) != NULL;
        }
    }
    return c->sharing;
}

/* A detour is seen that begins in an event, or so long before one that it reaches into it; the time
 * that there is bounds the latter. */
static void watch(course *c, const noise_miner *miner, uint32_t rank, const miner_rank *r)
{
    const uint32_t index = noise_exposures_index(rank);
    const miner_exposure *x = noise_exposures_at(&miner->synopsis.exposures, index);
    const double ranks = sharing(c, miner, rank);
    double work[MINER_EPOCHS] = {0};
    double count[MINER_EPOCHS] = {0};
    for (uint32_t i = 0; x != NULL && i < MINER_EPOCHS; i++) {
        if (x->count[i] > 0) {
            const uint32_t e = noise_epochs_index(x->grid, i, c->grid);
            work[e] += (double)x->work[i] / ranks;
            count[e] += x->count[i] / ranks;
        }
    }
    for (uint32_t e = 0; e < c->num; e++) {
        const double begin = (double)c->grid.from + ldexp((double)e, (int)c->grid.shift);
        const double end = begin + ldexp(1, (int)c->grid.shift);
        const double there = fmin(end, (double)r->last) - fmax(begin, (double)r->first);
        c->seen[e] += work[e] + fmin(count[e] * c->length, fmax(there - work[e], 0));
    }
}

/* How many hits come together because ranks are hit at once: where they are, each rank has the same
 * share of its hits in each epoch; where not, these vary as those of a multinomial. What varies
 * less may be a rhythm as well, which makes this too many, and only hides changes. */
static double clumps_of(const course *c, double n)
{
    double hits = 0;
    double found = 0;
    double wanted = 0;
    for (uint32_t e = 0; e < c->num; e++) {
        hits += c->hits[e];
    }
    for (uint32_t e = 0; e < c->num && hits > 0; e++) {
        const double share = c->hits[e] / hits;
        found += c->square[e] - 2 * share * c->cross[e] + share * share * c->square_all;
        wanted += hits * share * (1 - share);
    }
    if (n < 2) {
        return 1;
    }
    const double own = wanted > 0 ? found / wanted * n / (n - 1) : 0; /* of one rank, not of all */
    const double error = sqrt(2 / ((n - 1) * fmax(c->num - 1.0, 1)));
    return 1 + CLAMP(1 - own + 2 * error, 0, 1) * (n - 1);
}

static void bound(const course *c, const noise_miner_report *report, noise_miner_change *change)
{
    const sim_time begin = report->epochs_from;
    change->from = MAX(begin + (sim_time)change->first * report->epoch, report->first);
    change->to =
        MIN(begin + ((sim_time)change->last + 1) * report->epoch, report->first + report->observed);
    if (isinf(change->times)) {
        change->from = MAX(change->from, c->first);
        change->to = MIN(change->to, c->last);
    }
}

void noise_miner_course_fill(const noise_miner *miner, const miner_blame *blame, uint32_t source,
                             const uint32_t *ranks, size_t n, const noise_miner_report *report,
                             noise_miner_row *row)
{
    if (report->num_epochs == 0) { /* a file may say anything */
        return;
    }
    course c = {.grid = miner->grid,
                .num = report->num_epochs,
                .length = fabs((double)row->t_noise),
                .first = INT64_MAX,
                .last = INT64_MIN,
                .block = UINT32_MAX};
    for (size_t i = 0; i < n; i++) {
        const miner_rank *rank = miner_rank_at(miner, ranks[i]);
        const miner_detail *detail = rank->detail;
        if (detail->num_tables == 0) { /* all is known */
            count_hits(&c, blame, source, blame->faster ? &detail->faster : &detail->slower);
        } else {
            miner_excess excess;
            noise_miner_excess_init(&excess, miner, rank);
            count_hits(&c, blame, source, blame->faster ? &excess.faster : &excess.slower);
            noise_miner_excess_clear(&excess);
        }
        watch(&c, miner, ranks[i], rank);
    }
    miner_course total = {.num = c.num, .clumps = clumps_of(&c, (double)n)};
    for (uint32_t e = 0; e < c.num; e++) {
        row->hits[e] = total.hits[e] = c.hits[e];
        row->seen[e] = total.seen[e] = c.seen[e] / (double)SIM_S;
    }
    row->change = noise_miner_change_find(&total);
    if (row->change.verdict == NOISE_MINER_CHANGED) {
        bound(&c, report, &row->change);
    }
}
