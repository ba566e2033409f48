/* sched/liballprof.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Reader of liballprof v1 text, one file per rank. docs/conversion.md, sections 1 and 5.
 */
#pragma once

#include "sched/trace.h"

#include <glib.h>

G_BEGIN_DECLS

/** Does the path look like a liballprof file, a directory of them, or a tar archive of them? */
bool sched_liballprof_probe(const char *path);
/** @return owned by the caller; NULL with SCHED_ERROR naming file, line and value */
sched_trace *sched_liballprof_read(const char *path, GError **error);
/** The same from memory: one rank's file or a tar archive; messages call it @p name. */
sched_trace *sched_liballprof_read_data(const char *name, const char *data, size_t len,
                                        GError **error);

G_END_DECLS
