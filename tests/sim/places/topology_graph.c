/* tests/sim/places/topology_graph.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_distance. */
#include "topology_graph.h"

#include <stdbool.h>

typedef struct topology_link {
    uint32_t to;
    bool is_global;
} topology_link;

static topology_graph *new_graph(uint32_t num_switches)
{
    topology_graph *graph = g_new0(topology_graph, 1);
    graph->num_switches = num_switches;
    graph->links = g_new0(GArray *, num_switches);
    for (uint32_t i = 0; i < num_switches; i++) {
        graph->links[i] = g_array_new(FALSE, FALSE, sizeof(topology_link));
    }
    graph->switch_of = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    return graph;
}

void topology_graph_free(topology_graph *graph)
{
    if (graph != NULL) {
        for (uint32_t i = 0; i < graph->num_switches; i++) {
            g_array_unref(graph->links[i]);
        }
        g_array_unref(graph->switch_of);
        g_free(graph->links);
        g_free(graph);
    }
}

static void join(topology_graph *graph, uint32_t a, uint32_t b, bool is_global)
{
    const topology_link there = {b, is_global};
    const topology_link back = {a, is_global};
    g_array_append_val(graph->links[a], there);
    g_array_append_val(graph->links[b], back);
}

static void hang(topology_graph *graph, uint32_t at, uint32_t nodes)
{
    for (uint32_t i = 0; i < nodes; i++) {
        g_array_append_val(graph->switch_of, at);
    }
}

/*
 * A k-port n-tree: every level but the top has 2 (k/2)^(n-1) switches, k/2 ports down and k/2 up;
 * the top has half as many, with all ports down. Switch i of a level is written in digits of base
 * k/2; the one of the level above differs in the digit of that level alone. What is the most
 * significant digit below the top (0 to k-1) chooses the port of a top switch.
 */
topology_graph *topology_fat_tree(uint32_t radix, uint32_t levels)
{
    const uint32_t half = radix / 2;
    uint32_t width = 1; /* switches of the top */
    for (uint32_t i = 1; i < levels; i++) {
        width *= half;
    }
    if (levels == 1) {
        topology_graph *single = new_graph(1);
        hang(single, 0, radix);
        return single;
    }
    topology_graph *graph = new_graph((levels - 1) * 2 * width + width);
    for (uint32_t i = 0; i < 2 * width; i++) {
        hang(graph, i, half);
    }
    uint32_t place = 1; /* half^level */
    for (uint32_t level = 0; level + 1 < levels; level++, place *= half) {
        for (uint32_t i = 0; i < 2 * width; i++) {
            const uint32_t from = level * 2 * width + i;
            const bool to_top = level + 2 == levels;
            for (uint32_t port = 0; port < half; port++) {
                /* Below the top: the digit is replaced; at it, it falls away. */
                const uint32_t digit = i / place % half;
                const uint32_t to =
                    to_top ? i % place + port * place : i + port * place - digit * place;
                join(graph, from, (level + 1) * 2 * width + to, false);
            }
        }
    }
    return graph;
}

topology_graph *topology_torus(const uint32_t *extent, uint32_t dimensions)
{
    uint32_t n = 1;
    for (uint32_t d = 0; d < dimensions; d++) {
        n *= extent[d];
    }
    topology_graph *graph = new_graph(n);
    for (uint32_t i = 0; i < n; i++) {
        hang(graph, i, 1);
        for (uint32_t d = 0, stride = 1; d < dimensions; stride *= extent[d], d++) {
            const uint32_t x = i / stride % extent[d];
            join(graph, i, i - x * stride + (x + 1) % extent[d] * stride, false);
        }
    }
    return graph;
}

/* Links of a group go to the other groups in their order, and to its routers in theirs. */
topology_graph *topology_dragonfly(uint32_t groups, uint32_t routers, uint32_t nodes)
{
    g_assert(routers > 0);
    topology_graph *graph = new_graph(groups * routers);
    uint32_t per_router = 1;
    while (per_router * routers < groups - 1) {
        per_router++;
    }
    g_autofree uint32_t *links = g_new0(uint32_t, groups); /* drawn so far from each group */
    for (uint32_t i = 0; i < groups * routers; i++) {
        hang(graph, i, nodes);
        for (uint32_t j = i + 1; j < (i / routers + 1) * routers; j++) {
            join(graph, i, j, false);
        }
    }
    for (uint32_t a = 0; a < groups; a++) {
        for (uint32_t b = a + 1; b < groups; b++) {
            const uint32_t from = links[a]++ / per_router;
            const uint32_t to = links[b]++ / per_router;
            join(graph, a * routers + from, b * routers + to, true);
        }
    }
    return graph;
}

/* A place is a switch, and whether a global link has been taken. */
uint32_t *topology_graph_search(const topology_graph *graph, uint32_t from)
{
    const uint32_t n = graph->num_switches;
    g_autofree uint32_t *seen = g_new0(uint32_t, 2 * (size_t)n);
    g_autofree uint32_t *queue = g_new0(uint32_t, 2 * (size_t)n);
    uint32_t head = 0;
    uint32_t tail = 0;
    queue[tail++] = from;
    seen[from] = 1;
    while (head < tail) {
        const uint32_t at = queue[head++];
        const GArray *links = graph->links[at % n];
        for (guint i = 0; i < links->len; i++) {
            const topology_link *link = &g_array_index(links, topology_link, i);
            if (at >= n && link->is_global) {
                continue;
            }
            const uint32_t next = link->to + (at >= n || link->is_global ? n : 0);
            if (seen[next] == 0) {
                seen[next] = seen[at] + 1;
                queue[tail++] = next;
            }
        }
    }
    uint32_t *ways = g_new0(uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t other = seen[n + i];
        ways[i] = seen[i] == 0 || (other != 0 && other < seen[i]) ? other : seen[i];
    }
    return ways;
}
