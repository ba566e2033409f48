/* sim/levels.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a machine with nodes of several ranks has beside sim_params, which stay the parameters of
 * its network: which node each rank is on, the parameters of messages within a node, and what the
 * way through the network adds to L. docs/model.md, section 10.
 */
#pragma once

#include "sim/distance.h"
#include "sim/placement.h"
#include "sim/time.h"

#include <glib.h>
#include <stdbool.h>

G_BEGIN_DECLS

/** Parameters of the messages of one level, in the units of sim_params. */
typedef struct sim_level {
    sim_time L, o, g;
    sim_rate G, O;
    int64_t S; /* INT64_MAX: all are eager */
    sim_time H;
} sim_level;

/** Plain numbers; what it points to is borrowed for as long as it is used. */
typedef struct sim_levels {
    sim_placement placement; /* of as many ranks as the program has */
    /** Messages within a node take `node`; else they take the network's parameters, no distance. */
    bool has_node;
    sim_level node;
    sim_distance distance; /* all zero: every pair of nodes has L */
} sim_levels;

G_END_DECLS
