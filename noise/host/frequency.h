/* host/frequency.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How fast the core ran: the processor's counters APERF, which runs with the core's clock, and
 * MPERF, which runs at the nominal rate while the core is not idle. Of the own thread, through
 * perf_event_open(2), where the kernel has them ("msr" events) and allows it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct noise_frequency {
    int aperf; /* descriptors; -1: cannot be had */
    int mperf;
} noise_frequency;

/** Both, or none. By the thread whose core is of interest. */
noise_frequency noise_frequency_open(const char *root);
void noise_frequency_close(noise_frequency *frequency);

typedef struct noise_frequency_counts {
    uint64_t aperf;
    uint64_t mperf;
    bool known;
} noise_frequency_counts;
/** Some 2 us. */
noise_frequency_counts noise_frequency_read(const noise_frequency *frequency);
/** Mean clock from @p a to @p b over the nominal one, 0.7 or 1.3; 0: not known. */
double noise_frequency_ratio(const noise_frequency_counts *a, const noise_frequency_counts *b);

/** The event "event=0x01" of @p root/sys/bus/event_source/devices/msr/events/@p name, or -1. */
int64_t noise_frequency_event(const char *root, const char *name);
