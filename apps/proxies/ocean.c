/* apps/proxies/ocean.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The pattern of an ocean model such as POP: in each time step a baroclinic part, explicit and
 * three- dimensional, which computes long and exchanges a few large halos; then a barotropic part,
 * implicit and two-dimensional, many short iterations of preconditioned conjugate gradients with a
 * nine-point operator, each with one small halo exchange and two global dot products of a single
 * number ("pcg"), or with one of two numbers ("chrongear", after Chronopoulos and Gear). Ranks form
 * a grid that is closed to the east and west, and ends in the north and south. Usage: ocean [POINTS
 * per side and rank [STEPS [ITERATIONS [pcg|chrongear]]]]
 */
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 20, TRACERS = 2 };

typedef struct ocean {
    MPI_Comm comm;
    int rank;
    int size;
    int north, south, west, east; /* MPI_PROC_NULL beyond the border */
    int n;                        /* points per side */
    int steps;
    int iterations;
    int fused; /* one dot product per iteration */
    MPI_Datatype column;
} ocean;

/* Fields are (n + 2) x (n + 2): the outermost points belong to the neighbours. */
static size_t at(const ocean *o, int row, int column)
{
    return (size_t)row * (size_t)(o->n + 2) + (size_t)column;
}

static size_t level_points(const ocean *o)
{
    return at(o, o->n + 2, 0);
}

static double *field_new(const ocean *o, int levels)
{
    const size_t points = level_points(o) * (size_t)levels;
    double *f = malloc(points * sizeof *f);
    if (f == NULL) {
        (void)fprintf(stderr, "ocean: out of memory\n");
        exit(MPI_Abort(MPI_COMM_WORLD, 1));
    }
    for (size_t i = 0; i < points; i++) { /* not calloc: its pages come with the first step */
        f[i] = 0;
    }
    return f;
}

static void grid_make(ocean *o)
{
    int dims[2] = {0, 0};
    const int periodic[2] = {0, 1};
    MPI_Comm_size(MPI_COMM_WORLD, &o->size);
    MPI_Dims_create(o->size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periodic, 0, &o->comm);
    MPI_Comm_rank(o->comm, &o->rank);
    MPI_Cart_shift(o->comm, 0, 1, &o->north, &o->south);
    MPI_Cart_shift(o->comm, 1, 1, &o->west, &o->east);
    MPI_Type_vector(o->n + 2, 1, o->n + 2, MPI_DOUBLE, &o->column);
    MPI_Type_commit(&o->column);
}

/* Swap what borders on @p low and @p high with them: all levels of a field at once. */
static void swap_sides(const ocean *o, int low, int high, double *const outer[2],
                       double *const inner[2], MPI_Datatype type)
{
    MPI_Request request[4];
    MPI_Irecv(outer[0], 1, type, low, 0, o->comm, &request[0]);
    MPI_Irecv(outer[1], 1, type, high, 1, o->comm, &request[1]);
    MPI_Isend(inner[0], 1, type, low, 1, o->comm, &request[2]);
    MPI_Isend(inner[1], 1, type, high, 0, o->comm, &request[3]);
    MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
}

/* First east and west, then whole rows to the north and south: so corners come along. */
static void exchange_halo(const ocean *o, double *f, int levels)
{
    const int n = o->n;
    const MPI_Aint stride = (MPI_Aint)(level_points(o) * sizeof *f);
    MPI_Datatype columns;
    MPI_Datatype rows;
    MPI_Type_create_hvector(levels, 1, stride, o->column, &columns);
    MPI_Type_create_hvector(levels, n + 2, stride, MPI_DOUBLE, &rows);
    MPI_Type_commit(&columns);
    MPI_Type_commit(&rows);
    double *const outer_columns[2] = {f, f + n + 1};
    double *const inner_columns[2] = {f + 1, f + n};
    double *const outer_rows[2] = {f, f + at(o, n + 1, 0)};
    double *const inner_rows[2] = {f + at(o, 1, 0), f + at(o, n, 0)};
    swap_sides(o, o->west, o->east, outer_columns, inner_columns, columns);
    swap_sides(o, o->north, o->south, outer_rows, inner_rows, rows);
    MPI_Type_free(&columns);
    MPI_Type_free(&rows);
}

