/* apps/ripple/view/heat.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_heat. */
#include "view/heat.h"

#include "sim/large.h"

#include <string.h>

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

/* Cells of some width and height. */
typedef struct table {
    uint32_t rows;
    uint32_t ranks_per_row;
    uint32_t columns;
    uint32_t widths; /* of the heat map: its columns are so many of those */
    uint32_t begun;  /* columns from here on hold nothing yet, not even emptiness */
    cell *cells;     /* [columns * rows]: those of one time are near each other, since all ranks
                      * are about there */
} table;

struct app_heat {
    uint32_t num_ranks;
    sim_time width; /* of a column of the fine table */
    table fine;     /* in time */
    table few;      /* ranks to a row; no cells: those are fine, too */
    pending *open;  /* [num_ranks] */
};

/* Bounded: columns, and rows times columns. */
static table new_table(uint32_t num_ranks, uint32_t ranks_per_row, uint32_t columns, uint32_t cells)
{
    table t = {.rows = (num_ranks + ranks_per_row - 1) / ranks_per_row,
               .ranks_per_row = ranks_per_row,
               .columns = columns};
    while ((uint64_t)t.columns * t.rows > cells && t.columns > 1) {
        t.columns /= 2;
    }
    t.cells = sim_large_new((size_t)t.rows * t.columns, sizeof(cell));
    return t;
}

/* Most runs do not need all columns: each is emptied when the first rank comes to it. */
static void begin_columns(table *t, uint32_t end)
{
    for (size_t i = (size_t)t->begun * t->rows; i < (size_t)end * t->rows; i++) {
        t->cells[i] = (cell){.worst = APP_PICTURE_NONE};
    }
    t->begun = MAX(t->begun, end);
}

app_heat *app_heat_new(uint32_t num_ranks, sim_time makespan)
{
    app_heat *h = g_new0(app_heat, 1);
    h->num_ranks = num_ranks;
    h->fine = new_table(num_ranks, (num_ranks + APP_HEAT_ROWS - 1) / APP_HEAT_ROWS,
                        APP_HEAT_COLUMNS, APP_HEAT_CELLS);
    h->fine.widths = 1;
    if (num_ranks > APP_HEAT_FEW_FROM) {
        h->few = new_table(num_ranks, APP_HEAT_FEW_RANKS, APP_HEAT_FEW_COLUMNS, APP_HEAT_FEW_CELLS);
        h->few.widths = h->fine.columns / h->few.columns;
    }
    h->width = FIRST_WIDTH;
    while (makespan > h->width * h->fine.columns) {
        h->width *= 2;
    }
    h->open = sim_large_new(num_ranks, sizeof(pending));
    memset(h->open, 0, num_ranks * sizeof(pending));
    return h;
}

