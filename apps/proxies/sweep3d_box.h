/* apps/proxies/sweep3d_box.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A box of cells, the directions in which particles cross it, and one cell: what the wavefronts of
 * sweep3d and its serial solver share. Tests: test_proxies.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { SWEEP_ANGLES = 6, SWEEP_OCTANTS = 8, SWEEP_MATERIALS = 2 };

/* Level-symmetric S6: Lewis and Miller, Computational Methods of Neutron Transport, Table 4-1. */
typedef struct quadrature {
    double mu[SWEEP_ANGLES], eta[SWEEP_ANGLES], xi[SWEEP_ANGLES];
    double weight[SWEEP_ANGLES]; /* all octants together: 1 */
} quadrature;

typedef struct material {
    double total;   /* cross section: of a collision, per length */
    double scatter; /* of one that keeps the particle */
    double source;
} material;

typedef struct box {
    int nx, ny, nz;       /* cells */
    int x0, y0;           /* of the first, among all */
    int all_x, all_y;     /* cells of all ranks */
    double width;         /* of a cell */
    const material *made; /* [SWEEP_MATERIALS] */
    quadrature q;
} box;

/* Direction of an octant: the corner changes to a neighbouring one every other time. */
typedef struct octant {
    int x, y, z;
} octant;

/** The corner changes to a neighbouring one every other time. */
extern const octant SWEEP_ORDER[SWEEP_OCTANTS];

/** Level-symmetric S6. */
quadrature sweep_quadrature(void);
size_t sweep_cells(const box *b);
void sweep_clear(double *f, size_t n);
/** What is born in each cell: its own source, and what scatters there. */
void sweep_source(const box *b, const double *flux, double *source);
/** One sweep of the whole box in one piece: the flux of @p source. */
void sweep_serially(const box *b, const double *source, double *flux);

/** The middle third of the box, seen from above, is a shield around nothing. */
static inline const material *sweep_material(const box *b, int i, int j)
{
    const int x = 3 * (b->x0 + i) / b->all_x;
    const int y = 3 * (b->y0 + j) / b->all_y;
    return &b->made[x == 1 && y == 1];
}

/* What an angle needs of a cell: 2 cosine / width, in each direction. */
typedef struct slopes {
    double c[3];
} slopes;

static inline slopes sweep_slopes(const box *b, int angle)
{
    return (slopes){{2 * b->q.mu[angle] / b->width, 2 * b->q.eta[angle] / b->width,
                     2 * b->q.xi[angle] / b->width}};
}

/** Some outgoing flux came out negative: it is set to 0, and the balance solved again without.
 * @return the flux in the cell */
double sweep_fix_up(const slopes *s, double total, double source, const double in[3],
                    double out[3]);

/* @return the flux in a cell; @p face becomes what leaves it */
static inline double sweep_cell(const slopes *s, double total, double source, double *face_x,
                                double *face_y, double *face_z)
{
    const double in[3] = {*face_x, *face_y, *face_z};
    double psi = (source + s->c[0] * in[0] + s->c[1] * in[1] + s->c[2] * in[2]) /
                 (total + s->c[0] + s->c[1] + s->c[2]);
    double out[3] = {2 * psi - in[0], 2 * psi - in[1], 2 * psi - in[2]};
    if (out[0] < 0 || out[1] < 0 || out[2] < 0) {
        psi = sweep_fix_up(s, total, source, in, out);
    }
    *face_x = out[0];
    *face_y = out[1];
    *face_z = out[2];
    return psi;
}
