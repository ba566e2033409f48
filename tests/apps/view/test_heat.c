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

/* What a rank has lost of a cell. */
static sim_time lost(const GArray *all, uint32_t rank, sim_time begin, sim_time end)
{
    sim_time sum = 0;
    for (guint i = 0; i < all->len; i++) {
        const interval *each = &g_array_index(all, interval, i);
        sum += each->rank == rank ? overlap(each, begin, end) : 0;
    }
    return sum;
}

static uint8_t byte_of(double share)
{
    return share <= 0 ? 0 : (uint8_t)CLAMP(lround(share * 255), 1, 255);
}

static void check_cell(const app_picture_level *v, const GArray *all, uint32_t ranks,
                       sim_time makespan, uint32_t r, uint32_t c, bool is_exact)
{
    const sim_time begin = c * v->column_width;
    const sim_time end = MIN(begin + v->column_width, makespan);
    const uint32_t first = r * v->ranks_per_row;
    const uint32_t last = MIN(first + v->ranks_per_row, ranks);
    const size_t i = (size_t)r * v->columns + c;
    sim_time sum = 0;
    sim_time most = 0;
    for (uint32_t rank = first; rank < last; rank++) {
        const sim_time one = lost(all, rank, begin, end);
        sum += one;
        most = MAX(most, one);
    }
    const double time = (double)MAX(end - begin, 1);
    const int wanted = byte_of((double)sum / time / (last - first));
    CHECK(abs(v->mean[i] - wanted) <= 1, "row %u column %u: %u, wanted %d", r, c, v->mean[i],
          wanted);
    CHECK((v->worst[i] == APP_PICTURE_NONE) == (sum == 0), "row %u column %u", r, c);
    if (v->worst[i] != APP_PICTURE_NONE) {
        const sim_time worst = lost(all, v->worst[i], begin, end);
        CHECK(v->worst[i] >= first && v->worst[i] < last && worst > 0, "rank %u of row %u",
              v->worst[i], r);
        CHECK(v->most[i] <= byte_of((double)most / time) + 1, "row %u column %u", r, c);
        CHECK(!is_exact || abs(v->most[i] - byte_of((double)worst / time)) <= 1,
              "row %u column %u: %u", r, c, v->most[i]);
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
        sim_time sum = 0;
        for (guint i = 0; i < all->len; i++) {
            const interval *each = &g_array_index(all, interval, i);
            app_heat_add(heat, each->rank, each->begin, each->end);
            sum += each->end - each->begin;
        }
        CHECK_I64(app_heat_sum(heat), sum, "seed %u", seed);
        size_t n;
        app_picture_level *levels = app_heat_levels(heat, makespan, &n);
        CHECK(levels[0].rows <= APP_HEAT_ROWS && levels[0].columns <= APP_HEAT_COLUMNS, "size");
        for (size_t l = 0; l < n; l++) {
            const app_picture_level *v = &levels[l];
            for (int k = 0; k < 50; k++) {
                check_cell(v, all, ranks, makespan,
                           (uint32_t)g_rand_int_range(random, 0, (gint32)v->rows),
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
    for (guint i = 0; i < all->len; i++) {
        interval *each = &g_array_index(all, interval, i);
        each->rank += FIRST; /* these are in two rows */
        app_heat_add(heat, each->rank, each->begin, each->end);
    }
    app_picture_level few;
    CHECK(app_heat_few(heat, makespan, &few), "there are");
    CHECK_I64(few.ranks_per_row, 64, "");
    CHECK_I64(few.rows, 3125, "");
    CHECK(few.columns > 16 && few.columns <= APP_HEAT_FEW_COLUMNS, "%u", few.columns);
    CHECK((sim_time)few.columns * few.column_width >= makespan, "all of the run");
    for (uint32_t r = FIRST / 64 - 1; r <= (FIRST + BUSY) / 64 + 1; r++) {
        for (uint32_t c = 0; c < few.columns; c++) {
            check_cell(&few, all, MANY, makespan, r, c, false);
        }
    }
    app_picture_level_clear(&few);
    g_autoptr(app_heat) small = app_heat_new(APP_HEAT_FEW_FROM, 0);
    CHECK(!app_heat_few(small, makespan, &few), "where rows are few ranks there are not");
}

SUITE_MAIN("heat", TEST(cells_are_the_sums_of_their_intervals), TEST(ranks_share_rows),
           TEST(few_ranks_have_rows_of_their_own))
