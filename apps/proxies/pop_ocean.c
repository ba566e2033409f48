/* apps/proxies/pop_ocean.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "pop_ocean.h"

#include "proxy.h"

#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>

size_t pop_at(const pop_ocean *o, int i, int j)
{
    return (size_t)j * (size_t)(o->n + 2) + (size_t)i;
}

size_t pop_plane(const pop_ocean *o)
{
    return pop_at(o, 0, o->n + 2);
}

int pop_map_column(const pop_ocean *o, int i)
{
    const int all = o->px * o->n;
    const int x = (o->ix * o->n + i - 1 + all) % all;
    return (int)((long long)x * o->map_x / all);
}

int pop_map_row(const pop_ocean *o, int j)
{
    const int y = o->iy * o->n + j - 1;
    return y < 0 || y >= o->py * o->n ? -1
                                      : (int)((long long)y * o->map_y / ((long long)o->py * o->n));
}

/* ---- the map -------------------------------------------------------------------------------- */

/* Hills of many sizes, closed to the east and west. */
static double height(double x, double y)
{
    double all = 0;
    for (int wave = 1; wave <= 6; wave++) {
        const double phase = 1.7 * wave * wave;
        all +=
            (sin(2 * M_PI * wave * x + phase + 3 * y) * cos(2 * M_PI * wave * 0.6 * y - 2 * phase) +
             0.7 * cos(2 * M_PI * (7 - wave) * x - 5 * y * wave + phase)) /
            wave;
    }
    return all;
}

