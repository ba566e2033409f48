/* noise/event_type.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Which events of an MPI program should last equally long: their type. A type is made of names and
 * sizes alone, so that it is the same in every process, in the tracer and after the run; no
 * GLib. Not installed.
 *
 *     computation   the code between two calls: both names, both classes of size
 *     call          the time inside a call: its name, class of size, class of peer
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The two highest bits of a type. Types that programs number themselves are OTHER. */
typedef enum {
    NOISE_EVENT_OTHER,
    NOISE_EVENT_COMPUTATION,
    NOISE_EVENT_CALL,
    NOISE_EVENT_TASK /* of a task-based program: an entry method, or the runtime between two */
} noise_event_kind;

#define NOISE_EVENT_KIND_SHIFT 62

static inline noise_event_kind noise_event_type_kind(uint64_t type)
{
    return (noise_event_kind)(type >> NOISE_EVENT_KIND_SHIFT);
}

/**
 * Up to here MPI libraries send at once, without asking the receiver. Open MPI within a node may
 * wait for it above some 1000 bytes: docs/noise-miner.md, section 6.
 */
#define NOISE_EVENT_EAGER_BYTES 4096

/** In place of a distance: MPI_PROC_NULL; and a peer that is not known, or not one. */
#define NOISE_EVENT_NOBODY  INT64_MAX
#define NOISE_EVENT_NO_PEER INT64_MIN
/** In place of bytes: not known. */
#define NOISE_EVENT_NO_SIZE (-1)

/** What matters of a function of MPI. Made once per function: it compares names. */
typedef struct noise_event_function {
    const char *name; /* "MPI_Send"; borrowed */
    uint64_t hash;    /* of the name */
    int64_t local;    /* up to so many bytes it does not wait for others by definition of MPI or,
                         of MPI_Send, in every MPI that we know; -1: it may wait */
    bool sized;       /* its bytes are part of its type */
    bool peered;      /* its peer is part of its type */
    bool receives;    /* the peer is where the message comes from */
    bool collective;  /* every rank of the communicator makes it, and it may wait for them */
    bool tests;       /* asks whether requests are complete; a run of polls is no event */
} noise_event_function;

/** @param name "MPI_Send"; must outlive the result */
noise_event_function noise_event_function_of(const char *name);

/**
 * Does a call of so many bytes (NOISE_EVENT_NO_SIZE: not known) not wait for others?
 * @param completed requests that the call completed; asked of the test functions
 */
static inline bool noise_event_is_local(const noise_event_function *f, int64_t bytes,
                                        uint64_t completed)
{
    return f->tests ? completed > 0 : f->local >= 0 && bytes <= f->local;
}

/** A call, as far as types go. */
typedef struct noise_event_call {
    const noise_event_function *function; /* borrowed */
    uint8_t size;                         /* class; 0: none */
    uint8_t peer;                         /* class; 0: none */
    bool waited; /* for a partner that came late: what is left has the message's way in it. Types of
                    computations do not depend on it */
} noise_event_call;

/** Classes of size: 0 none, 1 no bytes, k + 2 the bytes in (2^(k-1), 2^k]. */
static inline uint8_t noise_event_size_class(int64_t bytes)
{
    return bytes < 0    ? 0
           : bytes <= 1 ? (uint8_t)(1 + bytes)
                        : (uint8_t)(66 - __builtin_clzll((unsigned long long)bytes - 1));
}

/** Classes of distance: 0 none, 1 nobody, 2 itself; 3 + 2 k up, 4 + 2 k down by 2^k..2^(k+1)-1. */
static inline uint8_t noise_event_peer_class(int64_t distance)
{
    if (distance == NOISE_EVENT_NO_PEER || distance == NOISE_EVENT_NOBODY || distance == 0) {
        return distance == 0 ? 2 : distance == NOISE_EVENT_NOBODY ? 1 : 0;
    }
    const uint64_t length = distance < 0 ? 0 - (uint64_t)distance : (uint64_t)distance;
    const int octave = 63 - __builtin_clzll(length);
    return (uint8_t)((distance < 0 ? 4 : 3) + 2 * octave);
}

/**
 * @param bytes    sends, MPI_Sendrecv: sent; receives that wait: that came; collectives: their
 * block or vector; NOISE_EVENT_NO_SIZE. Ignored where they do not matter.
 * @param distance rank of the destination (receives: of the source that the message came from) less
 *                 the own rank, both in the communicator; or one of the constants above
 */
static inline noise_event_call noise_event_call_of(const noise_event_function *function,
                                                   int64_t bytes, int64_t distance)
{
    const bool nobody = function->peered && distance == NOISE_EVENT_NOBODY;
    return (noise_event_call){
        .function = function,
        .size = function->sized && !nobody ? noise_event_size_class(bytes) : (uint8_t)0,
        .peer = function->peered ? noise_event_peer_class(distance) : (uint8_t)0};
}

/* The finalizer of MurmurHash3: every bit of the result depends on every bit of x. */
static inline uint64_t noise_event_mix(uint64_t x)
{
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdU;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53U;
    return x ^ (x >> 33);
}

static inline uint64_t noise_event_typed(noise_event_kind kind, uint64_t hash)
{
    const uint64_t mask = (UINT64_C(1) << NOISE_EVENT_KIND_SHIFT) - 1;
    return (uint64_t)kind << NOISE_EVENT_KIND_SHIFT | (hash & mask);
}

/** Type of the time inside a call. */
static inline uint64_t noise_event_call_type(const noise_event_call *call)
{
    return noise_event_typed(
        NOISE_EVENT_CALL,
        noise_event_mix(call->function->hash +
                        ((uint64_t)call->waited << 16 | (uint64_t)call->size << 8 | call->peer)));
}

/** Type of the code between two calls. Peers are no part of it. */
static inline uint64_t noise_event_computation_type(const noise_event_call *before,
                                                    const noise_event_call *after)
{
    const uint64_t first = noise_event_mix(before->function->hash + before->size);
    return noise_event_typed(NOISE_EVENT_COMPUTATION,
                             noise_event_mix(3 * first + after->function->hash + after->size));
}

/** Type of a task, by its name. */
uint64_t noise_event_task_type(const char *name);

enum { NOISE_EVENT_NAME_BYTES = 160 };
/** "MPI_Send <= 8 KiB to rank+1", "MPI_Recv 0 B from itself, waited"; long names of functions are
 * cut off. */
void noise_event_call_name(const noise_event_call *call, char out[NOISE_EVENT_NAME_BYTES]);
/** "MPI_Recv <= 8 KiB .. MPI_Waitall" */
void noise_event_computation_name(const noise_event_call *before, const noise_event_call *after,
                                  char out[NOISE_EVENT_NAME_BYTES]);
