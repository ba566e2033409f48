/* apps/proxies/pop.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The pattern of the Parallel Ocean Program: in each step a baroclinic part, explicit and
 * three-dimensional, which moves a tracer; and a barotropic part, implicit and two-dimensional,
 * conjugate gradients with a nine-point operator, preconditioned by its diagonal, two dot products
 * per iteration, each behind a barrier, so that waiting is told from reducing. Land is not
 * computed: ranks differ in what they have to do. Rank 0 "reads" the map and, in each step, the
 * wind, and broadcasts them row by row. Checked: surface and tracer against a manufactured
 * solution.
 */
#include "pop_ocean.h"
#include "proxy.h"

#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static const char PROGRAM[] = "pop";

/* Constants of the ocean. */
typedef struct constants {
    double current_x, current_y; /* share of a cell per step */
    double mixing_across, mixing_down;
    double stretch;     /* dy over dx */
    double swing, pace; /* of the manufactured tracer in time */
    double decay;       /* and in depth */
} constants;

enum { WIND_ROWS = 32, WIND_COLUMNS = 64, CHECK_EVERY = 10 };

typedef struct model {
    pop_ocean ocean;
    constants c;
    int most; /* iterations */
    double tolerance;
    double mass;  /* what the free surface adds to the diagonal, per mean depth */
    double *wind; /* [WIND_ROWS][WIND_COLUMNS] */
    double *centre, *north, *east, *corner; /* couplings, as POP keeps them */
    double *surface, *load;
    double *r, *z, *s, *q;               /* of the solver */
    double *tracer, *next;               /* [levels] planes */
    double *shape_x, *shape_y, *shape_z; /* of the manufactured tracer */
    int iterations;                      /* in all */
    double waited;                       /* in barriers, s */
    double reduced;                      /* in allreduces, s */
} model;

/* ---- the manufactured solution --------------------------------------------------------------- */

/* What the wind makes of the surface in a cell of its own coarse grid. */
static double wind_at(int row, int column, int step)
{
    const double x = (column + 0.5) / WIND_COLUMNS;
    const double y = (row + 0.5) / WIND_ROWS;
    return sin(2 * M_PI * (x + 0.03 * step)) * cos(M_PI * y) + 0.3 * cos(6 * M_PI * x) * y;
}

/* Which number of the wind a point has. */
static size_t wind_cell(const pop_ocean *o, int i, int j)
{
    const int row = pop_map_row(o, j) * WIND_ROWS / o->map_y;
    const int column = pop_map_column(o, i) * WIND_COLUMNS / o->map_x;
    return (size_t)(row < 0 ? 0 : row) * WIND_COLUMNS + (size_t)column;
}

static double tracer_time(const model *m, int step)
{
    return 1 + m->c.swing * cos(m->c.pace * step);
}

/* The tracer that is to come out, but for its time. */
static double tracer_shape(const model *m, size_t k, int level)
{
    const size_t row = (size_t)m->ocean.n + 2;
    return m->shape_x[k % row] * m->shape_y[k / row] * m->shape_z[level + 1];
}

/* ---- the baroclinic part --------------------------------------------------------------------- */

typedef struct around {
    double west, east, south, north, below, above;
} around;

/* What a tracer changes in a cell by a current and by mixing. */
static inline double transport(const constants *c, double here, const around *a)
{
    const double current =
        c->current_x * (a->west - a->east) + c->current_y * (a->south - a->north);
    const double mixing = c->mixing_across * (a->west + a->east + a->south + a->north - 4 * here) +
                          c->mixing_down * (a->above + a->below - 2 * here);
    return current + mixing;
}

/* Of what is beyond the shore or the bottom the cell itself stands for. */
static inline around neighbours(const model *m, size_t k, int level, const double *here)
{
    const pop_ocean *o = &m->ocean;
    const size_t row = (size_t)o->n + 2;
    const size_t plane = pop_plane(o);
    return (around){
        .west = o->depth[k - 1] > level ? here[-1] : *here,
        .east = o->depth[k + 1] > level ? here[1] : *here,
        .south = o->depth[k - row] > level ? here[-(ptrdiff_t)row] : *here,
        .north = o->depth[k + row] > level ? here[row] : *here,
        .above = level > 0 ? here[-(ptrdiff_t)plane] : *here,
        .below = level + 1 < o->depth[k] ? here[plane] : *here,
    };
}

static inline around shapes_around(const model *m, size_t k, int level)
{
    const pop_ocean *o = &m->ocean;
    const size_t row = (size_t)o->n + 2;
    const double here = tracer_shape(m, k, level);
    return (around){
        .west = o->depth[k - 1] > level ? tracer_shape(m, k - 1, level) : here,
        .east = o->depth[k + 1] > level ? tracer_shape(m, k + 1, level) : here,
        .south = o->depth[k - row] > level ? tracer_shape(m, k - row, level) : here,
        .north = o->depth[k + row] > level ? tracer_shape(m, k + row, level) : here,
        .above = level > 0 ? tracer_shape(m, k, level - 1) : here,
        .below = level + 1 < o->depth[k] ? tracer_shape(m, k, level + 1) : here,
    };
}

