/* tests/noise/timing/test_change.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Hits over epochs: what began, ended or changed is told, and chance is not. */
#include "check.h"
#include "timing/change.h"

#include <glib.h>
#include <math.h>

static unsigned poisson(GRand *draw, double mean)
{
    unsigned n = 0;
    for (double t = -log(1 - g_rand_double(draw)); t < mean; n++) {
        t -= log(1 - g_rand_double(draw));
    }
    return n;
}

static miner_course course_of(uint32_t num, const double *hits)
{
    miner_course c = {.num = num, .clumps = 1};
    for (uint32_t i = 0; i < num; i++) {
        c.hits[i] = hits[i];
        c.seen[i] = 1;
    }
    return c;
}

static void what_begins_ends_or_pauses_is_told(void)
{
    static const struct {
        double hits[8];
        uint32_t first, last;
        double times; /* -1: infinite */
    } rows[] = {
        {{0, 0, 0, 0, 10, 10, 10, 10}, 4, 7, -1},    {{12, 11, 0, 0, 0, 0, 0, 0}, 0, 1, -1},
        {{0, 0, 0, 30, 0, 0, 0, 0}, 3, 3, -1},       {{9, 11, 10, 0, 0, 10, 9, 10}, 3, 4, 0},
        {{10, 10, 10, 10, 40, 40, 40, 40}, 4, 7, 4}, {{40, 40, 40, 40, 40, 4, 4, 4}, 0, 4, 10},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        const miner_course c = course_of(8, rows[i].hits);
        const noise_miner_change change = noise_miner_change_find(&c);
        CHECK_I64(change.verdict, NOISE_MINER_CHANGED, "row %zu: %g", i, change.chance);
        CHECK_I64(change.first, rows[i].first, "row %zu", i);
        CHECK_I64(change.last, rows[i].last, "row %zu", i);
        CHECK(rows[i].times < 0 ? isinf(change.times) : fabs(change.times - rows[i].times) < 1e-9,
              "row %zu: %g", i, change.times);
    }
}

/* 4 of 4 in the second half are 1/8 by chance; 7 hits are never enough. */
static void few_hits_tell_nothing(void)
{
    const double few[8] = {0, 0, 0, 0, 1, 2, 2, 2};
    const double none[8] = {0};
    miner_course c = course_of(8, few);
    CHECK_I64(noise_miner_change_find(&c).verdict, NOISE_MINER_TOO_FEW);
    c = course_of(8, none);
    CHECK_I64(noise_miner_change_find(&c).verdict, NOISE_MINER_TOO_FEW);
    c = course_of(1, (const double[]){100});
    CHECK_I64(noise_miner_change_find(&c).verdict, NOISE_MINER_TOO_FEW);
}

/* The rate is that of the time that was looked at: who works half as much meets half as many. */
static void who_is_looked_at_less_is_hit_less(void)
{
    const double hits[8] = {40, 40, 40, 40, 4, 4, 4, 4};
    miner_course c = course_of(8, hits);
    for (uint32_t i = 4; i < 8; i++) {
        c.seen[i] = 0.1;
    }
    CHECK_I64(noise_miner_change_find(&c).verdict, NOISE_MINER_NO_CHANGE);
    const double paused[8] = {40, 40, 0, 0, 0, 40, 40, 40};
    c = course_of(8, paused);
    c.seen[2] = c.seen[3] = c.seen[4] = 0;
    CHECK_I64(noise_miner_change_find(&c).verdict, NOISE_MINER_NO_CHANGE);
}

/* 3 hits at once on each of 1,000 ranks are 3 hits. */
static void clumps_count_once(void)
{
    const double hits[8] = {0, 0, 0, 0, 0, 1000, 1000, 1000};
    miner_course c = course_of(8, hits);
    c.clumps = 1000;
    CHECK_I64(noise_miner_change_find(&c).verdict, NOISE_MINER_TOO_FEW);
    c.clumps = 1;
    CHECK_I64(noise_miner_change_find(&c).verdict, NOISE_MINER_CHANGED);
}

/* Of 20,000 Poisson streams of constant rate, with any exposure, no more than 1 in 1,000. */
static void chance_is_no_change(void)
{
    g_autoptr(GRand) draw = g_rand_new_with_seed(11);
    unsigned told = 0;
    for (int k = 0; k < 20000; k++) {
        miner_course c = {.num = (uint32_t)g_rand_int_range(draw, 2, 16), .clumps = 1};
        const double rate = exp(g_rand_double_range(draw, log(0.5), log(60)));
        for (uint32_t i = 0; i < c.num; i++) {
            c.seen[i] = g_rand_double_range(draw, 0.2, 1);
            c.hits[i] = poisson(draw, rate * c.seen[i]);
        }
        told += noise_miner_change_find(&c).verdict == NOISE_MINER_CHANGED;
    }
    CHECK(told <= 20, "%u", told);
}

/* Bursts of ten at a constant rate: told rarely, though no Poisson process of hits looks so. */
static void bursts_at_a_constant_rate_are_hardly_ever_a_change(void)
{
    g_autoptr(GRand) draw = g_rand_new_with_seed(12);
    unsigned told = 0;
    for (int k = 0; k < 5000; k++) {
        miner_course c = {.num = 12, .clumps = 1};
        for (uint32_t i = 0; i < c.num; i++) {
            c.seen[i] = 1;
            c.hits[i] = 10.0 * poisson(draw, 4);
        }
        told += noise_miner_change_find(&c).verdict == NOISE_MINER_CHANGED;
    }
    CHECK(told <= 100, "%u", told);
}

/* A rate that triples half-way, 120 hits in all. */
static void a_threefold_rate_is_found_in_most_streams(void)
{
    g_autoptr(GRand) draw = g_rand_new_with_seed(13);
    unsigned told = 0;
    for (int k = 0; k < 1000; k++) {
        miner_course c = {.num = 10, .clumps = 1};
        for (uint32_t i = 0; i < c.num; i++) {
            c.seen[i] = 1;
            c.hits[i] = poisson(draw, i < 5 ? 6 : 18);
        }
        const noise_miner_change change = noise_miner_change_find(&c);
        told += change.verdict == NOISE_MINER_CHANGED && change.times > 1 && change.first >= 3;
    }
    CHECK(told >= 600, "%u", told);
}

SUITE_MAIN("change", TEST(what_begins_ends_or_pauses_is_told), TEST(few_hits_tell_nothing),
           TEST(who_is_looked_at_less_is_hit_less), TEST(clumps_count_once),
           TEST(chance_is_no_change), TEST(bursts_at_a_constant_rate_are_hardly_ever_a_change),
           TEST(a_threefold_rate_is_found_in_most_streams))
