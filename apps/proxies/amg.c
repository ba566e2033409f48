/* apps/proxies/amg.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The pattern of an algebraic multigrid solver such as AMG2006: GMRES for the 27-point Laplacian on
 * a cube, preconditioned by one V-cycle per iteration. On each level neighbours exchange what is
 * on the sides, edges and corners of their boxes, nonblocking; coarse levels have fewer ranks than
 * points would need. Coarse operators are Galerkin's, so that any number of points is well
 * solved. Gram-Schmidt takes one allreduce for each product. Checked: by how much an iteration
 * reduces the residual, the true residual, and the distance from a known answer.
 */
#include "amg_level.h"
#include "proxy.h"

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static const char PROGRAM[] = "amg";

enum { MOST_ITERATIONS = 100 };

/* ---- the V-cycle ---------------------------------------------------------------------------- */

/* Points outside have no neighbour to set them: they stay 0 from the beginning. */
static void set(const amg_level *level, double *field, double value)
{
    for (int k = 0; k < level->n[2]; k++) {
        for (int j = 0; j < level->n[1]; j++) {
            double *f = field + amg_field_at(level, 0, j, k);
            for (int i = 0; i < level->n[0]; i++) {
                f[i] = value;
            }
        }
    }
}

/* Gauss and Seidel on the points of this rank; those of others stay as they are. @param weight of
 * what is new */
static void smooth(const amg_level *level, double weight, double *x, const double *b)
{
    for (int k = 0; k < level->n[2]; k++) {
        for (int j = 0; j < level->n[1]; j++) {
            double *row = x + amg_field_at(level, 0, j, k);
            const double *load = b + amg_field_at(level, 0, j, k);
            amg_apply_row(level, x, j, k, false, level->line);
            for (int i = 0; i < level->n[0]; i++) {
                double own[3];
                amg_own(level, i, j, k, own);
                const double rest =
                    load[i] - level->line[i] - own[0] * row[i - 1] - own[2] * row[i + 1];
                row[i] += weight * (rest / own[1] - row[i]);
            }
        }
    }
}

/* What a coarse point gets of the fine ones around it: the transposed interpolation. */
static double gather(const amg_level *fine, const double *r, int i, int j, int k)
{
    static const double WEIGHT[3] = {0.5, 1, 0.5};
    double all = 0;
    for (int dk = -1; dk <= 1; dk++) {
        for (int dj = -1; dj <= 1; dj++) {
            const double *row = r + amg_field_at(fine, i, j + dj, k + dk);
            all += WEIGHT[1 + dk] * WEIGHT[1 + dj] * (row[-1] / 2 + row[0] + row[1] / 2);
        }
    }
    return all;
}

/* Where in this rank's fine points a coarse one is. */
static int fine_index(const amg_level *fine, const amg_level *coarse, int axis, int index)
{
    return 2 * (coarse->at[axis] + index) + 1 - fine->at[axis];
}

static void restrict_to(const amg_level *fine, const double *r, const amg_level *coarse)
{
    for (int k = 0; k < coarse->n[2]; k++) {
        for (int j = 0; j < coarse->n[1]; j++) {
            for (int i = 0; i < coarse->n[0]; i++) {
                coarse->b[amg_field_at(coarse, i, j, k)] =
                    gather(fine, r, fine_index(fine, coarse, 0, i), fine_index(fine, coarse, 1, j),
                           fine_index(fine, coarse, 2, k));
            }
        }
    }
}

/* Coarse points where they are in the fine field, 0 elsewhere. */
static void inject(const amg_level *coarse, const amg_level *fine, double *field)
{
    set(fine, field, 0);
    for (int k = 0; k < coarse->n[2]; k++) {
        for (int j = 0; j < coarse->n[1]; j++) {
            for (int i = 0; i < coarse->n[0]; i++) {
                field[amg_field_at(
                    fine, fine_index(fine, coarse, 0, i), fine_index(fine, coarse, 1, j),
                    fine_index(fine, coarse, 2, k))] = coarse->x[amg_field_at(coarse, i, j, k)];
            }
        }
    }
}

/* What is between coarse points is their mean. @p field has them, the neighbours' too. */
static void interpolate(const amg_level *level, const double *field, double *x)
{
    for (int k = 0; k < level->n[2]; k++) {
        for (int j = 0; j < level->n[1]; j++) {
            for (int i = 0; i < level->n[0]; i++) {
                x[amg_field_at(level, i, j, k)] = gather(level, field, i, j, k);
            }
        }
    }
}

typedef struct smoothing {
    int sweeps;
    double weight;
} smoothing;

/* From the residual in b an approximate correction in x: no smoothing on the way down, all of it
 * on the way up. Of the coarsest level, which has a point or few, enough sweeps to solve it. */
