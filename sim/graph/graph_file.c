/* sim/graph/graph_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "graph/graph_builder_private.h"
#include "graph/graph_file_private.h"
#include "sim/error.h"
#include "sim/out_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

_Static_assert(sizeof(sim_op) == 24 && sizeof(graph_shape) == 16 && sizeof(graph_narrow) == 8 &&
                   sizeof(graph_wide) == 16 && sizeof(graph_full) == 40 &&
                   sizeof(graph_rank) == 16 && sizeof(graph_segment) == 32 &&
                   sizeof(graph_named_rank) == 24 && sizeof(graph_label) == 8,
               "files are laid out as memory is");

static const size_t ENTRY_BYTES[GRAPH_NUM_SECTIONS] = {
    [GRAPH_SECTION_RANKS] = sizeof(graph_rank),   [GRAPH_SECTION_SEGMENTS] = sizeof(graph_segment),
    [GRAPH_SECTION_DESCS] = sizeof(sim_op),       [GRAPH_SECTION_SHAPES] = sizeof(graph_shape),
    [GRAPH_SECTION_STEPS] = sizeof(uint32_t),     [GRAPH_SECTION_NAMED] = sizeof(graph_named_rank),
    [GRAPH_SECTION_LABELS] = sizeof(graph_label), [GRAPH_SECTION_TEXT] = 1,
    [GRAPH_SECTION_OPS] = sizeof(uint64_t),
};

static const char *const NAMES[GRAPH_NUM_SECTIONS] = {
    "ranks", "dictionaries", "descriptions", "successors", "steps",
    "named", "labels",       "text",         "operations",
};

/* Which member of a graph a section becomes; the ranks are none, the operations not in one place.
 */
static const size_t TABLES[GRAPH_NUM_SECTIONS] = {
    [GRAPH_SECTION_SEGMENTS] = offsetof(sim_graph, segment),
    [GRAPH_SECTION_DESCS] = offsetof(sim_graph, desc),
    [GRAPH_SECTION_SHAPES] = offsetof(sim_graph, shape),
    [GRAPH_SECTION_STEPS] = offsetof(sim_graph, step),
    [GRAPH_SECTION_NAMED] = offsetof(sim_graph, named),
    [GRAPH_SECTION_LABELS] = offsetof(sim_graph, label),
    [GRAPH_SECTION_TEXT] = offsetof(sim_graph, text),
};

static bool is_table(int kind)
{
    return kind != GRAPH_SECTION_RANKS && kind != GRAPH_SECTION_OPS;
}

/* ---- reading ---- */

bool sim_graph_file_probe(const char *path)
{
    FILE *file = g_file_test(path, G_FILE_TEST_IS_REGULAR) ? fopen(path, "rb") : NULL;
    char magic[sizeof GRAPH_FILE_MAGIC - 1] = {0};
    const bool read = file != NULL && fread(magic, 1, sizeof magic, file) == sizeof magic;
    if (file != NULL) {
        (void)fclose(file);
    }
    return read && memcmp(magic, GRAPH_FILE_MAGIC, sizeof magic) == 0;
}

typedef struct source {
    const char *name;
    char *data;
    size_t len;
    const graph_file_header *header;
    GError **error;
} source;

G_GNUC_PRINTF(2, 3)
static void set_error(const source *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *what = g_strdup_vprintf(format, args);
    va_end(args);
    g_set_error(s->error, SIM_ERROR, SIM_ERROR_BAD_FILE, "%s: %s", s->name, what);
}

/* A macro, so that an analyser sees that it is false. */
#define fail(s, ...) (set_error((s), __VA_ARGS__), false)

