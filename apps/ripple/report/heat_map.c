/* apps/ripple/report/heat_map.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_report. */
#include "report/heat_map.h"

#include "layout.h"
#include "scale.h"
#include "sim/unit.h"

#include <math.h>

enum {
    FIELD_LETTERS = 5, /* at least; a field too small for its number has none in it */
    FIELD_LETTER = 6,  /* px of one, on average, and what is free beside them */
    FIELD_ROOM = 6,
    FIELD_HEIGHT = 15,
};
static const double LOG_FROM = 30;
static const double DARK = 0.55; /* of the palette, up to which a field takes white letters */

/* Perceptually even, from dark to light, also in grey: eight points of the map "viridis". */
static const char *const PALETTE =
    "set palette defined (0 '#440154', 1 '#46327e', 2 '#365c8d', 3 '#277f8e', 4 '#1fa187', "
    "5 '#4ac16d', 6 '#a0da39', 7 '#fde725')\n";

static char **labels_of(app_unit unit, const double *values, size_t n)
{
    char **labels = g_new0(char *, n + 1);
    for (size_t i = 0; i < n; i++) {
        labels[i] = app_unit_format(unit, values[i]);
    }
    return labels;
}

static app_map fit_z(const app_heat_map *m)
{
    double low;
    double high;
    app_range(m->zs, m->num_x * m->num_y, &low, &high);
    double least = high;
    for (size_t i = 0; i < m->num_x * m->num_y; i++) {
        least = m->zs[i] > 0 ? fmin(least, m->zs[i]) : least;
    }
    const bool wide = high > 0 && least > 0 && high / least > LOG_FROM;
    app_map map = app_map_fit(&m->z, wide ? APP_SCALE_LOG : APP_SCALE_LINEAR, low, high);
    map.from = low; /* colours need no room at the ends */
    map.to = high > low ? high : low + 1;
    return map;
}

/* Rows of x, y, z, and the place of the field; fields without a value have no row. */
static GString *csv_of(const app_heat_map *m)
{
    GString *csv = g_string_new(NULL);
    g_autofree char *x = app_axis_column(&m->x);
    g_autofree char *y = app_axis_column(&m->y);
    g_autofree char *z = app_axis_column(&m->z);
    g_string_append_printf(csv, "%s,%s,%s,column,row%s\n", x, y, z,
                           m->marked != NULL ? ",marked" : "");
    for (size_t i = 0; i < m->num_y; i++) {
        for (size_t j = 0; j < m->num_x; j++) {
            const double value = m->zs[i * m->num_x + j];
            if (isfinite(value)) {
                const double numbers[] = {m->xs[j], m->ys[i], value};
                for (size_t k = 0; k < G_N_ELEMENTS(numbers); k++) {
                    app_append_number(csv, numbers[k]);
                    g_string_append_c(csv, ',');
                }
                g_string_append_printf(csv, "%zu,%zu%s\n", j + 1, i + 1,
                                       m->marked == NULL             ? ""
                                       : m->marked[i * m->num_x + j] ? ",1"
                                                                     : ",0");
            }
        }
    }
    return csv;
}

static const double TWO_DIGITS = 99.5; /* from here on, two of them are not the number */

/* "0.56", "4,320*"; owned by the caller, NULL where there is no value. */
static char *number_of(const app_heat_map *m, size_t field)
{
    const double value = m->zs[field];
    if (!isfinite(value)) {
        return NULL;
    }
    char rounded[G_ASCII_DTOSTR_BUF_SIZE];
    const bool large = fabs(value) >= TWO_DIGITS;
    const bool plain = m->z.unit == APP_UNIT_PERCENT || m->z.unit == APP_UNIT_NONE;
    g_autofree char *text = !plain ? app_unit_format(m->z.unit, value)
                            : large
                                ? sim_unit_format_thousands(value)
                                : g_strdup(g_ascii_formatd(rounded, sizeof rounded, "%.2g", value));
    return g_strconcat(text, m->marked != NULL && m->marked[field] ? "*" : "", NULL);
}

/* Does each number fit into its field? */
static bool has_room(const app_heat_map *m, const app_layout *l)
{
    glong letters = FIELD_LETTERS;
    for (size_t i = 0; i < m->num_x * m->num_y; i++) {
        g_autofree char *number = number_of(m, i);
        letters = number != NULL ? MAX(letters, g_utf8_strlen(number, -1)) : letters;
    }
    const size_t width = (size_t)letters * FIELD_LETTER + FIELD_ROOM;
    return (size_t)app_layout_plot_width(l) >= m->num_x * width &&
           (size_t)l->plot_height >= m->num_y * FIELD_HEIGHT;
}

/* The numbers in the fields, white on dark and black on light, on a dark page too: so these are
 * not quite the white and black that a page takes for its own. */
static void append_numbers(GString *script, const app_heat_map *m, const app_map *fz)
{
    const double from = app_map_place(fz, fz->from);
    const double to = app_map_place(fz, fz->to);
    const int size = 11;
    for (size_t i = 0; i < m->num_x * m->num_y; i++) {
        g_autofree char *number = number_of(m, i);
        if (number == NULL) {
            continue;
        }
        const bool dark = (app_map_place(fz, m->zs[i]) - from) / (to - from) < DARK;
        g_string_append(script, "set label ");
        app_append_quoted(script, number);
        g_string_append_printf(script, " at %zu,%zu center front font ',%d' tc rgb '%s'\n",
                               i % m->num_x + 1, i / m->num_x + 1, size,
                               dark ? "#fefefe" : "#010101");
    }
}

