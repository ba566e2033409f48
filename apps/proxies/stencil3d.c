/* apps/proxies/stencil3d.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Conjugate gradients for the 7- or the 27-point Laplacian on a box of ranks in 3-D: per iteration
 * an exchange with all neighbours that the operator reaches, nonblocking, one product, and two
 * global dot products. The right hand side is the operator times a known answer, which is what has
 * to come out. Checked: the true residual, and the distance from that answer.
 */
#include "proxy.h"

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static const char PROGRAM[] = "stencil3d";

enum { DIMENSIONS = 3, MOST_NEIGHBOURS = 26 };

/* A neighbour, and what is exchanged with it: a face, an edge or a corner. */
typedef struct neighbour {
    int to[DIMENSIONS];
    int rank;
    double *out;
    double *in;
} neighbour;

typedef struct box {
    int here[DIMENSIONS];
    int n;      /* points in each direction */
    int points; /* of the operator: 7 or 27 */
    int num_neighbours;
    neighbour neighbours[MOST_NEIGHBOURS];
} box;

/* Fields are (n + 2)^3: the outermost points belong to the neighbours, or are 0. */
static size_t at(const box *b, int i, int j, int k)
{
    const size_t row = (size_t)b->n + 2;
    return ((size_t)(k + 1) * row + (size_t)(j + 1)) * row + (size_t)(i + 1);
}

static size_t field_size(const box *b)
{
    return at(b, b->n, b->n, b->n) + 1;
}

static size_t part_size(const box *b, const neighbour *to)
{
    size_t size = 1;
    for (int d = 0; d < DIMENSIONS; d++) {
        size *= to->to[d] == 0 ? (size_t)b->n : 1;
    }
    return size;
}

/* The neighbour in direction @p to, if there is one. */
static void add_neighbour(box *b, const int dims[DIMENSIONS], const int to[DIMENSIONS])
{
    neighbour *new = &b->neighbours[b->num_neighbours];
    int there[DIMENSIONS];
    for (int d = 0; d < DIMENSIONS; d++) {
        new->to[d] = to[d];
        there[d] = b->here[d] + to[d];
        if (there[d] < 0 || there[d] >= dims[d]) {
            return;
        }
    }
    new->rank = (there[0] * dims[1] + there[1]) * dims[2] + there[2];
    new->out = proxy_new(part_size(b, new));
    new->in = proxy_new(part_size(b, new));
    b->num_neighbours++;
}

static void box_make(box *b)
{
    int dims[DIMENSIONS] = {0, 0, 0};
    MPI_Dims_create(proxy_size(), DIMENSIONS, dims);
    b->here[0] = proxy_rank() / dims[2] / dims[1];
    b->here[1] = proxy_rank() / dims[2] % dims[1];
    b->here[2] = proxy_rank() % dims[2];
    for (int code = 0; code < 27; code++) {
        const int to[DIMENSIONS] = {code / 9 - 1, code / 3 % 3 - 1, code % 3 - 1};
        const int steps = abs(to[0]) + abs(to[1]) + abs(to[2]);
        if (steps > 0 && (steps == 1 || b->points == 27)) {
            add_neighbour(b, dims, to);
        }
    }
}

static void box_free(box *b)
{
    for (int i = 0; i < b->num_neighbours; i++) {
        free(b->neighbours[i].out);
        free(b->neighbours[i].in);
    }
}

/* Between the points at a border and a buffer: those of this rank that are sent, or those outside
 * that were received. */
static void copy(const box *b, const neighbour *to, double *field, double *buffer, bool outside)
{
    int from[DIMENSIONS];
    int end[DIMENSIONS];
    for (int d = 0; d < DIMENSIONS; d++) {
        from[d] = to->to[d] <= 0 ? 0 : b->n - 1;
        end[d] = to->to[d] >= 0 ? b->n : 1;
        from[d] += outside ? to->to[d] : 0;
        end[d] += outside ? to->to[d] : 0;
    }
    for (int k = from[0]; k < end[0]; k++) {
        for (int j = from[1]; j < end[1]; j++) {
            double *row = field + at(b, 0, j, k);
            for (int i = from[2]; i < end[2]; i++) {
                if (outside) {
                    row[i] = *buffer++;
                } else {
                    *buffer++ = row[i];
                }
            }
        }
    }
}

/* The opposite direction's tag is what the neighbour sends with. */
static int tag_of(const int to[DIMENSIONS], int sign)
{
    return sign * (9 * to[0] + 3 * to[1] + to[2]) + 13;
}

static void exchange(const box *b, double *field)
{
    MPI_Request request[2 * MOST_NEIGHBOURS];
    int num = 0;
    for (int i = 0; i < b->num_neighbours; i++) {
        const neighbour *from = &b->neighbours[i];
        MPI_Irecv(from->in, (int)part_size(b, from), MPI_DOUBLE, from->rank, tag_of(from->to, -1),
                  MPI_COMM_WORLD, &request[num++]);
    }
    for (int i = 0; i < b->num_neighbours; i++) {
        const neighbour *to = &b->neighbours[i];
        copy(b, to, field, to->out, false);
        MPI_Isend(to->out, (int)part_size(b, to), MPI_DOUBLE, to->rank, tag_of(to->to, 1),
                  MPI_COMM_WORLD, &request[num++]);
    }
    /* No branch for a rank alone: traces/counted has the blocks that this program runs through. */
    /* NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker) */
    MPI_Waitall(num, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < b->num_neighbours; i++) {
        copy(b, &b->neighbours[i], field, b->neighbours[i].in, true);
    }
}

