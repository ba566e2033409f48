/* bench/burner.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A culprit to be found: computes for so many us of its own CPU time every so many us, pinned to
 * one CPU, until it is killed or so many s are over; then it prints the CPU time that it had, s.
 * Usage: burner CPU BURST PERIOD SECONDS
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long long now(clockid_t clock)
{
    struct timespec t;
    (void)clock_gettime(clock, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        (void)fprintf(stderr, "usage: burner CPU BURST_US PERIOD_US SECONDS\n");
        return 2;
    }
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)strtol(argv[1], NULL, 10), &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) {
        perror("burner: sched_setaffinity");
        return 1;
    }
    const long long burst = strtoll(argv[2], NULL, 10) * 1000;
    const long long period = strtoll(argv[3], NULL, 10) * 1000;
    const long long begin = now(CLOCK_MONOTONIC);
    const long long end = begin + strtoll(argv[4], NULL, 10) * 1000000000LL;
    for (long long next = begin; next < end && now(CLOCK_MONOTONIC) < end; next += period) {
        const struct timespec at = {next / 1000000000, next % 1000000000};
        (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
        for (const long long from = now(CLOCK_THREAD_CPUTIME_ID);
             now(CLOCK_THREAD_CPUTIME_ID) - from < burst;) {
        }
    }
    printf("%.3f\n", (double)now(CLOCK_PROCESS_CPUTIME_ID) / 1e9);
    return 0;
}