/* One step of the tracer, with the source that makes it what it is to be. The mean over depth, as
 * far as it is not what it should be, loads the surface. */
static void step_baroclinic(model *m, int step)
{
    const pop_ocean *o = &m->ocean;
    const double before = tracer_time(m, step);
    const double after = tracer_time(m, step + 1);
    pop_exchange(o, m->tracer, o->levels);
    for (size_t w = 0; w < o->num_wet; w++) {
        const size_t k = o->wet[w];
        double off = 0;
        for (int level = 0; level < o->depth[k]; level++) {
            const size_t at = (size_t)level * pop_plane(o) + k;
            const double shape = tracer_shape(m, k, level);
            const around real = neighbours(m, k, level, m->tracer + at);
            const around made = shapes_around(m, k, level);
            const double source =
                (after - before) * shape - before * transport(&m->c, shape, &made);
            m->next[at] = m->tracer[at] + transport(&m->c, m->tracer[at], &real) + source;
            off += m->next[at] - after * shape;
        }
        m->load[k] = off / o->depth[k];
    }
    double *swap = m->tracer;
    m->tracer = m->next;
    m->next = swap;
}

/* ---- the barotropic part --------------------------------------------------------------------- */

/* Where four points meet the water is as deep as the shallowest of them: POP's grid B. The surface
 * changes by the divergence of its gradient there: docs of POP, "nine-point". */
static void make_operator(model *m)
{
    const pop_ocean *o = &m->ocean;
    const size_t row = (size_t)o->n + 2;
    for (int j = 0; j <= o->n; j++) {
        for (int i = 0; i <= o->n; i++) {
            const size_t k = pop_at(o, i, j);
            const size_t corners[4] = {k, k + 1, k + row, k + row + 1};
            int depth = o->depth[k];
            for (int c = 1; c < 4; c++) {
                depth = o->depth[corners[c]] < depth ? o->depth[corners[c]] : depth;
            }
            const double h = (double)depth / o->levels;
            const double along = h * m->c.stretch / 4;
            const double across = h / m->c.stretch / 4;
            m->corner[k] = -(along + across);
            for (int c = 0; c < 4; c++) {
                m->centre[corners[c]] += along + across;
            }
            m->east[k] += across - along;
            m->east[k + row] += across - along;
            m->north[k] += along - across;
            m->north[k + 1] += along - across;
        }
    }
    for (size_t w = 0; w < o->num_wet; w++) {
        m->centre[o->wet[w]] += m->mass;
    }
}

static void apply(const model *m, const double *f, double *out)
{
    const pop_ocean *o = &m->ocean;
    const size_t row = (size_t)o->n + 2;
    for (size_t w = 0; w < o->num_wet; w++) {
        const size_t k = o->wet[w];
        out[k] = m->centre[k] * f[k] + m->north[k] * f[k + row] + m->north[k - row] * f[k - row] +
                 m->east[k] * f[k + 1] + m->east[k - 1] * f[k - 1] + m->corner[k] * f[k + row + 1] +
                 m->corner[k - 1] * f[k + row - 1] + m->corner[k - row] * f[k - row + 1] +
                 m->corner[k - row - 1] * f[k - row - 1];
    }
}

static double sum_all(model *m, double mine)
{
    double all = 0;
    const double came = MPI_Wtime();
    MPI_Barrier(MPI_COMM_WORLD);
    const double began = MPI_Wtime();
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    m->waited += began - came;
    m->reduced += MPI_Wtime() - began;
    return all;
}

static double dot_here(const pop_ocean *o, const double *a, const double *b)
{
    double all = 0;
    for (size_t w = 0; w < o->num_wet; w++) {
        all += a[o->wet[w]] * b[o->wet[w]];
    }
    return all;
}

/* What of the load is left over, without a barrier: POP looks every so often. */
static double residual(const model *m)
{
    double all = 0;
    const double mine = dot_here(&m->ocean, m->r, m->r);
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sqrt(all);
}

