/* collectives/algorithms/recursive_doubling.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_coll_flow, test_coll_cost. */
/*
 * In round i, n and n xor 2^i exchange what they know; docs/collectives.md, section 2.5.
 * Position 0 is the fold, positions 1 .. K the exchanges, position K + 1 the way back.
 */
#include "algorithms/bytes_private.h"
#include "algorithms/class_private.h"
#include "algorithms/fold_private.h"
#include "coll/walk.h"

/* Barrier and allreduce: the whole vector each time. */
static bool exchange_round(const coll_call *call, uint32_t position, coll_round *round)
{
    const coll_fold fold = coll_fold_new(call->size);
    const int64_t bytes = coll_whole_bytes(call);
    if (position > fold.levels + 1) {
        return false;
    }
    if (position == 0 || position == fold.levels + 1) {
        const bool in = position == 0;
        if (coll_fold_waits(fold, call->rank) && in) {
            coll_round_send(round, call->rank + 1, bytes);
        } else if (coll_fold_waits(fold, call->rank)) {
            coll_round_recv(round, call->rank + 1, bytes);
        } else if (coll_fold_doubles(fold, call->rank) && in) {
            coll_round_reduce(round, call->rank - 1, bytes);
        } else if (coll_fold_doubles(fold, call->rank)) {
            coll_round_send(round, call->rank - 1, bytes);
        }
    } else if (!coll_fold_waits(fold, call->rank)) {
        const uint32_t member = coll_fold_member(fold, call->rank);
        const uint32_t partner = coll_fold_rank(fold, member ^ (1U << (position - 1)));
        coll_round_send(round, partner, bytes);
        coll_round_reduce(round, partner, bytes);
    }
    return true;
}

/* The blocks of core members first .. first + n - 1. */
static int64_t members_bytes(const coll_call *call, coll_fold fold, uint32_t first, uint32_t n)
{
    const uint32_t begin = coll_fold_first(fold, first);
    return coll_blocks_bytes(call, begin, coll_fold_first(fold, first + n) - begin);
}

/* The way in brings one block, the way back all but that one. */
static void fold_allgather(const coll_call *call, coll_fold fold, bool in, coll_round *round)
{
    const bool waits = coll_fold_waits(fold, call->rank);
    if (!waits && !coll_fold_doubles(fold, call->rank)) {
        return;
    }
    const uint32_t waiting = waits ? call->rank : call->rank - 1;
    const uint32_t partner = waits ? waiting + 1 : waiting;
    const int64_t bytes =
        in ? coll_block_bytes(call, waiting) : coll_blocks_bytes(call, waiting + 1, call->size - 1);
    if (waits == in) {
        coll_round_send(round, partner, bytes);
    } else {
        coll_round_recv(round, partner, bytes);
    }
}

static bool allgather_round(const coll_call *call, uint32_t position, coll_round *round)
{
    const coll_fold fold = coll_fold_new(call->size);
    if (position > fold.levels + 1) {
        return false;
    }
    if (position == 0 || position == fold.levels + 1) {
        fold_allgather(call, fold, position == 0, round);
    } else if (!coll_fold_waits(fold, call->rank)) {
        const uint32_t width = 1U << (position - 1);
        const uint32_t member = coll_fold_member(fold, call->rank);
        const uint32_t partner = coll_fold_rank(fold, member ^ width);
        const uint32_t mine = member & ~(width - 1);
        coll_round_send(round, partner, members_bytes(call, fold, mine, width));
        coll_round_recv(round, partner, members_bytes(call, fold, mine ^ width, width));
    }
    return true;
}

/* Every message is the whole vector; without a fold, all ranks are of the core. */
static bool exchange_mirrors(const coll_call *call)
{
    return coll_fold_new(call->size).rest == 0;
}

static uint8_t exchange_course(const coll_call *call)
{
    return exchange_mirrors(call) ? COLL_COURSE_DOUBLING : COLL_COURSE_ANY;
}

static const coll_phase EXCHANGE = {
    .round = exchange_round,
    .mirrors = exchange_mirrors,
    .course = exchange_course,
    .payload = COLL_CARRIES_ALL,
};

static const coll_phase ALLGATHER = {
    .round = allgather_round,
    .mirrors = coll_blocks_are_mirrored,
    .payload = COLL_CARRIES_MISSING,
};

const coll_algorithm_class coll_recursive_doubling_class = {
    .name = "recursive-doubling",
    .phases =
        {
            [COLL_BARRIER] = {&EXCHANGE},
            [COLL_ALLREDUCE] = {&EXCHANGE},
            [COLL_ALLGATHER] = {&ALLGATHER},
            [COLL_ALLGATHERV] = {&ALLGATHER},
            [COLL_SCAN] = {&coll_scan_doubling},
            [COLL_EXSCAN] = {&coll_scan_doubling},
        },
};
