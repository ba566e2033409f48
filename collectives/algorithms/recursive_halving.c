/* collectives/algorithms/recursive_halving.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_coll_flow, test_coll_cost. */
/*
 * Recursive halving, and what is built on it; docs/collectives.md, section 2.6.
 *
 * The payload is cut into one part for each of the 2^K core members. In each step two members
 * that are responsible for the same window of parts split it: each sends the half that it gives up,
 * receives and combines the half that it keeps. Members stand on *slots*: the window of a slot
 * at depth i is the aligned run of 2^(K-i) parts around it, and the partner's slot differs in
 * the highest bit that is left. The slot of member n is n itself (largest distance first), or
 * the bits of n in reverse (distance 1 first), as is the custom for allreduce.
 */
#include "algorithms/bytes_private.h"
#include "algorithms/class_private.h"
#include "algorithms/fold_private.h"

static uint32_t reverse_bits(uint32_t x, uint32_t bits)
{
    uint32_t reversed = 0;
    for (uint32_t i = 0; i < bits; i++) {
        reversed = reversed << 1 | (x >> i & 1);
    }
    return reversed;
}

/* Parts first .. first + n - 1: of the vector, or the blocks of the members' ranks. */
static int64_t window_bytes(const coll_call *call, coll_fold fold, uint32_t first, uint32_t n)
{
    if (coll_kind_table[call->kind].is_vector) {
        return coll_parts_bytes(call, fold.core, first, n);
    }
    const uint32_t begin = coll_fold_first(fold, first);
    return coll_blocks_bytes(call, begin, coll_fold_first(fold, first + n) - begin);
}

/*
 * The step in which windows of 2·width parts are split (or, the other way round, joined) by the
 * member on @p slot; @p partner: the rank on slot xor width.
 */
static void split_window(const coll_call *call, coll_fold fold, uint32_t slot, uint32_t width,
                         uint32_t partner, coll_round *round)
{
    const uint32_t mine = slot & ~(width - 1);
    coll_round_send(round, partner, window_bytes(call, fold, mine ^ width, width));
    coll_round_reduce(round, partner, window_bytes(call, fold, mine, width));
}

static void join_window(const coll_call *call, coll_fold fold, uint32_t slot, uint32_t width,
                        uint32_t partner, coll_round *round)
{
    const uint32_t mine = slot & ~(width - 1);
    coll_round_send(round, partner, window_bytes(call, fold, mine, width));
    coll_round_recv(round, partner, window_bytes(call, fold, mine ^ width, width));
}

/* allreduce, first half: fold, then halving with distances 1, 2, 4, … */
static bool split_round(const coll_call *call, uint32_t position, coll_round *round)
{
    const coll_fold fold = coll_fold_new(call->size);
    if (position > fold.levels) {
        return false;
    }
    if (position == 0) {
        if (coll_fold_waits(fold, call->rank)) {
            coll_round_send(round, call->rank + 1, coll_whole_bytes(call));
        } else if (coll_fold_doubles(fold, call->rank)) {
            coll_round_reduce(round, call->rank - 1, coll_whole_bytes(call));
        }
    } else if (!coll_fold_waits(fold, call->rank)) {
        const uint32_t member = coll_fold_member(fold, call->rank);
        const uint32_t partner = coll_fold_rank(fold, member ^ (1U << (position - 1)));
        split_window(call, fold, reverse_bits(member, fold.levels), fold.core >> position, partner,
                     round);
    }
    return true;
}

/* allreduce, second half: the same steps backwards, then the way back of the fold. */
static bool join_round(const coll_call *call, uint32_t position, coll_round *round)
{
    const coll_fold fold = coll_fold_new(call->size);
    if (position > fold.levels) {
        return false;
    }
    if (position == fold.levels) {
        if (coll_fold_waits(fold, call->rank)) {
            coll_round_recv(round, call->rank + 1, coll_whole_bytes(call));
        } else if (coll_fold_doubles(fold, call->rank)) {
            coll_round_send(round, call->rank - 1, coll_whole_bytes(call));
        }
    } else if (!coll_fold_waits(fold, call->rank)) {
        const uint32_t member = coll_fold_member(fold, call->rank);
        const uint32_t partner = coll_fold_rank(fold, member ^ (fold.core >> (position + 1)));
        join_window(call, fold, reverse_bits(member, fold.levels), 1U << position, partner, round);
    }
    return true;
}

