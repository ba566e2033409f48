/* schedgen/check/check.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sched/check.h"

#include "check/check_private.h"
#include "model/cycle_private.h"

typedef struct check {
    const sim_params *params;
    check_vertices vertices;
    check_matching matching;
    uint8_t *kind;     /* [number of edges] check_edge_kind */
    sched_edge *edges; /* filled only if there is a cycle */
    size_t num_edges;
    bool acyclic;
    sim_time longest_path;
} check;

void sched_check_report_clear(sched_check_report *report)
{
    g_free(report->first_unmatched);
    *report = (sched_check_report){0};
}

static sim_time add(sim_time a, sim_time b)
{
    return MIN(a + b, SIM_TIME_MAX); /* both are at most SIM_TIME_MAX */
}

/* How long the CPU is at it: a message costs o, and O for each byte after the first. */
static sim_time work_of(const sim_params *p, const sim_op *op)
{
    return op->type == SIM_OP_CALC ? op->size
                                   : add(p->o, sim_rate_times(p->O, MAX(op->size, 1) - 1));
}

/* From the start of a send to the earliest start of the receive. */
static sim_time flight_of(const sim_params *p, const sim_op *send)
{
    const int64_t b = MAX(send->size, 1) - 1;
    const sim_time tail = MAX(sim_rate_times(p->G, b) - sim_rate_times(p->O, b), 0);
    return add(add(p->o, p->L), tail);
}

/* A posting takes no time. */
static sim_op op_of(const check *c, igraph_integer_t vertex)
{
    if ((uint64_t)vertex >= c->vertices.num) {
        return (sim_op){.type = SIM_OP_CALC};
    }
    uint32_t index;
    const uint32_t rank = sched_check_vertices_rank(&c->vertices, (uint64_t)vertex, &index);
    return sim_graph_op(c->vertices.graph, rank, index);
}

/* Relax the edges out of one vertex, which starts at its final time. */
static igraph_error_t relax(check *c, const igraph_t *graph, igraph_integer_t vertex,
                            igraph_vector_int_t *incident, sim_time *start)
{
    const sim_op op = op_of(c, vertex);
    const sim_time work = work_of(c->params, &op);
    c->longest_path = MAX(c->longest_path, add(start[vertex], work));
    IGRAPH_CHECK(igraph_incident(graph, incident, vertex, IGRAPH_OUT));
    const igraph_integer_t n = igraph_vector_int_size(incident);
    for (igraph_integer_t i = 0; i < n; i++) {
        const igraph_integer_t edge = VECTOR(*incident)[i];
        const igraph_integer_t to = IGRAPH_TO(graph, edge);
        const sim_time length = c->kind[edge] == CHECK_REQUIRES    ? work
                                : c->kind[edge] == CHECK_IREQUIRES ? 0
                                                                   : flight_of(c->params, &op);
        start[to] = MAX(start[to], add(start[vertex], length));
    }
    return IGRAPH_SUCCESS;
}

/* Longest path by dynamic programming along a topological order. */
static igraph_error_t measure(check *c, const igraph_t *graph)
{
    igraph_vector_int_t order;
    IGRAPH_CHECK(igraph_vector_int_init(&order, 0));
    IGRAPH_FINALLY(igraph_vector_int_destroy, &order);
    IGRAPH_CHECK(igraph_topological_sorting(graph, &order, IGRAPH_OUT));
    igraph_vector_int_t incident;
    IGRAPH_CHECK(igraph_vector_int_init(&incident, 0));
    IGRAPH_FINALLY(igraph_vector_int_destroy, &incident);
    sim_time *start = g_new0(sim_time, c->vertices.num + c->vertices.num_posts + 1);
    IGRAPH_FINALLY(g_free, start);
    for (igraph_integer_t i = 0; i < igraph_vector_int_size(&order); i++) {
        IGRAPH_CHECK(relax(c, graph, VECTOR(order)[i], &incident, start));
    }
    g_free(start);
    igraph_vector_int_destroy(&incident);
    igraph_vector_int_destroy(&order);
    IGRAPH_FINALLY_CLEAN(3);
    return IGRAPH_SUCCESS;
}

static void copy_edges(check *c, const igraph_t *graph)
{
    c->edges = g_new(sched_edge, c->num_edges + 1);
    for (size_t e = 0; e < c->num_edges; e++) {
        c->edges[e] = (sched_edge){.later = (uint32_t)IGRAPH_TO(graph, (igraph_integer_t)e),
                                   .earlier = (uint32_t)IGRAPH_FROM(graph, (igraph_integer_t)e)};
    }
}

