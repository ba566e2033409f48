/* sim/events/rank_queue.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_calendar_queue. */
#include "events/rank_queue_private.h"
#include "sim/large.h"

#include <glib.h>
#include <stdbool.h>

void sim_rank_queue_init(rank_queue *queue, uint32_t num_ranks)
{
    queue->n = 0;
    queue->block = sim_large_new(num_ranks + (size_t)3, sizeof(rank_queue_entry));
    queue->heap = queue->block + 3; /* so that siblings, from 4i + 1 on, fill a cache line */
    queue->position = sim_large_new(num_ranks, sizeof(uint32_t));
    for (uint32_t r = 0; r < num_ranks; r++) {
        queue->position[r] = RANK_QUEUE_OUT;
    }
}

void sim_rank_queue_clear(rank_queue *queue)
{
    sim_large_free(queue->block);
    sim_large_free(queue->position);
}

static inline bool before(rank_queue_entry a, rank_queue_entry b)
{
    return a.key < b.key || (a.key == b.key && a.rank < b.rank);
}

static inline void place(rank_queue *queue, uint32_t at, rank_queue_entry entry)
{
    queue->heap[at] = entry;
    queue->position[entry.rank] = at;
}

static void sift_up(rank_queue *queue, uint32_t at, rank_queue_entry entry)
{
    while (at > 0) {
        const uint32_t parent = (at - 1) / 4;
        if (!before(entry, queue->heap[parent])) {
            break;
        }
        place(queue, at, queue->heap[parent]);
        at = parent;
    }
    place(queue, at, entry);
}

static void sift_down(rank_queue *queue, uint32_t at, rank_queue_entry entry)
{
    for (;;) {
        const uint64_t child = 4 * (uint64_t)at + 1;
        if (child >= queue->n) {
            break;
        }
        const uint32_t last = (uint32_t)MIN(child + 4, queue->n);
        uint32_t least = (uint32_t)child;
        for (uint32_t c = least + 1; c < last; c++) {
            least = before(queue->heap[c], queue->heap[least]) ? c : least;
        }
        if (!before(queue->heap[least], entry)) {
            break;
        }
        place(queue, at, queue->heap[least]);
        at = least;
    }
    place(queue, at, entry);
}

static void settle(rank_queue *queue, uint32_t at, rank_queue_entry entry)
{
    if (at > 0 && before(entry, queue->heap[(at - 1) / 4])) {
        sift_up(queue, at, entry);
    } else {
        sift_down(queue, at, entry);
    }
}

uint32_t sim_rank_queue_take(rank_queue *queue)
{
    const uint32_t rank = queue->heap[0].rank;
    queue->position[rank] = RANK_QUEUE_TURN;
    queue->n--;
    if (queue->n > 0) {
        sift_down(queue, 0, queue->heap[queue->n]);
    }
    return rank;
}

void sim_rank_queue_set(rank_queue *queue, uint32_t rank, sim_time key)
{
    const uint32_t at = queue->position[rank];
    const rank_queue_entry entry = {.key = key, .rank = rank};
    if (key == RANK_QUEUE_NEVER) {
        queue->position[rank] = RANK_QUEUE_OUT;
        if (at < RANK_QUEUE_TURN) {
            queue->n--;
            if (at < queue->n) {
                settle(queue, at, queue->heap[queue->n]);
            }
        }
    } else if (at >= RANK_QUEUE_TURN) {
        queue->n++;
        sift_up(queue, queue->n - 1, entry);
    } else if (queue->heap[at].key != key) {
        settle(queue, at, entry);
    }
}
