/* tests/bench/test_sc07_programs.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs like those of the SC07 paper: docs/sc07.md. */
#include "check.h"
#include "programs.h"

/* Of one run. */
typedef struct heard {
    const sc07_program *program;
    uint32_t calls[SC07_RANKS];
    sim_time compute[SC07_RANKS];
    sim_time entered[SC07_RANKS];
    unsigned wrong; /* another call than the program's, or earlier than the one before */
} heard;

static void take(void *data, uint32_t rank, const noise_sequence_call *call)
{
    heard *h = data;
    const uint32_t i = h->calls[rank]++;
    h->wrong += i >= sc07_program_num_calls(h->program) ||
                call->symbol != sc07_program_function(h->program, i) ||
                call->entered < h->entered[rank] || call->compute <= 0;
    h->compute[rank] += call->compute;
    h->entered[rank] = call->entered;
}

static sim_time run(const sc07_program *program, uint64_t seed, const char *noise, heard *out)
{
    *out = (heard){.program = program};
    return sc07_run(program, &(sc07_scene){seed, noise}, take, out);
}

/* 47 calls and 16, 8, 4, 2; 9 + 25 30 + 21 + 9 = 789 calls, 76 times: the paper, section 5.1. */
static void they_make_as_many_calls_as_in_the_paper(void)
{
    g_autoptr(sc07_program) ft = sc07_program_new(SC07_FT, 0);
    CHECK_I64(sc07_program_num_calls(ft), 47);
    g_autoptr(sc07_program) cg = sc07_program_new(SC07_CG, 0);
    CHECK_I64(sc07_program_num_calls(cg), 76 * 789);
}

static unsigned equal_calls(const sc07_program *p, uint32_t lag, uint32_t n)
{
    unsigned same = 0;
    for (uint32_t i = 0; i < n; i++) {
        same += sc07_program_symbol(p, i) == sc07_program_symbol(p, i + lag);
    }
    return same;
}

/* Figure 3: it repeats after 30 calls, but for where a cycle of 789 begins, and after 789. */
static void cg_has_two_periods(void)
{
    g_autoptr(sc07_program) cg = sc07_program_new(SC07_CG, 0);
    const uint32_t all = sc07_program_num_calls(cg);
    CHECK_I64(equal_calls(cg, 789, all - 789), all - 789);
    const unsigned at_30 = equal_calls(cg, 30, 789);
    CHECK(at_30 > 700 && at_30 < 789, "%u", at_30);
    for (uint32_t lag = 1; lag < 60; lag++) {
        CHECK(lag == 30 || equal_calls(cg, lag, 789) < at_30, "lag %u", lag);
    }
}

static void ranks_make_the_calls_of_the_program(void)
{
    for (int kind = 0; kind < SC07_NUM_PROGRAMS; kind++) {
        g_autoptr(sc07_program) p = sc07_program_new((sc07_program_kind)kind, 0);
        sim_time work = 0;
        for (uint32_t i = 0; i < sc07_program_num_calls(p); i++) {
            work += sc07_program_compute(p, i);
        }
        heard h;
        const sim_time end = run(p, 1, NULL, &h);
        CHECK_I64(h.wrong, 0, "%s", sc07_program_name(p));
        for (uint32_t r = 0; r < SC07_RANKS; r++) {
            const bool light = r == 0 && kind >= SC07_POP;
            CHECK_I64(h.calls[r], sc07_program_num_calls(p), "%s, %u", sc07_program_name(p), r);
            CHECK_NEAR((double)h.compute[r] / (double)work, light ? 0.45 : 1, 0.15, "%s, %u",
                       sc07_program_name(p), r);
            CHECK(h.entered[r] <= end);
        }
    }
}

