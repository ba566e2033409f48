/* apps/proxies/sweep3d.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Neutron transport by discrete ordinates, as Sweep3D does it: one group, steady, in three
 * dimensions, S6 angles, diamond differences with negative fluxes set to zero, source iteration.
 * Every octant is swept as a wavefront over a two-dimensional grid of ranks (Koch, Baker and
 * Alcouffe, 1992): a block of planes and angles is received from two neighbours, computed, and sent
 * to the two others, all blocking. One allreduce per iteration says whether it has converged.
 * Checked: particles are conserved, and with --check=1 the answer is that of a serial solver.
 */
#include "proxy.h"
#include "sweep3d_box.h"

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static const char PROGRAM[] = "sweep3d";

typedef struct solver {
    box here;
    int px, py, ix, iy;          /* grid of ranks, and where this one is */
    int planes;                  /* in a block */
    int angles;                  /* in a block */
    double *flux, *old, *source; /* [nz][ny][nx] */
    double *face_x;              /* [angles][planes][ny] of the block, in, then out */
    double *face_y;              /* [angles][planes][nx] */
    double *face_z;              /* [angles][ny][nx] */
    double leaked;               /* out of all, in this sweep */
} solver;

/* ---- a block -------------------------------------------------------------------------------- */

/* One angle through the planes from @p k0 on, in the octant's direction. */
static void sweep_angle(solver *s, const octant *o, int angle, int slot, int k0)
{
    const box *b = &s->here;
    const slopes slope = sweep_slopes(b, angle);
    const double weight = b->q.weight[angle];
    for (int kk = 0; kk < s->planes; kk++) {
        const int k = o->z > 0 ? k0 + kk : b->nz - 1 - k0 - kk;
        double *face_y = s->face_y + (size_t)(slot * s->planes + kk) * (size_t)b->nx;
        for (int jj = 0; jj < b->ny; jj++) {
            const int j = o->y > 0 ? jj : b->ny - 1 - jj;
            double *face_x = s->face_x + (size_t)(slot * s->planes + kk) * (size_t)b->ny + j;
            double *face_z = s->face_z + ((size_t)slot * (size_t)b->ny + (size_t)j) * (size_t)b->nx;
            const size_t row = ((size_t)k * (size_t)b->ny + (size_t)j) * (size_t)b->nx;
            for (int ii = 0; ii < b->nx; ii++) {
                const int i = o->x > 0 ? ii : b->nx - 1 - ii;
                s->flux[row + (size_t)i] +=
                    weight * sweep_cell(&slope, sweep_material(b, i, j)->total,
                                        s->source[row + (size_t)i], face_x, &face_y[i], &face_z[i]);
            }
        }
    }
}

static double sum(const double *f, size_t n)
{
    double all = 0;
    for (size_t i = 0; i < n; i++) {
        all += f[i];
    }
    return all;
}

/* What leaves through a side of the whole box: cosine times flux, of the angles of the block. */
static double leak(const box *b, const double *cosine, int first, int n, const double *face,
                   size_t len)
{
    double all = 0;
    for (int a = 0; a < n; a++) {
        all += b->q.weight[first + a] * cosine[first + a] / b->width *
               sum(face + (size_t)a * len, len);
    }
    return all;
}

