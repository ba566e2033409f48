/* apps/ripple/enlarged/enlarged_page.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_enlarged, cli_regrid_validate. */
#include "enlarged/enlarged_page.h"

#include "enlarged/enlarged_words.h"
#include "output/folder.h"
#include "report/bars.h"
#include "report/page_figure.h"

#include <string.h>

typedef struct request {
    const app_enlarged *enlarged;
    const char *made_by;
} request;

static void add_table(app_page *page, const app_enlarged *e)
{
    static const char *const COLUMNS[] = {"",          "recorded", "regridded", "off",
                                          "in copies", "off",      NULL};
    app_page_table_begin(page, COLUMNS);
    for (guint i = 0; i < e->rows->len; i++) {
        const app_enlarged_row *row = &g_array_index(e->rows, app_enlarged_row, i);
        g_autofree char *recorded = app_enlarged_format_value(e, row, APP_ENLARGED_RECORDED);
        g_autofree char *grid = app_enlarged_format_value(e, row, APP_ENLARGED_REGRIDDED);
        g_autofree char *copies = app_enlarged_format_value(e, row, APP_ENLARGED_COPIES);
        g_autofree char *grid_off = app_enlarged_format_off(row->off[APP_ENLARGED_REGRIDDED]);
        g_autofree char *copies_off = app_enlarged_format_off(row->off[APP_ENLARGED_COPIES]);
        const char *const cells[] = {
            row->what, recorded,
            grid,      e->refusal[APP_ENLARGED_REGRIDDED] != NULL ? "" : grid_off,
            copies,    e->refusal[APP_ENLARGED_COPIES] != NULL ? "" : copies_off,
            NULL};
        app_page_table_row(page, cells);
    }
    app_page_table_end(page);
}

/* What the makespans consist of: a bar for each of those that are there. */
static app_chart *path_figure(const app_enlarged *e)
{
    enum { MOST_PARTS = 5 };
    static const app_bar_series ONE[] = {{"ideal", 'i'}};
    const char *parts[MOST_PARTS];
    double values[APP_ENLARGED_SIDES][MOST_PARTS];
    app_bar_group groups[APP_ENLARGED_SIDES];
    app_bar bars[APP_ENLARGED_SIDES];
    size_t num_parts = 0;
    size_t num_bars = 0;
    for (guint i = 0; i < e->rows->len && num_parts < MOST_PARTS; i++) {
        const app_enlarged_row *row = &g_array_index(e->rows, app_enlarged_row, i);
        if (g_str_has_prefix(row->what, "path: ")) {
            for (int s = 0; s < APP_ENLARGED_SIDES; s++) {
                values[s][num_parts] = (double)row->value[s] / 1000; /* ps to ns */
            }
            parts[num_parts++] = row->what + strlen("path: ");
        }
    }
    for (int s = 0; s < APP_ENLARGED_SIDES; s++) {
        if (e->refusal[s] == NULL) {
            const char *name = app_enlarged_side_name((app_enlarged_side)s);
            groups[num_bars] = (app_bar_group){name, name};
            bars[num_bars] = (app_bar){num_bars, 0, values[s]};
            num_bars++;
        }
    }
    const app_bars figure = {.name = "path",
                             .title = "Makespan, by the parts of its critical path",
                             .caption = "Without noise; the parts add up to the makespan.",
                             .group_name = "program",
                             .series_name = "noise",
                             .y = {"makespan", APP_UNIT_TIME, APP_SCALE_LINEAR},
                             .groups = groups,
                             .num_groups = num_bars,
                             .series = ONE,
                             .num_series = 1,
                             .parts = parts,
                             .num_parts = num_parts,
                             .bars = bars,
                             .num_bars = num_bars};
    return app_bars_new(&figure);
}

static bool add_figure(app_page *page, const app_enlarged *e, const char *folder, GError **error)
{
    g_autoptr(app_chart) chart = path_figure(e);
    return app_page_draw(page, chart, folder, error);
}

static bool make(const void *data, const char *folder, GError **error)
{
    const request *r = data;
    const app_enlarged *e = r->enlarged;
    g_autofree char *title =
        g_strdup_printf("%u ranks enlarged to %u, beside %u that were recorded", e->small_ranks,
                        e->ranks, e->ranks);
    g_autofree char *verdict = app_enlarged_verdict(e);
    g_auto(GStrv) notes = app_enlarged_notes(e);
    g_autoptr(app_page) page = app_page_new(title);
    verdict[0] = g_ascii_toupper(verdict[0]);
    app_page_finding(page, verdict);
    if (!add_figure(page, e, folder, error)) {
        return false;
    }
    add_table(page, e);
    app_page_list(page, "What this stands on", (const char *const *)notes);
    app_page_heading(page, "Made by");
    app_page_command(page, r->made_by);
    g_autofree char *path = g_build_filename(folder, APP_ENLARGED_PAGE, NULL);
    return app_page_write(page, path, error);
}

bool app_enlarged_page_write(const app_enlarged *e, const char *made_by, const char *folder,
                             GError **error)
{
    const request r = {e, made_by};
    return app_folder_fill(folder, make, &r, error);
}
