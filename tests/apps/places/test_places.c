/* tests/apps/places/test_places.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "places/places.h"
#include "text_file.h"

static void without_anything_said_each_rank_is_a_node(void)
{
    g_autoptr(app_places) places = app_places_new();
    for (int i = 0; i < 2; i++) {
        const sim_placement p = app_places_at(i == 0 ? NULL : places, 7);
        CHECK_I64(p.num_used, 7);
        CHECK_I64(sim_placement_node(&p, 5), 5);
    }
    CHECK(!app_places_have_levels(NULL) && !app_places_have_levels(places));
    CHECK_STR(app_places_kind(places), "block");
}

static void places_are_had_at_any_size(void)
{
    g_autoptr(app_places) places = app_places_new();
    places->ranks_per_node = 4;
    CHECK_I64(app_places_at(places, 9).num_used, 3);
    CHECK_I64(app_places_at(places, 4096).num_used, 1024);
    places->kind = SIM_PLACEMENT_CYCLIC;
    const sim_placement p = app_places_at(places, 9);
    CHECK_I64(sim_placement_node(&p, 5), 2);
}

static void a_list_is_as_long_as_the_largest_size(void)
{
    char *path = text_file_write("9*2 1 9 1*2\n");
    g_autoptr(app_places) places = app_places_new();
    g_autoptr(GError) error = NULL;
    CHECK(app_places_list(places, path, NULL));
    CHECK_I64(places->ranks_per_node, 3);
    CHECK_STR(app_places_kind(places), path);
    static const uint32_t sizes[] = {2, 6, 8};
    CHECK(app_places_check(places, sizes, 2, NULL));
    CHECK(!app_places_check(places, sizes, 3, &error));
    CHECK_ERROR(error, ": nodes of 6 ranks, but there are 8 ranks at the largest size");
    g_clear_error(&error);
    CHECK(!app_places_check(places, sizes, 1, &error));
    CHECK_ERROR(error, ": nodes of 6 ranks, but there are 2 ranks");
    CHECK_I64(app_places_fit(places, sizes, 3, NULL), 2);
    const sim_placement first = app_places_at(places, 3);
    CHECK_I64(first.num_used, 2);
    CHECK_I64(first.ranks_per_node, 2);
    CHECK_I64(first.num_nodes, 10);
    const sim_placement all = app_places_at(places, 6);
    CHECK_I64(sim_placement_slot(&all, 3), 2);
    CHECK_I64(sim_placement_slot(&all, 5), 2);
    text_file_drop(path);
}

static void levels_come_from_the_machine(void)
{
    g_autoptr(sim_machine) machine = sim_machine_load("xt4", NULL);
    g_autoptr(app_places) places = app_places_new();
    g_autoptr(GError) error = NULL;
    CHECK(app_places_take_machine(places, machine, NULL) && !app_places_have_levels(places));
    CHECK(sim_machine_set(machine, "node.L=300ns", NULL));
    CHECK(sim_machine_set(machine, "distance=torus:4x2", NULL));
    CHECK(!app_places_take_machine(places, machine, &error));
    CHECK_ERROR(error, "there is no L_hop");
    g_clear_error(&error);
    CHECK(sim_machine_set(machine, "L_hop=100ns", NULL));
    CHECK(app_places_take_machine(places, machine, NULL) && app_places_have_levels(places));
    places->ranks_per_node = 2;
    const sim_levels levels = app_places_levels_at(places, 16);
    CHECK(levels.has_node);
    CHECK_I64(levels.node.L, 300 * SIM_NS);
    CHECK_I64(levels.node.o, machine->params.o);
    CHECK_I64(levels.placement.num_used, 8);
    CHECK_I64(sim_distance_extra(&levels.distance, 0, 6), 300 * SIM_NS);
    static const uint32_t sizes[] = {8, 16, 17};
    CHECK(app_places_check(places, sizes, 2, NULL));
    CHECK(!app_places_check(places, sizes, 3, &error));
    CHECK_ERROR(error, "the topology has 8 nodes, but 17 ranks, 2 on a node, need 9");
    CHECK_I64(app_places_fit(places, sizes, 3, NULL), 2);
}

static void a_network_may_come_from_a_file(void)
{
    char *path = text_file_write("0 1\n1 2\n");
    g_autofree char *set = g_strconcat("distance=graph:", path, NULL);
    g_autoptr(sim_machine) machine = sim_machine_load("xt4", NULL);
    g_autoptr(app_places) places = app_places_new();
    CHECK(sim_machine_set(machine, set, NULL) && sim_machine_set(machine, "L_hop=5ns", NULL));
    CHECK(app_places_take_machine(places, machine, NULL));
    CHECK_I64(sim_distance_extra(&places->distance, 0, 2), 10 * SIM_NS);
    text_file_drop(path);
}

SUITE_MAIN("places", TEST(without_anything_said_each_rank_is_a_node),
           TEST(places_are_had_at_any_size), TEST(a_list_is_as_long_as_the_largest_size),
           TEST(levels_come_from_the_machine), TEST(a_network_may_come_from_a_file))
