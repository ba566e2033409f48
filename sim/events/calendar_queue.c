/* sim/events/calendar_queue.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "events/calendar_queue_private.h"

#include <glib.h>

#include <assert.h>
#include <string.h>

_Static_assert(sizeof(turn_chunk) == 256, "whole cache lines");

void sim_calendar_queue_init(calendar_queue *q, const rank_partition *ranks, sim_time width)
{
    memset(q, 0, sizeof *q);
    q->width = (uint64_t)width;
    q->inverse = UINT64_MAX / q->width;
    q->ranks = *ranks;
    q->num_chunks = 1;
    q->cap_chunks = 64;
    q->chunk = g_new(turn_chunk, q->cap_chunks);
    q->line = g_new(uint32_t, (size_t)CALENDAR_LINE_CHUNKS * CALENDAR_CHUNK_RANKS);
}

void sim_calendar_queue_clear(calendar_queue *q)
{
    g_free(q->chunk);
    g_free(q->line);
    sim_rank_queue_clear(&q->far);
    memset(q, 0, sizeof *q);
}

static uint32_t new_chunk(calendar_queue *q)
{
    uint32_t chunk = q->free_chunk;
    if (chunk != 0) {
        q->free_chunk = q->chunk[chunk].next;
    } else {
        if (q->num_chunks == q->cap_chunks) {
            q->cap_chunks *= 2;
            q->chunk = g_renew(turn_chunk, q->chunk, q->cap_chunks);
        }
        chunk = q->num_chunks++;
    }
    q->chunk[chunk].next = 0;
    q->chunk[chunk].n = 0;
    return chunk;
}

void sim_calendar_queue_push(calendar_queue *q, uint64_t window, uint32_t rank)
{
    const uint32_t b = (uint32_t)(window & CALENDAR_WINDOWS_MASK);
    turn_bucket *bucket = &q->bucket[b];
    if (bucket->tail == 0 || q->chunk[bucket->tail].n == CALENDAR_CHUNK_RANKS) {
        const uint32_t chunk = new_chunk(q);
        *(bucket->tail == 0 ? &bucket->head : &q->chunk[bucket->tail].next) = chunk;
        bucket->tail = chunk;
        q->bucket_filled[b / 64] |= UINT64_C(1) << b % 64;
        q->filled |= UINT64_C(1) << b / 64;
    }
    turn_chunk *chunk = &q->chunk[bucket->tail];
    chunk->rank[chunk->n++] = rank;
    bucket->n++;
}

void sim_calendar_queue_push_far(calendar_queue *q, engine_rank *r, uint32_t rank, uint64_t window)
{
    const uint32_t own = rank_partition_place(&q->ranks, rank);
    if (q->far.position == NULL) { /* mostly nobody ever is there */
        sim_rank_queue_init(&q->far, rank_partition_places(&q->ranks));
    }
    if (r->place != CALENDAR_FAR || (sim_time)window < sim_rank_queue_key(&q->far, own)) {
        sim_rank_queue_set(&q->far, own, (sim_time)window);
    }
    r->place = CALENDAR_FAR;
}

/* The first bit that is set in @p bits from bit @p from on, around its end; it is not 0. */
static uint32_t next_bit(uint64_t bits, uint32_t from)
{
    const uint64_t turned = from == 0 ? bits : bits >> from | bits << (64 - from);
    return (from + (uint32_t)__builtin_ctzll(turned)) % 64;
}

/* How many windows from now the first bucket is that is not empty; the ring is not. */
static uint32_t ring_distance(const calendar_queue *q)
{
    const uint32_t from = (uint32_t)(q->now & CALENDAR_WINDOWS_MASK);
    uint32_t word = from / 64;
    const uint64_t rest = q->bucket_filled[word] >> from % 64;
    if (rest != 0) {
        return (uint32_t)__builtin_ctzll(rest);
    }
    word = next_bit(q->filled, (word + 1) % 64); /* it may be the same, before `from` */
    const uint32_t b = word * 64 + (uint32_t)__builtin_ctzll(q->bucket_filled[word]);
    return (b - from) & CALENDAR_WINDOWS_MASK;
}

uint64_t sim_calendar_queue_next(const calendar_queue *q)
{
    if (q->filled != 0) {
        return q->now + ring_distance(q);
    }
    const rank_queue_entry far = sim_rank_queue_top(&q->far);
    return far.key == RANK_QUEUE_NEVER ? CALENDAR_NO_WINDOW : (uint64_t)far.key;
}

uint32_t sim_calendar_queue_count(const calendar_queue *q, uint64_t window)
{
    return window - q->now < CALENDAR_WINDOWS ? q->bucket[window & CALENDAR_WINDOWS_MASK].n : 1;
}

void sim_calendar_queue_advance(calendar_queue *q, uint64_t window, char *ranks, size_t rank_bytes)
{
    assert(window >= q->now);
    q->now = window;
    for (;;) {
        const rank_queue_entry far = sim_rank_queue_top(&q->far);
        if (far.key == RANK_QUEUE_NEVER || (uint64_t)far.key - q->now >= CALENDAR_WINDOWS) {
            break;
        }
        const uint32_t rank =
            (uint32_t)rank_partition_rank(&q->ranks, sim_rank_queue_take(&q->far));
        sim_rank_queue_set(&q->far, far.rank, RANK_QUEUE_NEVER);
        engine_rank *r = (engine_rank *)(void *)(ranks + rank * rank_bytes);
        r->place = CALENDAR_RING;
        r->window = (uint32_t)far.key;
        sim_calendar_queue_push(q, (uint64_t)far.key, rank);
    }
}

uint32_t sim_calendar_queue_take(calendar_queue *q)
{
    const uint32_t b = (uint32_t)(q->now & CALENDAR_WINDOWS_MASK);
    turn_bucket *bucket = &q->bucket[b];
    uint32_t n = 0;
    for (uint32_t taken = 0; taken < CALENDAR_LINE_CHUNKS && bucket->head != 0; taken++) {
        const uint32_t c = bucket->head;
        turn_chunk *chunk = &q->chunk[c];
        memcpy(q->line + n, chunk->rank, chunk->n * sizeof *chunk->rank);
        n += chunk->n;
        bucket->head = chunk->next;
        chunk->next = q->free_chunk;
        q->free_chunk = c;
    }
    bucket->n -= n;
    if (bucket->head == 0) {
        bucket->tail = 0;
        q->bucket_filled[b / 64] &= ~(UINT64_C(1) << b % 64);
        if (q->bucket_filled[b / 64] == 0) {
            q->filled &= ~(UINT64_C(1) << b / 64);
        }
    }
    return n;
}
