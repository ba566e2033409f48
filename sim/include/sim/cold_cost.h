/* sim/cold_cost.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What calls take of their rank's CPU because it has computed before: code and data of MPI are in
 * its caches no more. docs/machines.md, "After a computation".
 */
#pragma once

#include "sim/time.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

#define SIM_COLD_POINTS 16

/** After so much computation. */
typedef struct sim_cold_point {
    sim_time computed; /* ascending, above 0 */
    sim_time first;    /* what the first call takes more, of whatever kind */
    sim_time further;  /* what the first of another kind takes more, after it; at most that */
} sim_cold_point;

/** Straight lines from nothing after no computation through the points; beyond the last as there.
 */
typedef struct sim_cold_cost {
    sim_cold_point point[SIM_COLD_POINTS];
    uint32_t num_points; /* 0: nothing */
} sim_cold_cost;

/**
 * What a call takes more.
 * @param since_any  what its rank has computed since its last call
 * @param since_kind ... since its last call of that kind; at least @p since_any
 * O(points)
 */
sim_time sim_cold_cost_of(const sim_cold_cost *cost, sim_time since_any, sim_time since_kind);

/**
 * "80us:400ns:150ns,700us:1.8us:600ns": computed, first, further of each point.
 * @return false with SIM_ERROR_BAD_UNIT or SIM_ERROR_BAD_MACHINE that names the text
 */
bool sim_cold_cost_parse(const char *text, sim_cold_cost *out, GError **error);
/** Exact text that parses back; "0" of nothing. Owned by the caller. */
char *sim_cold_cost_format(const sim_cold_cost *cost);

G_END_DECLS
