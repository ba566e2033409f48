/* apps/ripple/view/lanes.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * From stretches that an observer has kept to the lanes of a picture: slices, and the messages that
 * ranks waited for.
 */
#pragma once

#include "view/observer.h"
#include "view/ripples.h"

#include "noise/injection.h"

/** The noise of a run by its components, to tell whose a detour is. */
typedef struct app_lane_noise {
    const sim_noise *all;               /* NULL: none */
    const sim_noise *const *components; /* [num_components] each alone */
    size_t num_components;
    const app_detour *injected; /* NULL: none; its component is the last one */
} app_lane_noise;

/**
 * @p lost first: ranks in the order of what they lost, most first, ties by rank.
 * @return [*n] <= @p most, owned by the caller
 */
uint32_t *app_lanes_worst(const app_observer *observer, uint32_t most, uint32_t *n);

/**
 * Fill lanes, slices, messages and counts of the components of @p picture.
 * @param chosen [n] ranks, each once
 * @param ripples of all stretches that are kept, in the picture already; NULL: there are none
 * @param program asked for the bytes of messages
 */
void app_lanes_fill(app_picture *picture, const app_observer *observer, const uint32_t *chosen,
                    uint32_t n, const app_lane_noise *noise, const app_ripples *ripples,
                    const sim_program *program);
