/* sched/goal.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * GOAL schedules, text and binary, in and out. docs/goal.md.
 *
 * GOAL has no communicators: on writing, a (communicator, tag) pair becomes one 32-bit tag.
 * Durations are nanoseconds in GOAL and picoseconds here; a calc that is not a whole number of
 * nanoseconds is rounded to nearest on writing.
 */
#pragma once

#include "sched/error.h"
#include "sched/rank_source.h"
#include "sim/graph.h"

#include <glib.h>
#include <stdbool.h>

G_BEGIN_DECLS

/** Is this GOAL text (first token) or GOAL binary (magic)? False for anything unreadable. */
bool sched_goal_probe(const char *path);
/** Likewise, of text alone. */
bool sched_goal_is_text(const char *path);

/**
 * Read text or binary (record strides 39, 56 and 104), whichever it is. Accepts the union of
 * dialects (docs/goal.md, section 2); @p strict: only what the reference's own converter accepts.
 * @return owned by the caller; NULL with SCHED_ERROR naming file, line and value
 */
sim_graph *sched_goal_read(const char *path, bool strict, GError **error);
/** The same from memory; messages call it @p name. */
sim_graph *sched_goal_read_data(const char *name, const char *data, size_t len, bool strict,
                                GError **error);

/**
 * Write a new file, all or nothing (a failed write leaves no file behind). @p path NULL: to
 * standard output, as it comes.
 */
bool sched_goal_write_text(const sim_graph *graph, const char *path, GError **error);
/** 39-byte records, little endian. */
bool sched_goal_write_binary(const sim_graph *graph, const char *path, GError **error);

/** The same from any program, of which one rank at a time is in memory; two passes or more. */
bool sched_goal_write_text_from(sched_rank_source *source, const char *path, GError **error);
bool sched_goal_write_binary_from(sched_rank_source *source, const char *path, GError **error);

G_END_DECLS
