/* apps/ripple/report/curves.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_report. */
#include "report/curves.h"

#include "scale.h"

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
                app_append_field(csv, p->remark != NULL ? p->remark : "");
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
typedef enum { BANDS, LINES, HOLES, NUM_LAYERS } layer;

static const char *const FORMS[NUM_LAYERS][2] = {
    [BANDS] = {"(fy($4)):(fy($5)) with filledcurves", "fs transparent solid 0.18 noborder notitle"},
    [LINES] = {"(fy($3)) with linespoints", "ps 0.7 title "},
    /* White dots of the form of the curve's own points. */
    [HOLES] = {"($6 > 0 ? fy($3) : NaN) with points", "ps 0.4 lc rgb '#ffffff' notitle"},
};

/* What bands and hollow points are, in a colour that no curve has. */
static void append_key(GString *script, const app_curves *c, bool hollow)
{
    static const char *const SEPARATOR = ", \\\n     ";
    if (c->band_name != NULL) {
        g_string_append_printf(script,
                               "%sNaN with filledcurves fs transparent solid 0.18 noborder lc rgb "
                               "'#333333' title ",
                               SEPARATOR);
        app_append_quoted(script, c->band_name);
    }
    if (hollow) {
        g_string_append_printf(script, "%sNaN with points pt 6 ps 0.7 lc rgb '#333333' title ",
                               SEPARATOR);
        app_append_quoted(script, c->hollow_name);
    }
}

static void append_plot(GString *script, const app_curves *c)
{
    const char *separator = "";
    bool hollow = false;
    for (int at = 0; at < NUM_LAYERS; at++) {
        size_t row = 1; /* below the header */
        for (size_t i = 0; i < c->num_curves; i++) {
            const app_curve *curve = &c->curves[i];
            const size_t last = row + curve->num_points - 1;
            const bool holes = at == HOLES && c->hollow_name != NULL && has_hollow(curve);
            hollow = hollow || holes;
            if (curve->num_points > 0 && (at != HOLES || holes)) {
                g_string_append_printf(script, "%sdata every ::%zu::%zu using (fx($1)):", separator,
                                       row, last);
                g_string_append_printf(script, "%s lt %zu %s", FORMS[at][0], i + 1, FORMS[at][1]);
                if (at == LINES) {
                    app_append_quoted(script, curve->name);
                }
                separator = ", \\\n     ";
            }
            row = last + 1;
        }
    }
    append_key(script, c, hollow);
    g_string_append_c(script, '\n');
}

app_chart *app_curves_new(const app_curves *c)
{
    g_autoptr(GArray) xs = all_x(c);
    const app_map fx = fit_x(c, xs);
    const app_map fy = fit_y(c);
    GString *script = g_string_new(NULL);
    app_map_define(script, "fx", &fx);
    app_map_define(script, "fy", &fy);
    app_append_label(script, 'x', &c->x);
    app_append_label(script, 'y', &c->y);
    app_map_ticks_at(script, 'x', &c->x, &fx, (const double *)(gconstpointer)xs->data, xs->len);
    app_map_ticks(script, 'y', &c->y, &fy);
    g_string_append(script, "set key outside bottom center horizontal\nplot ");
    append_plot(script, c);
    return app_chart_new(c->name, c->title, c->caption, csv_of(c), script);
}
