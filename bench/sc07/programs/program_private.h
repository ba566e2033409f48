/* bench/sc07/programs/program_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A program as a list of calls, the same for every rank but for peers and what is computed.
 */
#pragma once

#include "programs.h"

typedef enum {
    SC07_ALLREDUCE,
    SC07_ALLTOALL,
    SC07_BARRIER,
    SC07_BCAST,
    SC07_IRECV,
    SC07_ISEND,
    SC07_RECV,
    SC07_REDUCE,
    SC07_SEND,
    SC07_WAIT,
    SC07_WAITALL,
    SC07_NUM_FUNCTIONS
} sc07_function;

/** Whom a message goes to; a receive is of the message that goes the other way. */
typedef enum {
    SC07_PEER_UP,        /* the rank that is so many further on */
    SC07_PEER_XOR,       /* the rank whose number differs in these bits */
    SC07_PEER_TRANSPOSED /* row and column of an 8x8 grid exchanged; maybe itself: no message */
} sc07_peer_rule;

/** How the means of ranks differ. */
typedef enum {
    SC07_EVEN,  /* not */
    SC07_LIGHT, /* rank 0 computes 0.3 of what the others do */
    SC07_UNEVEN /* each rank but 0 has a factor for each section, drawn anew in every run */
} sc07_load;

typedef struct sc07_call {
    uint8_t function; /* sc07_function */
    uint8_t load;     /* sc07_load */
    uint16_t section; /* of an uneven load: which factor */
    uint32_t peer;    /* as rank 0 names it: part of the symbol; no more than that */
    uint32_t op;      /* its first operation, which computes; its messages follow */
    sim_time compute; /* mean, ps, > 0 */
} sc07_call;

typedef struct sc07_op {
    uint8_t type; /* sim_op_type */
    uint8_t rule; /* sc07_peer_rule; of messages */
    uint16_t peer;
    uint32_t call; /* which it belongs to */
    int64_t bytes;
} sc07_op;

struct sc07_program {
    const char *name;
    double variation;
    double uneven;
    double land;
    GArray *calls; /* of sc07_call */
    GArray *ops;   /* of sc07_op */
};

/** What a call is, but for its messages. */
typedef struct sc07_call_form {
    sc07_function function;
    uint32_t peer;
    double compute_ms;
    sc07_load load;
    uint16_t section;
} sc07_call_form;

void sc07_add_call(sc07_program *program, sc07_call_form form);
/** A message that the last call sends, or waits for. */
void sc07_add_message(sc07_program *program, sim_op_type type, sc07_peer_rule rule, uint16_t peer,
                      int64_t bytes);
/** The last call is a collective, as a dissemination: each rank waits for all. */
void sc07_add_rounds(sc07_program *program, int64_t bytes);

/** The calls of each program. */
void sc07_add_ft(sc07_program *program);
void sc07_add_cg(sc07_program *program);
/** @param solvers share of what they compute that is left to them */
void sc07_add_pop(sc07_program *program, unsigned steps, double solvers);
