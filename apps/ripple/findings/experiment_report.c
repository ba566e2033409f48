/* apps/ripple/findings/experiment_report.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "findings/experiment_report.h"

#include "analysis/breakdown.h"
#include "findings/experiment_figures.h"
#include "output/error.h"
#include "output/folder.h"
#include "output/miner_print.h"
#include "output/number_text.h"
#include "output/sentences.h"
#include "report/page.h"
#include "sim/unit.h"

#include <stdio.h>

static const double MATTERS = 0.1; /* a slowdown from which on noise is called a bottleneck */

/* The last series of that mode, i.e. the one of the largest size; NULL if there is none. */
static const app_series *last_of(const app_results *results, app_mode mode)
{
    for (size_t i = results->num_series; i-- > 0;) {
        if (results->series[i].mode == mode) {
            return &results->series[i];
        }
    }
    return NULL;
}

char **app_report_findings(const app_results *results, const char *noise)
{
    GPtrArray *sentences = g_ptr_array_new();
    const app_series *worst = last_of(results, APP_UNSYNCHRONIZED);
    const app_series *together = last_of(results, APP_COSCHEDULED);
    if (worst != NULL) {
        g_autofree char *ranks = app_format_ranks(worst->ranks);
        g_autofree char *cost = app_format_longer(app_slowdown(worst, worst->times.median));
        app_sentences_add(sentences, "At %s the program takes %s under the noise '%s'.", ranks,
                          cost, noise);
    }
    if (together != NULL) {
        g_autofree char *cost = app_format_longer(app_slowdown(together, together->times.median));
        app_sentences_add(sentences, "With the same noise co-scheduled it takes %s.", cost);
    }
    for (size_t i = 0; worst != NULL && i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        if (s->mode == APP_UNSYNCHRONIZED && app_slowdown(s, s->times.median) > MATTERS) {
            g_autofree char *ranks = app_format_ranks(s->ranks);
            app_sentences_add(sentences,
                              "Noise is a bottleneck (more than %.0f %%) from %s on, of the sizes "
                              "simulated.",
                              100 * MATTERS, ranks);
            break;
        }
        if (s == worst) {
            app_sentences_add(sentences, "Noise costs less than %.0f %% at every size simulated.",
                              100 * MATTERS);
        }
    }
    g_ptr_array_add(sentences, NULL);
    return (char **)g_ptr_array_free(sentences, FALSE);
}

void app_report_print_end(char **findings, const char *page, FILE *out)
{
    fputc('\n', out);
    for (char **finding = findings; *finding != NULL; finding++) {
        fprintf(out, "%s\n", *finding);
    }
    fprintf(out, "Report: %s\n", page);
}

static void add_times(app_page *page, const app_results *results)
{
    static const char *const columns[] = {"ranks",   "noise", "makespan", "slowdown",
                                          "CI from", "CI to", "replicas", NULL};
    app_page_table_begin(page, columns);
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        const bool interval = s->mode != APP_IDEAL && s->times.level > 0;
        g_autofree char *ranks = sim_unit_format_count(s->ranks);
        g_autofree char *makespan = sim_unit_format_time_short(s->times.median);
        g_autofree char *median = app_format_slowdown(app_slowdown(s, s->times.median));
        g_autofree char *low = app_format_slowdown(app_slowdown(s, s->times.low));
        g_autofree char *high = app_format_slowdown(app_slowdown(s, s->times.high));
        g_autofree char *replicas = g_strdup_printf("%u", s->num_runs);
        const char *const cells[] = {ranks,
                                     app_mode_name(s->mode),
                                     makespan,
                                     s->mode == APP_IDEAL ? "" : median,
                                     interval ? low : "",
                                     interval ? high : "",
                                     replicas,
                                     NULL};
        app_page_table_row(page, cells);
    }
    app_page_table_end(page);
}

static void add_mined(app_page *page, const noise_miner_report *report, const char *from)
{
    app_page_heading(page, "Which noise it was");
    app_page_paragraph(page, from);
    char *text = NULL;
    size_t len = 0;
    FILE *stream = open_memstream(&text, &len);
    if (stream != NULL) {
        app_miner_report_print(report, stream);
        (void)fclose(stream);
        app_page_code(page, text);
    }
    free(text);
}

static bool add_figures(app_page *page, const app_results *results, const char *folder,
                        GError **error)
{
    app_chart *const figures[] = {app_figure_slowdown(results), app_figure_replicas(results),
                                  app_figure_where(results)};
    bool ok = true;
    for (size_t i = 0; i < G_N_ELEMENTS(figures); i++) {
        g_autofree char *svg = NULL;
        if (ok && figures[i] != NULL) {
            ok = app_figure_write(&figures[i]->figure, folder, &svg, error);
            if (ok) {
                app_page_figure(page, &figures[i]->figure, svg);
            }
        }
        app_chart_free(figures[i]);
    }
    return ok;
}

static bool make(const void *data, const char *folder, GError **error)
{
    const app_report *report = data;
    g_autoptr(app_page) page = app_page_new(report->title);
    for (size_t i = 0; report->findings != NULL && report->findings[i] != NULL; i++) {
        app_page_finding(page, report->findings[i]);
    }
    if (report->results->stopped_by != NULL) {
        g_autofree char *missing = app_results_format_missing(report->results);
        g_autofree char *text = g_strdup_printf("Stopped by %s; missing: %s ranks.",
                                                report->results->stopped_by, missing);
        app_page_finding(page, text);
    }
    app_page_paragraph(page, report->program);
    app_page_heading(page, "How much slower");
    add_times(page, report->results);
    app_page_paragraph(page,
                       "Slowdown is (noisy - ideal) / ideal; medians over the replicas, with the "
                       "confidence interval of the median where there are enough of them.");
    if (!add_figures(page, report->results, folder, error)) {
        return false;
    }
    if (report->mined != NULL) {
        add_mined(page, report->mined, report->mined_from);
    }
    if (report->suspects != NULL) {
        app_page_heading(page, "Who was running meanwhile");
        app_page_code(page, report->suspects);
    }
    app_page_heading(page, "Repeat it");
    g_autofree char *line = app_manifest_line(report->manifest);
    app_page_command(page, line);
    g_autofree char *path = g_build_filename(folder, APP_REPORT_PAGE, NULL);
    return app_page_write(page, path, error);
}

bool app_report_write(const app_report *report, const char *folder, GError **error)
{
    return app_folder_fill(folder, make, report, error);
}
