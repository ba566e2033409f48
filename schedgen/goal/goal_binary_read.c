/* schedgen/goal/sched_goal_binary_read.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_goal_binary, fuzz_goal_binary. */
/**
 * @file
 * GOAL binary, docs/goal.md, section 3. Everything is read byte by byte: nothing in the format is
 * aligned. The three sizes of a record share one magic; the one under which the whole file is
 * consistent is the right one.
 */
#include "goal/goal_private.h"
#include "sim/mapped.h"

#include <inttypes.h>
#include <string.h>

#define HEADER_BYTES  14 /* magic, number of ranks, largest cpu and nic */
#define ENTRY_BYTES   16 /* of the jump table */
#define OFFSET_ORIGIN 8  /* what the jump table counts from */
#define MAX_TYPE      11 /* sends, receives, calcs, then the Portals operations */

typedef struct binary {
    const char *name;
    const unsigned char *data;
    size_t len;
    uint32_t num_ranks;
    size_t record_bytes;
    bool mapped;
} binary;

/* Arrays for one rank; the builder borrows the edges until the next rank begins. */
typedef struct scratch {
    sched_edge *edges;
    uint64_t max_edges;
    uint32_t *in_degree;
    uint32_t max_ops;
} scratch;

/* One rank. */
typedef struct section {
    uint32_t num_ops;
    uint32_t num_roots;
    uint64_t num_edges;
    const unsigned char *roots;
    const unsigned char *records;
    const unsigned char *appendix;
} section;

/* One operation. */
typedef struct binary_op {
    uint32_t in_degree;
    uint8_t type;
    uint32_t peer;
    uint64_t size;
    uint32_t tag;
    uint8_t cpu;
    uint8_t nic;
    uint32_t num_finish, first_finish;
    uint32_t num_start, first_start;
} binary_op;

static uint32_t get32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t get64(const unsigned char *p)
{
    return (uint64_t)get32(p) | (uint64_t)get32(p + 4) << 32;
}

static binary_op get_op(const unsigned char *p)
{
    return (binary_op){.in_degree = get32(p),
                       .type = p[4],
                       .peer = get32(p + 5),
                       .size = get64(p + 9),
                       .tag = get32(p + 17),
                       .cpu = p[21],
                       .nic = p[22],
                       .num_finish = get32(p + 23),
                       .first_finish = get32(p + 27),
                       .num_start = get32(p + 31),
                       .first_start = get32(p + 35)};
}

static void set_error(const binary *b, GError **error, const char *format, ...) G_GNUC_PRINTF(3, 4);
static void set_error(const binary *b, GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *what = g_strdup_vprintf(format, args);
    va_end(args);
    g_set_error(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE, "%s: %s", b->name, what);
}

/* A macro, so that an analyser sees that it is false. */
#define fail(b, error, ...) (set_error((b), (error), __VA_ARGS__), false)

/* Where a rank's section lies; its parts under the record size. */
static bool find_section(const binary *b, uint32_t rank, section *out, GError **error)
{
    const unsigned char *entry = b->data + HEADER_BYTES + (size_t)rank * ENTRY_BYTES;
    const uint64_t begin = get64(entry);
    const uint64_t end = get64(entry + 8);
    const uint64_t limit = b->len - OFFSET_ORIGIN;
    if (begin > end || end > limit || end - begin < 8) {
        return fail(b, error,
                    "rank %u: section %" PRIu64 "..%" PRIu64 " is not within the file's %zu bytes",
                    rank, begin, end, b->len);
    }
    const unsigned char *at = b->data + OFFSET_ORIGIN + begin;
    const uint64_t bytes = end - begin - 8;
    out->num_ops = get32(at);
    out->num_roots = get32(at + 4);
    const uint64_t fixed = 4 * (uint64_t)out->num_roots + (uint64_t)b->record_bytes * out->num_ops;
    if (out->num_roots > out->num_ops || fixed > bytes || (bytes - fixed) % 4 != 0) {
        return fail(b, error, "rank %u: %u operations with %u roots do not fill %" PRIu64 " bytes",
                    rank, out->num_ops, out->num_roots, bytes);
    }
    out->num_edges = (bytes - fixed) / 4;
    out->roots = at + 8;
    out->records = out->roots + 4 * (size_t)out->num_roots;
    out->appendix = out->records + b->record_bytes * out->num_ops;
    return true;
}

static bool list_fits(uint32_t first, uint32_t n, uint64_t num_edges)
{
    return n == 0 || (uint64_t)first + n <= num_edges;
}

