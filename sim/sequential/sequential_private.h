/* sim/sequential/sequential_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A run in the order of creation (docs/model.md, section 4.4): one queue for all ranks, one event
 * after the other, as LogGOPSim does it. An event gets its number when it is created and keeps it
 * while it waits.
 *
 * LogGOPSim puts an event whose CPU or interface is busy back into the queue for when that is free,
 * again and again. Here it waits in a *line*: what waits for the same (a calc for its CPU, a send
 * for CPU and TX, a message for CPU and RX) can start at the same instant, so the one created first
 * goes first, and it alone is announced in the queue (a wake). That is the same order: the instant
 * at which something can start never gets earlier, and an event that is put back does nothing else.
 */
#pragma once

#include "events/matching_private.h"
#include "sequential/instant_queue_private.h"
#include "sequential/message_form_private.h"
#include "sim/departure.h"
#include "sim/run.h"

typedef enum { SEQUENTIAL_CALC, SEQUENTIAL_SEND, SEQUENTIAL_MESSAGE, SEQUENTIAL_POST } event_sort;

/* The low bits of sequential_event.key: CPU, interface, and these. */
enum {
    SEQUENTIAL_NIC_SHIFT = 8,
    SEQUENTIAL_SORT_SHIFT = 16,
    SEQUENTIAL_WAKE = 1 << 18,  /* of the first in a line, not the event itself */
    SEQUENTIAL_QUIET = 1 << 19, /* nothing depends on its start */
    SEQUENTIAL_ORDER_SHIFT = 20,
};

static inline unsigned sequential_cpu(const sequential_event *e)
{
    return e->key & UINT8_MAX;
}
static inline unsigned sequential_nic(const sequential_event *e)
{
    return e->key >> SEQUENTIAL_NIC_SHIFT & UINT8_MAX;
}
static inline event_sort sequential_sort(const sequential_event *e)
{
    return (event_sort)(e->key >> SEQUENTIAL_SORT_SHIFT & 3);
}

/* A message or receive without its partner. */
typedef struct sequential_single {
    sim_time end;  /* message: when the CPU is done with it */
    uint32_t op;   /* message: of the sender; free: the next one that is */
    uint32_t peer; /* message: the sender */
    uint32_t form;
    uint8_t cpu, nic;
} sequential_single;

/*
 * What the next events will need is brought near in stages, each when the one before has come: the
 * rank and the envelope; whom a message meets, or who wakes up; the operation; what depends on it.
 */
enum { AHEAD_RANK, AHEAD_PARTNER, AHEAD_OP, AHEAD_NEXT, AHEAD_STAGES };
#define AHEAD_EVENTS 32U /* a power of two, more than any stage is ahead */

typedef struct sequential_ahead {
    size_t at[AHEAD_STAGES];        /* the next event of the run that stage has to do */
    uint64_t runs;                  /* of the queue, when that was so */
    uint32_t partner[AHEAD_EVENTS]; /* by place in the run: a single; MATCHING_NONE: not known */
    uint32_t op[AHEAD_EVENTS];      /* that finishes; SIM_ANY: not known */
} sequential_ahead;

typedef struct sequential {
    const sim_program *program;
    const sim_params *params;
    void *cursor; /* of the program */
    uint32_t num_cpus, num_nics;
    /*
     * [num_ranks], rank_bytes each: when each CPU is free; when each interface may send; may
     * receive; then the lines: of calcs [num_cpus], of sends and of messages [num_cpus * num_nics]
     * each, as the number of the first in `waiting`; 0: empty.
     */
    char *ranks;
    size_t rank_bytes;
    size_t lines_at; /* byte of a rank at which the lines begin */
    instant_queue queue;
    uint64_t created; /* events: the next one's number */
    message_forms forms;
    matching *matching;        /* refs are numbers of singles */
    sequential_single *single; /* 0: nobody */
    uint32_t num_singles, cap_singles, free_single;
    sequential_event *waiting; /* 0: nobody */
    uint32_t num_waiting, cap_waiting, free_waiting;
    sequential_ahead ahead;
    sim_ready *ready; /* [3 max_ready + 1] what an event makes ready on its rank */
    sim_ready *other; /* [max_ready + 1] on another */
    uint64_t num_ops;
    uint64_t num_messages;
    sim_departure departure[SIM_NUM_DEPARTURES];
    uint32_t overflow; /* the rank on which time ran out; SIM_ANY: none */
    bool stopped;      /* by the watch */
} sequential;

static inline sim_time *sequential_cpus(const sequential *s, uint32_t rank)
{
    return (sim_time *)(void *)(s->ranks + rank * s->rank_bytes);
}

static inline matching_envelope sequential_envelope(const sequential *s, const sequential_event *e)
{
    const message_form *form = &s->forms.form[e->as.message.form];
    return (matching_envelope){
        .rank = e->rank, .source = e->as.message.peer, .tag = form->tag, .comm = form->comm};
}

/* ---- sequential_line.c ---- */

/** The line of what waits for the same as @p e. */
uint32_t *sim_sequential_line(const sequential *s, const sequential_event *e);
/** @p e waits. @return it is the first of its line now */
bool sim_sequential_wait(sequential *s, uint32_t *line, const sequential_event *e);
/** Take out the first of a line that is not empty. */
sequential_event sim_sequential_next(sequential *s, uint32_t *line);

/* ---- sequential_ahead.c ---- */

/** Called for each event, before it is done. */
void sim_sequential_fetch_ahead(sequential *s);

/* ---- sequential_loop.c ---- */

/** Begin every rank, and run until nothing is left to do. */
void sim_sequential_loop(sequential *s, sim_watch *watch);

/* ---- sequential_run.c ---- */

/** sim_run() in the order of creation. */
sim_result *sim_sequential_run(const sim_program *program, const sim_params *params,
                               const sim_run_options *options, GError **error);
/** sim_run_estimate() of it. */
sim_run_needs sim_sequential_estimate(uint32_t num_ranks, const sim_program *like);
