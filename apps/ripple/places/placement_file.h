/* apps/ripple/places/placement_file.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A node for each rank from a text file: docs/formats.md, "Placements".
 */
#pragma once

#include <glib.h>
#include <stdint.h>

/**
 * Read nodes in the order of ranks: "7", or "7*64" for 64 ranks in a row on node 7.
 * @param num_ranks how many there are
 * @return [num_ranks], owned by the caller; NULL with an error that names file and line
 */
uint32_t *app_placement_read(const char *path, uint32_t *num_ranks, GError **error);
