/* apps/ripple/view/heat.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How much each rank lost, and when, in a table that is bounded whatever the run is: ranks share
 * rows, and columns become twice as wide whenever the run is longer than all of them together.
 * docs/view.md, section 3.
 */
#pragma once

#include "view/picture.h"

typedef struct app_heat app_heat;

/** Most rows and columns; and cells, so that a million ranks have 1,024 columns. */
enum { APP_HEAT_ROWS = 4096, APP_HEAT_COLUMNS = 4096, APP_HEAT_CELLS = 1 << 22 };
/**
 * Where a row of these is many ranks, there is a second table beside them of few ranks to a row,
 * with the fewer columns.
 */
enum {
    APP_HEAT_FEW_FROM = 1 << 16, /* ranks; of more, that is */
    APP_HEAT_FEW_RANKS = 64,
    APP_HEAT_FEW_COLUMNS = 64,
    APP_HEAT_FEW_CELLS = 1 << 20
};

/**
 * 16 bytes per cell and per rank. Owned by the caller.
 * @param makespan the run is at least so long, 0: nothing is known, and columns are narrow at first
 */
app_heat *app_heat_new(uint32_t num_ranks, sim_time makespan);
/** NULL is a no-op. */
void app_heat_free(app_heat *heat);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_heat, app_heat_free)

/**
 * Of the column that an instant belongs to: the narrowest that reach it. What a rank loses is
 * counted in these, also where columns have become wider since.
 */
sim_time app_heat_width(const app_heat *heat, sim_time at);
/** Does all of that lie in one column? Then it does not matter where. */
bool app_heat_is_one_column(const app_heat *heat, sim_time begin, sim_time end);
/** Until then there is room. */
sim_time app_heat_reached(const app_heat *heat);
/** Make room. Nobody else may use the map meanwhile. At times O(cells). */
void app_heat_reach(app_heat *heat, sim_time end);
/**
 * @p rank loses the time from @p begin to @p end; of one rank in order of time, not overlapping.
 * O(columns met), and app_heat_reach() where there is no room. Where there is, several threads may
 * do so, each for its own ranks. The map depends on what was lost alone, not on the order of ranks.
 */
void app_heat_add(app_heat *heat, uint32_t rank, sim_time begin, sim_time end);
/** @p rank will soon lose something: bring near what that takes. */
void app_heat_prefetch(const app_heat *heat, uint32_t rank);
/** Some time after that: its cell. */
void app_heat_prefetch_cell(const app_heat *heat, uint32_t rank);
/** All that has been lost, by all ranks. */
sim_time app_heat_sum(const app_heat *heat);

/**
 * The pyramid of a run of @p makespan; nothing was lost after it.
 * @return [*n] owned by the caller, and so are their arrays
 */
app_picture_level *app_heat_levels(app_heat *heat, sim_time makespan, size_t *n);
/** The same of the second table, as one level. @return false: there is none */
bool app_heat_few(app_heat *heat, sim_time makespan, app_picture_level *out);
/** The finest level alone. */
void app_heat_finest(app_heat *heat, sim_time makespan, app_picture_level *out);
