/* tests/apps/report/drawn_chart.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file Charts for tests, and what gnuplot makes of them. */
#pragma once

#include "check.h"
#include "folder.h"
#include "report/chart.h"
#include "report/curves.h"

/* Quoted, doubled, or taken for a format where they do not belong: names as users may choose. */
#define AWKWARD "it's 5 %, \"a_b^c\""

static inline char *scratch_folder(void)
{
    return g_dir_make_tmp("ripple-report-XXXXXX", NULL);
}

/* Written and, where gnuplot is, drawn; its complaints are failures. @return the drawing */
static inline char *draw(const app_chart *chart)
{
    g_autofree char *folder = scratch_folder();
    char *svg = NULL;
    g_autoptr(GError) error = NULL;
    const bool ok = app_figure_write(&chart->figure, folder, &svg, &error);
    CHECK(ok, "%s", error != NULL ? error->message : "");
    folder_remove(folder);
    return svg;
}

/* Slowdown in percent, a curve for each noise. */
static inline app_curves slowdown_over(app_axis x, const app_curve *curves, size_t num_curves)
{
    return (app_curves){.name = "curves",
                        .title = "t",
                        .caption = "c",
                        .x = x,
                        .y = {"slowdown", APP_UNIT_PERCENT, APP_SCALE_AUTO},
                        .series_name = "noise",
                        .curves = curves,
                        .num_curves = num_curves};
}
