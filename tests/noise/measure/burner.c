/* tests/noise/measure/burner.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A program that takes a CPU away at known times: burner CPU EVERY-US BURST-US SECONDS. Each burst
 * is a busy wait of so much CPU time, begun at multiples of EVERY-US of CLOCK_MONOTONIC; EVERY-US 0
 * never waits. Where it is allowed, it goes before all normal programs (SCHED_FIFO). At its end it
 * prints JSON: the bursts it made, when the first and the last began (ns), and whether it was FIFO.
 */
#include <inttypes.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int64_t now_on(clockid_t clock)
{
    struct timespec t;
    (void)clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void burn(int64_t ns)
{
    const int64_t end = now_on(CLOCK_THREAD_CPUTIME_ID) + ns;
    while (now_on(CLOCK_THREAD_CPUTIME_ID) < end) {
    }
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: burner CPU EVERY-US BURST-US SECONDS\n");
        return 2;
    }
    const int64_t every = strtoll(argv[2], NULL, 10) * 1000;
    const int64_t burst = strtoll(argv[3], NULL, 10) * 1000;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(strtoul(argv[1], NULL, 10), &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) {
        perror("burner: sched_setaffinity");
        return 1;
    }
    const struct sched_param priority = {.sched_priority = 1};
    const bool fifo = every > 0 && sched_setscheduler(0, SCHED_FIFO, &priority) == 0;
    const int64_t begin = now_on(CLOCK_MONOTONIC);
    const int64_t end = begin + strtoll(argv[4], NULL, 10) * 1000000000;
    int64_t next = every > 0 ? (begin / every + 1) * every : begin;
    const int64_t first = next;
    int64_t last = next;
    uint64_t bursts = 0;
    while (next < end) {
        if (every > 0) {
            const struct timespec at = {next / 1000000000, next % 1000000000};
            while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) != 0) {
            }
        }
        burn(burst);
        last = next;
        bursts++;
        next = every > 0 ? next + every : now_on(CLOCK_MONOTONIC);
    }
    printf("{\"bursts\": %" PRIu64 ", \"first_ns\": %" PRId64 ", \"last_ns\": %" PRId64
           ", \"fifo\": %s}\n",
           bursts, first, last, fifo ? "true" : "false");
    return 0;
}
