/* apps/ripple/places/switches_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "places/switches.h"
#include "places/word_file.h"

/** The rest of a graph's file. @p nodes [as many as there are], of the line "nodes"; may be empty.
 */
app_switches *app_switches_read_graph(app_word_file *file, GArray *nodes, GError **error);

/** Is this line "nodes N..."? Then its numbers go into @p nodes (uint32_t), once per file. */
bool app_switches_take_nodes(const app_word_file *file, GArray *nodes, bool *taken, GError **error);
/**
 * Nodes on each of @p num_switches: what the line "nodes" says, or 1.
 * @return [num_switches], owned by the caller
 */
uint32_t *app_switches_count_nodes(const app_word_file *file, const GArray *nodes,
                                   uint32_t num_switches, GError **error);
/**
 * Those with nodes, which keep their order; `hops` is all 0.
 * @param which [result->num_switches] their numbers in the file, owned by the caller
 */
app_switches *app_switches_new(const app_word_file *file, const uint32_t *count,
                               uint32_t num_switches, uint32_t **which, GError **error);
