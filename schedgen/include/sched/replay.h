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

/**
 * Convert as sched_convert() does, but keep one copy of each recorded rank for all its replicas.
 * Memory: the record, 4 bytes per rank, and in a run some 300 bytes per rank and 30 per request
 * that is open at once. Programs with nonblocking collectives, whose parts do not form one chain,
 * become a stored graph instead.
 * @param trace    borrowed: must outlive the program
 * @return owned by the caller (sim_program_free()); NULL with SCHED_ERROR
 */
sim_program *sched_replay_new(const sched_trace *trace, const sched_convert_options *options,
                              sched_convert_report *report, GError **error);

/** Bytes that @p program and one run of it take per rank; 0 if it is a stored graph. O(1). */
size_t sched_replay_rank_bytes(const sim_program *program);
