/* apps/ripple/stretches/detours.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Where within a stretch of CPU activity the detours are that have lengthened it; and a single
 * detour, injected beside all other noise.
 */
#pragma once

#include "sim/noise.h"
#include "sim/time.h"

typedef void app_detour_visit(sim_time begin, sim_time end, void *user);

/**
 * Call @p visit for each detour, in order of time, that @p noise sends the CPU on while @p rank,
 * starting at @p start, receives @p work ps. Cores that are slow have none: the rest of what is
 * lost is then visited as one, at the end. O(log work) look-ups for each.
 * @param grain 1: where they are; more: to so many ps, and those as near to each other may be one;
 *   their lengths are true in any case, and look-ups fewer
 */
void app_detours_find(const sim_noise *noise, uint32_t rank, sim_time start, sim_time work,
                      sim_time grain, app_detour_visit *visit, void *user);

/**
 * The same for who counts by columns of @p width: where a detour is within its column does not
 * matter to it, and is not looked for. One that crosses a border is to @p grain.
 */
void app_detours_find_columns(const sim_noise *noise, uint32_t rank, sim_time start, sim_time work,
                              sim_time width, sim_time grain, app_detour_visit *visit, void *user);

/** A single detour on one rank. */
typedef struct app_detour {
    uint32_t rank;
    sim_time at;     /* >= 0 */
    sim_time length; /* > 0 */
} app_detour;

/** All noise of a run. */
typedef struct app_one_detour {
    sim_noise noise; /* for sim_run() */
    const sim_noise *others;
    app_detour detour;
} app_one_detour;

/**
 * @p detour beside @p others, which is borrowed and may be NULL. Detours of the others that fall
 * into it pass meanwhile; one that lasts longer ends when it would have.
 */
app_one_detour app_one_detour_of(const app_detour *detour, const sim_noise *others);
