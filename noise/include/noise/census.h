/* noise/census.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Who used this node's CPUs between two instants: interrupts by source, threads by CPU time, as
 * the kernel counts them in /proc. Needs no privilege. It says who ran, not when: the first
 * suspects when detours are found. docs/noise.md, section 6.
 */
#pragma once

#include "sim/time.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct noise_census noise_census; /* the counters at one instant */

/**
 * Read the counters below @p proc ("/proc"; another folder in tests). Threads that vanish while
 * they are read are left out. About 10 us per thread of the node.
 * @return owned by the caller
 */
noise_census *noise_census_take(const char *proc);
void noise_census_free(noise_census *census);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_census, noise_census_free)

typedef enum { NOISE_SUSPECT_INTERRUPT, NOISE_SUSPECT_THREAD } noise_suspect_kind;

typedef struct noise_suspect {
    noise_suspect_kind kind;
    char *name;     /* "LOC: Local timer interrupts", "kworker/1:2" */
    uint32_t pid;   /* threads only: its id */
    uint64_t count; /* interrupts: how many; threads: how often it was put on a CPU */
    sim_time time;  /* threads: CPU time it used; interrupts: 0, not known */
} noise_suspect;

/**
 * What happened from @p before to @p after: threads by CPU time, then interrupts by count, largest
 * first. The calling process's own threads are left out.
 * @param cpus interrupts are counted on these only; NULL: on all
 * @return array of noise_suspect, owned by the caller
 */
GArray *noise_census_compare(const noise_census *before, const noise_census *after,
                             const uint32_t *cpus, size_t num_cpus);

G_END_DECLS
