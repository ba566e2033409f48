/* apps/ripple/report/scatter.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_scatter. */
#include "report/scatter.h"

#include "layout.h"
#include "scale.h"
#include "short_name.h"

#include <math.h>
#include <stdint.h>

enum { LONGEST_NAME = 26 }; /* letters in the legend */

/** What stands for all points of a cloud in one field. */
typedef struct mark {
    double x;
    double y;
    uint32_t count;
} mark;

/* All values of one axis, of all clouds. */
static void range_of(const app_scatter *s, bool of_x, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t c = 0; c < s->num_clouds; c++) {
        const app_cloud *cloud = &s->clouds[c];
        double from;
        double to;
        if (cloud->n > 0) {
            app_range(of_x ? cloud->xs : cloud->ys, cloud->n, &from, &to);
            *low = fmin(*low, from);
            *high = fmax(*high, to);
        }
    }
    if (*low > *high) {
        *low = 0;
        *high = 1;
    }
}

static size_t field(const app_map *map, double value, size_t fields)
{
    const double from = app_map_place(map, map->from);
    const double to = app_map_place(map, map->to);
    const double part = (app_map_place(map, value) - from) / (to - from);
    return (size_t)fmin(fmax(part * (double)fields, 0), (double)fields - 1);
}

/* The marks of one cloud, in the order of its points. */
static GArray *thin(const app_cloud *cloud, const app_map *fx, const app_map *fy)
{
    GArray *marks = g_array_new(FALSE, FALSE, sizeof(mark));
    g_autofree uint32_t *of_field = g_new0(uint32_t, APP_SCATTER_COLUMNS * APP_SCATTER_ROWS);
    for (size_t i = 0; i < cloud->n; i++) {
        const size_t at = field(fx, cloud->xs[i], APP_SCATTER_COLUMNS) * APP_SCATTER_ROWS +
                          field(fy, cloud->ys[i], APP_SCATTER_ROWS);
        if (of_field[at] == 0) {
            const mark m = {cloud->xs[i], cloud->ys[i], 0};
            g_array_append_val(marks, m);
            of_field[at] = marks->len;
        }
        g_array_index(marks, mark, of_field[at] - 1).count++;
    }
    return marks;
}

static GString *csv_of(const app_scatter *s, GArray *const *marks)
{
    GString *csv = g_string_new(NULL);
    g_autofree char *x = app_axis_column(&s->x);
    g_autofree char *y = app_axis_column(&s->y);
    app_append_field(csv, x);
    g_string_append_c(csv, ',');
    app_append_field(csv, y);
    g_string_append_c(csv, ',');
    app_append_field(csv, s->series_name);
    g_string_append(csv, ",points\n");
    for (size_t c = 0; c < s->num_clouds; c++) {
        for (guint i = 0; i < marks[c]->len; i++) {
            const mark *m = &g_array_index(marks[c], mark, i);
            app_append_number(csv, m->x);
            g_string_append_c(csv, ',');
            app_append_number(csv, m->y);
            g_string_append_c(csv, ',');
            app_append_field(csv, s->clouds[c].name);
            g_string_append_printf(csv, ",%u\n", m->count);
        }
    }
    return csv;
}

/* As large as can be told apart: many marks are a cloud, of a few each is looked at. */
static double size_of(GArray *const *marks, size_t n)
{
    enum { FEW = 300, MANY = 3000 };
    static const double LARGE = 0.6;
    static const double SMALL = 0.22;
    size_t drawn = 0;
    for (size_t c = 0; c < n; c++) {
        drawn += marks[c]->len;
    }
    const double crowded = log((double)MAX(drawn, FEW) / FEW) / log((double)MANY / FEW);
    return LARGE + (SMALL - LARGE) * fmin(crowded, 1);
}

