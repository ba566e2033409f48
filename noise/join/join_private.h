/* noise/join/join_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "noise/join.h"

/** Who was on a CPU for certain. */
typedef struct join_slice {
    uint64_t from, to;
    uint32_t tid;
} join_slice;

/** @p cpu of @p node: slices by time that do not overlap; those of the CPU, else of the threads'
 * own records. GArray of join_slice, owned by the caller. */
GArray *noise_join_known_slices(const noise_join_input *input, uint32_t node, uint32_t cpu);

/** Index in nit->threads by node and tid, the latest of a name; -1: never seen. */
typedef struct join_names join_names;
join_names *noise_join_names_new(const noise_nit *nit);
void noise_join_names_free(join_names *names);
int32_t noise_join_names_find(const join_names *names, uint32_t node, uint32_t tid);

/** What is sure of a program's part: index in nit->threads and ns. */
typedef struct join_sure {
    uint32_t main;
    int32_t thread;
    uint64_t ns;
} join_sure;

/**
 * Append the pieces of thread @p main, by time.
 * @param pieces of noise_join_piece
 * @param sure of join_sure: of what was laid by time windows
 */
void noise_join_pieces_of(const noise_join_input *input, uint32_t main, const join_names *names,
                          GArray *pieces, GArray *sure);