static void cycle(const amg *self, int l, const smoothing *by)
{
    const amg_level *level = &self->level[l];
    if (!level->active) {
        return;
    }
    if (l + 1 == self->num_levels) {
        set(level, level->x, 0);
        for (int i = 0; i < 10; i++) {
            amg_exchange(level, level->x);
            smooth(level, 1, level->x, level->b);
        }
        return;
    }
    const amg_level *coarse = &self->level[l + 1];
    amg_exchange(level, level->b);
    if (coarse->active) {
        restrict_to(level, level->b, coarse);
    }
    cycle(self, l + 1, by);
    inject(coarse, level, level->r);
    amg_exchange(level, level->r);
    interpolate(level, level->r, level->x);
    amg_exchange(level, level->x);
    for (int i = 0; i < by->sweeps; i++) {
        smooth(level, by->weight, level->x, level->b);
    }
}

/* ---- vectors: the points of this rank, without those around them ----------------------------- */

typedef struct solver {
    amg grid;
    smoothing by;
    size_t n;                                       /* points of this rank */
    double *basis[MOST_ITERATIONS + 1];             /* of the Krylov space */
    double h[MOST_ITERATIONS + 1][MOST_ITERATIONS]; /* Hessenberg, then triangular */
    double cosine[MOST_ITERATIONS], sine[MOST_ITERATIONS];
    double load[MOST_ITERATIONS + 1];
} solver;

static void vector_to_field(const solver *s, const double *v, double *field)
{
    const amg_level *level = &s->grid.level[0];
    for (int k = 0; k < level->n[2]; k++) {
        for (int j = 0; j < level->n[1]; j++) {
            double *f = field + amg_field_at(level, 0, j, k);
            for (int i = 0; i < level->n[0]; i++) {
                f[i] = *v++;
            }
        }
    }
}

/* out = A f; the field's outside is exchanged first. */
static void apply(const solver *s, double *field, double *out)
{
    const amg_level *level = &s->grid.level[0];
    amg_exchange(level, field);
    for (int k = 0; k < level->n[2]; k++) {
        for (int j = 0; j < level->n[1]; j++) {
            amg_apply_row(level, field, j, k, true, out);
            out += level->n[0];
        }
    }
}

static double dot(const double *a, const double *b, size_t n)
{
    double mine = 0;
    double all = 0;
    for (size_t i = 0; i < n; i++) {
        mine += a[i] * b[i];
    }
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* a = a + y b */
static void add(double *a, double y, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        a[i] += y * b[i];
    }
}

static void scale(double *a, double x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        a[i] *= x;
    }
}

/* ---- GMRES ---------------------------------------------------------------------------------- */

/* The new column of the Hessenberg matrix becomes triangular by the rotations before and one
 * more. @return the norm of the residual */
static double rotate(solver *s, int j)
{
    for (int i = 0; i < j; i++) {
        const double upper = s->h[i][j];
        s->h[i][j] = s->cosine[i] * upper + s->sine[i] * s->h[i + 1][j];
        s->h[i + 1][j] = -s->sine[i] * upper + s->cosine[i] * s->h[i + 1][j];
    }
    const double length = hypot(s->h[j][j], s->h[j + 1][j]);
    s->cosine[j] = s->h[j][j] / length;
    s->sine[j] = s->h[j + 1][j] / length;
    s->h[j][j] = length;
    s->load[j + 1] = -s->sine[j] * s->load[j];
    s->load[j] *= s->cosine[j];
    return fabs(s->load[j + 1]);
}

/* The next vector: A times the V-cycle of the last one, without what the others have of it. */
static double extend(solver *s, int j)
{
    const amg_level *level = &s->grid.level[0];
    double *next = s->basis[j + 1] = proxy_new(s->n);
    vector_to_field(s, s->basis[j], level->b);
    cycle(&s->grid, 0, &s->by);
    apply(s, level->x, next);
    for (int i = 0; i <= j; i++) { /* modified Gram and Schmidt */
        s->h[i][j] = dot(next, s->basis[i], s->n);
        add(next, -s->h[i][j], s->basis[i], s->n);
    }
    s->h[j + 1][j] = sqrt(dot(next, next, s->n));
    scale(next, 1 / s->h[j + 1][j], s->n);
    return rotate(s, j);
}

/* The answer into level 0's x: the V-cycle of the best combination of the basis. */
static void combine(solver *s, int n)
{
    double *all = proxy_new(s->n);
    for (int i = n - 1; i >= 0; i--) {
        double y = s->load[i];
        for (int k = i + 1; k < n; k++) {
            y -= s->h[i][k] * s->load[k];
        }
        s->load[i] = y / s->h[i][i];
        add(all, s->load[i], s->basis[i], s->n);
    }
    vector_to_field(s, all, s->grid.level[0].b);
    cycle(&s->grid, 0, &s->by);
    free(all);
}

/* @return iterations; @p first, @p last: norms of the residual as GMRES knows them */
static int solve(solver *s, const double *b, int most, double tolerance, double *first,
                 double *last)
{
    s->basis[0] = proxy_new(s->n);
    add(s->basis[0], 1, b, s->n);
    *first = *last = s->load[0] = sqrt(dot(b, b, s->n));
    scale(s->basis[0], 1 / *first, s->n);
    int n = 0;
    while (n<most && * last> tolerance * *first) {
        *last = extend(s, n++);
    }
    combine(s, n);
    for (int i = 0; i <= n; i++) {
        free(s->basis[i]);
    }
    return n;
}