static void append_plot(GString *script, const app_scatter *s, GArray *const *marks)
{
    const char *separator = "plot ";
    char size[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(size, sizeof size, "%.2f", size_of(marks, s->num_clouds));
    size_t row = 1; /* below the header */
    for (size_t c = 0; c < s->num_clouds; c++) {
        const size_t n = marks[c]->len;
        if (n > 0) {
            g_string_append_printf(script,
                                   "%sdata every ::%zu::%zu using (fx($1)):(fy($2)) with points "
                                   "lt %zu pt 7 ps %s notitle",
                                   separator, row, row + n - 1, c + 1, size);
            separator = ", \\\n     ";
        }
        row += n;
    }
    if (separator[0] == 'p') {
        g_string_append(script, "plot NaN notitle"); /* axes all the same */
    }
    g_string_append_c(script, '\n');
}

/* The y axis, and fy(), which brings values to it. */
static void append_rows(GString *script, const app_scatter *s, const app_map *fy, int most)
{
    if (s->rows == NULL) {
        app_map_define(script, "fy", fy);
        app_map_ticks(script, 'y', &s->y, fy, most);
        return;
    }
    g_string_append(script, "fy(x) = x\n");
    app_ticks_named(script, 'y', s->rows, s->num_rows, s->num_rows, false);
    g_string_append_printf(script, "set yrange [0.5:%zu.5]\n", s->num_rows);
}

static app_drawing draw(const app_scatter *s, const app_map *fx, const app_map *fy,
                        GArray *const *marks, char *const *shorts, bool narrow)
{
    g_autofree char *x_label = app_axis_label(&s->x);
    g_autofree char *note = app_axis_label(&s->y);
    g_autofree app_key_item *items = g_new(app_key_item, s->num_clouds + 1);
    app_layout l = app_layout_new(narrow, s->title, note);
    GString *script = g_string_new(NULL);
    for (size_t c = 0; c < s->num_clouds; c++) {
        items[c] = (app_key_item){shorts[c], APP_KEY_FIELD, c + 1};
    }
    app_map_define(script, "fx", fx);
    app_layout_append(script, &l, x_label, items, s->rows != NULL ? 0 : s->num_clouds);
    app_map_ticks(script, 'x', &s->x, fx, MAX(app_layout_plot_width(&l) / 60, 4));
    append_rows(script, s, fy, l.plot_height / 24);
    append_plot(script, s, marks);
    const app_drawing drawing = {l.width, app_layout_height(&l), g_string_free(script, FALSE)};
    app_layout_clear(&l);
    return drawing;
}

app_chart *app_scatter_new(const app_scatter *s)
{
    double low;
    double high;
    range_of(s, true, &low, &high);
    const app_map fx = app_map_fit(&s->x, APP_SCALE_LINEAR, low, high);
    range_of(s, false, &low, &high);
    const app_map fy = app_map_fit(&s->y, APP_SCALE_LINEAR, low, high);
    g_autofree GArray **marks = g_new(GArray *, s->num_clouds + 1);
    g_autofree const char **names = g_new(const char *, s->num_clouds + 1);
    size_t points = 0;
    size_t drawn = 0;
    for (size_t c = 0; c < s->num_clouds; c++) {
        marks[c] = thin(&s->clouds[c], &fx, &fy);
        names[c] = s->clouds[c].name;
        points += s->clouds[c].n;
        drawn += marks[c]->len;
    }
    g_auto(GStrv) shorts = app_short_names(names, s->num_clouds, LONGEST_NAME);
    g_autofree char *thinned =
        drawn < points
            ? g_strdup_printf(" %zu marks stand for %zu points: where several would lie on one "
                              "another there is one; the CSV says how many.",
                              drawn, points)
            : g_strdup("");
    g_autofree char *caption = g_strconcat(s->caption, thinned, NULL);
    app_chart *chart = app_chart_new_drawn(s->name, s->title, caption, csv_of(s, marks),
                                           draw(s, &fx, &fy, marks, shorts, false),
                                           draw(s, &fx, &fy, marks, shorts, true));
    for (size_t c = 0; c < s->num_clouds; c++) {
        g_array_unref(marks[c]);
    }
    return chart;
}
