/* tests/noise/host/test_presence.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "host/presence.h"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

static void bind_to(int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    CHECK_I64(sched_setaffinity(0, sizeof set, &set), 0);
}

static int64_t count_switches(void)
{
    struct rusage usage;
    (void)getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw + usage.ru_nivcsw;
}

/* Shares the CPU of the one that asks. */
static void *run_beside(void *data)
{
    gint *stop = data;
    while (!g_atomic_int_get(stop)) {
    }
    return NULL;
}

static void a_switch_is_noticed_and_only_a_switch(void)
{
    const int cpu = sched_getcpu();
    bind_to(cpu);
    gint stop = 0;
    pthread_t other;
    noise_presence p = noise_presence_begin((uint32_t)cpu);
    if (p.word == NULL) {
        SKIP_TEST("this kernel or C library has no restartable sequences");
    }
    CHECK_I64(pthread_create(&other, NULL, run_beside, &stop), 0); /* inherits the CPU */
    (void)noise_presence_ask(&p);
    int64_t seen = count_switches();
    size_t switched = 0;
    size_t wrong = 0;
    const gint64 end = g_get_monotonic_time() + G_USEC_PER_SEC;
    while (g_get_monotonic_time() < end) {
        const unsigned answer = noise_presence_ask(&p);
        const int64_t now = count_switches();
        switched += (answer & NOISE_PRESENCE_SWITCHED) != 0;
        /* a switch between the two questions is answered the next time */
        wrong += (answer & NOISE_PRESENCE_SWITCHED) != 0 && now == seen;
        seen = now;
    }
    g_atomic_int_set(&stop, 1);
    (void)pthread_join(other, NULL);
    noise_presence_end(&p);
    CHECK(switched > 2, "%zu switches in 1 s beside a thread that never waits", switched);
    CHECK(wrong <= switched / 20, "%zu of %zu answers without a switch", wrong, switched);
    CHECK_I64(p.num_moved, 0);
}

static void a_move_is_noticed(void)
{
    cpu_set_t allowed;
    (void)sched_getaffinity(0, sizeof allowed, &allowed);
    const int here = sched_getcpu();
    noise_presence p = noise_presence_begin((uint32_t)here + 1); /* it is not where it belongs */
    const unsigned answer = noise_presence_ask(&p);
    CHECK((answer & NOISE_PRESENCE_MOVED) != 0);
    CHECK(p.num_moved == 1);
    CHECK(CPU_ISSET(p.moved_to, &allowed), "%u", p.moved_to);
    noise_presence_end(&p);
    bind_to(here);
    noise_presence kept = noise_presence_begin((uint32_t)here);
    CHECK((noise_presence_ask(&kept) & NOISE_PRESENCE_MOVED) == 0);
    noise_presence_end(&kept);
}

SUITE_MAIN("presence", TEST(a_move_is_noticed), TEST(a_switch_is_noticed_and_only_a_switch))
