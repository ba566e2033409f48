/* sim/sequential/instant_queue_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The one queue of a sequential run: events by instant and, at one instant, by when they were
 * created. Nothing is put in before the instant of what was taken out last.
 *
 * Far events lie unsorted in buckets, each for a stretch of time that is the longer the further
 * it is away: by the highest hexadecimal digit in which their instant differs from that of the
 * bucket opened last (a radix heap: Ahuja, Mehlhorn, Orlin and Tarjan, JACM 37(2), 1990). A bucket
 * that holds few is sorted and taken out in order; one that holds many is dealt out to smaller
 * ones. What is put in before its end meanwhile goes through a small heap. So all but that is
 * written and read in order, and what is due next is known ahead.
 */
#pragma once

#include "sim/time.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * What is pending. `key` is ascending in the order of creation: it is unique from bit
 * SEQUENTIAL_ORDER_SHIFT on; what lies below does not matter to the order.
 */
typedef struct sequential_event {
    union {
        sim_time time;
        struct { /* while it waits for a CPU or interface */
            uint32_t left, right;
        } link;
    } at;
    uint64_t key;
    uint32_t rank; /* where it happens */
    uint32_t op;   /* index of the operation; of a message: of its send */
    union {
        sim_time work; /* calc */
        struct {       /* send, receive, message */
            uint32_t peer;
            uint32_t form; /* message_form */
        } message;
    } as;
} sequential_event;

_Static_assert(sizeof(sequential_event) == 32, "two to a line");

#define INSTANT_DIGIT_BITS 4U
#define INSTANT_DIGITS     16U /* values of one, and their number */
#define INSTANT_BUCKETS    (INSTANT_DIGITS * INSTANT_DIGITS)

typedef struct instant_chunk instant_chunk;

typedef struct instant_bucket {
    instant_chunk *first, *last; /* in the order in which they were filled */
    size_t n;
} instant_bucket;

typedef struct instant_queue {
    sequential_event *run; /* [num_run] sorted; due from `next` on */
    size_t next, num_run, cap_run;
    uint64_t runs;           /* so many have been begun */
    sequential_event *spare; /* [cap_run] to sort with */
    sim_time end;            /* events before this one are in the run or in the heap */
    sequential_event *heap;  /* [cap_heap] put in since */
    size_t num_heap, cap_heap;
    uint64_t base;                   /* the instant from which buckets are counted */
    uint16_t filled[INSTANT_DIGITS]; /* of each digit: bit i: bucket i is not empty */
    uint16_t digits;                 /* bit i: filled[i] is not 0 */
    instant_bucket bucket[INSTANT_BUCKETS];
    instant_chunk *free;  /* chunks without events */
    instant_chunk *block; /* all blocks of chunks */
} instant_queue;

void sim_instant_queue_init(instant_queue *q);
void sim_instant_queue_clear(instant_queue *q);
/** @p event .at.time not before that of the last event taken. Amortised O(1) copies of 32 bytes. */
void sim_instant_queue_put(instant_queue *q, const sequential_event *event);
/** The earliest event. @return false: there is none */
bool sim_instant_queue_take(instant_queue *q, sequential_event *out);

static inline bool sequential_event_before(const sequential_event *a, const sequential_event *b)
{
    return a->at.time < b->at.time || (a->at.time == b->at.time && a->key < b->key);
}
