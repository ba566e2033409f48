/* tests/schedgen/regrid/test_regrid_resampled.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranks of a larger grid that follow one recorded rank, with computation resampled: no clones, but
 * each computes what that rank did, in an order that the seed decides.
 */
#include "regrid/grid_compare.h"
#include "sched/growth.h"

#include <string.h>

enum { SMALL = 4, LARGE = 8, RANKS = LARGE * LARGE };

static uint32_t drawn; /* how many times have been written */

/* 100 us, give or take 20. */
static sim_time scattered(uint32_t rank, sched_call_kind before, double volume)
{
    const uint32_t spread = 40000;
    (void)rank;
    (void)before;
    (void)volume;
    drawn = drawn * 1664525U + 1013904223U; /* Numerical Recipes, section 7.1 */
    return (80000 + (sim_time)((uint64_t)drawn * spread >> 32)) * SIM_NS;
}

typedef struct fixture {
    sched_trace *trace;
    sched_regrid *regrid;
    sched_growth *growth;
} fixture;

static fixture setup(void)
{
    static const grid_program PROGRAM = {
        .grid = {.num_dims = 2, .extent = {SMALL, SMALL}}, .iterations = 12, .compute = scattered};
    const sched_regrid_target target = {.ranks = RANKS, .seed = 1};
    g_autoptr(GError) error = NULL;
    drawn = 1;
    fixture f = {.trace = grid_trace(&PROGRAM)};
    f.regrid = grid_recognise(f.trace, &GRID_ASKED);
    f.growth = sched_regrid_grow(f.regrid, &target, &error);
    CHECK(f.growth != NULL, "%s", error != NULL ? error->message : "");
    return f;
}

static void teardown(fixture *f)
{
    sched_growth_free(f->growth);
    sched_regrid_free(f->regrid);
    sched_trace_free(f->trace);
}

/* The computations of each rank, one after the other. */
typedef struct computed {
    GArray *of[RANKS]; /* of int64_t */
} computed;

static computed compute_all(const fixture *f, const sched_growth *growth, bool resample,
                            uint64_t seed)
{
    g_autoptr(GError) error = NULL;
    sched_convert_options options = GRID_CONVERT;
    sched_convert_report report = {0};
    computed c = {{NULL}};
    options.growth = growth;
    options.resample = resample;
    options.resample_seed = seed;
    sched_rank_source *source = sched_convert_source_new(f->trace, &options, &report, &error);
    g_assert_no_error(error);
    for (uint32_t r = 0; r < RANKS; r++) { /* of fewer ranks: the others compute nothing */
        c.of[r] = g_array_new(FALSE, FALSE, sizeof(int64_t));
    }
    for (uint32_t r = 0; r < source->num_ranks; r++) {
        grid_ops ops = grid_take(source, r);
        for (uint32_t i = 0; i < ops.num_ops; i++) {
            if (ops.ops[i].type == SIM_OP_CALC) {
                g_array_append_val(c.of[r], ops.ops[i].size);
            }
        }
        grid_drop(&ops);
    }
    sched_convert_source_free(source);
    sched_convert_report_clear(&report);
    return c;
}

static void computed_clear(computed *c)
{
    for (uint32_t r = 0; r < RANKS; r++) {
        g_clear_pointer(&c->of[r], g_array_unref);
    }
}

static bool same(const GArray *a, const GArray *b)
{
    return a->len == b->len && memcmp(a->data, b->data, a->len * sizeof(int64_t)) == 0;
}

static int compare(gconstpointer a, gconstpointer b)
{
    const int64_t x = *(const int64_t *)a;
    const int64_t y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Of all pairs that follow one rank: how many compute the same? */
static void count_clones(const fixture *f, const computed *c, uint32_t *pairs, uint32_t *clones)
{
    *pairs = 0;
    *clones = 0;
    for (uint32_t a = 0; a < RANKS; a++) {
        for (uint32_t b = 0; b < a; b++) {
            if (f->growth->methods->record(f->growth, a) ==
                f->growth->methods->record(f->growth, b)) {
                ++*pairs;
                *clones += same(c->of[a], c->of[b]);
            }
        }
    }
}

static void ranks_that_follow_one_are_no_clones(void)
{
    fixture f = setup();
    for (int resample = 0; resample < 2; resample++) {
        computed c = compute_all(&f, f.growth, resample, 1);
        uint32_t pairs;
        uint32_t clones;
        count_clones(&f, &c, &pairs, &clones);
        CHECK(pairs > 100, "%u", pairs);
        /* Of 12 places to begin at, two ranks share one by chance. */
        CHECK(resample ? clones < pairs / 6 : clones == pairs, "resampled %d: %u of %u are clones",
              resample, clones, pairs);
        computed_clear(&c);
    }
    teardown(&f);
}

/* Each time that was recorded is there once: so totals are, whatever the order. */
static void each_computes_what_was_recorded(void)
{
    fixture f = setup();
    computed small = compute_all(&f, NULL, false, 1);
    computed large = compute_all(&f, f.growth, true, 1);
    for (uint32_t r = 0; r < RANKS; r++) {
        GArray *of = small.of[f.growth->methods->record(f.growth, r)];
        g_array_sort(of, compare);
        g_array_sort(large.of[r], compare);
        CHECK(same(of, large.of[r]), "rank %u", r);
    }
    computed_clear(&small);
    computed_clear(&large);
    teardown(&f);
}

static void the_seed_decides(void)
{
    fixture f = setup();
    computed first = compute_all(&f, f.growth, true, 7);
    computed again = compute_all(&f, f.growth, true, 7);
    computed other = compute_all(&f, f.growth, true, 8);
    uint32_t differ = 0;
    for (uint32_t r = 0; r < RANKS; r++) {
        CHECK(same(first.of[r], again.of[r]), "rank %u, the same seed", r);
        differ += !same(first.of[r], other.of[r]);
    }
    CHECK(differ > RANKS / 2, "%u of %d ranks", differ, RANKS);
    computed_clear(&first);
    computed_clear(&again);
    computed_clear(&other);
    teardown(&f);
}

SUITE_MAIN("regrid_resampled", TEST(ranks_that_follow_one_are_no_clones),
           TEST(each_computes_what_was_recorded), TEST(the_seed_decides))
