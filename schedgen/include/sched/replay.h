/* sched/replay.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A recorded program that is run without being stored: every rank follows the record of the rank
 * that it is a copy of, with its peers shifted, and computes its steps of a collective when it
 * comes to it. The operations, their numbers and their dependencies are those of sched_convert().
 */
#pragma once

#include "sched/convert.h"
#include "sim/program.h"

#include <glib.h>

G_BEGIN_DECLS

/**
 * Convert as sched_convert() does, but keep each recorded rank once for all its copies.
 * Memory: the record (4 to 8 bytes per operation, 32 more for each that differs from those before,
 * 200 for such a collective), and
 * sched_replay_rank_bytes() per rank: 68, and, of what a rank has under way at once, 64 for each
 * nonblocking collective, 16 for each wait to come and 4 (if there are several waits to come: 8)
 * for each request. In a run, the state of each rank is its own: different threads may ask for
 * different ranks.
 * @param trace    borrowed: must outlive the program
 * @return owned by the caller (sim_program_free()); NULL with SCHED_ERROR
 */
sim_program *sched_replay_new(const sched_trace *trace, const sched_convert_options *options,
                              sched_convert_report *report, GError **error);

/**
 * Estimate how many operations that program would have, without counting those of every rank: it
 * counts copy 0 and some of the others, spread over all. Exact up to some 1,000 ranks, and where
 * ranks that follow the same record have the same number of operations.
 * @param most the largest number of operations of a rank that was counted
 */
bool sched_replay_count(const sched_trace *trace, const sched_convert_options *options, double *ops,
                        uint64_t *most, GError **error);

/**
 * The same record in another number of copies, which is not read again: what all copies share
 * stays where it is. O(different collectives, ranks)
 * @param program  of sched_replay_new() or of this; it may be freed before the result
 * @param trace    its trace
 * @param options  its options, but for the copies; no growth
 * @return owned by the caller (sim_program_free()); NULL with SCHED_ERROR
 */
sim_program *sched_replay_resize(const sim_program *program, const sched_trace *trace,
                                 const sched_convert_options *options, GError **error);
/** sched_replay_count() of that. */
bool sched_replay_count_resized(const sim_program *program, const sched_trace *trace,
                                const sched_convert_options *options, double *ops, uint64_t *most,
                                GError **error);

/**
 * sched_convert_source_new() of a record that @p program follows: it has been checked. To be freed
 * by sched_convert_source_free().
 * @param options  those of @p program; without a growth, another number of copies
 */
sched_rank_source *sched_replay_source_new(const sim_program *program, const sched_trace *trace,
                                           const sched_convert_options *options, GError **error);

/** Bytes that @p program and one run of it take per rank; 0 if it is no such program. O(1). */
size_t sched_replay_rank_bytes(const sim_program *program);

G_END_DECLS
