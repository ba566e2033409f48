/* apps/proxies/halo_cg.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Conjugate gradients for the five-point Laplacian: the pattern of countless codes. Per iteration
 * a halo exchange with up to four neighbours on a Cartesian grid of ranks, one product with the
 * matrix, and two global dot products. Usage: halo_cg [POINTS per side and rank [ITERATIONS]]
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { NORTH, SOUTH, WEST, EAST, SIDES };

typedef struct grid {
    MPI_Comm comm;
    int rank;
    int size;
    int neighbour[SIDES]; /* MPI_PROC_NULL at the border */
    int n;                /* points per side */
    MPI_Datatype column;
} grid;

/* Vectors are (n + 2) x (n + 2): the outermost points belong to the neighbours. */
static size_t at(const grid *g, int row, int column)
{
    return (size_t)row * (size_t)(g->n + 2) + (size_t)column;
}

static double *vector_new(const grid *g)
{
    const size_t points = at(g, g->n + 2, 0);
    double *v = malloc(points * sizeof *v);
    if (v == NULL) {
        (void)fprintf(stderr, "halo_cg: out of memory\n");
        exit(MPI_Abort(MPI_COMM_WORLD, 1));
    }
    for (size_t i = 0; i < points; i++) { /* not calloc: its pages come at the first iteration */
        v[i] = 0;
    }
    return v;
}

static void grid_make(grid *g)
{
    int dims[2] = {0, 0};
    const int periodic[2] = {0, 0};
    MPI_Comm_size(MPI_COMM_WORLD, &g->size);
    MPI_Dims_create(g->size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periodic, 0, &g->comm);
    MPI_Comm_rank(g->comm, &g->rank);
    MPI_Cart_shift(g->comm, 0, 1, &g->neighbour[NORTH], &g->neighbour[SOUTH]);
    MPI_Cart_shift(g->comm, 1, 1, &g->neighbour[WEST], &g->neighbour[EAST]);
    MPI_Type_vector(g->n, 1, g->n + 2, MPI_DOUBLE, &g->column);
    MPI_Type_commit(&g->column);
}

static void exchange_halo(const grid *g, double *v)
{
    const int n = g->n;
    MPI_Request request[2 * SIDES];
    const size_t outer[SIDES] = {at(g, 0, 1), at(g, n + 1, 1), at(g, 1, 0), at(g, 1, n + 1)};
    const size_t inner[SIDES] = {at(g, 1, 1), at(g, n, 1), at(g, 1, 1), at(g, 1, n)};
    for (int side = 0; side < SIDES; side++) {
        MPI_Irecv(v + outer[side], side < WEST ? n : 1, side < WEST ? MPI_DOUBLE : g->column,
                  g->neighbour[side], side, g->comm, &request[side]);
    }
    for (int side = 0; side < SIDES; side++) { /* my north is their south */
        MPI_Isend(v + inner[side], side < WEST ? n : 1, side < WEST ? MPI_DOUBLE : g->column,
                  g->neighbour[side], side ^ 1, g->comm, &request[SIDES + side]);
    }
    MPI_Waitall(2 * SIDES, request, MPI_STATUSES_IGNORE);
}

/* to = A from */
static void apply(const grid *g, const double *from, double *to)
{
    for (int i = 1; i <= g->n; i++) {
        for (int j = 1; j <= g->n; j++) {
            const size_t k = at(g, i, j);
            to[k] = 4 * from[k] - from[k - 1] - from[k + 1] - from[at(g, i - 1, j)] -
                    from[at(g, i + 1, j)];
        }
    }
}

static double dot(const grid *g, const double *a, const double *b)
{
    double mine = 0;
    double all = 0;
    for (int i = 1; i <= g->n; i++) {
        for (int j = 1; j <= g->n; j++) {
            mine += a[at(g, i, j)] * b[at(g, i, j)];
        }
    }
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, g->comm);
    return all;
}

/* a = x a + y b, on the points that are ours */
static void combine(const grid *g, double *a, double x, double y, const double *b)
{
    for (int i = 1; i <= g->n; i++) {
        for (int j = 1; j <= g->n; j++) {
            a[at(g, i, j)] = x * a[at(g, i, j)] + y * b[at(g, i, j)];
        }
    }
}

/* @return |r|^2 after so many iterations from x = 0 */
static double solve(const grid *g, int iterations, double *x, double *r, double *p, double *ap)
{
    double rr = dot(g, r, r);
    for (int i = 0; i < iterations; i++) {
        exchange_halo(g, p);
        apply(g, p, ap);
        const double alpha = rr / dot(g, p, ap);
        combine(g, x, 1, alpha, p);
        combine(g, r, 1, -alpha, ap);
        const double next = dot(g, r, r);
        combine(g, p, next / rr, 1, r);
        rr = next;
    }
    return rr;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    grid g = {0};
    int parameter[2] = {argc > 1 ? atoi(argv[1]) : 400, argc > 2 ? atoi(argv[2]) : 6};
    MPI_Bcast(parameter, 2, MPI_INT, 0, MPI_COMM_WORLD);
    if (parameter[0] < 1 || parameter[0] > 20000 || parameter[1] < 1) {
        (void)fprintf(stderr, "usage: halo_cg [POINTS [ITERATIONS]], POINTS 1..20000\n");
        exit(MPI_Abort(MPI_COMM_WORLD, 2));
    }
    g.n = parameter[0];
    grid_make(&g);
    double *x = vector_new(&g);
    double *r = vector_new(&g);
    double *p = vector_new(&g);
    double *ap = vector_new(&g);
    for (int i = 1; i <= g.n; i++) { /* a right hand side that is different everywhere */
        for (int j = 1; j <= g.n; j++) {
            r[at(&g, i, j)] = p[at(&g, i, j)] = 1 + (i * 7 + j * 13 + g.rank * 29) % 32 / 32.0;
        }
    }
    const double rr = solve(&g, parameter[1], x, r, p, ap);
    double largest = 0;
    double of_all = 0;
    for (int i = 1; i <= g.n; i++) {
        for (int j = 1; j <= g.n; j++) {
            largest = fmax(largest, fabs(x[at(&g, i, j)]));
        }
    }
    MPI_Reduce(&largest, &of_all, 1, MPI_DOUBLE, MPI_MAX, 0, g.comm);
    if (g.rank == 0) {
        printf("%d ranks, %d x %d points each, %d iterations: |r| = %.6g, max x = %.6g\n", g.size,
               g.n, g.n, parameter[1], sqrt(rr), of_all);
    }
    free(x);
    free(r);
    free(p);
    free(ap);
    MPI_Type_free(&g.column);
    MPI_Comm_free(&g.comm);
    MPI_Finalize();
    return 0;
}
