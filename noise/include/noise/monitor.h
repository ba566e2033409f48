/* noise/monitor.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Watches this node: which threads run, for how long, on which CPU, by the scheduler's counters in
 * /proc. Needs no privilege. Writes what it sees to a file that noise/nit.h reads; docs/monitor.md.
 */
#pragma once

#include "noise/nit.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct noise_monitor_options {
    const char *path; /* of the file */
    const char *proc; /* "/proc"; another folder in tests */
    noise_nit_mode mode;
    double budget; /* BUDGET: share of one CPU, 0.0001..1 */
    double rate;   /* RATE: sweeps per second, 0.1..100000 */
    uint32_t cpu;  /* DEDICATED: it stays there and never sleeps */
    /** These processes and all that they start are the application. What the calling process
     * starts is part of it, too; its own threads are the monitor's. */
    size_t num_roots;
    const uint32_t *roots;
} noise_monitor_options;
/** "/proc", 1 % of a CPU, no path. */
void noise_monitor_options_init(noise_monitor_options *options);

typedef struct noise_monitor noise_monitor; /* a watch that is going on */

/**
 * Begin to watch, in threads of its own, which take no signals. The file is there, with its header,
 * and the threads that are there have been noted, when this returns.
 * @return owned by the caller, to be ended by noise_monitor_stop(); NULL with NOISE_ERROR_MEASURE
 *   or G_FILE_ERROR
 */
noise_monitor *noise_monitor_start(const noise_monitor_options *options, GError **error);
/** From now on also this process and all that it starts is the application. Any thread. */
void noise_monitor_add_root(noise_monitor *monitor, uint32_t pid);
/** Note an instant, now, in the file. Any thread; up to 255 bytes. */
void noise_monitor_mark(noise_monitor *monitor, const char *text);
/**
 * End the watch; frees @p monitor in any case.
 * @return the file is complete; else G_FILE_ERROR says what went wrong while it was written
 */
bool noise_monitor_stop(noise_monitor *monitor, GError **error);

G_END_DECLS