/* reduce_scatter: largest distance first; the way back of the fold brings one block. */
static bool reduce_scatter_round(const coll_call *call, uint32_t position, coll_round *round)
{
    const coll_fold fold = coll_fold_new(call->size);
    const bool waits = coll_fold_waits(fold, call->rank);
    const bool doubles = coll_fold_doubles(fold, call->rank);
    if (position > fold.levels + 1) {
        return false;
    }
    if (position == 0) {
        if (waits) {
            coll_round_send(round, call->rank + 1, coll_whole_bytes(call));
        } else if (doubles) {
            coll_round_reduce(round, call->rank - 1, coll_whole_bytes(call));
        }
    } else if (position == fold.levels + 1) {
        if (waits) {
            coll_round_recv(round, call->rank + 1, coll_block_bytes(call, call->rank));
        } else if (doubles) {
            coll_round_send(round, call->rank - 1, coll_block_bytes(call, call->rank - 1));
        }
    } else if (!waits) {
        const uint32_t member = coll_fold_member(fold, call->rank);
        const uint32_t width = fold.core >> position;
        split_window(call, fold, member, width, coll_fold_rank(fold, member ^ width), round);
    }
    return true;
}

/*
 * Reduce: the fold is laid so that the root is core member 0. On these ranks, shifted by one
 * where there is a fold, the root is the odd rank of the first pair.
 */
static uint32_t shifted_rank(const coll_call *call, coll_fold fold)
{
    const uint32_t shift = fold.rest > 0 ? 1 : 0;
    return coll_rank_plus(coll_rank_virtual(call), shift, call->size);
}

static uint32_t unshifted_rank(const coll_call *call, coll_fold fold, uint32_t shifted)
{
    const uint32_t shift = fold.rest > 0 ? 1 : 0;
    return coll_rank_actual(call, coll_rank_minus(shifted, shift, call->size));
}

/* reduce, first half: fold, then halving, largest distance first. */
static bool rooted_round(const coll_call *call, uint32_t position, coll_round *round)
{
    const coll_fold fold = coll_fold_new(call->size);
    const uint32_t rank = shifted_rank(call, fold);
    if (position > fold.levels) {
        return false;
    }
    if (position == 0) {
        if (coll_fold_waits(fold, rank)) {
            coll_round_send(round, unshifted_rank(call, fold, rank + 1), coll_whole_bytes(call));
        } else if (coll_fold_doubles(fold, rank)) {
            coll_round_reduce(round, unshifted_rank(call, fold, rank - 1), coll_whole_bytes(call));
        }
    } else if (!coll_fold_waits(fold, rank)) {
        const uint32_t member = coll_fold_member(fold, rank);
        const uint32_t width = fold.core >> position;
        const uint32_t partner = coll_fold_rank(fold, member ^ width);
        split_window(call, fold, member, width, unshifted_rank(call, fold, partner), round);
    }
    return true;
}

/* reduce, second half: the parts go to the root along a binomial tree. */
static bool gather_round(const coll_call *call, uint32_t position, coll_round *round)
{
    const coll_fold fold = coll_fold_new(call->size);
    const uint32_t rank = shifted_rank(call, fold);
    if (position >= fold.levels || coll_fold_waits(fold, rank)) {
        return false;
    }
    const uint32_t member = coll_fold_member(fold, rank);
    const uint32_t width = 1U << position;
    if ((member & (width - 1)) != 0) {
        return false; /* has sent its parts off */
    }
    const uint32_t partner = unshifted_rank(call, fold, coll_fold_rank(fold, member ^ width));
    if ((member & width) != 0) {
        coll_round_send(round, partner, window_bytes(call, fold, member, width));
    } else {
        coll_round_recv(round, partner, window_bytes(call, fold, member + width, width));
    }
    return true;
}

static const coll_phase SPLIT = {
    .round = split_round,
    .mirrors = coll_blocks_are_mirrored,
    .payload = COLL_CARRIES_HALF,
};

static const coll_phase JOIN = {
    .round = join_round,
    .mirrors = coll_blocks_are_mirrored,
    .payload = COLL_CARRIES_MISSING,
};

static const coll_phase REDUCE_SCATTER = {
    .round = reduce_scatter_round,
    .mirrors = coll_blocks_are_mirrored,
    .payload = COLL_CARRIES_HALF,
};

static const coll_phase ROOTED = {
    .round = rooted_round,
    .payload = COLL_CARRIES_HALF,
};

static const coll_phase GATHER = {
    .round = gather_round,
    .payload = COLL_CARRIES_MISSING,
};

const coll_algorithm_class coll_recursive_halving_class = {
    .name = "recursive-halving",
    .phases =
        {
            [COLL_REDUCE] = {&ROOTED, &GATHER},
            [COLL_ALLREDUCE] = {&SPLIT, &JOIN},
            [COLL_REDUCE_SCATTER] = {&REDUCE_SCATTER},
            [COLL_REDUCE_SCATTER_BLOCK] = {&REDUCE_SCATTER},
        },
};
