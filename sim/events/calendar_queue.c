/* sim/events/calendar_queue.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "events/calendar_queue_private.h"

#include <glib.h>

#include <assert.h>
#include <string.h>

_Static_assert(sizeof(turn_chunk) == 256, "whole cache lines");
_Static_assert(CALENDAR_WINDOWS % CALENDAR_BLOCK == 0, "blocks fit into the first ring");

/* The second ring ends so many windows behind the first: low 32 bits tell them apart. */
#define SPAN ((uint64_t)CALENDAR_WINDOWS * CALENDAR_BLOCK)

#define LINE_RANKS  4096U /* taken at once: 16 KiB */
#define WORD        64U   /* ranks in a word of calendar_queue.sorted */
#define SORTED_FROM 256U  /* ranks: the data of fewer are near anyway */
#define SPARSE      1024U /* one rank of so many: looking through the set would take longer */

/* Where the first ring ends in window @p now: with a block, and not too far away for its buckets.
 */
static uint64_t end_of_ring(uint64_t now)
{
    return now / CALENDAR_BLOCK * CALENDAR_BLOCK + CALENDAR_WINDOWS;
}

static uint32_t num_words(const calendar_queue *q)
{
    return q->ranks.num_ranks / WORD + 1;
}

void sim_calendar_queue_init(calendar_queue *q, const rank_partition *ranks, sim_time width,
                             uint64_t now)
{
    memset(q, 0, sizeof *q);
    q->width = (uint64_t)width;
    q->inverse = UINT64_MAX / q->width;
    q->now = now;
    q->end = end_of_ring(now);
    q->ranks = *ranks;
    q->num_chunks = 1;
    q->cap_chunks = 64;
    q->chunk = g_new(turn_chunk, q->cap_chunks);
    q->line = g_new(uint32_t, LINE_RANKS);
    q->sorted = g_new0(uint64_t, num_words(q));
    q->word = num_words(q);
}

