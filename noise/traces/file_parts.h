/* noise/traces/file_parts.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A file of detours as parts of a signature: one for each of its sources, or the file as it is. All
 * parts have the period of the file and begin with it, so that together they are the file again. Of
 * a file of several nodes each node is such a file.
 * docs/noise.md, section 5.
 */
#pragma once

#include "noise/detour_trace.h"
#include "noise/provenance.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct noise_file_part {
    char *name; /* "node.detours: cron"; of a file that is not divided the file's */
    char *source, *kind, *evidence; /* as the file has them; NULL: it is not divided */
    uint32_t index;                 /* of the part, from 0 */
    uint32_t node, num_nodes;  /* which of the measured nodes, if they are told apart; else 0, 1 */
    noise_detour_trace *trace; /* all runs of the file, one after the other */
    noise_provenance *provenance;
} noise_file_part;

/**
 * @param most    parts, >= 1: smaller sources become one
 * @param by_node tell the nodes apart, if the file says of each run where it was measured; else all
 *   runs follow one another
 * @return of noise_file_part, owned by the caller, who may take what is in the parts; NULL with
 *   NOISE_ERROR naming the file
 */
GArray *noise_file_parts_read(const char *path, size_t most, bool by_node, GError **error);
