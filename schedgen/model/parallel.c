/* schedgen/model/parallel.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_parallel. */
#include "model/parallel_private.h"

#include <glib.h>

static gint wanted; /* sched_parallel_use() */

typedef struct team {
    sched_parallel_task *task;
    void *data;
    uint32_t n;
    gint next;
    gint failed;
} team;

typedef struct member {
    team *team;
    uint32_t number;
    GThread *thread;
} member;

static void *work(void *opaque)
{
    const member *m = opaque;
    team *t = m->team;
    while (g_atomic_int_get(&t->failed) == 0) {
        const uint32_t i = (uint32_t)g_atomic_int_add(&t->next, 1);
        if (i >= t->n) {
            break;
        }
        if (!t->task(t->data, i, m->number)) {
            g_atomic_int_set(&t->failed, 1);
        }
    }
    return NULL;
}

void sched_parallel_use(uint32_t threads)
{
    g_atomic_int_set(&wanted, (gint)threads);
}

uint32_t sched_parallel_threads(uint32_t n)
{
    const uint32_t asked = (uint32_t)g_atomic_int_get(&wanted);
    const uint32_t threads = asked > 0 ? asked : g_get_num_processors();
    return MIN(MIN(threads, SCHED_PARALLEL_MOST), n);
}

bool sched_parallel_do(uint32_t n, sched_parallel_task *task, void *data)
{
    team t = {.task = task, .data = data, .n = n};
    const uint32_t threads = sched_parallel_threads(n);
    member members[SCHED_PARALLEL_MOST] = {{.team = &t}};
    uint32_t started = 1; /* the caller is one of them */
    while (started < threads) {
        member *m = &members[started];
        *m = (member){.team = &t, .number = started};
        m->thread = g_thread_try_new("record", work, m, NULL);
        if (m->thread == NULL) {
            break; /* then fewer do it */
        }
        started++;
    }
    (void)work(&members[0]);
    for (uint32_t i = 1; i < started; i++) {
        (void)g_thread_join(members[i].thread);
    }
    return t.failed == 0;
}
