/* apps/ripple/report/bars.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_report, test_drawing_html. */
#include "report/bars.h"

#include "layout.h"
#include "scale.h"

#include <math.h>
#include <string.h>

static const double GROUP_WIDTH = 0.84; /* of the distance between groups */
enum { FIRST_PART = 4 };                /* its column in the CSV */

static double place(const app_bars *b, const app_bar *bar)
{
    const double n = (double)b->num_series;
    return (double)bar->group + 1 + GROUP_WIDTH * (((double)bar->series + 0.5) / n - 0.5);
}

static GString *csv_of(const app_bars *b)
{
    GString *csv = g_string_new(NULL);
    g_string_append_printf(csv, "%s,%s,at", b->group_name, b->series_name);
    for (size_t part = 0; part < b->num_parts; part++) {
        const app_axis axis = {b->parts[part], b->y.unit, APP_SCALE_LINEAR};
        g_autofree char *column = app_axis_column(&axis);
        g_string_append_c(csv, ',');
        app_append_field(csv, column);
    }
    g_string_append_c(csv, '\n');
    for (size_t i = 0; i < b->num_bars; i++) {
        const app_bar *bar = &b->bars[i];
        app_append_field(csv, b->groups[bar->group].number);
        g_string_append_c(csv, ',');
        app_append_field(csv, b->series[bar->series].name);
        g_string_append_c(csv, ',');
        app_append_number(csv, place(b, bar));
        for (size_t part = 0; part < b->num_parts; part++) {
            g_string_append_c(csv, ',');
            app_append_number(csv, bar->parts[part]);
        }
        g_string_append_c(csv, '\n');
    }
    return csv;
}

static bool is_shown(const app_bars *b, size_t part)
{
    for (size_t i = 0; i < b->num_bars; i++) {
        if (b->bars[i].parts[part] > 0) {
            return true;
        }
    }
    return false;
}

static app_map scale_of(const app_bars *b)
{
    double highest = 0;
    for (size_t i = 0; i < b->num_bars; i++) {
        double sum = 0;
        for (size_t part = 0; part < b->num_parts; part++) {
            sum += b->bars[i].parts[part];
        }
        highest = fmax(highest, sum);
    }
    return app_map_fit(&b->y, APP_SCALE_LINEAR, 0, highest);
}

/* "time on the critical path; i: ideal, u: unsynchronized". Owned by the caller. */
static char *note_of(const app_bars *b)
{
    g_autofree char *y = app_axis_label(&b->y);
    GString *note = g_string_new(y);
    for (size_t s = 0; s < b->num_series && b->num_series > 1; s++) {
        g_string_append_printf(note, "%s %c: %s", s == 0 ? ";" : ",", b->series[s].letter,
                               b->series[s].name);
    }
    return g_string_free(note, FALSE);
}

static void append_letters(GString *script, const app_bars *b)
{
    for (size_t i = 0; i < b->num_bars; i++) {
        const char letter[] = {b->series[b->bars[i].series].letter, '\0'};
        g_string_append(script, "set label ");
        app_append_quoted(script, letter);
        g_string_append(script, " at first ");
        app_append_number(script, place(b, &b->bars[i]));
        g_string_append(script, ", graph 0 center offset 0,-0.6 font ',11'\n");
    }
}

/* "($4+$5)": the height up to, and without, that part. */
static char *below(size_t part)
{
    GString *sum = g_string_new("(0");
    for (size_t k = 0; k < part; k++) {
        g_string_append_printf(sum, "+$%zu", FIRST_PART + k);
    }
    return g_string_free(g_string_append_c(sum, ')'), FALSE);
}

static void append_plot(GString *script, const app_bars *b)
{
    const char *unit = app_unit_suffix(b->y.unit);
    const char *separator = "plot ";
    for (size_t part = 0; part < b->num_parts; part++) {
        if (is_shown(b, part)) {
            g_autofree char *low = below(part);
            g_autofree char *high = below(part + 1);
            g_string_append_printf(script,
                                   "%sdata skip 1 using 3:%s:($3 - half):($3 + half):%s:%s with "
                                   "boxxyerror lt %zu lw 0.5 fs solid 0.9 border lc rgb '#ffffff' "
                                   "notitle",
                                   separator, high, low, high, part + 1);
            separator = ", \\\n     ";
        }
    }
    for (size_t part = 0; part < b->num_parts; part++) {
        if (is_shown(b, part)) {
            g_autofree char *low = below(part);
            g_string_append_printf(
                script,
                "%sdata skip 1 using 3:($%zu > 0 ? %s + $%zu / 2.0 : NaN):('%s ' . count($1) . ', "
                "' . strcol(2) . ': %s ' . strcol(%zu) . '%s') with labels hypertext point pt 5 ps "
                "1.6 lc rgb '#ff222222'",
                separator, FIRST_PART + part, low, FIRST_PART + part, b->group_name, b->parts[part],
                FIRST_PART + part, unit);
        }
    }
    g_string_append_c(script, '\n');
}

static app_drawing draw(const app_bars *b, bool narrow)
{
    const app_map map = scale_of(b);
    g_autofree char *note = note_of(b);
    app_layout l = app_layout_new(narrow, b->title, note);
    g_autofree app_key_item *items = g_new(app_key_item, b->num_parts);
    size_t num_items = 0;
    for (size_t part = 0; part < b->num_parts; part++) {
        if (is_shown(b, part)) {
            items[num_items++] = (app_key_item){b->parts[part], APP_KEY_FIELD, part + 1};
        }
    }
    g_autofree const char **labels = g_new(const char *, b->num_groups);
    int widest = 1;
    for (size_t i = 0; i < b->num_groups; i++) {
        labels[i] = b->groups[i].label;
        widest = MAX(widest, app_layout_text_width(labels[i]));
    }
    GString *script = g_string_new(NULL);
    l.ticks += b->num_series > 1 ? 16 : 0;
    app_append_tip_functions(script);
    app_layout_append(script, &l, b->group_name, items, num_items);
    app_ticks_named(script, 'x', labels, b->num_groups,
                    (size_t)(app_layout_plot_width(&l) / (widest + APP_LETTER)), false);
    app_map_ticks(script, 'y', &b->y, &map, l.plot_height / 24);
    if (b->num_series > 1) {
        g_string_append(script, "set xtics offset 0,-0.9\n");
        append_letters(script, b);
    }
    g_string_append_printf(script, "set xrange [0.4:%zu.6]\nhalf = ", b->num_groups);
    app_append_number(script, GROUP_WIDTH / (double)b->num_series * 0.43);
    g_string_append_c(script, '\n');
    append_plot(script, b);
    const app_drawing drawing = {l.width, app_layout_height(&l), g_string_free(script, FALSE)};
    app_layout_clear(&l);
    return drawing;
}

app_chart *app_bars_new(const app_bars *b)
{
    return app_chart_new_drawn(b->name, b->title, b->caption, csv_of(b), draw(b, false),
                               draw(b, true));
}
