/* noise/selfish.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The selfish detour benchmark: a tight loop reads the clock and records every gap above a
 * threshold. docs/noise.md, section 6.
 */
#pragma once

#include "noise/error.h"
#include "sim/time.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct noise_selfish_options {
    const char *cpus; /* "0-3,8" or a hexadecimal mask; NULL: all that the process may use */
    sim_time time;    /* stop after this time */
    uint64_t events;  /* stop after so many detours on one CPU; 0: no limit */
    double factor;    /* threshold = factor * t_min, but at least floor */
    sim_time floor;
} noise_selfish_options;
void noise_selfish_options_init(noise_selfish_options *options); /* 10 s, 100000, 9, 100 ns */

typedef struct noise_selfish_cpu {
    uint32_t cpu;   /* as the kernel numbers it */
    sim_time t_min; /* robust minimum of one iteration */
    sim_time threshold;
    sim_time duration; /* of the loop: what the share refers to */
    uint64_t iterations;
    uint64_t raised; /* how often the threshold had to be raised */
    size_t n;
    sim_time *start;  /* [n] since the loop began. Loops begin at once on all CPUs; one whose
                       * threshold has to be raised begins again */
    sim_time *length; /* [n] time stolen: gap - t_min */
} noise_selfish_cpu;

typedef struct noise_selfish_result {
    char *clock; /* "tsc (rdtscp)", "tsc (lfence, rdtsc)", "cntvct", "clock_gettime" */
    double ticks_per_second;
    double drift_ppm; /* calibration at the end against that at the beginning */
    size_t num_cpus;
    noise_selfish_cpu *cpus;
    bool valid;
    char *verdict;    /* lines: "valid", or "not valid: ..." for each reason; then "note: ..." */
    char *provenance; /* JSON object: host, kernel, command line, governor, … */
} noise_selfish_result;

/** Measure. Blocks for about options->time + 2 s. @return owned by the caller, or NULL */
noise_selfish_result *noise_selfish_run(const noise_selfish_options *options, GError **error);
void noise_selfish_result_free(noise_selfish_result *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_selfish_result, noise_selfish_result_free)

/** Netgauge-compatible text, one run per CPU, under a JSON header. Owned by the caller. */
char *noise_selfish_to_text(const noise_selfish_result *result);

G_END_DECLS
