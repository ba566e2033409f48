/* apps/proxies/amg_level.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "amg_level.h"

#include "proxy.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

size_t amg_field_at(const amg_level *level, int i, int j, int k)
{
    const size_t nx = (size_t)level->n[0] + 2;
    const size_t ny = (size_t)level->n[1] + 2;
    return ((size_t)(k + 1) * ny + (size_t)(j + 1)) * nx + (size_t)(i + 1);
}

size_t amg_field_size(const amg_level *level)
{
    return amg_field_at(level, -1, -1, level->n[2] + 1);
}

/* ---- the operator, direction by direction --------------------------------------------------- */

/* The weight of coarse point @p big in what is interpolated to @p small: 1, 1/2, 0. */
static double interpolation(int small, int big)
{
    return small == 2 * big + 1 ? 1 : small == 2 * big || small == 2 * big + 2 ? 0.5 : 0;
}

/* P^T fine P: three diagonals again. */
static void coarsen_operator(const double *fine, int points, double *coarse, int coarse_points)
{
    for (int big = 0; big < coarse_points; big++) {
        for (int d = -1; d <= 1; d++) {
            double all = 0;
            for (int a = 2 * big; a <= 2 * big + 2 && a < points; a++) {
                for (int e = -1; e <= 1; e++) {
                    if (a + e >= 0 && a + e < points) {
                        all += interpolation(a, big) * fine[3 * a + 1 + e] *
                               interpolation(a + e, big + d);
                    }
                }
            }
            coarse[3 * big + 1 + d] = all;
        }
    }
}

/* The finest: the identity, and three ones. */
static void axis_make_finest(amg_axis *axis, int ranks, int points, double uneven)
{
    axis->points = ranks * points;
    axis->first = calloc((size_t)ranks + 1, sizeof *axis->first);
    double sum = 0;
    for (int c = 0; axis->first != NULL && c < ranks; c++) {
        const double slope = ranks > 1 ? 2.0 * c / (ranks - 1) - 1 : 0;
        axis->first[c] = (int)(sum + 0.5);
        sum += points * (1 + uneven * slope);
        axis->first[c + 1] = axis->points;
    }
    axis->mass = proxy_new(3 * (size_t)axis->points);
    axis->laplace = proxy_new(3 * (size_t)axis->points);
    for (int i = 0; i < axis->points; i++) {
        axis->mass[3 * i + 1] = 1;
        for (int d = 0; d < 3; d++) {
            axis->laplace[3 * i + d] = 1;
        }
    }
}

