/* sim/graph/graph_weave.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_graph_weave. */
/*
 * The layout of operations for runs. Ranks go through their operations at about the same pace; one
 * behind the other, each rank's next operations lie on a page of their own, and with many ranks
 * most looks at a program miss the tables of pages that a CPU keeps. So narrow ranks are woven: of
 * each of 64 ranks a line of the cache, then of each the next.
 *
 *     ranks one behind the other:  0000000000 1111111111 2222222222 ...
 *     woven:                       012...63 012...63 012...63 ...        (each a line)
 *
 * Where ranks differ so much in length that more than a quarter would be padding, and where they
 * are fewer or take a larger form, they stay as they are.
 */
#include "graph/graph_private.h"
#include "sim/large.h"

#include <string.h>
#include <sys/mman.h>

#define GROUP_LINE ((size_t)GRAPH_WEAVE_RANKS * GRAPH_WEAVE_LINE) /* a line of each rank */
#define PAGE       ((uintptr_t)2 << 20)                           /* is given back as a whole */

typedef struct weaver {
    sim_graph *graph;
    size_t left;                 /* bytes of the last chunk that are free */
    uint64_t offset;             /* where they begin */
    uint64_t block;              /* where the last of graph->woven begins */
    char *woven_from, *woven_to; /* what has been woven last, and not been given back */
} weaver;

static size_t num_lines(const graph_rank *rank)
{
    return (rank->num_ops + GRAPH_WEAVE_OPS - 1) / GRAPH_WEAVE_OPS;
}

/* @return the lines that each rank of a group takes if it is worth weaving; 0: it is not */
static size_t lines_of_group(const sim_graph *graph, uint32_t first)
{
    size_t most = 0;
    size_t bytes = 0;
    for (uint32_t r = first; r < first + GRAPH_WEAVE_RANKS; r++) {
        const graph_rank *rank = &graph->rank[r];
        if (graph_rank_form(rank) == GRAPH_NARROW) {
            most = MAX(most, num_lines(rank));
            bytes += rank->num_ops * sizeof(graph_narrow);
        }
    }
    return most * GROUP_LINE <= bytes + bytes / 4 ? most : 0;
}

/* Room for a group. @return its offset */
static uint64_t take_room(weaver *w, size_t bytes)
{
    sim_graph *graph = w->graph;
    if (bytes > w->left) {
        const uint64_t chunks = (bytes + GRAPH_CHUNK_BYTES - 1) >> GRAPH_CHUNK_BITS;
        char *memory = sim_large_new(chunks << GRAPH_CHUNK_BITS, 1);
        g_ptr_array_add(graph->woven, memory);
        w->block = graph->chunk.n << GRAPH_CHUNK_BITS;
        w->offset = w->block;
        w->left = chunks << GRAPH_CHUNK_BITS;
        const char **chunk = sim_graph_table_add(&graph->chunk, chunks, sizeof *chunk);
        for (uint64_t i = 0; i < chunks; i++) {
            chunk[i] = memory + (i << GRAPH_CHUNK_BITS);
        }
    }
    const uint64_t offset = w->offset;
    w->offset += bytes;
    w->left -= bytes;
    return offset;
}

/* Operations of @p rank, which have been woven, are not needed any more where they were. */
static void give_back(weaver *w, char *from, size_t bytes)
{
    if (w->graph->memory == NULL) {
        return; /* somebody else's */
    }
    if (from != w->woven_to) {
        w->woven_from = from; /* another block, or something between stays where it is */
    }
    w->woven_to = from + bytes;
    char *first = w->woven_from + -(uintptr_t)w->woven_from % PAGE;
    char *end = w->woven_to - (uintptr_t)w->woven_to % PAGE;
    if (first < end) {
        (void)madvise(first, (size_t)(end - first), MADV_DONTNEED); /* refused: it stays, unused */
        w->woven_from = end;
    }
}

static void weave_rank(weaver *w, uint32_t r, uint64_t offset, char *to)
{
    graph_rank *rank = &w->graph->rank[r];
    const size_t bytes = rank->num_ops * sizeof(graph_narrow);
    char *const *chunk = w->graph->chunk.at;
    const uint64_t place = graph_rank_offset(rank);
    char *from = chunk[place >> GRAPH_CHUNK_BITS] + (place & (GRAPH_CHUNK_BYTES - 1));
    for (size_t at = 0; at < bytes; at += GRAPH_WEAVE_LINE, to += GROUP_LINE) {
        memcpy(to, from + at, MIN(bytes - at, GRAPH_WEAVE_LINE));
    }
    rank->place = offset << 3 | GRAPH_WOVEN;
    give_back(w, from, bytes);
}

static void weave_group(weaver *w, uint32_t first, size_t lines)
{
    sim_graph *graph = w->graph;
    const size_t bytes = lines * GROUP_LINE;
    const uint64_t offset = take_room(w, bytes);
    char *block = g_ptr_array_index(graph->woven, graph->woven->len - 1);
    char *room = block + (offset - w->block);
    graph->padding += bytes;
    for (uint32_t k = 0; k < GRAPH_WEAVE_RANKS; k++) {
        const graph_rank *rank = &graph->rank[first + k];
        if (rank->num_ops > 0 && graph_rank_form(rank) == GRAPH_NARROW) {
            const uint64_t column = (uint64_t)k * GRAPH_WEAVE_LINE;
            graph->padding -= rank->num_ops * sizeof(graph_narrow);
            weave_rank(w, first + k, offset + column, room + column);
        }
    }
}

void sim_graph_weave(sim_graph *graph)
{
    const uint32_t num_ranks = graph->program.num_ranks;
    if (num_ranks < GRAPH_WEAVE_RANKS || graph->woven != NULL) {
        return;
    }
    if (!graph->owns_ranks) { /* a file's */
        graph->rank = g_memdup2(graph->rank, num_ranks * sizeof *graph->rank);
        graph->owns_ranks = true;
    }
    graph->woven = g_ptr_array_new_with_free_func(sim_large_free);
    weaver w = {.graph = graph};
    for (uint32_t r = 0; r + GRAPH_WEAVE_RANKS <= num_ranks; r += GRAPH_WEAVE_RANKS) {
        const size_t lines = lines_of_group(graph, r);
        if (lines > 0) {
            weave_group(&w, r, lines);
        }
    }
}

const char *sim_graph_rank_packed(const sim_graph *graph, uint32_t rank, GByteArray *room)
{
    const graph_rank *r = &graph->rank[rank];
    const char *data = graph_rank_data(graph, r);
    if (graph_rank_form(r) != GRAPH_WOVEN) {
        return data;
    }
    const size_t bytes = r->num_ops * sizeof(graph_narrow);
    g_byte_array_set_size(room, 0);
    for (size_t at = 0; at < bytes; at += GRAPH_WEAVE_LINE, data += GROUP_LINE) {
        g_byte_array_append(room, (const guint8 *)data, (guint)MIN(bytes - at, GRAPH_WEAVE_LINE));
    }
    return (const char *)room->data;
}
