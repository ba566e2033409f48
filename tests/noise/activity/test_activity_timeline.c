/* tests/noise/activity/test_activity_timeline.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "activity/any_nit.h"
#include "check.h"
#include "noise/activity_timeline.h"

static const uint64_t MS = 1000000;

static void stands_at_the_end_of_its_time(void)
{
    g_autoptr(noise_nit) nit = g_new0(noise_nit, 1);
    any_nit_add_node(nit, "n", 2, 0, 10 * MS);
    const uint32_t t = any_nit_add_thread(nit, 0, 7, 1, "crond", NOISE_PROGRAM_DAEMON, -1);
    any_nit_add(nit, t, 1, 1 * MS, 5 * MS, 3 * MS);
    g_autoptr(noise_timeline) line = noise_timeline_new(nit, NULL, NULL, 0);
    CHECK_I64(line->num_cpus, 2);
    CHECK_I64(line->first[1], 0);
    CHECK_I64(line->first[2], 1);
    CHECK_I64(line->piece[0].begin, 2 * MS);
    CHECK_I64(line->piece[0].end, 5 * MS);
    CHECK_I64(line->unplaced_ns, 0);
}

static void slices_are_spread_evenly(void)
{
    g_autoptr(noise_nit) nit = g_new0(noise_nit, 1);
    any_nit_add_node(nit, "n", 1, 0, 10 * MS);
    const uint32_t t = any_nit_add_thread(nit, 0, 7, 1, "crond", NOISE_PROGRAM_DAEMON, -1);
    any_nit_add(nit, t, 0, 0, 8 * MS, 2 * MS)->slices = 4;
    g_autoptr(noise_timeline) line = noise_timeline_new(nit, NULL, NULL, 0);
    CHECK_I64(line->first[1], 4);
    for (size_t i = 0; i < line->first[1]; i++) {
        CHECK_I64(line->piece[i].end, (i + 1) * 2 * MS, "piece %zu", i);
        CHECK_I64(line->piece[i].end - line->piece[i].begin, MS / 2, "piece %zu", i);
    }
}

static void what_is_known_exactly_stands_there(void)
{
    g_autoptr(noise_nit) nit = g_new0(noise_nit, 1);
    any_nit_add_node(nit, "n", 2, 0, 10 * MS);
    const uint32_t t = any_nit_add_thread(nit, 0, 7, 1, "crond", NOISE_PROGRAM_DAEMON, -1);
    const uint32_t u = any_nit_add_thread(nit, 0, 8, 1, "other", NOISE_PROGRAM_DAEMON, -1);
    any_nit_add(nit, t, 1, 1 * MS, 9 * MS, 3 * MS);
    any_nit_add(nit, u, 1, 1 * MS, 4 * MS, 2 * MS);
    const noise_exact exact[] = {
        {u, 0, 2 * MS, 3 * MS}, /* of another CPU: no activity of it there */
        {t, 1, 2 * MS, 4 * MS}, /* of the three milliseconds, two */
    };
    g_autoptr(noise_timeline) line = noise_timeline_new(nit, NULL, exact, 2);
    CHECK_I64(line->first[2], 3);
    CHECK_I64(line->piece[0].activity, 1);
    CHECK_I64(line->piece[0].begin, 1 * MS);
    CHECK_I64(line->piece[0].end, 2 * MS); /* the other half of it has no place left */
    CHECK_I64(line->piece[1].activity, 0);
    CHECK_I64(line->piece[1].begin, 2 * MS);
    CHECK_I64(line->piece[1].end, 4 * MS);
    CHECK_I64(line->piece[2].begin, 8 * MS);
    CHECK_I64(line->unplaced_ns, MS);
}

static void threads_may_be_left_out_and_cpus_unknown(void)
{
    g_autoptr(noise_nit) nit = g_new0(noise_nit, 1);
    any_nit_add_node(nit, "n", 1, 0, 10 * MS);
    const uint32_t t = any_nit_add_thread(nit, 0, 7, 1, "rank", NOISE_PROGRAM_APPLICATION, 0);
    const uint32_t u = any_nit_add_thread(nit, 0, 8, 1, "gone", NOISE_PROGRAM_DAEMON, -1);
    any_nit_add(nit, t, 0, 0, 9 * MS, 9 * MS);
    any_nit_add(nit, u, UINT32_MAX, 0, 9 * MS, MS);
    const bool left_out[] = {true, false};
    g_autoptr(noise_timeline) line = noise_timeline_new(nit, left_out, NULL, 0);
    CHECK_I64(line->num_cpus, 1);
    CHECK_I64(line->first[1], 0);
    CHECK_I64(line->unplaced_ns, MS);
}

