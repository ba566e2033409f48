/* tests/apps/stretches/test_causes.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Causes of late stretches: by hand, and against what each way back comes by. */
#include "check.h"
#include "stretches/causes.h"

#define NONE APP_CAUSES_NONE
enum { LAST = 8 };

/*
 * A detour of 5 on rank 0 makes rank 1 wait for 3 of it, since 2 are absorbed; its own one of 4
 * makes rank 2 wait for 7. Rank 3 has a detour that nobody waits for; it waits as usual.
 */
static const app_observed_stretch BY_HAND[LAST] = {
    {.idle_from = 0, .start = 0, .end = 15, .work = 10, .rank = 0, .op = 0, .cause_rank = 0},
    {.idle_from = 0, .start = 0, .end = 12, .work = 12, .rank = 1, .op = 0, .cause_rank = 1},
    {.idle_from = 12,
     .start = 15,
     .end = 20,
     .work = 1,
     .usual_idle = 0,
     .rank = 1,
     .op = 1,
     .cause_rank = 0,
     .cause_op = 0},
    {.idle_from = 0, .start = 0, .end = 13, .work = 13, .rank = 2, .op = 0, .cause_rank = 2},
    {.idle_from = 13,
     .start = 20,
     .end = 21,
     .work = 1,
     .usual_idle = 0,
     .rank = 2,
     .op = 1,
     .cause_rank = 1,
     .cause_op = 1},
    {.idle_from = 21, .start = 21, .end = 25, .work = 4, .rank = 2, .op = 2, .cause_rank = 2},
    {.idle_from = 0, .start = 0, .end = 6, .work = 5, .rank = 3, .op = 0, .cause_rank = 3},
    {.idle_from = 6,
     .start = 13,
     .end = 14,
     .work = 1,
     .usual_idle = 8,
     .rank = 3,
     .op = 1,
     .cause_rank = 2,
     .cause_op = 0},
};

static void ways_back_end_at_detours(void)
{
    g_auto(app_causes) c = {0};
    app_causes_find(BY_HAND, LAST, 4, &c);
    static const uint32_t AFTER[LAST] = {NONE, NONE, 0, NONE, 2, 2, NONE, NONE};
    for (size_t i = 0; i < LAST; i++) {
        CHECK_I64(c.after[i], AFTER[i], "stretch %zu", i);
    }
    CHECK_I64((int64_t)c.ripples[0].waits, 2, "of ranks 1 and 2");
    CHECK_I64(c.ripples[0].waited, 3 + 7, "");
    CHECK_I64(c.ripples[0].until, 20, "");
    CHECK_I64((int64_t)c.ripples[2].waits, 1, "of rank 2");
    CHECK_I64(c.ripples[2].waited, 7, "");
    CHECK_I64((int64_t)c.ripples[6].waits, 0, "nobody waited for rank 3");
    CHECK_I64(c.ripples[6].absorbed, 1, "which waits for 7 where it waited for 8");
    CHECK_I64(c.ripples[0].absorbed + c.ripples[2].absorbed, 0, "nobody else waits less");
    for (size_t i = 0; i < LAST; i++) {
        CHECK_I64(c.relieved[i], i == LAST - 1 ? 6 : NONE, "stretch %zu", i);
    }
}

/* An answer goes out when its operation is posted: what counts is what the other one did before. */
static void a_cause_that_comes_later_counts_as_what_was_before(void)
{
    static const app_observed_stretch s[] = {
        {.idle_from = 0, .start = 0, .end = 9, .work = 5, .rank = 0, .op = 0, .cause_rank = 0},
        {.idle_from = 9,
         .start = 30,
         .end = 31,
         .work = 1,
         .usual_idle = 25,
         .rank = 0,
         .op = 1,
         .cause_rank = 1,
         .cause_op = 0},
        {.idle_from = 0,
         .start = 10,
         .end = 11,
         .work = 1,
         .usual_idle = 6,
         .rank = 1,
         .op = 0,
         .cause_rank = 0,
         .cause_op = 1},
    };
    g_auto(app_causes) c = {0};
    app_causes_find(s, G_N_ELEMENTS(s), 2, &c);
    CHECK_I64(c.after[2], 0, "not the receive that comes at 30");
    CHECK_I64(c.after[1], NONE, "it begins as usual");
    CHECK_I64(c.ripples[0].waited, 4, "");
}

