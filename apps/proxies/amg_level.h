/* apps/proxies/amg_level.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The levels of amg: grids of points, each every other one of the grid above in each direction,
 * with the Galerkin operator of the 27-point Laplacian. That is a product of directions on each
 * level: 27 M x M x M - K x K x K, where M and K have three diagonals. A rank has a box of points,
 * which may be empty on coarse levels: then it is not active there. Tests: test_proxies.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { AMG_NEIGHBOURS = 26, AMG_DIMENSIONS = 3, AMG_MOST_LEVELS = 32 };

/* One direction of a level, known to all ranks. */
typedef struct amg_axis {
    int points;
    int *first;      /* [ranks in this direction + 1]: of each rank's points */
    double *mass;    /* [3 * points]: to the point before, itself, the one behind; M */
    double *laplace; /* [3 * points]: K */
} amg_axis;

typedef struct amg_level {
    amg_axis axis[AMG_DIMENSIONS];
    int n[AMG_DIMENSIONS];  /* points of this rank */
    int at[AMG_DIMENSIONS]; /* the first of them, among all */
    bool active;
    long long row;                 /* number of its first point, all ranks' in order */
    int neighbour[AMG_NEIGHBOURS]; /* ranks, MPI_PROC_NULL where there is none */
    double *x, *b, *r;             /* fields: with one point more on each side */
    double *line;                  /* [n[0]]: scratch */
    double *out, *in;              /* what is sent, received */
} amg_level;

typedef struct amg {
    int ranks[AMG_DIMENSIONS]; /* grid of ranks */
    int here[AMG_DIMENSIONS];
    int num_levels;
    amg_level level[AMG_MOST_LEVELS]; /* from the finest on */
} amg;

/**
 * Levels for @p points points per rank and direction, @p uneven (0..0.9) more on the last rank of
 * a direction and as many less on the first. Collective: 3 bcasts for each level but the finest,
 * a scan and 3 allgathers for each.
 */
void amg_make(amg *self, int points, double uneven);
void amg_free(amg *self);

/** Fields: index of a point, from 0, and how many numbers one has. */
size_t amg_field_at(const amg_level *level, int i, int j, int k);
size_t amg_field_size(const amg_level *level);

/** Bring the neighbours' points to the outside of a field. Not for ranks that are not active. */
void amg_exchange(const amg_level *level, double *field);

/** out = (A f) of the points in a row; @p own: without what the row itself gives if false. */
void amg_apply_row(const amg_level *level, const double *field, int j, int k, bool own,
                   double *out);
/** The three numbers of A that point (i, j, k) has with its own row. */
void amg_own(const amg_level *level, int i, int j, int k, double out[3]);
