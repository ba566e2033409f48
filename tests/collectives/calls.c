/* tests/collectives/calls.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "calls.h"

#include "algorithms/class_private.h"

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

/* The usual value of the parameter, the ends of its range, and some between. */
static coll_algorithm variant(const coll_algorithm_class *how, size_t i)
{
    const coll_parameter *p = &how->parameter;
    const uint32_t values[] = {p->usual, p->min, p->min + 1, p->min + 3, p->max};
    return (coll_algorithm){.how = how, .parameter = MIN(values[i], p->max)};
}

static size_t num_variants(const coll_algorithm_class *how)
{
    return how->parameter.name != NULL ? 5 : 1;
}

size_t calls_algorithm_count(coll_kind kind)
{
    size_t n = 0;
    for (size_t i = 0; i < coll_algorithm_count(); i++) {
        const coll_algorithm a = coll_algorithm_at(i);
        n += coll_algorithm_does(a, kind) ? num_variants(a.how) : 0;
    }
    return n;
}

coll_algorithm calls_algorithm_at(coll_kind kind, size_t at)
{
    for (size_t i = 0; i < coll_algorithm_count(); i++) {
        const coll_algorithm a = coll_algorithm_at(i);
        const size_t n = coll_algorithm_does(a, kind) ? num_variants(a.how) : 0;
        if (at < n) {
            return variant(a.how, at);
        }
        at -= n;
    }
    g_assert_not_reached();
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
    const bool all_pairs = coll_kind_has_pairs(spec->kind);
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
    if (coll_kind_has_send_counts(spec->kind, is_root)) {
        call.send_counts = send;
    }
    if (coll_kind_has_recv_counts(spec->kind, is_root)) {
        call.recv_counts = recv;
    }
    return call;
}

GArray **calls_steps(const calls_spec *spec)
{
    GArray **steps = g_new0(GArray *, spec->size);
    g_autofree int64_t *counts = g_new0(int64_t, 2 * spec->period + 1);
    for (uint32_t rank = 0; rank < spec->size; rank++) {
        steps[rank] = g_array_new(FALSE, FALSE, sizeof(calls_step));
        const coll_call call = calls_of(spec, rank, counts);
        coll_course course;
        coll_walk walk = {0};
        calls_step next;
        coll_course_init(&course, &call, spec->algorithm);
        while (coll_walk_next(&course, rank, &walk, &next.step)) {
            next.phase = walk.phase;
            g_array_append_val(steps[rank], next);
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
    g_autofree char *how = coll_algorithm_format(spec->algorithm);
    return g_strdup_printf("%s:%s p=%u root=%u bytes=%" G_GINT64_FORMAT
                           " period=%u seed=%" G_GUINT64_FORMAT " in_place=%d",
                           coll_kind_name(spec->kind), how, spec->size, spec->root, spec->bytes,
                           spec->period, spec->seed, spec->in_place);
}
