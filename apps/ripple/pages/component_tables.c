/* apps/ripple/pages/component_tables.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_component_page, browser_component. */
#include "pages/component_tables.h"

#include "output/miner_print.h"
#include "pages/component_data.h"
#include "pages/interactive_page.h"
#include "sim/unit.h"

enum { MOST_ROWS = 40 }; /* whose events are listed: a page has an end */

void app_component_rows(app_page *page, const app_component_view *view)
{
    if (view->report->num_rows == 0) {
        app_page_paragraph(page, "No noise was found.");
        return;
    }
    app_page_html(page, "<div id=\"rows\">\n");
    app_page_table_begin(page, APP_MINER_COLUMNS);
    for (size_t i = 0; i < view->report->num_rows; i++) {
        g_auto(GStrv) cells = app_miner_row_cells(view->report, &view->report->rows[i]);
        app_page_table_row(page, (const char *const *)cells);
    }
    app_page_table_end(page);
    app_page_html(page, "</div>\n");
    if (view->gains != NULL) {
        g_autoptr(GPtrArray) gains = g_ptr_array_new_with_free_func(g_free);
        for (size_t i = 0; i < view->report->num_rows; i++) {
            if (view->gains[i] != NULL) {
                g_autofree char *time = sim_unit_format_time_short(view->report->rows[i].t_noise);
                g_ptr_array_add(gains, g_strdup_printf("%s: %s", time, view->gains[i]));
            }
        }
        g_ptr_array_add(gains, NULL);
        app_page_list(page, "What each costs at scale", (const char *const *)gains->pdata);
    }
}

static char *time_or_dash(sim_time t)
{
    return t >= 0 ? sim_unit_format_time(t) : g_strdup("-");
}

static void add_event(app_page *page, const app_component_view *view, const app_exemplar *e)
{
    const noise_miner_event *v = &e->event;
    g_autofree char *rank = g_strdup_printf("%u", v->rank);
    g_autofree char *start = sim_unit_format_time(v->start);
    g_autofree char *length = sim_unit_format_time(v->end - v->start);
    g_autofree char *expected = time_or_dash(v->expected);
    g_autofree char *excess = v->expected >= 0
                                  ? sim_unit_format_time_short(app_component_excess(view, e))
                                  : g_strdup("-");
    g_autofree char *waited = time_or_dash(v->waited);
    g_autofree char *cpu = time_or_dash(v->cpu);
    const char *const cells[] = {
        rank, e->type != NULL ? e->type : "-", start, length, expected, excess, waited, cpu, NULL};
    app_page_table_row(page, cells);
}

/* Behind a <details>; false: the row has no events to show. */
static bool fold_row(app_page *page, const app_component_view *view, size_t row, const char *what)
{
    size_t n = 0;
    for (size_t i = 0; i < view->num_exemplars; i++) {
        n += view->exemplars[i].row == row;
    }
    if (n == 0) {
        return false;
    }
    const noise_miner_row *r = &view->report->rows[row];
    g_autofree char *time = sim_unit_format_time_short(r->t_noise);
    g_autofree char *summary = g_strdup_printf("%s of %zu event%s with %s, %s", what, n,
                                               n == 1 ? "" : "s", time, r->label);
    app_interactive_page_fold(page, summary);
    return true;
}

void app_component_events(app_page *page, const app_component_view *view)
{
    static const char *const HEAD[] = {"rank",      "event",  "begin",    "length", "expected",
                                       "longer by", "waited", "CPU time", NULL};
    for (size_t row = 0; row < MIN(view->report->num_rows, MOST_ROWS); row++) {
        if (fold_row(page, view, row, "Table")) {
            app_page_table_begin(page, HEAD);
            for (size_t i = 0; i < view->num_exemplars; i++) {
                if (view->exemplars[i].row == row) {
                    add_event(page, view, &view->exemplars[i]);
                }
            }
            app_page_table_end(page);
            app_interactive_page_unfold(page);
        }
    }
}

enum { STRIP_WIDTH = 360, STRIP_HEIGHT = 66, MOST_STILL_SLICES = 200 };

/* From a time to px: the event in the middle third. */
static double place(const noise_miner_event *v, sim_time t)
{
    const double length = (double)MAX(v->end - v->start, 1);
    const double x = ((double)(t - v->start) / length + 1.0) * STRIP_WIDTH / 3.0;
    return CLAMP(x, 0.0, (double)STRIP_WIDTH);
}

/* In the order of app_exemplar_kind: computations in the middle, calls above, who ran below. */
static const int TOP[] = {20, 0, 46}, HEIGHT[] = {24, 18, 18};
static const char *const FILL[] = {"#56b4e9", "#cc79a7", "#e69f00"};

static void append_bar(GString *svg, const noise_miner_event *v, sim_time begin, sim_time end,
                       app_exemplar_kind kind, const char *fill, const char *name)
{
    const double from = place(v, begin), to = place(v, end);
    g_autofree char *length = sim_unit_format_time(end - begin);
    g_autofree char *start = sim_unit_format_time(begin);
    g_autofree char *title = g_markup_printf_escaped("%s, %s from %s on", name, length, start);
    char x[G_ASCII_DTOSTR_BUF_SIZE], width[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(x, sizeof x, "%.2f", from);
    g_ascii_formatd(width, sizeof width, "%.2f", MAX(to - from, 1.0));
    g_string_append_printf(svg,
                           "<rect x=\"%s\" y=\"%d\" width=\"%s\" height=\"%d\" fill=\"%s\">"
                           "<title>%s</title></rect>",
                           x, TOP[kind], width, HEIGHT[kind], fill, title);
}

static void append_strip(GString *svg, const app_component_view *view, const app_exemplar *e)
{
    const noise_miner_event *v = &e->event;
    g_autofree char *start = sim_unit_format_time_short(v->start);
    g_autofree char *length = sim_unit_format_time_short(v->end - v->start);
    g_autofree char *title = g_strdup_printf("rank %u at %s: %s", v->rank, start, length);
    g_string_append_printf(svg,
                           "<figure class=\"strip\"><figcaption>%s</figcaption>"
                           "<svg role=\"img\" aria-label=\"%s\" viewBox=\"0 0 %d %d\">",
                           title, title, STRIP_WIDTH, STRIP_HEIGHT);
    for (size_t i = 0; i < MIN(e->num_slices, MOST_STILL_SLICES); i++) {
        const app_exemplar_slice *s = &e->slices[i];
        append_bar(svg, v, s->begin, s->end, s->kind, FILL[s->kind], s->name);
    }
    const app_exemplar_kind kind = app_exemplar_event_kind(e);
    const char *name = e->type != NULL ? e->type : "event";
    append_bar(svg, v, v->start, v->end, kind, FILL[kind], name);
    const sim_time excess = CLAMP(app_component_excess(view, e), 0, v->end - v->start);
    append_bar(svg, v, v->end - excess, v->end, kind, "#d55e00", "longer than expected");
    g_string_append(svg, "</svg></figure>\n");
}

void app_component_still_add(app_page *page, const app_component_view *view)
{
    for (size_t row = 0; row < MIN(view->report->num_rows, MOST_ROWS); row++) {
        if (fold_row(page, view, row, "Timelines")) {
            g_autoptr(GString) svg = g_string_new("<div class=\"strips still\">\n");
            for (size_t i = 0; i < view->num_exemplars; i++) {
                if (view->exemplars[i].row == row) {
                    append_strip(svg, view, &view->exemplars[i]);
                }
            }
            g_string_append(svg, "</div>\n");
            app_page_html(page, svg->str);
            app_interactive_page_unfold(page);
        }
    }
}