/* One iteration. @param rz of the last one, 0 before the first. @return that of this */
static double iterate(model *m, double rz)
{
    const pop_ocean *o = &m->ocean;
    double mine = 0;
    for (size_t w = 0; w < o->num_wet; w++) {
        const size_t k = o->wet[w];
        m->z[k] = m->r[k] / m->centre[k];
        mine += m->r[k] * m->z[k];
    }
    const double next = sum_all(m, mine);
    const double beta = rz > 0 ? next / rz : 0;
    for (size_t w = 0; w < o->num_wet; w++) {
        m->s[o->wet[w]] = m->z[o->wet[w]] + beta * m->s[o->wet[w]];
    }
    pop_exchange(o, m->s, 1);
    apply(m, m->s, m->q);
    const double alpha = next / sum_all(m, dot_here(o, m->s, m->q));
    for (size_t w = 0; w < o->num_wet; w++) {
        const size_t k = o->wet[w];
        m->surface[k] += alpha * m->s[k];
        m->r[k] -= alpha * m->q[k];
    }
    return next;
}

/* From the surface of the step before. @p size: the norm of the load */
static void step_barotropic(model *m, double size)
{
    const pop_ocean *o = &m->ocean;
    double rz = 0;
    pop_exchange(o, m->surface, 1);
    apply(m, m->surface, m->r);
    for (size_t w = 0; w < o->num_wet; w++) {
        m->r[o->wet[w]] = m->load[o->wet[w]] - m->r[o->wet[w]];
    }
    for (int i = 1; i <= m->most; i++) {
        rz = iterate(m, rz);
        m->iterations++;
        if (i % CHECK_EVERY == 0 && residual(m) <= m->tolerance * size) {
            return;
        }
    }
}

/* ---- a step ---------------------------------------------------------------------------------- */

