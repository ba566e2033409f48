/* tests/collectives/calls.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "calls.h"

#include <string.h>

/* A fixed function of its arguments (splitmix64). */
static uint64_t scramble(uint64_t x)
{
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

static int64_t some_count(uint64_t seed, uint64_t i)
{
    const uint64_t x = scramble(seed * 1000003 + i);
    return x % 3 == 0 ? 0 : (int64_t)(x >> 8 & 1023);
}

bool calls_counted(coll_kind kind)
{
    return kind == COLL_GATHERV || kind == COLL_SCATTERV || kind == COLL_ALLGATHERV ||
           kind == COLL_ALLTOALLV || kind == COLL_ALLTOALLW || kind == COLL_REDUCE_SCATTER;
}

int64_t calls_block(const calls_spec *spec, uint32_t i)
{
    return spec->period == 0 ? spec->bytes : some_count(spec->seed, i % spec->period);
}

int64_t calls_pair(const calls_spec *spec, uint32_t from, uint32_t to)
{
    if (spec->period == 0) {
        return spec->bytes;
    }
    uint64_t a = from % spec->period;
    uint64_t b = to % spec->period;
    if (spec->in_place && a > b) { /* what is replaced is as long as what replaces it */
        const uint64_t swap = a;
        a = b;
        b = swap;
    }
    return some_count(spec->seed, a * spec->period + b);
}

coll_call calls_of(const calls_spec *spec, uint32_t rank, int64_t *counts)
{
    coll_call call = {.kind = spec->kind,
                      .rank = rank,
                      .size = spec->size,
                      .root = coll_kind_is_rooted(spec->kind) ? spec->root : UINT32_MAX,
                      .bytes = spec->bytes,
                      .reduce = spec->reduce,
                      .in_place = spec->in_place};
    if (spec->period == 0) {
        return call;
    }
    int64_t *const send = counts;
    int64_t *const recv = counts + spec->period;
    const bool all_pairs = spec->kind == COLL_ALLTOALLV || spec->kind == COLL_ALLTOALLW;
    for (uint32_t i = 0; i < spec->period; i++) {
        send[i] = all_pairs ? calls_pair(spec, rank, i) : calls_block(spec, i);
        recv[i] = all_pairs ? calls_pair(spec, i, rank) : calls_block(spec, i);
    }
    call.bytes = all_pairs ? 0 : calls_block(spec, rank);
    call.num_counts = spec->period;
    const bool is_root = rank == spec->root;
    if (spec->in_place && all_pairs) {
        memset(send, 1, spec->period * sizeof *send); /* MPI leaves it open what stands there */
    }
    if (spec->kind == COLL_SCATTERV ? is_root : all_pairs) {
        call.send_counts = send;
    }
    if (spec->kind == COLL_GATHERV ? is_root : spec->kind != COLL_SCATTERV) {
        call.recv_counts = recv;
    }
    return call;
}

GArray **calls_steps(const calls_spec *spec)
{
    GArray **steps = g_new0(GArray *, spec->size);
    g_autofree int64_t *counts = g_new0(int64_t, 2 * spec->period + 1);
    for (uint32_t rank = 0; rank < spec->size; rank++) {
        steps[rank] = g_array_new(FALSE, FALSE, sizeof(coll_step));
        const coll_call call = calls_of(spec, rank, counts);
        coll_cursor cursor;
        coll_step step;
        coll_cursor_begin(&cursor, &call, spec->algorithm);
        while (coll_cursor_next(&cursor, &step)) {
            g_array_append_val(steps[rank], step);
        }
    }
    return steps;
}

void calls_steps_free(GArray **steps, uint32_t size)
{
    for (uint32_t rank = 0; rank < size; rank++) {
        g_array_unref(steps[rank]);
    }
    g_free(steps);
}

char *calls_describe(const calls_spec *spec)
{
    return g_strdup_printf("%s:%s p=%u root=%u bytes=%" G_GINT64_FORMAT
                           " period=%u seed=%" G_GUINT64_FORMAT " in_place=%d",
                           coll_kind_name(spec->kind), coll_algorithm_name(spec->algorithm),
                           spec->size, spec->root, spec->bytes, spec->period, spec->seed,
                           spec->in_place);
}
