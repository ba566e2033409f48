/* report/chart.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A figure together with the texts that it points to, as the functions that make figures return it.
 */
#pragma once

#include "report/figure.h"

typedef struct app_chart {
    app_figure figure; /* points to the texts below */
    char *name;
    char *title;
    char *caption;
    char *csv;
    char *wide;
    char *narrow;
} app_chart;

/**
 * Copies name, title and caption; takes ownership of @p csv and @p script, which draws both widths
 * below the title: it says where the legend is, not where the margins are.
 * @return owned by the caller
 */
app_chart *app_chart_new(const char *name, const char *title, const char *caption, GString *csv,
                         GString *script);
/** The same of drawings that are laid out, title included; takes ownership of their scripts. */
app_chart *app_chart_new_drawn(const char *name, const char *title, const char *caption,
                               GString *csv, app_drawing wide, app_drawing narrow);
void app_chart_free(app_chart *chart); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_chart, app_chart_free)
