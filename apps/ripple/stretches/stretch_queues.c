/* apps/ripple/stretches/stretch_queues.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_reference. */
#include "stretches/stretch_queues.h"

#include "sim/large.h"
#include "stretches/number_bytes.h"

#include <assert.h>
#include <string.h>

/* Chunks come in blocks, which stay where they are. */
enum { LINE = 64, BLOCK = 1 << 16, NEAR = 38 };
#define NONE UINT32_MAX

/* A head says the place of the length, and what else follows: */
enum { PLACE = 0x1f, HAS_IDLE = 0x20, HAS_OP = 0x40 /* not the next one */ };

/* A piece of a rank's queue: a line of the cache. */
typedef struct chunk {
    uint8_t bytes[APP_STRETCH_GROUP + 1];
    uint8_t held;
    uint32_t next; /* in the queue, or free */
} chunk;
static_assert(sizeof(chunk) == LINE, "a chunk is a line of the cache");

/* A line, too, which holds what waits of most ranks; only what is more than that is in chunks. */
typedef struct queue {
    app_stretch_place place;
    uint32_t first; /* chunk; NONE: there are none */
    uint32_t last;
    uint8_t taken;      /* of the bytes here, or of the first chunk where there are no more here */
    uint8_t held;       /* here: they come before those in chunks; 0: none */
    uint8_t here[NEAR]; /* to the end of the line */
} queue;
static_assert(sizeof(queue) == LINE, "and so is a queue");

struct app_stretch_queues {
    const app_length_table *lengths;
    queue *queues; /* [ranks] */
    GPtrArray *blocks;
    uint32_t num_chunks;
    uint32_t free; /* a list */
};

uint8_t *app_stretch_put(uint8_t *out, app_length_table *lengths, app_stretch_place *place,
                         sim_time start, sim_time end, uint32_t op)
{
    const uint64_t length = (uint64_t)(end - start);
    const sim_time idle = start - place->end;
    const unsigned at = app_length_place(lengths, length);
    assert(idle >= 0);
    *out++ = (uint8_t)(at | (idle != 0 ? HAS_IDLE : 0) | (op != place->next_op ? HAS_OP : 0));
    if (at == APP_LENGTH_PLACES) {
        out = app_number_put(out, length);
    }
    if (idle != 0) {
        out = app_number_put(out, (uint64_t)idle);
    }
    if (op != place->next_op) {
        out = app_number_put(out, app_number_fold((int64_t)op - place->next_op));
    }
    *place = (app_stretch_place){end, op + 1};
    return out;
}

app_stretch_queues *app_stretch_queues_new(uint32_t num_ranks, const app_length_table *lengths)
{
    app_stretch_queues *q = g_new0(app_stretch_queues, 1);
    q->lengths = lengths;
    q->queues = sim_large_new(num_ranks, sizeof(queue));
    for (uint32_t rank = 0; rank < num_ranks; rank++) {
        q->queues[rank] = (queue){.first = NONE};
    }
    q->blocks = g_ptr_array_new_with_free_func(sim_large_free);
    q->free = NONE;
    return q;
}

void app_stretch_queues_free(app_stretch_queues *q)
{
    if (q != NULL) {
        sim_large_free(q->queues);
        g_ptr_array_unref(q->blocks);
        g_free(q);
    }
}

static chunk *chunk_at(const app_stretch_queues *q, uint32_t index)
{
    return (chunk *)q->blocks->pdata[index / BLOCK] + index % BLOCK;
}

static uint32_t new_chunk(app_stretch_queues *q)
{
    uint32_t index = q->free;
    if (index == NONE) {
        if (q->num_chunks % BLOCK == 0) {
            g_ptr_array_add(q->blocks, sim_large_new(BLOCK, sizeof(chunk)));
        }
        index = q->num_chunks++;
    } else {
        q->free = chunk_at(q, index)->next;
        if (q->free != NONE) {
            __builtin_prefetch(chunk_at(q, q->free), 1); /* that is asked for next */
        }
    }
    chunk_at(q, index)->held = 0;
    chunk_at(q, index)->next = NONE;
    return index;
}

