/* sim/events/turn_queue_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Which ranks have something to do in which window of time? A ring of buckets of ranks, one per
 * window to come; what is too far ahead for the ring is in a heap (rank_queue_private.h).
 *
 * A rank that turns out to be due earlier than thought gets a second place in the queue; when its
 * turn comes at the old one, engine_rank.window tells that this is not meant. A place it comes back
 * to is remembered (engine_rank.parked), so that it does not collect any number of them.
 */
#pragma once

#include "base/rank_share_private.h"
#include "events/agenda_private.h"
#include "events/rank_queue_private.h"

typedef enum {
    TURN_NEVER, /* it has nothing to do */
    TURN_RING,  /* in window engine_rank.window (its low 32 bits) */
    TURN_FAR,
    TURN_RUNNING, /* it is its turn: what comes next is settled after it */
} turn_place;

#define TURN_WINDOWS      4096U /* in the ring; a power of two, at most 64 * 64 */
#define TURN_CHUNK_RANKS  62U
#define TURN_LINE_CHUNKS  66U /* taken at once: some 4,000 ranks, 16 KiB */
#define TURN_NO_WINDOW    UINT64_MAX
#define TURN_WINDOWS_MASK (TURN_WINDOWS - 1)

/* Ranks of one bucket: 256 bytes. */
typedef struct turn_chunk {
    uint32_t next;
    uint32_t n;
    uint32_t rank[TURN_CHUNK_RANKS];
} turn_chunk;

typedef struct turn_bucket {
    uint32_t head, tail; /* chunks; 0: none */
    uint32_t n;
} turn_bucket;

typedef struct turn_queue {
    uint64_t width;   /* of a window, ps; > 0 */
    uint64_t inverse; /* 2^64 / width, rounded down */
    uint64_t now;     /* the window the ring begins with */
    rank_share share; /* its ranks */
    uint64_t filled;  /* bit i: word i of bucket_filled is not 0 */
    uint64_t bucket_filled[TURN_WINDOWS / 64];
    turn_bucket bucket[TURN_WINDOWS];
    turn_chunk *chunk; /* 0 is nobody */
    uint32_t num_chunks, cap_chunks, free_chunk;
    uint32_t *line; /* ranks of the current window, one behind the other */
    rank_queue far; /* by window; places of ranks in the share; zeroed until there are any */
} turn_queue;

void sim_turn_queue_init(turn_queue *q, const rank_share *share, sim_time width);
void sim_turn_queue_clear(turn_queue *q);

/* The slow ways of the two functions that follow. */
void sim_turn_queue_push(turn_queue *q, uint64_t window, uint32_t rank);
void sim_turn_queue_push_far(turn_queue *q, engine_rank *r, uint32_t rank, uint64_t window);

/** The window that @p when, >= 0, is in: a division, which would take longer. */
static inline uint64_t turn_queue_window(const turn_queue *q, sim_time when)
{
    const uint64_t at = (uint64_t)when;
    const uint64_t below = (uint64_t)((unsigned __int128)at * q->inverse >> 64);
    return below + (at - below * q->width >= q->width); /* it may be one too low */
}

/** The turn of @p rank is over; it is due next at @p when, or AGENDA_NEVER. */
static inline void turn_queue_put(turn_queue *q, engine_rank *r, uint32_t rank, sim_time when)
{
    if (when == AGENDA_NEVER) {
        r->place = TURN_NEVER;
        return;
    }
    const uint64_t window = turn_queue_window(q, when);
    if (window - q->now >= TURN_WINDOWS) {
        sim_turn_queue_push_far(q, r, rank, window);
        return;
    }
    r->place = TURN_RING;
    r->window = (uint32_t)window;
    if (r->is_parked && r->parked == r->window) {
        r->is_parked = false;
    } else {
        sim_turn_queue_push(q, window, rank);
    }
}

/** @p rank has got something to do at @p when, in a window that has not begun. */
static inline void turn_queue_due(turn_queue *q, engine_rank *r, uint32_t rank, sim_time when)
{
    if (r->place == TURN_RUNNING) {
        return;
    }
    const uint64_t window = turn_queue_window(q, when);
    if (window - q->now >= TURN_WINDOWS) {
        if (r->place != TURN_RING) {
            sim_turn_queue_push_far(q, r, rank, window);
        }
        return;
    }
    if (r->place == TURN_RING) {
        if ((int32_t)((uint32_t)window - r->window) >= 0) {
            return;
        }
        r->parked = r->window;
        r->is_parked = true;
    } else if (r->place == TURN_FAR) {
        sim_rank_queue_set(&q->far, rank_share_place(&q->share, rank), RANK_QUEUE_NEVER);
    }
    r->place = TURN_RING;
    r->window = (uint32_t)window;
    sim_turn_queue_push(q, window, rank);
}

/** @p rank was not due in the current window, and gets its turn in it now. */
static inline void turn_queue_claim(turn_queue *q, engine_rank *r, uint32_t rank)
{
    if (r->place == TURN_RING) {
        r->parked = r->window;
        r->is_parked = true;
    } else if (r->place == TURN_FAR) {
        sim_rank_queue_set(&q->far, rank_share_place(&q->share, rank), RANK_QUEUE_NEVER);
    }
    r->place = TURN_RUNNING;
}

/** The first window in which a rank may be due; TURN_NO_WINDOW: none is, ever. */
uint64_t sim_turn_queue_next(const turn_queue *q);
/** How many turns there may be in @p window, if it is the next. */
uint32_t sim_turn_queue_count(const turn_queue *q, uint64_t window);
/** Go on to @p window; nothing is due before. @p rank_of gives the ranks, @p rank_bytes each. */
void sim_turn_queue_advance(turn_queue *q, uint64_t window, char *ranks, size_t rank_bytes);

/**
 * Take some ranks out of the bucket of the current window. @return how many; 0: it is empty. They
 * are in turn_queue.line until the next call, and what they do adds nothing to this window
 */
uint32_t sim_turn_queue_take(turn_queue *q);

/** Is it really the turn of a rank that was taken? If so, it is running. */
static inline bool turn_queue_is_due(const turn_queue *q, engine_rank *r)
{
    if (r->place == TURN_RING && r->window == (uint32_t)q->now) {
        r->place = TURN_RUNNING;
        return true;
    }
    if (r->is_parked && r->parked == (uint32_t)q->now) {
        r->is_parked = false;
    }
    return false;
}
