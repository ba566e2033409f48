/* tests/noise/places/test_quiet.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals without detours: which there are, as they are in a word, and that nothing comes out
 * otherwise where they are remembered. */
#include "places/quiet.h"

#include "check.h"
#include "noise/detour_trace.h"
#include "noise/injection.h"

#define CELL ((sim_time)1 << NOISE_QUIET_CELL_BITS)

static void a_word_holds_whole_cells_only(void)
{
    static const struct {
        sim_time from, until, start, end;
        bool holds;
    } rows[] = {
        {0, 10 * CELL, 0, 10 * CELL, true},
        {0, 10 * CELL, 0, 10 * CELL + 1, false},
        {1, 10 * CELL, 0, CELL, false},
        {1, 10 * CELL, CELL - 1, CELL + 1, false}, /* it may say no */
        {1, 10 * CELL, CELL, CELL + 1, true},
        {CELL, 10 * CELL - 1, CELL, 9 * CELL, true},
        {CELL, 10 * CELL - 1, CELL, 9 * CELL + 1, false},
        {CELL + 1, 2 * CELL - 1, CELL + 1, CELL + 2, false}, /* no whole cell */
        {5 * CELL, 3 * CELL, 4 * CELL, 4 * CELL + 1, false}, /* nothing at all */
        {0, 2 * SIM_TIME_MAX, 3, SIM_S / 4, true},
        {0, 2 * SIM_TIME_MAX, 3, SIM_S, false}, /* more than a word can say */
        {2 * SIM_TIME_MAX - 9 * CELL, 2 * SIM_TIME_MAX, 2 * SIM_TIME_MAX - 8 * CELL,
         2 * SIM_TIME_MAX - CELL, true},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        const noise_quiet quiet = noise_quiet_of(rows[i].from, rows[i].until);
        CHECK(noise_quiet_holds(quiet, rows[i].start, rows[i].end) == rows[i].holds, "row %zu", i);
    }
    CHECK(!noise_quiet_holds(0, 0, 1), "nothing is known at first");
}

static void a_trace_says_what_lies_around_an_instant(void)
{
    static const sim_time start[] = {10, 30};
    static const sim_time length[] = {5, 10};
    g_autoptr(noise_detour_trace) t = noise_detour_trace_new(start, length, 2, 100, NULL);
    static const sim_time rows[][4] = {
        /* offset, at, from, until */
        {0, 0, 0, 10},    {0, 9, 0, 10},      {0, 10, 0, 10},     {0, 15, 15, 30},
        {0, 99, 40, 100}, {0, 100, 100, 110}, {0, 230, 215, 230}, {20, 0, -5, 10},
    };
    sim_time from;
    sim_time until;
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        noise_detour_trace_quiet(t, rows[i][0], rows[i][1], &from, &until);
        CHECK_I64(from, rows[i][2], "row %zu", i);
        CHECK_I64(until, rows[i][3], "row %zu", i);
    }
    noise_detour_trace_quiet(t, 0, 12, &from, &until);
    CHECK(from > 12, "in the middle of a detour");
}

/* Rare detours, asked about in any order, against the trace itself. */
static void what_is_remembered_changes_nothing(void)
{
    static const char *const noises[] = {"jaguar", "poisson:40ms:2ms", "fixed:5ms:4ms",
                                         "poisson:3ms:10us+fixed:100ms:30ms"};
    const noise_injection_options options = {.seed = 1};
    GRand *random = g_rand_new_with_seed(20101113);
    for (size_t i = 0; i < G_N_ELEMENTS(noises); i++) {
        g_autoptr(noise_signature) s = noise_signature_parse(noises[i], 1, NULL);
        g_autoptr(noise_injection) in = noise_injection_new(s, 3, &options);
        const sim_noise *hook = noise_injection_hook(in);
        sim_time now[3] = {0};
        for (unsigned k = 0; k < 30000; k++) {
            const uint32_t rank = k % 3;
            const noise_detour_trace *t = noise_signature_trace(s, rank);
            const sim_time work = g_rand_int_range(random, 0, 8) == 0
                                      ? (sim_time)(g_rand_double(random) * 20e9)
                                      : g_rand_int_range(random, 0, 400000000);
            if (g_rand_int_range(random, 0, 100) == 0) {
                now[rank] = (sim_time)(g_rand_double(random) * 5e12); /* back and forth */
            }
            const sim_time got = hook->finish(hook, rank, now[rank], work);
            CHECK_I64(
                got,
                noise_detour_trace_finish(t, noise_injection_offset(in, rank), now[rank], work),
                "%s, work %" PRId64, noises[i], work);
            now[rank] = got + g_rand_int_range(random, 0, 100000000);
        }
    }
    g_rand_free(random);
}

SUITE_MAIN("quiet", TEST(a_word_holds_whole_cells_only),
           TEST(a_trace_says_what_lies_around_an_instant), TEST(what_is_remembered_changes_nothing))