/* Types, lists and degrees agree: the size of the records is right, and the section sound. */
static bool check_section(const binary *b, uint32_t rank, const section *s, GError **error)
{
    uint64_t in_degrees = 0;
    uint64_t listed = 0;
    uint32_t roots = 0;
    for (uint32_t i = 0; i < s->num_ops; i++) {
        const binary_op op = get_op(s->records + (size_t)i * b->record_bytes);
        if (op.type < 1 || op.type > MAX_TYPE) {
            return fail(b, error, "rank %u, operation %u: type is %u", rank, i, op.type);
        }
        if (!list_fits(op.first_finish, op.num_finish, s->num_edges) ||
            !list_fits(op.first_start, op.num_start, s->num_edges)) {
            return fail(b, error,
                        "rank %u, operation %u: successors lie outside the list of %" PRIu64, rank,
                        i, s->num_edges);
        }
        in_degrees += op.in_degree;
        listed += (uint64_t)op.num_finish + op.num_start;
        if (op.in_degree == 0) {
            if (roots >= s->num_roots || get32(s->roots + 4 * (size_t)roots) != i) {
                return fail(b, error, "rank %u: operation %u is missing in the list of roots", rank,
                            i);
            }
            roots++;
        }
    }
    if (in_degrees != s->num_edges || listed != s->num_edges || roots != s->num_roots) {
        return fail(b, error,
                    "rank %u: %" PRIu64 " dependencies, %" PRIu64 " successors and %u roots found, "
                    "%" PRIu64 " and %u announced",
                    rank, in_degrees, listed, roots, s->num_edges, s->num_roots);
    }
    return true;
}

static bool check_all(const binary *b, GError **error)
{
    for (uint32_t rank = 0; rank < b->num_ranks; rank++) {
        section s;
        if (!find_section(b, rank, &s, error) || !check_section(b, rank, &s, error)) {
            return false;
        }
    }
    return true;
}

/* Set record_bytes. If no size fits, the error is that of the current format. */
static bool detect_record_size(binary *b, GError **error)
{
    static const size_t sizes[] = {39, 104, 56};
    g_autoptr(GError) first = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
        b->record_bytes = sizes[i];
        if (check_all(b, first == NULL ? &first : NULL)) {
            return true;
        }
    }
    g_propagate_error(error, g_steal_pointer(&first));
    return false;
}

static bool convert_op(const binary *b, uint32_t rank, uint32_t index, const binary_op *in,
                       sim_op *out, GError **error)
{
    static const uint8_t types[] = {[1] = SIM_OP_SEND, [2] = SIM_OP_RECV, [3] = SIM_OP_CALC};
    if (in->type >= G_N_ELEMENTS(types)) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_UNSUPPORTED,
                    "%s: rank %u, operation %u: Portals operation not supported: type %u", b->name,
                    rank, index, in->type);
        return false;
    }
    *out = (sim_op){.type = types[in->type], .cpu = in->cpu};
    if (in->cpu > GOAL_MAX_INDEX || in->nic > GOAL_MAX_INDEX) {
        return fail(b, error, "rank %u, operation %u: cpu %u or nic %u is above %d", rank, index,
                    in->cpu, in->nic, GOAL_MAX_INDEX);
    }
    if (out->type == SIM_OP_CALC) {
        if (in->size > GOAL_MAX_NS) {
            return fail(b, error, "rank %u, operation %u: duration is out of range: %" PRIu64 " ns",
                        rank, index, in->size);
        }
        out->size = (int64_t)in->size * SIM_NS;
        return true;
    }
    if (in->size > INT64_MAX) {
        return fail(b, error, "rank %u, operation %u: size is out of range: %" PRIu64, rank, index,
                    in->size);
    }
    if (in->peer >= b->num_ranks && !(out->type == SIM_OP_RECV && in->peer == SIM_ANY)) {
        return fail(b, error, "rank %u, operation %u: peer is not one of the %u ranks: %u", rank,
                    index, b->num_ranks, in->peer);
    }
    out->size = (int64_t)in->size;
    out->peer = in->peer;
    out->tag = in->tag;
    out->nic = in->nic;
    return true;
}

/* Copy n successors of op into edges. */
static bool read_list(const binary *b, uint32_t rank, const section *s, uint32_t op, uint32_t first,
                      uint32_t n, bool start, sched_edge *edges, GError **error)
{
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t later = get32(s->appendix + 4 * ((size_t)first + i));
        if (later >= s->num_ops) {
            return fail(b, error, "rank %u, operation %u: successor %u is not one of %u operations",
                        rank, op, later, s->num_ops);
        }
        edges[i] = (sched_edge){later, op, start};
    }
    return true;
}

/* A sched_describe. */
static char *describe_op(const void *context, uint32_t index)
{
    (void)context;
    return g_strdup_printf("l%" PRIu64, (uint64_t)index + 1);
}

