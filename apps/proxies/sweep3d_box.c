/* apps/proxies/sweep3d_box.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep3d_box.h"

#include "proxy.h"

#include <stdlib.h>

const octant SWEEP_ORDER[SWEEP_OCTANTS] = {{1, 1, 1},   {1, 1, -1},   {-1, 1, 1}, {-1, 1, -1},
                                           {-1, -1, 1}, {-1, -1, -1}, {1, -1, 1}, {1, -1, -1}};

quadrature sweep_quadrature(void)
{
    static const double COSINE[3] = {0.2666355, 0.6815076, 0.9261808};
    static const int LEVEL[SWEEP_ANGLES][3] = {{0, 0, 2}, {0, 1, 1}, {0, 2, 0},
                                               {1, 0, 1}, {1, 1, 0}, {2, 0, 0}};
    static const double WEIGHT[2] = {0.1761263, 0.1572071}; /* at a corner; between two */
    quadrature q;
    double all = 0;
    for (int a = 0; a < SWEEP_ANGLES; a++) {
        q.mu[a] = COSINE[LEVEL[a][0]];
        q.eta[a] = COSINE[LEVEL[a][1]];
        q.xi[a] = COSINE[LEVEL[a][2]];
        q.weight[a] = WEIGHT[LEVEL[a][0] == 1 || LEVEL[a][1] == 1];
        all += SWEEP_OCTANTS * q.weight[a];
    }
    for (int a = 0; a < SWEEP_ANGLES; a++) {
        q.weight[a] /= all;
    }
    return q;
}

double sweep_fix_up(const slopes *s, double total, double source, const double in[3], double out[3])
{
    bool fixed[3] = {false, false, false};
    double psi = 0;
    for (bool again = true; again;) {
        double above = source;
        double below = total;
        for (int d = 0; d < 3; d++) {
            above += fixed[d] ? s->c[d] / 2 * in[d] : s->c[d] * in[d];
            below += fixed[d] ? 0 : s->c[d];
        }
        psi = above / below;
        again = false;
        for (int d = 0; d < 3; d++) {
            out[d] = fixed[d] ? 0 : 2 * psi - in[d];
            if (out[d] < 0) {
                fixed[d] = again = true;
            }
        }
    }
    return psi;
}

size_t sweep_cells(const box *b)
{
    return (size_t)b->nx * (size_t)b->ny * (size_t)b->nz;
}

void sweep_source(const box *b, const double *flux, double *source)
{
    size_t c = 0;
    for (int k = 0; k < b->nz; k++) {
        for (int j = 0; j < b->ny; j++) {
            for (int i = 0; i < b->nx; i++, c++) {
                const material *m = sweep_material(b, i, j);
                source[c] = m->source + m->scatter * flux[c];
            }
        }
    }
}

void sweep_clear(double *f, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        f[i] = 0;
    }
}

void sweep_serially(const box *b, const double *source, double *flux)
{
    double *face_y = proxy_new((size_t)b->nx);
    double *face_z = proxy_new((size_t)b->nx * (size_t)b->ny);
    sweep_clear(flux, sweep_cells(b));
    for (int n = 0; n < SWEEP_OCTANTS * SWEEP_ANGLES; n++) {
        const octant *o = &SWEEP_ORDER[n / SWEEP_ANGLES];
        const slopes slope = sweep_slopes(b, n % SWEEP_ANGLES);
        sweep_clear(face_z, (size_t)b->nx * (size_t)b->ny);
        for (int kk = 0; kk < b->nz; kk++) {
            const int k = o->z > 0 ? kk : b->nz - 1 - kk;
            sweep_clear(face_y, (size_t)b->nx);
            for (int jj = 0; jj < b->ny; jj++) {
                const int j = o->y > 0 ? jj : b->ny - 1 - jj;
                double face_x = 0;
                for (int ii = 0; ii < b->nx; ii++) {
                    const int i = o->x > 0 ? ii : b->nx - 1 - ii;
                    const size_t c =
                        ((size_t)k * (size_t)b->ny + (size_t)j) * (size_t)b->nx + (size_t)i;
                    flux[c] +=
                        b->q.weight[n % SWEEP_ANGLES] *
                        sweep_cell(&slope, sweep_material(b, i, j)->total, source[c], &face_x,
                                   &face_y[i], &face_z[(size_t)j * (size_t)b->nx + (size_t)i]);
                }
            }
        }
    }
    free(face_y);
    free(face_z);
}
