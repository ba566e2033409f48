/* sched/pattern.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Programs without MPI: what the ranks do is a list of items (computation, halo exchanges,
 * collectives), written as a text such as "(stencil3d:8KiB,calc=1ms)*20,allreduce:8B", and computed
 * on demand at any size. The grammar, and what MPI calls each item stands for: docs/patterns.md.
 */
#pragma once

#include "coll/algorithm.h"
#include "sched/error.h"
#include "sched/rank_source.h"
#include "sim/call_cost.h"
#include "sim/program.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct sched_pattern sched_pattern; /* immutable: share freely */

/**
 * @param text without the "pattern:" before it
 * @return owned by the caller; NULL with SCHED_ERROR_BAD_PATTERN, which quotes what is wrong
 */
sched_pattern *sched_pattern_new(const char *text, GError **error);
void sched_pattern_free(sched_pattern *pattern); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(sched_pattern, sched_pattern_free)

/**
 * The text as it was understood, every repetition in parentheses of its own; it is read as the
 * same pattern. Owned by the caller.
 */
char *sched_pattern_format(const sched_pattern *pattern);
/**
 * The same, but each collective comes after a calc of what its call takes beside its messages.
 * Draws of calc=TIME~PERCENT% are others, since there are more items.
 * @param calls [SIM_NUM_CALLS]
 * @return owned by the caller; NULL with SCHED_ERROR_BAD_PATTERN: there are too many items
 */
sched_pattern *sched_pattern_with_calls(const sched_pattern *pattern, const sim_call_cost *calls,
                                        GError **error);
/** The items there are: "calc=TIME[~PERCENT%], stencil1d[:BYTES], …". Owned by the caller. */
char *sched_pattern_list_items(void);

/** Is there a collective of @p kind whose algorithm the text leaves open? */
bool sched_pattern_leaves_open(const sched_pattern *pattern, coll_kind kind);
/** Does some collective in it combine what ranks send? */
bool sched_pattern_combines(const sched_pattern *pattern);

/**
 * Some numbers of ranks make no grid that is about as long as wide: 1009 ranks, a prime, are one of
 * 1009 x 1 x 1, on which an item of three dimensions has 2 neighbours, not 6. O(items +
 * sqrt(ranks) for each divisor).
 * @return that grid, where one extent is more than SCHED_PATTERN_LONG times another, of the first
 *   item that has one: "stencil3d on 1009 x 1 x 1"; owned by the caller; NULL: there is none
 */
char *sched_pattern_long_grid(const sched_pattern *pattern, uint32_t ranks);
#define SCHED_PATTERN_LONG 4

typedef struct sched_pattern_options {
    uint32_t ranks;              /* >= 1 */
    uint32_t repeat;             /* passes: every rank goes through the pattern this often; >= 1 */
    const coll_profile *profile; /* NULL: sc10 */
    sim_rate reduce;             /* CPU time per byte of reduction work */
} sched_pattern_options;

/**
 * Can the pattern be had so? O(items).
 * @return false with COLL_ERROR_NOT_APPLICABLE (an algorithm cannot do that size) or
 *   SCHED_ERROR_UNSUPPORTED (too many operations)
 */
bool sched_pattern_check(const sched_pattern *pattern, const sched_pattern_options *options,
                         GError **error);

/**
 * The program. A run takes 64 bytes per rank; an operation O(1), or what its collective takes
 * (O(log ranks) at worst), and each item O(items) to be found. Two slices for each pass.
 * @param pattern borrowed: must outlive the program
 * @return owned by the caller (sim_program_free()); NULL with an error of sched_pattern_check()
 */
sim_program *sched_pattern_program_new(const sched_pattern *pattern,
                                       const sched_pattern_options *options, GError **error);
#define SCHED_PATTERN_RANK_BYTES 64

/**
 * The same operations and dependencies, one rank after the other, for writers. Holds the operations
 * of one rank.
 * @param pattern borrowed: must outlive the source
 * @return owned by the caller; NULL with an error of sched_pattern_check()
 */
sched_rank_source *sched_pattern_source_new(const sched_pattern *pattern,
                                            const sched_pattern_options *options, GError **error);
void sched_pattern_source_free(sched_rank_source *source); /* NULL is a no-op */

G_END_DECLS
