/* sched/replay.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A recorded program as it is run, not written down: every rank follows the record of the rank it
 * repeats, with its peers shifted, and computes its part of each collective when it comes to it.
 * The operations, their numbers and their dependencies are those of sched_convert().
 */
#pragma once

#include "sched/convert.h"
#include "sim/program.h"

#include <glib.h>

G_BEGIN_DECLS

/**
 * Convert as sched_convert() does, but keep each recorded rank once for all its copies.
 * Memory: the record (32 bytes per call, 200 per collective that differs from those before), and
 * sched_replay_rank_bytes() per rank: 64, and 64 for each nonblocking collective, 16 for each wait
 * to come and 4 (if there are several waits to come: 8) for each request that a rank has under way
 * at once, and 4. What the program tells in a run depends on the rank asked about alone: different
 * ranks may be asked about by different threads.
 * @param trace    borrowed: must outlive the program
 * @return owned by the caller (sim_program_free()); NULL with SCHED_ERROR
 */
sim_program *sched_replay_new(const sched_trace *trace, const sched_convert_options *options,
                              sched_convert_report *report, GError **error);

/**
 * About how many operations that program would have, without counting those of every rank: copy
 * 0 and some of the others, spread over all, are looked at. Exact up to some 1,000 ranks, and where
 * ranks that follow the same record have the same number of operations.
 * @param most of one rank that was looked at
 */
bool sched_replay_count(const sched_trace *trace, const sched_convert_options *options, double *ops,
                        uint64_t *most, GError **error);

/** Bytes that @p program and one run of it take per rank; 0 if it is no such program. O(1). */
size_t sched_replay_rank_bytes(const sim_program *program);

G_END_DECLS