/* Rank 0 "reads" what drives the surface, and all get it, row by row. */
static void share_wind(model *m, int step)
{
    for (int row = 0; row < WIND_ROWS; row++) {
        double *numbers = m->wind + (size_t)row * WIND_COLUMNS;
        for (int column = 0; column < WIND_COLUMNS && proxy_rank() == 0; column++) {
            numbers[column] = wind_at(row, column, step);
        }
        MPI_Bcast(numbers, WIND_COLUMNS, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
}

/* The load for which the surface is what the wind says; the tracer adds its own. */
static double add_wind(model *m)
{
    const pop_ocean *o = &m->ocean;
    double mine = 0;
    for (int j = 0; j <= o->n + 1; j++) {
        for (int i = 0; i <= o->n + 1; i++) {
            const size_t k = pop_at(o, i, j);
            m->z[k] = o->depth[k] > 0 ? m->wind[wind_cell(o, i, j)] : 0;
        }
    }
    apply(m, m->z, m->q);
    for (size_t w = 0; w < o->num_wet; w++) {
        const size_t k = o->wet[w];
        m->load[k] += m->q[k];
        mine += m->load[k] * m->load[k];
    }
    return sqrt(sum_all(m, mine));
}

static void integrate(model *m, int steps)
{
    for (int step = 0; step < steps; step++) {
        share_wind(m, step + 1);
        step_baroclinic(m, step);
        const double size = add_wind(m);
        step_barotropic(m, size);
    }
}

/* ---- the program ----------------------------------------------------------------------------- */

static void model_make(model *m, int points, int levels, double land)
{
    pop_ocean_make(&m->ocean, points, levels, land);
    const pop_ocean *o = &m->ocean;
    const size_t plane = pop_plane(o);
    double **const planes[] = {&m->centre, &m->north, &m->east, &m->corner, &m->surface,
                               &m->load,   &m->r,     &m->z,    &m->s,      &m->q};
    for (size_t i = 0; i < sizeof planes / sizeof *planes; i++) {
        *planes[i] = proxy_new(plane);
    }
    m->wind = proxy_new((size_t)WIND_ROWS * WIND_COLUMNS);
    m->tracer = proxy_new(plane * (size_t)levels);
    m->next = proxy_new(plane * (size_t)levels);
    m->shape_x = proxy_new((size_t)points + 2);
    m->shape_y = proxy_new((size_t)points + 2);
    m->shape_z = proxy_new((size_t)levels + 2);
    for (int i = 0; i <= points + 1; i++) {
        const double x = (double)(o->ix * points + i) / (o->px * points);
        const double y = (double)(o->iy * points + i) / (o->py * points);
        m->shape_x[i] = 2 + sin(2 * M_PI * x);
        m->shape_y[i] = 1 + cos(3 * y);
    }
    for (int level = -1; level <= levels; level++) {
        m->shape_z[level + 1] = exp(-m->c.decay * level / levels);
    }
    make_operator(m);
    for (size_t w = 0; w < o->num_wet; w++) {
        for (int level = 0; level < o->depth[o->wet[w]]; level++) {
            m->tracer[(size_t)level * plane + o->wet[w]] =
                tracer_time(m, 0) * tracer_shape(m, o->wet[w], level);
        }
    }
}

static void model_free(model *m)
{
    double *const fields[] = {m->centre, m->north,   m->east,    m->corner, m->surface, m->load,
                              m->r,      m->z,       m->s,       m->q,      m->wind,    m->tracer,
                              m->next,   m->shape_x, m->shape_y, m->shape_z};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        free(fields[i]);
    }
    pop_ocean_free(&m->ocean);
}

/* How far surface and tracer are from what was manufactured. */
static void find_errors(const model *m, int steps, double error[2])
{
    const pop_ocean *o = &m->ocean;
    double mine[2] = {0, 0};
    for (int j = 1; j <= o->n; j++) {
        for (int i = 1; i <= o->n; i++) {
            const size_t k = pop_at(o, i, j);
            const size_t cell = wind_cell(o, i, j);
            if (o->depth[k] > 0) {
                const double made =
                    wind_at((int)(cell / WIND_COLUMNS), (int)(cell % WIND_COLUMNS), steps);
                mine[0] = fmax(mine[0], fabs(m->surface[k] - made));
            }
            for (int level = 0; level < o->depth[k]; level++) {
                const double made = tracer_time(m, steps) * tracer_shape(m, k, level);
                mine[1] = fmax(mine[1], fabs(m->tracer[(size_t)level * pop_plane(o) + k] - made));
            }
        }
    }
    MPI_Allreduce(mine, error, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

/* Sum or maximum of one number per rank. */
static double of_all(double mine, MPI_Op op)
{
    double all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, op, MPI_COMM_WORLD);
    return all;
}

/* @return is the answer right? */
static bool run(model *m, int steps)
{
    const pop_ocean *o = &m->ocean;
    double error[2];
    const double wet = of_all((double)o->num_wet, MPI_SUM);
    const double most = of_all((double)o->num_wet, MPI_MAX);
    MPI_Barrier(MPI_COMM_WORLD);
    const double began = MPI_Wtime();
    integrate(m, steps);
    const double seconds = of_all(MPI_Wtime() - began, MPI_MAX);
    const double waited = of_all(m->waited, MPI_SUM);
    const double reduced = of_all(m->reduced, MPI_SUM);
    find_errors(m, steps, error);
    if (proxy_rank() == 0) {
        const double points = (double)o->n * o->n * proxy_size();
        printf("%d x %d ranks, %d x %d x %d points each, %.1f %% water, largest share %.3g of the "
               "mean, %d steps, %d iterations in %.3g s, of each rank %.3g s waiting, %.3g s "
               "reducing; surface off by %.3g, tracer by %.3g\n",
               o->px, o->py, o->n, o->n, o->levels, 100 * wet / points, most / wet * proxy_size(),
               steps, m->iterations, seconds, waited / proxy_size(), reduced / proxy_size(),
               error[0], error[1]);
    }
    return error[0] < 1e4 * m->tolerance && error[1] < 1e-11;
}

/* Each value goes out by itself, as POP broadcasts its namelists. */
static void share_input(int *number[], size_t numbers, double *real[], size_t reals)
{
    for (size_t i = 0; i < numbers; i++) {
        MPI_Bcast(number[i], 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    for (size_t i = 0; i < reals; i++) {
        MPI_Bcast(real[i], 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int points = 60;
    int levels = 20;
    int steps = 14;
    double land = 0.4;
    model m = {.c = {.current_x = 0.02,
                     .current_y = 0.01,
                     .mixing_across = 0.05,
                     .mixing_down = 0.02,
                     .stretch = 1.2,
                     .swing = 0.5,
                     .pace = 0.4,
                     .decay = 1},
               .most = 200,
               .tolerance = 1e-8,
               .mass = 0.5};
    const proxy_option options[] = {
        {"points", "of a rank per side", &points, NULL, 1, 4000},
        {"levels", "of the ocean", &levels, NULL, 1, 1000},
        {"steps", "in time", &steps, NULL, 1, 1e6},
        {"iterations", "of the solver in a step, at most", &m.most, NULL, 1, 1e6},
        {"tolerance", "of the residual, beside the load", NULL, &m.tolerance, 1e-12, 1},
        {"mass", "of the free surface: less takes more iterations", NULL, &m.mass, 1e-6, 100},
        {"land", "share of the map", NULL, &land, 0, 0.95},
    };
    proxy_start(&argc, &argv, PROGRAM,
                "An ocean: conjugate gradients for its surface, and a tracer in its depth.",
                options, sizeof options / sizeof *options);
    int *number[] = {&points, &levels, &steps, &m.most};
    double *real[] = {&m.tolerance,     &m.mass,        &land,
                      &m.c.current_x,   &m.c.current_y, &m.c.mixing_across,
                      &m.c.mixing_down, &m.c.stretch,   &m.c.swing,
                      &m.c.pace,        &m.c.decay};
    share_input(number, sizeof number / sizeof *number, real, sizeof real / sizeof *real);
    model_make(&m, points, levels, land);
    const bool ok = run(&m, steps);
    model_free(&m);
    return proxy_end(PROGRAM, ok, "the answer is wrong: see the line above");
}
