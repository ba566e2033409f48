/* sim/graph/graph_spool.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Ranks on their way to a file of the native form. The operations are last in it, and what is known
 * only once all ranks are there comes before them: so they wait in a file of their own.
 */
#pragma once

#include "sim/out_file.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct graph_spool graph_spool;

/** @p path NULL: standard output. @return owned by the caller; NULL with G_FILE_ERROR */
graph_spool *sim_graph_spool_new(const char *path, GError **error);
/** What was not put in place is gone. NULL is a no-op. */
void sim_graph_spool_free(graph_spool *spool);
/** Room for a rank, until it is taken; that of the one before stays as it is meanwhile. Borrowed.
 */
char *sim_graph_spool_room(graph_spool *spool, size_t bytes);
/** So many bytes of that room are a rank's operations. @return where they begin among those of all
 */
uint64_t sim_graph_spool_take(graph_spool *spool, size_t bytes);
/** Could something not be written? sim_graph_spool_commit() will say what. */
bool sim_graph_spool_has_failed(const graph_spool *spool);
/** Bytes of all ranks, and their checksum (XXH3, 64 bits). */
void sim_graph_spool_sum_up(const graph_spool *spool, uint64_t *bytes, uint64_t *checksum);
/** Where the file is written; behind what comes first, sim_graph_spool_commit() puts the ranks. */
FILE *sim_graph_spool_stream(const graph_spool *spool);
/** The ranks, and then the file is put in its place. @return false with G_FILE_ERROR; then nothing
 * is left behind */
bool sim_graph_spool_commit(graph_spool *spool, GError **error);
