/* apps/ripple/pages/view_tables.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_view_page, browser_view. */
#include "pages/view_tables.h"

#include "output/number_text.h"
#include "pages/interactive_page.h"
#include "sim/unit.h"

#include <math.h>

enum { MOST_ROWS = 500, TABLE_COLUMNS = 8 };

/* The coarsest level that still has that many rows and columns, or the finest. */
static const app_picture_level *level_for(const app_picture *p, uint32_t rows, uint32_t columns)
{
    size_t i = p->num_levels - 1;
    while (i > 0 && (p->levels[i].rows < rows || p->levels[i].columns < columns)) {
        i--;
    }
    return &p->levels[i];
}

/* The mean of a part of a level. */
static double mean_of(const app_picture_level *l, const uint32_t row[2], const uint32_t column[2])
{
    uint64_t sum = 0;
    for (uint32_t r = row[0]; r < row[1]; r++) {
        for (uint32_t c = column[0]; c < column[1]; c++) {
            sum += l->mean[(size_t)r * l->columns + c];
        }
    }
    const double cells = (double)(row[1] - row[0]) * (double)(column[1] - column[0]);
    return (double)sum / cells / UINT8_MAX;
}

app_view_field *app_view_fold(const app_picture *p, uint32_t rows, uint32_t columns,
                              uint32_t *num_rows, uint32_t *num_columns)
{
    if (p->num_levels == 0) {
        return NULL;
    }
    const app_picture_level *l = level_for(p, rows, columns);
    const uint32_t high = (l->rows + rows - 1) / rows; /* cells of a field */
    const uint32_t wide = (l->columns + columns - 1) / columns;
    *num_rows = (l->rows + high - 1) / high;
    *num_columns = (l->columns + wide - 1) / wide;
    app_view_field *fields = g_new0(app_view_field, (size_t)*num_rows * *num_columns);
    for (uint32_t r = 0; r < *num_rows; r++) {
        for (uint32_t c = 0; c < *num_columns; c++) {
            const uint32_t row[2] = {r * high, MIN((r + 1) * high, l->rows)};
            const uint32_t column[2] = {c * wide, MIN((c + 1) * wide, l->columns)};
            const uint64_t end = (uint64_t)row[1] * l->ranks_per_row;
            fields[(size_t)r * *num_columns + c] =
                (app_view_field){.first = row[0] * l->ranks_per_row,
                                 .last = (uint32_t)MIN(end, p->num_ranks) - 1,
                                 .from = column[0] * l->column_width,
                                 .to = MIN(column[1] * l->column_width, p->makespan),
                                 .share = mean_of(l, row, column)};
        }
    }
    return fields;
}

static char *rank_range(const app_view_field *field)
{
    return field->first == field->last ? g_strdup_printf("%u", field->first)
                                       : g_strdup_printf("%u-%u", field->first, field->last);
}

void app_view_heat_table(app_page *page, const app_picture *p)
{
    uint32_t rows = 0, columns = 0;
    g_autofree app_view_field *fields =
        app_view_fold(p, APP_VIEW_ROWS, TABLE_COLUMNS, &rows, &columns);
    if (fields == NULL) {
        return;
    }
    app_interactive_page_fold(page, "The heat map as a table: share of the time that was lost");
    g_autoptr(GPtrArray) head = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(head, g_strdup("ranks"));
    for (uint32_t c = 0; c < columns; c++) {
        g_autofree char *from = sim_unit_format_time_short(fields[c].from);
        g_ptr_array_add(head, g_strdup_printf("from %s", from));
    }
    g_ptr_array_add(head, NULL);
    app_page_table_begin(page, (const char *const *)head->pdata);
    for (uint32_t r = 0; r < rows; r++) {
        g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func(g_free);
        g_ptr_array_add(cells, rank_range(&fields[(size_t)r * columns]));
        for (uint32_t c = 0; c < columns; c++) {
            g_ptr_array_add(cells, app_format_percent(fields[(size_t)r * columns + c].share));
        }
        g_ptr_array_add(cells, NULL);
        app_page_table_row(page, (const char *const *)cells->pdata);
    }
    app_page_table_end(page);
    app_interactive_page_unfold(page);
}

static void say_first(app_page *page, size_t n)
{
    if (n > MOST_ROWS) {
        g_autofree char *text = g_strdup_printf("The first %d of %zu.", MOST_ROWS, n);
        app_page_paragraph(page, text);
    }
}

