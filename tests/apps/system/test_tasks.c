/* tests/apps/system/test_tasks.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "system/tasks.h"

#include "check.h"

#include <glib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TASKS = 1000, MOST = 7 };

typedef struct record {
    gint done[TASKS];
    gint at_once;
    gint most;
} record;

static void count(void *data, size_t i)
{
    record *l = data;
    const gint now = g_atomic_int_add(&l->at_once, 1) + 1;
    gint most = g_atomic_int_get(&l->most);
    while (now > most && !g_atomic_int_compare_and_exchange(&l->most, most, now)) {
        most = g_atomic_int_get(&l->most);
    }
    g_atomic_int_inc(&l->done[i]);
    g_thread_yield();
    g_atomic_int_add(&l->at_once, -1);
}

static void every_task_is_done_once_and_no_more_of_them_at_once(void)
{
    static const size_t NUMBERS[] = {0, 1, MOST - 1, TASKS};
    for (unsigned threads = 1; threads <= MOST; threads++) {
        for (size_t k = 0; k < G_N_ELEMENTS(NUMBERS); k++) {
            record l = {.at_once = 0};
            app_tasks_do(NUMBERS[k], threads, count, &l);
            for (size_t i = 0; i < TASKS; i++) {
                CHECK_I64(l.done[i], i < NUMBERS[k], "%u threads, task %zu", threads, i);
            }
            CHECK(l.most <= (gint)threads);
        }
    }
}

static unsigned own_threads(void)
{
    unsigned n = 0;
    g_autoptr(GDir) tasks = g_dir_open("/proc/self/task", 0, NULL);
    g_assert_nonnull(tasks);
    while (g_dir_read_name(tasks) != NULL) {
        n++;
    }
    return n;
}

/* A pool's threads linger, and what forks meanwhile inherits the locks that they hold. */
static void nobody_is_left_who_could_hold_a_lock(void)
{
    const unsigned before = own_threads();
    for (int round = 0; round < 20; round++) {
        record l = {.at_once = 0};
        app_tasks_do(TASKS, MOST, count, &l);
        const pid_t child = fork();
        if (child == 0) {
            for (size_t i = 0; i < TASKS; i++) {
                g_free(g_malloc(i));
            }
            _exit(0);
        }
        int status = -1;
        CHECK(waitpid(child, &status, 0) == child && status == 0);
    }
    for (int i = 0; i < 1000 && own_threads() > before; i++) {
        g_usleep(10000); /* the kernel lists a thread for a moment after it was joined */
    }
    CHECK_I64(own_threads(), before);
}

SUITE_MAIN("tasks", TEST(every_task_is_done_once_and_no_more_of_them_at_once),
           TEST(nobody_is_left_who_could_hold_a_lock))
