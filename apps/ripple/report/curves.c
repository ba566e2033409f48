/* apps/ripple/report/curves.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_report. */
#include "report/curves.h"

#include "layout.h"
#include "line_labels.h"
#include "scale.h"
#include "short_name.h"

#include <math.h>
#include <stdlib.h>

static const double LOG_X = 10;     /* ratio of the largest to the smallest x */
static const double LOG_Y = 200;    /* of the largest to the smallest y, if all are above 0 */
static const double LOG_PEAKS = 20; /* of the highest to the lowest peak among the curves */
static const double TALL = 1e-4;    /* a curve lower than this part of the highest does not count */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* All x, ascending, each once. */
static GArray *all_x(const app_curves *c)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(double));
    for (size_t i = 0; i < c->num_curves; i++) {
        for (size_t j = 0; j < c->curves[i].num_points; j++) {
            g_array_append_val(all, c->curves[i].points[j].x);
        }
    }
    g_array_sort(all, compare);
    GArray *once = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint i = 0; i < all->len; i++) {
        const double x = g_array_index(all, double, i);
        if (i == 0 || x > g_array_index(all, double, i - 1)) {
            g_array_append_val(once, x);
        }
    }
    g_array_unref(all);
    return once;
}

static app_map fit_x(const app_curves *c, const GArray *xs)
{
    double low;
    double high;
    app_range((const double *)(gconstpointer)xs->data, xs->len, &low, &high);
    double least = high; /* above 0 */
    for (guint i = 0; i < xs->len; i++) {
        const double x = g_array_index(xs, double, i);
        least = x > 0 ? fmin(least, x) : least;
    }
    const bool wide = least > 0 && high / least > LOG_X;
    app_map map = app_map_fit(&c->x, wide ? APP_SCALE_LOG : APP_SCALE_LINEAR, low, high);
    if (map.kind == APP_MAP_SIGNED_LOG) {
        map.knee = least / 2; /* the first x above 0 is clearly apart from 0 */
        map.from = -map.knee;
    } else if (map.kind == APP_MAP_LINEAR && high > low) {
        map.from = low - 0.03 * (high - low);
        map.to = high + 0.03 * (high - low);
    }
    return map;
}

/* Do the curves differ so much in height that the low ones would lie on the axis? */
static bool heights_differ(const app_curves *c)
{
    double highest = 0;
    double lowest = INFINITY;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < c->num_curves; i++) {
            double peak = 0;
            for (size_t j = 0; j < c->curves[i].num_points; j++) {
                peak = fmax(peak, c->curves[i].points[j].y);
            }
            if (pass == 0) {
                highest = fmax(highest, peak);
            } else if (peak > TALL * highest) {
                lowest = fmin(lowest, peak);
            }
        }
    }
    return highest > LOG_PEAKS * lowest;
}

static app_map fit_y(const app_curves *c)
{
    double low = INFINITY;
    double high = -INFINITY;
    for (size_t i = 0; i < c->num_curves; i++) {
        for (size_t j = 0; j < c->curves[i].num_points; j++) {
            const app_curve_point *p = &c->curves[i].points[j];
            const double values[] = {p->y, p->low, p->high};
            double from;
            double to;
            app_range(values, G_N_ELEMENTS(values), &from, &to);
            low = fmin(low, from);
            high = fmax(high, to);
        }
    }
    if (low > high) {
        low = 0;
        high = 1;
    }
    const bool wide = (low > 0 && high / low > LOG_Y) || heights_differ(c);
    return app_map_fit(&c->y, wide ? APP_SCALE_LOG : APP_SCALE_LINEAR, low, high);
}

static GString *csv_of(const app_curves *c)
{
    GString *csv = g_string_new(NULL);
    g_autofree char *x = app_axis_column(&c->x);
    g_autofree char *y = app_axis_column(&c->y);
    app_append_field(csv, x);
    g_string_append_c(csv, ',');
    app_append_field(csv, c->series_name);
    g_string_append_printf(csv, ",%s,low_%s,high_%s%s\n", y, y, y,
                           c->hollow_name != NULL ? ",hollow,remark" : "");
    for (size_t i = 0; i < c->num_curves; i++) {
        for (size_t j = 0; j < c->curves[i].num_points; j++) {
            const app_curve_point *p = &c->curves[i].points[j];
            app_append_number(csv, p->x);
            g_string_append_c(csv, ',');
            app_append_field(csv, c->curves[i].name);
            const double numbers[] = {p->y, p->low, p->high};
            for (size_t k = 0; k < G_N_ELEMENTS(numbers); k++) {
                g_string_append_c(csv, ',');
                app_append_number(csv, numbers[k]);
            }
            if (c->hollow_name != NULL) {
                g_string_append(csv, p->hollow ? ",1," : ",0,");
                const bool some = p->remark != NULL && p->remark[0] != '\0';
                if (some) {
                    app_append_field(csv, p->remark);
                } else {
                    g_string_append(csv, "\"\""); /* of a field that is not there, no tooltip */
                }
            }
            g_string_append_c(csv, '\n');
        }
    }
    return csv;
}

