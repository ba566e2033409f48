/* sim/replica/replica_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How replicas are run. A plan is a list of levels. In each level some ranks begin their next
 * round (the send starts), some messages meet their receives (rendezvous only), and some ranks end
 * their round (the receive, then the computation); replica_plan.c decides which. A level reads only
 * what earlier levels have written, in every replica.
 *
 * The storage of a batch is tables; each rank has a row in every table, with one instant for each
 * lane.
 */
#pragma once

#include "sim/replica.h"

typedef sim_time replica_row[SIM_LANES];
typedef uint32_t replica_places[SIM_LANES];

/** What a round costs; the same for all ranks of a run. */
typedef struct replica_cost {
    sim_time send_bytes; /* b·O of the message sent */
    sim_time send_wire;  /* b·G */
    sim_time recv_bytes; /* b·O of the message received */
    sim_time recv_wire;  /* b·G */
    sim_time delay;      /* max(b·G - b·O, 0) of the message received */
    sim_time work;
    bool sends;
    bool receives;
    bool rendezvous; /* its own send */
} replica_cost;

/** Ranks first .. first + n - 1. */
typedef struct replica_run {
    uint32_t first;
    uint32_t n;
    /** Of the first rank: meeting: to whom; end: from whom; else itself. The next rank has the
     * next, or, where ranks are mirrored, itself exclusive-or this. */
    uint32_t peer;
    uint32_t cost; /* index */
} replica_run;

/** Where the runs of a level end in replica_plan.runs; they begin where the one before ends. */
typedef struct replica_level {
    uint32_t begins;
    uint32_t meetings;
    uint32_t ends;
    uint64_t rows; /* of all its runs */
} replica_level;

/** Levels that are evaluated by one pass over the ranks, replica_pass.inl. */
typedef struct replica_group {
    unsigned first;
    unsigned n;     /* 1 .. PASS_MAX */
    uint32_t apart; /* divides all distances and the number of ranks; 0: each follows the other */
    bool ends;      /* apart divides the distance of the last level of all, too, which comes next */
} replica_group;

/*
 * Levels in a group at most; rows that may lie between the first and the last of them; rows of
 * copies; rows copied in one piece.
 */
enum { PASS_MAX = 32, PASS_ROWS = 4096, PASS_COPIES = 4096, PASS_PIECE = 8 };

typedef struct replica_plan {
    sim_params params;
    uint32_t num_ranks;
    uint32_t repeat;
    GArray *levels;  /* of replica_level */
    GArray *runs;    /* of replica_run */
    GArray *costs;   /* of replica_cost */
    bool rendezvous; /* some message is one */
    bool tx, rx;     /* an interface may be busy when it is wanted: its clock must be kept */
    bool bytes_cost; /* some message costs its sender more than o */
    bool is_alike;   /* all ranks do the same, with ranks counted from each */
    bool mirrors;    /* they are, and counted by exclusive-or: the number of ranks is 2^k */
    /** All ranks do the same, are in every level, and receive from the same distance. */
    bool in_passes;
    GArray *groups;      /* of replica_group: all levels but the last */
    bool gathers;        /* some group has replica_group.apart > 0 */
    uint32_t saved_rows; /* that the largest group needs */
    uint64_t num_ops;
    uint64_t num_messages;
    double span; /* an upper bound of the makespan without noise, ps */
    double work; /* of the CPU time on any path, ps */
    double uses; /* of the number of look-ups on any path */
} replica_plan;

/** Of a plan in passes: what a round of this level costs, and whom rank 0 receives from. */
static inline const replica_run *sim_replica_level_end(const replica_plan *plan, unsigned level)
{
    const uint32_t run = g_array_index(plan->levels, replica_level, level).meetings;
    return &g_array_index(plan->runs, replica_run, run);
}
static inline const replica_cost *sim_replica_level_cost(const replica_plan *plan, unsigned level)
{
    return &g_array_index(plan->costs, replica_cost, sim_replica_level_end(plan, level)->cost);
}
/** How far from a rank its message comes from, at most half of all; and on which side. Mirrored:
 * from itself exclusive-or this. */
static inline uint32_t sim_replica_level_distance(const replica_plan *plan, unsigned level,
                                                  bool *from_above)
{
    const uint32_t from = sim_replica_level_end(plan, level)->peer;
    *from_above = from <= plan->num_ranks / 2 && !plan->mirrors;
    if (plan->mirrors) {
        return from;
    }
    return *from_above ? from : plan->num_ranks - from;
}

/** @return NULL with @p why */
replica_plan *sim_replica_plan_new(const sim_program *program, const sim_params *params,
                                   const char **why);
/** A plan in passes: put its levels into groups. */
void sim_replica_plan_groups(replica_plan *plan);
void sim_replica_plan_free(replica_plan *plan);

typedef struct replica_storage replica_storage;

/** State of one batch: tables of [num_ranks] rows; those that the plan has no use for are NULL. */
struct replica_storage {
    replica_row *clock;        /* the CPU is free, and all before is done */
    replica_row *handed;       /* the message is with the network; handshake: its data leave */
    replica_row *posted;       /* rendezvous: the receive of the round */
    replica_row *released;     /* rendezvous: the send has ended */
    replica_row *tx, *rx;      /* the interface is free */
    replica_storage *saved;    /* in passes: one of [saved_rows] for what is overwritten; or NULL */
    replica_storage *together; /* in passes: one of [PASS_COPIES] for copies; or NULL */
    replica_row *next;         /* noise: start of the detour that comes next or is under way */
    replica_places *place;     /* noise: index of that detour */
};

/** How far a batch has come, in rows that a level has dealt with; the same for all variants. */
typedef struct replica_watch {
    sim_watch *watch; /* NULL: none */
    uint64_t num_ops;
    uint64_t rows; /* in all */
    uint64_t done;
    uint64_t next; /* rows after which the watch is asked again */
    bool stopped;
} replica_watch;

/** Before the first row. @p in_passes: replica_pass.inl */
void sim_replica_watch_begin(replica_watch *watch, const replica_plan *plan, bool in_passes);
/** @return false: the batch ends here */
bool sim_replica_watch_look(replica_watch *watch);

/** One variant of the loops, replica_kernel.inl. */
typedef struct replica_kernel {
    const char *name;
    /** @p finish may be NULL. Nothing is in @p makespan and @p finish if @p watch has stopped. */
    void (*run)(const replica_plan *plan, const replica_storage *storage,
                const sim_noise_lanes *noise, replica_watch *watch, sim_time *makespan,
                sim_time *const *finish);
} replica_kernel;

extern const replica_kernel sim_replica_portable;
#ifdef __x86_64__
extern const replica_kernel sim_replica_avx2, sim_replica_avx512;
#endif