/* The sum of three points in a row. */
static inline double three(const double *f)
{
    return f[-1] + f[0] + f[1];
}

/* out = A field: as many times the point as it has neighbours, less these. */
static void apply(const box *b, double *field, double *restrict out)
{
    const ptrdiff_t row = b->n + 2;
    const ptrdiff_t plane = row * row;
    exchange(b, field);
    for (int k = 0; k < b->n; k++) {
        for (int j = 0; j < b->n; j++) {
            for (int i = 0; i < b->n; i++) {
                const double *f = field + at(b, i, j, k);
                double around = f[-row] + f[row] + f[-plane] + f[plane] + f[-1] + f[1] - 6 * f[0];
                if (b->points == 27) {
                    around = -27 * f[0];
                    for (ptrdiff_t dk = -plane; dk <= plane; dk += plane) {
                        around += three(f + dk - row) + three(f + dk) + three(f + dk + row);
                    }
                }
                out[at(b, i, j, k)] = -around;
            }
        }
    }
}

static double dot(const box *b, const double *x, const double *y)
{
    double mine = 0;
    double all = 0;
    for (int k = 0; k < b->n; k++) {
        for (int j = 0; j < b->n; j++) {
            for (int i = 0; i < b->n; i++) {
                mine += x[at(b, i, j, k)] * y[at(b, i, j, k)];
            }
        }
    }
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* x = s x + t y */
static void combine(const box *b, double *x, double s, double t, const double *y)
{
    for (int k = 0; k < b->n; k++) {
        for (int j = 0; j < b->n; j++) {
            for (int i = 0; i < b->n; i++) {
                const size_t p = at(b, i, j, k);
                x[p] = s * x[p] + t * y[p];
            }
        }
    }
}

/* Different everywhere, and the same whatever the number of ranks. */
static double answer(const box *b, int i, int j, int k)
{
    const int x = b->here[2] * b->n + i;
    const int y = b->here[1] * b->n + j;
    const int z = b->here[0] * b->n + k;
    return 1 + (7 * x + 13 * y + 29 * z) % 32 / 32.0;
}

static void set_answer(const box *b, double *field)
{
    for (int k = 0; k < b->n; k++) {
        for (int j = 0; j < b->n; j++) {
            for (int i = 0; i < b->n; i++) {
                field[at(b, i, j, k)] = answer(b, i, j, k);
            }
        }
    }
}

/** From x = 0 and r = p. @return |r|^2 as the iteration has it; 0 ends it */
static double solve(const box *b, int iterations, double *x, double *r, double *p, double *ap)
{
    double rr = dot(b, r, r);
    for (int i = 0; i < iterations && rr > 0; i++) {
        apply(b, p, ap);
        const double alpha = rr / dot(b, p, ap);
        combine(b, x, 1, alpha, p);
        combine(b, r, 1, -alpha, ap);
        const double next = dot(b, r, r);
        combine(b, p, next / rr, 1, r);
        rr = next;
    }
    return rr;
}

int main(int argc, char **argv)
{
    box b = {.n = 16, .points = 7};
    int iterations = 20;
    double most = 0; /* the residual that is too much; 0: it need not have converged */
    const proxy_option options[] = {
        {"points", "points per rank in each direction", &b.n, NULL, 1, 500},
        {"stencil", "points of the operator: 7 or 27", &b.points, NULL, 7, 27},
        {"iterations", "of conjugate gradients", &iterations, NULL, 1, 100000},
        {"residual", "relative residual to reach, else exit code 1; 0: any", NULL, &most, 0, 1},
    };
    proxy_start(&argc, &argv, PROGRAM, "Conjugate gradients on a 3-D box of ranks.", options,
                sizeof options / sizeof *options);
    if (b.points != 7 && b.points != 27) {
        proxy_refuse(PROGRAM, "--stencil: 7 or 27");
    }
    box_make(&b);
    const size_t size = field_size(&b);
    double *x = proxy_new(size);
    double *r = proxy_new(size);
    double *p = proxy_new(size);
    double *ap = proxy_new(size);
    double *load = proxy_new(size);
    set_answer(&b, p);
    apply(&b, p, load); /* load = A answer; then r = p = load */
    combine(&b, r, 0, 1, load);
    combine(&b, p, 0, 1, load);
    const double before = dot(&b, load, load);
    const double rr = solve(&b, iterations, x, r, p, ap);
    apply(&b, x, ap); /* the true residual, and the error, are not the iteration's own */
    combine(&b, ap, -1, 1, load);
    const double residual = sqrt(dot(&b, ap, ap) / before);
    set_answer(&b, p);
    combine(&b, p, -1, 1, x);
    const double off = sqrt(dot(&b, p, p));
    set_answer(&b, p);
    const double error = off / sqrt(dot(&b, p, p));
    const double drift = fabs(residual - sqrt(rr / before));
    if (proxy_rank() == 0) {
        printf("%d ranks, %d^3 points each, %d-point, %d iterations: residual %.3g, error %.3g\n",
               proxy_size(), b.n, b.points, iterations, residual, error);
    }
    free(x);
    free(r);
    free(p);
    free(ap);
    free(load);
    box_free(&b);
    const bool ok = drift < 1e-10 && (most == 0 || residual <= most);
    return proxy_end(PROGRAM, ok, "the residual is larger than it should be");
}