static bool has_hollow(const app_curve *curve)
{
    for (size_t i = 0; i < curve->num_points; i++) {
        if (curve->points[i].hollow) {
            return true;
        }
    }
    return false;
}

/* From the lowest to the uppermost: all bands lie below all lines, holes are on top of them. */
typedef enum { BANDS, EDGES, LINES, HOLES, TIPS, NUM_LAYERS } layer;

/* Bands of more than two curves drown each other, and one point has none: then there are bars. */
enum { MOST_BANDS = 2 };

/* What is plotted of one curve, of line type %1$zu. */
static const char *const FORMS[NUM_LAYERS] = {
    [BANDS] = "(fy($4)):(fy($5)) with filledcurves lt %zu fs transparent solid 0.15 noborder",
    [EDGES] = "(fy($3)):(fy($4)):(fy($5)) with yerrorbars lt %zu lw 1 pt 0",
    [LINES] = "(fy($3)) with linespoints lt %zu ps 0.7",
    [HOLES] = "($6 > 0 ? fy($3) : NaN) with points lt %zu ps 0.4 lc rgb '#ffffff'",
    [TIPS] = NULL,
};

static bool has_bars(const app_curves *c)
{
    bool bars = c->num_curves > MOST_BANDS;
    for (size_t i = 0; i < c->num_curves; i++) {
        bars = bars || c->curves[i].num_points == 1;
    }
    return bars;
}

/* "unsynchronized, ranks 1Ki: slowdown 11.3 % (9.6 .. 14.7 %), few met", in digits of the CSV. */
static void append_tip(GString *script, const app_curves *c, const app_curve *curve)
{
    g_autofree char *first = g_strdup_printf("%s, %s ", curve->name, c->x.name);
    g_autofree char *then = g_strdup_printf(": %s ", c->y.name);
    const char *unit = app_unit_suffix(c->y.unit);
    g_string_append(script, "(fy($3)):(");
    app_append_quoted(script, first);
    g_string_append(script, " . ");
    app_append_tip_value(script, c->x.unit, 1);
    g_string_append(script, " . ");
    app_append_quoted(script, then);
    g_string_append_printf(script,
                           " . strcol(3) . '%s' . (strcol(4) eq strcol(5) ? '' : ' (' . strcol(4) "
                           ". ' .. ' . strcol(5) . '%s)')",
                           unit, unit);
    if (c->hollow_name != NULL) {
        g_string_append(script, " . (strcol(7) eq '' ? '' : ', ' . strcol(7))");
    }
    g_string_append(script, ") with labels hypertext point pt 7 ps 2.2 lc rgb '#ff222222'");
}

static bool is_drawn(const app_curves *c, const app_curve *curve, layer at)
{
    switch (at) {
    case BANDS:
        return !has_bars(c);
    case EDGES:
        return has_bars(c);
    case HOLES:
        return c->hollow_name != NULL && has_hollow(curve);
    default:
        return true;
    }
}

static void append_plot(GString *script, const app_curves *c)
{
    const char *separator = "plot ";
    for (int at = 0; at < NUM_LAYERS; at++) {
        size_t row = 1; /* below the header */
        for (size_t i = 0; i < c->num_curves; i++) {
            const app_curve *curve = &c->curves[i];
            const size_t last = row + curve->num_points - 1;
            if (curve->num_points > 0 && is_drawn(c, curve, (layer)at)) {
                g_string_append_printf(script, "%sdata every ::%zu::%zu using (fx($1)):", separator,
                                       row, last);
                if (at == TIPS) {
                    append_tip(script, c, curve);
                } else {
                    g_autofree char *number = g_strdup_printf("lt %zu", i + 1);
                    g_auto(GStrv) parts = g_strsplit(FORMS[at], "lt %zu", 2);
                    g_autofree char *form = g_strjoinv(number, parts);
                    g_string_append_printf(script, "%s notitle", form);
                }
                separator = ", \\\n     ";
            }
            row = last + 1;
        }
    }
    g_string_append_c(script, '\n');
}

