/* tests/noise/join/test_join_records.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "activity/any_nit.h"
#include "check.h"
#include "noise/activity_trace.h"
#include "noise/join_records.h"

enum { CROND = 7, RANK = 9, NOBODY = 55 };
static const uint64_t MS = 1000000;

/* One CPU or two, 100 ms from boot on; crond seen once to have run for 5 ms in (10, 60], a rank all
 * the time on CPU 0, something on CPU 1 that nobody records. */
static noise_nit *watched(void)
{
    noise_nit *nit = g_new0(noise_nit, 1);
    any_nit_add_node(nit, "n", 2, 0, 100 * MS);
    const uint32_t crond = any_nit_add_thread(nit, 0, CROND, 1, "crond", NOISE_PROGRAM_DAEMON, -1);
    const uint32_t rank = any_nit_add_thread(nit, 0, RANK, 1, "a", NOISE_PROGRAM_APPLICATION, 0);
    const uint32_t other = any_nit_add_thread(nit, 0, 8, 1, "sshd", NOISE_PROGRAM_DAEMON, -1);
    any_nit_add(nit, crond, 0, 10 * MS, 60 * MS, 5 * MS);
    any_nit_add(nit, other, 1, 20 * MS, 30 * MS, 2 * MS);
    any_nit_add(nit, rank, 0, 0, 100 * MS, 94 * MS);
    any_nit_sort(nit);
    return nit;
}

#define TURN(from, to, who, left_preempted)                                                        \
    {                                                                                              \
        .out = (from)*MS, .in = (to)*MS, .next_tid = (who), .preempted = (left_preempted)          \
    }
/* crond wakes at 20 and at 40 ms, the second time in two turns; at 70 somebody without a name. */
static const noise_switch TURNS[] = {
    TURN(5, 20, RANK, false),  TURN(20, 22, CROND, true),
    TURN(22, 40, RANK, false), TURN(40, 41, CROND, true),
    TURN(41, 44, RANK, true),  TURN(44, 46, CROND, true),
    TURN(46, 70, RANK, false), TURN(70, 71, NOBODY, true),
    TURN(71, 90, RANK, false), TURN(90, 95, NOISE_SWITCH_IDLE, false),
};

static const noise_nit_activity *find(const noise_nit *nit, uint32_t tid, size_t nth)
{
    for (size_t i = 0; i < nit->num_activities; i++) {
        const noise_nit_activity *a = &nit->activities[i];
        if (nit->threads[a->thread].tid == tid && nth-- == 0) {
            return a;
        }
    }
    return NULL;
}

static void check(const noise_nit_activity *a, uint64_t from, uint64_t to, uint64_t cpu_ns,
                  unsigned slices, const char *what)
{
    if (CHECK(a != NULL, "%s", what)) {
        CHECK_I64(a->from, from, "%s", what);
        CHECK_I64(a->to, to, "%s", what);
        CHECK_I64(a->cpu_ns, cpu_ns, "%s", what);
        CHECK_I64(a->slices, slices, "%s", what);
    }
}

static void wake_ups_stand_in_place_of_what_was_seen(void)
{
    g_autoptr(noise_nit) nit = watched();
    const noise_join_cpu cpu = {.cpu = 0, .n = G_N_ELEMENTS(TURNS), .slice = TURNS};
    g_autoptr(GArray) exact = noise_join_take_records(nit, NULL, &cpu, 1);
    check(find(nit, CROND, 0), 20 * MS, 22 * MS, 2 * MS, 1, "crond wakes");
    check(find(nit, CROND, 1), 40 * MS, 46 * MS, 3 * MS, 2, "and again, in two turns");
    CHECK(find(nit, CROND, 2) == NULL, "what was seen of it has gone");
    CHECK_I64(find(nit, CROND, 1)->run_delay_ns, 3 * MS);
    CHECK(find(nit, CROND, 1)->voluntary == 1 && find(nit, CROND, 1)->involuntary == 1);
    check(find(nit, 8, 0), 20 * MS, 30 * MS, 2 * MS, 1, "a CPU without records");
    check(find(nit, 0, 0), 70 * MS, 71 * MS, MS, 1, "without a name");
    CHECK_STR(nit->threads[find(nit, 0, 0)->thread].name, NOISE_JOIN_UNNAMED);
    CHECK_I64(exact->len, 9); /* turns that are not idle */
    uint64_t before = 0;
    for (size_t i = 0; i < nit->num_activities; i++) {
        CHECK(nit->activities[i].to >= before, "by their ends");
        before = nit->activities[i].to;
    }
}