static void a_seed_makes_a_run(void)
{
    g_autoptr(sc07_program) p = sc07_program_new(SC07_FT, 0);
    heard a;
    heard b;
    CHECK_I64(run(p, 7, "job:4ms:500ms@node:3", &a), run(p, 7, "job:4ms:500ms@node:3", &b));
    CHECK(memcmp(a.compute, b.compute, sizeof a.compute) == 0);
    run(p, 8, "job:4ms:500ms@node:3", &b);
    CHECK(memcmp(a.compute, b.compute, sizeof a.compute) != 0);
}

/* What others compute is what it was; those of the node lose half of their time, in turns. */
static void a_job_slows_the_ranks_of_its_node(void)
{
    g_autoptr(sc07_program) p = sc07_program_new(SC07_FT, 0);
    heard with;
    heard without;
    run(p, 3, NULL, &without);
    run(p, 3, "job:4ms:500ms@node:3", &with);
    double lost = 0;
    for (uint32_t r = 0; r < SC07_RANKS; r++) {
        const double more = (double)(with.compute[r] - without.compute[r]);
        if (r / SC07_RANKS_PER_NODE == 3) {
            lost += more / (double)with.compute[r];
        } else {
            CHECK_I64(with.compute[r], without.compute[r], "rank %u", r);
        }
    }
    CHECK_NEAR(lost, 0.5, 0.1); /* which of the two: half of the time is the job's */
}

static double total_of(const sc07_program *p)
{
    double sum = 0;
    for (uint32_t i = 0; i < sc07_program_num_calls(p); i++) {
        sum += (double)sc07_program_compute(p, i);
    }
    return sum / (double)SIM_S;
}

/* What solvers leave is computed between them: calls and time are the same, occurrences shorter. */
static void solvers_leave_what_they_do_not_compute(void)
{
    g_autoptr(sc07_program) all = sc07_program_new(SC07_POP_SHORT, 0);
    g_autoptr(sc07_program) tenth =
        sc07_program_new_shaped(SC07_POP_SHORT, &(sc07_shape){.solvers = 0.1});
    CHECK_I64(sc07_program_num_calls(tenth), sc07_program_num_calls(all));
    CHECK_NEAR(total_of(tenth), total_of(all), 1e-6);
    /* The first calls are of a solver, 170 ms in 32 calls. */
    CHECK_NEAR((double)sc07_program_compute(all, 0) / (double)SIM_MS, 170 / 32.0, 1e-6);
    CHECK_NEAR((double)sc07_program_compute(tenth, 0) / (double)SIM_MS, 17 / 32.0, 1e-6);
}

/* Where land is does not change from run to run, and nobody else's work does. */
static void land_is_where_it_was(void)
{
    g_autoptr(sc07_program) sea = sc07_program_new(SC07_POP_SHORT, 0);
    g_autoptr(sc07_program) land =
        sc07_program_new_shaped(SC07_POP_SHORT, &(sc07_shape){.land = 0.4});
    heard a;
    heard b;
    heard plain;
    run(land, 1, NULL, &a);
    run(land, 2, NULL, &b);
    run(sea, 1, NULL, &plain);
    double least = 1;
    double most = 1;
    for (uint32_t r = 1; r < SC07_RANKS; r++) {
        const double factor = (double)a.compute[r] / (double)plain.compute[r];
        CHECK_NEAR((double)b.compute[r] / (double)plain.compute[r], factor, 0.12, "rank %u", r);
        least = MIN(least, factor);
        most = MAX(most, factor);
    }
    CHECK(least < 0.5 && most > 1.5, "%g to %g", least, most); /* of 63 from N(1, 0.4) */
}

SUITE_MAIN("sc07_programs", TEST(they_make_as_many_calls_as_in_the_paper), TEST(cg_has_two_periods),
           TEST(ranks_make_the_calls_of_the_program), TEST(a_seed_makes_a_run),
           TEST(a_job_slows_the_ranks_of_its_node), TEST(solvers_leave_what_they_do_not_compute),
           TEST(land_is_where_it_was))
