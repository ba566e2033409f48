/* noise/measurement.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Measuring the noise of this machine by one of three benchmarks: selfish detour (a tight loop
 * reads the clock and records every gap above a threshold), fixed work quantum, fixed time
 * quantum. docs/noise.md, section 6.
 */
#pragma once

#include "noise/detour_file.h"
#include "noise/error.h"
#include "sim/time.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum {
    NOISE_METHOD_SELFISH,
    NOISE_METHOD_FWQ, /* how long does the same work take, again and again? */
    NOISE_METHOD_FTQ, /* how much work is done in each of equal intervals? */
} noise_method;

/** What FWQ computes. */
typedef enum {
    NOISE_KERNEL_MULTIPLY, /* a chain of dependent integer multiplications: no memory, no SIMD */
    NOISE_KERNEL_FMA,      /* a chain of dependent multiplications and additions of doubles */
    NOISE_KERNEL_DAXPY,    /* y += a x of 1,024 doubles: in the first-level cache */
    NOISE_KERNEL_MEMORY,   /* a walk through 8 MiB in random order: caches, memory, pages */
} noise_kernel;

typedef struct noise_measurement_options {
    noise_method method;
    const char *cpus;    /* "0-3,8" or a hexadecimal mask; NULL: all that the process may use */
    sim_time time;       /* a window ends after this time */
    uint32_t windows;    /* 1..100: measure so often; the one with the least noise is kept */
    bool one_by_one;     /* one CPU after the other, not all at once */
    uint64_t events;     /* selfish: a window ends after so many detours on one CPU; 0: no limit */
    double factor;       /* selfish: threshold = factor * t_min, but at least floor */
    sim_time floor;      /* selfish */
    sim_time quantum;    /* FWQ: undisturbed time of the work [1 ms]; FTQ: the interval [100 us];
                          * 0: that */
    uint64_t samples;    /* FWQ, FTQ: a window ends after so many quanta; 0: the time decides */
    noise_kernel kernel; /* FWQ */
    int64_t start_at;    /* CLOCK_REALTIME ns at which the first window begins; 0: when ready */
} noise_measurement_options;
/** Selfish, one window of 10 s, 100000 events, 9, 100 ns; samples and quantum 0. */
void noise_measurement_options_init(noise_measurement_options *options);

/** One CPU in one window. What a method does not measure is 0 or NULL. */
typedef struct noise_measurement_cpu {
    uint32_t cpu;        /* as the kernel numbers it */
    uint32_t tid;        /* of the thread that measured there, likewise */
    sim_time t_min;      /* selfish: robust minimum of one iteration; FWQ: shortest quantum;
                          * FTQ: of one unit of work */
    sim_time threshold;  /* selfish */
    sim_time duration;   /* of the loop: what the share refers to */
    int64_t begin, end;  /* CLOCK_MONOTONIC ns of this node, when the loop began and ended */
    uint64_t iterations; /* selfish: of the loop; FWQ: of the kernel in a quantum */
    uint64_t raised;     /* selfish: how often the threshold had to be raised */
    size_t n;            /* selfish: detours */
    sim_time *start;     /* [n] since the loop began. Loops begin at once on all CPUs; one whose
                          * threshold has to be raised begins again */
    sim_time *length;    /* [n] time stolen: gap - t_min */
    uint8_t *class_of;   /* [n] index into the measurement's classes; NULL: not classified */
    size_t num_samples;  /* FWQ, FTQ: quanta */
    sim_time *quantum;   /* [num_samples] FWQ: how long each took, one right after the other */
    uint64_t *work;      /* [num_samples] FTQ: units done in each interval. All intervals are
                          * equal: duration / num_samples */
    double most_work;    /* FTQ: what an undisturbed interval holds: the 99.9th percentile */
} noise_measurement_cpu;

/** What one of several windows found. */
typedef struct noise_measurement_window {
    int64_t begin; /* CLOCK_REALTIME ns */
    double share;  /* of the time of all its CPUs, 0..1 */
    double worst;  /* share of its noisiest CPU */
    bool valid;
    char *verdict;
} noise_measurement_window;

typedef struct noise_measurement {
    noise_measurement_options options; /* as asked for; .cpus is NULL */
    char *clock; /* "tsc (rdtscp)", "tsc (lfence, rdtsc)", "cntvct", "clock_gettime" */
    double ticks_per_second;
    double drift_ppm; /* calibration at the end against that at the beginning */
    double
        bracket_ppm; /* what the reading of the two clocks leaves uncertain in ticks_per_second */
    size_t num_windows;
    noise_measurement_window *windows;
    size_t kept; /* index: of the valid windows, or of all if none is, that with the least share */
    size_t num_cpus;
    noise_measurement_cpu *cpus; /* of the window that was kept */
    size_t num_classes;          /* 0: not classified; else <= 60 */
    noise_detour_source *classes;
    bool valid;
    char *verdict;    /* lines: "valid", or "not valid: ..." for each reason; then "note: ..." */
    char *provenance; /* JSON object: host, kernel, command line, governor, … */
} noise_measurement;

/**
 * The CPUs that options->cpus = @p cpus means here: "0-3,8". Owned by the caller; NULL with
 * NOISE_ERROR_BAD_CPUS or NOISE_ERROR_MEASURE.
 */
char *noise_measurement_list_cpus(const char *cpus, GError **error);
/** Measure. Blocks for about windows * (time + 0.2 s) + 2 s. @return owned by the caller, or NULL
 */
noise_measurement *noise_measurement_run(const noise_measurement_options *options, GError **error);
void noise_measurement_free(noise_measurement *measurement);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_measurement, noise_measurement_free)

/**
 * Share of the CPU's time that something else took, 0..1. Selfish: sum of the detours / duration;
 * FWQ: 1 - t_min / mean; FTQ: 1 - mean / most_work. O(n).
 */
double noise_measurement_cpu_share(const noise_measurement_cpu *cpu);

/** "selfish", "fwq", "ftq"; static. */
const char *noise_method_name(noise_method method);
/** What options.quantum is where it is 0. */
sim_time noise_method_quantum(noise_method method);
/** "multiply", "fma", "daxpy", "memory"; static. */
const char *noise_kernel_name(noise_kernel kernel);

/**
 * Netgauge's text of the method, one run per CPU, under one line of JSON; where detours are
 * classified, their class in a third column. docs/noise.md, section 5. Owned by the caller.
 */
char *noise_measurement_to_text(const noise_measurement *measurement);
/** As Netgauge itself writes it: two columns, no line of JSON. Owned by the caller. */
char *noise_measurement_to_netgauge(const noise_measurement *measurement);

G_END_DECLS
