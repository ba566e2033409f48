/* host/ran.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Who ran on a CPU, by the counters of the threads: CPU time, how often they were put on a CPU, and
 * where they were last. It needs no privilege. It does not see when, nor programs that began and
 * ended in between, but as time that their parents have waited for.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

typedef struct noise_ran_counts noise_ran_counts; /* of all threads at one instant */

/** Read @p root/proc. About 20 us per thread of the node. Owned by the caller. */
noise_ran_counts *noise_ran_read(const char *root);
void noise_ran_free(noise_ran_counts *counts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_ran_counts, noise_ran_free)

typedef struct noise_ran {
    char *name; /* as in /proc/PID/comm; "children of make" */
    uint32_t tid;
    uint64_t run_ns; /* CPU time on any CPU */
    uint64_t slices; /* how often it was put on a CPU; 0 of children */
    uint32_t others; /* threads of that name beyond this one: noise_ran_merge() */
} noise_ran;

/**
 * Threads that ran between two readings and whose last CPU was @p cpu in one of them, without
 * those of process @p except; most CPU time first. Children that have ended and were waited for
 * are listed after the threads, for they may have run anywhere.
 * @return array of noise_ran, owned by the caller
 */
GArray *noise_ran_on(const noise_ran_counts *before, const noise_ran_counts *after, uint32_t cpu,
                     uint32_t except);
/** The name of a thread in either reading, or NULL; borrowed from it. */
const char *noise_ran_name(const noise_ran_counts *before, const noise_ran_counts *after,
                           uint32_t tid);
/** Threads of one name become one entry, with the id of the first; most CPU time first. */
void noise_ran_merge(GArray *ran);
/** "burner (71): 2.01 s in 200 turns, cc1 (3 threads): ...": the first @p most. Owned, or NULL. */
char *noise_ran_sentence(const GArray *ran, guint most);
