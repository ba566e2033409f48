/* apps/ripple/mining/projections.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Logs that programs in Charm++ write for the tool Projections: NAME.sts with the names,
 * NAME.PE.log or NAME.PE.log.gz with what each processor did, in whole microseconds.
 * docs/noise-miner.md, section 8.
 */
#pragma once

#include "noise/miner.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Is @p path NAME.sts, or a folder that holds exactly one of these? */
bool app_projections_probe(const char *path);

/**
 * The events of all processors, each a rank.
 * @param tool_types as Projections has them: all of the runtime between tasks is one type
 * @return false with an error that names file and line
 */
bool app_projections_mine(const char *path, bool tool_types, noise_miner *miner, GError **error);

/** The names of entry methods and user events. */
typedef struct app_projections_names app_projections_names;
/** @param text [size] of NAME.sts; owned by the caller; NULL with an error */
app_projections_names *app_projections_names_parse(const char *file, const char *text, size_t size,
                                                   GError **error);
void app_projections_names_free(app_projections_names *names); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_projections_names, app_projections_names_free)
/** Processors; 0: the file does not say. */
uint32_t app_projections_processors(const app_projections_names *names);

/** The log of one processor while it is read, line by line. */
typedef struct app_projections_log app_projections_log;
/** All borrowed. */
app_projections_log *app_projections_log_new(const char *file, const app_projections_names *names,
                                             uint32_t rank, bool tool_types, noise_miner *miner);
void app_projections_log_free(app_projections_log *log); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_projections_log, app_projections_log_free)
/** The next line, without its end. @return false with an error that names file and line */
bool app_projections_log_take(app_projections_log *log, const char *line, GError **error);