void app_view_lanes_table(app_page *page, const app_picture *p)
{
    if (p->num_lanes == 0) {
        return;
    }
    app_interactive_page_fold(page, "The timelines as a table: where the time of each rank went");
    /* What is not known, as what noise cost a recorded run, is left out: it is not nothing. */
    const bool knows_lost = app_picture_knows(p, APP_PICTURE_NOISE_WAIT);
    const char *head[APP_PICTURE_NUM_KINDS + 4] = {"rank", "finish"};
    int columns = 2;
    for (int k = 0; k < APP_PICTURE_NUM_KINDS; k++) {
        if (app_picture_knows(p, (app_picture_kind)k)) {
            head[columns++] = app_picture_kind_name((app_picture_kind)k);
        }
    }
    head[columns] = knows_lost ? "lost" : NULL;
    app_page_table_begin(page, head);
    for (size_t l = 0; l < MIN(p->num_lanes, MOST_ROWS); l++) {
        const app_picture_lane *lane = &p->lanes[l];
        char *cells[APP_PICTURE_NUM_KINDS + 4] = {g_strdup_printf("%u", lane->rank),
                                                  sim_unit_format_time_short(lane->finish)};
        int next = 2;
        for (int k = 0; k < APP_PICTURE_NUM_KINDS; k++) {
            if (app_picture_knows(p, (app_picture_kind)k)) {
                cells[next++] = sim_unit_format_time_short(lane->time[k]);
            }
        }
        if (knows_lost) {
            cells[next] = sim_unit_format_time_short(lane->time[APP_PICTURE_NOISE_WAIT] +
                                                     lane->time[APP_PICTURE_DETOUR]);
        }
        app_page_table_row(page, (const char *const *)cells);
        for (size_t i = 0; cells[i] != NULL; i++) {
            g_free(cells[i]);
        }
    }
    app_page_table_end(page);
    say_first(page, p->num_lanes);
    app_interactive_page_unfold(page);
}

void app_view_path_table(app_page *page, const app_picture *p)
{
    if (p->num_path == 0) {
        return;
    }
    sim_time whole = 0;
    for (int k = 0; k < APP_PICTURE_PATH_NUM_KINDS; k++) {
        whole += p->path_part[k];
    }
    app_interactive_page_fold(page, "The critical path as a table: what decided the end");
    static const char *const HEAD[] = {"spent on", "time", "share", NULL};
    app_page_table_begin(page, HEAD);
    for (int k = 0; k < APP_PICTURE_PATH_NUM_KINDS; k++) {
        g_autofree char *time = sim_unit_format_time_short(p->path_part[k]);
        g_autofree char *share =
            app_format_percent((double)p->path_part[k] / (double)MAX(whole, 1));
        const char *const cells[] = {app_picture_path_kind_name((app_picture_path_kind)k), time,
                                     share, NULL};
        app_page_table_row(page, cells);
    }
    app_page_table_end(page);
    app_interactive_page_unfold(page);
}

/* "12.3 (11.9 to 12.7)" in units of `scale`, "-" where there is none. */
static char *fit_text(const app_picture_fit *fit, double scale, const char *unit)
{
    return isfinite(fit->value) ? g_strdup_printf("%.4g %s (%.4g to %.4g)", fit->value / scale,
                                                  unit, fit->low / scale, fit->high / scale)
                                : g_strdup("-");
}

static void add_directions(app_page *page, const app_picture_injection *in)
{
    static const char *const HEAD[] = {"towards",
                                       "ranks in the fit",
                                       "speed (95 % interval)",
                                       "decay (95 % interval)",
                                       "first rank not reached",
                                       NULL};
    app_page_table_begin(page, HEAD);
    for (size_t i = 0; i < in->num_waves; i++) {
        const app_picture_wave *w = &in->waves[i];
        g_autofree char *points = g_strdup_printf("%zu", w->points);
        g_autofree char *speed = fit_text(&w->speed, 1.0, "ranks/s");
        g_autofree char *decay = fit_text(&w->decay, (double)SIM_US, "us/rank");
        g_autofree char *absorbed =
            w->absorbed == APP_PICTURE_NONE ? g_strdup("-") : g_strdup_printf("%u", w->absorbed);
        const char *const cells[] = {w->direction > 0 ? "larger ranks" : "smaller ranks",
                                     points,
                                     speed,
                                     decay,
                                     absorbed,
                                     NULL};
        app_page_table_row(page, cells);
    }
    app_page_table_end(page);
}

void app_view_wave_table(app_page *page, const app_picture *p)
{
    const app_picture_injection *in = p->injection;
    if (in == NULL) {
        return;
    }
    app_interactive_page_fold(page, "The idle wave as a table: when it came to which rank");
    add_directions(page, in);
    static const char *const HEAD[] = {"rank", "distance", "arrived", "delay", "in the fit", NULL};
    app_page_table_begin(page, HEAD);
    for (size_t i = 0; i < MIN(in->num_fronts, MOST_ROWS); i++) {
        const app_picture_front *f = &in->fronts[i];
        g_autofree char *rank = g_strdup_printf("%u", f->rank);
        g_autofree char *distance = g_strdup_printf("%" G_GINT64_FORMAT, f->distance);
        g_autofree char *arrived = sim_unit_format_time(f->arrived);
        g_autofree char *delay = sim_unit_format_time(f->delay);
        const char *const cells[] = {rank, distance, arrived, delay, f->is_fitted ? "yes" : "no",
                                     NULL};
        app_page_table_row(page, cells);
    }
    app_page_table_end(page);
    say_first(page, in->num_fronts);
    app_interactive_page_unfold(page);
}
