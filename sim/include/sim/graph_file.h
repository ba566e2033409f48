/* sim/graph_file.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Stored programs in files laid out as in memory, to be run from where they are mapped:
 * docs/formats.md, "The native form".
 */
#pragma once

#include "sim/graph.h"

#include <glib.h>
#include <stdbool.h>

G_BEGIN_DECLS

typedef enum {
    /**
     * All of the file is read once, against its checksums and for what a run relies on: 7 ns
     * per operation.
     */
    SIM_GRAPH_VERIFY,
    /**
     * O(1) in the operations: only header, ranks and dictionary are checked. A run finds damage
     * elsewhere, rank by rank, and then fails. For sim_run() only: other uses of the graph
     * assume that it is sound.
     */
    SIM_GRAPH_TRUST,
} sim_graph_trust;

/** Does the file begin like a stored program? False for anything unreadable. */
bool sim_graph_file_probe(const char *path);
/**
 * Map a file, which must not change as long as the graph lives.
 * @return owned by the caller; NULL with SIM_ERROR_BAD_FILE naming the file and what is wrong:
 *   damage, another version or byte order, a length that is not the one announced
 */
sim_graph *sim_graph_map(const char *path, sim_graph_trust trust, GError **error);
/** The same from memory that outlives the graph, aligned to 8; messages call it @p name. */
sim_graph *sim_graph_map_data(const char *name, void *data, size_t len, sim_graph_trust trust,
                              GError **error);
/** Write a new file, all or nothing; @p path NULL: standard output. The same graph gives the same
 * bytes. */
bool sim_graph_save(const sim_graph *graph, const char *path, GError **error);

/**
 * A builder of a file, which keeps no ranks: it takes the memory of two, and of what operations
 * have in common. The ranks' operations wait in a file without a name, where the file will be, or
 * among temporary files if that is none: until it is there they take as much room as in it once
 * more. Ranks come in ascending order.
 * @param path NULL: standard output
 * @return owned by the caller; sim_graph_builder_save() consumes it. NULL with G_FILE_ERROR
 */
sim_graph_builder *sim_graph_builder_new_file(uint32_t num_ranks, const char *path, GError **error);
/**
 * For such a builder what sim_graph_builder_finish() is for others: the bytes that sim_graph_save()
 * would write of the graph, all or nothing.
 * @return false with SIM_ERROR_BAD_PROGRAM naming rank, label and value, or G_FILE_ERROR
 */
bool sim_graph_builder_save(sim_graph_builder *builder, GError **error);

G_END_DECLS
