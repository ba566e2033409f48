/* apps/ripple/places/places.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "places/places.h"

#include "output/error.h"
#include "output/number_text.h"
#include "places/placement_file.h"

#include <assert.h>

app_places *app_places_new(void)
{
    app_places *places = g_new0(app_places, 1);
    places->ranks_per_node = 1;
    places->threads_per_rank = 1;
    return places;
}

void app_places_free(app_places *places)
{
    if (places != NULL) {
        g_free(places->file);
        g_free(places->node);
        g_free(places->slot);
        app_switches_free(places->switches);
        g_free(places);
    }
}

/* Takes @p node. */
static void put(app_places *places, uint32_t *node, uint32_t num_ranks, const char *source)
{
    places->kind = SIM_PLACEMENT_LIST;
    places->file = g_strdup(source);
    places->node = node;
    places->slot = g_new(uint32_t, num_ranks);
    places->num_listed = num_ranks;
    places->ranks_per_node = sim_placement_list(num_ranks, node, places->slot).ranks_per_node;
}

void app_places_put(app_places *places, const uint32_t *node, uint32_t num_ranks,
                    const char *source)
{
    put(places, g_memdup2(node, num_ranks * sizeof *node), num_ranks, source);
}

bool app_places_list(app_places *places, const char *file, GError **error)
{
    uint32_t num_ranks = 0;
    uint32_t *node = app_placement_read(file, &num_ranks, error);
    if (node == NULL) {
        return false;
    }
    put(places, node, num_ranks, file);
    return true;
}

bool app_places_take_machine(app_places *places, const sim_machine *machine, GError **error)
{
    places->has_node = machine->node_keys != 0;
    places->node_level = machine->node;
    if (machine->distance == NULL) {
        return true;
    }
    if (!sim_machine_check(machine, error)) {
        return false;
    }
    if (sim_distance_file(machine->distance) == NULL) {
        return sim_distance_parse(machine->distance, machine->L_hop, &places->distance, error);
    }
    app_switches *s = places->switches = app_switches_read(machine->distance, error);
    return s != NULL && sim_distance_matrix(s->num_switches, s->hops, s->num_nodes, s->switch_of,
                                            machine->L_hop, &places->distance, error);
}

static bool refuse_list(const app_places *places, uint32_t ranks, const char *where, GError **error)
{
    g_autofree char *listed = app_format_ranks(places->num_listed);
    g_autofree char *asked = app_format_ranks(ranks);
    g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s: nodes of %s, but there are %s%s",
                places->file, listed, asked, where);
    return false;
}

static bool check_size(const app_places *places, uint32_t ranks, GError **error)
{
    if (places->kind == SIM_PLACEMENT_LIST && places->num_listed < ranks) {
        return refuse_list(places, ranks, "", error);
    }
    const sim_placement placement = app_places_at(places, ranks);
    return sim_distance_check(&places->distance, &placement, error);
}

size_t app_places_fit(const app_places *places, const uint32_t *sizes, size_t num_sizes,
                      GError **error)
{
    size_t n = 0;
    while (n < num_sizes && check_size(places, sizes[n], n == 0 ? error : NULL)) {
        n++;
    }
    return n;
}

bool app_places_check(const app_places *places, const uint32_t *sizes, size_t num_sizes,
                      GError **error)
{
    uint32_t largest = 0;
    for (size_t i = 0; i < num_sizes; i++) {
        largest = MAX(largest, sizes[i]);
    }
    if (places->kind == SIM_PLACEMENT_LIST && places->num_listed != largest) {
        return refuse_list(places, largest, num_sizes > 1 ? " at the largest size" : "", error);
    }
    for (size_t i = 0; i < num_sizes; i++) {
        if (!check_size(places, sizes[i], error)) {
            return false;
        }
    }
    return true;
}

/* The first ranks of a list: their slots are the same. */
static sim_placement first_listed(const app_places *places, uint32_t num_ranks)
{
    assert(num_ranks <= places->num_listed);
    sim_placement p = {.kind = SIM_PLACEMENT_LIST,
                       .num_ranks = num_ranks,
                       .node = places->node,
                       .slot = places->slot};
    for (uint32_t rank = 0; rank < num_ranks; rank++) {
        p.num_nodes = MAX(p.num_nodes, p.node[rank] + 1);
        p.num_used += p.slot[rank] == 0;
        p.ranks_per_node = MAX(p.ranks_per_node, p.slot[rank] + 1);
    }
    return p;
}

sim_placement app_places_at(const app_places *places, uint32_t num_ranks)
{
    if (places == NULL) {
        return sim_placement_block(num_ranks, 1);
    }
    switch (places->kind) {
    case SIM_PLACEMENT_LIST:
        return first_listed(places, num_ranks);
    case SIM_PLACEMENT_CYCLIC:
        return sim_placement_cyclic(num_ranks, places->ranks_per_node);
    case SIM_PLACEMENT_BLOCK:
        break;
    }
    return sim_placement_block(num_ranks, places->ranks_per_node);
}

bool app_places_have_levels(const app_places *places)
{
    return places != NULL && (places->has_node || places->distance.kind != SIM_DISTANCE_NONE);
}

sim_levels app_places_levels_at(const app_places *places, uint32_t num_ranks)
{
    assert(app_places_have_levels(places));
    return (sim_levels){.placement = app_places_at(places, num_ranks),
                        .has_node = places->has_node,
                        .node = places->node_level,
                        .distance = places->distance};
}

const char *app_places_kind(const app_places *places)
{
    return places->kind == SIM_PLACEMENT_LIST     ? places->file
           : places->kind == SIM_PLACEMENT_CYCLIC ? "cyclic"
                                                  : "block";
}
