/* apps/ripple/monitor/long_watch.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * May this node be watched for 10 h? What a watch of some minutes takes, and what it would take by
 * then: a line through its memory and through its file. docs/monitor.md, section 4.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** At one instant of a watch. */
typedef struct app_long_sample {
    double s;            /* since it began */
    double memory_bytes; /* of this process, resident */
    double file_bytes;
} app_long_sample;

typedef struct app_long_watch {
    double s;          /* it lasted */
    double cpu_share;  /* of one CPU, that it took */
    double budget;     /* that it was allowed */
    double sweep_ms;   /* that a sweep took in the mean */
    double sweeps;     /* a second */
    unsigned threads;  /* that were there at most */
    double memory;     /* bytes at the end */
    double memory_10h; /* by the line through the second half, with twice its standard error */
    double file_hour;  /* bytes an hour in the second half */
} app_long_watch;

enum { APP_LONG_LEAST = 8 }; /* samples that a line needs */

/** Fill in memory and file. @param sample [n >= APP_LONG_LEAST] by time */
void app_long_watch_fit(app_long_watch *watch, const app_long_sample *sample, size_t n);
/** CPU time within a tenth above the budget, memory below 64 MiB in 10 h, the file below 10 MB an
 * hour, sweeps below 1 ms for each 1,000 threads (1,000 at the least). */
bool app_long_watch_passed(const app_long_watch *watch);
void app_long_watch_print(const app_long_watch *watch, FILE *out);
