/* bench/event_heap.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A 4-ary heap of events in the order of docs/model.md, section 4.
 */
#pragma once

#include "sim/time.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order in which they go at one instant on one rank. */
typedef enum {
    HEAP_RELEASE,
    HEAP_CLEAR,
    HEAP_POST,
    HEAP_ARRIVE,
    HEAP_SEND, /* from here on: the CPU does it */
    HEAP_RECEIVE,
    HEAP_CALC
} heap_kind;

typedef struct heap_event {
    sim_time at;    /* not before this */
    sim_time ready; /* CPU: since when */
    uint64_t tie;
    uint32_t rank;
    uint32_t what; /* operation or message */
    uint8_t kind;
} heap_event;

typedef struct event_heap {
    heap_event *event; /* [n of cap] */
    size_t n, cap;
} event_heap;

void event_heap_push(event_heap *heap, const heap_event *event);
/** Of a heap that is not empty. */
heap_event event_heap_pop(event_heap *heap);
void event_heap_clear(event_heap *heap);
