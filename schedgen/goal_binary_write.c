/* schedgen/goal_binary_write.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * GOAL binary, goal-binary.md: records of 39 bytes, little endian, byte for byte what the
 * reference converter makes of the same text.
 */
#include "goal_private.h"
#include "sim/out_file.h"

#define RECORD_BYTES 39

/* What the head of the file says of a rank before its operations come. */
typedef struct extent {
    uint32_t num_roots;
    uint64_t num_edges;
} extent;

/* @return behind what was put */
static unsigned char *append(unsigned char *at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        *at++ = (unsigned char)(value >> (8 * i));
    }
    return at;
}

static void put(FILE *out, uint64_t value, int bytes)
{
    unsigned char buffer[8];
    (void)append(buffer, value, bytes);
    (void)fwrite(buffer, 1, (size_t)bytes, out);
}

/* How many edges lead to each operation. [num_ops + 1], owned. */
static uint32_t *count_in_degrees(const sim_graph *graph, uint32_t rank, extent *out)
{
    const uint32_t n = sim_graph_num_ops(graph, rank);
    uint32_t *in_degree = g_new0(uint32_t, (gsize)n + 1);
    *out = (extent){0};
    for (uint32_t i = 0; i < n; i++) {
        uint32_t num_finish;
        uint32_t num_start;
        const uint32_t *finish = sim_graph_finish_successors(graph, rank, i, &num_finish);
        const uint32_t *start = sim_graph_start_successors(graph, rank, i, &num_start);
        for (uint32_t k = 0; k < num_finish; k++) {
            in_degree[finish[k]]++;
        }
        for (uint32_t k = 0; k < num_start; k++) {
            in_degree[start[k]]++;
        }
        out->num_edges += (uint64_t)num_finish + num_start;
    }
    for (uint32_t i = 0; i < n; i++) {
        out->num_roots += in_degree[i] == 0;
    }
    return in_degree;
}

static void write_head(FILE *out, const sim_graph *graph)
{
    const uint32_t num_ranks = sim_graph_num_ranks(graph);
    uint8_t max_cpu = 0;
    uint8_t max_nic = 0;
    for (uint32_t rank = 0; rank < num_ranks; rank++) {
        const uint32_t n = sim_graph_num_ops(graph, rank);
        for (uint32_t i = 0; i < n; i++) {
            const sim_op op = sim_graph_op(graph, rank, i);
            max_cpu = MAX(max_cpu, op.cpu);
            max_nic = MAX(max_nic, op.nic);
        }
    }
    put(out, GOAL_MAGIC, 8);
    put(out, num_ranks, 4);
    put(out, max_cpu, 1);
    put(out, max_nic, 1);
    uint64_t begin = 6 + 16 * (uint64_t)num_ranks; /* counted from behind the magic */
    for (uint32_t rank = 0; rank < num_ranks; rank++) {
        extent e;
        g_free(count_in_degrees(graph, rank, &e));
        const uint64_t end = begin + 8 + 4 * ((uint64_t)e.num_roots + e.num_edges) +
                             RECORD_BYTES * (uint64_t)sim_graph_num_ops(graph, rank);
        put(out, begin, 8);
        put(out, end, 8);
        begin = end;
    }
}

static void write_record(FILE *out, const sim_op *op, const goal_tags *tags, uint32_t in_degree,
                         uint32_t num_finish, uint32_t num_start, uint64_t first)
{
    static const uint8_t types[] = {[SIM_OP_SEND] = 1, [SIM_OP_RECV] = 2, [SIM_OP_CALC] = 3};
    const bool calc = op->type == SIM_OP_CALC;
    unsigned char buffer[RECORD_BYTES];
    unsigned char *at = append(buffer, in_degree, 4);
    at = append(at, types[op->type], 1);
    at = append(at, calc ? 0 : op->peer, 4); /* any source is all ones in both */
    at = append(at, calc ? goal_ns(op->size) : (uint64_t)op->size, 8);
    at = append(at, calc ? 0 : goal_tags_find(tags, op->comm, op->tag), 4);
    at = append(at, op->cpu, 1);
    at = append(at, calc ? 0 : op->nic, 1);
    at = append(at, num_finish, 4);
    at = append(at, first, 4);
    at = append(at, num_start, 4);
    (void)append(at, first + num_finish, 4);
    (void)fwrite(buffer, 1, RECORD_BYTES, out);
}

static void write_rank(FILE *out, const sim_graph *graph, uint32_t rank, const goal_tags *tags)
{
    const uint32_t n = sim_graph_num_ops(graph, rank);
    extent e;
    g_autofree uint32_t *in_degree = count_in_degrees(graph, rank, &e);
    put(out, n, 4);
    put(out, e.num_roots, 4);
    for (uint32_t i = 0; i < n; i++) {
        if (in_degree[i] == 0) {
            put(out, i, 4);
        }
    }
    uint64_t first = 0; /* successor of this operation in the list behind the records */
    for (uint32_t i = 0; i < n; i++) {
        const sim_op op = sim_graph_op(graph, rank, i);
        uint32_t num_finish;
        uint32_t num_start;
        (void)sim_graph_finish_successors(graph, rank, i, &num_finish);
        (void)sim_graph_start_successors(graph, rank, i, &num_start);
        write_record(out, &op, tags, in_degree[i], num_finish, num_start, first);
        first += (uint64_t)num_finish + num_start;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k;
        const uint32_t *finish = sim_graph_finish_successors(graph, rank, i, &k);
        for (uint32_t s = 0; s < k; s++) {
            put(out, finish[s], 4);
        }
        const uint32_t *start = sim_graph_start_successors(graph, rank, i, &k);
        for (uint32_t s = 0; s < k; s++) {
            put(out, start[s], 4);
        }
    }
}

bool sched_goal_write_binary(const sim_graph *graph, const char *path, GError **error)
{
    g_autoptr(goal_tags) tags = goal_tags_new(graph, error);
    if (tags == NULL) {
        g_prefix_error(error, "%s: ", path);
        return false;
    }
    sim_out_file *file = sim_out_file_open(path, error);
    if (file == NULL) {
        return false;
    }
    FILE *out = sim_out_file_stream(file);
    write_head(out, graph);
    const uint32_t num_ranks = sim_graph_num_ranks(graph);
    for (uint32_t rank = 0; rank < num_ranks && !ferror(out); rank++) {
        write_rank(out, graph, rank, tags);
    }
    return sim_out_file_commit(file, error);
}