enum { RANKS = 6, STEPS = 60, ALL = RANKS * STEPS };

/* Steps of ranks that wait for one another, by a clock of their own. */
static void random_run(GRand *random, app_observed_stretch *s)
{
    sim_time now[RANKS] = {0};
    sim_time usual[RANKS] = {0};
    for (uint32_t i = 0; i < ALL; i++) {
        const uint32_t rank = i % RANKS;
        const uint32_t other = (uint32_t)g_rand_int_range(random, 0, RANKS);
        const sim_time start = MAX(now[rank], i >= RANKS ? now[other] : 0);
        const sim_time usual_start = MAX(usual[rank], i >= RANKS ? usual[other] : 0);
        const sim_time noise =
            g_rand_int_range(random, 0, 4) == 0 ? g_rand_int_range(random, 1, 90) : 0;
        const sim_time work = g_rand_int_range(random, 1, 50);
        uint32_t last = i; /* of the other one */
        while (i >= RANKS && (last % RANKS != other || last == i)) {
            last--;
        }
        s[i] = (app_observed_stretch){.idle_from = now[rank],
                                      .start = start,
                                      .end = start + work + noise,
                                      .work = work,
                                      .usual_idle = usual_start - usual[rank],
                                      .rank = rank,
                                      .op = i / RANKS,
                                      .cause_rank = start > now[rank] ? other : rank,
                                      .cause_op = last / RANKS};
        now[rank] = s[i].end;
        usual[rank] = usual_start + work;
    }
}

/* The last detour on the way back, step by step. */
static uint32_t slow_after(const app_observed_stretch *s, const sim_time *usual, uint32_t i)
{
    while (s[i].start > usual[i]) {
        const bool waited = s[i].start > s[i].idle_from && s[i].cause_rank != s[i].rank;
        i = waited ? s[i].cause_op * RANKS + s[i].cause_rank : i - RANKS;
        if (s[i].end - s[i].start > s[i].work) {
            return i;
        }
    }
    return NONE;
}

static void all_ways_are_those_gone_step_by_step(void)
{
    for (unsigned seed = 1; seed <= 20; seed++) {
        g_autoptr(GRand) random = g_rand_new_with_seed(seed);
        app_observed_stretch s[ALL];
        random_run(random, s);
        sim_time usual[ALL];
        for (uint32_t i = 0; i < ALL; i++) {
            usual[i] = s[i].usual_idle + (i >= RANKS ? usual[i - RANKS] + s[i - RANKS].work : 0);
        }
        g_auto(app_causes) c = {0};
        app_causes_find(s, ALL, RANKS, &c);
        app_ripple slow[ALL] = {{0}};
        bool is_some = false;
        for (uint32_t i = 0; i < ALL; i++) {
            const uint32_t after = slow_after(s, usual, i);
            CHECK_I64(c.after[i], after, "seed %u, stretch %u", seed, i);
            const sim_time waited = s[i].start - s[i].idle_from - s[i].usual_idle;
            for (uint32_t k = after; waited > 0 && k != NONE; k = slow_after(s, usual, k)) {
                slow[k].waits++;
                slow[k].waited += waited;
                slow[k].until = MAX(slow[k].until, s[i].start);
                is_some = true;
            }
        }
        CHECK(is_some, "seed %u", seed);
        for (uint32_t i = 0; i < ALL; i++) {
            CHECK(c.ripples[i].waits == slow[i].waits && c.ripples[i].waited == slow[i].waited &&
                      c.ripples[i].until == slow[i].until,
                  "seed %u, stretch %u", seed, i);
        }
    }
}

SUITE_MAIN("causes", TEST(ways_back_end_at_detours),
           TEST(a_cause_that_comes_later_counts_as_what_was_before),
           TEST(all_ways_are_those_gone_step_by_step))
