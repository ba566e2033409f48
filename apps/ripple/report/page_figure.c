/* apps/ripple/report/page_figure.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_experiment_report, test_knockout_report, cli_pages, cli_validate. */
#include "report/page_figure.h"

bool app_page_draw(app_page *page, const app_chart *chart, const char *folder, GError **error)
{
    g_autofree char *drawn = NULL;
    if (chart == NULL) {
        return true;
    }
    if (!app_figure_write(&chart->figure, folder, &drawn, error)) {
        return false;
    }
    app_page_figure(page, &chart->figure, drawn);
    return true;
}