/* Activities cut out of a real schedule: there is a place for all of them, so all must find one. */
static void a_schedule_that_exists_is_found(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(20101113);
    for (unsigned round = 0; round < 200; round++) {
        g_autoptr(noise_nit) nit = g_new0(noise_nit, 1);
        any_nit_add_node(nit, "n", 1, 0, 1000000);
        uint64_t now = 1000;
        uint64_t total = 0;
        for (unsigned i = 0; i < 60; i++) {
            const uint32_t t = any_nit_add_thread(nit, 0, 10 + i, 1, "x", NOISE_PROGRAM_DAEMON, -1);
            const uint64_t ran = (uint64_t)g_rand_int_range(random, 1, 500);
            const uint64_t from = now - (uint64_t)g_rand_int_range(random, 0, 1000);
            now += ran;
            any_nit_add(nit, t, 0, from, now + (uint64_t)g_rand_int_range(random, 0, 1000), ran);
            total += ran;
            now += (uint64_t)g_rand_int_range(random, 0, 2) * 200;
        }
        any_nit_sort(nit);
        g_autoptr(noise_timeline) line = noise_timeline_new(nit, NULL, NULL, 0);
        CHECK_I64(line->unplaced_ns, 0, "round %u", round);
        uint64_t placed = 0;
        uint64_t end = 0;
        for (size_t i = 0; i < line->first[1]; i++) {
            const noise_piece *p = &line->piece[i];
            const noise_nit_activity *a = &nit->activities[p->activity];
            CHECK(p->begin >= end && p->begin < p->end, "round %u piece %zu", round, i);
            CHECK(p->begin >= a->from && p->end <= a->to, "round %u piece %zu", round, i);
            end = p->end;
            placed += p->end - p->begin;
        }
        CHECK_I64(placed, total, "round %u", round);
    }
}

/* Whatever the file says: pieces do not overlap, stay within, and nothing is lost silently. */
static void nothing_overlaps_and_nothing_is_lost(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(17);
    for (unsigned round = 0; round < 200; round++) {
        g_autoptr(noise_nit) nit = g_new0(noise_nit, 1);
        any_nit_add_node(nit, "n", 3, 0, 100000);
        uint64_t total = 0;
        for (unsigned i = 0; i < 80; i++) {
            const uint32_t t = any_nit_add_thread(nit, 0, 10 + i, 1, "x", NOISE_PROGRAM_DAEMON, -1);
            const uint64_t from = (uint64_t)g_rand_int_range(random, 0, 90000);
            const uint64_t cpu_ns = (uint64_t)g_rand_int_range(random, 0, 9000);
            noise_nit_activity *a =
                any_nit_add(nit, t, (uint32_t)g_rand_int_range(random, 0, 3), from,
                            from + (uint64_t)g_rand_int_range(random, 1, 9000), cpu_ns);
            a->slices = (uint32_t)g_rand_int_range(random, 0, 100);
            total += cpu_ns;
        }
        any_nit_sort(nit);
        g_autoptr(noise_timeline) line = noise_timeline_new(nit, NULL, NULL, 0);
        uint64_t placed = 0;
        for (size_t c = 0; c < line->num_cpus; c++) {
            uint64_t end = 0;
            for (size_t i = line->first[c]; i < line->first[c + 1]; i++) {
                const noise_piece *p = &line->piece[i];
                CHECK(p->begin >= end && p->begin < p->end, "round %u piece %zu", round, i);
                end = p->end;
                placed += p->end - p->begin;
            }
        }
        CHECK_I64(placed + line->unplaced_ns, total, "round %u", round);
    }
}

SUITE_MAIN("activity_timeline", TEST(stands_at_the_end_of_its_time), TEST(slices_are_spread_evenly),
           TEST(what_is_known_exactly_stands_there), TEST(threads_may_be_left_out_and_cpus_unknown),
           TEST(a_schedule_that_exists_is_found), TEST(nothing_overlaps_and_nothing_is_lost))
