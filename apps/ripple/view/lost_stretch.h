/* apps/ripple/view/lost_stretch.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a stretch of CPU work and the idle time before it add to a heat map.
 */
#pragma once

#include "view/heat.h"

#include "sim/noise.h"

typedef struct app_lost_stretch {
    sim_time start;
    sim_time end;
    sim_time work;
    sim_time noise_wait; /* before it */
    uint32_t rank;
} app_lost_stretch;

/**
 * Waiting for noise, and detours where they were: to 1/64 of a column's width where they are in
 * several.
 * @param row where it goes: the rank, if the map is of all ranks  @param noise of the run, or NULL
 */
void app_lost_stretch_map(const app_lost_stretch *stretch, const sim_noise *noise, uint32_t row,
                          app_heat *heat);
