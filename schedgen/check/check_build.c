/* schedgen/check/sched_check_build.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_check. */
#include "check/check_private.h"

#define MAX_BYTES        (UINT64_C(4) << 30)
#define BYTES_PER_VERTEX 16 /* of igraph: two indices of 8 bytes each */
#define BYTES_PER_EDGE   32

void sched_check_vertices_init(check_vertices *vertices, const sim_graph *graph)
{
    const uint32_t num_ranks = sim_graph_num_ranks(graph);
    *vertices = (check_vertices){.graph = graph, .first = g_new(uint64_t, (gsize)num_ranks + 1)};
    for (uint32_t rank = 0; rank < num_ranks; rank++) {
        vertices->first[rank] = vertices->num;
        vertices->num += sim_graph_num_ops(graph, rank);
    }
    vertices->first[num_ranks] = vertices->num;
}

void sched_check_vertices_add_posts(check_vertices *vertices)
{
    const sim_graph *graph = vertices->graph;
    g_autoptr(GArray) posted = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    vertices->post = g_new0(uint32_t, vertices->num + 1);
    for (uint32_t rank = 0; rank < sim_graph_num_ranks(graph); rank++) {
        const uint32_t n = sim_graph_num_ops(graph, rank);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t successors;
            (void)sim_graph_start_steps(graph, rank, i, &successors);
            if (successors > 0 && sim_graph_op(graph, rank, i).type == SIM_OP_RECV) {
                const uint32_t vertex = (uint32_t)(vertices->first[rank] + i);
                vertices->post[vertex] = (uint32_t)(vertices->num + posted->len);
                g_array_append_val(posted, vertex);
            }
        }
    }
    vertices->num_posts = posted->len;
    vertices->posted = (uint32_t *)(void *)g_array_free(g_steal_pointer(&posted), FALSE);
}

void sched_check_vertices_clear(check_vertices *vertices)
{
    g_clear_pointer(&vertices->first, g_free);
    g_clear_pointer(&vertices->post, g_free);
    g_clear_pointer(&vertices->posted, g_free);
}

uint32_t sched_check_vertices_rank(const check_vertices *vertices, uint64_t vertex, uint32_t *index)
{
    uint32_t low = 0;
    uint32_t high = sim_graph_num_ranks(vertices->graph);
    while (high - low > 1) { /* first[low] <= vertex < first[high] */
        const uint32_t middle = low + (high - low) / 2;
        if (vertices->first[middle] <= vertex) {
            low = middle;
        } else {
            high = middle;
        }
    }
    *index = (uint32_t)(vertex - vertices->first[low]);
    return low;
}

char *sched_check_vertices_label(const check_vertices *vertices, uint64_t vertex)
{
    uint32_t index;
    const uint32_t rank = sched_check_vertices_rank(vertices, vertex, &index);
    const char *own = sim_graph_label(vertices->graph, rank, index);
    return own != NULL ? g_strdup(own)
                       : g_strdup_printf("l%" G_GUINT64_FORMAT, (uint64_t)index + 1);
}

bool sched_check_size(const sim_graph *graph, GError **error)
{
    /* At most every other operation is a send that has met its receive. */
    const uint64_t vertices = sim_graph_total_ops(graph);
    const uint64_t edges = sim_graph_total_edges(graph) + vertices / 2;
    const uint64_t bytes = BYTES_PER_VERTEX * vertices + BYTES_PER_EDGE * edges;
    if (bytes > MAX_BYTES) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_UNSUPPORTED,
                    "too large to be checked: %" G_GUINT64_FORMAT
                    " operations and up to %" G_GUINT64_FORMAT
                    " edges take %.1f GiB, more than %.0f GiB",
                    vertices, edges, (double)bytes / (double)(1 << 30),
                    (double)MAX_BYTES / (double)(1 << 30));
        return false;
    }
    return true;
}

/* Where the start of an operation is: its posting if it has one, else itself. */
static igraph_integer_t post_of(const check_vertices *vertices, uint64_t vertex)
{
    const bool has_post = vertices->post != NULL && vertices->post[vertex] > 0;
    return (igraph_integer_t)(has_post ? vertices->post[vertex] : vertex);
}

/* Edges of one rank, as pairs of vertices. @return where the next pair goes */
static igraph_integer_t *put_rank(const check_vertices *vertices, uint32_t rank,
                                  igraph_integer_t *pair, uint8_t **kind)
{
    const uint64_t first = vertices->first[rank];
    const uint32_t n = sim_graph_num_ops(vertices->graph, rank);
    for (uint32_t i = 0; i < n; i++) {
        for (int start = 0; start < 2; start++) {
            uint32_t k;
            const uint32_t *step = start ? sim_graph_start_steps(vertices->graph, rank, i, &k)
                                         : sim_graph_finish_steps(vertices->graph, rank, i, &k);
            for (uint32_t s = 0; s < k; s++) {
                *pair++ = start ? post_of(vertices, first + i) : (igraph_integer_t)(first + i);
                *pair++ = post_of(vertices, first + (uint32_t)(i + step[s]));
                *(*kind)++ = start ? CHECK_IREQUIRES : CHECK_REQUIRES;
            }
        }
    }
    return pair;
}

igraph_error_t sched_check_build(const check_vertices *vertices, const check_matching *matching,
                                 igraph_t *out, uint8_t **kind)
{
    const uint64_t num_edges =
        sim_graph_total_edges(vertices->graph) + matching->num + vertices->num_posts;
    igraph_vector_int_t pairs;
    IGRAPH_CHECK(igraph_vector_int_init(&pairs, (igraph_integer_t)(2 * num_edges)));
    IGRAPH_FINALLY(igraph_vector_int_destroy, &pairs);
    uint8_t *kinds = g_new(uint8_t, num_edges + 1);
    *kind = kinds;
    igraph_integer_t *pair = VECTOR(pairs);
    for (uint32_t rank = 0; rank < sim_graph_num_ranks(vertices->graph); rank++) {
        pair = put_rank(vertices, rank, pair, &kinds);
    }
    for (size_t i = 0; i < matching->num; i++) {
        *pair++ = matching->send[i];
        *pair++ = matching->recv[i];
        *kinds++ = CHECK_MESSAGE;
    }
    for (uint64_t i = 0; i < vertices->num_posts; i++) {
        *pair++ = (igraph_integer_t)(vertices->num + i);
        *pair++ = vertices->posted[i];
        *kinds++ = CHECK_IREQUIRES;
    }
    const igraph_integer_t n = (igraph_integer_t)(vertices->num + vertices->num_posts);
    IGRAPH_CHECK(igraph_create(out, &pairs, n, IGRAPH_DIRECTED));
    igraph_vector_int_destroy(&pairs);
    IGRAPH_FINALLY_CLEAN(1);
    return IGRAPH_SUCCESS;
}
