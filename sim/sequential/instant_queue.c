/* sim/sequential/instant_queue.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_instant_queue. */
#include "sequential/instant_queue_private.h"

#include <glib.h>
#include <string.h>

enum {
    CHUNK_EVENTS = 31,
    BLOCK_CHUNKS = 64,
    FEW = 1024, /* events of a bucket that is sorted, not dealt out; measured with bench_engine */
    SHORT = 12, /* runs that insertion sorts */
    FIRST_CAP = 256,
};

struct instant_chunk {
    instant_chunk *next; /* of the bucket, or of the free ones; of the first of a block: the next
                            block */
    size_t n;
    sequential_event event[CHUNK_EVENTS];
};

void sim_instant_queue_init(instant_queue *q)
{
    *q = (instant_queue){.cap_run = FIRST_CAP, .cap_heap = FIRST_CAP};
    q->run = g_new(sequential_event, q->cap_run);
    q->spare = g_new(sequential_event, q->cap_run);
    q->heap = g_new(sequential_event, q->cap_heap);
}

void sim_instant_queue_clear(instant_queue *q)
{
    g_free(q->run);
    g_free(q->spare);
    g_free(q->heap);
    while (q->block != NULL) {
        instant_chunk *next = q->block->next;
        g_free(q->block);
        q->block = next;
    }
}

/* ---- far: buckets ---- */

static __attribute__((noinline)) void new_block(instant_queue *q)
{
    instant_chunk *block = g_new(instant_chunk, BLOCK_CHUNKS + 1);
    block->next = q->block;
    q->block = block;
    for (size_t i = 1; i <= BLOCK_CHUNKS; i++) {
        block[i].next = q->free;
        q->free = &block[i];
    }
}

static inline instant_chunk *new_chunk(instant_queue *q)
{
    if (q->free == NULL) {
        new_block(q);
    }
    instant_chunk *chunk = q->free;
    q->free = chunk->next;
    chunk->next = NULL;
    chunk->n = 0;
    return chunk;
}

static inline void put_far(instant_queue *q, const sequential_event *event)
{
    const uint64_t time = (uint64_t)event->at.time;
    const unsigned high = 63 - (unsigned)__builtin_clzll((time ^ q->base) | 1);
    const unsigned digit = high / INSTANT_DIGIT_BITS;
    const unsigned value = time >> digit * INSTANT_DIGIT_BITS & (INSTANT_DIGITS - 1);
    instant_bucket *b = &q->bucket[digit * INSTANT_DIGITS + value];
    if (b->last == NULL || b->last->n == CHUNK_EVENTS) {
        instant_chunk *chunk = new_chunk(q);
        *(b->last != NULL ? &b->last->next : &b->first) = chunk;
        b->last = chunk;
        q->filled[digit] |= (uint16_t)(1U << value);
        q->digits |= (uint16_t)(1U << digit);
    }
    b->last->event[b->last->n++] = *event;
    b->n++;
}

/* Take out all of it. */
static instant_bucket empty(instant_queue *q, unsigned digit, unsigned value)
{
    instant_bucket *b = &q->bucket[digit * INSTANT_DIGITS + value];
    const instant_bucket taken = *b;
    *b = (instant_bucket){0};
    q->filled[digit] &= (uint16_t) ~(1U << value);
    if (q->filled[digit] == 0) {
        q->digits &= (uint16_t) ~(1U << digit);
    }
    return taken;
}

static inline instant_chunk *drop_chunk(instant_queue *q, instant_chunk *chunk)
{
    instant_chunk *next = chunk->next;
    chunk->next = q->free;
    q->free = chunk;
    return next;
}

static void deal_out(instant_queue *q, const instant_bucket *b)
{
    for (instant_chunk *c = b->first; c != NULL; c = drop_chunk(q, c)) {
        for (size_t i = 0; i < c->n; i++) {
            put_far(q, &c->event[i]);
        }
    }
}

/* ---- near: a sorted run ---- */

static void sort_short(sequential_event *a, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const sequential_event e = a[i];
        size_t k = i;
        for (; k > 0 && sequential_event_before(&e, &a[k - 1]); k--) {
            a[k] = a[k - 1];
        }
        a[k] = e;
    }
}