/* What the edges add up to, and what the operations say; cycles. */
static bool check_edges(const binary *b, uint32_t rank, const section *s, scratch *room,
                        GError **error)
{
    const sched_edge *edges = room->edges;
    if (room->in_degree == NULL || s->num_ops > room->max_ops) {
        g_free(room->in_degree);
        room->max_ops = MAX(s->num_ops, 64);
        room->in_degree = g_new(uint32_t, room->max_ops);
    }
    uint32_t *in_degree = room->in_degree;
    memset(in_degree, 0, s->num_ops * sizeof *in_degree);
    bool backward = false;
    for (uint64_t e = 0; e < s->num_edges; e++) {
        in_degree[edges[e].later]++;
        backward |= edges[e].later <= edges[e].earlier;
    }
    for (uint32_t i = 0; i < s->num_ops; i++) {
        const uint32_t said = get32(s->records + (size_t)i * b->record_bytes);
        if (said != in_degree[i]) {
            return fail(b, error, "rank %u, operation %u: has %u dependencies, says %u", rank, i,
                        in_degree[i], said);
        }
    }
    g_autofree uint32_t *cycle = NULL;
    const size_t len = backward ? sched_cycle_find(s->num_ops, edges, s->num_edges, &cycle) : 0;
    if (len > 0) {
        g_autofree char *text = sched_cycle_describe(cycle, len, describe_op, NULL);
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_CYCLE, "%s: dependency cycle in rank %u: %s",
                    b->name, rank, text);
    }
    return len == 0;
}

static bool read_rank(const binary *b, uint32_t rank, scratch *room, sim_graph_builder *builder,
                      GError **error)
{
    section s;
    if (!find_section(b, rank, &s, error) || !check_section(b, rank, &s, error)) {
        return false;
    }
    sim_graph_builder_begin_rank(builder, rank); /* which ends the one before */
    if (room->edges == NULL || s.num_edges > room->max_edges) {
        g_free(room->edges);
        room->max_edges = MAX(s.num_edges, 64);
        room->edges = g_new0(sched_edge, room->max_edges);
    }
    sched_edge *edges = room->edges;
    uint64_t n = 0; /* check_section() has seen to it that they add up */
    for (uint32_t i = 0; i < s.num_ops; i++) {
        const binary_op in = get_op(s.records + (size_t)i * b->record_bytes);
        sim_op op;
        if (!convert_op(b, rank, i, &in, &op, error) ||
            !read_list(b, rank, &s, i, in.first_finish, in.num_finish, false, edges + n, error) ||
            !read_list(b, rank, &s, i, in.first_start, in.num_start, true,
                       edges + n + in.num_finish, error)) {
            return false;
        }
        n += (uint64_t)in.num_finish + in.num_start;
        (void)sim_graph_builder_add(builder, &op);
    }
    sim_graph_builder_edges(builder, edges, n);
    return check_edges(b, rank, &s, room, error);
}

/* What lies before the end of a rank's section is not needed any more, mostly. */
static size_t let_go(const binary *b, uint32_t rank, size_t from)
{
    enum { STEP = 1 << 20 };
    const size_t end =
        OFFSET_ORIGIN + get64(b->data + HEADER_BYTES + (size_t)rank * ENTRY_BYTES + 8);
    if (!b->mapped || end < from + STEP) {
        return from;
    }
    sim_mapped_let_go(b->data + from, b->data + end);
    return end;
}

static sim_graph *read_ranks(const binary *b, GError **error)
{
    scratch room = {0};
    g_autoptr(sim_graph_builder) builder = sim_graph_builder_new(b->num_ranks);
    bool ok = true;
    size_t gone = HEADER_BYTES + (size_t)b->num_ranks * ENTRY_BYTES; /* up to here; but the table */
    for (uint32_t rank = 0; rank < b->num_ranks && ok; rank++) {
        ok = read_rank(b, rank, &room, builder, error);
        gone = ok ? let_go(b, rank, gone) : gone;
    }
    sim_graph *graph = ok ? sim_graph_builder_finish(g_steal_pointer(&builder), error) : NULL;
    if (ok && graph == NULL) {
        g_prefix_error(error, "%s: ", b->name);
    }
    g_free(room.edges);
    g_free(room.in_degree);
    return graph;
}

sim_graph *sched_goal_binary_read(const char *name, const unsigned char *data, size_t len,
                                  bool mapped, GError **error)
{
    binary b = {.name = name, .data = data, .len = len, .record_bytes = 39, .mapped = mapped};
    if (get64(data) == GOAL_MAGIC_CONSUMED) {
        set_error(&b, error, "a simulator has consumed this schedule (magic %" PRIu64 ")",
                  GOAL_MAGIC_CONSUMED);
        return NULL;
    }
    if (len < HEADER_BYTES) {
        set_error(&b, error, "cut short: %zu bytes", len);
        return NULL;
    }
    b.num_ranks = get32(data + 8);
    if (b.num_ranks == 0 || b.num_ranks > (len - HEADER_BYTES) / ENTRY_BYTES) {
        set_error(&b, error, "%u ranks do not fit into %zu bytes", b.num_ranks, len);
        return NULL;
    }
    /* The size that nearly all files have, in one pass; what is wrong with others takes more. */
    sim_graph *graph = read_ranks(&b, NULL);
    return graph != NULL || !detect_record_size(&b, error) ? graph : read_ranks(&b, error);
}
