/* apps/ripple/monitor/fixed_work.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_fwq_judge. */
#include "monitor/fixed_work.h"

#include <glib.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

enum { TRIALS = 5, FIRST_STEPS = 1000000 };

typedef struct order {
    uint32_t cpu;
    uint64_t quantum_ns, time_ns;
    app_fixed_work *out;
} order;

static uint64_t now(clockid_t id)
{
    struct timespec t;
    (void)clock_gettime(id, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t work(uint64_t steps)
{
    uint64_t x = 1;
    for (uint64_t i = 0; i < steps; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        __asm__ volatile("" : "+r"(x)); /* each step is done */
    }
    return x;
}

/* By CPU time, which others do not lengthen. */
static uint64_t calibrate(uint64_t quantum_ns)
{
    uint64_t steps = FIRST_STEPS;
    for (int i = 0; i < TRIALS; i++) {
        const uint64_t before = now(CLOCK_THREAD_CPUTIME_ID);
        (void)work(steps);
        const uint64_t took = MAX(now(CLOCK_THREAD_CPUTIME_ID) - before, 1);
        steps = MAX((uint64_t)((double)steps * (double)quantum_ns / (double)took), 1);
    }
    return steps;
}

static gpointer run(gpointer data)
{
    const order *o = data;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(o->cpu, &set);
    (void)sched_setaffinity(0, sizeof set, &set);
    o->out->tid = (uint32_t)gettid();
    const uint64_t steps = calibrate(o->quantum_ns);
    g_autoptr(GArray) quanta = g_array_new(FALSE, FALSE, sizeof(app_quantum));
    uint64_t begin = now(CLOCK_MONOTONIC);
    uint64_t used = now(CLOCK_THREAD_CPUTIME_ID);
    for (const uint64_t until = begin + o->time_ns; begin < until;) {
        (void)work(steps);
        const uint64_t used_now = now(CLOCK_THREAD_CPUTIME_ID);
        const app_quantum q = {begin, now(CLOCK_MONOTONIC), used_now - used};
        g_array_append_val(quanta, q);
        begin = q.end;
        used = used_now;
    }
    gsize n;
    o->out->quanta = g_array_steal(quanta, &n);
    o->out->n = n;
    return NULL;
}

void app_fixed_work_run(uint32_t cpu, uint64_t quantum_ns, uint64_t time_ns, app_fixed_work *out)
{
    *out = (app_fixed_work){0};
    order o = {cpu, quantum_ns, time_ns, out};
    (void)g_thread_join(g_thread_new("ripple-fwq", run, &o));
}

void app_fixed_work_clear(app_fixed_work *work)
{
    g_free(work->quanta);
    *work = (app_fixed_work){0};
}