static void merge(const sequential_event *a, size_t middle, size_t n, sequential_event *out)
{
    size_t i = 0;
    size_t k = middle;
    if (middle >= n || sequential_event_before(&a[middle - 1], &a[middle])) {
        memcpy(out, a, n * sizeof *a);
        return;
    }
    while (i < middle && k < n) {
        const bool second = sequential_event_before(&a[k], &a[i]);
        *out++ = second ? a[k] : a[i];
        k += second;
        i += !second;
    }
    memcpy(out, &a[i], (middle - i) * sizeof *a);
    memcpy(out + (middle - i), &a[k], (n - k) * sizeof *a);
}

/* By merging from below: parts that are in order already, the rule at one instant, are copied. */
static void sort_run(instant_queue *q)
{
    const size_t n = q->num_run;
    for (size_t i = 0; i < n; i += SHORT) {
        sort_short(q->run + i, MIN((size_t)SHORT, n - i));
    }
    for (size_t width = SHORT; width < n; width *= 2) {
        for (size_t i = 0; i < n; i += 2 * width) {
            const size_t both = MIN(2 * width, n - i);
            merge(q->run + i, MIN(width, both), both, q->spare + i);
        }
        sequential_event *sorted = q->spare;
        q->spare = q->run;
        q->run = sorted;
    }
}

static __attribute__((noinline)) void grow_run(instant_queue *q, size_t n)
{
    while (q->cap_run < n) {
        q->cap_run *= 2;
    }
    q->run = g_renew(sequential_event, q->run, q->cap_run);
    q->spare = g_renew(sequential_event, q->spare, q->cap_run);
}

static void take_up(instant_queue *q, const instant_bucket *b)
{
    if (b->n > q->cap_run) {
        grow_run(q, b->n);
    }
    q->next = q->num_run = 0;
    for (instant_chunk *c = b->first; c != NULL; c = drop_chunk(q, c)) {
        memcpy(q->run + q->num_run, c->event, c->n * sizeof *c->event);
        q->num_run += c->n;
    }
    sort_run(q);
    q->runs++;
    q->end = q->run[q->num_run - 1].at.time + 1;
}

/* @return false: nothing is left */
static __attribute__((noinline)) bool refill(instant_queue *q)
{
    while (q->digits != 0) {
        const unsigned digit = (unsigned)__builtin_ctz(q->digits);
        const unsigned value = (unsigned)__builtin_ctz(q->filled[digit]);
        const instant_bucket b = empty(q, digit, value);
        const unsigned shift = digit * INSTANT_DIGIT_BITS;
        q->base = ((q->base >> shift & ~(uint64_t)(INSTANT_DIGITS - 1)) | value) << shift;
        if (digit == 0 || b.n <= FEW) {
            take_up(q, &b);
            return true;
        }
        deal_out(q, &b);
    }
    return false;
}

/* ---- near: a heap of what is put in late; four to a node ---- */

static void put_near(instant_queue *q, const sequential_event *event)
{
    if (q->num_heap == q->cap_heap) {
        q->cap_heap *= 2;
        q->heap = g_renew(sequential_event, q->heap, q->cap_heap);
    }
    size_t i = q->num_heap++;
    while (i > 0 && sequential_event_before(event, &q->heap[(i - 1) / 4])) {
        q->heap[i] = q->heap[(i - 1) / 4];
        i = (i - 1) / 4;
    }
    q->heap[i] = *event;
}

static void take_near(instant_queue *q, sequential_event *out)
{
    *out = q->heap[0];
    const sequential_event last = q->heap[--q->num_heap];
    size_t i = 0;
    for (;;) {
        size_t least = 4 * i + 1;
        const size_t end = MIN(least + 4, q->num_heap);
        for (size_t k = least + 1; k < end; k++) {
            least = sequential_event_before(&q->heap[k], &q->heap[least]) ? k : least;
        }
        if (least >= q->num_heap || !sequential_event_before(&q->heap[least], &last)) {
            break;
        }
        q->heap[i] = q->heap[least];
        i = least;
    }
    q->heap[i] = last;
}

void sim_instant_queue_put(instant_queue *q, const sequential_event *event)
{
    if (event->at.time < q->end) {
        put_near(q, event);
    } else {
        put_far(q, event);
    }
}

bool sim_instant_queue_take(instant_queue *q, sequential_event *out)
{
    if (q->next == q->num_run && q->num_heap == 0 && !refill(q)) {
        return false;
    }
    if (q->num_heap > 0 &&
        (q->next == q->num_run || sequential_event_before(&q->heap[0], &q->run[q->next]))) {
        take_near(q, out);
    } else {
        *out = q->run[q->next++];
    }
    return true;
}
