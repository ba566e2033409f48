/* sim/events/calendar_queue_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Which ranks have something to do in which window of time? A ring of buckets of ranks, one per
 * window to come. What is behind its end is in a second ring, with a bucket for each block of
 * windows: computations are often longer than all windows of the first. When the end of the first
 * ring reaches a block, its ranks move over. What is too far ahead for both is in a heap
 * (rank_queue_private.h).
 *
 * A rank that turns out to be due earlier than thought gets a second entry in the queue; when the
 * queue comes to the old one, engine_rank.window says that it is no longer valid. The rank
 * remembers the old entry (engine_rank.parked) and uses it again if it can, so that entries do not
 * pile up.
 */
#pragma once

#include "base/rank_partition_private.h"
#include "events/event_list_private.h"
#include "events/rank_queue_private.h"

typedef enum {
    TURN_NEVER,    /* it has nothing to do */
    CALENDAR_RING, /* of either ring: in window engine_rank.window (its low 32 bits) */
    CALENDAR_FAR,
    CALENDAR_RUNNING, /* it is its turn; its next place follows from that */
} turn_place;

#define CALENDAR_WINDOWS      2048U /* buckets of a ring; a power of two, at most 64 * 64 */
#define CALENDAR_BLOCK        512U  /* windows; divides CALENDAR_WINDOWS, a power of two */
#define CALENDAR_CHUNK_RANKS  62U
#define CALENDAR_NO_WINDOW    UINT64_MAX
#define CALENDAR_WINDOWS_MASK (CALENDAR_WINDOWS - 1)

/* Ranks of one bucket: 256 bytes. */
typedef struct turn_chunk {
    uint32_t next;
    uint32_t n;
    uint32_t rank[CALENDAR_CHUNK_RANKS];
} turn_chunk;

typedef struct turn_bucket {
    uint32_t head, tail; /* chunks; 0: none */
    uint32_t n;
} turn_bucket;

typedef struct turn_ring {
    uint64_t filled; /* bit i: word i of bucket_filled is not 0 */
    uint64_t bucket_filled[CALENDAR_WINDOWS / 64];
    turn_bucket bucket[CALENDAR_WINDOWS];
} turn_ring;

typedef struct calendar_queue {
    uint64_t width;       /* of a window, ps; > 0 */
    uint64_t inverse;     /* 2^64 / width, rounded down */
    uint64_t now;         /* the window the first ring begins with */
    uint64_t end;         /* where it ends, and the second begins: a multiple of CALENDAR_BLOCK */
    rank_partition ranks; /* its ranks */
    turn_ring windows;    /* bucket w % CALENDAR_WINDOWS: window w */
    turn_ring blocks;     /* bucket b % CALENDAR_WINDOWS: CALENDAR_BLOCK windows from the b-th on */
    turn_chunk *chunk;    /* 0 is nobody */
    uint32_t num_chunks, cap_chunks, free_chunk;
    uint32_t *line;   /* ranks of the current window, one behind the other */
    uint64_t *sorted; /* a bit for each rank that was in the window's bucket and is not in a line */
    uint32_t word;    /* of sorted: none before has any */
    rank_queue far;   /* by window; places of its ranks; zeroed until there are any */
} calendar_queue;

/** @param now the first window */
void sim_calendar_queue_init(calendar_queue *q, const rank_partition *ranks, sim_time width,
                             uint64_t now);
void sim_calendar_queue_clear(calendar_queue *q);

/* The general paths of the two functions that follow. */
void sim_calendar_queue_push(calendar_queue *q, uint64_t window, uint32_t rank);
void sim_calendar_queue_put_later(calendar_queue *q, engine_rank *r, uint32_t rank,
                                  uint64_t window);
void sim_calendar_queue_due_later(calendar_queue *q, engine_rank *r, uint32_t rank,
                                  uint64_t window);

/** The window that @p when, >= 0, is in: a division, which would take longer. */
static inline uint64_t calendar_queue_window(const calendar_queue *q, sim_time when)
{
    const uint64_t at = (uint64_t)when;
    const uint64_t below = (uint64_t)((unsigned __int128)at * q->inverse >> 64);
    return below + (at - below * q->width >= q->width); /* it may be one too low */
}

