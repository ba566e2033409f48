/* collectives/algorithms/bytes_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How many bytes a block, or a run of blocks, of a call has. Block i is the one that rank i
 * contributes (gather, allgather), is given (scatter) or ends with (reduce_scatter). A vector
 * (bcast, reduce, allreduce, scan) is cut into parts as equal as can be, the longer ones first.
 * All of these saturate at INT64_MAX.
 */
#pragma once

#include "coll/kind.h"

/** Block @p i, which for gatherv and scatterv is the own one except at the root. O(1). */
int64_t coll_block_bytes(const coll_call *call, uint32_t i);
/** Blocks first .. first + n - 1 modulo size; n <= size. O(1), O(min(n, num_counts)) with counts.
 */
int64_t coll_blocks_bytes(const coll_call *call, uint32_t first, uint32_t n);
/** All that a vector, or all blocks together, have. */
int64_t coll_whole_bytes(const coll_call *call);
/** Parts first .. first + n - 1 of a vector of call->bytes cut into @p parts. O(1). */
int64_t coll_parts_bytes(const coll_call *call, uint32_t parts, uint32_t first, uint32_t n);
/** Are all blocks that the ranks pass on, or all parts of the vector, of one length? */
bool coll_blocks_are_equal(const coll_call *call);
/** The same, and there are 2^k ranks: each has a partner for every exclusive-or below that. */
bool coll_blocks_are_mirrored(const coll_call *call);
/** alltoall, alltoallv, alltoallw: what this rank sends to, and receives from, @p peer. O(1). */
int64_t coll_bytes_to(const coll_call *call, uint32_t peer);
int64_t coll_bytes_from(const coll_call *call, uint32_t peer);
/** @p n blocks of call->bytes each. */
int64_t coll_times_bytes(const coll_call *call, uint32_t n);