static bool check_header(source *s)
{
    const graph_file_header *h = (const graph_file_header *)(const void *)s->data;
    if (s->len < sizeof GRAPH_FILE_MAGIC - 1 ||
        memcmp(s->data, GRAPH_FILE_MAGIC, sizeof GRAPH_FILE_MAGIC - 1) != 0) {
        return fail(s, "not a program in Ripple's own form");
    }
    if (s->len < sizeof *h) {
        return fail(s, "cut short: %zu bytes", s->len);
    }
    if (h->order != GRAPH_FILE_ORDER) {
        return h->order == GUINT32_SWAP_LE_BE(GRAPH_FILE_ORDER)
                   ? fail(s, "written on a machine of the other byte order")
                   : fail(s, "damaged: the mark of the byte order is 0x%08" PRIx32, h->order);
    }
    if (h->version != GRAPH_FILE_VERSION) {
        return fail(s, "version %" PRIu32 " of the form; this is read: version %" PRIu32,
                    h->version, GRAPH_FILE_VERSION);
    }
    if (XXH3_64bits(h, offsetof(graph_file_header, checksum)) != h->checksum) {
        return fail(s, "damaged: the header does not match its checksum");
    }
    if (h->bytes != s->len) {
        return fail(s, "%zu bytes, but it says %" PRIu64 ": cut short or joined", s->len, h->bytes);
    }
    s->header = h;
    return true;
}

static bool check_section(const source *s, graph_section_kind kind)
{
    const graph_section *section = &s->header->section[kind];
    if (section->offset > s->len || section->bytes > s->len - section->offset ||
        section->offset % GRAPH_FILE_ALIGN != 0 || section->bytes % ENTRY_BYTES[kind] != 0) {
        return fail(s, "damaged: '%s' is not within the file", NAMES[kind]);
    }
    return true;
}

static bool check_sections(const source *s)
{
    const graph_file_header *h = s->header;
    if (h->num_sections != GRAPH_NUM_SECTIONS) {
        return fail(s, "damaged: %" PRIu32 " parts", h->num_sections);
    }
    for (int kind = 0; kind < GRAPH_NUM_SECTIONS; kind++) {
        if (!check_section(s, (graph_section_kind)kind)) {
            return false;
        }
    }
    if (h->section[GRAPH_SECTION_RANKS].bytes !=
        (uint64_t)h->num_ranks * ENTRY_BYTES[GRAPH_SECTION_RANKS]) {
        return fail(s, "damaged: %" PRIu32 " ranks are announced", h->num_ranks);
    }
    return true;
}

/*
 * What is there of each part: its place in the file. Nothing is written to a graph that is mapped,
 * and only what is owned is freed.
 */
static sim_graph *lay_out(const source *s)
{
    const graph_file_header *h = s->header;
    sim_graph *graph = g_new0(sim_graph, 1);
    char *base = s->data;
    graph->program = (sim_program){.methods = &sim_graph_class,
                                   .num_ranks = h->num_ranks,
                                   .num_cpus = h->num_cpus,
                                   .num_nics = h->num_nics,
                                   .max_ready = h->max_ready,
                                   .any_source = h->any_source != 0};
    graph->num_ops = h->num_ops;
    graph->num_edges = h->num_edges;
    graph->rank = (graph_rank *)(void *)(base + h->section[GRAPH_SECTION_RANKS].offset);
    graph->mapped = true;
    for (int kind = 0; kind < GRAPH_NUM_SECTIONS; kind++) {
        if (is_table(kind)) {
            *(graph_table *)(void *)((char *)graph + TABLES[kind]) =
                (graph_table){.at = base + h->section[kind].offset,
                              .n = h->section[kind].bytes / ENTRY_BYTES[kind]};
        }
    }
    const graph_section *ops = &h->section[GRAPH_SECTION_OPS];
    graph->rank_bytes = ops->bytes;
    for (uint64_t at = 0; at <= ops->bytes; at += GRAPH_CHUNK_BYTES) {
        *(const char **)sim_graph_table_add(&graph->chunk, 1, sizeof(char *)) =
            s->data + ops->offset + at;
    }
    return graph;
}

/* All that SIM_GRAPH_TRUST leaves to the runs. */
static bool verify(const source *s, const sim_graph *graph)
{
    for (int kind = 0; kind < GRAPH_NUM_SECTIONS; kind++) {
        const graph_section *section = &s->header->section[kind];
        if (XXH3_64bits(s->data + section->offset, section->bytes) != section->checksum) {
            return fail(s, "damaged: '%s' does not match its checksum", NAMES[kind]);
        }
    }
    graph_check check = {0};
    g_autofree char *wrong = NULL;
    for (uint32_t r = 0; r < graph->program.num_ranks && wrong == NULL; r++) {
        wrong = sim_graph_check_rank(graph, r, &check);
    }
    sim_graph_check_clear(&check);
    if (wrong != NULL) {
        return fail(s, "damaged: %s", wrong);
    }
    return check.num_edges == graph->num_edges ||
           fail(s, "damaged: %" PRIu64 " dependencies announced, %" PRIu64 " there",
                graph->num_edges, check.num_edges);
}