enum {
    COLOUR_BAR = 12,   /* px: its height */
    COLOUR_ROOM = 44,  /* what it takes below the plot */
    COLOUR_RIGHT = 22, /* beside it: half of the label at its end */
};

/* A bar below the plot with the scale of the colours, named in the note. */
static void append_colours(GString *script, const app_heat_map *m, const app_map *fz,
                           const app_layout *l)
{
    const double height = app_layout_height(l);
    g_autoptr(GString) ticks = g_string_new(NULL);
    app_map_ticks(ticks, 'z', &m->z, fz, MAX(app_layout_plot_width(l) / 50, 4));
    g_auto(GStrv) parts = g_strsplit(ticks->str, "set z", -1);
    g_autofree char *renamed = g_strjoinv("set cb", parts);
    g_string_append(script, renamed);
    g_string_append(script, "set colorbox horizontal user noborder origin screen ");
    app_append_number(script, (double)l->left / l->width);
    g_string_append(script, ", screen ");
    app_append_number(script, (COLOUR_ROOM - COLOUR_BAR - 6) / height);
    g_string_append(script, " size screen ");
    app_append_number(script, (double)app_layout_plot_width(l) / l->width);
    g_string_append(script, ", screen ");
    app_append_number(script, COLOUR_BAR / height);
    g_string_append_c(script, '\n');
    g_string_append(script, PALETTE);
}

/* Each field's number in digits of the CSV; where fields are many, a star for those marked. */
static void append_plot(GString *script, const app_heat_map *m, bool numbered)
{
    const char *unit = app_unit_suffix(m->z.unit);
    g_string_append(script, "plot data using 4:5:($4 - 0.5):($4 + 0.5):($5 - 0.5):($5 + 0.5):"
                            "(fz($3)) skip 1 with boxxyerror fs solid 1 noborder lc palette");
    if (m->marked != NULL && !numbered) {
        g_string_append(script, ", data using 4:($6 > 0 ? $5 : NaN) skip 1 with points pt 3 ps 0.4 "
                                "lc rgb '#888888'");
    }
    g_string_append_printf(script, ", \\\n     data using 4:5:('%s ' . ", m->x.name);
    app_append_tip_value(script, m->x.unit, 1);
    g_string_append_printf(script, " . ', %s ' . ", m->y.name);
    app_append_tip_value(script, m->y.unit, 2);
    g_string_append_printf(script,
                           " . ': %s ' . strcol(3) . '%s'%s) skip 1 with labels hypertext point pt "
                           "5 ps 3 lc rgb '#ff222222'\n",
                           m->z.name, unit,
                           m->marked != NULL ? " . (strcol(6) eq '1' ? ', marked' : '')" : "");
}

static app_drawing draw(const app_heat_map *m, bool narrow)
{
    const app_map fz = fit_z(m);
    g_auto(GStrv) columns = labels_of(m->x.unit, m->xs, m->num_x);
    g_auto(GStrv) rows = labels_of(m->y.unit, m->ys, m->num_y);
    g_autofree char *x = app_axis_label(&m->x);
    g_autofree char *y = app_axis_label(&m->y);
    g_autofree char *z = app_axis_label(&m->z);
    g_autofree char *note = g_strdup_printf("%s upwards; colour: %s", y, z);
    app_layout l = app_layout_new(narrow, m->title, note);
    l.right = MAX(l.right, COLOUR_RIGHT);
    GString *script = g_string_new("unset grid\nset border 0\n");
    int widest = 1;
    for (size_t i = 0; i < m->num_x; i++) {
        widest = MAX(widest, app_layout_text_width(columns[i]));
    }
    app_map_define(script, "fz", &fz);
    app_append_tip_functions(script);
    app_ticks_named(script, 'x', (const char *const *)columns, m->num_x,
                    (size_t)(app_layout_plot_width(&l) / (widest + APP_LETTER)), false);
    app_ticks_named(script, 'y', (const char *const *)rows, m->num_y,
                    (size_t)l.plot_height / APP_LINE_HEIGHT, false);
    l.below = COLOUR_ROOM;
    app_layout_append(script, &l, x, NULL, 0);
    g_string_append_printf(script, "set xrange [0.5:%zu.5]\nset yrange [0.5:%zu.5]\n", m->num_x,
                           m->num_y);
    append_colours(script, m, &fz, &l);
    const bool numbered = has_room(m, &l);
    if (numbered) {
        append_numbers(script, m, &fz);
    }
    append_plot(script, m, numbered);
    const app_drawing drawing = {l.width, app_layout_height(&l), g_string_free(script, FALSE)};
    app_layout_clear(&l);
    return drawing;
}

app_chart *app_heat_map_new(const app_heat_map *m)
{
    return app_chart_new_drawn(m->name, m->title, m->caption, csv_of(m), draw(m, false),
                               draw(m, true));
}
