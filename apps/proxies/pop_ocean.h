/* apps/proxies/pop_ocean.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The ocean of pop: which points of this rank are water, how deep, and how fields are exchanged.
 * Ranks form a grid that is closed to the east and west, and ends in the north and south. Rank 0
 * draws a coarse map and broadcasts it row by row. Tests: test_proxies.
 */
#pragma once

#include <stddef.h>

enum { POP_MAP_ROWS = 240, POP_MAP_COLUMNS = 480 }; /* for any number of ranks */

typedef struct pop_ocean {
    int px, py, ix, iy;           /* grid of ranks, and where this one is */
    int north, south, west, east; /* ranks; MPI_PROC_NULL beyond the border */
    int n;                        /* points per side of this rank */
    int levels;
    int map_x, map_y; /* cells of the map */
    double *map;      /* [map_y][map_x]: depth, 0 (land) .. 1 */
    int *depth;       /* levels of each point of a plane, 0: land */
    size_t num_wet;
    size_t *wet; /* [num_wet]: points of this rank that are water */
    double *out[2], *in[2];
} pop_ocean;

/** Planes are (n + 2) x (n + 2): the outermost points belong to the neighbours. */
size_t pop_at(const pop_ocean *o, int i, int j);
size_t pop_plane(const pop_ocean *o);

/** @p land: share of the map. Collective: a bcast for each row of the map. */
void pop_ocean_make(pop_ocean *self, int points, int levels, double land);
void pop_ocean_free(pop_ocean *self);

/** Which cell of the map is this point in, which may be a neighbour's? Rows beyond the border: -1.
 */
int pop_map_column(const pop_ocean *o, int i);
int pop_map_row(const pop_ocean *o, int j);

/** Bring the neighbours' points to the outside of @p levels planes, corners included: first east
 * and west, then north and south. Four messages. */
void pop_exchange(const pop_ocean *o, double *field, int levels);
