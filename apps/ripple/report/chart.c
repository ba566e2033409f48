/* apps/ripple/report/chart.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_report. */
#include "report/chart.h"

app_chart *app_chart_new(const char *name, const char *title, const char *caption, GString *csv,
                         GString *script)
{
    app_chart *chart = g_new0(app_chart, 1);
    chart->name = g_strdup(name);
    chart->title = g_strdup(title);
    chart->caption = g_strdup(caption);
    chart->csv = g_string_free(csv, FALSE);
    chart->script = g_string_free(script, FALSE);
    chart->figure =
        (app_figure){chart->name, chart->title, chart->caption, chart->csv, chart->script};
    return chart;
}

void app_chart_free(app_chart *chart)
{
    if (chart != NULL) {
        g_free(chart->name);
        g_free(chart->title);
        g_free(chart->caption);
        g_free(chart->csv);
        g_free(chart->script);
        g_free(chart);
    }
}
