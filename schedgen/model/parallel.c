/* schedgen/model/parallel.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_parallel. */
#include "model/parallel_private.h"

#include <glib.h>

enum { MOST_THREADS = 8 };

typedef struct team {
    bool (*task)(void *data, uint32_t i);
    void *data;
    uint32_t n;
    gint next;
    gint failed;
} team;

static void *work(void *opaque)
{
    team *t = opaque;
    while (g_atomic_int_get(&t->failed) == 0) {
        const uint32_t i = (uint32_t)g_atomic_int_add(&t->next, 1);
        if (i >= t->n) {
            break;
        }
        if (!t->task(t->data, i)) {
            g_atomic_int_set(&t->failed, 1);
        }
    }
    return NULL;
}

bool sched_parallel_do(uint32_t n, bool (*task)(void *data, uint32_t i), void *data)
{
    team t = {.task = task, .data = data, .n = n};
    const uint32_t threads = MIN(MIN(g_get_num_processors(), MOST_THREADS), n);
    GThread *others[MOST_THREADS];
    uint32_t started = 0;
    while (started + 1 < threads) {
        others[started] = g_thread_try_new("reader", work, &t, NULL);
        if (others[started] == NULL) {
            break; /* then fewer do it */
        }
        started++;
    }
    (void)work(&t);
    for (uint32_t i = 0; i < started; i++) {
        (void)g_thread_join(others[i]);
    }
    return t.failed == 0;
}
