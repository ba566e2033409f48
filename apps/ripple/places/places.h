/* apps/ripple/places/places.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Where ranks are, what messages within a node take, and how far nodes are from each other, at any
 * number of ranks. docs/model.md, section 10.
 */
#pragma once

#include "places/switches.h"
#include "sim/levels.h"
#include "sim/machine.h"

/** Made by app_places_new(); then one thread fills it, and it is only read. */
typedef struct app_places {
    sim_placement_kind kind;
    uint32_t ranks_per_node;   /* >= 1; of a list: the most that any node has */
    uint32_t threads_per_rank; /* >= 1 */
    uint32_t cores_per_node;   /* 0: as many as the ranks of a node have threads */
    char *file;                /* of a list */
    uint32_t *node, *slot;     /* of a list: [num_listed], as sim_placement has it */
    uint32_t num_listed;
    bool has_node;
    sim_level node_level;
    sim_distance distance;
    app_switches *switches; /* of a distance from a file */
} app_places;

/** Each rank on a node of its own, one level. */
app_places *app_places_new(void);
void app_places_free(app_places *places);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_places, app_places_free)

/** Take the nodes of ranks from a file (placement_file.h). */
bool app_places_list(app_places *places, const char *file, GError **error);
/** Rank r is on node @p node[r], [num_ranks]; copied. @param source where that is from, as
 * app_places_kind() says it */
void app_places_put(app_places *places, const uint32_t *node, uint32_t num_ranks,
                    const char *source);
/**
 * Take levels and distance from @p machine; reads the files that it names. An L_hop without a
 * distance is left alone: sim_machine_check().
 */
bool app_places_take_machine(app_places *places, const sim_machine *machine, GError **error);
/**
 * Do the ranks of each of @p sizes [num_sizes] have a place, and the nodes in use, in the topology?
 * A list must have as many ranks as the largest.
 */
bool app_places_check(const app_places *places, const uint32_t *sizes, size_t num_sizes,
                      GError **error);

/**
 * How many of @p sizes (ascending, [num_sizes]) have a place for every rank, from the first on; of
 * a list, it may be longer.
 * @return 0 with an error: not even the first
 */
size_t app_places_fit(const app_places *places, const uint32_t *sizes, size_t num_sizes,
                      GError **error);

/** Which node each of @p num_ranks is on; of a list, its first ranks. Borrows from @p places; NULL:
 * each on its own. A list: O(num_ranks). */
sim_placement app_places_at(const app_places *places, uint32_t num_ranks);
/** Is there more than the parameters of the network? NULL: no. */
bool app_places_have_levels(const app_places *places);
/** For a run of @p num_ranks, if there are levels. Borrows from @p places. */
sim_levels app_places_levels_at(const app_places *places, uint32_t num_ranks);
/** "block", "cyclic" or the path of the list. Borrowed. */
const char *app_places_kind(const app_places *places);
