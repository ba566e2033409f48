/* apps/ripple/pages/component_page.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_component_page, browser_component. */
#include "pages/component_page.h"

#include "output/number_text.h"
#include "pages/component_data.h"
#include "pages/component_epochs.h"
#include "pages/component_tables.h"
#include "pages/interactive_page.h"
#include "sim/unit.h"

/* Some 14 bytes each in the page, where none is like another. */
enum { MOST_SLICES = 250000 };

static void add_summary(app_page *page, const noise_miner_report *r)
{
    g_autofree char *observed = sim_unit_format_time_short(r->observed);
    g_autofree char *events = app_format_number(r->events);
    g_autofree char *ranks = app_format_ranks(r->ranks_seen);
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_append_printf(text, "%s events on %s in %s: %zu kind%s of noise found.", events, ranks,
                           observed, r->num_rows, r->num_rows == 1 ? "" : "s");
    if (r->num_rows > 0) {
        g_autofree char *time = sim_unit_format_time_short(r->rows[0].t_noise);
        g_autofree char *share = app_format_percent(r->rows[0].share);
        g_string_append_printf(text, " First in the table: %s, %s, %s of the run time.", time,
                               r->rows[0].label, share);
    }
    app_page_finding(page, text->str);
    if (r->dropped_rows > 0) {
        g_autofree char *dropped =
            g_strdup_printf("%" G_GUINT64_FORMAT " smaller or rarer kind%s not shown.",
                            r->dropped_rows, r->dropped_rows == 1 ? " is" : "s are");
        app_page_paragraph(page, dropped);
    }
}

static void add_notes(app_page *page, const app_component_view *view, size_t num_bare)
{
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 0; view->notes != NULL && view->notes[i] != NULL; i++) {
        g_ptr_array_add(notes, g_strdup(view->notes[i]));
    }
    if (num_bare > 0) {
        g_ptr_array_add(notes,
                        g_strdup_printf("What surrounds %zu of the %zu events is left out: there "
                                        "was no room for it.",
                                        num_bare, view->num_exemplars));
    }
    g_ptr_array_add(notes, NULL);
    app_page_list(page, "What these numbers stand on", (const char *const *)notes->pdata);
}

bool app_component_page_write(const app_component_view *view, const char *path, GError **error)
{
    static const char *const SCRIPTS[] = {"units.js",  "data.js",      "looks.js", "plot.js",
                                          "strips.js", "component.js", NULL};
    g_autofree char *d3 = app_d3_read(NULL);
    g_autoptr(app_page) page = app_page_new(view->title);
    g_autoptr(JsonNode) data = NULL;
    size_t num_bare = 0;
    app_interactive_page_begin(page);
    add_summary(page, view->report);
    app_component_rows(page, view);
    app_component_epochs(page, view);
    if (d3 != NULL) {
        data = app_component_data_new(view, MOST_SLICES, &num_bare);
        app_interactive_page_markup(page, "component.html");
    } else {
        app_interactive_page_static(page);
        app_component_still_add(page, view);
    }
    app_component_events(page, view);
    add_notes(page, view, num_bare);
    if (view->made_by != NULL) {
        app_page_heading(page, "Made by");
        app_page_command(page, view->made_by);
    }
    if (d3 != NULL) {
        app_interactive_page_end(page, d3, data, SCRIPTS);
    }
    return app_page_write(page, path, error);
}
