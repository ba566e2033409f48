/* apps/ripple/knockout/knockout_report.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_knockout_report. */
#include "knockout/knockout_report.h"

#include "knockout/knockout_findings.h"
#include "knockout/knockout_print.h"
#include "report/curves.h"
#include "report/page_figure.h"

enum { MOST_CURVES = 6 };

/* Of the component, in a table; NULL: its row is elsewhere. */
static const app_knockout_gain *gain_of(const app_knockout_table *t, size_t component)
{
    for (size_t i = 0; i < t->num_gains; i++) {
        if (t->gains[i].component == component) {
            return &t->gains[i];
        }
    }
    return NULL;
}

/* @return how many points; @p remarks static */
static size_t points_of(const app_knockout *k, app_mode mode, size_t component,
                        app_curve_point *points)
{
    size_t n = 0;
    for (size_t i = 0; i < k->num_tables; i++) {
        const app_knockout_table *t = &k->tables[i];
        const app_knockout_gain *g = t->all->mode == mode ? gain_of(t, component) : NULL;
        if (g != NULL) {
            points[n++] = (app_curve_point){
                .x = t->all->ranks,
                .y = 100 * g->gain.mean,
                .low = 100 * g->gain.low,
                .high = 100 * g->gain.high,
                .hollow = k->is_invalid || !app_knockout_is_ranked(g),
                .remark = app_knockout_remark(g),
            };
        }
    }
    return n;
}

/* The largest table of the mode; NULL: there is none. */
static const app_knockout_table *last_of(const app_knockout *k, app_mode mode)
{
    const app_knockout_table *last = NULL;
    for (size_t i = 0; i < k->num_tables; i++) {
        last = k->tables[i].all->mode == mode ? &k->tables[i] : last;
    }
    return last;
}

static app_chart *figure_of(const app_knockout *k, app_mode mode)
{
    const app_knockout_table *last = last_of(k, mode);
    if (last == NULL) {
        return NULL;
    }
    app_curve curves[MOST_CURVES];
    app_curve_point *points[MOST_CURVES];
    const size_t n = MIN(last->num_gains, (size_t)MOST_CURVES);
    for (size_t i = 0; i < n; i++) {
        const size_t component = last->gains[i].component;
        points[i] = g_new(app_curve_point, k->num_tables);
        curves[i] = (app_curve){k->parts[component].name, points[i],
                                points_of(k, mode, component, points[i])};
    }
    g_autofree char *name =
        g_strdup_printf("knock-out-%s", mode == APP_COSCHEDULED ? "coscheduled" : "unsynchronized");
    g_autofree char *title = g_strdup_printf("What each component costs, %s", app_mode_name(mode));
    g_autofree char *caption = g_strdup_printf(
        "By how much the slowdown falls without the component: mean of the replicas and, as a band "
        "or bar, its 95 %% interval. Hollow: not told apart from 0, or too few detours met.%s%s",
        k->is_invalid ? " The measurement is not valid." : "",
        n < last->num_gains ? " Those with the largest gains; the others are in the tables." : "");
    const app_curves figure = {
        .name = name,
        .title = title,
        .caption = caption,
        .x = {"ranks", APP_UNIT_COUNT, APP_SCALE_AUTO},
        .y = {"gain", APP_UNIT_PERCENT, APP_SCALE_LINEAR},
        .series_name = "component",
        .band_name = "95 % interval, or range",
        .hollow_name = "not told apart from 0, or few met",
        .curves = curves,
        .num_curves = n,
    };
    app_chart *chart = app_curves_new(&figure);
    for (size_t i = 0; i < n; i++) {
        g_free(points[i]);
    }
    return chart;
}

static bool add_figure(const app_knockout *k, app_mode mode, app_page *page, const char *folder,
                       GError **error)
{
    g_autoptr(app_chart) chart = figure_of(k, mode);
    return app_page_draw(page, chart, folder, error);
}

static void add_table(const app_knockout *k, const app_knockout_table *t, app_page *page)
{
    g_autofree char *title = app_knockout_table_title(t);
    app_page_paragraph(page, title);
    app_page_table_begin(page, app_knockout_head);
    for (size_t i = 0; i < t->num_gains; i++) {
        g_auto(GStrv) cells = g_new0(char *, APP_KNOCKOUT_COLUMNS + 1);
        app_knockout_cells(k, &t->gains[i], cells);
        app_page_table_row(page, (const char *const *)cells);
    }
    app_page_table_end(page);
    if (t->num_pairs == 0) {
        return;
    }
    app_page_paragraph(page, "of two together");
    app_page_table_begin(page, app_knockout_pair_head);
    for (size_t i = 0; i < t->num_pairs; i++) {
        g_auto(GStrv) cells = g_new0(char *, APP_KNOCKOUT_PAIR_COLUMNS + 1);
        app_knockout_pair_cells(k, &t->pairs[i], cells);
        app_page_table_row(page, (const char *const *)cells);
    }
    app_page_table_end(page);
}

bool app_knockout_report(const app_knockout *k, app_page *page, const char *folder, GError **error)
{
    g_auto(GStrv) conclusions = app_knockout_conclusions(k);
    g_auto(GStrv) conditions = app_knockout_conditions(k);
    app_page_heading(page, "What to switch off first");
    for (char **line = conclusions; *line != NULL; line++) {
        app_page_finding(page, *line);
    }
    for (int mode = APP_UNSYNCHRONIZED; mode < APP_NUM_MODES; mode++) {
        if (!add_figure(k, (app_mode)mode, page, folder, error)) {
            return false;
        }
    }
    for (size_t i = 0; i < k->num_tables; i++) {
        add_table(k, &k->tables[i], page);
    }
    app_page_list(page, "What the gains stand on", (const char *const *)conditions);
    return true;
}
