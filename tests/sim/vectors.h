/* tests/sim/vectors.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Schedules with the finish times that LogGOPSim gives them: folders of tests/data with a table
 * expected.tsv.
 */
#pragma once

#include "sim/graph.h"
#include "sim/machine.h"

typedef struct vector {
    sim_graph *graph;
    sim_params params; /* progress and rendezvous left to the caller */
    GArray *times;     /* of gint64: ns */
} vector;

/** Owned by the caller. */
GArray *vector_parse_times(const char *text);
/** The lines of a file of tests/data; ends the test where it is absent. Owned by the caller. */
char **vector_read_lines(const char *relative);
/** All vectors of a folder, by name. Owned by the caller. */
GHashTable *vectors_load(const char *folder);
