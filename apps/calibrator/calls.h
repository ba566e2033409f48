/* apps/calibrator/calls.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Collectives of the two ranks that are measured, and no others.
 */
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum { BARRIER, BCAST, REDUCE, ALLREDUCE, GATHER, SCATTER, ALLGATHER, ALLTOALL } call_kind;
enum { NUM_CALLS = ALLTOALL + 1, MOST_CALL_BYTES = 1 << 16 };

/** "barrier", "bcast", … */
const char *calls_name(int call);
/** Has it a root? Then one message goes to or from it; else one goes each way. */
bool calls_is_rooted(int call);
/** Does the root send? */
bool calls_root_sends(int call);

/** @param pair of the two ranks. @return false: there is no memory */
bool calls_begin(MPI_Comm pair);
void calls_end(void);
/**
 * Make one call.
 * @param bytes as coll/kind.h counts them, up to MOST_CALL_BYTES; a multiple of 8
 * @param root 0 or 1, the rank in the pair
 */
void calls_make(int call, int64_t bytes, int root);
