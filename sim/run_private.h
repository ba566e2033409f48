/* sim/run_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The state of a run. The loop (run.c) takes, of all that can happen next, the earliest: first
 * what the network does (run_network.c), then what CPUs do (run_cpu.c). docs/model.md, "Ties".
 */
#pragma once

#include "critical_path_private.h"
#include "matching_private.h"
#include "pending_private.h"
#include "rank_queue_private.h"
#include "sim/run.h"

/* An instant from which a CPU or one side of a network interface is free. */
typedef struct engine_clock {
    sim_time at;
    uint32_t op;   /* of its rank, that has occupied it until then; SIM_ANY: none */
    uint32_t mark; /* path: cpu: of the instant; tx, rx: of the instant before the gap */
} engine_clock;

typedef struct engine_rank {
    uint32_t classes;    /* pending CPU work */
    uint32_t network;    /* pending network events: heap by (when, kind, tie) */
    uint32_t next_class; /* whose first item is next; PENDING_NONE: a network event is */
    uint32_t num_sent;
    sim_time finish;
    uint32_t last;        /* operation that finished then; SIM_ANY: none */
    engine_clock clock[]; /* CPUs, then tx, then rx of each interface */
} engine_rank;

#define ENGINE_LINE ((size_t)64) /* ranks begin on a cache line */

/* A message on its way: from its send's start to the end of both operations. */
typedef struct engine_message {
    sim_time arrival;  /* of the message; handshake: of the request, later of the data */
    sim_time cpu_end;  /* the sender's CPU is done with it */
    sim_time accepted; /* async: the receiver's CPU is done with it; -1: not yet */
    int64_t size;
    uint32_t source;
    uint32_t dest;
    uint32_t tag;
    uint32_t comm;
    uint32_t send;                   /* operation in its rank */
    uint32_t order;                  /* how many messages its rank had sent before */
    uint32_t receive;                /* pending item that it is matched with, or PENDING_NONE */
    uint32_t mark;                   /* path: of the instant one L before arrival */
    uint32_t meeting;                /* path: of the instant at which it met its receive */
    uint32_t accept_from, accept_to; /* path: marks around an acceptance without receive */
    uint32_t next_free;
    uint8_t uses; /* by an unfinished send, by an unfinished receive */
    uint8_t cpu;
    uint8_t nic;
    bool rendezvous;
    bool arrived; /* network event PENDING_ARRIVAL has been */
} engine_message;

/* Costs of a message size; they repeat, so the last is kept. */
typedef struct engine_cost {
    int64_t size;
    sim_time G;     /* b·G */
    sim_time O;     /* b·O */
    sim_time delay; /* max(b·G - b·O, 0) */
} engine_cost;

typedef enum { ENGINE_SOUND, ENGINE_OVERFLOW, ENGINE_TRUNCATED } engine_state;

typedef struct engine {
    const sim_program *program;
    sim_params params;
    const sim_noise *noise;
    sim_sink *sink;
    path_book *path; /* NULL: not to be explained */
    void *cursor;    /* of the program */

    sim_time now;
    uint32_t running; /* whose step it is: its place in the queue is settled after its window */
    char *ranks;      /* [num_ranks] engine_rank, rank_bytes each */
    size_t rank_bytes;
    rank_queue queue;
    pending_pool pending;
    matching *matching;
    /*
     * May messages be offered for matching when they are sent, rather than when they arrive?
     * They arrive in the order sent, so without wildcards it is all the same; but async on
     * several CPUs asks at arrival which receives are posted.
     */
    bool match_early;
    bool async;
    bool instant;
    sim_time window; /* no effect crosses ranks sooner than this; 0: some are immediate */

    engine_message *message;
    uint32_t num_messages, cap_messages, free_message;
    engine_cost cost;

    sim_ready *ready;  /* [2 max_ready] what a CPU step or a release makes ready */
    sim_ready *posted; /* [max_ready] what a posting makes ready */
    sim_event *event;  /* [ENGINE_EVENTS] for the sink */
    size_t num_events;

    uint64_t total_messages;
    engine_state state;
    uint32_t bad_message; /* ENGINE_TRUNCATED */
    uint32_t bad_receive;
    uint32_t bad_rank; /* ENGINE_OVERFLOW */
} engine;