static int by_height(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The @p land highest are land; the rest becomes deeper the lower it is. */
static void draw_map(const pop_ocean *o, double land, double *map)
{
    const size_t cells = (size_t)o->map_x * (size_t)o->map_y;
    double *sorted = proxy_new(cells);
    size_t c = 0;
    for (int j = 0; j < o->map_y; j++) {
        for (int i = 0; i < o->map_x; i++, c++) {
            map[c] = sorted[c] = height((double)i / o->map_x, (double)j / o->map_y);
        }
    }
    qsort(sorted, cells, sizeof *sorted, by_height);
    const double shore = sorted[(size_t)((1 - land) * (double)(cells - 1))];
    for (c = 0; c < cells; c++) {
        map[c] = map[c] > shore ? 0 : fmin(1, 0.2 + (shore - map[c]));
    }
    free(sorted);
}

static void share_map(const pop_ocean *o, double land)
{
    if (proxy_rank() == 0) {
        draw_map(o, land, o->map);
    }
    for (int j = 0; j < o->map_y; j++) {
        MPI_Bcast(o->map + (size_t)j * (size_t)o->map_x, o->map_x, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
}

/* ---- the ocean ------------------------------------------------------------------------------ */

static int rank_at(const pop_ocean *o, int ix, int iy)
{
    return iy < 0 || iy >= o->py ? MPI_PROC_NULL : iy * o->px + (ix + o->px) % o->px;
}

static void find_water(pop_ocean *self)
{
    self->depth = calloc(pop_plane(self), sizeof *self->depth);
    self->wet = calloc((size_t)self->n * (size_t)self->n, sizeof *self->wet);
    if (self->depth == NULL || self->wet == NULL) {
        exit(MPI_Abort(MPI_COMM_WORLD, 1));
    }
    for (int j = 0; j <= self->n + 1; j++) {
        for (int i = 0; i <= self->n + 1; i++) {
            const int row = pop_map_row(self, j);
            const double d = row < 0 ? 0
                                     : self->map[(size_t)row * (size_t)self->map_x +
                                                 (size_t)pop_map_column(self, i)];
            self->depth[pop_at(self, i, j)] = (int)ceil(d * self->levels);
            if (d > 0 && i >= 1 && i <= self->n && j >= 1 && j <= self->n) {
                self->wet[self->num_wet++] = pop_at(self, i, j);
            }
        }
    }
}

void pop_ocean_make(pop_ocean *self, int points, int levels, double land)
{
    int dims[2] = {0, 0};
    MPI_Dims_create(proxy_size(), 2, dims);
    *self = (pop_ocean){.px = dims[0],
                        .py = dims[1],
                        .ix = proxy_rank() % dims[0],
                        .iy = proxy_rank() / dims[0],
                        .n = points,
                        .levels = levels,
                        .map_x = POP_MAP_COLUMNS,
                        .map_y = POP_MAP_ROWS};
    self->west = rank_at(self, self->ix - 1, self->iy);
    self->east = rank_at(self, self->ix + 1, self->iy);
    self->south = rank_at(self, self->ix, self->iy - 1);
    self->north = rank_at(self, self->ix, self->iy + 1);
    self->map = proxy_new((size_t)self->map_x * (size_t)self->map_y);
    share_map(self, land);
    find_water(self);
    for (int side = 0; side < 2; side++) {
        self->out[side] = proxy_new((size_t)(points + 2) * (size_t)levels);
        self->in[side] = proxy_new((size_t)(points + 2) * (size_t)levels);
    }
}

void pop_ocean_free(pop_ocean *self)
{
    free(self->map);
    free(self->depth);
    free(self->wet);
    for (int side = 0; side < 2; side++) {
        free(self->out[side]);
        free(self->in[side]);
    }
}

/* ---- exchange ------------------------------------------------------------------------------- */

/* A line of points, of all planes: where it begins and how far its points are apart. */
typedef struct line {
    size_t first;
    size_t step;
} line;

static void copy(const pop_ocean *o, const line *l, double *field, int levels, double *buffer,
                 bool to_field)
{
    const size_t points = (size_t)o->n + 2;
    for (int level = 0; level < levels; level++) {
        double *f = field + (size_t)level * pop_plane(o) + l->first;
        for (size_t i = 0; i < points; i++, buffer++) {
            if (to_field) {
                f[i * l->step] = *buffer;
            } else {
                *buffer = f[i * l->step];
            }
        }
    }
}

/* Swap lines with the two neighbours of a direction. */
static void swap_sides(const pop_ocean *o, const int peer[2], const line inner[2],
                       const line outer[2], double *field, int levels)
{
    MPI_Request request[4];
    const int n = (o->n + 2) * levels;
    for (int side = 0; side < 2; side++) { /* which may be no process: then nothing happens */
        copy(o, &inner[side], field, levels, o->out[side], false);
    }
    MPI_Irecv(o->in[0], n, MPI_DOUBLE, peer[0], 0, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(o->in[1], n, MPI_DOUBLE, peer[1], 1, MPI_COMM_WORLD, &request[1]);
    MPI_Isend(o->out[0], n, MPI_DOUBLE, peer[0], 1, MPI_COMM_WORLD, &request[2]);
    MPI_Isend(o->out[1], n, MPI_DOUBLE, peer[1], 0, MPI_COMM_WORLD, &request[3]);
    MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
    for (int side = 0; side < 2; side++) {
        if (peer[side] != MPI_PROC_NULL) {
            copy(o, &outer[side], field, levels, o->in[side], true);
        }
    }
}

void pop_exchange(const pop_ocean *o, double *field, int levels)
{
    const size_t row = (size_t)o->n + 2;
    const size_t n = (size_t)o->n;
    const int columns[2] = {o->west, o->east};
    const line inner_columns[2] = {{1, row}, {n, row}};
    const line outer_columns[2] = {{0, row}, {n + 1, row}};
    const int rows[2] = {o->south, o->north};
    const line inner_rows[2] = {{row, 1}, {n * row, 1}};
    const line outer_rows[2] = {{0, 1}, {(n + 1) * row, 1}};
    swap_sides(o, columns, inner_columns, outer_columns, field, levels);
    swap_sides(o, rows, inner_rows, outer_rows, field, levels);
}
