/* bench/paper/page_figure.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: sc10_short, test_sc07_figures. */
#include "page_figure.h"

bool sc10_page_draw(app_page *page, const app_chart *chart, const char *folder, GError **error)
{
    g_autofree char *svg = NULL;
    if (!app_figure_write(&chart->figure, folder, &svg, error)) {
        return false;
    }
    app_page_figure(page, &chart->figure, svg);
    return true;
}
