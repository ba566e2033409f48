/* tests/sim/random_levels.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run_levels_random, test_run_path. */
#include "random_levels.h"

#include "check.h"
#include "places/topology_graph.h"

static uint32_t below(GRand *random, uint32_t n)
{
    return (uint32_t)g_rand_int_range(random, 0, (gint32)n);
}

/* Which node each rank is on: as the engine is told, and rank by rank. */
static void draw_placement(GRand *random, random_levels *l, uint32_t num_ranks)
{
    const uint32_t each = 1 + below(random, MIN(num_ranks, 5));
    const uint32_t kind = below(random, 3);
    const uint32_t nodes = (num_ranks + each - 1) / each;
    for (uint32_t r = 0; r < num_ranks; r++) {
        l->list[r] = below(random, RANDOM_LEVELS_NODES) / each;
        l->node[r] = kind == 0 ? r / each : kind == 1 ? r % nodes : l->list[r];
    }
    l->engine.placement = kind == 0   ? sim_placement_block(num_ranks, each)
                          : kind == 1 ? sim_placement_cyclic(num_ranks, each)
                                      : sim_placement_list(num_ranks, l->list, l->slot);
}

/* Nodes hang on switches, one or more each; any number of hops between two of these. */
static void draw_matrix(GRand *random, random_levels *l, sim_time L_hop)
{
    const uint32_t n = 1 + below(random, RANDOM_LEVELS_NODES);
    l->hops = g_new0(uint16_t, n * n);
    for (uint32_t a = 0; a < n; a++) {
        for (uint32_t b = 0; b < a; b++) {
            l->hops[a * n + b] = l->hops[b * n + a] = (uint16_t)below(random, 6);
        }
    }
    for (uint32_t i = 0; i < RANDOM_LEVELS_NODES; i++) {
        l->switch_of[i] = below(random, n);
    }
    l->engine.distance = (sim_distance){.kind = SIM_DISTANCE_MATRIX,
                                        .num_nodes = RANDOM_LEVELS_NODES,
                                        .L_hop = L_hop,
                                        .num_switches = n,
                                        .switch_of = l->switch_of,
                                        .hops = l->hops};
    for (uint32_t a = 0; a < RANDOM_LEVELS_NODES; a++) {
        for (uint32_t b = 0; b < RANDOM_LEVELS_NODES; b++) {
            l->distance[a * RANDOM_LEVELS_NODES + b] =
                l->hops[l->switch_of[a] * n + l->switch_of[b]] * L_hop;
        }
    }
}

/* What a topology says in closed form, and what a search of its graph finds. */
static void set_topology(random_levels *l, const char *form, topology_graph *graph, sim_time L_hop)
{
    g_autoptr(GError) error = NULL;
    CHECK(sim_distance_parse(form, L_hop, &l->engine.distance, &error), "%s",
          error != NULL ? error->message : "");
    const uint32_t *switch_of = (const uint32_t *)(const void *)graph->switch_of->data;
    for (uint32_t a = 0; a < RANDOM_LEVELS_NODES; a++) {
        g_autofree uint32_t *switches = topology_graph_search(graph, switch_of[a]);
        for (uint32_t b = 0; b < RANDOM_LEVELS_NODES; b++) {
            l->distance[a * RANDOM_LEVELS_NODES + b] = (switches[switch_of[b]] - 1) * L_hop;
        }
    }
    topology_graph_free(graph);
}

static void draw_distance(GRand *random, random_levels *l, sim_time L_hop)
{
    switch (below(random, 5)) {
    case 0:
        set_topology(l, "fat-tree:4:3", topology_fat_tree(4, 3), L_hop);
        break;
    case 1:
        set_topology(l, "torus:4x2x2", topology_torus((const uint32_t[]){4, 2, 2}, 3), L_hop);
        break;
    case 2:
        set_topology(l, "dragonfly:4:3:2", topology_dragonfly(4, 3, 2), L_hop);
        break;
    case 3:
        draw_matrix(random, l, L_hop);
        break;
    default:
        break; /* none */
    }
}

random_levels *random_levels_new(GRand *random, uint32_t num_ranks, const sim_params *within,
                                 sim_time unit)
{
    g_assert(num_ranks <= RANDOM_LEVELS_NODES);
    random_levels *l = g_new0(random_levels, 1);
    l->list = g_new0(uint32_t, num_ranks);
    l->slot = g_new0(uint32_t, num_ranks);
    l->node = g_new0(uint32_t, num_ranks);
    l->distance = g_new0(sim_time, RANDOM_LEVELS_NODES * RANDOM_LEVELS_NODES);
    draw_placement(random, l, num_ranks);
    const sim_time L_hop = unit > 0 ? unit * below(random, 3) : below(random, 400);
    draw_distance(random, l, L_hop);
    l->engine.has_node = below(random, 4) > 0;
    l->engine.node =
        (sim_level){within->L, within->o, within->g, within->G, within->O, within->S, within->H};
    l->judge = (judge_levels){.node = l->node,
                              .has_node = l->engine.has_node,
                              .within = *within,
                              .num_nodes = RANDOM_LEVELS_NODES,
                              .distance = l->distance};
    return l;
}

void random_levels_free(random_levels *l)
{
    if (l != NULL) {
        g_free(l->list);
        g_free(l->slot);
        g_free(l->node);
        g_free(l->hops);
        g_free(l->distance);
        g_free(l);
    }
}
