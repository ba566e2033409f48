/* apps/ripple/monitor/activity_page.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_monitor_report. */
#include "monitor/activity_page.h"

#include "monitor/activity_figures.h"
#include "output/folder.h"
#include "report/chart.h"
#include "report/page_figure.h"

enum { MOST_ROWS = 60 };

typedef char **cells_of(const app_activity *a, const noise_activity_row *row);

/* Without the column of the node, the second, where all are of one. NULL-terminated, borrowed. */
static const char **select_cells(const app_activity *a, const char *const *cells)
{
    size_t n = 0;
    while (cells[n] != NULL) {
        n++;
    }
    const char **selected = g_new0(const char *, n + 1);
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        if (i != 1 || a->set->nit->num_nodes > 1) {
            selected[used++] = cells[i];
        }
    }
    return selected;
}

static void add_table(app_page *page, const app_activity *a, size_t section,
                      const char *const *columns, cells_of *cells_of_row)
{
    g_autofree const char **head = select_cells(a, columns);
    app_page_table_begin(page, head);
    size_t rows = 0;
    for (size_t r = 0; r < a->activity->num_rows && rows < MOST_ROWS; r++) {
        if (app_activity_section_has(section, &a->activity->rows[r])) {
            g_auto(GStrv) cells = cells_of_row(a, &a->activity->rows[r]);
            g_autofree const char **shown = select_cells(a, (const char *const *)cells);
            app_page_table_row(page, shown);
            rows++;
        }
    }
    app_page_table_end(page);
    if (rows == MOST_ROWS) {
        app_page_paragraph(page, "The first of them; --format=csv has all.");
    }
}

static void add_sections(app_page *page, const app_activity *a)
{
    for (size_t s = 0; s < APP_ACTIVITY_SECTIONS; s++) {
        bool has_rows = false;
        for (size_t r = 0; r < a->activity->num_rows; r++) {
            has_rows = has_rows || app_activity_section_has(s, &a->activity->rows[r]);
        }
        if (has_rows) {
            app_page_heading(page, app_activity_section_title(s));
            add_table(page, a, s, APP_ACTIVITY_USE, app_activity_use_cells);
            add_table(page, a, s, APP_ACTIVITY_WHEN, app_activity_when_cells);
        }
    }
}

static bool add_figures(app_page *page, const noise_activity_trace *trace, const char *folder,
                        GError **error)
{
    g_autoptr(GPtrArray) figures = app_activity_figures_new(trace);
    for (guint i = 0; i < figures->len; i++) {
        const app_chart *chart = g_ptr_array_index(figures, i);
        if (!app_page_draw(page, chart, folder, error)) {
            return false;
        }
    }
    return true;
}

static bool make(const void *data, const char *folder, GError **error)
{
    const app_activity_page *p = data;
    const app_activity *a = p->activity;
    const noise_nit *nit = a->set->nit;
    g_autofree char *title = nit->num_nodes == 1
                                 ? g_strdup_printf("What %s did", nit->nodes[0].name)
                                 : g_strdup_printf("What %zu nodes did", nit->num_nodes);
    g_autoptr(app_page) page = app_page_new(title);
    for (size_t n = 0; n < nit->num_nodes; n++) {
        if (nit->nodes[n].blind != NULL) {
            g_autofree char *blind =
                g_strdup_printf("%s was watched blind: %s. What could not be seen is "
                                "missing here, not quiet.",
                                nit->nodes[n].name, nit->nodes[n].blind);
            app_page_warning(page, blind);
        }
    }
    g_autofree char *finding = app_activity_finding(a);
    if (finding != NULL) {
        app_page_finding(page, finding);
    }
    if (!add_figures(page, p->trace, folder, error)) {
        return false;
    }
    add_sections(page, a);
    for (size_t n = 0; n < nit->num_nodes; n++) {
        g_auto(GStrv) sentences = app_activity_node_sentences(a, n);
        app_page_list(page, nit->nodes[n].name, (const char *const *)sentences);
    }
    g_auto(GStrv) notes = app_activity_notes(a);
    app_page_list(page, "What these numbers stand on", (const char *const *)notes);
    static const app_term TERMS[] = {
        {"activation",
         "a thread became active, and was quiet before; sweeps next to each other count once"},
        {"slice", "a thread was put on a CPU"},
        {"from ranks",
         "time in which a rank could have run and this program had its CPU, by the rank's "
         "own switch records; - where there are none"},
        {"beside ranks",
         "CPU time on CPUs that the job used, too; where no ranks are known, all of it is meant"},
        {"of node", "of the CPU time of all CPUs of the node"},
        {"sure", "1 less the probability of a rhythm as clear by chance"},
    };
    app_page_terms(page, TERMS, G_N_ELEMENTS(TERMS));
    app_page_heading(page, "Made by");
    app_page_command(page, p->made_by);
    g_autofree char *path = g_build_filename(folder, APP_ACTIVITY_PAGE, NULL);
    return app_page_write(page, path, error);
}

bool app_activity_page_write(const app_activity_page *page, const char *folder, GError **error)
{
    return app_folder_fill(folder, make, page, error);
}
