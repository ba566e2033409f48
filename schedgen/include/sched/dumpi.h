/* sched/dumpi.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Reader of DUMPI's binary traces: a file of records for each rank. docs/conversion.md, section 1.
 */
#pragma once

#include "sched/trace.h"

#include <glib.h>

G_BEGIN_DECLS

/** Is the path a file of such a trace, its metafile, or a folder with such files? */
bool sched_dumpi_probe(const char *path);
/** @return owned by the caller; NULL with SCHED_ERROR naming file, record and value */
sched_trace *sched_dumpi_read(const char *path, GError **error);
/** The same from memory: data[i] is what the file of rank i holds; messages call it names[i]. */
sched_trace *sched_dumpi_read_data(const char *const *names, const char *const *data,
                                   const size_t *size, uint32_t num_ranks, GError **error);

G_END_DECLS
