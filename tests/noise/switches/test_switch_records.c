/* tests/noise/switches/test_switch_records.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Against this kernel, where it lets us. How long something takes is never judged. */
#include "check.h"
#include "noise/switches.h"

#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROOM = 256 };

static uint64_t now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
}

static void rest(void)
{
    const struct timespec moment = {0, 1000000};
    (void)nanosleep(&moment, NULL);
}

/* A sleep is an interval within what the clock says around it, and not a preemption. */
static void own_sleeps_are_seen_by_the_own_clock(void)
{
    noise_switches *s = noise_switches_open(0, -1, 8);
    if (s == NULL) {
        SKIP_TEST("%s", noise_switches_refusal(errno, true));
    }
    noise_switch got[ROOM];
    uint64_t lost = 0;
    (void)noise_switches_drain(s, got, ROOM, &lost);
    for (int i = 0; i < 5; i++) {
        const uint64_t from = now();
        rest();
        const uint64_t to = now();
        const size_t n = noise_switches_drain(s, got, ROOM, &lost);
        bool slept = false;
        for (size_t k = 0; k < n; k++) {
            CHECK(got[k].out <= got[k].in);
            slept |= !got[k].preempted && got[k].out >= from && got[k].in <= to;
        }
        CHECK(slept, "sleep %d, %zu intervals", i, n);
    }
    CHECK_I64(lost, 0);
    noise_switches_close(s);
}

static void a_ring_that_is_not_drained_says_so(void)
{
    noise_switches *s = noise_switches_open(0, -1, 1);
    if (s == NULL) {
        SKIP_TEST("%s", noise_switches_refusal(errno, true));
    }
    CHECK_I64(s->pages, 1);
    const struct timespec moment = {0, 1000};
    bool was_filling = false;
    for (int i = 0; i < 200; i++) { /* 4096 bytes are 64 pairs of records */
        (void)nanosleep(&moment, NULL);
        was_filling |= i < 64 && noise_switches_filling(s);
    }
    CHECK(was_filling);
    noise_switch got[ROOM];
    uint64_t lost = 0;
    CHECK(noise_switches_drain(s, got, ROOM, &lost) <= 64);
    CHECK(!noise_switches_filling(s));
    for (int i = 0; i < 2; i++) { /* the next record says what was missing before it */
        (void)nanosleep(&moment, NULL);
    }
    (void)noise_switches_drain(s, got, ROOM, &lost);
    CHECK(lost >= 100, "lost %d", (int)lost);
    noise_switches_close(s);
}

/* The kernel does not pass the ring on: the child must not touch it. */
static void a_child_leaves_the_ring_alone(void)
{
    noise_switches *s = noise_switches_open(0, -1, 0);
    if (s == NULL) {
        SKIP_TEST("%s", noise_switches_refusal(errno, true));
    }
    const pid_t child = fork();
    if (child == 0) {
        noise_switch got[4];
        const size_t n = noise_switches_drain(s, got, 4, NULL);
        noise_switches_close(s);
        _exit(n == 0 ? 0 : 1);
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK_I64(status, 0);
    noise_switches_close(s);
}

/* While this thread is on a CPU, its slices there are in the record of that CPU. */
static void a_cpu_shows_this_thread(void)
{
    cpu_set_t before, one;
    CHECK(sched_getaffinity(0, sizeof before, &before) == 0);
    const int cpu = sched_getcpu();
    noise_switches *s = noise_switches_open(0, cpu, 16);
    if (s == NULL) {
        SKIP_TEST("%s", noise_switches_refusal(errno, false));
    }
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    CHECK(sched_setaffinity(0, sizeof one, &one) == 0);
    noise_switch got[ROOM];
    (void)noise_switches_drain(s, got, ROOM, NULL);
    const uint64_t from = now();
    rest();
    const uint64_t to = now();
    rest();
    rest();
    bool seen = false;
    size_t n;
    do {
        n = noise_switches_drain(s, got, ROOM, NULL);
        for (size_t i = 0; i < n; i++) {
            CHECK_I64(got[i].cpu, cpu);
            seen |= got[i].next_tid == (uint32_t)syscall(SYS_gettid) && got[i].in > from &&
                    got[i].out < to;
        }
    } while (n == ROOM);
    CHECK(seen);
    (void)sched_setaffinity(0, sizeof before, &before);
    noise_switches_close(s);
}

static void refusals_have_words(void)
{
    errno = 0;
    CHECK(noise_switches_open(0, 1 << 20, 1) == NULL); /* there is no such CPU */
    CHECK(errno != 0);
    static const int CODES[] = {EACCES, EPERM, ENOSYS, EINVAL, EMFILE, ENODEV, ESRCH, ENOMEM, EIO};
    for (size_t i = 0; i < G_N_ELEMENTS(CODES); i++) {
        CHECK(strlen(noise_switches_refusal(CODES[i], i % 2 == 0)) > 10);
    }
}

SUITE_MAIN("switch_records", TEST(own_sleeps_are_seen_by_the_own_clock),
           TEST(a_ring_that_is_not_drained_says_so), TEST(a_child_leaves_the_ring_alone),
           TEST(a_cpu_shows_this_thread), TEST(refusals_have_words))
