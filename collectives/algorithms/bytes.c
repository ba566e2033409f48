/* collectives/algorithms/bytes.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_coll_flow, test_coll_counts. */
#include "algorithms/bytes_private.h"

#include <assert.h>
#include <stddef.h>

static int64_t saturate(sim_int128 bytes)
{
    return bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes;
}

static bool is_vector(const coll_call *call)
{
    return coll_kind_table[call->kind].is_vector;
}

static int64_t vector_bytes(const coll_call *call)
{
    return coll_kind_table[call->kind].is_empty ? 0 : call->bytes;
}

int64_t coll_parts_bytes(const coll_call *call, uint32_t parts, uint32_t first, uint32_t n)
{
    const int64_t bytes = vector_bytes(call);
    const uint32_t longer = (uint32_t)(bytes % parts); /* these have one byte more */
    const uint32_t end = first + n < longer ? first + n : longer;
    return bytes / parts * n + (end > first ? end - first : 0);
}

/* The counts that say how long each block is; NULL: all alike. */
static const int64_t *block_counts(const coll_call *call)
{
    const bool at_root = call->rank == call->root;
    const bool sends = coll_kind_has_send_counts(call->kind, at_root);
    const bool receives = coll_kind_has_recv_counts(call->kind, at_root);
    if (sends == receives) { /* none, or each pair of ranks has its own */
        return NULL;
    }
    return sends ? call->send_counts : call->recv_counts;
}

/* Elements 0 .. n-1 of the endless repetition of the counts. */
static sim_int128 sum_before(const int64_t *counts, uint32_t num_counts, uint64_t n)
{
    sim_int128 period = 0;
    sim_int128 rest = 0;
    const uint32_t left = (uint32_t)(n % num_counts);
    for (uint32_t i = 0; i < num_counts; i++) {
        period += counts[i];
        rest += i < left ? counts[i] : 0;
    }
    return period * (int64_t)(n / num_counts) + rest;
}

/* Blocks first .. first + n - 1, none past the last rank. */
static sim_int128 sum_counts(const coll_call *call, const int64_t *counts, uint32_t first,
                             uint32_t n)
{
    assert(call->num_counts > 0);
    if (n <= 2 * call->num_counts) {
        sim_int128 sum = 0;
        uint32_t at = first % call->num_counts;
        for (uint32_t i = 0; i < n; i++) {
            sum += counts[at];
            at = at + 1 == call->num_counts ? 0 : at + 1;
        }
        return sum;
    }
    return sum_before(counts, call->num_counts, (uint64_t)first + n) -
           sum_before(counts, call->num_counts, first);
}

int64_t coll_block_bytes(const coll_call *call, uint32_t i)
{
    if (is_vector(call)) {
        return coll_parts_bytes(call, call->size, i, 1);
    }
    const int64_t *counts = block_counts(call);
    return counts != NULL ? counts[i % call->num_counts] : call->bytes;
}

int64_t coll_blocks_bytes(const coll_call *call, uint32_t first, uint32_t n)
{
    assert(first < call->size && n <= call->size);
    const uint32_t upper = n < call->size - first ? n : call->size - first; /* before the wrap */
    if (is_vector(call)) {
        return coll_parts_bytes(call, call->size, first, upper) +
               coll_parts_bytes(call, call->size, 0, n - upper);
    }
    const int64_t *counts = block_counts(call);
    if (counts == NULL) {
        return coll_times_bytes(call, n);
    }
    return saturate(sum_counts(call, counts, first, upper) +
                    sum_counts(call, counts, 0, n - upper));
}

int64_t coll_whole_bytes(const coll_call *call)
{
    if (is_vector(call)) {
        return vector_bytes(call);
    }
    return coll_blocks_bytes(call, 0, call->size);
}

int64_t coll_times_bytes(const coll_call *call, uint32_t n)
{
    return saturate((sim_int128)call->bytes * n);
}

int64_t coll_bytes_from(const coll_call *call, uint32_t peer)
{
    if (!coll_kind_has_pairs(call->kind) || call->recv_counts == NULL) {
        return call->bytes;
    }
    return call->recv_counts[peer % call->num_counts];
}

int64_t coll_bytes_to(const coll_call *call, uint32_t peer)
{
    if (!coll_kind_has_pairs(call->kind)) {
        return call->bytes;
    }
    if (call->in_place || call->send_counts == NULL) { /* what is replaced has the same length */
        return coll_bytes_from(call, peer);
    }
    return call->send_counts[peer % call->num_counts];
}

bool coll_blocks_are_equal(const coll_call *call)
{
    return is_vector(call) ? vector_bytes(call) % call->size == 0 : call->num_counts <= 1;
}

bool coll_blocks_are_mirrored(const coll_call *call)
{
    return (call->size & (call->size - 1)) == 0 && coll_blocks_are_equal(call);
}
