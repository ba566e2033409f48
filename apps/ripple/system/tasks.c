/* apps/ripple/system/tasks.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_tasks. */
#include "system/tasks.h"

#include <glib.h>

typedef struct tasks {
    app_task *task;
    void *data;
    size_t n;
    GMutex mutex;
    size_t next; /* guarded by mutex: tasks take long, and 2^31 may be too few */
} tasks;

static size_t take(tasks *t)
{
    g_mutex_lock(&t->mutex);
    const size_t i = t->next;
    t->next += i < t->n;
    g_mutex_unlock(&t->mutex);
    return i;
}

static void *work(void *opaque)
{
    tasks *t = opaque;
    for (size_t i = take(t); i < t->n; i = take(t)) {
        t->task(t->data, i);
    }
    return NULL;
}

void app_tasks_do(size_t n, unsigned at_once, app_task *task, void *data)
{
    tasks t = {.task = task, .data = data, .n = n};
    g_autoptr(GPtrArray) threads = g_ptr_array_new();
    g_mutex_init(&t.mutex);
    while (threads->len < MIN(at_once, n)) {
        GThread *thread = g_thread_try_new("tasks", work, &t, NULL);
        if (thread == NULL) {
            break;
        }
        g_ptr_array_add(threads, thread);
    }
    if (threads->len == 0) {
        (void)work(&t);
    }
    for (guint i = 0; i < threads->len; i++) {
        (void)g_thread_join(g_ptr_array_index(threads, i));
    }
    g_mutex_clear(&t.mutex);
}