/* @return false: there is no room, or there are chunks, which are behind what is here */
static bool add_here(queue *q, const uint8_t *bytes, size_t n)
{
    if (q->first != NONE || (size_t)q->held - q->taken + n > NEAR) {
        return false;
    }
    if (q->held + n > NEAR) {
        memmove(q->here, q->here + q->taken, (size_t)q->held - q->taken);
        q->held = (uint8_t)(q->held - q->taken);
        q->taken = 0;
    }
    memcpy(q->here + q->held, bytes, n);
    q->held = (uint8_t)(q->held + n);
    return true;
}

void app_stretch_queues_add(app_stretch_queues *qs, uint32_t rank, const uint8_t *bytes, size_t n)
{
    queue *q = &qs->queues[rank];
    if (add_here(q, bytes, n)) {
        return;
    }
    if (q->first == NONE) {
        q->first = q->last = new_chunk(qs);
    } else if (chunk_at(qs, q->last)->held + n > sizeof((chunk *)NULL)->bytes) {
        const uint32_t next = new_chunk(qs);
        chunk_at(qs, q->last)->next = next;
        q->last = next;
    }
    chunk *c = chunk_at(qs, q->last);
    memcpy(c->bytes + c->held, bytes, n);
    c->held = (uint8_t)(c->held + n);
}

static app_reference_stretch decode(const app_stretch_queues *qs, queue *q, const uint8_t **in)
{
    const unsigned head = *(*in)++;
    const unsigned at = head & PLACE;
    const uint64_t length =
        at == APP_LENGTH_PLACES ? app_number_get(in) : app_length_at(qs->lengths, at);
    const sim_time idle = (head & HAS_IDLE) != 0 ? (sim_time)app_number_get(in) : 0;
    uint32_t op = q->place.next_op;
    if ((head & HAS_OP) != 0) {
        op = (uint32_t)((int64_t)op + app_number_unfold(app_number_get(in)));
    }
    const sim_time start = q->place.end + idle;
    q->place = (app_stretch_place){start + (sim_time)length, op + 1};
    return (app_reference_stretch){idle, start, q->place.end, op};
}

static void free_first(app_stretch_queues *qs, queue *q)
{
    const uint32_t index = q->first;
    chunk *c = chunk_at(qs, index);
    q->first = c->next; /* NONE of the last */
    c->next = qs->free;
    qs->free = index;
}

bool app_stretch_queues_take(app_stretch_queues *qs, uint32_t rank, app_reference_stretch *out)
{
    queue *q = &qs->queues[rank];
    if (q->held == 0 && q->first == NONE) {
        return false;
    }
    const bool is_here = q->held > 0;
    const uint8_t *bytes = is_here ? q->here : chunk_at(qs, q->first)->bytes;
    const unsigned held = is_here ? q->held : chunk_at(qs, q->first)->held;
    const uint8_t *in = bytes + q->taken;
    *out = decode(qs, q, &in);
    q->taken = (uint8_t)(in - bytes);
    if (q->taken == held) {
        q->taken = 0;
        if (is_here) {
            q->held = 0;
        } else {
            free_first(qs, q);
        }
    }
    return true;
}

void app_stretch_queues_near(const app_stretch_queues *qs, uint32_t rank)
{
    __builtin_prefetch(&qs->queues[rank], 1);
}

void app_stretch_queues_near_first(const app_stretch_queues *qs, uint32_t rank)
{
    const queue *q = &qs->queues[rank];
    if (q->held == 0 && q->first != NONE) {
        __builtin_prefetch(chunk_at(qs, q->first), 1);
    }
}

void app_stretch_queues_near_last(const app_stretch_queues *qs, uint32_t rank)
{
    const queue *q = &qs->queues[rank];
    if (q->first != NONE) {
        __builtin_prefetch(chunk_at(qs, q->last), 1);
    }
}
