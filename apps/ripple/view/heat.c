/* apps/ripple/view/heat.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_heat. */
#include "view/heat.h"

#include "sim/large.h"

#include <string.h>

#define FIRST_WIDTH (100 * SIM_NS)

/*
 * Of some ranks, during a column. The top is who lost most in it, and the share of the column: the
 * bits of a float, which are in the order of what is not negative, above the complement of the
 * rank, so that of equal ones the lowest stays. 0: nobody. Sums and maxima come out the same in any
 * order, and from any number of threads.
 */
typedef struct cell {
    sim_time sum;
    uint64_t top;
} cell;

/*
 * What a rank has lost in the column that it is in; not in a cell yet. Columns are those that
 * belong to an instant: as wide as it takes for all of them together to reach it, whether another
 * rank has come farther meanwhile or not.
 */
typedef struct pending {
    sim_time lost;
    uint32_t column;
    uint32_t level; /* as wide as the first ones times 2^level */
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
    sim_time first; /* width of a column of the fine table at the beginning */
    uint32_t level; /* how often these became twice as wide since */
    sim_time reached;
    table fine;    /* in time */
    table few;     /* ranks to a row; no cells: those are fine, too */
    pending *open; /* [num_ranks] */
    pending *wide; /* [num_ranks] the same of the table of few, without what is open; or NULL */
};

static uint64_t top_of(uint32_t rank, float share)
{
    uint32_t bits;
    memcpy(&bits, &share, sizeof bits);
    return (uint64_t)bits << 32 | (uint32_t)~rank;
}

static uint32_t worst_of(uint64_t top)
{
    return top > 0 ? ~(uint32_t)top : APP_PICTURE_NONE;
}

static double share_of(uint64_t top)
{
    const uint32_t bits = (uint32_t)(top >> 32);
    float share;
    memcpy(&share, &bits, sizeof share);
    return (double)share;
}

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
    if (end > t->begun) {
        memset(&t->cells[(size_t)t->begun * t->rows], 0,
               (size_t)(end - t->begun) * t->rows * sizeof(cell));
        t->begun = end;
    }
}

static pending *new_pending(uint32_t num_ranks)
{
    pending *p = sim_large_new(num_ranks, sizeof *p);
    memset(p, 0, num_ranks * sizeof *p);
    return p;
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
    h->first = FIRST_WIDTH;
    while (makespan > h->first * h->fine.columns) {
        h->first *= 2;
    }
    h->open = new_pending(num_ranks);
    h->wide = h->few.cells != NULL ? new_pending(num_ranks) : NULL;
    return h;
}

void app_heat_free(app_heat *h)
{
    if (h != NULL) {
        sim_large_free(h->fine.cells);
        sim_large_free(h->few.cells);
        sim_large_free(h->open);
        sim_large_free(h->wide);
        g_free(h);
    }
}

static sim_time width_now(const app_heat *h)
{
    return h->first << h->level;
}

/* Of the columns that belong to an instant. */
static uint32_t level_at(const app_heat *h, sim_time at)
{
    const sim_time all = h->first * h->fine.columns;
    return at < all ? 0 : 64 - (uint32_t)__builtin_clzll((uint64_t)(at / all));
}

static cell *cell_of(const app_heat *h, const table *t, uint32_t rank, const pending *p)
{
    const uint32_t column = p->column >> (h->level - p->level);
    return &t->cells[(size_t)column * t->rows + rank / t->ranks_per_row];
}

/* Empties what is pending. */
static void lose(const app_heat *h, const table *t, uint32_t rank, pending *p)
{
    if (p->lost == 0) {
        return;
    }
    cell *c = cell_of(h, t, rank, p);
    const double width = (double)(width_now(h) * t->widths);
    const uint64_t top = top_of(rank, (float)((double)p->lost / width));
    (void)__atomic_fetch_add(&c->sum, p->lost, __ATOMIC_RELAXED);
    uint64_t old = __atomic_load_n(&c->top, __ATOMIC_RELAXED);
    while (old < top && !__atomic_compare_exchange_n(&c->top, &old, top, true, __ATOMIC_RELAXED,
                                                     __ATOMIC_RELAXED)) {
    }
    p->lost = 0;
}

/* The same column, in the table of few. */
static void widen(const app_heat *h, uint32_t rank, const pending *p)
{
    pending *w = &h->wide[rank];
    const uint32_t column = p->column / h->few.widths;
    if (w->column != column || w->level != p->level) {
        lose(h, &h->few, rank, w);
        w->column = column;
        w->level = p->level;
    }
    w->lost += p->lost;
}

static void flush(const app_heat *h, uint32_t rank)
{
    pending *p = &h->open[rank];
    if (p->lost > 0) {
        if (h->wide != NULL) {
            widen(h, rank, p);
        }
        lose(h, &h->fine, rank, p);
    }
}

