/* sim/events/rank_queue_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Whose turn is it? A heap of ranks by the instant at which each can do its next thing; equal
 * keys: the lowest rank. Four children per node, so that siblings share a cache line.
 */
#pragma once

#include "sim/time.h"

#define RANK_QUEUE_NEVER INT64_MAX
#define RANK_QUEUE_TAKEN INT64_MIN /* not in the queue: its turn has come */

typedef struct rank_queue_entry {
    sim_time key; /* an instant */
    uint32_t rank;
} rank_queue_entry;

typedef struct rank_queue {
    uint32_t n;
    rank_queue_entry *block;
    rank_queue_entry *heap; /* [n of num_ranks] in block */
    uint32_t *position;     /* [num_ranks] in heap; or one of the two below */
} rank_queue;

#define RANK_QUEUE_OUT  UINT32_MAX       /* of position: it has nothing to do */
#define RANK_QUEUE_TURN (UINT32_MAX - 1) /* of position: sim_rank_queue_take() took it */

void sim_rank_queue_init(rank_queue *queue, uint32_t num_ranks);
void sim_rank_queue_clear(rank_queue *queue);
/** The key of @p rank is now @p key; RANK_QUEUE_NEVER takes it out. O(log n). */
void sim_rank_queue_set(rank_queue *queue, uint32_t rank, sim_time key);

/** Take the top out of a queue that is not empty; it is back with the next sim_rank_queue_set(). */
uint32_t sim_rank_queue_take(rank_queue *queue);

static inline rank_queue_entry sim_rank_queue_top(const rank_queue *queue)
{
    return queue->n > 0 ? queue->heap[0] : (rank_queue_entry){.key = RANK_QUEUE_NEVER};
}

/** The key of @p rank; RANK_QUEUE_NEVER or RANK_QUEUE_TAKEN if it is not in the queue. */
static inline sim_time sim_rank_queue_key(const rank_queue *queue, uint32_t rank)
{
    const uint32_t at = queue->position[rank];
    if (at >= RANK_QUEUE_TURN) {
        return at == RANK_QUEUE_TURN ? RANK_QUEUE_TAKEN : RANK_QUEUE_NEVER;
    }
    return queue->heap[at].key;
}