void sim_calendar_queue_clear(calendar_queue *q)
{
    g_free(q->chunk);
    g_free(q->line);
    g_free(q->sorted);
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

static void push(calendar_queue *q, turn_ring *ring, uint64_t number, uint32_t rank)
{
    const uint32_t b = (uint32_t)(number & CALENDAR_WINDOWS_MASK);
    turn_bucket *bucket = &ring->bucket[b];
    if (bucket->tail == 0 || q->chunk[bucket->tail].n == CALENDAR_CHUNK_RANKS) {
        const uint32_t chunk = new_chunk(q);
        *(bucket->tail == 0 ? &bucket->head : &q->chunk[bucket->tail].next) = chunk;
        bucket->tail = chunk;
        ring->bucket_filled[b / 64] |= UINT64_C(1) << b % 64;
        ring->filled |= UINT64_C(1) << b / 64;
    }
    turn_chunk *chunk = &q->chunk[bucket->tail];
    chunk->rank[chunk->n++] = rank;
    bucket->n++;
}

/* Take the first chunk out of a bucket that is not empty. @return it, valid until the next push */
static const turn_chunk *pop_chunk(calendar_queue *q, turn_ring *ring, uint64_t number)
{
    const uint32_t b = (uint32_t)(number & CALENDAR_WINDOWS_MASK);
    turn_bucket *bucket = &ring->bucket[b];
    const uint32_t c = bucket->head;
    turn_chunk *chunk = &q->chunk[c];
    bucket->n -= chunk->n;
    bucket->head = chunk->next;
    chunk->next = q->free_chunk;
    q->free_chunk = c;
    if (bucket->head == 0) {
        bucket->tail = 0;
        ring->bucket_filled[b / 64] &= ~(UINT64_C(1) << b % 64);
        if (ring->bucket_filled[b / 64] == 0) {
            ring->filled &= ~(UINT64_C(1) << b / 64);
        }
    }
    return chunk;
}

void sim_calendar_queue_push(calendar_queue *q, uint64_t window, uint32_t rank)
{
    push(q, &q->windows, window, rank);
}

void sim_calendar_queue_put_later(calendar_queue *q, engine_rank *r, uint32_t rank, uint64_t window)
{
    assert(window >= q->end);
    if (window - q->end >= SPAN) {
        if (q->far.position == NULL) { /* mostly nobody ever is there */
            sim_rank_queue_init(&q->far, rank_partition_places(&q->ranks));
        }
        sim_rank_queue_set(&q->far, rank_partition_place(&q->ranks, rank), (sim_time)window);
        r->place = CALENDAR_FAR;
        return;
    }
    r->place = CALENDAR_RING;
    r->window = (uint32_t)window;
    if (r->is_parked && r->parked == r->window) {
        r->is_parked = false;
    } else {
        push(q, &q->blocks, window / CALENDAR_BLOCK, rank);
    }
}

void sim_calendar_queue_due_later(calendar_queue *q, engine_rank *r, uint32_t rank, uint64_t window)
{
    if (r->place == CALENDAR_RING) {
        if (window - q->end >= SPAN || (int32_t)((uint32_t)window - r->window) >= 0) {
            return;
        }
        calendar_queue_park(q, r);
    } else if (r->place == CALENDAR_FAR) {
        const uint32_t place = rank_partition_place(&q->ranks, rank);
        if ((sim_time)window >= sim_rank_queue_key(&q->far, place)) {
            return;
        }
        sim_rank_queue_set(&q->far, place, RANK_QUEUE_NEVER);
    }
    sim_calendar_queue_put_later(q, r, rank, window);
}

/* The first bit that is set in @p bits from bit @p from on, around its end; it is not 0. */
static uint32_t next_bit(uint64_t bits, uint32_t from)
{
    const uint64_t turned = from == 0 ? bits : bits >> from | bits << (64 - from);
    return (from + (uint32_t)__builtin_ctzll(turned)) % 64;
}

/* How many buckets from number @p from on the first is that is not empty; the ring is not. */
static uint32_t ring_distance(const turn_ring *ring, uint64_t number)
{
    const uint32_t from = (uint32_t)(number & CALENDAR_WINDOWS_MASK);
    uint32_t word = from / 64;
    const uint64_t rest = ring->bucket_filled[word] >> from % 64;
    if (rest != 0) {
        return (uint32_t)__builtin_ctzll(rest);
    }
    word = next_bit(ring->filled, (word + 1) % 64); /* it may be the same, before `from` */
    const uint32_t b = word * 64 + (uint32_t)__builtin_ctzll(ring->bucket_filled[word]);
    return (b - from) & CALENDAR_WINDOWS_MASK;
}

uint64_t sim_calendar_queue_next(const calendar_queue *q)
{
    if (q->windows.filled != 0) {
        return q->now + ring_distance(&q->windows, q->now);
    }
    if (q->blocks.filled != 0) {
        return q->end +
               (uint64_t)ring_distance(&q->blocks, q->end / CALENDAR_BLOCK) * CALENDAR_BLOCK;
    }
    const rank_queue_entry far = sim_rank_queue_top(&q->far);
    return far.key == RANK_QUEUE_NEVER ? CALENDAR_NO_WINDOW : (uint64_t)far.key;
}

uint32_t sim_calendar_queue_count(const calendar_queue *q, uint64_t window)
{
    return window < q->end ? q->windows.bucket[window & CALENDAR_WINDOWS_MASK].n : 1;
}

/* An entry of a block: the rank may be due in another block by now. */
static void move_rank(calendar_queue *q, engine_rank *r, uint32_t rank, uint32_t block)
{
    if (r->is_parked && r->parked / CALENDAR_BLOCK == block) {
        r->is_parked = false;
    }
    if (r->place == CALENDAR_RING && r->window / CALENDAR_BLOCK == block) {
        push(q, &q->windows, r->window, rank);
    }
}

/* The first ring has room for a block. */
static void move_block(calendar_queue *q, uint64_t block, char *ranks, size_t rank_bytes)
{
    enum { AHEAD = 12 };
    const uint32_t low = (uint32_t)(block * CALENDAR_BLOCK) / CALENDAR_BLOCK;
    while (q->blocks.bucket[block & CALENDAR_WINDOWS_MASK].head != 0) {
        const turn_chunk chunk = *pop_chunk(q, &q->blocks, block);
        for (uint32_t i = 0; i < MIN(AHEAD, chunk.n); i++) {
            __builtin_prefetch(ranks + chunk.rank[i] * rank_bytes, 1);
        }
        for (uint32_t i = 0; i < chunk.n; i++) {
            if (i + AHEAD < chunk.n) {
                __builtin_prefetch(ranks + chunk.rank[i + AHEAD] * rank_bytes, 1);
            }
            engine_rank *r = (engine_rank *)(void *)(ranks + chunk.rank[i] * rank_bytes);
            move_rank(q, r, chunk.rank[i], low);
        }
    }
}

/* What was too far ahead for the second ring. */
static void move_far(calendar_queue *q, char *ranks, size_t rank_bytes)
{
    for (;;) {
        const rank_queue_entry far = sim_rank_queue_top(&q->far);
        if (far.key == RANK_QUEUE_NEVER ||
            ((uint64_t)far.key >= q->end && (uint64_t)far.key - q->end >= SPAN)) {
            break;
        }
        const uint32_t rank =
            (uint32_t)rank_partition_rank(&q->ranks, sim_rank_queue_take(&q->far));
        sim_rank_queue_set(&q->far, far.rank, RANK_QUEUE_NEVER);
        engine_rank *r = (engine_rank *)(void *)(ranks + rank * rank_bytes);
        r->place = CALENDAR_RING;
        r->window = (uint32_t)far.key;
        const bool near = (uint64_t)far.key < q->end;
        push(q, near ? &q->windows : &q->blocks,
             near ? (uint64_t)far.key : (uint64_t)far.key / CALENDAR_BLOCK, rank);
    }
}

void sim_calendar_queue_advance(calendar_queue *q, uint64_t window, char *ranks, size_t rank_bytes)
{
    assert(window >= q->now);
    const uint64_t before = q->end / CALENDAR_BLOCK;
    q->now = window;
    q->end = end_of_ring(window);
    for (uint64_t block = MAX(before, window / CALENDAR_BLOCK); block < q->end / CALENDAR_BLOCK;
         block++) {
        move_block(q, block, ranks, rank_bytes);
    }
    move_far(q, ranks, rank_bytes);
}

static bool is_worth_sorting(const calendar_queue *q)
{
    const uint32_t n = sim_calendar_queue_count(q, q->now);
    return n >= SORTED_FROM && n >= q->ranks.num_ranks / SPARSE;
}

/*
 * Neighbours lie side by side, in each of the arrays that a turn looks at: taken in their order,
 * fewer of the looks miss the caches of page tables, and more of what is near is already there. The
 * set of all ranks of the window is what sorts them; each comes once.
 */
static void sort_window(calendar_queue *q)
{
    const turn_bucket *bucket = &q->windows.bucket[q->now & CALENDAR_WINDOWS_MASK];
    while (bucket->head != 0) {
        const turn_chunk *chunk = pop_chunk(q, &q->windows, q->now);
        for (uint32_t i = 0; i < chunk->n; i++) {
            q->sorted[chunk->rank[i] / WORD] |= UINT64_C(1) << chunk->rank[i] % WORD;
        }
    }
    q->word = 0;
}

/* @return how many; 0: that was the last */
static uint32_t take_sorted(calendar_queue *q)
{
    uint32_t n = 0;
    for (; q->word < num_words(q) && n + WORD <= LINE_RANKS; q->word++) {
        for (uint64_t rest = q->sorted[q->word]; rest != 0; rest &= rest - 1) {
            q->line[n++] = q->word * WORD + (uint32_t)__builtin_ctzll(rest);
        }
        q->sorted[q->word] = 0;
    }
    return n;
}

static uint32_t take_as_they_came(calendar_queue *q)
{
    const turn_bucket *bucket = &q->windows.bucket[q->now & CALENDAR_WINDOWS_MASK];
    uint32_t n = 0;
    while (bucket->head != 0 && n + CALENDAR_CHUNK_RANKS <= LINE_RANKS) {
        const turn_chunk *chunk = pop_chunk(q, &q->windows, q->now);
        memcpy(q->line + n, chunk->rank, chunk->n * sizeof *chunk->rank);
        n += chunk->n;
    }
    return n;
}

uint32_t sim_calendar_queue_take(calendar_queue *q)
{
    if (q->word == num_words(q) && is_worth_sorting(q)) {
        sort_window(q);
    }
    const uint32_t n = take_sorted(q);
    return n > 0 ? n : take_as_they_came(q);
}

uint32_t sim_calendar_queue_take_ahead(calendar_queue *q, uint64_t window)
{
    if (q->windows.bucket[window & CALENDAR_WINDOWS_MASK].head == 0) {
        return 0;
    }
    const turn_chunk *chunk = pop_chunk(q, &q->windows, window);
    memcpy(q->line, chunk->rank, chunk->n * sizeof *chunk->rank);
    return chunk->n;
}
