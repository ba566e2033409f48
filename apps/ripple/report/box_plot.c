/* apps/ripple/report/box_plot.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_report. */
#include "report/box_plot.h"

#include "layout.h"
#include "scale.h"
#include "short_name.h"

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
    const app_box_group *g = &plot->groups[group];
    app_append_field(csv, g->number != NULL ? g->number : g->label);
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

static void append_layer(GString *script, rows r, const char *what)
{
    const bool first = !g_str_has_suffix(script->str, "notitle");
    g_string_append_printf(script, "%sdata every ::%zu::%zu using %s notitle",
                           first ? "plot " : ", \\\n     ", r.first, r.last, what);
}

static void append_series(GString *script, size_t series, rows r)
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
    append_layer(script, r, boxes);
    append_layer(script, r, medians);
    append_layer(script, r, outliers);
}

static const char HIT[] = "with labels hypertext point pt 5 ps 2.2 lc rgb '#ff222222'";

/* "ranks 1Ki, unsynchronized: median 6.5 ns, ..."; in digits of the CSV. */
static void append_tips(GString *script, const app_box_plot *plot, rows boxes, rows reference)
{
    const char *unit = app_unit_suffix(plot->y.unit);
    const bool number = plot->num_groups > 0 && plot->groups[0].number != NULL;
    g_autoptr(GString) what = g_string_new("(");
    g_autofree char *group = g_strdup_printf("%s ", plot->group_name);
    app_append_quoted(what, group);
    g_string_append(what, number ? " . count($1) . ', ' . strcol(2) . ': "
                                 : " . strcol(1) . ', ' . strcol(2) . ': ");
    if (boxes.last >= boxes.first) {
        g_autofree char *box = g_strdup_printf(
            "3:(strcol(4) eq '' ? NaN : fy($7)):%smedian ' . strcol(7) . '%s, middle half ' . "
            "strcol(6) . ' .. ' . strcol(8) . '%s, whiskers ' . strcol(5) . ' .. ' . strcol(9) . "
            "'%s; replicas: ' . strcol(4)) %s",
            what->str, unit, unit, unit, HIT);
        g_autofree char *outlier = g_strdup_printf(
            "3:(strcol(10) eq '' ? NaN : fy($10)):%soutlier ' . strcol(10) . '%s') %s", what->str,
            unit, HIT);
        append_layer(script, boxes, box);
        append_layer(script, boxes, outlier);
    }
    if (reference.last >= reference.first) {
        g_autofree char *line =
            g_strdup_printf("3:(fy($11)):%s' . strcol(11) . '%s') %s", what->str, unit, HIT);
        append_layer(script, reference, line);
    }
}

enum { TURNED_APART = 24 }; /* px between turned labels, along the axis */

/* The labels of the groups: where they do not fit side by side, numbers are thinned, words turned,
 * and thinned where they would lie on each other all the same. */
static void append_groups(GString *script, app_layout *l, const app_box_plot *plot,
                          char *const *labels)
{
    int widest = 1;
    for (size_t i = 0; i < plot->num_groups; i++) {
        widest = MAX(widest, app_layout_text_width(labels[i]));
    }
    const size_t room = (size_t)(app_layout_plot_width(l) / (widest + APP_LETTER));
    const bool words = plot->num_groups > 0 && plot->groups[0].number == NULL;
    const bool turned = words && room < plot->num_groups;
    if (turned) {
        l->ticks = 20 + widest * 6 / 10;
        l->right =
            MAX(l->right, widest * 8 / 10 - app_layout_plot_width(l) / (int)(2 * plot->num_groups));
    }
    app_ticks_named(script, 'x', (const char *const *)labels, plot->num_groups,
                    turned ? (size_t)(app_layout_plot_width(l) / TURNED_APART) : room, turned);
}

static app_drawing draw(const app_box_plot *plot, const rows *series, rows reference,
                        char *const *labels, char *const *shorts, bool narrow)
{
    const app_map map = scale_of(plot);
    const bool line = reference.last >= reference.first;
    g_autofree char *y = app_axis_label(&plot->y);
    app_layout l = app_layout_new(narrow, plot->title, y);
    g_autofree app_key_item *items = g_new(app_key_item, plot->num_series + 1);
    size_t num_items = 0;
    for (size_t i = 0; i < plot->num_series; i++) {
        items[num_items++] = (app_key_item){shorts[i], APP_KEY_FIELD, i + 1};
    }
    if (line) {
        items[num_items++] = (app_key_item){plot->reference_name, APP_KEY_DASHES, 1};
    }
    GString *script = g_string_new(NULL);
    app_map_define(script, "fy", &map);
    app_append_tip_functions(script);
    append_groups(script, &l, plot, labels);
    app_layout_append(script, &l, plot->group_name, items, num_items);
    app_map_ticks(script, 'y', &plot->y, &map, l.plot_height / 24);
    const double width = GROUP_WIDTH / (double)plot->num_series * 0.85;
    g_string_append_printf(script, "set xrange [0.4:%zu.6]\nset boxwidth ", plot->num_groups);
    app_append_number(script, width);
    g_string_append_c(script, '\n');
    if (line) {
        append_layer(script, reference,
                     "3:(fy($11)) with linespoints pt 2 ps 0.5 lc rgb '#222222' lw 1.5 dt 2");
    }
    rows all = {.first = 1, .last = reference.first - 1};
    for (size_t i = 0; i < plot->num_series; i++) {
        if (series[i].last >= series[i].first) {
            append_series(script, i, series[i]);
        }
    }
    append_tips(script, plot, all, reference);
    g_string_append_c(script, '\n');
    const app_drawing drawing = {l.width, app_layout_height(&l), g_string_free(script, FALSE)};
    app_layout_clear(&l);
    return drawing;
}

enum { LONGEST_GROUP = 16, LONGEST_SERIES = 30 }; /* letters of a name in the drawing */

/* Both drawings, their names short and the caption with the long ones. Takes @p csv. */
static app_chart *chart_of(const app_box_plot *plot, const rows *series, rows reference,
                           GString *csv)
{
    g_autofree const char **all = g_new(const char *, plot->num_groups);
    for (size_t i = 0; i < plot->num_groups; i++) {
        all[i] = plot->groups[i].label;
    }
    g_auto(GStrv) labels = app_short_names(all, plot->num_groups, LONGEST_GROUP);
    g_auto(GStrv) shorts = app_short_names(plot->series, plot->num_series, LONGEST_SERIES);
    g_autofree char *some = app_short_caption(plot->caption, all, labels, plot->num_groups);
    g_autofree char *caption = app_short_caption(some, plot->series, shorts, plot->num_series);
    return app_chart_new_drawn(plot->name, plot->title, caption, csv,
                               draw(plot, series, reference, labels, shorts, false),
                               draw(plot, series, reference, labels, shorts, true));
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
    return chart_of(plot, series, reference, csv);
}
