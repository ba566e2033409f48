/* tests/apps/stretches/test_detours.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Detours that are found against those that are there, and one more against a clock that goes
 * picosecond by picosecond. */
#include "check.h"
#include "random_program.h"
#include "stretches/detours.h"

/* Is the CPU away at @p t, by the definition of periodic noise? */
static bool is_away(const periodic_noise *noise, uint32_t rank, sim_time t)
{
    const sim_time shift = rank * noise->shift;
    const sim_time place = ((t - shift) % noise->period + noise->period) % noise->period;
    return place < noise->length;
}

typedef struct found {
    const periodic_noise *noise;
    uint32_t rank;
    sim_time at;
    sim_time sum;
} found;

static void look_at(sim_time begin, sim_time end, void *user)
{
    found *f = user;
    CHECK(begin >= f->at && end > begin, "%" PRId64 "..%" PRId64, begin, end);
    CHECK(is_away(f->noise, f->rank, begin) && is_away(f->noise, f->rank, end - 1), "away");
    CHECK(!is_away(f->noise, f->rank, end), "back at %" PRId64, end);
    f->at = end;
    f->sum += end - begin;
}

static void detours_are_found_where_they_are(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(3);
    for (int i = 0; i < 200; i++) {
        const sim_time period = 1000 + g_rand_int_range(random, 0, 100000);
        const periodic_noise noise = {.noise = {periodic_noise_finish, NULL},
                                      .period = period,
                                      .length = 200 + g_rand_int_range(random, 0, 600),
                                      .shift = g_rand_int_range(random, 0, 1000)};
        const uint32_t rank = (uint32_t)g_rand_int_range(random, 0, 8);
        const sim_time start = g_rand_int_range(random, 0, 1000000);
        const sim_time work = g_rand_int_range(random, 1, 1000000);
        found f = {&noise, rank, start, 0};
        app_detours_find(&noise.noise, rank, start, work, 1, look_at, &f);
        const sim_time end = noise.noise.finish(&noise.noise, rank, start, work);
        CHECK_I64(f.sum, end - start - work, "run %d", i);
    }
}

typedef struct searched {
    sim_time at;
    sim_time sum;
    sim_time begin[64];
    unsigned n;
} searched;

static void note(sim_time begin, sim_time end, void *user)
{
    searched *s = user;
    CHECK(begin >= s->at && end > begin, "%" PRId64 "..%" PRId64, begin, end);
    s->begin[s->n++ % 64] = begin;
    s->at = end;
    s->sum += end - begin;
}

/* Detours that are farther from each other than the grain are all found, and are as long. */
static void a_coarse_search_is_off_by_a_grain_at_most(void)
{
    enum { GRAIN = 500000 };
    const periodic_noise noise = {
        .noise = {periodic_noise_finish, NULL}, .period = 20011000, .length = 700000, .shift = 0};
    for (sim_time start = 0; start < 40000000; start += 333000) {
        searched fine = {0};
        searched coarse = {0};
        app_detours_find(&noise.noise, 0, start, 200000000, 1, note, &fine);
        app_detours_find(&noise.noise, 0, start, 200000000, GRAIN, note, &coarse);
        CHECK_I64(coarse.sum, fine.sum, "from %" PRId64, start);
        CHECK(coarse.n == fine.n && fine.n > 8, "%u and %u from %" PRId64, coarse.n, fine.n, start);
        for (unsigned k = 0; k < fine.n; k++) {
            CHECK(ABS(coarse.begin[k] - fine.begin[k]) <= GRAIN, "from %" PRId64, start);
        }
    }
}

enum { COLUMNS = 64 };

typedef struct columns {
    sim_time width;
    sim_time lost[COLUMNS];
    unsigned visits;
} columns;

static void add_to_columns(sim_time begin, sim_time end, void *user)
{
    columns *c = user;
    c->visits++;
    for (sim_time t = begin; t < end;) {
        const sim_time stop = MIN(end, (t / c->width + 1) * c->width);
        c->lost[MIN(t / c->width, COLUMNS - 1)] += stop - t;
        t = stop;
    }
}

/* Where in its column a detour is does not matter: then less is asked, with the same sums. */
static void columns_hold_what_is_lost_in_them(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(5);
    for (int i = 0; i < 200; i++) {
        const periodic_noise noise = {.noise = {periodic_noise_finish, NULL},
                                      .period = 20000 + g_rand_int_range(random, 0, 100000),
                                      .length = 200 + g_rand_int_range(random, 0, 9000),
                                      .shift = g_rand_int_range(random, 0, 1000)};
        const sim_time start = g_rand_int_range(random, 0, 1000000);
        const sim_time work = g_rand_int_range(random, 1, 1000000);
        columns fine = {.width = 1000 + g_rand_int_range(random, 0, 200000)};
        columns fast = {.width = fine.width};
        app_detours_find(&noise.noise, 0, start, work, 1, add_to_columns, &fine);
        app_detours_find_columns(&noise.noise, 0, start, work, fast.width, 1, add_to_columns,
                                 &fast);
        for (int k = 0; k < COLUMNS; k++) {
            CHECK_I64(fast.lost[k], fine.lost[k], "run %d column %d", i, k);
        }
        CHECK(fast.visits <= fine.visits, "run %d", i);
    }
}

/* W by its definition: a picosecond of work at each instant at which nobody has the CPU. */
static sim_time slow_finish(const periodic_noise *noise, const app_detour *d, uint32_t rank,
                            sim_time start, sim_time work)
{
    sim_time t = start;
    while (work > 0) {
        const bool injected = rank == d->rank && t >= d->at && t < d->at + d->length;
        work -= !injected && !(noise != NULL && is_away(noise, rank, t));
        t++;
    }
    return t;
}

static void one_more_detour_is_one_more_detour(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(4);
    for (int i = 0; i < 300; i++) {
        const periodic_noise noise = {.noise = {periodic_noise_finish, NULL},
                                      .period = 20 + g_rand_int_range(random, 0, 50),
                                      .length = 1 + g_rand_int_range(random, 0, 15),
                                      .shift = g_rand_int_range(random, 0, 9)};
        const app_detour d = {(uint32_t)g_rand_int_range(random, 0, 2),
                              g_rand_int_range(random, 0, 200), g_rand_int_range(random, 1, 100)};
        const bool alone = i % 3 == 0;
        const app_one_detour one = app_one_detour_of(&d, alone ? NULL : &noise.noise);
        for (int k = 0; k < 20; k++) {
            const sim_time start = g_rand_int_range(random, 0, 300);
            const sim_time work = g_rand_int_range(random, 0, 200);
            CHECK_I64(one.noise.finish(&one.noise, 1, start, work),
                      slow_finish(alone ? NULL : &noise, &d, 1, start, work),
                      "run %d: %" PRId64 " of work from %" PRId64, i, work, start);
        }
    }
}

SUITE_MAIN("detours", TEST(detours_are_found_where_they_are),
           TEST(a_coarse_search_is_off_by_a_grain_at_most),
           TEST(one_more_detour_is_one_more_detour), TEST(columns_hold_what_is_lost_in_them))