/**
 * The entry of a rank in a ring is not valid any more. It is remembered, unless an older one is
 * behind the end of the first ring, where it would stay longer.
 */
static inline void calendar_queue_park(const calendar_queue *q, engine_rank *r)
{
    if (!r->is_parked || (int32_t)(r->parked - (uint32_t)q->end) < 0) {
        r->parked = r->window;
        r->is_parked = true;
    }
}

/** The turn of @p rank is over; it is due next at @p when, or EVENT_NEVER. */
static inline void calendar_queue_put(calendar_queue *q, engine_rank *r, uint32_t rank,
                                      sim_time when)
{
    if (when == EVENT_NEVER) {
        r->place = TURN_NEVER;
        return;
    }
    const uint64_t window = calendar_queue_window(q, when);
    if (window >= q->end) {
        sim_calendar_queue_put_later(q, r, rank, window);
        return;
    }
    r->place = CALENDAR_RING;
    r->window = (uint32_t)window;
    if (r->is_parked && r->parked == r->window) {
        r->is_parked = false;
    } else {
        sim_calendar_queue_push(q, window, rank);
    }
}

/** @p rank has got something to do at @p when, in a window that has not begun. */
static inline void calendar_queue_due(calendar_queue *q, engine_rank *r, uint32_t rank,
                                      sim_time when)
{
    if (r->place == CALENDAR_RUNNING) {
        return;
    }
    const uint64_t window = calendar_queue_window(q, when);
    if (window >= q->end) {
        sim_calendar_queue_due_later(q, r, rank, window);
        return;
    }
    if (r->place == CALENDAR_RING) {
        if ((int32_t)((uint32_t)window - r->window) >= 0) {
            return;
        }
        calendar_queue_park(q, r);
    } else if (r->place == CALENDAR_FAR) {
        sim_rank_queue_set(&q->far, rank_partition_place(&q->ranks, rank), RANK_QUEUE_NEVER);
    }
    r->place = CALENDAR_RING;
    r->window = (uint32_t)window;
    sim_calendar_queue_push(q, window, rank);
}

/** @p rank was not due in the current window, and gets its turn in it now. */
static inline void calendar_queue_claim(calendar_queue *q, engine_rank *r, uint32_t rank)
{
    if (r->place == CALENDAR_RING) {
        calendar_queue_park(q, r);
    } else if (r->place == CALENDAR_FAR) {
        sim_rank_queue_set(&q->far, rank_partition_place(&q->ranks, rank), RANK_QUEUE_NEVER);
    }
    r->place = CALENDAR_RUNNING;
}

/**
 * The first window in which a rank may be due; CALENDAR_NO_WINDOW: none is, ever. If none is before
 * the end of the first ring, that may be the first of a block, in which nobody need be due.
 */
uint64_t sim_calendar_queue_next(const calendar_queue *q);
/** How many turns there may be in @p window, if it is the next. */
uint32_t sim_calendar_queue_count(const calendar_queue *q, uint64_t window);
/** Go on to @p window; nothing is due before. @p ranks: engine_rank, @p rank_bytes each. */
void sim_calendar_queue_advance(calendar_queue *q, uint64_t window, char *ranks, size_t rank_bytes);

/**
 * Take some ranks out of the bucket of the current window: all of them, one call after the other,
 * in ascending order if they are many. @return how many; 0: none is left. They are in
 * calendar_queue.line until the next call, and what they do adds nothing to this window
 */
uint32_t sim_calendar_queue_take(calendar_queue *q);

/**
 * The same for some ranks of @p window, which is to come: those that are not done with put
 * themselves back. It is before calendar_queue.end. @return how many; 0: there is none
 */
uint32_t sim_calendar_queue_take_ahead(calendar_queue *q, uint64_t window);

/** Is it really the turn of a rank that was taken for @p window? If so, it is running. */
static inline bool calendar_queue_is_due(engine_rank *r, uint64_t window)
{
    if (r->place == CALENDAR_RING && r->window == (uint32_t)window) {
        r->place = CALENDAR_RUNNING;
        return true;
    }
    if (r->is_parked && r->parked == (uint32_t)window) {
        r->is_parked = false;
    }
    return false;
}
