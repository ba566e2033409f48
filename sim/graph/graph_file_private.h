/* sim/graph/graph_file_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a file of the native form begins with. docs/formats.md, "The native form".
 */
#pragma once

#include "graph/graph_private.h"
#include "sim/graph_file.h"

/* As the one of PNG: not text, and broken by what breaks line ends or the eighth bit. */
#define GRAPH_FILE_MAGIC   "\x89RPL\r\n\x1a\n"
#define GRAPH_FILE_ORDER   UINT32_C(0x01020304)
#define GRAPH_FILE_VERSION UINT32_C(1)
#define GRAPH_FILE_ALIGN   ((size_t)64)

/* In the order in which they lie in the file. */
typedef enum {
    GRAPH_SECTION_RANKS,
    GRAPH_SECTION_SEGMENTS,
    GRAPH_SECTION_DESCS,
    GRAPH_SECTION_SHAPES,
    GRAPH_SECTION_STEPS,
    GRAPH_SECTION_NAMED,
    GRAPH_SECTION_LABELS,
    GRAPH_SECTION_TEXT,
    GRAPH_SECTION_OPS,
    GRAPH_NUM_SECTIONS
} graph_section_kind;

typedef struct graph_section {
    uint64_t offset; /* of its first byte in the file, a multiple of GRAPH_FILE_ALIGN */
    uint64_t bytes;
    uint64_t checksum; /* XXH3, 64 bits, seed 0 */
} graph_section;

typedef struct graph_file_header {
    char magic[8];
    uint32_t order;
    uint32_t version;
    uint64_t bytes; /* of the file */
    uint64_t num_ops;
    uint64_t num_edges;
    uint32_t num_ranks;
    uint32_t num_cpus;
    uint32_t num_nics;
    uint32_t max_ready;
    uint32_t any_source; /* 0 or 1 */
    uint32_t num_sections;
    graph_section section[GRAPH_NUM_SECTIONS];
    uint64_t checksum; /* of all that is before */
} graph_file_header;

/** Room for what a check of a rank counts, used again by the next. */
typedef struct graph_check {
    uint32_t *waits;
    uint32_t cap;
    uint64_t num_edges; /* of all ranks looked at */
} graph_check;

void sim_graph_check_clear(graph_check *check);
/**
 * Is everything that a run relies on true of the parts that all ranks share: ranks lie within the
 * operations, segments within the tables, descriptions are possible? O(ranks + dictionary).
 * @return NULL, or what is wrong, owned by the caller
 */
char *sim_graph_check_tables(const sim_graph *graph);
/**
 * And of the operations of one rank? O(operations + edges). @return NULL, or what is wrong, owned
 * by the caller
 */
char *sim_graph_check_rank(const sim_graph *graph, uint32_t rank, graph_check *check);
