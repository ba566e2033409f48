/* apps/ripple/pages/view_still.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_view_page. */
#include "pages/view_still.h"

#include "pages/view_tables.h"
#include "report/bars.h"
#include "report/heat_map.h"

#include <glib/gstdio.h>

enum { MOST_BARS = 16 };

static app_chart *heat_chart(const app_picture *p)
{
    uint32_t rows = 0, columns = 0;
    g_autofree app_view_field *fields =
        app_view_fold(p, APP_VIEW_ROWS, APP_VIEW_COLUMNS, &rows, &columns);
    if (fields == NULL) {
        return NULL;
    }
    const size_t n = (size_t)rows * columns;
    g_autofree double *values = g_new(double, n + rows + columns);
    double *ys = values + n, *xs = ys + rows;
    for (size_t i = 0; i < n; i++) {
        values[i] = 100 * fields[i].share;
    }
    for (uint32_t r = 0; r < rows; r++) {
        ys[r] = fields[(size_t)r * columns].first;
    }
    for (uint32_t c = 0; c < columns; c++) {
        xs[c] = (double)fields[c].from / (double)SIM_NS;
    }
    const app_heat_map map = {
        .name = "heat",
        .title = "Where the ripple went",
        .caption = "Share of the time of ranks that was lost in noise and in waiting for it, by "
                   "when; a field is named by its first rank and its beginning.",
        .x = {"time", APP_UNIT_TIME, APP_SCALE_LINEAR},
        .y = {"rank", APP_UNIT_NONE, APP_SCALE_LINEAR},
        .z = {"lost", APP_UNIT_PERCENT, APP_SCALE_AUTO},
        .xs = xs,
        .num_x = columns,
        .ys = ys,
        .num_y = rows,
        .zs = values};
    return app_heat_map_new(&map);
}

static app_chart *bars_chart(const app_picture *p)
{
    const size_t n = MIN(p->num_lanes, MOST_BARS);
    double parts[MOST_BARS][APP_PICTURE_NUM_KINDS];
    char label[MOST_BARS][16];
    app_bar_group groups[MOST_BARS];
    app_bar bars[MOST_BARS];
    const char *names[APP_PICTURE_NUM_KINDS];
    app_picture_kind known[APP_PICTURE_NUM_KINDS];
    size_t num_known = 0;
    for (int k = 0; k < APP_PICTURE_NUM_KINDS; k++) {
        if (app_picture_knows(p, (app_picture_kind)k)) {
            names[num_known] = app_picture_kind_name((app_picture_kind)k);
            known[num_known++] = (app_picture_kind)k;
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < num_known; k++) {
            parts[i][k] = (double)p->lanes[i].time[known[k]] / (double)SIM_NS;
        }
        g_snprintf(label[i], sizeof label[i], "%u", p->lanes[i].rank);
        groups[i] = (app_bar_group){label[i], label[i]};
        bars[i] = (app_bar){i, 0, parts[i]};
    }
    static const app_bar_series RUN[] = {{"this run", ' '}};
    const app_bars chart = {.name = "lanes",
                            .title = "Where the time of ranks went",
                            .caption = "Time of each rank by what it was spent on; at most the "
                                       "first 16 of the ranks in the table.",
                            .group_name = "rank",
                            .series_name = "run",
                            .y = {"time", APP_UNIT_TIME, APP_SCALE_LINEAR},
                            .groups = groups,
                            .num_groups = n,
                            .series = RUN,
                            .num_series = 1,
                            .parts = names,
                            .num_parts = num_known,
                            .bars = bars,
                            .num_bars = n};
    return n > 0 ? app_bars_new(&chart) : NULL;
}

/* The drawing alone: its files go with the folder. */
static bool add(app_page *page, const app_chart *chart, const char *folder, GError **error)
{
    g_autofree char *drawn = NULL;
    if (chart == NULL) {
        return true;
    }
    if (!app_figure_write(&chart->figure, folder, &drawn, error)) {
        return false;
    }
    if (drawn != NULL) {
        g_autofree char *caption = g_markup_escape_text(chart->figure.caption, -1);
        app_page_html(page, "<figure>");
        app_page_html(page, drawn);
        app_page_html(page, "<figcaption>");
        app_page_html(page, caption);
        app_page_html(page, "</figcaption></figure>\n");
    }
    return true;
}

static void remove_folder(const char *folder)
{
    GDir *dir = g_dir_open(folder, 0, NULL);
    for (const char *name; dir != NULL && (name = g_dir_read_name(dir)) != NULL;) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        (void)g_unlink(path);
    }
    if (dir != NULL) {
        g_dir_close(dir);
    }
    (void)g_rmdir(folder);
}

bool app_view_still_add(app_page *page, const app_picture *p, GError **error)
{
    if (!app_figure_can_draw()) {
        app_page_paragraph(page, "Nor was gnuplot found, which draws those that do not move: what "
                                 "they would show is in the tables.");
        return true;
    }
    g_autofree char *folder = g_dir_make_tmp("ripple-XXXXXX", error);
    if (folder == NULL) {
        return false;
    }
    g_autoptr(app_chart) heat = heat_chart(p);
    g_autoptr(app_chart) bars = bars_chart(p);
    const bool ok = add(page, heat, folder, error) && add(page, bars, folder, error);
    remove_folder(folder);
    return ok;
}
