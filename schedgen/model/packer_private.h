/* schedgen/model/packer_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Packing the calls of a rank while they are read, so that no rank is ever there unpacked as a
 * whole. What comes out is what sched_rank_pack() makes of all of them.
 */
#pragma once

#include "sched/trace.h"

typedef struct sched_packer sched_packer;

sched_packer *sched_packer_new(void);
void sched_packer_free(sched_packer *packer); /* NULL is a no-op */
/**
 * Take the first @p n calls of @p rank, which nobody changes any more: those behind them, their
 * requests and counts move up. Amortised O(@p n and those behind); where a time is the first that
 * is no whole number of us, or of ns, O(all that were taken), so no more than twice.
 */
void sched_packer_take(sched_packer *packer, sched_rank *rank, uint64_t n);
/** Take the rest: @p rank is packed, with all calls that were taken. Once, and nothing after it. */
void sched_packer_finish(sched_packer *packer, sched_rank *rank);
/** Forget the first @p n calls. O(n and those behind) */
void sched_rank_drop(sched_rank *rank, uint64_t n);
