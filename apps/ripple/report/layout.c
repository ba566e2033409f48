/* apps/ripple/report/layout.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_report, test_drawing_html. */
#include "layout.h"

#include "scale.h"

#include <string.h>

enum {
    WIDE = 760, /* px */
    NARROW = 360,
    SIDE = 8,        /* px that are left free at the sides */
    KEY_MARK = 26,   /* px of a line or field in the legend, and the gap before its name */
    KEY_GAP = 18,    /* px between the items of the legend */
    TITLE_LINE = 20, /* px */
};

/* As many words to a line as fit into @p room px. */
static char **wrap(const char *text, int room)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    g_autoptr(GStrvBuilder) lines = g_strv_builder_new();
    g_autoptr(GString) line = g_string_new(NULL);
    for (char **word = words; *word != NULL; word++) {
        const glong letters = g_utf8_strlen(line->str, -1) + g_utf8_strlen(*word, -1) + 1;
        if (line->len > 0 && letters * APP_LETTER > room) {
            g_strv_builder_add(lines, line->str);
            g_string_truncate(line, 0);
        }
        g_string_append_printf(line, "%s%s", line->len > 0 ? " " : "", *word);
    }
    if (line->len > 0) {
        g_strv_builder_add(lines, line->str);
    }
    return g_strv_builder_end(lines);
}

app_layout app_layout_new(bool narrow, const char *title, const char *note)
{
    app_layout l = {.narrow = narrow,
                    .width = narrow ? NARROW : WIDE,
                    .left = narrow ? 64 : 72,
                    .right = narrow ? 14 : 24,
                    .ticks = 28,
                    .plot_height = narrow ? 230 : 300};
    l.title = wrap(title, l.width - 2 * SIDE - (narrow ? 30 : 0));
    l.note = wrap(note, l.width - 2 * SIDE + (narrow ? 20 : 60));
    l.top = 14 + TITLE_LINE * (int)g_strv_length(l.title) +
            APP_LINE_HEIGHT * (int)g_strv_length(l.note);
    return l;
}

void app_layout_clear(app_layout *layout)
{
    g_strfreev(layout->title);
    g_strfreev(layout->note);
}

int app_layout_plot_width(const app_layout *l)
{
    return l->width - l->left - l->right;
}

int app_layout_height(const app_layout *l)
{
    return l->top + l->plot_height + l->bottom;
}

int app_layout_text_width(const char *text)
{
    return APP_LETTER * (int)g_utf8_strlen(text, -1);
}

static void append_at(GString *script, const app_layout *l, double x, double y)
{
    g_string_append(script, "screen ");
    app_append_number(script, x / l->width);
    g_string_append(script, ", screen ");
    app_append_number(script, 1 - y / app_layout_height(l));
}

void app_layout_label(GString *script, const app_layout *l, const char *text, double x, double y,
                      const char *look)
{
    g_string_append(script, "set label ");
    app_append_quoted(script, text);
    g_string_append(script, " at ");
    append_at(script, l, x, y);
    g_string_append_printf(script, " %s\n", look);
}

/* Of an item of the legend, its gap to the next one included. */
static int item_width(const app_key_item *item)
{
    return KEY_MARK + app_layout_text_width(item->name) + KEY_GAP;
}

/* Item by item: how many rows they take; drawn where @p script is not NULL. */
static int walk_key(GString *script, const app_layout *l, const app_key_item *items, size_t n,
                    int first_y)
{
    int x = SIDE;
    int rows = n > 0 ? 1 : 0;
    for (size_t i = 0; i < n; i++) {
        if (x > SIDE && x + item_width(&items[i]) - KEY_GAP > l->width) {
            x = SIDE;
            rows++;
        }
        if (script != NULL) {
            const double y = first_y + APP_LINE_HEIGHT * (rows - 1);
            const bool field = items[i].mark == APP_KEY_FIELD;
            g_string_append(script, "set arrow from ");
            append_at(script, l, x, y);
            g_string_append(script, " to ");
            append_at(script, l, x + (field ? 14 : 20), y);
            if (items[i].mark == APP_KEY_DASHES) {
                g_string_append(script, " nohead lc rgb '#222222' lw 1.5 dt 2\n");
            } else {
                g_string_append_printf(script, " nohead lt %zu lw %d\n", items[i].colour,
                                       field ? 11 : 2);
            }
            if (items[i].mark == APP_KEY_LINE) {
                g_autofree char *dot = g_strdup_printf("point lt %zu ps 0.7", items[i].colour);
                app_layout_label(script, l, "", x + 10, y, dot);
            }
            app_layout_label(script, l, items[i].name, x + KEY_MARK, y, "left front");
        }
        x += item_width(&items[i]);
    }
    return rows;
}

static void append_margins(GString *script, const app_layout *l)
{
    const double height = app_layout_height(l);
    const double margins[] = {(double)l->left / l->width, 1 - (double)l->right / l->width,
                              1 - l->top / height, l->bottom / height};
    static const char SIDES[] = "lrtb";
    for (size_t i = 0; i < G_N_ELEMENTS(margins); i++) {
        g_string_append_printf(script, "set %cmargin at screen ", SIDES[i]);
        app_append_number(script, margins[i]);
        g_string_append_c(script, '\n');
    }
}

void app_layout_append(GString *script, app_layout *l, const char *x_label,
                       const app_key_item *items, size_t n)
{
    const int rows = walk_key(NULL, l, items, n, 0);
    const int name = x_label[0] != '\0' ? APP_LINE_HEIGHT + 6 : 0;
    l->bottom = l->ticks + name + rows * APP_LINE_HEIGHT + 10 + l->below;
    const double below = l->top + l->plot_height + l->ticks;
    append_margins(script, l);
    g_string_append(script, "unset key\n");
    for (guint i = 0; l->title[i] != NULL; i++) {
        app_layout_label(script, l, l->title[i], SIDE, 16 + TITLE_LINE * (double)i,
                         "left font ',15'");
    }
    const double noted = 16 + TITLE_LINE * (double)g_strv_length(l->title);
    for (guint i = 0; l->note[i] != NULL; i++) {
        app_layout_label(script, l, l->note[i], SIDE, noted + APP_LINE_HEIGHT * (double)i,
                         "left tc rgb '#555555' font ',12.5'");
    }
    if (name > 0) {
        app_layout_label(script, l, x_label, l->left + app_layout_plot_width(l) / 2.0, below + 12,
                         "center");
    }
    (void)walk_key(script, l, items, n, (int)below + name + 12);
}
