/* noise/activity.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a .nit file says: who used the CPUs of each node, how often, how long, how regularly, and
 * what of it the job itself caused. A row is a program on a node: the threads of all its processes,
 * and all kernel threads of one family (kworker/0:1 and kworker/3:2H are "kworker").
 */
#pragma once

#include "noise/nit.h"
#include "noise/nit_programs.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

/** What a program has to do with the job whose ranks were watched. */
typedef enum {
    NOISE_ORIGIN_JOB,      /* it is the job: its ranks */
    NOISE_ORIGIN_INTERNAL, /* caused by the job: noise_activity_row's because says by which rule */
    NOISE_ORIGIN_EXTERNAL, /* nothing ties it to the job */
    NOISE_ORIGIN_MONITOR,  /* the watching itself */
    NOISE_ORIGIN_UNKNOWN,  /* no job was watched on this node */
} noise_origin;

typedef struct noise_activity_row {
    uint32_t node;
    char *name;
    noise_program_class kind;
    noise_origin origin;
    char *because;  /* the rule that tied it to the job, with its numbers; NULL: none did */
    uint32_t *pids; /* [num_pids] ascending */
    size_t num_pids;
    uint32_t *cpus; /* [num_cpus] ascending, as far as they are known */
    size_t num_cpus;
    uint64_t activations;      /* times a thread became active: sweeps next to each other are one */
    uint64_t most_activations; /* >= activations: if each time that it went to sleep within one
                                * ended one; where that is more, mean and max are upper bounds */
    uint64_t slices;           /* times a thread was put on a CPU */
    double rate;               /* activations per second watched */
    uint64_t cpu_ns;
    double share;     /* of the CPU time that all CPUs of the node had while it was watched */
    double mean_ns;   /* CPU time of an activation */
    double median_ns; /* of n: the ceil(n / 2)-th */
    double p99_ns;    /* the ceil(0.99 n)-th */
    uint64_t max_ns;
    uint64_t voluntary;
    uint64_t involuntary;
    uint64_t beside_ns; /* CPU time on CPUs that the job used */
    bool has_stolen;    /* the ranks' own switch records say what it took from them */
    uint64_t stolen_ns;
    double period_ns;         /* 0: none found */
    double period_confidence; /* 1 - probability of a rhythm as clear by chance */
    uint64_t first_ns;        /* since the node's watch began: the first sign of it, and the last */
    uint64_t last_ns;
} noise_activity_row;

/** What a CPU spent beside the programs; counts, since the kernel gives no times. */
typedef struct noise_activity_line {
    uint32_t node;
    uint32_t cpu;
    uint32_t line; /* index into the file's lines */
    uint64_t count;
} noise_activity_line;

typedef struct noise_activity_node {
    uint64_t watched_ns; /* from begin to end less blind_ns */
    bool has_job;        /* threads of ranks were seen */
    uint64_t cpu_ns;     /* of all programs */
    uint64_t job_ns;     /* of these, the ranks' */
    uint64_t job_begin;  /* as the file has them: first and last sign of the ranks; with has_job */
    uint64_t job_end;
} noise_activity_node;

typedef struct noise_activity {
    const noise_nit *nit;       /* borrowed */
    noise_activity_node *nodes; /* [nit->num_nodes] */
    size_t num_rows;
    noise_activity_row *rows; /* what took most from the ranks first; where that is not known, what
                                 had most CPU time on their CPUs, then most CPU time */
    size_t num_active;        /* rows that were active; those after them have nothing to say */
    uint32_t *row_of;         /* [nit->num_threads] */
    size_t num_lines;
    noise_activity_line *lines; /* by node, CPU, line; of count > 0 */
} noise_activity;

/** What a program took from the ranks of its node, by their switch records. */
typedef struct noise_activity_theft {
    uint32_t thread; /* index in the .nit file */
    uint64_t lost_ns;
} noise_activity_theft;

/**
 * Sum up. O(n log n) and the search for periods.
 * @param nit    borrowed; lives as long as the result
 * @param thefts [num_thefts] at most one per rank and thread; NULL: there are no switch records,
 * and the rows have no stolen time (none, not 0)
 * @return owned by the caller
 */
noise_activity *noise_activity_new(const noise_nit *nit, const noise_activity_theft *thefts,
                                   size_t num_thefts);
void noise_activity_free(noise_activity *activity); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_activity, noise_activity_free)

/** "job", "internal", "external", "monitor", "not known". */
const char *noise_origin_name(noise_origin origin);

/** The rules of noise_origin, a sentence each, NULL-terminated: what a report prints below its
 * table.
 */
extern const char *const noise_origin_rules[];

G_END_DECLS