/* ---- the program ---------------------------------------------------------------------------- */

/* The known answer: smooth and rough parts, anything but an eigenvector. */
static double answer(int i, int j, int k)
{
    const unsigned mixed =
        ((unsigned)i * 73856093U) ^ ((unsigned)j * 19349663U) ^ ((unsigned)k * 83492791U);
    return 1 + sin(0.05 * i) * cos(0.03 * j + 0.02 * k) + (double)(mixed % 1000) / 2000;
}

static void set_answer(const amg_level *level, double *field)
{
    for (int k = 0; k < level->n[2]; k++) {
        for (int j = 0; j < level->n[1]; j++) {
            for (int i = 0; i < level->n[0]; i++) {
                field[amg_field_at(level, i, j, k)] =
                    answer(level->at[0] + i, level->at[1] + j, level->at[2] + k);
            }
        }
    }
}

static double greatest(double mine)
{
    double all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

/* How far is x from the known answer? */
static double find_error(const amg_level *level)
{
    double most = 0;
    set_answer(level, level->r);
    for (int k = 0; k < level->n[2]; k++) {
        for (int j = 0; j < level->n[1]; j++) {
            const size_t row = amg_field_at(level, 0, j, k);
            for (size_t i = row; i < row + (size_t)level->n[0]; i++) {
                most = fmax(most, fabs(level->x[i] - level->r[i]));
            }
        }
    }
    return greatest(most);
}

/* |b - A x| */
static double find_residual(const solver *s, const double *b)
{
    double *r = proxy_new(s->n);
    apply(s, s->grid.level[0].x, r);
    scale(r, -1, s->n);
    add(r, 1, b, s->n);
    const double norm = sqrt(dot(r, r, s->n));
    free(r);
    return norm;
}

typedef struct outcome {
    int iterations;
    double factor;   /* per iteration, of the residual */
    double residual; /* the true one over the first */
    double error;
} outcome;

static outcome run(solver *s, int most, double tolerance)
{
    const amg_level *level = &s->grid.level[0];
    double first;
    double last;
    s->n = (size_t)level->n[0] * (size_t)level->n[1] * (size_t)level->n[2];
    double *b = proxy_new(s->n);
    const double points = (double)s->n;
    double all = 0;
    MPI_Allreduce(&points, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    const double largest = greatest(points);
    set_answer(level, level->x);
    apply(s, level->x, b);
    MPI_Barrier(MPI_COMM_WORLD);
    const double began = MPI_Wtime();
    outcome o = {.iterations = solve(s, b, most, tolerance, &first, &last)};
    const double seconds = greatest(MPI_Wtime() - began);
    o.residual = find_residual(s, b) / first;
    o.factor = pow(o.residual, 1.0 / o.iterations);
    o.error = find_error(level);
    free(b);
    if (proxy_rank() == 0) {
        printf("%d x %d x %d ranks, %.0f points, %.0f on one rank, %d levels, %d iterations in "
               "%.3g s: residual reduced to %.3g, by %.3g each; error %.3g\n",
               s->grid.ranks[0], s->grid.ranks[1], s->grid.ranks[2], all, largest,
               s->grid.num_levels, o.iterations, seconds, o.residual, o.factor, o.error);
    }
    return o;
}

int main(int argc, char **argv)
{
    int points = 16;
    int iterations = 50;
    int sweeps = 1;
    double uneven = 0;
    double tolerance = 1e-8;
    double factor = 0.6;
    double weight = 1;
    const proxy_option options[] = {
        {"points", "of a rank in each direction", &points, NULL, 2, 400},
        {"uneven", "share that the last rank of a direction has more, the first less", NULL,
         &uneven, 0, 0.4},
        {"sweeps", "of Gauss-Seidel on each level", &sweeps, NULL, 1, 1000},
        {"weight", "of what a sweep finds: less smooths less", NULL, &weight, 0.1, 1.9},
        {"iterations", "at most", &iterations, NULL, 1, MOST_ITERATIONS},
        {"tolerance", "of the residual, beside the first", NULL, &tolerance, 1e-15, 1},
        {"factor", "worse per iteration is an error", NULL, &factor, 0, 1},
    };
    proxy_start(&argc, &argv, PROGRAM,
                "GMRES with multigrid V-cycles, 27-point Laplacian in three dimensions.", options,
                sizeof options / sizeof *options);
    int number[3] = {points, iterations, sweeps};
    double real[4] = {uneven, tolerance, factor, weight};
    MPI_Bcast(number, 3, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(real, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    solver *s = calloc(1, sizeof *s);
    if (s == NULL) {
        exit(MPI_Abort(MPI_COMM_WORLD, 1));
    }
    s->by = (smoothing){number[2], real[3]};
    amg_make(&s->grid, number[0], real[0]);
    const outcome o = run(s, number[1], real[1]);
    amg_free(&s->grid);
    free(s);
    return proxy_end(PROGRAM, o.factor <= real[2] && o.error <= 1e4 * o.residual + 1e-9,
                     "the answer is wrong: see the line above");
}
