/* tests/sim/engine/test_run_quiet.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the engine keeps of the noise: that it is as if it asked each time. The tests against the
 * judge are too short for that, since it is kept in units of about a microsecond.
 */
#include "check.h"
#include "judged_shapes.h"
#include "seeds.h"
#include "sim/run.h"

#include <stdatomic.h>

enum { SCALE = 22 }; /* 2^22 ps, 4 us, for each picosecond of the other tests */

/* Counts how often it is asked. */
typedef struct counted_noise {
    sim_noise noise; /* first: the hook is handed on as this */
    const sim_noise *of;
    atomic_uint_fast64_t *asked;
} counted_noise;

static sim_time count_finish(const sim_noise *noise, uint32_t rank, sim_time start, sim_time work)
{
    const counted_noise *n = (const counted_noise *)(const void *)noise;
    atomic_fetch_add(n->asked, 1);
    return n->of->finish(n->of, rank, start, work);
}

static sim_time count_finish_quiet(const sim_noise *noise, uint32_t rank, sim_time start,
                                   sim_time work, sim_quiet *quiet)
{
    const counted_noise *n = (const counted_noise *)(const void *)noise;
    atomic_fetch_add(n->asked, 1);
    return periodic_noise_finish_quiet(n->of, rank, start, work, quiet);
}

static random_case draw_long(unsigned seed, const random_shape *shape)
{
    random_case c = random_case_draw(seed, shape);
    sim_params *p = &c.params;
    p->L <<= SCALE;
    p->o <<= SCALE;
    p->g <<= SCALE;
    p->G <<= SCALE;
    p->O <<= SCALE;
    p->progress = (sim_progress)g_rand_int_range(c.random, 0, 2);
    p->rendezvous = (sim_rendezvous)g_rand_int_range(c.random, 0, 2);
    c.noise.period <<= SCALE;
    c.noise.length = (c.noise.length << SCALE) / (g_rand_boolean(c.random) ? 1 : 50) + 1;
    c.noise.shift <<= SCALE;
    return c;
}

static void check_same(const sim_result *a, const sim_result *b, unsigned seed, unsigned threads)
{
    if (CHECK((a != NULL) == (b != NULL), "seed %u", seed) && a != NULL) {
        CHECK_I64(a->makespan, b->makespan, "seed %u, %u threads", seed, threads);
        for (uint32_t r = 0; r < a->num_ranks; r++) {
            CHECK_I64(a->finish[r], b->finish[r], "seed %u, %u threads, rank %u", seed, threads, r);
        }
    }
}

static void what_is_kept_changes_no_result(void)
{
    random_shape shape = SHAPE_PLAIN;
    shape.max_calc = 1 << 30;
    uint64_t always = 0;
    uint64_t kept = 0;
    for (unsigned seed = 1; seed <= SEEDS(400); seed++) {
        g_auto(random_case) c = draw_long(seed, &shape);
        atomic_uint_fast64_t asked = 0;
        const counted_noise asks = {{.finish = count_finish}, &c.noise.noise, &asked};
        sim_run_options options = {.noise = &asks.noise, .threads = 1};
        g_autoptr(sim_result) want = sim_run(c.program, &c.params, &options, NULL);
        always += asked;
        for (unsigned threads = 1; threads <= 3; threads += 2) {
            const counted_noise keeps = {
                {.finish = count_finish, .finish_quiet = count_finish_quiet},
                &c.noise.noise,
                &asked};
            asked = 0;
            options =
                (sim_run_options){.noise = &keeps.noise, .threads = threads, .serial_below = 1};
            g_autoptr(sim_result) got = sim_run(c.program, &c.params, &options, NULL);
            check_same(want, got, seed, threads);
            kept += threads == 1 ? asked : 0;
        }
    }
    CHECK(always > SEEDS(10000) && kept < always * 9 / 10, "asked %d times, or %d", (int)always,
          (int)kept);
}

SUITE_MAIN("run_quiet", TEST(what_is_kept_changes_no_result))
