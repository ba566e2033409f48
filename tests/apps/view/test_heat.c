/* tests/apps/view/test_heat.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* The pyramid against sums of every interval over every cell. */
#include "check.h"
#include "view/heat.h"

#include <math.h>

typedef struct interval {
    uint32_t rank;
    sim_time begin;
    sim_time end;
} interval;

/* Of each rank in order of time, and not overlapping. */
static GArray *random_intervals(GRand *random, uint32_t ranks, sim_time longest, sim_time *makespan)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(interval));
    g_autofree sim_time *now = g_new0(sim_time, ranks);
    *makespan = 1;
    for (int i = 0; i < 2000; i++) {
        const uint32_t rank = (uint32_t)g_rand_int_range(random, 0, (gint32)ranks);
        const sim_time begin = now[rank] + (sim_time)(g_rand_double(random) * (double)longest);
        const sim_time end = begin + 1 + (sim_time)(g_rand_double(random) * (double)longest);
        const interval next = {rank, begin, end};
        g_array_append_val(all, next);
        now[rank] = end;
        *makespan = MAX(*makespan, end);
    }
    return all;
}

static sim_time overlap(const interval *i, sim_time begin, sim_time end)
{
    return MAX(MIN(i->end, end) - MAX(i->begin, begin), 0);
}

static int by_rank(const void *a, const void *b)
{
    const interval *x = a;
    const interval *y = b;
    return x->rank != y->rank ? (x->rank < y->rank ? -1 : 1)
                              : (x->begin > y->begin) - (x->begin < y->begin);
}

