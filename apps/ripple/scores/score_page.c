/* apps/ripple/scores/score_page.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_score_page. */
#include "scores/score_page.h"

#include "output/folder.h"
#include "output/number_text.h"
#include "report/page_figure.h"
#include "scores/model_print.h"
#include "scores/score_figures.h"
#include "scores/score_words.h"
#include "sim/unit.h"

enum { MOST_SIGNALS = 6 }; /* figures of single ranks */

static bool add_figure(app_page *page, app_chart *owned, const char *folder, GError **error)
{
    g_autoptr(app_chart) chart = owned;
    return app_page_draw(page, chart, folder, error);
}

static void add_table(app_page *page, const app_score *s)
{
    app_page_table_begin(page, APP_SCORE_COLUMNS);
    for (uint32_t i = 0; i < app_score_num_rows(s); i++) {
        g_auto(GStrv) cells = app_score_cells(s, s->order[i]);
        app_page_table_row(page, (const char *const *)cells);
    }
    app_page_table_end(page);
    if (app_score_num_rows(s) < s->num_ranks) {
        g_autofree char *more = g_strdup_printf("And %u more ranks; --format=csv has all.",
                                                s->num_ranks - app_score_num_rows(s));
        app_page_paragraph(page, more);
    }
}

static void add_sequences(app_page *page, const noise_interference_model *m)
{
    static const char *const HEAD[] = {"sequence",           "calls",         "mean",
                                       "standard deviation", "what it calls", NULL};
    app_page_heading(page, "Typical sequences");
    app_page_table_begin(page, HEAD);
    for (uint32_t l = 0; l < m->num_sequences; l++) {
        const noise_interference_row *row = noise_interference_model_row(m, m->num_ranks, l);
        g_autofree char *number = g_strdup_printf("%u", l);
        g_autofree char *length = g_strdup_printf("%u", m->sequences[l].length);
        g_autofree char *mean = sim_unit_format_time_short(row->mean);
        g_autofree char *deviation = sim_unit_format_time_short(row->deviation);
        g_autofree char *text = app_model_sequence_text(m, l);
        const char *const cells[] = {number, length, mean, deviation, text, NULL};
        app_page_table_row(page, cells);
    }
    app_page_table_end(page);
    app_page_paragraph(page, "Mean and standard deviation are those of all ranks of the clean "
                             "runs.");
}

static bool make(const void *data, const char *folder, GError **error)
{
    const app_score_page *p = data;
    const app_score *s = p->score;
    g_autofree char *title = g_strdup_printf("Who was disturbed in %s", p->run);
    g_autoptr(app_page) page = app_page_new(title);
    g_autoptr(GPtrArray) findings = app_score_findings(s);
    g_autoptr(GPtrArray) notes = app_score_notes(s);
    for (guint i = 0; i < findings->len; i++) {
        app_page_finding(page, g_ptr_array_index(findings, i));
    }
    add_table(page, s);
    if (!add_figure(page, app_score_metric_figure(s), folder, error)) {
        return false;
    }
    for (uint32_t i = 0;
         i < MIN(MAX(s->num_disturbed + s->num_slower, 1), MOST_SIGNALS) && i < s->num_ranks; i++) {
        if (!add_figure(page, app_score_ils_figure(s, s->order[i]), folder, error)) {
            return false;
        }
    }
    add_sequences(page, s->model);
    g_ptr_array_add(notes, NULL);
    app_page_list(page, "What this stands on", (const char *const *)notes->pdata);
    static const app_term TERMS[] = {
        {"typical sequence", "calls that the program makes in this order again and again"},
        {"ILS", "interference level signal: the share of a sequence's occurrences so far whose "
                "computation was above the threshold"},
        {"metric", "the mean of the ILS at the end, weighted by the sequences' lengths"},
        {"lost", "computation beyond what was expected, while the rank was disturbed"},
        {"of work", "what was lost, of the computation of the whole run as it would have been"},
        {"by", "who took most of the CPU time that was taken from the rank while it was "
               "disturbed; known where the node was watched (--watch)"},
    };
    app_page_terms(page, TERMS, G_N_ELEMENTS(TERMS));
    app_page_heading(page, "Made by");
    app_page_command(page, p->made_by);
    g_autofree char *path = g_build_filename(folder, APP_SCORE_PAGE, NULL);
    return app_page_write(page, path, error);
}

bool app_score_page_write(const app_score_page *page, const char *folder, GError **error)
{
    return app_folder_fill(folder, make, page, error);
}