static double neighbours(const ocean *o, const double *f, int i, int j)
{
    const double *above = f + at(o, i - 1, j);
    const double *here = f + at(o, i, j);
    const double *below = f + at(o, i + 1, j);
    return above[-1] + above[0] + above[1] + here[-1] + here[1] + below[-1] + below[0] + below[1];
}

/* ---- the baroclinic part ------------------------------------------------------------------- */

/* What one tracer spreads on one level, the faster the higher the water stands. */
static void spread(const ocean *o, const double *from, const double *height, double *to)
{
    for (int i = 1; i <= o->n; i++) {
        for (int j = 1; j <= o->n; j++) {
            const size_t k = at(o, i, j);
            const double speed = 0.1 / (1 + fabs(height[k]));
            to[k] = from[k] + speed * (neighbours(o, from, i, j) / 8 - from[k]);
        }
    }
}

/* All tracers on all levels; @p load becomes what drives the surface. */
static void step_baroclinic(const ocean *o, double *tracer[TRACERS], double **scratch,
                            const double *height, double *load)
{
    for (int t = 0; t < TRACERS; t++) {
        exchange_halo(o, tracer[t], LEVELS);
        for (int level = 0; level < LEVELS; level++) {
            const size_t first = level_points(o) * (size_t)level;
            spread(o, tracer[t] + first, height, *scratch + first);
        }
        double *swap = tracer[t];
        tracer[t] = *scratch;
        *scratch = swap;
    }
    for (int i = 1; i <= o->n; i++) {
        for (int j = 1; j <= o->n; j++) {
            const size_t k = at(o, i, j);
            double sum = 0;
            for (int level = 0; level < LEVELS; level++) {
                const size_t first = level_points(o) * (size_t)level;
                sum += tracer[0][first + k] - 0.5 * tracer[1][first + k];
            }
            load[k] = sum / LEVELS;
        }
    }
}

/* ---- the barotropic part ------------------------------------------------------------------- */

#define DIAGONAL 8.5 /* eight neighbours, and what the free surface adds */

static void apply(const ocean *o, const double *from, double *to)
{
    for (int i = 1; i <= o->n; i++) {
        for (int j = 1; j <= o->n; j++) {
            to[at(o, i, j)] = DIAGONAL * from[at(o, i, j)] - neighbours(o, from, i, j);
        }
    }
}

static double dot_here(const ocean *o, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 1; i <= o->n; i++) {
        for (int j = 1; j <= o->n; j++) {
            sum += a[at(o, i, j)] * b[at(o, i, j)];
        }
    }
    return sum;
}

static double dot(const ocean *o, const double *a, const double *b)
{
    const double mine = dot_here(o, a, b);
    double all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, o->comm);
    return all;
}

/* a = x a + y b, on the points that are ours */
static void combine(const ocean *o, double *a, double x, double y, const double *b)
{
    for (int i = 1; i <= o->n; i++) {
        for (int j = 1; j <= o->n; j++) {
            a[at(o, i, j)] = x * a[at(o, i, j)] + y * b[at(o, i, j)];
        }
    }
}

/* Vectors of the solver. */
typedef struct solver {
    double *r, *z, *s, *q, *az;
} solver;

/* One iteration; @p rz is that of the last one, 0 before the first. */
static double iterate(const ocean *o, const solver *v, double *height, double rz)
{
    combine(o, v->z, 0, 1 / DIAGONAL, v->r);
    const double next = dot(o, v->r, v->z);
    combine(o, v->s, rz > 0 ? next / rz : 0, 1, v->z);
    exchange_halo(o, v->s, 1);
    apply(o, v->s, v->q);
    const double alpha = next / dot(o, v->s, v->q);
    combine(o, height, 1, alpha, v->s);
    combine(o, v->r, 1, -alpha, v->q);
    return next;
}