/* The rank was seen for 94 ms in all, 79 of them in the records: 15 before, or behind them. */
static void what_is_not_recorded_stays(void)
{
    g_autoptr(noise_nit) nit = watched();
    const noise_join_cpu cpu = {.cpu = 0, .n = G_N_ELEMENTS(TURNS), .slice = TURNS};
    g_autoptr(GArray) exact = noise_join_take_records(nit, NULL, &cpu, 1);
    uint64_t sum = 0;
    for (size_t i = 0; find(nit, RANK, i) != NULL; i++) {
        sum += find(nit, RANK, i)->cpu_ns;
    }
    CHECK_I64(sum, 94 * MS);
    CHECK(exact->len > 0);
}

/* A hole from 22 ms to 60: what was seen of crond ran there, less what the records have. */
static void holes_are_filled_with_what_was_seen(void)
{
    static const noise_switch HOLED[] = {TURN(5, 20, RANK, false), TURN(20, 22, CROND, true),
                                         TURN(60, 95, RANK, false)};
    g_autoptr(noise_nit) nit = watched();
    const noise_join_cpu cpu = {.cpu = 0, .n = G_N_ELEMENTS(HOLED), .slice = HOLED};
    g_autoptr(GArray) exact = noise_join_take_records(nit, NULL, &cpu, 1);
    check(find(nit, CROND, 0), 20 * MS, 22 * MS, 2 * MS, 1, "recorded");
    check(find(nit, CROND, 1), 22 * MS, 60 * MS, 3 * MS, 0, "seen");
    CHECK_I64(exact->len, 3);
}

/* Sweeps that tell nothing apart saw crond once, from 15 ms to 100: three turns, of which the
 * records have all, and 40 us that went into switching. */
static void what_switching_took_is_no_activity(void)
{
    g_autoptr(noise_nit) nit = watched();
    for (size_t i = 0; i < nit->num_activities; i++) {
        noise_nit_activity *a = &nit->activities[i];
        if (nit->threads[a->thread].tid == CROND) {
            a->from = 15 * MS;
            a->to = 100 * MS;
            a->cpu_ns += 40000;
            a->slices = 3;
        }
    }
    any_nit_sort(nit);
    const noise_join_cpu cpu = {.cpu = 0, .n = G_N_ELEMENTS(TURNS), .slice = TURNS};
    g_autoptr(GArray) exact = noise_join_take_records(nit, NULL, &cpu, 1);
    CHECK(exact->len > 0 && find(nit, CROND, 1) != NULL && find(nit, CROND, 2) == NULL);
}

/* In traces everybody stands where he was, to the nanosecond. */
static void the_timeline_is_that_of_the_records(void)
{
    g_autoptr(noise_nit) nit = watched();
    const noise_join_cpu cpu = {.cpu = 0, .n = G_N_ELEMENTS(TURNS), .slice = TURNS};
    g_autoptr(GArray) exact = noise_join_take_records(nit, NULL, &cpu, 1);
    g_autoptr(noise_activity) activity = noise_activity_new(nit, NULL, 0);
    g_autoptr(noise_activity_trace) trace = noise_activity_trace_new_exact(
        activity, NULL, 0, (const noise_exact *)(void *)exact->data, exact->len);
    static const uint64_t WANT[][2] = {{20, 22}, {40, 41}, {44, 46}, {70, 71}};
    const noise_timeline *line = trace->timeline;
    CHECK_I64(line->first[1], G_N_ELEMENTS(WANT));
    for (size_t i = 0; i < line->first[1] && i < G_N_ELEMENTS(WANT); i++) {
        CHECK_I64(line->piece[i].begin, WANT[i][0] * MS, "piece %zu", i);
        CHECK_I64(line->piece[i].end, WANT[i][1] * MS, "piece %zu", i);
    }
    for (size_t r = 0; r < activity->num_rows; r++) {
        const noise_activity_row *row = &activity->rows[r];
        if (g_strcmp0(row->name, "crond") == 0) {
            CHECK_I64(row->activations, 2);
            CHECK_I64(row->most_activations, 2);
            CHECK_I64(row->max_ns, 3 * MS);
        }
    }
}

SUITE_MAIN("join_records", TEST(wake_ups_stand_in_place_of_what_was_seen),
           TEST(what_is_not_recorded_stays), TEST(holes_are_filled_with_what_was_seen),
           TEST(what_switching_took_is_no_activity), TEST(the_timeline_is_that_of_the_records))
