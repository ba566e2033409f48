/* apps/ripple/view/heat.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_heat. */
#include "view/heat.h"

#include <math.h>

#define FIRST_WIDTH (100 * SIM_NS)

/* Of some ranks, during a column. */
typedef struct cell {
    sim_time sum;
    uint32_t worst; /* rank */
    float most;     /* that it lost, of a column's width */
} cell;

/* What a rank has lost in the column that it is in; not in a cell yet. */
typedef struct pending {
    sim_time lost;
    uint32_t column;
} pending;

struct app_heat {
    uint32_t num_ranks;
    uint32_t rows;
    uint32_t ranks_per_row;
    uint32_t columns;
    sim_time width; /* of a column */
    cell *cells;    /* [columns * rows]: those of one time are near each other, since all ranks
                     * are about there */
    pending *open;  /* [num_ranks] */
};

app_heat *app_heat_new(uint32_t num_ranks)
{
    app_heat *h = g_new0(app_heat, 1);
    h->num_ranks = num_ranks;
    h->ranks_per_row = (num_ranks + APP_HEAT_ROWS - 1) / APP_HEAT_ROWS;
    h->rows = (num_ranks + h->ranks_per_row - 1) / h->ranks_per_row;
    for (h->columns = APP_HEAT_COLUMNS; (uint64_t)h->columns * h->rows > APP_HEAT_CELLS;) {
        h->columns /= 2;
    }
    h->width = FIRST_WIDTH;
    h->cells = g_new(cell, (size_t)h->rows * h->columns);
    for (size_t i = 0; i < (size_t)h->rows * h->columns; i++) {
        h->cells[i] = (cell){.worst = APP_PICTURE_NONE};
    }
    h->open = g_new0(pending, num_ranks);
    return h;
}

void app_heat_free(app_heat *h)
{
    if (h != NULL) {
        g_free(h->cells);
        g_free(h->open);
        g_free(h);
    }
}

/* Of two that lost within one cell: a rank's losses add up, else the larger stays. */
static void compete(cell *c, uint32_t rank, float most)
{
    if (rank == APP_PICTURE_NONE) {
        return;
    }
    if (rank == c->worst) {
        c->most += most;
    } else if (most > c->most || (most == c->most && rank < c->worst)) {
        c->worst = rank;
        c->most = most;
    }
}

static void flush(app_heat *h, uint32_t rank)
{
    pending *p = &h->open[rank];
    if (p->lost > 0) {
        cell *c = &h->cells[(size_t)p->column * h->rows + rank / h->ranks_per_row];
        c->sum += p->lost;
        compete(c, rank, (float)((double)p->lost / (double)h->width));
        p->lost = 0;
    }
}

static cell join(cell a, const cell *b)
{
    a.sum += b->sum;
    compete(&a, b->worst, b->most);
    a.most /= 2;
    return a;
}

/* Columns become twice as wide. */
static void fold(app_heat *h)
{
    for (uint32_t rank = 0; rank < h->num_ranks; rank++) {
        flush(h, rank);
    }
    const size_t rows = h->rows;
    for (size_t c = 0; c < h->columns / 2; c++) {
        for (size_t r = 0; r < rows; r++) {
            h->cells[c * rows + r] =
                join(h->cells[2 * c * rows + r], &h->cells[(2 * c + 1) * rows + r]);
        }
    }
    for (size_t i = h->columns / 2 * rows; i < h->columns * rows; i++) {
        h->cells[i] = (cell){.worst = APP_PICTURE_NONE};
    }
    h->width *= 2;
}

sim_time app_heat_width(const app_heat *h)
{
    return h->width;
}

bool app_heat_is_one_column(const app_heat *h, sim_time begin, sim_time end)
{
    return begin / h->width == (end - 1) / h->width;
}

void app_heat_add(app_heat *h, uint32_t rank, sim_time begin, sim_time end)
{
    while (end > h->width * h->columns) {
        fold(h);
    }
    pending *p = &h->open[rank];
    if (begin >= p->column * h->width && end <= (p->column + (sim_time)1) * h->width) {
        p->lost += end - begin; /* most are short: no division */
        return;
    }
    while (begin < end) {
        const uint32_t column = (uint32_t)(begin / h->width);
        const sim_time stop = MIN(end, (column + 1) * h->width);
        if (column != p->column) {
            flush(h, rank);
            p->column = column;
        }
        p->lost += stop - begin;
        begin = stop;
    }
}

