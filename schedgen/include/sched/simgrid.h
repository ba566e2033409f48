/* sched/simgrid.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Reader of SimGrid's time-independent traces: lines of a rank, an action and its arguments, in one
 * file or in several that an index lists; compressed ones are unpacked in memory.
 * docs/conversion.md, section 1.
 */
#pragma once

#include "sched/trace.h"

#include <glib.h>

G_BEGIN_DECLS

/** Is the path a file of actions, or a list of such files? */
bool sched_simgrid_probe(const char *path);
/**
 * @param flops_per_second 0: not known; then an action of flops above 0 is an error
 * @return owned by the caller; NULL with SCHED_ERROR naming file, line and value
 */
sched_trace *sched_simgrid_read(const char *path, double flops_per_second, GError **error);
/** The same from memory: actions of all ranks; messages call it @p name. */
sched_trace *sched_simgrid_read_data(const char *name, const char *data, size_t len,
                                     double flops_per_second, GError **error);

G_END_DECLS
