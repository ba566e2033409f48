/* sim/replica_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How replicas are run. A plan is a list of levels. In each level some ranks begin their next
 * round (replica_plan.c decides which; begin: the send starts), some messages meet their receives
 * (rendezvous only), and some ranks end their round (the receive, then the computation). What a
 * level reads has been written by the time it comes, in any replica.
 *
 * A rank has a row in each table of its room, with one instant for each lane.
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
    uint32_t peer; /* of the first: meeting: to; end: from; else itself. The next has the next */
    uint32_t cost; /* index */
} replica_run;

/** Runs of a level: from the end of the level before up to here. */
typedef struct replica_level {
    uint32_t begins;
    uint32_t meetings;
    uint32_t ends;
} replica_level;

typedef struct replica_plan {
    sim_params params;
    uint32_t num_ranks;
    uint32_t repeat;
    GArray *levels;  /* of replica_level */
    GArray *runs;    /* of replica_run */
    GArray *costs;   /* of replica_cost */
    bool rendezvous; /* some message is one */
    bool tx, rx;     /* an interface may be busy when it is wanted: its clock must be kept */
    uint64_t num_ops;
    uint64_t num_messages;
    double span; /* an upper bound of the makespan without noise, ps */
    double work; /* of the CPU time on any path, ps */
    double uses; /* of the number of look-ups on any path */
} replica_plan;

/** @return NULL with @p why */
replica_plan *sim_replica_plan_new(const sim_program *program, const sim_params *params,
                                   const char **why);
void sim_replica_plan_free(replica_plan *plan);

/** State of one batch: tables of [num_ranks] rows; those that the plan has no use for are NULL. */
typedef struct replica_room {
    replica_row *clock;    /* the CPU is free, and all before is done */
    replica_row *handed;   /* the message is with the network; handshake: its data leave */
    replica_row *posted;   /* rendezvous: the receive of the round */
    replica_row *released; /* rendezvous: the send has ended */
    replica_row *tx, *rx;  /* the interface is free */
    replica_row *next;     /* noise: the detour that comes next, or is on, begins */
    replica_places *place; /* noise: which that is */
} replica_room;

/** One variant of the loops, replica_kernel.h. */
typedef struct replica_kernel {
    const char *name;
    void (*run)(const replica_plan *plan, const replica_room *room, const sim_noise_lanes *noise);
    void (*finish)(const replica_plan *plan, const replica_room *room, sim_time *makespan,
                   sim_time *const *finish);
} replica_kernel;

extern const replica_kernel sim_replica_portable;
#ifdef __x86_64__
extern const replica_kernel sim_replica_avx2, sim_replica_avx512;
#endif
