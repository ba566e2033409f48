/* apps/ripple/report/box_plot.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_report. */
#include "report/box_plot.h"

#include "scale.h"

#include <math.h>

static const double GROUP_WIDTH = 0.8; /* of the distance between groups */
static const double LOG_FROM = 20;     /* ratio of the largest to the smallest value */

/* The rows of one series in the CSV, header not counted. */
typedef struct rows {
    size_t first;
    size_t last;
} rows;

/* Boxes of a group are side by side around its place. */
static double place(const app_box_plot *plot, size_t group, size_t series)
{
    const double n = (double)plot->num_series;
    return (double)group + 1 + GROUP_WIDTH * (((double)series + 0.5) / n - 0.5);
}

static void append_key(GString *csv, const app_box_plot *plot, size_t group, const char *series,
                       double at)
{
    app_append_field(csv, plot->groups[group].label);
    g_string_append_c(csv, ',');
    app_append_field(csv, series);
    g_string_append_c(csv, ',');
    app_append_number(csv, at);
}

/* A row for the box, one for each outlier. @return how many */
static size_t append_sample(GString *csv, const app_box_plot *plot, const app_box_sample *b)
{
    const double at = place(plot, b->group, b->series);
    const char *series = plot->series[b->series];
    append_key(csv, plot, b->group, series, at);
    g_string_append_printf(csv, ",%zu", b->num_values);
    const double numbers[] = {b->whisker_low, b->quartile1, b->median, b->quartile3,
                              b->whisker_high};
    for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++) {
        g_string_append_c(csv, ',');
        app_append_number(csv, numbers[i]);
    }
    g_string_append(csv, ",,\n");
    for (size_t i = 0; i < b->num_outliers; i++) {
        append_key(csv, plot, b->group, series, at);
        g_string_append(csv, ",,,,,,,");
        app_append_number(csv, b->outliers[i]);
        g_string_append(csv, ",\n");
    }
    return 1 + b->num_outliers;
}

static size_t append_reference(GString *csv, const app_box_plot *plot)
{
    size_t n = 0;
    for (size_t group = 0; group < plot->num_groups; group++) {
        if (isfinite(plot->groups[group].reference)) {
            append_key(csv, plot, group, plot->reference_name, (double)group + 1);
            g_string_append(csv, ",,,,,,,,");
            app_append_number(csv, plot->groups[group].reference);
            g_string_append_c(csv, '\n');
            n++;
        }
    }
    return n;
}

static void append_header(GString *csv, const app_box_plot *plot)
{
    g_autofree char *y = app_axis_column(&plot->y);
    app_append_field(csv, plot->group_name);
    g_string_append_c(csv, ',');
    app_append_field(csv, plot->series_name);
    g_string_append(csv, ",at,n");
    static const char *const WHAT[] = {"whisker_low",  "quartile1", "median",   "quartile3",
                                       "whisker_high", "outlier",   "reference"};
    for (size_t i = 0; i < G_N_ELEMENTS(WHAT); i++) {
        g_string_append_printf(csv, ",%s_%s", WHAT[i], y);
    }
    g_string_append_c(csv, '\n');
}

static app_map scale_of(const app_box_plot *plot)
{
    double low = INFINITY;
    double high = -INFINITY;
    for (size_t i = 0; i < plot->num_samples; i++) {
        const app_box_sample *b = &plot->samples[i];
        low = fmin(low, b->whisker_low);
        high = fmax(high, b->whisker_high);
        if (b->num_outliers > 0) {
            low = fmin(low, b->outliers[0]);
            high = fmax(high, b->outliers[b->num_outliers - 1]);
        }
    }
    for (size_t i = 0; i < plot->num_groups; i++) {
        if (isfinite(plot->groups[i].reference)) {
            low = fmin(low, plot->groups[i].reference);
            high = fmax(high, plot->groups[i].reference);
        }
    }
    if (low > high) {
        low = 0;
        high = 1;
    }
    const bool wide = low > 0 && high / low > LOG_FROM;
    return app_map_fit(&plot->y, wide ? APP_SCALE_LOG : APP_SCALE_LINEAR, low, high);
}

static void append_layer(GString *script, rows r, const char *what, const char *title)
{
    const bool first = g_str_has_suffix(script->str, "plot ");
    g_string_append_printf(script, "%sdata every ::%zu::%zu using %s", first ? "" : ", \\\n     ",
                           r.first, r.last, what);
    if (title != NULL) {
        g_string_append(script, " title ");
        app_append_quoted(script, title);
    } else {
        g_string_append(script, " notitle");
    }
}

static void append_series(GString *script, const app_box_plot *plot, size_t series, rows r)
{
    g_autofree char *boxes =
        g_strdup_printf("3:(fy($6)):(fy($5)):(fy($9)):(fy($8)) with candlesticks whiskerbars 0.6 "
                        "lt %zu lw 1.2 fs solid 0.35 border",
                        series + 1);
    g_autofree char *medians = g_strdup_printf("3:(fy($7)):(fy($7)):(fy($7)):(fy($7)) with "
                                               "candlesticks lt %zu lw 2.5 fs empty border",
                                               series + 1);
    g_autofree char *outliers =
        g_strdup_printf("3:(fy($10)) with points lt %zu lw 1 pt 6 ps 0.45", series + 1);
    append_layer(script, r, boxes, plot->series[series]);
    append_layer(script, r, medians, NULL);
    append_layer(script, r, outliers, NULL);
}

static GString *script_of(const app_box_plot *plot, const rows *series, rows reference)
{
    const app_map map = scale_of(plot);
    const app_axis groups = {.name = plot->group_name};
    g_autofree const char **labels = g_new(const char *, plot->num_groups);
    for (size_t i = 0; i < plot->num_groups; i++) {
        labels[i] = plot->groups[i].label;
    }
    GString *script = g_string_new(NULL);
    app_map_define(script, "fy", &map);
    app_append_label(script, 'x', &groups);
    app_append_label(script, 'y', &plot->y);
    app_ticks_named(script, 'x', labels, plot->num_groups);
    app_map_ticks(script, 'y', &plot->y, &map);
    const double width = GROUP_WIDTH / (double)plot->num_series * 0.85;
    g_string_append_printf(script, "set xrange [0.4:%zu.6]\nset boxwidth ", plot->num_groups);
    app_append_number(script, width);
    g_string_append(script, "\nset key outside bottom center horizontal\nplot ");
    if (reference.last >= reference.first) {
        append_layer(script, reference, "3:(fy($11)) with lines lc rgb '#333333' lw 1.5 dt 2",
                     plot->reference_name);
    }
    for (size_t i = 0; i < plot->num_series; i++) {
        if (series[i].last >= series[i].first) {
            append_series(script, plot, i, series[i]);
        }
    }
    g_string_append_c(script, '\n');
    return script;
}

app_chart *app_box_plot_new(const app_box_plot *plot)
{
    GString *csv = g_string_new(NULL);
    g_autofree rows *series = g_new(rows, plot->num_series);
    size_t row = 1; /* below the header */
    append_header(csv, plot);
    for (size_t s = 0; s < plot->num_series; s++) {
        series[s].first = row;
        for (size_t i = 0; i < plot->num_samples; i++) {
            if (plot->samples[i].series == s) {
                row += append_sample(csv, plot, &plot->samples[i]);
            }
        }
        series[s].last = row - 1;
    }
    rows reference = {.first = row};
    reference.last = row + append_reference(csv, plot) - 1;
    GString *script = script_of(plot, series, reference);
    return app_chart_new(plot->name, plot->title, plot->caption, csv, script);
}
