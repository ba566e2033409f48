/* noise/join.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Who was on the CPU while a rank of a job was not: the rank's own context switches, exact to the
 * nanosecond (noise/switch_file.h), with what was seen of all others on that CPU (noise/nit.h), and
 * with exact records of whoever else ran, where there are any. docs/monitor.md. Not installed.
 *
 * Times are ns of CLOCK_MONOTONIC of the node.
 */
#pragma once

#include "noise/detour_file.h"
#include "noise/nit.h"
#include "noise/switch_record.h"
#include "noise/switches.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A thread of a rank. All pointers are borrowed. */
typedef struct noise_join_thread {
    uint32_t rank;
    uint32_t node; /* index in the watched nodes */
    uint32_t pid, tid;
    bool is_main;        /* what is lost is said of this one; the others are known to run */
    bool is_bound;       /* may run on one CPU alone */
    bool is_coarse;      /* off is how long it waited for a CPU, each some time before its end:
                          * nothing that is joined with it is sure, or says who ran */
    uint64_t begin, end; /* of its record */
    size_t n;
    const noise_switch_record *off; /* [n] by time, not overlapping */
    uint64_t missing;               /* records of the kernel that are not among them */
    /** When the rank was in MPI, by time, not overlapping; NULL: not known, all is computing. */
    size_t num_calls;
    const uint64_t *enter, *leave; /* [num_calls] */
} noise_join_thread;

/** Who ran on one CPU, exactly (noise_switches_open() of a CPU). Borrowed. */
typedef struct noise_join_cpu {
    uint32_t node, cpu;
    size_t n;
    const noise_switch *slice; /* [n] by time */
} noise_join_cpu;

typedef struct noise_join_input {
    const noise_nit *nit;  /* what was seen */
    const uint64_t *since; /* [nit->num_threads] from when on its number was this thread's
                            * (noise_join_add_names()); NULL: from start_ticks on */
    size_t num_threads;
    const noise_join_thread *thread; /* by rank */
    size_t num_cpus;
    const noise_join_cpu *cpu;
} noise_join_input;

enum { NOISE_JOIN_NOBODY = -1 };
/** The name of a row of threads that are known to have run, but that the watcher never saw. */
#define NOISE_JOIN_UNNAMED "threads too short-lived to be named"

/** A stretch of time that a rank was ready to run and was not running. */
typedef struct noise_join_piece {
    uint64_t from, to;
    uint32_t main; /* index of the rank's thread in the input */
    uint32_t off;  /* index of the interval in its .off */
    uint32_t cpu;
    int32_t thread; /* who ran: index in nit->threads; NOISE_JOIN_NOBODY: not explained */
    uint32_t tid;   /* of who ran, also if the watcher never saw it; 0: not explained */
    uint64_t wake;  /* the same of all pieces of one wake-up of who ran, else different; 0: not
                     * explained */
    bool is_exact;  /* by records of who ran */
    bool in_call;   /* the rank was in a call to MPI when it was switched out */
} noise_join_piece;

/** What one program took from one rank. */
typedef struct noise_join_row {
    uint32_t rank;
    int32_t by_rank; /* it was this rank of the job; -1: no rank */
    noise_program_class kind;
    char *name;
    uint32_t pid;       /* of its first thread; 0: not known */
    uint32_t cpu;       /* where it took the most */
    uint64_t count;     /* bursts: wake-ups of its threads that took time from the rank */
    uint64_t pieces;    /* in so many, since the scheduler let the rank run in between */
    uint64_t lost_ns;   /* computing time that the rank lost to it */
    uint64_t waited_ns; /* the same while the rank was in a call to MPI, where it might
                         * have waited anyway */
    uint64_t sure_ns;   /* of both: it cannot have been another program that was seen */
    uint64_t median_ns; /* of what a burst took, all its pieces together */
    double period_ns;   /* of the beginnings of bursts; 0: none found */
    double false_alarm; /* of the period */
    double share;       /* lost_ns of the time of the rank's record */
} noise_join_row;

/** All of one rank. */
typedef struct noise_join_total {
    uint32_t rank;
    uint64_t wall_ns;
    uint64_t count;             /* times it was switched out though it could have gone on */
    uint64_t lost_ns;           /* so long, out of computing */
    uint64_t lost_explained_ns; /* by somebody with a name */
    uint64_t waited_ns; /* out of a call to MPI: preempted, or it gave the CPU away (sched_yield) */
    uint64_t waited_explained_ns;
    uint64_t slept_ns; /* it waited for something: not lost to anybody */
    uint64_t missing;  /* records of switches that the kernel had no room for */
    bool is_coarse;    /* as of its thread: no rhythm is said */
} noise_join_total;

typedef struct noise_join {
    size_t num_pieces;
    noise_join_piece *piece; /* [num_pieces] by rank, then time */
    size_t num_rows;
    noise_join_row *row; /* [num_rows] by lost_ns + waited_ns, the most first */
    size_t num_ranks;
    noise_join_total *total; /* [num_ranks] by rank */
} noise_join;

/**
 * Add threads that began, or took a name, between two looks of the watcher, as the kernel recorded
 * it: they have the last name that they took, else that of who began them, and are of his class. No
 * activity is theirs. O(n log n).
 * @param names [n] of all CPUs of @p node, in any order
 * @return [nit->num_threads] from when on, ns; owned by the caller
 */
uint64_t *noise_join_add_names(noise_nit *nit, uint32_t node, const noise_switch_name *names,
                               size_t n);

/**
 * Join. O(n log n) in switches and activities. Where a CPU's slices, or another rank's own
 * records, say who ran, that is exact. Else what was seen on that CPU is laid into the gaps of the
 * rank: a program that ran for x ns between two looks gets at most x ns (and 5 us per
 * slice for the switches) of the gaps between these looks, the one whose window ends first before
 * the others, which lays all of them if that can be done at all (earliest deadline first).
 * @return owned by the caller
 */
noise_join *noise_join_new(const noise_join_input *input);
/**
 * What others than the job and the watcher took, as detours: a run per rank, a source per program,
 * source 0 for what is not explained; all times off a CPU, computing or in MPI. There may be none.
 * @return owned by the caller; to be written by noise_detour_file_to_text()
 */
noise_detour_file *noise_join_detours(const noise_join *join, const noise_join_input *input);

void noise_join_free(noise_join *join);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_join, noise_join_free)
