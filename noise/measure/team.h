/* noise/measure/team.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Threads that measure together, one bound to each CPU: they prepare, begin at one tick, and keep
 * their CPUs busy until the last has finished. What they do in between is a method.
 */
#pragma once

#include "measure/clock.h"
#include "measure/watch.h"
#include "noise/measurement.h"

#include <hwloc.h>

typedef struct noise_team noise_team;

/** One CPU. Lives through all windows; the threads do not. */
typedef struct noise_member {
    noise_team *team;
    uint32_t cpu;
    noise_watch watch;
    int64_t begin, end; /* CLOCK_MONOTONIC ns of .first_tick and .last_tick */
    uint64_t first_tick;
    uint64_t last_tick;
    void *state; /* the method's, NULL at first */
} noise_member;

/** A benchmark. Everything is called on the member's thread, bound to its CPU, unless said. */
typedef struct noise_method_class {
    /** Buffers, calibration. In later windows the state is there already. */
    void (*prepare)(noise_member *member);
    /** Wait for tick @p start and measure; sets first_tick and last_tick. */
    void (*run)(noise_member *member, uint64_t start);
    /** What the last run measured, by the calling thread; @p out has cpu, begin, end, duration. */
    void (*convert)(const noise_member *member, double ticks_per_second,
                    noise_measurement_cpu *out);
    /** Frees the state; by the calling thread. */
    void (*clear)(noise_member *member);
} noise_method_class;

extern const noise_method_class noise_method_selfish;
extern const noise_method_class noise_method_fwq;
extern const noise_method_class noise_method_ftq;

/** Constant while threads run. */
struct noise_team {
    const noise_measurement_options *options;
    const noise_method_class *method;
    hwloc_topology_t topology;
    noise_clock clock;
    double ticks_per_second;
    size_t capacity; /* selfish: gaps of each; FWQ, FTQ: samples of each */
};

uint64_t noise_team_ticks(const noise_team *team, sim_time time);
/** Until @p tick. On a member's thread. */
void noise_team_wait(const noise_team *team, uint64_t tick);

/**
 * One window of @p members [n], one thread each.
 * @param start_at CLOCK_REALTIME ns, or 0: as soon as all are ready
 * @param began [out] CLOCK_REALTIME ns of the common start
 * @return false with NOISE_ERROR_MEASURE if threads cannot be had
 */
bool noise_team_run(noise_team *team, noise_member *members, size_t n, int64_t start_at,
                    int64_t *began, GError **error);
