/* schedgen/goal/goal_binary_write.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_goal_binary. */
/**
 * @file
 * GOAL binary, docs/goal.md, section 3: records of 39 bytes, little endian, byte for byte what the
 * reference converter makes of the same text.
 */
#include "goal/goal_order.h"
#include "goal/goal_private.h"
#include "sched/writer.h"
#include "sim/out_file.h"

#define RECORD_BYTES 39

/* What the head of the file says before the operations come. */
typedef struct head {
    uint8_t max_cpu;
    uint8_t max_nic;
    uint64_t *end; /* [num_ranks] of each section, counted from behind the magic */
} head;

/* Scratch of one rank, used again by the next. */
typedef struct scratch {
    goal_order order;
    uint32_t *in_degree; /* how many edges lead to each operation */
    size_t max_ops;
} scratch;

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

/* @return the number of operations that nothing leads to */
static uint32_t count_in_degrees(scratch *s, const sched_rank_ops *rank)
{
    if (s->in_degree == NULL || rank->num_ops > s->max_ops) {
        s->max_ops = MAX(MAX(rank->num_ops, 1), 2 * s->max_ops);
        s->in_degree = g_renew(uint32_t, s->in_degree, s->max_ops);
    }
    for (uint32_t i = 0; i < rank->num_ops; i++) {
        s->in_degree[i] = 0;
    }
    for (size_t e = 0; e < rank->num_edges; e++) {
        s->in_degree[rank->edges[e].later]++;
    }
    uint32_t roots = 0;
    for (uint32_t i = 0; i < rank->num_ops; i++) {
        roots += s->in_degree[i] == 0;
    }
    return roots;
}

/* A pass over all ranks. */
static bool survey(head *h, scratch *s, sched_rank_source *source, GError **error)
{
    uint64_t end = 6 + 16 * (uint64_t)source->num_ranks;
    for (uint32_t r = 0; r < source->num_ranks; r++) {
        sched_rank_ops rank;
        if (!source->get(source, r, &rank, error)) {
            return false;
        }
        for (uint32_t i = 0; i < rank.num_ops; i++) {
            h->max_cpu = MAX(h->max_cpu, rank.ops[i].cpu);
            h->max_nic = MAX(h->max_nic, rank.ops[i].nic);
        }
        end += 8 + 4 * ((uint64_t)count_in_degrees(s, &rank) + rank.num_edges) +
               RECORD_BYTES * (uint64_t)rank.num_ops;
        h->end[r] = end;
    }
    return true;
}

static void write_head(FILE *out, const head *h, uint32_t num_ranks)
{
    put(out, GOAL_MAGIC, 8);
    put(out, num_ranks, 4);
    put(out, h->max_cpu, 1);
    put(out, h->max_nic, 1);
    uint64_t begin = 6 + 16 * (uint64_t)num_ranks;
    for (uint32_t rank = 0; rank < num_ranks; rank++) {
        put(out, begin, 8);
        put(out, h->end[rank], 8);
        begin = h->end[rank];
    }
}

static void write_record(FILE *out, uint32_t rank, const sim_op *op, const goal_tags *tags,
                         uint32_t in_degree, uint32_t num_finish, uint32_t num_start,
                         uint64_t first)
{
    static const uint8_t types[] = {[SIM_OP_SEND] = 1, [SIM_OP_RECV] = 2, [SIM_OP_CALC] = 3};
    const bool calc = op->type == SIM_OP_CALC;
    unsigned char buffer[RECORD_BYTES];
    unsigned char *at = append(buffer, in_degree, 4);
    at = append(at, types[op->type], 1);
    at = append(at, calc ? 0 : op->peer, 4); /* any source is all ones in both */
    at = append(at, calc ? goal_ns(op->size) : (uint64_t)op->size, 8);
    at = append(at, calc ? 0 : sched_goal_tags_find(tags, rank, op), 4);
    at = append(at, op->cpu, 1);
    at = append(at, calc ? 0 : op->nic, 1);
    at = append(at, num_finish, 4);
    at = append(at, first, 4);
    at = append(at, num_start, 4);
    (void)append(at, first + num_finish, 4);
    (void)fwrite(buffer, 1, RECORD_BYTES, out);
}

static void write_rank(FILE *out, uint32_t number, const sched_rank_ops *rank, scratch *s,
                       const goal_tags *tags)
{
    const uint32_t n = rank->num_ops;
    put(out, n, 4);
    put(out, count_in_degrees(s, rank), 4);
    for (uint32_t i = 0; i < n; i++) {
        if (s->in_degree[i] == 0) {
            put(out, i, 4);
        }
    }
    sched_goal_order_by_earlier(&s->order, rank);
    const size_t *begin = s->order.begin;
    for (size_t i = 0; i < n; i++) {
        write_record(out, number, &rank->ops[i], tags, s->in_degree[i],
                     (uint32_t)(begin[2 * i + 1] - begin[2 * i]),
                     (uint32_t)(begin[2 * i + 2] - begin[2 * i + 1]), begin[2 * i]);
    }
    for (size_t e = 0; e < rank->num_edges; e++) {
        put(out, s->order.edge[e].later, 4);
    }
}

static bool write_ranks(FILE *out, sched_rank_source *source, scratch *s, const goal_tags *tags,
                        GError **error)
{
    for (uint32_t r = 0; r < source->num_ranks && !ferror(out); r++) {
        sched_rank_ops rank;
        if (!source->get(source, r, &rank, error)) {
            return false;
        }
        write_rank(out, r, &rank, s, tags);
    }
    return true;
}

static bool write_file(sched_rank_source *source, head *h, scratch *s, const char *path,
                       GError **error)
{
    g_autoptr(goal_tags) tags = sched_goal_tags_new(source, error);
    if (tags == NULL || !survey(h, s, source, error)) {
        g_prefix_error(error, "%s: ", sim_out_file_name(path));
        return false;
    }
    sim_out_file *file = sim_out_file_open(path, error);
    if (file == NULL) {
        return false;
    }
    FILE *out = sim_out_file_stream(file);
    write_head(out, h, source->num_ranks);
    if (!write_ranks(out, source, s, tags, error)) {
        sim_out_file_discard(file);
        return false;
    }
    return sim_out_file_commit(file, error);
}

bool sched_goal_write_binary_from(sched_rank_source *source, const char *path, GError **error)
{
    head h = {.end = g_new(uint64_t, source->num_ranks)};
    scratch s = {0};
    const bool ok = write_file(source, &h, &s, path, error);
    sched_goal_order_clear(&s.order);
    g_free(s.in_degree);
    g_free(h.end);
    return ok;
}

bool sched_goal_write_binary(const sim_graph *graph, const char *path, GError **error)
{
    sched_graph_source source;
    sched_graph_source_init(&source, graph);
    const bool ok = sched_goal_write_binary_from(&source.source, path, error);
    sched_graph_source_clear(&source);
    return ok;
}

const sched_writer sched_writer_goal_binary = {
    .what = "GOAL binary",
    .suffixes = {".bin", ".goalbin"},
    .op_bytes = 39,
    .write_stream = sched_goal_write_binary_from,
};
