/* collectives/algorithms/scan.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_coll_flow. */
/*
 * Prefix reductions; docs/collectives.md, section 2.1; docs/collectives.md, section 2.5.
 */
#include "algorithms/bytes_private.h"
#include "algorithms/class_private.h"

/* From r - 1, combine, to r + 1. The last rank of an exscan has nothing to combine. */
static bool linear_round(const coll_call *call, uint32_t position, coll_round *round)
{
    const int64_t bytes = coll_whole_bytes(call);
    const bool is_last = call->rank == call->size - 1;
    if (position == 0 && call->rank > 0) {
        coll_round_recv(round, call->rank - 1, bytes);
        round->combine = call->kind == COLL_EXSCAN && is_last ? 0 : bytes;
    } else if (position == 1 && !is_last) {
        coll_round_send(round, call->rank + 1, bytes);
    }
    return position < 2;
}

/*
 * In round i, r and r xor 2^i (where there is such a rank) exchange what they have of their
 * group. It is combined into the group's part, and what came from a lower rank into the result
 * as well; the first of these is the result of an exscan so far, and only copied.
 */
static bool doubling_round(const coll_call *call, uint32_t position, coll_round *round)
{
    if (position >= coll_log2_ceil(call->size)) {
        return false;
    }
    const uint32_t bit = 1U << position;
    const uint32_t partner = call->rank ^ bit;
    if (partner >= call->size) {
        return true;
    }
    const int64_t bytes = coll_whole_bytes(call);
    coll_round_send(round, partner, bytes);
    coll_round_reduce(round, partner, bytes);
    const bool is_first = (call->rank & (bit - 1)) == 0;
    if (partner < call->rank && !(call->kind == COLL_EXSCAN && is_first)) {
        round->combine = bytes > INT64_MAX / 2 ? INT64_MAX : 2 * bytes;
    }
    return true;
}

const coll_phase coll_scan_linear = {
    .round = linear_round,
    .payload = COLL_CARRIES_ALL,
};

const coll_phase coll_scan_doubling = {
    .round = doubling_round,
    .payload = COLL_CARRIES_ALL,
};
