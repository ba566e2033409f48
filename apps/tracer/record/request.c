/* apps/tracer/record/request.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Open requests by the bits of their handle. MPI may give the same handle to several requests
 * that were complete when posted (Open MPI for MPI_PROC_NULL, MPICH for small sends); any of them
 * will do then. A handle that is used again while the record of its earlier request is still
 * being written (another thread was faster) is told apart by age.
 */
#include "record/request.h"

#include "record/state.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256 };

typedef tracer_request *link; /* a chain */
static link *bucket;
static size_t num_buckets, num_open;
static tracer_request *unused; /* linked by next */
static uint64_t next_id;

uint64_t tracer_request_bits(MPI_Request request)
{
    uint64_t bits = 0;
    memcpy(&bits, &request, sizeof request); // NOLINT(bugprone-sizeof-expression): a handle
    return bits;
}

static size_t place(uint64_t handle)
{
    return (size_t)((handle * 0x9e3779b97f4a7c15U) >> 32) & (num_buckets - 1);
}

static void rehash(void)
{
    const size_t more = num_buckets > 0 ? 2 * num_buckets : BLOCK;
    link *old = bucket;
    const size_t num_old = num_buckets;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): the elements are pointers
    link *fresh = tracer_calloc(more, sizeof *fresh);
    bucket = fresh;
    num_buckets = more;
    for (size_t i = 0; i < num_old; i++) {
        tracer_request *oldest_first = NULL; /* turn the chain round, and so keep its order */
        while (old[i] != NULL) {
            tracer_request *r = old[i];
            old[i] = r->next;
            r->next = oldest_first;
            oldest_first = r;
        }
        while (oldest_first != NULL) {
            tracer_request *r = oldest_first;
            oldest_first = r->next;
            r->next = bucket[place(r->handle)];
            bucket[place(r->handle)] = r;
        }
    }
    free(old);
}

tracer_request *tracer_request_add(MPI_Request request, tracer_request_kind kind)
{
    if (num_open >= num_buckets) {
        rehash();
    }
    if (unused == NULL) {
        tracer_request *block = tracer_calloc(BLOCK, sizeof *block);
        for (size_t i = 0; i < BLOCK; i++) {
            block[i].next = unused;
            unused = &block[i];
        }
    }
    tracer_request *r = unused;
    unused = r->next;
    *r = (tracer_request){
        .handle = tracer_request_bits(request), .id = next_id++, .kind = kind, .active = true};
    r->next = bucket[place(r->handle)];
    bucket[place(r->handle)] = r;
    num_open++;
    return r;
}

tracer_request *tracer_request_find(uint64_t handle)
{
    tracer_request *found = NULL;
    if (num_buckets > 0) {
        for (tracer_request *r = bucket[place(handle)]; r != NULL; r = r->next) {
            if (r->handle == handle) {
                found = r;
                if (!tracer.threads) {
                    break; /* the newest; with threads, the oldest */
                }
            }
        }
    }
    return found;
}

void tracer_request_drop(tracer_request *r)
{
    link *at = &bucket[place(r->handle)];
    while (*at != r) {
        at = &(*at)->next;
    }
    *at = r->next;
    r->next = unused;
    unused = r;
    num_open--;
}

void tracer_request_finish(tracer_request *r)
{
    if (r->persistent) {
        r->active = false;
        r->cancelled = false;
    } else {
        tracer_request_drop(r);
    }
}

void tracer_request_each(void (*visit)(tracer_request *r))
{
    for (size_t i = 0; i < num_buckets; i++) {
        for (tracer_request *r = bucket[i], *next; r != NULL; r = next) {
            next = r->next; /* the visit may drop it */
            visit(r);
        }
    }
}