/* The first interval of a rank, or of one after it, in the order of by_rank(). */
static guint first_of(const GArray *all, uint32_t rank)
{
    guint low = 0;
    guint high = all->len;
    while (low < high) {
        const guint middle = (low + high) / 2;
        if (g_array_index(all, interval, middle).rank < rank) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* What a rank has lost of a cell; in the order of by_rank(). */
static sim_time lost(const GArray *all, uint32_t rank, sim_time begin, sim_time end)
{
    sim_time sum = 0;
    for (guint i = first_of(all, rank); i < all->len; i++) {
        const interval *each = &g_array_index(all, interval, i);
        if (each->rank != rank) {
            break;
        }
        sum += overlap(each, begin, end);
    }
    return sum;
}

static uint8_t byte_of(double share)
{
    return share <= 0 ? 0 : (uint8_t)CLAMP(lround(share * 255), 1, 255);
}

/* Columns of an instant: @p columns of the first width, then half as many of twice that, … */
static sim_time native_width(sim_time first, uint32_t columns, sim_time at)
{
    sim_time width = first;
    while (at >= width * columns) {
        width *= 2;
    }
    return width;
}

/* The most that a rank lost of one column, between two borders of columns. */
static sim_time most_of_one(const GArray *all, uint32_t rank, sim_time begin, sim_time end,
                            sim_time first, uint32_t columns)
{
    sim_time most = 0;
    for (sim_time at = begin; at < end;) {
        const sim_time next = MIN(at + native_width(first, columns, at), end);
        most = MAX(most, lost(all, rank, at, next));
        at = next;
    }
    return most;
}

/* A map of some ranks, and how wide its columns were at first. */
typedef struct mapped {
    const GArray *all;
    uint32_t ranks;
    sim_time makespan;
    sim_time first;
    uint32_t columns;
} mapped;

/* @p is_finest: who lost most in one of the columns it was counted in; else one of these. */
static void check_cell(const app_picture_level *v, const mapped *m, uint32_t r, uint32_t c,
                       bool is_finest)
{
    const sim_time begin = c * v->column_width;
    const sim_time end = MIN(begin + v->column_width, m->makespan);
    const uint32_t first = r * v->ranks_per_row;
    const uint32_t last = MIN(first + v->ranks_per_row, m->ranks);
    const size_t i = (size_t)r * v->columns + c;
    const double time = (double)MAX(end - begin, 1);
    sim_time sum = 0;
    sim_time most = 0;
    sim_time most_of_all = 0;
    uint32_t worst = APP_PICTURE_NONE;
    for (uint32_t rank = first; rank < last; rank++) {
        const sim_time one = lost(m->all, rank, begin, end);
        const sim_time of_one =
            one > 0 ? most_of_one(m->all, rank, begin, end, m->first, m->columns) : 0;
        sum += one;
        most_of_all = MAX(most_of_all, one);
        worst = of_one > most ? rank : worst;
        most = MAX(of_one, most);
    }
    const int wanted = byte_of((double)sum / time / (last - first));
    CHECK(abs(v->mean[i] - wanted) <= 1, "row %u column %u: %u, wanted %d", r, c, v->mean[i],
          wanted);
    CHECK((v->worst[i] == APP_PICTURE_NONE) == (sum == 0), "row %u column %u", r, c);
    CHECK(v->most[i] <= byte_of((double)most_of_all / time) + 1, "row %u column %u", r, c);
    if (is_finest) {
        CHECK_I64(v->worst[i], worst, "row %u column %u", r, c);
        CHECK(abs(v->most[i] - byte_of((double)most / time)) <= 1, "row %u column %u: %u", r, c,
              v->most[i]);
    } else if (sum > 0) {
        CHECK(v->worst[i] >= first && v->worst[i] < last &&
                  lost(m->all, v->worst[i], begin, end) > 0,
              "rank %u of row %u", v->worst[i], r);
    }
}

static void cells_are_the_sums_of_their_intervals(void)
{
    for (unsigned seed = 1; seed <= 6; seed++) {
        g_autoptr(GRand) random = g_rand_new_with_seed(seed);
        const uint32_t ranks = 1 + (uint32_t)g_rand_int_range(random, 0, 20);
        sim_time makespan;
        g_autoptr(GArray) all = random_intervals(random, ranks, SIM_US << seed, &makespan);
        g_autoptr(app_heat) heat = app_heat_new(ranks, seed % 2 == 0 ? makespan / seed : 0);
        const sim_time first = app_heat_width(heat, 0);
        sim_time sum = 0;
        for (guint i = 0; i < all->len; i++) {
            const interval *each = &g_array_index(all, interval, i);
            app_heat_add(heat, each->rank, each->begin, each->end);
            sum += each->end - each->begin;
        }
        g_array_sort(all, by_rank);
        CHECK_I64(app_heat_sum(heat), sum, "seed %u", seed);
        size_t n;
        app_picture_level *levels = app_heat_levels(heat, makespan, &n);
        CHECK(levels[0].rows <= APP_HEAT_ROWS && levels[0].columns <= APP_HEAT_COLUMNS, "size");
        const mapped m = {all, ranks, makespan, first, APP_HEAT_COLUMNS};
        for (size_t l = 0; l < n; l++) {
            const app_picture_level *v = &levels[l];
            for (int k = 0; k < (v->columns > 32 ? 50 : 5); k++) {
                check_cell(v, &m, (uint32_t)g_rand_int_range(random, 0, (gint32)v->rows),
                           (uint32_t)g_rand_int_range(random, 0, (gint32)v->columns), l == 0);
            }
            g_free(v->mean);
            g_free(v->most);
            g_free(v->worst);
        }
        CHECK(levels[n - 1].rows == 1 && levels[n - 1].columns == 1, "seed %u", seed);
        g_free(levels);
    }
}

/* 10,000 ranks share 3,334 rows; the table does not grow with the run. */
static void ranks_share_rows(void)
{
    g_autoptr(app_heat) heat = app_heat_new(10000, 0);
    for (uint32_t rank = 0; rank < 10000; rank++) {
        app_heat_add(heat, rank, 0, rank == 7 ? SIM_S : SIM_MS);
    }
    size_t n;
    app_picture_level *levels = app_heat_levels(heat, SIM_S, &n);
    CHECK_I64(levels[0].ranks_per_row, 3, "");
    CHECK_I64(levels[0].rows, 3334, "");
    CHECK(levels[0].columns <= 2 * APP_HEAT_CELLS / 3334, "%u", levels[0].columns);
    CHECK_I64(levels[0].worst[2 * levels[0].columns + levels[0].columns - 1], 7, "");
    CHECK_I64(levels[n - 1].worst[0], 7, "of all");
    for (size_t l = 0; l < n; l++) {
        g_free(levels[l].mean);
        g_free(levels[l].most);
        g_free(levels[l].worst);
    }
    g_free(levels);
}

/* Beside rows of many ranks there are rows of 64. */
static void few_ranks_have_rows_of_their_own(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(5);
    enum { BUSY = 40, FIRST = 100000, MANY = 200000 };
    sim_time makespan;
    g_autoptr(GArray) all = random_intervals(random, BUSY, SIM_MS, &makespan);
    g_autoptr(app_heat) heat = app_heat_new(MANY, 0);
    const sim_time first = app_heat_width(heat, 0);
    for (guint i = 0; i < all->len; i++) {
        interval *each = &g_array_index(all, interval, i);
        each->rank += FIRST; /* these are in two rows */
        app_heat_add(heat, each->rank, each->begin, each->end);
    }
    g_array_sort(all, by_rank);
    app_picture_level few;
    CHECK(app_heat_few(heat, makespan, &few), "there are");
    CHECK_I64(few.ranks_per_row, 64, "");
    CHECK_I64(few.rows, 3125, "");
    CHECK(few.columns > 16 && few.columns <= APP_HEAT_FEW_COLUMNS, "%u", few.columns);
    CHECK((sim_time)few.columns * few.column_width >= makespan, "all of the run");
    /* 49 ranks to a row: 4,082 rows, 1,024 columns. Beside them 64 and 64, each of 16. */
    const mapped m = {all, MANY, makespan, 16 * first, APP_HEAT_FEW_COLUMNS};
    for (uint32_t r = FIRST / 64 - 1; r <= (FIRST + BUSY) / 64 + 1; r++) {
        for (uint32_t c = 0; c < few.columns; c++) {
            check_cell(&few, &m, r, c, true);
        }
    }
    app_picture_level_clear(&few);
    g_autoptr(app_heat) small = app_heat_new(APP_HEAT_FEW_FROM, 0);
    CHECK(!app_heat_few(small, makespan, &few), "where rows are few ranks there are not");
}

static int by_begin(const void *a, const void *b)
{
    const interval *x = a;
    const interval *y = b;
    return x->begin != y->begin ? (x->begin < y->begin ? -1 : 1)
                                : (x->rank > y->rank) - (x->rank < y->rank);
}

/* Of ranks that share rows, in a run that outgrows the map several times. */
static void the_order_of_ranks_does_not_matter(void)
{
    enum { RANKS = 9000 };
    static int (*const order[])(const void *, const void *) = {NULL, by_begin, by_rank};
    g_autoptr(GRand) random = g_rand_new_with_seed(9);
    sim_time makespan;
    g_autoptr(GArray) all = random_intervals(random, RANKS, 5 * SIM_MS, &makespan);
    app_picture_level first[32];
    size_t num = 0;
    for (size_t k = 0; k < G_N_ELEMENTS(order); k++) {
        if (order[k] != NULL) {
            g_array_sort(all, order[k]);
        }
        g_autoptr(app_heat) heat = app_heat_new(RANKS, 0);
        for (guint i = 0; i < all->len; i++) {
            const interval *each = &g_array_index(all, interval, i);
            app_heat_add(heat, each->rank, each->begin, each->end);
        }
        size_t n;
        app_picture_level *levels = app_heat_levels(heat, makespan, &n);
        if (k == 0) {
            num = n;
            memcpy(first, levels, n * sizeof *levels);
            g_free(levels);
            continue;
        }
        CHECK_I64(n, num, "order %zu", k);
        for (size_t l = 0; l < n; l++) {
            const size_t cells = (size_t)first[l].rows * first[l].columns;
            CHECK(memcmp(levels[l].mean, first[l].mean, cells) == 0 &&
                      memcmp(levels[l].most, first[l].most, cells) == 0 &&
                      memcmp(levels[l].worst, first[l].worst, cells * sizeof(uint32_t)) == 0,
                  "order %zu level %zu", k, l);
            app_picture_level_clear(&levels[l]);
        }
        g_free(levels);
    }
    for (size_t l = 0; l < num; l++) {
        app_picture_level_clear(&first[l]);
    }
}

SUITE_MAIN("heat", TEST(the_order_of_ranks_does_not_matter),
           TEST(cells_are_the_sums_of_their_intervals), TEST(ranks_share_rows),
           TEST(few_ranks_have_rows_of_their_own))
