/* sim/distance.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the way between two nodes adds to L: max(switches on the way - 1, 0) * L_hop.
 * docs/model.md, section 10.2: the forms, with pictures, and how nodes are numbered in each.
 */
#pragma once

#include "sim/placement.h"
#include "sim/time.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum {
    SIM_DISTANCE_NONE, /* nothing is added, however many nodes there are */
    SIM_DISTANCE_FAT_TREE,
    SIM_DISTANCE_TORUS,
    SIM_DISTANCE_DRAGONFLY,
    SIM_DISTANCE_MATRIX
} sim_distance_kind;

#define SIM_DISTANCE_MAX_SIZES 6 /* dimensions of a torus, levels of a fat tree */

/** Plain numbers, copied freely; all zero is NONE. Made by the functions below. */
typedef struct sim_distance {
    sim_distance_kind kind;
    uint32_t num_nodes; /* that there are, numbered from 0; NONE: 0, no limit */
    sim_time L_hop;
    /**
     * Fat tree: the nodes below a switch of each level but the top. Torus: its extents. Dragonfly:
     * nodes of a router, nodes of a group, global links of a router.
     */
    uint32_t num_sizes;
    uint32_t size[SIM_DISTANCE_MAX_SIZES];
    uint64_t reciprocal[SIM_DISTANCE_MAX_SIZES];
    uint32_t num_switches;     /* MATRIX */
    const uint32_t *switch_of; /* MATRIX: [num_nodes], borrowed */
    const uint16_t *hops; /* MATRIX: [num_switches²], switches on the way - 1, >= 0; borrowed */
} sim_distance;

/**
 * "fat-tree:RADIX:LEVELS", "torus:AxB…", "dragonfly:GROUPS:ROUTERS:NODES".
 * @param L_hop >= 0
 * @return false with SIM_ERROR_BAD_MACHINE naming the form; also where the longest way adds more
 * than SIM_TIME_MAX
 */
bool sim_distance_parse(const char *form, sim_time L_hop, sim_distance *out, GError **error);

/**
 * The file of "matrix:FILE" or "graph:FILE", which whoever reads it hands on by
 * sim_distance_matrix(); NULL: it is another form. Borrowed from @p form.
 */
const char *sim_distance_file(const char *form);
/** Is it one of these forms? @return false with SIM_ERROR_BAD_MACHINE; files are not opened */
bool sim_distance_check_form(const char *form, GError **error);

/**
 * Ways between switches as they are in a file.
 * @param hops [num_switches²] switches on the way - 1, >= 0, symmetric; borrowed
 * @param switch_of [num_nodes] where each node hangs; borrowed
 * @return false with SIM_ERROR_BAD_MACHINE: the longest way adds more than SIM_TIME_MAX
 */
bool sim_distance_matrix(uint32_t num_switches, const uint16_t *hops, uint32_t num_nodes,
                         const uint32_t *switch_of, sim_time L_hop, sim_distance *out,
                         GError **error);

/**
 * Added to L between two nodes < num_nodes (NONE: any): >= 0, symmetric, 0 on the same node. O(1):
 * a few multiplications for each size, no division, or a look-up.
 */
sim_time sim_distance_extra(const sim_distance *d, uint32_t node_a, uint32_t node_b);

/** The most that it adds between any two nodes. MATRIX: O(switches²). */
sim_time sim_distance_most(const sim_distance *d);

/** @return false with SIM_ERROR_BAD_MACHINE: there are more nodes in use than the topology has */
bool sim_distance_check(const sim_distance *d, const sim_placement *placement, GError **error);

G_END_DECLS
