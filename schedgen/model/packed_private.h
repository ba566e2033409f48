/* schedgen/model/packed_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The calls of a rank as they are kept while nobody looks at them. A call is its time and a *body*:
 * all that it says beside time, counted from the call before where that makes it repeat (requests,
 * lines). Equal bodies are kept once, in the order in which they first come. The calls are a stream
 * of tokens, which a walk reads from the start: it expects after each body the one that came after
 * it the last time, and at first the one that was new after it. So a loop of the program costs its
 * times only, and where these are the same again, a few bytes for any number of calls.
 *
 * Token: a number of 7 bits a byte whose two lowest bits are a packed_token. The rest is the time
 * since the call before (its sign last), in units; then come, as far as the body has them: the
 * duration, CPU time less the time since the call before, duration less CPU time inside.
 */
#pragma once

#include "sched/trace.h"

typedef enum {
    PACKED_EXPECTED, /* the body that is expected */
    PACKED_FRESH,    /* the next one that is new */
    PACKED_NAMED,    /* its number comes next */
    PACKED_RUN       /* so many calls as expected, each with its body's last times; 0: the token
                        proper and a large time since the call before come next */
} packed_token;

/* Which fields a body holds, in this order; others have the value of a fresh call. */
enum {
    PACKED_BYTES = 1 << 0,
    PACKED_RECV_BYTES = 1 << 1,
    PACKED_ROOM = 1 << 2,
    PACKED_PEER = 1 << 3,
    PACKED_TAG = 1 << 4,
    PACKED_RECV_PEER = 1 << 5,
    PACKED_RECV_TAG = 1 << 6,
    PACKED_MATCHED_PEER = 1 << 7,
    PACKED_MATCHED_TAG = 1 << 8,
    PACKED_ROOT = 1 << 9,
    PACKED_REQUEST = 1 << 10,
    PACKED_LIST = 1 << 11,
    PACKED_COUNTS = 1 << 12,
    PACKED_LINE = 1 << 13, /* else it is the one after the call before */
    /* no field of the body */
    PACKED_ROOM_CAME = 1 << 14,         /* room: what came */
    PACKED_MATCHED_PEER_SAME = 1 << 15, /* as asked for */
    PACKED_MATCHED_TAG_SAME = 1 << 16,
    PACKED_CPU = 1 << 17, /* recorded */
    PACKED_CPU_INSIDE = 1 << 18,
    PACKED_CPU_ALL = 1 << 19 /* inside: all of the duration */
};

/* What few calls of a program differ in. No padding: compared as bytes. */
typedef struct packed_class {
    uint32_t has;
    uint32_t name;
    uint32_t comm;
    uint8_t kind;
    uint8_t collective;
    bool in_place;
    bool synchronous;
} packed_class;

struct sched_packed {
    packed_class *classes;
    uint32_t num_classes;
    uint32_t num_bodies;
    uint8_t *bodies; /* each: its class, then its fields */
    size_t num_body_bytes;
    uint8_t *tokens;
    size_t num_token_bytes;
    sim_time unit;  /* of times in tokens */
    sim_time begin; /* enter of the first call */
    bool wild;      /* a receive takes any source or any tag */
};

/* What a body was the last time. */
typedef struct packed_last {
    sim_time gap; /* in units, all of them */
    sim_time duration;
    sim_time less_cpu;
    sim_time less_inside;
    uint32_t next; /* the body that came after it */
} packed_last;

static inline uint64_t packed_fold(int64_t value)
{
    return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

static inline int64_t packed_unfold(uint64_t value)
{
    return (int64_t)(value >> 1 ^ (0 - (value & 1)));
}

/* Differences, as the range is larger than that of what is subtracted. */
static inline int64_t packed_minus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

static inline int64_t packed_plus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* What a receive's room and match are compared with. */
static inline int64_t packed_came(const sched_call *call)
{
    return call->kind == SCHED_CALL_SENDRECV ? call->recv_bytes : call->bytes;
}

static inline uint32_t packed_asked_peer(const sched_call *call)
{
    return call->kind == SCHED_CALL_SENDRECV ? call->recv_peer : call->peer;
}

static inline uint32_t packed_asked_tag(const sched_call *call)
{
    return call->kind == SCHED_CALL_SENDRECV ? call->recv_tag : call->tag;
}

void sched_packed_free(sched_packed *packed); /* NULL is a no-op */
