/* apps/ripple/report/chart.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_report. */
#include "report/chart.h"

#include "layout.h"
#include "scale.h"

app_chart *app_chart_new_drawn(const char *name, const char *title, const char *caption,
                               GString *csv, app_drawing wide, app_drawing narrow)
{
    app_chart *chart = g_new0(app_chart, 1);
    chart->name = g_strdup(name);
    chart->title = g_strdup(title);
    chart->caption = g_strdup(caption);
    chart->csv = g_string_free(csv, FALSE);
    chart->wide = wide.script;
    chart->narrow = narrow.script;
    chart->figure =
        (app_figure){chart->name, chart->title, chart->caption, chart->csv, wide, narrow};
    return chart;
}

/* Margins are left to gnuplot: only the title is ours. */
static app_drawing with_title(const char *title, const char *script, bool narrow)
{
    app_layout layout = app_layout_new(narrow, title, "");
    GString *whole = g_string_new("set title ");
    g_autofree char *lines = g_strjoinv("\\n", layout.title);
    g_auto(GStrv) parts = g_strsplit(lines, "\"", -1);
    g_autofree char *plain = g_strjoinv("''", parts);
    g_string_append_printf(whole, "\"%s\" font ',15'\n%s", plain, script);
    const app_drawing drawing = {layout.width, narrow ? 360 : 440, g_string_free(whole, FALSE)};
    app_layout_clear(&layout);
    return drawing;
}

app_chart *app_chart_new(const char *name, const char *title, const char *caption, GString *csv,
                         GString *script)
{
    const app_drawing wide = with_title(title, script->str, false);
    const app_drawing narrow = with_title(title, script->str, true);
    g_string_free(script, TRUE);
    return app_chart_new_drawn(name, title, caption, csv, wide, narrow);
}

void app_chart_free(app_chart *chart)
{
    if (chart != NULL) {
        g_free(chart->name);
        g_free(chart->title);
        g_free(chart->caption);
        g_free(chart->csv);
        g_free(chart->wide);
        g_free(chart->narrow);
        g_free(chart);
    }
}