#define ENGINE_EVENTS ((size_t)512)
#define ENGINE_TURNS  ((size_t)32) /* taken at once: as many lines as a cache holds easily */

static inline engine_rank *engine_rank_of(const engine *e, uint32_t rank)
{
    return (engine_rank *)(void *)(e->ranks + rank * e->rank_bytes);
}
static inline engine_clock *engine_cpu(const engine *e, uint32_t rank, uint32_t cpu)
{
    return &engine_rank_of(e, rank)->clock[cpu];
}
static inline engine_clock *engine_tx(const engine *e, uint32_t rank, uint32_t nic)
{
    return engine_cpu(e, rank, e->program->num_cpus) + nic;
}
static inline engine_clock *engine_rx(const engine *e, uint32_t rank, uint32_t nic)
{
    return engine_tx(e, rank, e->program->num_nics) + nic;
}

static inline sim_time engine_max(sim_time a, sim_time b)
{
    return a > b ? a : b;
}

/** W of the model. */
static inline sim_time engine_work(const engine *e, uint32_t rank, sim_time start, sim_time work)
{
    if (e->noise == NULL || work == 0 || start + work > SIM_TIME_MAX) {
        return start + work;
    }
    return e->noise->finish(e->noise, rank, start, work);
}

static inline engine_cost engine_cost_of(engine *e, int64_t size)
{
    if (e->cost.size != size) {
        const int64_t b = size > 1 ? size - 1 : 0;
        const sim_time gap = sim_rate_times(e->params.G, b);
        const sim_time overhead = sim_rate_times(e->params.O, b);
        e->cost = (engine_cost){
            .size = size, .G = gap, .O = overhead, .delay = gap > overhead ? gap - overhead : 0};
    }
    return e->cost;
}

/* ---- run.c ---- */

/** @p rank has got something to do that cannot happen before @p when. O(1) if that is not next. */
void sim_engine_due(engine *e, uint32_t rank, sim_time when);
/** An operation of @p rank has finished or will at @p at. @return entries written to @p out */
size_t sim_engine_finish_op(engine *e, uint32_t rank, uint32_t op, sim_time at, sim_ready *out);
/**
 * Operations have become ready. @p direct: a single receive may be posted on the spot, if nothing
 * else is due before. @p rank is the one whose step it is.
 */
void sim_engine_take_up(engine *e, uint32_t rank, const sim_ready *ready, size_t n, bool direct);
/** Time has run out at @p rank. */
void sim_engine_overflow(engine *e, uint32_t rank);
/** path: the mark of the instant @p at at which operation @p cause of @p rank made one ready. */
uint32_t sim_engine_ready_mark(const engine *e, uint32_t rank, uint32_t cause, sim_time at);

/* ---- run_cpu.c ---- */

/** The CPU of @p rank takes up, now, the first item of engine_rank.next_class. */
void sim_engine_cpu_step(engine *e, uint32_t rank);

/* ---- run_network.c ---- */

/** The next network event of @p rank happens now. */
void sim_engine_network_step(engine *e, uint32_t rank);
/** A receive, taken up as a pending item, is posted now. */
void sim_engine_post(engine *e, uint32_t rank, uint32_t item);
uint32_t sim_engine_new_message(engine *e);
/** One of the two operations of a message needs it no more. */
void sim_engine_drop_message(engine *e, uint32_t message);
/** A message is handed to the network: engine_message.arrival is when it, or its request, comes. */
void sim_engine_send(engine *e, uint32_t message);
/** instant: message and receive have met now; @p mark of this instant. The sender goes on. */
void sim_engine_release(engine *e, uint32_t message, uint32_t mark);

/* ---- run_report.c ---- */

/** What went wrong in the loop, or what is left over after it. @return false with an error */
bool sim_engine_check_end(const engine *e, GError **error);
