/* noise/places/plain.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_injection, test_place_cores. */
#include "places/plain.h"

#include "detours/signature_private.h"
#include "noise/detour_tables.h"
#include "places/draw.h"

static uint32_t threads_of(const noise_injection_options *o)
{
    return MAX(o->threads_per_rank, 1);
}

static noise_group first_group(const noise_layout *layout)
{
    for (int g = 0; g < NOISE_NUM_GROUPS; g++) {
        if (noise_layout_has(layout, (noise_group)g)) {
            return (noise_group)g;
        }
    }
    return NOISE_GROUP_CORE;
}

static bool has_rate(const noise_signature *signature)
{
    for (size_t i = 0; i < noise_signature_num_components(signature); i++) {
        if (noise_signature_component(signature, i)->is_rate) {
            return true;
        }
    }
    return false;
}

/* Do all cores of a rank meet the same detours, if they meet any? */
static bool is_one_for_rank(noise_group group, const noise_injection_options *o)
{
    switch (group) {
    case NOISE_GROUP_NODE:
        return noise_injection_cores(o) == 1;
    case NOISE_GROUP_NODE_FIXED: /* one core only has any */
    case NOISE_GROUP_NODE_ALL:
        return true;
    case NOISE_GROUP_CORE:
    case NOISE_GROUP_CORE_OF_NODES:
    case NOISE_NUM_GROUPS:
        break;
    }
    return threads_of(o) == 1 || o->sync == NOISE_COSCHEDULED;
}

noise_plain noise_plain_of(const noise_signature *signature, const noise_injection_options *options)
{
    const noise_layout *layout = noise_signature_layout(signature);
    const noise_group group = first_group(layout);
    return (noise_plain){.signature = signature,
                         .options = options,
                         .group = group,
                         .is_plain = noise_layout_num_groups(layout) <= 1 && !has_rate(signature) &&
                                     is_one_for_rank(group, options)};
}

bool noise_plain_drifts(const noise_plain *plain)
{
    return noise_signature_drift(plain->signature) > 0 &&
           plain->options->sync == NOISE_UNSYNCHRONIZED;
}

bool noise_plain_is_drawn(const noise_plain *plain)
{
    return plain->group == NOISE_GROUP_NODE_FIXED && noise_injection_cores(plain->options) > 1;
}

bool noise_plain_is_same(const noise_signature *signature)
{
    const noise_layout *layout = noise_signature_layout(signature);
    const noise_group group = first_group(layout);
    return group != NOISE_GROUP_NODE_FIXED && noise_layout_is_same(layout, group);
}

uint32_t noise_plain_node(const noise_plain *plain, uint32_t rank)
{
    const sim_placement *placement = plain->options->placement;
    return placement != NULL ? sim_placement_node(placement, rank) : rank;
}

static uint32_t first_core(const noise_plain *plain, uint32_t rank)
{
    const sim_placement *placement = plain->options->placement;
    return placement != NULL ? sim_placement_slot(placement, rank) * threads_of(plain->options) : 0;
}

uint32_t noise_plain_core(const noise_plain *plain, uint32_t rank)
{
    const bool each = plain->group == NOISE_GROUP_CORE || plain->group == NOISE_GROUP_CORE_OF_NODES;
    return each ? first_core(plain, rank) : 0;
}

const noise_detour_trace *noise_plain_trace(const noise_plain *plain, uint32_t rank)
{
    const noise_layout *layout = noise_signature_layout(plain->signature);
    if (plain->group == NOISE_GROUP_CORE) {
        return noise_layout_trace(layout, plain->group, rank);
    }
    const uint32_t node = noise_plain_node(plain, rank);
    if (plain->group == NOISE_GROUP_NODE_FIXED) {
        const uint32_t struck = noise_draw_fixed_core(plain->options, NOISE_DRAW_ONLY, node,
                                                      noise_injection_cores(plain->options));
        const uint32_t first = first_core(plain, rank);
        if (struck < first || struck >= first + threads_of(plain->options)) {
            return NULL;
        }
    }
    return noise_layout_trace(layout, plain->group, node);
}

const sim_detours *noise_plain_tables(const noise_plain *plain, uint32_t rank)
{
    const noise_detour_trace *trace = noise_plain_trace(plain, rank);
    return trace != NULL ? noise_detour_trace_tables(trace) : NULL;
}

sim_time noise_plain_offset(const noise_plain *plain, uint32_t replica, sim_time common,
                            uint32_t rank, sim_time period)
{
    const noise_injection_options *o = plain->options;
    const uint32_t node = noise_plain_node(plain, rank);
    return o->sync == NOISE_UNSYNCHRONIZED
               ? noise_draw_alone(o, replica, NOISE_DRAW_ONLY, node, noise_plain_core(plain, rank),
                                  period)
               : noise_draw_together(common, noise_draw_error(o, replica, node), period);
}
