/* bench/sc07/figures.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sc07_figures. */
#include "figures.h"

#include "comparison_print.h"
#include "figure_calls.h"
#include "figure_ils.h"
#include "report/page_figure.h"
#include "roc_figures.h"

/* In the order of the paper. */
static bool draw_paper(const sc07_lab *lab, const char *folder, app_page *page, GError **error)
{
    return sc07_draw_ils(lab, SC07_GROUP_FT, folder, page, error) &&
           sc07_draw_periods(folder, page, error) &&
           sc07_draw_ils(lab, SC07_GROUP_CG, folder, page, error) &&
           sc07_draw_profile(lab, folder, page, error) &&
           sc07_draw_ils(lab, SC07_GROUP_POP, folder, page, error) &&
           sc07_draw_ils(lab, SC07_GROUP_POP1, folder, page, error);
}

void sc07_page_tables(const sc07_report *report, app_page *page)
{
    static const struct {
        const char *id;
        const char *name;
    } EACH[] = {{"E1", "typical sequences (Tables 1, 2, 5 and 7)"},
                {"E2", "FT (Tables 3 and 4)"},
                {"E3", "CG (Table 6)"},
                {"E4", "POP, job on node 1 (Table 9)"},
                {"E5", "POP, job on node 2 (Table 8)"},
                {"E6", "what explains the differences of FT"},
                {"E7", "what explains those of POP"}};
    for (size_t i = 0; i < G_N_ELEMENTS(EACH); i++) {
        const bool rules = sc10_table_has(report->rules, EACH[i].id);
        const bool numbers = sc10_table_has(report->numbers, EACH[i].id);
        if (rules || numbers) {
            g_autofree char *heading = g_strdup_printf("%s: %s", EACH[i].id, EACH[i].name);
            app_page_heading(page, heading);
        }
        if (rules) {
            app_page_paragraph(page, "What must hold:");
            sc10_table_add(report->rules, EACH[i].id, page);
        }
        if (numbers) {
            app_page_paragraph(page, "Numbers of the paper, each of one run, and ours: median "
                                     "(least .. greatest). Compatible: the paper's lies among "
                                     "ours.");
            sc10_table_add(report->numbers, EACH[i].id, page);
        }
    }
}

/* Of what was asked for. */
static void add_finding(const sc07_report *report, app_page *page)
{
    unsigned counts[SC10_NUM_VERDICTS];
    unsigned checks = 0;
    sc10_table_count(report->rules, counts);
    for (size_t v = 0; v < SC10_NUM_VERDICTS; v++) {
        checks += counts[v];
    }
    if (checks > 0) {
        g_autofree char *sum = sc10_table_sum_up(report->rules);
        app_page_finding(page, sum);
    }
}

static void add_table(const sc07_text_table *table, app_page *page)
{
    app_page_table_begin(page, g_ptr_array_index(table->rows, 0));
    for (guint i = 1; i < table->rows->len; i++) {
        app_page_table_row(page, g_ptr_array_index(table->rows, i));
    }
    app_page_table_end(page);
}

app_page *sc07_page_new(const sc07_report *report)
{
    app_page *page = app_page_new("Software Interference Detection: SC07 repeated");
    add_finding(report, page);
    app_page_paragraph(page, "The experiments of V. Tabatabaee and J. K. Hollingsworth (SC07), on "
                             "simulated programs that make the calls of theirs; docs/sc07.md.");
    return page;
}

static bool add_methods(const sc07_comparison *c, const char *folder, app_page *page,
                        GError **error)
{
    app_page_heading(page, "E8: typical sequences beside other methods");
    g_autofree char *says = sc07_comparison_says(c);
    app_page_paragraph(page, says);
    for (int p = -1; p < SC07_COMPARED_PROGRAMS; p++) {
        g_autoptr(app_chart) chart = sc07_roc_chart(c, p);
        if (!app_page_draw(page, chart, folder, error)) {
            return false;
        }
    }
    g_autoptr(sc07_text_table) programs = sc07_comparison_programs(c);
    g_autoptr(sc07_text_table) jobs = sc07_comparison_jobs(c);
    g_autoptr(sc07_text_table) alarms = sc07_comparison_alarms(c);
    add_table(programs, page);
    add_table(jobs, page);
    add_table(alarms, page);
    return true;
}

bool sc07_draw_figures(const sc07_lab *lab, const sc07_report *report,
                       const sc07_comparison *methods, const char *command, const char *folder,
                       GError **error)
{
    g_autoptr(app_page) page = sc07_page_new(report);
    app_page_heading(page, "Figures");
    if (!draw_paper(lab, folder, page, error)) {
        return false;
    }
    sc07_page_tables(report, page);
    if (methods != NULL && !add_methods(methods, folder, page, error)) {
        return false;
    }
    app_page_heading(page, "Repeat it");
    app_page_command(page, command);
    g_autofree char *path = g_build_filename(folder, "report.html", NULL);
    return app_page_write(page, path, error);
}
