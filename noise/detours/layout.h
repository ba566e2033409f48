/* noise/detours/layout.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Which detours go together: those of one group are drawn into one trace, and seen from one offset.
 * A trace for each set of components of the group that occurs. docs/noise.md, section 3.
 */
#pragma once

#include "detours/model.h"
#include "noise/signature.h"

#include <glib.h>

typedef enum {
    NOISE_GROUP_CORE,          /* on every core, or on those of some ranks */
    NOISE_GROUP_CORE_OF_NODES, /* on every core of some nodes */
    NOISE_GROUP_NODE,          /* on one core of a node at a time */
    NOISE_GROUP_NODE_FIXED,    /* on one core of a node */
    NOISE_GROUP_NODE_ALL,      /* on all cores of a node together */
    NOISE_NUM_GROUPS,
} noise_group;

typedef struct noise_layout noise_layout; /* immutable */

/** Is a trace of the group looked up by the node, or by the rank? */
static inline bool noise_group_is_of_nodes(noise_group group)
{
    return group != NOISE_GROUP_CORE;
}

/**
 * Draws all traces; notes in @p components what was drawn of each.
 * @param components of noise_component
 * @param models of noise_model, one for each
 * @return owned by the caller; NULL with NOISE_ERROR
 */
noise_layout *noise_layout_new(GArray *components, const GArray *models, uint64_t seed,
                               GError **error);
void noise_layout_free(noise_layout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_layout, noise_layout_free)

/** What rank or node @p index has of the group; NULL: nothing. Borrowed. O(log of the ranges);
 * O(ranges and traces) where one has a stride. */
const noise_detour_trace *noise_layout_trace(const noise_layout *layout, noise_group group,
                                             uint32_t index);
/** Has the group a component, on whatever rank? */
bool noise_layout_has(const noise_layout *layout, noise_group group);
/** Groups that have one. */
unsigned noise_layout_num_groups(const noise_layout *layout);
/** Do all ranks, or nodes, see the same trace of the group? */
bool noise_layout_is_same(const noise_layout *layout, noise_group group);
/** All traces of a group, to look them over. */
size_t noise_layout_num_traces(const noise_layout *layout, noise_group group);
const noise_detour_trace *noise_layout_nth_trace(const noise_layout *layout, noise_group group,
                                                 size_t i);
