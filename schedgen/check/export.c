/* schedgen/check/export.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_check. */
#include "sched/check.h"

#include "check/check_private.h"
#include "sched/writer.h"
#include "sim/out_file.h"

typedef struct export_job {
    check_vertices vertices;
    check_matching matching;
    sched_export_format format;
    FILE *out;
    uint8_t *kind;
} export_job;

static igraph_error_t set_numbers(igraph_t *graph, const export_job *job)
{
    igraph_vector_t rank;
    igraph_vector_t size;
    const igraph_integer_t n = (igraph_integer_t)job->vertices.num;
    IGRAPH_CHECK(igraph_vector_init(&rank, n));
    IGRAPH_FINALLY(igraph_vector_destroy, &rank);
    IGRAPH_CHECK(igraph_vector_init(&size, n));
    IGRAPH_FINALLY(igraph_vector_destroy, &size);
    for (igraph_integer_t v = 0; v < n; v++) {
        uint32_t index;
        const uint32_t r = sched_check_vertices_rank(&job->vertices, (uint64_t)v, &index);
        VECTOR(rank)[v] = r;
        VECTOR(size)[v] = (double)sim_graph_op(job->vertices.graph, r, index).size;
    }
    IGRAPH_CHECK(SETVANV(graph, "rank", &rank));
    IGRAPH_CHECK(SETVANV(graph, "size", &size));
    igraph_vector_destroy(&size);
    igraph_vector_destroy(&rank);
    IGRAPH_FINALLY_CLEAN(2);
    return IGRAPH_SUCCESS;
}

static igraph_error_t set_names(igraph_t *graph, const export_job *job)
{
    static const char *const types[] = {
        [SIM_OP_CALC] = "calc", [SIM_OP_SEND] = "send", [SIM_OP_RECV] = "recv"};
    igraph_strvector_t label;
    igraph_strvector_t type;
    const igraph_integer_t n = (igraph_integer_t)job->vertices.num;
    IGRAPH_CHECK(igraph_strvector_init(&label, n));
    IGRAPH_FINALLY(igraph_strvector_destroy, &label);
    IGRAPH_CHECK(igraph_strvector_init(&type, n));
    IGRAPH_FINALLY(igraph_strvector_destroy, &type);
    for (igraph_integer_t v = 0; v < n; v++) {
        uint32_t index;
        const uint32_t rank = sched_check_vertices_rank(&job->vertices, (uint64_t)v, &index);
        const sim_op op = sim_graph_op(job->vertices.graph, rank, index);
        g_autofree char *name = sched_check_vertices_label(&job->vertices, (uint64_t)v);
        IGRAPH_CHECK(igraph_strvector_set(&label, v, name));
        IGRAPH_CHECK(igraph_strvector_set(&type, v, types[op.type]));
    }
    IGRAPH_CHECK(SETVASV(graph, "label", &label));
    IGRAPH_CHECK(SETVASV(graph, "type", &type));
    igraph_strvector_destroy(&type);
    igraph_strvector_destroy(&label);
    IGRAPH_FINALLY_CLEAN(2);
    return IGRAPH_SUCCESS;
}

static igraph_error_t set_edge_kinds(igraph_t *graph, const export_job *job)
{
    static const char *const names[] = {[CHECK_REQUIRES] = "requires",
                                        [CHECK_IREQUIRES] = "irequires",
                                        [CHECK_MESSAGE] = "message"};
    igraph_strvector_t kind;
    const igraph_integer_t n = igraph_ecount(graph);
    IGRAPH_CHECK(igraph_strvector_init(&kind, n));
    IGRAPH_FINALLY(igraph_strvector_destroy, &kind);
    for (igraph_integer_t e = 0; e < n; e++) {
        IGRAPH_CHECK(igraph_strvector_set(&kind, e, names[job->kind[e]]));
    }
    IGRAPH_CHECK(SETEASV(graph, "kind", &kind));
    igraph_strvector_destroy(&kind);
    IGRAPH_FINALLY_CLEAN(1);
    return IGRAPH_SUCCESS;
}

/* A sched_igraph_work. */
static igraph_error_t work(void *context)
{
    export_job *job = context;
    igraph_t graph;
    IGRAPH_CHECK(sched_check_build(&job->vertices, &job->matching, &graph, &job->kind));
    IGRAPH_FINALLY(igraph_destroy, &graph);
    IGRAPH_CHECK(set_numbers(&graph, job));
    IGRAPH_CHECK(set_names(&graph, job));
    IGRAPH_CHECK(set_edge_kinds(&graph, job));
    IGRAPH_CHECK(job->format == SCHED_EXPORT_GRAPHML
                     ? igraph_write_graph_graphml(&graph, job->out, true)
                     : igraph_write_graph_dot(&graph, job->out));
    igraph_destroy(&graph);
    IGRAPH_FINALLY_CLEAN(1);
    return IGRAPH_SUCCESS;
}

bool sched_export(const sim_graph *graph, sched_export_format format, const char *path,
                  GError **error)
{
    if (!sched_check_size(graph, error)) {
        return false;
    }
    g_autoptr(sim_out_file) file = sim_out_file_open(path, error);
    if (file == NULL) {
        return false;
    }
    export_job job = {.format = format, .out = sim_out_file_stream(file)};
    sched_check_vertices_init(&job.vertices, graph);
    sched_check_matching_init(&job.matching, &job.vertices);
    g_autoptr(GError) cause = NULL;
    const bool ok = sched_igraph_run(work, &job, &cause);
    g_free(job.kind);
    sched_check_matching_clear(&job.matching);
    sched_check_vertices_clear(&job.vertices);
    if (!ok && !ferror(job.out)) {
        g_propagate_prefixed_error(error, g_steal_pointer(&cause), "%s: ", sim_out_file_name(path));
        return false;
    }
    return sim_out_file_commit(g_steal_pointer(&file), error); /* says what a full disk is */
}

static bool write_graphml(const sim_graph *graph, const char *path, GError **error)
{
    return sched_export(graph, SCHED_EXPORT_GRAPHML, path, error);
}

static bool write_dot(const sim_graph *graph, const char *path, GError **error)
{
    return sched_export(graph, SCHED_EXPORT_DOT, path, error);
}

const sched_writer sched_writer_graphml = {
    .what = "GraphML",
    .suffixes = {".graphml"},
    .write_graph = write_graphml,
};

const sched_writer sched_writer_dot = {
    .what = "graphviz",
    .suffixes = {".dot", ".gv"},
    .write_graph = write_dot,
};