/* Rank 0 works it out, all get it. */
static void axis_coarsen(const amg_axis *fine, int ranks, amg_axis *axis)
{
    axis->points = fine->points / 2;
    axis->first = calloc((size_t)ranks + 1, sizeof *axis->first);
    for (int c = 0; axis->first != NULL && c <= ranks; c++) {
        axis->first[c] = fine->first[c] / 2; /* point i is point 2 i + 1 of the fine grid */
    }
    const size_t n = 3 * (size_t)axis->points;
    axis->mass = proxy_new(2 * n);
    axis->laplace = axis->mass + n;
    if (proxy_rank() == 0) {
        coarsen_operator(fine->mass, fine->points, axis->mass, axis->points);
        coarsen_operator(fine->laplace, fine->points, axis->laplace, axis->points);
    }
    MPI_Bcast(axis->mass, (int)(2 * n), MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

void amg_apply_row(const amg_level *level, const double *field, int j, int k, bool own,
                   double *restrict out)
{
    const int n = level->n[0];
    const double *mass = level->axis[0].mass + 3 * (size_t)level->at[0];
    const double *laplace = level->axis[0].laplace + 3 * (size_t)level->at[0];
    const double *my = level->axis[1].mass + 3 * (size_t)(level->at[1] + j);
    const double *ky = level->axis[1].laplace + 3 * (size_t)(level->at[1] + j);
    const double *mz = level->axis[2].mass + 3 * (size_t)(level->at[2] + k);
    const double *kz = level->axis[2].laplace + 3 * (size_t)(level->at[2] + k);
    for (int i = 0; i < n; i++) {
        out[i] = 0;
    }
    for (int dk = -1; dk <= 1; dk++) {
        for (int dj = -1; dj <= 1; dj++) {
            if (dk == 0 && dj == 0 && !own) {
                continue;
            }
            const double m = 27 * my[1 + dj] * mz[1 + dk];
            const double l = ky[1 + dj] * kz[1 + dk];
            const double *f = field + amg_field_at(level, 0, j + dj, k + dk);
            const size_t len = (size_t)n;
            for (size_t i = 0; i < len; i++) {
                out[i] += (m * mass[3 * i] - l * laplace[3 * i]) * f[i - 1] +
                          (m * mass[3 * i + 1] - l * laplace[3 * i + 1]) * f[i] +
                          (m * mass[3 * i + 2] - l * laplace[3 * i + 2]) * f[i + 1];
            }
        }
    }
}

void amg_own(const amg_level *level, int i, int j, int k, double out[3])
{
    const double m = 27 * level->axis[1].mass[3 * (level->at[1] + j) + 1] *
                     level->axis[2].mass[3 * (level->at[2] + k) + 1];
    const double l = level->axis[1].laplace[3 * (level->at[1] + j) + 1] *
                     level->axis[2].laplace[3 * (level->at[2] + k) + 1];
    for (int d = 0; d < 3; d++) {
        const size_t at = 3 * (size_t)(level->at[0] + i) + (size_t)d;
        out[d] = m * level->axis[0].mass[at] - l * level->axis[0].laplace[at];
    }
}

/* ---- who has which points ------------------------------------------------------------------- */

/* The place in a direction of the rank that has a point; -1: there is no such point. */
static int find_owner(const amg_axis *axis, int ranks, int point)
{
    for (int c = 0; c < ranks; c++) {
        if (point >= axis->first[c] && point < axis->first[c + 1]) {
            return c;
        }
    }
    return -1;
}

/* Neighbours are numbered 0..25, without the middle: the one opposite of d is 25 - d. */
static void direction(int neighbour, int d[AMG_DIMENSIONS])
{
    const int all = neighbour < AMG_NEIGHBOURS / 2 ? neighbour : neighbour + 1;
    d[0] = all % 3 - 1;
    d[1] = all / 3 % 3 - 1;
    d[2] = all / 9 - 1;
}

static void find_neighbours(const amg *self, amg_level *level)
{
    for (int neighbour = 0; neighbour < AMG_NEIGHBOURS; neighbour++) {
        int d[AMG_DIMENSIONS];
        int owner[AMG_DIMENSIONS];
        bool found = level->active;
        direction(neighbour, d);
        for (int a = 0; a < AMG_DIMENSIONS; a++) {
            const int point = d[a] < 0 ? level->at[a] - 1 : level->at[a] + level->n[a];
            owner[a] =
                d[a] == 0 ? self->here[a] : find_owner(&level->axis[a], self->ranks[a], point);
            found = found && owner[a] >= 0;
        }
        level->neighbour[neighbour] =
            found ? (owner[2] * self->ranks[1] + owner[1]) * self->ranks[0] + owner[0]
                  : MPI_PROC_NULL;
    }
}

/* Do both ends of every exchange know of each other? Otherwise the program would hang later. */
static void compare_neighbours(const amg_level *level, const int *counts, const int *all)
{
    const int size = proxy_size();
    for (int i = 0; i < AMG_NEIGHBOURS; i++) {
        const int peer = level->neighbour[i];
        bool knows = peer == MPI_PROC_NULL;
        for (int r = 0, at = 0; r < size; at += counts[r], r++) {
            for (int k = 0; r == peer && k < counts[r]; k++) {
                knows = knows || all[at + k] == proxy_rank();
            }
        }
        if (!knows) {
            (void)fprintf(stderr, "amg: rank %d does not know of its neighbour %d\n", peer,
                          proxy_rank());
            exit(MPI_Abort(MPI_COMM_WORLD, 1));
        }
    }
}

/* All ranks tell all others how many points they have, and whom they exchange with. */
static void share_partition(amg_level *level)
{
    const int size = proxy_size();
    long long points = (long long)level->n[0] * level->n[1] * level->n[2];
    long long last = 0;
    MPI_Scan(&points, &last, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    level->row = last - points;
    int mine[AMG_NEIGHBOURS];
    int num = 0;
    for (int i = 0; i < AMG_NEIGHBOURS; i++) {
        if (level->neighbour[i] != MPI_PROC_NULL) {
            mine[num++] = level->neighbour[i];
        }
    }
    long long *rows = calloc((size_t)size, sizeof *rows);
    int *counts = calloc(2 * (size_t)size, sizeof *counts);
    int *places = counts + size;
    if (rows == NULL || counts == NULL) {
        exit(MPI_Abort(MPI_COMM_WORLD, 1));
    }
    MPI_Allgather(&level->row, 1, MPI_LONG_LONG, rows, 1, MPI_LONG_LONG, MPI_COMM_WORLD);
    MPI_Allgather(&num, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    int total = 0;
    for (int r = 0; r < size; r++) {
        places[r] = total;
        total += counts[r];
    }
    int *all = calloc((size_t)total + 1, sizeof *all);
    MPI_Allgatherv(mine, num, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
    compare_neighbours(level, counts, all);
    free(all);
    free(counts);
    free(rows);
}

/* ---- levels --------------------------------------------------------------------------------- */

static void level_finish(const amg *self, amg_level *level)
{
    level->active = true;
    for (int a = 0; a < AMG_DIMENSIONS; a++) {
        const int *first = level->axis[a].first + self->here[a];
        level->at[a] = first[0];
        level->n[a] = first[1] - first[0];
        level->active = level->active && level->n[a] > 0;
    }
    for (int a = 0; a < AMG_DIMENSIONS && !level->active; a++) {
        level->n[a] = 0;
    }
    find_neighbours(self, level);
    const size_t size = level->active ? amg_field_size(level) : 1;
    level->x = proxy_new(size);
    level->b = proxy_new(size);
    level->r = proxy_new(size);
    level->line = proxy_new((size_t)level->n[0]);
    level->out = proxy_new(size);
    level->in = proxy_new(size);
    share_partition(level);
}

void amg_make(amg *self, int points, double uneven)
{
    *self = (amg){.num_levels = 1};
    int least = points;
    MPI_Dims_create(proxy_size(), AMG_DIMENSIONS, self->ranks);
    self->here[0] = proxy_rank() % self->ranks[0];
    self->here[1] = proxy_rank() / self->ranks[0] % self->ranks[1];
    self->here[2] = proxy_rank() / self->ranks[0] / self->ranks[1];
    for (int a = 0; a < AMG_DIMENSIONS; a++) {
        axis_make_finest(&self->level[0].axis[a], self->ranks[a], points, uneven);
        least =
            a == 0 || self->level[0].axis[a].points < least ? self->level[0].axis[a].points : least;
    }
    level_finish(self, &self->level[0]);
    for (; least / 2 >= 1 && self->num_levels < AMG_MOST_LEVELS; least /= 2) {
        amg_level *level = &self->level[self->num_levels++];
        for (int a = 0; a < AMG_DIMENSIONS; a++) {
            axis_coarsen(&level[-1].axis[a], self->ranks[a], &level->axis[a]);
        }
        level_finish(self, level);
    }
}

void amg_free(amg *self)
{
    for (int l = 0; l < self->num_levels; l++) {
        amg_level *level = &self->level[l];
        for (int a = 0; a < AMG_DIMENSIONS; a++) {
            free(level->axis[a].first);
            free(level->axis[a].mass);
            if (l == 0) {
                free(level->axis[a].laplace);
            }
        }
        free(level->x);
        free(level->b);
        free(level->r);
        free(level->line);
        free(level->out);
        free(level->in);
    }
}

/* ---- exchange ------------------------------------------------------------------------------- */

/* The points at a side, an edge or a corner: first and how many, per direction. */
typedef struct part {
    int from[AMG_DIMENSIONS];
    int n[AMG_DIMENSIONS];
} part;

static part part_towards(const amg_level *level, int neighbour, bool outside)
{
    int d[AMG_DIMENSIONS];
    part p;
    direction(neighbour, d);
    for (int a = 0; a < AMG_DIMENSIONS; a++) {
        p.n[a] = d[a] == 0 ? level->n[a] : 1;
        p.from[a] = d[a] == 0 ? 0 : d[a] < 0 ? -(int)outside : level->n[a] - !outside;
    }
    return p;
}

/* Between a part of a field and a buffer. @return how many numbers */
static size_t copy(const amg_level *level, const part *p, double *field, double *buffer,
                   bool to_field)
{
    size_t n = 0;
    for (int k = 0; k < p->n[2]; k++) {
        for (int j = 0; j < p->n[1]; j++) {
            double *f = field + amg_field_at(level, p->from[0], p->from[1] + j, p->from[2] + k);
            for (int i = 0; i < p->n[0]; i++, n++) {
                if (to_field) {
                    f[i] = buffer[n];
                } else {
                    buffer[n] = f[i];
                }
            }
        }
    }
    return n;
}

void amg_exchange(const amg_level *level, double *field)
{
    MPI_Request request[2 * AMG_NEIGHBOURS];
    part parts[AMG_NEIGHBOURS];
    size_t places[AMG_NEIGHBOURS];
    int num = 0;
    size_t at = 0;
    for (int i = 0; i < AMG_NEIGHBOURS; i++) {
        parts[i] = part_towards(level, i, true);
        places[i] = at;
        if (level->neighbour[i] != MPI_PROC_NULL) {
            const int n = parts[i].n[0] * parts[i].n[1] * parts[i].n[2];
            MPI_Irecv(level->in + at, n, MPI_DOUBLE, level->neighbour[i], i, MPI_COMM_WORLD,
                      &request[num++]);
            at += (size_t)n;
        }
    }
    at = 0;
    for (int i = 0; i < AMG_NEIGHBOURS; i++) {
        if (level->neighbour[i] != MPI_PROC_NULL) {
            const part inner = part_towards(level, i, false);
            const size_t n = copy(level, &inner, field, level->out + at, false);
            MPI_Isend(level->out + at, (int)n, MPI_DOUBLE, level->neighbour[i],
                      AMG_NEIGHBOURS - 1 - i, MPI_COMM_WORLD, &request[num++]);
            at += n;
        }
    }
    if (num > 0) {
        MPI_Waitall(num, request, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < AMG_NEIGHBOURS; i++) {
        if (level->neighbour[i] != MPI_PROC_NULL) {
            (void)copy(level, &parts[i], field, level->in + places[i], true);
        }
    }
}
