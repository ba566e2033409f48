/* collectives/algorithms/linear.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The root and each other rank in turn, 0 .. size-1; collectives.md section 2, number 1. Where
 * a call has counts, both ends know when there is nothing to move, and no message is sent.
 */
#include "algorithms/bytes_private.h"
#include "algorithms/round_private.h"

/* The root's partner at a position; COLL_NOBODY: through. */
static uint32_t partner_at(const coll_call *call, uint32_t position)
{
    if (position >= call->size - 1) {
        return COLL_NOBODY;
    }
    return position < call->root ? position : position + 1;
}

static bool is_skipped(const coll_call *call, int64_t bytes)
{
    switch (call->kind) {
    case COLL_GATHERV:
    case COLL_SCATTERV:
    case COLL_ALLGATHERV:
    case COLL_REDUCE_SCATTER:
        return bytes == 0;
    default:
        return false;
    }
}

bool coll_linear_bcast(const coll_call *call, uint32_t position, coll_round *round)
{
    if (call->rank != call->root) {
        coll_round_recv(round, call->root, coll_whole_bytes(call));
        return position == 0;
    }
    coll_round_send(round, partner_at(call, position), coll_whole_bytes(call));
    return round->to != COLL_NOBODY;
}

bool coll_linear_reduce(const coll_call *call, uint32_t position, coll_round *round)
{
    if (call->rank != call->root) {
        coll_round_send(round, call->root, coll_whole_bytes(call));
        return position == 0;
    }
    coll_round_reduce(round, partner_at(call, position), coll_whole_bytes(call));
    return round->from != COLL_NOBODY;
}

bool coll_linear_gather(const coll_call *call, uint32_t position, coll_round *round)
{
    const bool is_root = call->rank == call->root;
    const uint32_t partner = is_root ? partner_at(call, position) : call->root;
    if (partner == COLL_NOBODY || (!is_root && position > 0)) {
        return false;
    }
    const int64_t bytes = coll_block_bytes(call, is_root ? partner : call->rank);
    if (!is_skipped(call, bytes) && is_root) {
        coll_round_recv(round, partner, bytes);
    } else if (!is_skipped(call, bytes)) {
        coll_round_send(round, partner, bytes);
    }
    return true;
}

bool coll_linear_scatter(const coll_call *call, uint32_t position, coll_round *round)
{
    const bool is_root = call->rank == call->root;
    const uint32_t partner = is_root ? partner_at(call, position) : call->root;
    if (partner == COLL_NOBODY || (!is_root && position > 0)) {
        return false;
    }
    const int64_t bytes = coll_block_bytes(call, is_root ? partner : call->rank);
    if (!is_skipped(call, bytes) && is_root) {
        coll_round_send(round, partner, bytes);
    } else if (!is_skipped(call, bytes)) {
        coll_round_recv(round, partner, bytes);
    }
    return true;
}