sim_graph *sim_graph_map_data(const char *name, void *data, size_t len, sim_graph_trust trust,
                              GError **error)
{
    source s = {.name = name, .data = data, .len = len, .error = error};
    if (!check_header(&s) || !check_sections(&s)) {
        return NULL;
    }
    g_autoptr(sim_graph) graph = lay_out(&s);
    g_autofree char *wrong = sim_graph_check_tables(graph);
    if (wrong != NULL) {
        set_error(&s, "damaged: %s", wrong);
        return NULL;
    }
    sim_graph_resolve(graph);
    graph->unverified = trust == SIM_GRAPH_TRUST;
    return graph->unverified || verify(&s, graph) ? g_steal_pointer(&graph) : NULL;
}

sim_graph *sim_graph_map(const char *path, sim_graph_trust trust, GError **error)
{
    g_autoptr(GError) cause = NULL;
    g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, &cause);
    if (file == NULL) {
        g_set_error_literal(error, SIM_ERROR, SIM_ERROR_BAD_FILE, cause->message);
        return NULL;
    }
    sim_graph *graph = sim_graph_map_data(path, g_mapped_file_get_contents(file),
                                          g_mapped_file_get_length(file), trust, error);
    if (graph != NULL) {
        graph->memory = g_ptr_array_new_with_free_func((GDestroyNotify)g_mapped_file_unref);
        g_ptr_array_add(graph->memory, g_steal_pointer(&file));
    }
    return graph;
}

/* ---- writing ---- */

static uint64_t aligned(uint64_t offset)
{
    return offset + -offset % GRAPH_FILE_ALIGN;
}

/* Bytes of a rank's operations, with the steps behind them. */
static size_t rank_bytes(const sim_graph *graph, uint32_t rank)
{
    const graph_view v = graph_view_of(graph, rank);
    size_t bytes = v.num_ops * graph_op_bytes(v.form);
    if (v.form == GRAPH_FULL && v.num_ops > 0) { /* the last operation has the last steps */
        bytes += graph_shape_at(v.form, v.ops, v.dictionary, v.num_ops - 1)->end * sizeof(uint32_t);
    }
    return bytes + -bytes % sizeof(uint64_t);
}

/* Ranks as they are in a file, one behind the other in their order. [num_ranks], owned */
static graph_rank *close_up(const sim_graph *graph, graph_section *ops)
{
    const uint32_t n = graph->program.num_ranks;
    graph_rank *ranks = g_new0(graph_rank, (gsize)n + 1);
    g_autoptr(GByteArray) room = g_byte_array_new();
    XXH3_state_t *state = XXH3_createState();
    (void)XXH3_64bits_reset(state);
    ops->bytes = 0;
    for (uint32_t r = 0; r < n; r++) {
        const graph_rank *rank = &graph->rank[r];
        ranks[r] = *rank;
        if (rank->num_ops > 0) {
            const size_t bytes = rank_bytes(graph, r);
            const graph_form form = graph_rank_form(rank);
            ranks[r].place = ops->bytes << 3 | (form == GRAPH_WOVEN ? GRAPH_NARROW : form);
            ops->bytes += bytes;
            (void)XXH3_64bits_update(state, sim_graph_rank_packed(graph, r, room), bytes);
        }
    }
    ops->checksum = XXH3_64bits_digest(state);
    (void)XXH3_freeState(state);
    return ranks;
}

static graph_file_header make_header(const sim_graph *graph)
{
    const sim_program *p = &graph->program;
    graph_file_header h = {.order = GRAPH_FILE_ORDER,
                           .version = GRAPH_FILE_VERSION,
                           .num_ops = graph->num_ops,
                           .num_edges = graph->num_edges,
                           .num_ranks = p->num_ranks,
                           .num_cpus = p->num_cpus,
                           .num_nics = p->num_nics,
                           .max_ready = p->max_ready,
                           .any_source = p->any_source ? 1 : 0,
                           .num_sections = GRAPH_NUM_SECTIONS};
    memcpy(h.magic, GRAPH_FILE_MAGIC, sizeof h.magic);
    return h;
}