/* Receive a face from the neighbour that is swept before, or nothing enters there. */
static void receive(const solver *s, int ix, int iy, double *face, size_t len, int tag)
{
    if (ix < 0 || ix >= s->px || iy < 0 || iy >= s->py) {
        sweep_clear(face, len);
        return;
    }
    MPI_Recv(face, (int)len, MPI_DOUBLE, iy * s->px + ix, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* @return false: the face is the box's side, and what leaves there leaves for good */
static bool send(const solver *s, int ix, int iy, const double *face, size_t len, int tag)
{
    if (ix < 0 || ix >= s->px || iy < 0 || iy >= s->py) {
        return false;
    }
    MPI_Send(face, (int)len, MPI_DOUBLE, iy * s->px + ix, tag, MPI_COMM_WORLD);
    return true;
}

static void sweep_block(solver *s, const octant *o, int first_angle, int k0)
{
    const box *b = &s->here;
    const size_t plane_x = (size_t)s->planes * (size_t)b->ny;
    const size_t plane_y = (size_t)s->planes * (size_t)b->nx;
    const size_t len_x = (size_t)s->angles * plane_x;
    const size_t len_y = (size_t)s->angles * plane_y;
    receive(s, s->ix - o->x, s->iy, s->face_x, len_x, 0);
    receive(s, s->ix, s->iy - o->y, s->face_y, len_y, 1);
    for (int a = 0; a < s->angles; a++) {
        sweep_angle(s, o, first_angle + a, a, k0);
    }
    if (!send(s, s->ix + o->x, s->iy, s->face_x, len_x, 0)) {
        s->leaked += leak(b, b->q.mu, first_angle, s->angles, s->face_x, plane_x);
    }
    if (!send(s, s->ix, s->iy + o->y, s->face_y, len_y, 1)) {
        s->leaked += leak(b, b->q.eta, first_angle, s->angles, s->face_y, plane_y);
    }
}

static void sweep(solver *s)
{
    const box *b = &s->here;
    const size_t plane_z = (size_t)b->nx * (size_t)b->ny;
    sweep_clear(s->flux, sweep_cells(b));
    s->leaked = 0;
    for (int i = 0; i < SWEEP_OCTANTS; i++) {
        for (int angle = 0; angle < SWEEP_ANGLES; angle += s->angles) {
            sweep_clear(s->face_z, (size_t)s->angles * plane_z);
            for (int k = 0; k < b->nz; k += s->planes) {
                sweep_block(s, &SWEEP_ORDER[i], angle, k);
            }
            s->leaked += leak(b, b->q.xi, angle, s->angles, s->face_z, plane_z);
        }
    }
}

/* ---- the iteration -------------------------------------------------------------------------- */

/* How much the flux of a cell still changes, at most. */
static double find_change(const solver *s)
{
    double mine = 0;
    double all = 0;
    for (size_t c = 0; c < sweep_cells(&s->here); c++) {
        mine = fmax(mine, fabs(s->flux[c] - s->old[c]) / s->flux[c]);
    }
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

/* @return iterations; @p change: of the last */
static int iterate(solver *s, int most, double tolerance, double *change)
{
    int n = 0;
    do {
        double *swap = s->old;
        s->old = s->flux;
        s->flux = swap;
        sweep_source(&s->here, s->old, s->source);
        sweep(s);
        *change = find_change(s);
        n++;
    } while (n<most && * change> tolerance);
    return n;
}

/* Of what is born, which share is neither lost in collisions nor leaked? 0 but for round-off.
 * @p total: the flux of all cells together. */
static double find_imbalance(const solver *s, double *total)
{
    const box *b = &s->here;
    double mine[4] = {sum(s->source, sweep_cells(b)), 0, s->leaked, sum(s->flux, sweep_cells(b))};
    double all[4];
    size_t c = 0;
    for (int k = 0; k < b->nz; k++) {
        for (int j = 0; j < b->ny; j++) {
            for (int i = 0; i < b->nx; i++, c++) {
                mine[1] += sweep_material(b, i, j)->total * s->flux[c];
            }
        }
    }
    MPI_Allreduce(mine, all, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    *total = all[3];
    return fabs(all[0] - all[1] - all[2]) / all[0];
}

/* ---- against a serial solver ---------------------------------------------------------------- */

/* On rank 0: the largest relative difference from a serial solver. */
static double compare(const solver *s, const double *gathered, int iterations)
{
    box b = s->here;
    b.nx = b.all_x;
    b.ny = b.all_y;
    b.x0 = b.y0 = 0;
    double *flux = proxy_new(sweep_cells(&b));
    double *source = proxy_new(sweep_cells(&b));
    for (int i = 0; i < iterations; i++) {
        sweep_source(&b, flux, source);
        sweep_serially(&b, source, flux);
    }
    double most = 0;
    const size_t nx = (size_t)s->here.nx;
    const size_t ny = (size_t)s->here.ny;
    size_t c = 0;
    for (size_t k = 0; k < (size_t)b.nz; k++) {
        for (size_t j = 0; j < (size_t)b.ny; j++) {
            for (size_t i = 0; i < (size_t)b.nx; i++, c++) {
                const size_t rank = j / ny * (size_t)s->px + i / nx;
                const size_t theirs =
                    rank * sweep_cells(&s->here) + (k * ny + j % ny) * nx + i % nx;
                most = fmax(most, fabs(gathered[theirs] - flux[c]) / flux[c]);
            }
        }
    }
    free(flux);
    free(source);
    return most;
}

/* @return on all ranks */
static double check(const solver *s, int iterations)
{
    const int n = (int)sweep_cells(&s->here);
    double *gathered =
        proxy_new(proxy_rank() == 0 ? sweep_cells(&s->here) * (size_t)proxy_size() : 1);
    MPI_Gather(s->flux, n, MPI_DOUBLE, gathered, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    double most = proxy_rank() == 0 ? compare(s, gathered, iterations) : 0;
    MPI_Bcast(&most, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    free(gathered);
    return most;
}

/* ---- the program ---------------------------------------------------------------------------- */

/* What rank 0 would have read from a file goes out in four parts, as Sweep3D's input does. */
static void share_input(int number[6], double real[2], quadrature *q,
                        material made[SWEEP_MATERIALS])
{
    MPI_Bcast(number, 6, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(real, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(q, (int)(sizeof *q / sizeof(double)), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(made, (int)(SWEEP_MATERIALS * sizeof *made / sizeof(double)), MPI_DOUBLE, 0,
              MPI_COMM_WORLD);
}

static solver solver_make(const int number[6], const quadrature *q, const material *made)
{
    int dims[2] = {0, 0};
    MPI_Dims_create(proxy_size(), 2, dims);
    const int n = number[0];
    solver s = {.px = dims[0],
                .py = dims[1],
                .ix = proxy_rank() % dims[0],
                .iy = proxy_rank() / dims[0],
                .planes = number[2],
                .angles = number[3]};
    s.here = (box){.nx = n,
                   .ny = n,
                   .nz = number[1],
                   .x0 = n * s.ix,
                   .y0 = n * s.iy,
                   .all_x = n * dims[0],
                   .all_y = n * dims[1],
                   .width = 0.5,
                   .made = made,
                   .q = *q};
    s.flux = proxy_new(sweep_cells(&s.here));
    s.old = proxy_new(sweep_cells(&s.here));
    s.source = proxy_new(sweep_cells(&s.here));
    const size_t block = (size_t)(s.angles * s.planes) * (size_t)n;
    s.face_x = proxy_new(block);
    s.face_y = proxy_new(block);
    s.face_z = proxy_new((size_t)s.angles * (size_t)n * (size_t)n);
    return s;
}

static void solver_free(solver *s)
{
    free(s->flux);
    free(s->old);
    free(s->source);
    free(s->face_x);
    free(s->face_y);
    free(s->face_z);
}

/* @return is the answer right? */
static bool run(const int number[6], double tolerance, const quadrature *q, const material *made)
{
    solver s = solver_make(number, q, made);
    double change = 0;
    double total = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    const double began = MPI_Wtime();
    const int n = iterate(&s, number[4], tolerance, &change);
    MPI_Barrier(MPI_COMM_WORLD);
    const double off = find_imbalance(&s, &total);
    double mine[2] = {MPI_Wtime() - began, 0};
    double most[2];
    for (size_t c = 0; c < sweep_cells(&s.here); c++) {
        mine[1] = fmax(mine[1], s.flux[c]);
    }
    MPI_Allreduce(mine, most, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    const double differs = number[5] != 0 ? check(&s, n) : 0;
    if (proxy_rank() == 0) {
        printf("%d x %d ranks, %d x %d x %d cells each, %d iterations in %.3g s: change %.3g, "
               "flux %.12g, highest %.6g, balance off by %.2g",
               s.px, s.py, s.here.nx, s.here.ny, s.here.nz, n, most[0], change, total, most[1],
               off);
        printf(number[5] != 0 ? ", from the serial answer %.2g\n" : "\n", differs);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    solver_free(&s);
    return off < 1e-11 && differs < 1e-12 && total > 0;
}

int main(int argc, char **argv)
{
    int number[6] = {10, 40, 10, 3, 30, 0};
    double real[2] = {1e-6, 0.5};
    const proxy_option options[] = {
        {"cells", "cells of a rank in x and in y", &number[0], NULL, 1, 1000},
        {"height", "cells in z", &number[1], NULL, 1, 100000},
        {"planes", "of them in a block", &number[2], NULL, 1, 1000},
        {"angles", "of the six of an octant in a block: 1, 2, 3 or 6", &number[3], NULL, 1, 6},
        {"iterations", "at most", &number[4], NULL, 1, 1e6},
        {"tolerance", "largest change of a cell's flux", NULL, &real[0], 0, 1},
        {"scattering", "share of the collisions", NULL, &real[1], 0, 1},
        {"check", "1: solve serially, too, and compare", &number[5], NULL, 0, 1},
    };
    proxy_start(&argc, &argv, PROGRAM, "Discrete ordinates in three dimensions, as wavefronts.",
                options, sizeof options / sizeof *options);
    char what[100];
    if (number[1] % number[2] != 0) {
        (void)snprintf(what, sizeof what, "--planes=%d: does not divide --height=%d", number[2],
                       number[1]);
        proxy_refuse(PROGRAM, what);
    }
    if (SWEEP_ANGLES % number[3] != 0) {
        (void)snprintf(what, sizeof what, "--angles=%d: does not divide 6", number[3]);
        proxy_refuse(PROGRAM, what);
    }
    quadrature q = sweep_quadrature();
    material made[SWEEP_MATERIALS] = {{1, real[1], 1}, {2, 2 * real[1], 0.1}};
    share_input(number, real, &q, made);
    const bool ok = run(number, real[0], &q, made);
    return proxy_end(PROGRAM, ok, "the answer is wrong: see the line above");
}