void app_heat_free(app_heat *h)
{
    if (h != NULL) {
        sim_large_free(h->fine.cells);
        sim_large_free(h->few.cells);
        sim_large_free(h->open);
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

static cell *cell_of(const table *t, uint32_t rank, uint32_t column)
{
    return &t->cells[(size_t)(column / t->widths) * t->rows + rank / t->ranks_per_row];
}

static void lose(const app_heat *h, table *t, uint32_t rank, const pending *p)
{
    if (p->column / t->widths >= t->begun) {
        begin_columns(t, p->column / t->widths + 1);
    }
    cell *c = cell_of(t, rank, p->column);
    c->sum += p->lost;
    compete(c, rank, (float)((double)p->lost / (double)(h->width * t->widths)));
}

static void flush(app_heat *h, uint32_t rank)
{
    pending *p = &h->open[rank];
    if (p->lost > 0) {
        lose(h, &h->fine, rank, p);
        if (h->few.cells != NULL) {
            lose(h, &h->few, rank, p);
        }
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

static void fold_table(table *t)
{
    const size_t rows = t->rows;
    const size_t half = (t->begun + 1) / 2;
    for (size_t c = 0; c < half; c++) {
        for (size_t r = 0; r < rows; r++) {
            const cell none = {.worst = APP_PICTURE_NONE};
            const bool is_pair = 2 * c + 1 < t->begun;
            t->cells[c * rows + r] = join(t->cells[2 * c * rows + r],
                                          is_pair ? &t->cells[(2 * c + 1) * rows + r] : &none);
        }
    }
    t->begun = (uint32_t)half;
}

/* Columns become twice as wide. */
static void fold(app_heat *h)
{
    for (uint32_t rank = 0; rank < h->num_ranks; rank++) {
        flush(h, rank);
    }
    fold_table(&h->fine);
    if (h->few.cells != NULL) {
        fold_table(&h->few);
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
    while (end > h->width * h->fine.columns) {
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

void app_heat_prefetch_cell(const app_heat *h, uint32_t rank)
{
    __builtin_prefetch(cell_of(&h->fine, rank, h->open[rank].column), 1);
    if (h->few.cells != NULL) {
        __builtin_prefetch(cell_of(&h->few, rank, h->open[rank].column), 1);
    }
}

sim_time app_heat_sum(const app_heat *h)
{
    sim_time sum = 0;
    for (size_t i = 0; i < (size_t)h->fine.rows * h->fine.begun; i++) {
        sum += h->fine.cells[i].sum;
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
    const cell *cells; /* [columns * rows] as in a table */
    cell *own;         /* the same, or NULL: they are a table's */
} layer;

static uint8_t byte_of(double share)
{
    return share <= 0 ? 0 : (uint8_t)CLAMP(share * 255 + 0.5, 1, 255);
}

/* As much of a width as there is before the end. */
static double part_of(uint64_t index, double width, double end)
{
    return CLAMP(end - (double)index * width, 0, width);
}

enum { TILE = 64 /* rows and columns that are turned at once */ };

/* A column of a tile, which becomes a part of its rows. */
static void write_column(const layer *l, uint32_t c, uint32_t row, uint32_t end, double time,
                         uint32_t num_ranks)
{
    const app_picture_level *v = &l->level;
    const cell *cells = &l->cells[(size_t)c * v->rows];
    for (uint32_t r = row; r < end; r++) {
        const cell *from = &cells[r];
        const size_t to = (size_t)r * v->columns + c;
        const double ranks = part_of(r, v->ranks_per_row, num_ranks);
        v->mean[to] = time > 0 ? byte_of((double)from->sum / (ranks * time)) : 0;
        v->most[to] = time > 0 ? byte_of(from->most * (double)v->column_width / time) : 0;
        v->worst[to] = from->worst;
    }
}

static void write_bytes(const app_heat *h, layer *l, sim_time makespan)
{
    app_picture_level *v = &l->level;
    const size_t n = (size_t)v->rows * v->columns;
    v->mean = g_new(uint8_t, n);
    v->most = g_new(uint8_t, n);
    v->worst = g_new(uint32_t, n);
    for (uint32_t row = 0; row < v->rows; row += TILE) {
        for (uint32_t c = 0; c < v->columns; c++) {
            const double time = part_of(c, (double)v->column_width, (double)makespan);
            write_column(l, c, row, MIN(row + TILE, v->rows), time, h->num_ranks);
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
    l.cells = l.own = g_new(cell, (size_t)l.level.rows * l.level.columns);
    for (uint32_t c = 0; c < l.level.columns; c++) {
        for (uint32_t r = 0; r < l.level.rows; r++) {
            cell four = {.worst = APP_PICTURE_NONE};
            for (uint32_t y = 2 * r; y < MIN(2 * r + 2, f->rows); y++) {
                cell two = {.worst = APP_PICTURE_NONE};
                for (uint32_t x = 2 * c; x < MIN(2 * c + 2, f->columns); x++) {
                    const cell *from = &fine->cells[(size_t)x * f->rows + y];
                    two.sum += from->sum;
                    compete(&two, from->worst, from->most);
                }
                four.sum += two.sum;
                compete(&four, two.worst, two.most / 2);
            }
            l.own[(size_t)c * l.level.rows + r] = four;
        }
    }
    return l;
}

/* To the end of the run, even if nothing is lost there. */
static layer layer_of(app_heat *h, table *t, sim_time makespan)
{
    for (uint32_t rank = 0; rank < h->num_ranks; rank++) {
        flush(h, rank);
    }
    while (makespan > h->width * h->fine.columns) {
        fold(h);
    }
    const sim_time width = h->width * t->widths;
    const sim_time used = (makespan + width - 1) / width;
    const uint32_t columns = (uint32_t)CLAMP(used, 1, (sim_time)t->columns);
    begin_columns(t, columns);
    return (layer){.level = {.rows = t->rows,
                             .columns = columns,
                             .ranks_per_row = t->ranks_per_row,
                             .column_width = width},
                   .cells = t->cells};
}

static void write_table(app_heat *h, table *t, sim_time makespan, app_picture_level *out)
{
    layer l = layer_of(h, t, makespan);
    write_bytes(h, &l, makespan);
    *out = l.level;
}

bool app_heat_few(app_heat *h, sim_time makespan, app_picture_level *out)
{
    if (h->few.cells == NULL) {
        return false;
    }
    write_table(h, &h->few, makespan, out);
    return true;
}

void app_heat_finest(app_heat *h, sim_time makespan, app_picture_level *out)
{
    write_table(h, &h->fine, makespan, out);
}

app_picture_level *app_heat_levels(app_heat *h, sim_time makespan, size_t *n)
{
    layer l = layer_of(h, &h->fine, makespan);
    GArray *levels = g_array_new(FALSE, FALSE, sizeof(app_picture_level));
    while (true) {
        write_bytes(h, &l, makespan);
        g_array_append_val(levels, l.level);
        if (l.level.rows == 1 && l.level.columns == 1) {
            break;
        }
        layer next = halve(&l);
        g_free(l.own);
        l = next;
    }
    g_free(l.own);
    *n = levels->len;
    return (app_picture_level *)g_array_free(levels, FALSE);
}