/* Below the title: what the axis, bands or bars, and hollow points are. */
static char *note_of(const app_curves *c)
{
    g_autofree char *y = app_axis_label(&c->y);
    GString *note = g_string_new(y);
    bool hollow = false;
    bool band = false;
    for (size_t i = 0; i < c->num_curves; i++) {
        const app_curve *curve = &c->curves[i];
        hollow = hollow || has_hollow(curve);
        for (size_t k = 0; k < curve->num_points; k++) {
            band = band || curve->points[k].low < curve->points[k].high;
        }
    }
    if (c->band_name != NULL && band) {
        g_string_append_printf(note, "; %s: %s", has_bars(c) ? "bars" : "band", c->band_name);
    }
    if (c->hollow_name != NULL && hollow) {
        g_string_append_printf(note, "; hollow: %s", c->hollow_name);
    }
    return g_string_free(note, FALSE);
}

/* A chart's curves that have points, and what they are called in it. */
typedef struct names {
    app_line_label *labels; /* [n] */
    app_key_item *items;    /* [n] */
    size_t n;
} names;

static void names_of(const app_curves *c, char *const *shorts, const app_map *fy, names *out)
{
    const double from = app_map_place(fy, fy->from);
    const double to = app_map_place(fy, fy->to);
    out->n = 0;
    for (size_t i = 0; i < c->num_curves; i++) {
        const app_curve *curve = &c->curves[i];
        if (curve->num_points > 0) {
            const double y = app_map_place(fy, curve->points[curve->num_points - 1].y);
            out->labels[out->n] = (app_line_label){shorts[i], i + 1, (y - from) / (to - from)};
            out->items[out->n++] = (app_key_item){shorts[i], APP_KEY_LINE, i + 1};
        }
    }
}

static app_drawing draw(const app_curves *c, const GArray *xs, char *const *shorts, bool narrow)
{
    const app_map fx = fit_x(c, xs);
    const app_map fy = fit_y(c);
    g_autofree char *note = note_of(c);
    g_autofree char *x_label = app_axis_label(&c->x);
    g_autofree app_line_label *labels = g_new(app_line_label, c->num_curves);
    g_autofree app_key_item *items = g_new(app_key_item, c->num_curves);
    names shown = {labels, items, 0};
    app_layout l = app_layout_new(narrow, c->title, note);
    GString *script = g_string_new(NULL);
    names_of(c, shorts, &fy, &shown);
    const int beside = app_line_labels_width(&l, labels, shown.n);
    l.right = MAX(l.right, beside);
    app_map_define(script, "fx", &fx);
    app_map_define(script, "fy", &fy);
    app_append_tip_functions(script);
    app_layout_append(script, &l, x_label, items, beside > 0 ? 0 : shown.n);
    if (beside > 0) {
        app_line_labels_append(script, &l, labels, shown.n);
    }
    app_map_ticks_at(script, 'x', &c->x, &fx, (const double *)(gconstpointer)xs->data, xs->len,
                     MAX(app_layout_plot_width(&l) / 50, 4));
    app_map_ticks(script, 'y', &c->y, &fy, l.plot_height / 24);
    append_plot(script, c);
    const app_drawing drawing = {l.width, app_layout_height(&l), g_string_free(script, FALSE)};
    app_layout_clear(&l);
    return drawing;
}

enum { LONGEST_NAME = 26 }; /* letters of a curve's name in the drawing */

app_chart *app_curves_new(const app_curves *c)
{
    g_autoptr(GArray) xs = all_x(c);
    g_autofree const char **all = g_new(const char *, c->num_curves);
    for (size_t i = 0; i < c->num_curves; i++) {
        all[i] = c->curves[i].name;
    }
    g_auto(GStrv) shorts = app_short_names(all, c->num_curves, LONGEST_NAME);
    g_autofree char *caption = app_short_caption(c->caption, all, shorts, c->num_curves);
    return app_chart_new_drawn(c->name, c->title, caption, csv_of(c), draw(c, xs, shorts, false),
                               draw(c, xs, shorts, true));
}
