/* bench/event_heap.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_heap.h"

#include <glib.h>

enum { CHILDREN = 4 };

static bool before(const heap_event *a, const heap_event *b)
{
    if (a->at != b->at) {
        return a->at < b->at;
    }
    if (a->rank != b->rank) {
        return a->rank < b->rank;
    }
    const bool a_cpu = a->kind >= HEAP_SEND;
    const bool b_cpu = b->kind >= HEAP_SEND;
    if (a_cpu != b_cpu) {
        return b_cpu;
    }
    if (a_cpu && a->ready != b->ready) {
        return a->ready < b->ready;
    }
    return a->kind != b->kind ? a->kind < b->kind : a->tie < b->tie;
}

void event_heap_push(event_heap *heap, const heap_event *event)
{
    if (heap->n == heap->cap) {
        heap->cap = MAX(1024, 2 * heap->cap);
        heap->event = g_renew(heap_event, heap->event, heap->cap);
    }
    size_t i = heap->n++;
    while (i > 0 && before(event, &heap->event[(i - 1) / CHILDREN])) {
        heap->event[i] = heap->event[(i - 1) / CHILDREN];
        i = (i - 1) / CHILDREN;
    }
    heap->event[i] = *event;
}

heap_event event_heap_pop(event_heap *heap)
{
    const heap_event top = heap->event[0];
    const heap_event last = heap->event[--heap->n];
    size_t i = 0;
    for (size_t child = 1; child < heap->n; child = CHILDREN * i + 1) {
        size_t least = child;
        for (size_t k = child + 1; k < MIN(child + CHILDREN, heap->n); k++) {
            least = before(&heap->event[k], &heap->event[least]) ? k : least;
        }
        if (!before(&heap->event[least], &last)) {
            break;
        }
        heap->event[i] = heap->event[least];
        i = least;
    }
    heap->event[i] = last;
    return top;
}

void event_heap_clear(event_heap *heap)
{
    g_free(heap->event);
    *heap = (event_heap){0};
}