/* Who lost more in one of the two columns stays, of which it is half as large a share. Halving is
 * exact: it does not matter whether a rank comes before or after. */
static cell join(const cell *a, const cell *b)
{
    const uint64_t top = MAX(a->top, b->top);
    return (cell){a->sum + b->sum, top > 0 ? top_of(worst_of(top), (float)(share_of(top) / 2)) : 0};
}

static void fold_table(table *t)
{
    const size_t rows = t->rows;
    const size_t half = (t->begun + 1) / 2;
    for (size_t c = 0; c < half; c++) {
        for (size_t r = 0; r < rows; r++) {
            const cell none = {0};
            const bool is_pair = 2 * c + 1 < t->begun;
            t->cells[c * rows + r] = join(&t->cells[2 * c * rows + r],
                                          is_pair ? &t->cells[(2 * c + 1) * rows + r] : &none);
        }
    }
    t->begun = (uint32_t)half;
}

/* Columns become twice as wide. */
static void fold(app_heat *h)
{
    fold_table(&h->fine);
    if (h->few.cells != NULL) {
        fold_table(&h->few);
    }
    h->level++;
}

sim_time app_heat_width(const app_heat *h, sim_time at)
{
    return h->first << level_at(h, at);
}

bool app_heat_is_one_column(const app_heat *h, sim_time begin, sim_time end)
{
    const sim_time width = h->first << level_at(h, begin);
    return begin / width == (end - 1) / width;
}

sim_time app_heat_reached(const app_heat *h)
{
    return h->reached;
}

void app_heat_reach(app_heat *h, sim_time end)
{
    while (end > width_now(h) * h->fine.columns) {
        fold(h);
    }
    const uint32_t column = end > 0 ? (uint32_t)((end - 1) / width_now(h)) : 0;
    begin_columns(&h->fine, column + 1);
    if (h->few.cells != NULL) {
        begin_columns(&h->few, column / h->few.widths + 1);
    }
    h->reached = MAX(h->reached, (column + (sim_time)1) * width_now(h));
}

void app_heat_add(app_heat *h, uint32_t rank, sim_time begin, sim_time end)
{
    pending *p = &h->open[rank];
    sim_time width = h->first << p->level;
    if (begin >= p->column * width && end <= (p->column + (sim_time)1) * width) {
        p->lost += end - begin; /* most are short: no division */
        return;
    }
    if (end > h->reached) {
        app_heat_reach(h, end);
    }
    while (begin < end) {
        const uint32_t level = level_at(h, begin);
        width = h->first << level;
        const uint32_t column = (uint32_t)(begin / width);
        const sim_time stop = MIN(end, (column + 1) * width);
        if (column != p->column || level != p->level) {
            flush(h, rank);
            p->column = column;
            p->level = level;
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
    __builtin_prefetch(cell_of(h, &h->fine, rank, &h->open[rank]), 1);
    if (h->wide != NULL) {
        __builtin_prefetch(&h->wide[rank], 1);
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
        v->most[to] = time > 0 ? byte_of(share_of(from->top) * (double)v->column_width / time) : 0;
        v->worst[to] = worst_of(from->top);
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

/* Of two columns, of which each is half of the new one: a rank's losses add up, else the larger
 * stays. */
static void compete(cell *c, uint64_t top)
{
    if (top == 0) {
        return;
    }
    const uint32_t rank = worst_of(top);
    const double before = worst_of(c->top) == rank ? share_of(c->top) : 0;
    c->top = MAX(c->top, top_of(rank, (float)(before + share_of(top) / 2)));
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
            cell four = {0};
            for (uint32_t y = 2 * r; y < MIN(2 * r + 2, f->rows); y++) {
                cell two = {0};
                for (uint32_t x = 2 * c; x < MIN(2 * c + 2, f->columns); x++) {
                    const cell *from = &fine->cells[(size_t)x * f->rows + y];
                    two.sum += from->sum;
                    compete(&two, from->top);
                }
                four.sum += two.sum;
                four.top = MAX(four.top, two.top);
            }
            l.own[(size_t)c * l.level.rows + r] = four;
        }
    }
    return l;
}

/* To the end of the run, even if nothing is lost there. */
static layer layer_of(app_heat *h, table *t, sim_time makespan)
{
    app_heat_reach(h, makespan);
    for (uint32_t rank = 0; rank < h->num_ranks; rank++) {
        flush(h, rank);
        if (h->wide != NULL) {
            lose(h, &h->few, rank, &h->wide[rank]);
        }
    }
    const sim_time width = width_now(h) * t->widths;
    const sim_time used = (makespan + width - 1) / width;
    return (layer){.level = {.rows = t->rows,
                             .columns = (uint32_t)CLAMP(used, 1, (sim_time)t->columns),
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