static void pad(FILE *out, uint64_t *at)
{
    static const char zeros[GRAPH_FILE_ALIGN];
    (void)fwrite(zeros, 1, aligned(*at) - *at, out);
    *at = aligned(*at);
}

static void write_ops(FILE *out, const sim_graph *graph)
{
    g_autoptr(GByteArray) room = g_byte_array_new();
    for (uint32_t r = 0; r < graph->program.num_ranks && !ferror(out); r++) {
        if (graph->rank[r].num_ops > 0) {
            (void)fwrite(sim_graph_rank_packed(graph, r, room), 1, rank_bytes(graph, r), out);
        }
    }
}

/* Where the sections begin, and their checksums; that of the operations is known. */
static void arrange(graph_file_header *h, const sim_graph *graph, const graph_rank *ranks,
                    const void *data[GRAPH_NUM_SECTIONS])
{
    uint64_t at = sizeof *h;
    for (int kind = 0; kind < GRAPH_NUM_SECTIONS; kind++) {
        graph_section *section = &h->section[kind];
        if (kind == GRAPH_SECTION_RANKS) {
            data[kind] = ranks;
            section->bytes = h->num_ranks * sizeof *ranks;
        } else if (is_table(kind)) {
            const graph_table *table =
                (const graph_table *)(const void *)((const char *)graph + TABLES[kind]);
            data[kind] = table->at;
            section->bytes = table->n * ENTRY_BYTES[kind];
        }
        if (kind != GRAPH_SECTION_OPS) {
            section->checksum = XXH3_64bits(data[kind], section->bytes);
        }
        section->offset = aligned(at);
        at = section->offset + section->bytes;
    }
    h->bytes = at;
    h->checksum = XXH3_64bits(h, offsetof(graph_file_header, checksum));
}

/* All that comes before the operations. @p ops how many bytes these are, and their checksum */
static void write_head(FILE *out, const sim_graph *graph, const graph_rank *ranks,
                       const graph_section *ops)
{
    graph_file_header h = make_header(graph);
    const void *data[GRAPH_NUM_SECTIONS] = {NULL};
    h.section[GRAPH_SECTION_OPS] = *ops;
    arrange(&h, graph, ranks, data);
    (void)fwrite(&h, 1, sizeof h, out);
    uint64_t at = sizeof h;
    for (int kind = 0; kind < GRAPH_NUM_SECTIONS; kind++) {
        pad(out, &at);
        if (kind != GRAPH_SECTION_OPS && h.section[kind].bytes > 0) {
            (void)fwrite(data[kind], 1, h.section[kind].bytes, out);
            at += h.section[kind].bytes;
        }
    }
}

bool sim_graph_save(const sim_graph *graph, const char *path, GError **error)
{
    sim_out_file *file = sim_out_file_open(path, error);
    if (file == NULL) {
        return false;
    }
    graph_section ops;
    g_autofree graph_rank *ranks = close_up(graph, &ops);
    write_head(sim_out_file_stream(file), graph, ranks, &ops);
    write_ops(sim_out_file_stream(file), graph);
    return sim_out_file_commit(file, error);
}

sim_graph_builder *sim_graph_builder_new_file(uint32_t num_ranks, const char *path, GError **error)
{
    graph_spool *spool = sim_graph_spool_new(path, error);
    sim_graph_builder *b = spool != NULL ? sim_graph_builder_new(num_ranks) : NULL;
    if (b != NULL) {
        b->spool = spool;
    }
    return b;
}

bool sim_graph_builder_save(sim_graph_builder *builder, GError **error)
{
    g_autoptr(sim_graph_builder) b = builder;
    (void)sim_graph_builder_end_rank(b);
    if (b->error != NULL) {
        g_propagate_error(error, g_steal_pointer(&b->error));
        return false;
    }
    graph_section ops = {0};
    sim_graph_spool_sum_up(b->spool, &ops.bytes, &ops.checksum);
    write_head(sim_graph_spool_stream(b->spool), b->graph, b->graph->rank, &ops);
    return sim_graph_spool_commit(b->spool, error);
}
