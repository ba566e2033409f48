/* noise/nit.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a node did while it was watched: which threads ran where and for how long, interrupts, and
 * how well the watcher saw. `ripple monitor` writes such files, one per node; docs/monitor.md.
 * All times are ns of CLOCK_MONOTONIC of the node they come from.
 */
#pragma once

#include "noise/error.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum {
    NOISE_PROGRAM_DAEMON, /* none of the following */
    NOISE_PROGRAM_KERNEL, /* a kernel thread */
    NOISE_PROGRAM_USER,   /* begun by somebody who logged in: noise_program_user_rule */
    NOISE_PROGRAM_APPLICATION,
    NOISE_PROGRAM_MONITOR, /* the watcher itself */
} noise_program_class;
enum { NOISE_NUM_PROGRAM_CLASSES = 5 };
/** "daemon", "kernel", "user", "application", "monitor". Static. */
const char *noise_program_class_name(noise_program_class kind);
/** By what a monitor takes a process for a user's, and not for a daemon; without a full stop. */
extern const char noise_program_user_rule[];

/** A thread under one name: one that starts another program, or renames itself, is there twice. */
typedef struct noise_nit_thread {
    uint32_t node; /* index */
    uint32_t pid, tid;
    uint32_t parent;      /* id of the process that started this one; 0: none */
    uint64_t start_ticks; /* since boot, in ticks of the node's clk_tck; with tid the identity */
    char *name;           /* as the kernel has it: up to 15 bytes, of kernel workers more */
    char *command;        /* the command line, cut to 255 bytes; NULL: none, as of kernel threads */
    noise_program_class kind;
    int32_t rank; /* of the job, from its environment; -1: not known */
} noise_nit_thread;

/** One stretch of activity: it ran for cpu_ns somewhere in (from, to]. */
typedef struct noise_nit_activity {
    uint32_t thread;   /* index */
    uint32_t cpu;      /* where it was last seen; UINT32_MAX: it was gone before that was read */
    uint64_t from, to; /* the looks at it before the first and after the last change */
    uint64_t cpu_ns;   /* 0: it was put on a CPU, but the kernel has not counted time */
    uint32_t slices;   /* how often it was put on a CPU; 0: it had been there before */
    uint32_t voluntary, involuntary; /* switches away; where they are not read: 0 */
    bool is_recorded;      /* by the kernel's records of the CPU: it began at .from. Not in files */
    uint64_t run_delay_ns; /* ready to run, but waiting for a CPU */
} noise_nit_activity;

typedef struct noise_nit_line {
    char *name;   /* "LOC: Local timer interrupts", "softirq TIMER" */
    bool is_soft; /* a softirq */
} noise_nit_line;

/** Interrupts of one line on one CPU; evenly many (to within one) in each period that was read. */
typedef struct noise_nit_interrupts {
    uint64_t from, to;
    uint32_t node, cpu;
    uint32_t line; /* index */
    uint32_t count;
} noise_nit_interrupts;

typedef struct noise_nit_steal {
    uint32_t node, cpu;
    uint64_t from, to;
    uint64_t ns; /* that the hypervisor gave to others; counted in ticks of clk_tck */
} noise_nit_steal;

typedef struct noise_nit_marker {
    uint32_t node;
    uint64_t when;
    char *text;
} noise_nit_marker;

/** The same instant on the node's clocks, in ns; the TSC in its ticks, 0 where there is none. */
typedef struct noise_nit_clocks {
    uint64_t monotonic, monotonic_raw, realtime, tsc;
} noise_nit_clocks;

typedef enum { NOISE_NIT_BUDGET, NOISE_NIT_RATE, NOISE_NIT_DEDICATED } noise_nit_mode;

typedef struct noise_nit_node {
    char *name; /* host name */
    char *boot_id;
    char *kernel; /* release */
    uint32_t num_cpus;
    uint32_t *cpus; /* [num_cpus] online, ascending */
    uint32_t *core; /* [num_cpus] the lowest CPU that shares its core */
    uint32_t hz;    /* of the scheduler's tick; 0: not known */
    long clk_tck;
    noise_nit_mode mode;
    double asked;        /* BUDGET: share of a CPU; RATE: sweeps per second; DEDICATED: the CPU */
    uint64_t begin, end; /* of the watch; end of a cut file: of what is there */
    size_t num_clocks;
    noise_nit_clocks *clocks; /* at the beginning, every minute, at the end */

    /* How well it saw. */
    uint64_t sweeps;
    uint64_t mean_interval_ns, p99_interval_ns, max_interval_ns; /* between the ends of sweeps;
                                                                  * p99 to within 10 % */
    uint64_t mean_sweep_ns;                                      /* that a sweep took */
    uint64_t monitor_ns;                                         /* CPU time of the watcher */
    uint64_t blind_ns; /* in which it was away: what intervals above ten times the usual one
                        * have more than the usual one */
    char *blind;       /* why it cannot see all (hidepid, container, …), one line; or NULL */
    uint64_t switches; /* of all CPUs, by the kernel's count */
    uint64_t unattributed_switches; /* less two for each slice seen, to it and on to the idle CPU:
                                     * at least so many are of threads that were not seen */
    uint64_t forks, unattributed_forks; /* processes and threads started; never seen */
    uint64_t steal_ns;
    uint64_t lost;         /* records that were dropped because the disk was too slow */
    uint32_t most_threads; /* at one time */
    bool is_cut;           /* the file ends without its last record */
} noise_nit_node;

typedef struct noise_nit {
    size_t num_nodes; /* 1 in a file that was read; merged ones have more */
    noise_nit_node *nodes;
    size_t num_threads;
    noise_nit_thread *threads;
    size_t num_activities;
    noise_nit_activity *activities; /* by .to, then .thread */
    size_t num_lines;
    noise_nit_line *lines;
    size_t num_interrupts;
    noise_nit_interrupts *interrupts; /* by .to */
    size_t num_steals;
    noise_nit_steal *steals; /* by .to */
    size_t num_markers;
    noise_nit_marker *markers; /* by .when */
} noise_nit;

/** Does a file that begins with these bytes claim to be of this format? */
bool noise_nit_is(const void *data, size_t size);
/**
 * Read one node's file. A file whose writer was killed is read as far as it is whole, and
 * node->is_cut is set.
 * @return owned by the caller; NULL with NOISE_ERROR_BAD_FILE naming file and byte, or G_FILE_ERROR
 */
noise_nit *noise_nit_read(const char *path, GError **error);
/** The same from memory; @p name is for errors. */
noise_nit *noise_nit_parse(const char *name, const void *data, size_t size, GError **error);
/** All members, which are g_malloc'ed each, and @p nit. NULL is a no-op. */
void noise_nit_free(noise_nit *nit);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_nit, noise_nit_free)

/** As text, a record per line, times in ns since the node's begin. Owned by the caller. */
char *noise_nit_to_text(const noise_nit *nit);

G_END_DECLS