void app_heat_prefetch(const app_heat *h, uint32_t rank)
{
    __builtin_prefetch(&h->open[rank], 1);
}

sim_time app_heat_sum(const app_heat *h)
{
    sim_time sum = 0;
    for (size_t i = 0; i < (size_t)h->rows * h->columns; i++) {
        sum += h->cells[i].sum;
    }
    for (uint32_t rank = 0; rank < h->num_ranks; rank++) {
        sum += h->open[rank].lost;
    }
    return sum;
}

/* ---- the pyramid ---- */

/* The cells of a level, before they become bytes. */
typedef struct layer {
    app_picture_level level;
    cell *cells; /* [rows * columns] */
} layer;

static uint8_t byte_of(double share)
{
    return share <= 0 ? 0 : (uint8_t)CLAMP(lround(share * 255), 1, 255);
}

/* As much of a width as there is before the end. */
static double part_of(uint64_t index, double width, double end)
{
    return CLAMP(end - (double)index * width, 0, width);
}

static void write_bytes(const app_heat *h, layer *l, sim_time makespan)
{
    app_picture_level *v = &l->level;
    const size_t n = (size_t)v->rows * v->columns;
    v->mean = g_new0(uint8_t, n);
    v->most = g_new0(uint8_t, n);
    v->worst = g_new(uint32_t, n);
    for (uint32_t r = 0; r < v->rows; r++) {
        const double ranks = part_of(r, v->ranks_per_row, h->num_ranks);
        for (uint32_t c = 0; c < v->columns; c++) {
            const size_t i = (size_t)r * v->columns + c;
            const double time = part_of(c, (double)v->column_width, (double)makespan);
            v->mean[i] = time > 0 ? byte_of((double)l->cells[i].sum / (ranks * time)) : 0;
            v->most[i] = time > 0 ? byte_of(l->cells[i].most * (double)v->column_width / time) : 0;
            v->worst[i] = l->cells[i].worst;
        }
    }
}

/* Four cells, fewer at the borders, become one. */
static layer halve(const layer *fine)
{
    const app_picture_level *f = &fine->level;
    layer l = {.level = {.rows = (f->rows + 1) / 2,
                         .columns = (f->columns + 1) / 2,
                         .ranks_per_row = f->ranks_per_row * 2,
                         .column_width = f->column_width * 2}};
    l.cells = g_new(cell, (size_t)l.level.rows * l.level.columns);
    for (uint32_t r = 0; r < l.level.rows; r++) {
        for (uint32_t c = 0; c < l.level.columns; c++) {
            cell four = {.worst = APP_PICTURE_NONE};
            for (uint32_t y = 2 * r; y < MIN(2 * r + 2, f->rows); y++) {
                cell two = {.worst = APP_PICTURE_NONE};
                for (uint32_t x = 2 * c; x < MIN(2 * c + 2, f->columns); x++) {
                    const cell *from = &fine->cells[(size_t)y * f->columns + x];
                    two.sum += from->sum;
                    compete(&two, from->worst, from->most);
                }
                four.sum += two.sum;
                compete(&four, two.worst, two.most / 2);
            }
            l.cells[(size_t)r * l.level.columns + c] = four;
        }
    }
    return l;
}

app_picture_level *app_heat_levels(app_heat *h, sim_time makespan, size_t *n)
{
    for (uint32_t rank = 0; rank < h->num_ranks; rank++) {
        flush(h, rank);
    }
    const sim_time used = (makespan + h->width - 1) / h->width;
    layer l = {.level = {.rows = h->rows,
                         .columns = (uint32_t)CLAMP(used, 1, (sim_time)h->columns),
                         .ranks_per_row = h->ranks_per_row,
                         .column_width = h->width}};
    l.cells = g_new(cell, (size_t)l.level.rows * l.level.columns);
    for (uint32_t r = 0; r < h->rows; r++) {
        for (uint32_t c = 0; c < l.level.columns; c++) {
            l.cells[(size_t)r * l.level.columns + c] = h->cells[(size_t)c * h->rows + r];
        }
    }
    GArray *levels = g_array_new(FALSE, FALSE, sizeof(app_picture_level));
    while (true) {
        write_bytes(h, &l, makespan);
        g_array_append_val(levels, l.level);
        if (l.level.rows == 1 && l.level.columns == 1) {
            break;
        }
        layer next = halve(&l);
        g_free(l.cells);
        l = next;
    }
    g_free(l.cells);
    *n = levels->len;
    return (app_picture_level *)g_array_free(levels, FALSE);
}
