/* noise/activity_timeline.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Who was on each CPU, and when: one list of pieces per CPU, which do not overlap. The monitor
 * knows only that a thread used so much CPU time in (from, to]; pieces are drawn so that they have
 * as much of it as fits, as late as possible, and a thread that was put on the CPU several times in
 * between is spread evenly. What the kernel recorded exactly (switch records of a rank whose place
 * was taken) stands where it was.
 */
#pragma once

#include "noise/nit.h"

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct noise_piece {
    uint32_t activity; /* index in the .nit file */
    uint64_t begin;    /* ns, as the file has them; begin < end */
    uint64_t end;
} noise_piece;

/** When a thread was on a CPU, to the nanosecond. */
typedef struct noise_exact {
    uint32_t thread; /* index in the .nit file */
    uint32_t cpu;
    uint64_t begin; /* ns, begin < end */
    uint64_t end;
} noise_exact;

typedef struct noise_timeline {
    size_t num_cpus;      /* of all nodes */
    uint32_t *node;       /* [num_cpus] */
    uint32_t *cpu;        /* [num_cpus] its number on the node; a node's are ascending */
    size_t *first;        /* [num_cpus + 1] of its pieces */
    noise_piece *piece;   /* ascending on each CPU */
    uint64_t unplaced_ns; /* CPU time without a place: its CPU is not known, or was full */
} noise_timeline;

/**
 * Draw all activities of @p nit but those of the threads in @p left_out.
 * @param left_out [num_threads]; NULL: none is
 * @param exact    [num_exact] in any order; pieces of exactly known time, at most as long in all as
 *                 the activity around them; those that meet no activity are ignored
 * @return owned by the caller. O(n log n) for activities of few overlaps
 */
noise_timeline *noise_timeline_new(const noise_nit *nit, const bool *left_out,
                                   const noise_exact *exact, size_t num_exact);
void noise_timeline_free(noise_timeline *timeline); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_timeline, noise_timeline_free)

/** The index of a CPU in the timeline; num_cpus: it is not there. O(log num_cpus). */
size_t noise_timeline_find(const noise_timeline *timeline, uint32_t node, uint32_t cpu);

G_END_DECLS