/* The same with both products at once; @p sigma as @p rz. */
static double iterate_fused(const ocean *o, const solver *v, double *height, double rz,
                            double *sigma)
{
    combine(o, v->z, 0, 1 / DIAGONAL, v->r);
    exchange_halo(o, v->z, 1);
    apply(o, v->z, v->az);
    const double mine[2] = {dot_here(o, v->r, v->z), dot_here(o, v->z, v->az)};
    double all[2] = {0, 0};
    MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, o->comm);
    const double beta = rz > 0 ? all[0] / rz : 0;
    *sigma = all[1] - beta * beta * *sigma;
    combine(o, v->s, beta, 1, v->z);
    combine(o, v->q, beta, 1, v->az);
    combine(o, height, 1, all[0] / *sigma, v->s);
    combine(o, v->r, 1, -all[0] / *sigma, v->q);
    return all[0];
}

static double step_barotropic(const ocean *o, const solver *v, const double *load, double *height)
{
    double rz = 0;
    double sigma = 0;
    exchange_halo(o, height, 1);
    apply(o, height, v->r);
    combine(o, v->r, -1, 1, load);
    for (int i = 0; i < o->iterations; i++) {
        rz = o->fused ? iterate_fused(o, v, height, rz, &sigma) : iterate(o, v, height, rz);
    }
    return rz;
}

/* ---- the program --------------------------------------------------------------------------- */

static double integrate(const ocean *o, double *height)
{
    double *tracer[TRACERS] = {field_new(o, LEVELS), field_new(o, LEVELS)};
    double *scratch = field_new(o, LEVELS);
    double *load = field_new(o, 1);
    const solver v = {field_new(o, 1), field_new(o, 1), field_new(o, 1), field_new(o, 1),
                      field_new(o, 1)};
    for (int t = 0; t < TRACERS; t++) { /* warm and salt here and there */
        for (size_t i = 0; i < level_points(o) * LEVELS; i++) {
            tracer[t][i] = 1 + (double)((i * 7 + (size_t)o->rank * 29) % 32) / 32;
        }
    }
    double rz = 0;
    for (int step = 0; step < o->steps; step++) {
        step_baroclinic(o, tracer, &scratch, height, load);
        rz = step_barotropic(o, &v, load, height);
    }
    for (int t = 0; t < TRACERS; t++) {
        free(tracer[t]);
    }
    free(scratch);
    free(load);
    free(v.r);
    free(v.z);
    free(v.s);
    free(v.q);
    free(v.az);
    return rz;
}

static bool read_arguments(ocean *o, int argc, char **argv)
{
    o->n = argc > 1 ? atoi(argv[1]) : 48;
    o->steps = argc > 2 ? atoi(argv[2]) : 1;
    o->iterations = argc > 3 ? atoi(argv[3]) : 5;
    o->fused = argc > 4 && strcmp(argv[4], "chrongear") == 0;
    return o->n >= 1 && o->n <= 10000 && o->steps >= 1 && o->iterations >= 1 &&
           (argc <= 4 || o->fused || strcmp(argv[4], "pcg") == 0);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    ocean o = {0};
    if (!read_arguments(&o, argc, argv)) {
        (void)fprintf(stderr, "usage: ocean [POINTS [STEPS [ITERATIONS [pcg|chrongear]]]], "
                              "POINTS 1..10000\n");
        exit(MPI_Abort(MPI_COMM_WORLD, 2));
    }
    grid_make(&o);
    double *height = field_new(&o, 1);
    const double rz = integrate(&o, height);
    double mine = 0;
    double most = 0;
    for (int i = 1; i <= o.n; i++) {
        for (int j = 1; j <= o.n; j++) {
            mine = fmax(mine, fabs(height[at(&o, i, j)]));
        }
    }
    MPI_Reduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, 0, o.comm);
    if (o.rank == 0) {
        printf("%d ranks, %d x %d x %d points each, %d steps of %d iterations: |r| = %.6g, highest "
               "%.6g\n",
               o.size, o.n, o.n, LEVELS, o.steps, o.iterations, sqrt(rz * DIAGONAL), most);
    }
    free(height);
    MPI_Type_free(&o.column);
    MPI_Comm_free(&o.comm);
    MPI_Finalize();
    return 0;
}
