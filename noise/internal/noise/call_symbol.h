/* noise/call_symbol.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Which calls of an MPI program are the same, as far as typical sequences go: their symbol. It is
 * made of names and of whom the call is with, never of an order in which things were met, so that
 * it is the same on every rank, in the tracer and after the run. No GLib. Not installed.
 */
#pragma once

#include "noise/event_type.h"

/** Which calls count as the same. */
typedef enum {
    NOISE_MATCH_FUNCTION, /* those of one function: the paper's choice across ranks */
    NOISE_MATCH_DISTANCE, /* and whose peer is as far away: peer less own rank, around the ends of
                             the communicator. Stencils */
    NOISE_MATCH_XOR,      /* and whose peer differs in the same bits of its number. Butterflies */
} noise_match;

/** "function", "distance", "xor"; for options and files. */
const char *noise_match_name(noise_match match);
bool noise_match_parse(const char *name, noise_match *out);

/** Whom a call is with. */
typedef enum {
    NOISE_PEER_NONE,   /* nobody in particular, or not known: waiting, local calls, collectives */
    NOISE_PEER_RANK,   /* number: a rank */
    NOISE_PEER_NOBODY, /* MPI_PROC_NULL */
    NOISE_PEER_ANY,    /* MPI_ANY_SOURCE */
    NOISE_PEER_ROOT,   /* number: the root of a collective */
} noise_peer_kind;

typedef struct noise_call_peer {
    noise_peer_kind kind;
    int64_t number; /* in the communicator */
    int64_t own;    /* the own rank, in the same communicator */
    int64_t size;   /* of the communicator; 0: not known */
    bool part;      /* the communicator does not hold all ranks of the program */
} noise_call_peer;

/**
 * The symbol of a call. O(1).
 *
 * A receive from any source must come as NOISE_PEER_ANY: which message it takes may differ from run
 * to run.
 */
uint64_t noise_call_symbol(const noise_event_function *function, noise_match match,
                           const noise_call_peer *peer);

/** Is it a blocking collective of all ranks, which all of them make equally often? */
static inline bool noise_call_is_anchor(const noise_event_function *function,
                                        const noise_call_peer *peer)
{
    return function->collective && !peer->part;
}

enum { NOISE_CALL_SYMBOL_BYTES = 128 };
/** "MPI_Send to rank+8", "MPI_Send to rank^8", "MPI_Bcast root 0", "MPI_Recv from any",
 * "MPI_Barrier of a part"; long names of functions are cut off. */
void noise_call_symbol_name(const noise_event_function *function, noise_match match,
                            const noise_call_peer *peer, char out[NOISE_CALL_SYMBOL_BYTES]);
