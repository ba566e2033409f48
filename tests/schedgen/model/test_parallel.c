/* tests/schedgen/model/test_parallel.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/parallel_private.h"

#include "check.h"

enum { TASKS = 1000 };

typedef struct tasks {
    gint done[TASKS];
    gint by[SCHED_PARALLEL_MOST]; /* tasks of each thread */
    uint32_t fails_from;
} tasks;

static bool count(void *data, uint32_t i, uint32_t thread)
{
    tasks *t = data;
    g_atomic_int_inc(&t->by[thread]);
    g_atomic_int_inc(&t->done[i]);
    return i < t->fails_from;
}

static void all_are_done_once(void)
{
    static tasks t = {.fails_from = TASKS};
    CHECK(sched_parallel_do(TASKS, count, &t));
    for (uint32_t i = 0; i < TASKS; i++) {
        CHECK_I64(t.done[i], 1, "task %u", i);
    }
    CHECK(sched_parallel_do(0, count, &t));
}

static void all_before_a_failure_are_done(void)
{
    static tasks t = {.fails_from = 500};
    CHECK(!sched_parallel_do(TASKS, count, &t));
    for (uint32_t i = 0; i <= t.fails_from; i++) {
        CHECK_I64(t.done[i], 1, "task %u", i);
    }
    CHECK_I64(t.done[TASKS - 1], 0);
}

static void threads_have_numbers_below_their_count(void)
{
    static const uint32_t THREADS[] = {1, 3, SCHED_PARALLEL_MOST, SCHED_PARALLEL_MOST + 1};
    for (size_t k = 0; k < G_N_ELEMENTS(THREADS); k++) {
        tasks t = {.fails_from = TASKS};
        gint all = 0;
        sched_parallel_use(THREADS[k]);
        const uint32_t threads = sched_parallel_threads(TASKS);
        CHECK_I64(threads, MIN(THREADS[k], SCHED_PARALLEL_MOST));
        CHECK_I64(sched_parallel_threads(1), 1);
        CHECK(sched_parallel_do(TASKS, count, &t));
        for (uint32_t i = 0; i < threads; i++) {
            all += t.by[i];
        }
        CHECK_I64(all, TASKS, "%u threads", threads);
    }
    sched_parallel_use(0);
}

SUITE_MAIN("parallel", TEST(all_are_done_once), TEST(all_before_a_failure_are_done),
           TEST(threads_have_numbers_below_their_count))