/* A sched_igraph_work. */
static igraph_error_t work(void *context)
{
    check *c = context;
    igraph_t graph;
    IGRAPH_CHECK(sched_check_build(&c->vertices, &c->matching, &graph, &c->kind));
    IGRAPH_FINALLY(igraph_destroy, &graph);
    c->num_edges = (size_t)igraph_ecount(&graph);
    igraph_bool_t acyclic;
    IGRAPH_CHECK(igraph_is_dag(&graph, &acyclic));
    c->acyclic = acyclic;
    if (acyclic) {
        IGRAPH_CHECK(measure(c, &graph));
    } else {
        copy_edges(c, &graph);
    }
    igraph_destroy(&graph);
    IGRAPH_FINALLY_CLEAN(1);
    return IGRAPH_SUCCESS;
}

/* A sched_describe. */
static char *describe_vertex(const void *context, uint32_t vertex)
{
    const check_vertices *vertices = context;
    uint32_t index;
    const uint32_t rank = sched_check_vertices_rank(vertices, vertex, &index);
    g_autofree char *label = sched_check_vertices_label(vertices, vertex);
    return g_strdup_printf("rank %u %s", rank, label);
}

/*
 * A receive and its posting have one name: say it once. The posting comes right behind, never
 * across the ends, because the cycle begins with its lowest vertex. @return the new length
 */
static size_t name_postings(const check_vertices *vertices, uint32_t *cycle, size_t len)
{
    size_t kept = 0;
    for (size_t i = 0; i < len; i++) {
        const uint32_t vertex =
            cycle[i] < vertices->num ? cycle[i] : vertices->posted[cycle[i] - vertices->num];
        if (kept == 0 || cycle[kept - 1] != vertex) {
            cycle[kept++] = vertex;
        }
    }
    return kept;
}

static bool report_cycle(const check *c, GError **error)
{
    g_autofree uint32_t *cycle = NULL;
    const uint32_t n = (uint32_t)(c->vertices.num + c->vertices.num_posts);
    size_t len = sched_cycle_find(n, c->edges, c->num_edges, &cycle);
    len = name_postings(&c->vertices, cycle, len);
    g_autofree char *text = sched_cycle_describe(cycle, len, describe_vertex, &c->vertices);
    g_set_error(error, SCHED_ERROR, SCHED_ERROR_CYCLE,
                "the operations wait for each other in a cycle: %s", text);
    return false;
}

/* A sentence about the first operation that nothing meets. Owned by the caller. */
static char *describe_unmatched(const check *c)
{
    if (c->matching.first_unmatched == UINT64_MAX) {
        return NULL;
    }
    const sim_op op = op_of(c, (igraph_integer_t)c->matching.first_unmatched);
    g_autofree char *name = describe_vertex(&c->vertices, (uint32_t)c->matching.first_unmatched);
    g_autofree char *peer =
        op.peer == SIM_ANY ? g_strdup("any rank") : g_strdup_printf("rank %u", op.peer);
    g_autofree char *tag = op.tag == SIM_ANY ? g_strdup("any") : g_strdup_printf("%u", op.tag);
    const bool send = op.type == SIM_OP_SEND;
    return g_strdup_printf("%s %s %" G_GINT64_FORMAT " bytes %s %s (tag %s, communicator %u), %s",
                           name, send ? "sends" : "receives", op.size, send ? "to" : "from", peer,
                           tag, op.comm, send ? "which nobody receives" : "which nobody sends");
}

bool sched_check(const sim_graph *graph, const sim_params *params, sched_check_report *report,
                 GError **error)
{
    if (!sched_check_size(graph, error)) {
        return false;
    }
    check c = {.params = params};
    sched_check_vertices_init(&c.vertices, graph);
    sched_check_vertices_add_posts(&c.vertices);
    sched_check_matching_init(&c.matching, &c.vertices);
    bool ok = sched_igraph_run(work, &c, error);
    if (ok && !c.acyclic) {
        ok = report_cycle(&c, error);
    }
    if (ok) {
        *report = (sched_check_report){.vertices = c.vertices.num,
                                       .edges = c.num_edges - c.vertices.num_posts,
                                       .messages = c.matching.num,
                                       .unmatched_sends = c.matching.unmatched_sends,
                                       .unmatched_recvs = c.matching.unmatched_recvs,
                                       .wildcards = c.matching.wildcards,
                                       .longest_path = c.longest_path,
                                       .first_unmatched = describe_unmatched(&c)};
    }
    g_free(c.kind);
    g_free(c.edges);
    sched_check_matching_clear(&c.matching);
    sched_check_vertices_clear(&c.vertices);
    return ok;
}
