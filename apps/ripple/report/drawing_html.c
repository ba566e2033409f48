/* apps/ripple/report/drawing_html.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "drawing_html.h"

#include "short_marks.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

/* The colours of figure.c as gnuplot writes them, and their names in the style below. */
typedef struct colour {
    unsigned char rgb[3];
    const char *name;
} colour;

static const colour COLOURS[] = {
    {{0x00, 0x72, 0xb2}, "--c1"},    {{0xd5, 0x5e, 0x00}, "--c2"},
    {{0x00, 0x81, 0x5e}, "--c3"},    {{0xb4, 0x50, 0x8c}, "--c4"},
    {{0x8f, 0x6a, 0x00}, "--c5"},    {{0x3f, 0x97, 0xd3}, "--c6"},
    {{0x7f, 0x7f, 0x7f}, "--c7"},    {{0x4b, 0x4f, 0x58}, "--c8"},
    {{0x22, 0x22, 0x22}, "--ink"},   {{0x55, 0x55, 0x55}, "--soft"},
    {{0xdd, 0xdd, 0xdd}, "--faint"}, {{0xff, 0xff, 0xff}, "--paper"},
};

const char *app_drawing_style(void)
{
    return ":root{color-scheme:light dark;--paper:#fff;--ink:#222;--soft:#555;--faint:#ddd;"
           "--c1:#0072b2;--c2:#d55e00;--c3:#00815e;--c4:#b4508c;--c5:#8f6a00;--c6:#3f97d3;"
           "--c7:#7f7f7f;--c8:#4b4f58}"
           "@media(prefers-color-scheme:dark){:root{--paper:#16191d;--ink:#e6e6e6;--soft:#b4b8be;"
           "--faint:#3a3f45;--c1:#5cb5ee;--c2:#ff8c4f;--c3:#33c49b;--c4:#e58fc4;--c5:#dcb13c;"
           "--c6:#a9d3f2;--c7:#8d8d8d;--c8:#c5c9d1}}"
           "@media print{:root{--paper:#fff;--ink:#222;--soft:#555;--faint:#ddd}}";
}

static char *replace(const char *text, const char *what, const char *with)
{
    g_auto(GStrv) parts = g_strsplit(text, what, -1);
    return g_strjoinv(with, parts);
}

/* In place. */
static void swap(char **text, const char *what, const char *with)
{
    char *other = replace(*text, what, with);
    g_free(*text);
    *text = other;
}

char *app_drawing_with_tooltips(const char *svg)
{
    static const char BEGIN[] = "<g onmousemove=\"gnuplot_svg.showHypertext(evt,'";
    static const char END[] = "')\" onmouseout=\"gnuplot_svg.hideHypertext()\"><title> </title>";
    GString *out = g_string_new(NULL);
    const char *at = svg;
    for (const char *begin; (begin = strstr(at, BEGIN)) != NULL;) {
        const char *text = begin + strlen(BEGIN);
        const char *end = strstr(text, END);
        if (end == NULL) {
            break;
        }
        g_string_append_len(out, at, begin - at);
        g_string_append(out, "<g><title>");
        g_string_append_len(out, text, end - text);
        g_string_append(out, "</title>");
        at = end + strlen(END);
    }
    g_string_append(out, at);
    return g_string_free(out, FALSE);
}

/* gnuplot calls each layer by the command that plots it: that is no tooltip for anybody. */
static char *without_plot_titles(const char *svg)
{
    g_autoptr(GRegex) named = g_regex_new(
        "(<g id=\"gnuplot_plot_[0-9]+[a-z]*\" *>)<title>[^<]*</title>", G_REGEX_OPTIMIZE, 0, NULL);
    return g_regex_replace(named, svg, -1, 0, "\\1", 0, NULL);
}

static void name_colours(char **html)
{
    for (size_t i = 0; i < G_N_ELEMENTS(COLOURS); i++) {
        const unsigned char *c = COLOURS[i].rgb;
        g_autofree char *name = g_strdup_printf("var(%s)", COLOURS[i].name);
        g_autofree char *spaced = g_strdup_printf("rgb(%3d, %3d, %3d)", c[0], c[1], c[2]);
        g_autofree char *close = g_strdup_printf("rgb(%d,%d,%d)", c[0], c[1], c[2]);
        g_autofree char *hex = g_strdup_printf("#%02x%02x%02x", c[0], c[1], c[2]);
        swap(html, spaced, name);
        swap(html, close, name);
        g_autofree char *upper = g_ascii_strup(hex, -1);
        swap(html, hex, name);
        swap(html, upper, name); /* gnuplot's own white */
    }
    swap(html, "\"black\"", "\"var(--ink)\"");
    swap(html, "'black'", "'var(--ink)'");
}

static int count(const char *text, const char *what)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at += strlen(what)) {
        n++;
    }
    return n;
}

/* Groups that a line opens, less those that it closes. */
static int opened_by(const char *line)
{
    return count(line, "<g ") + count(line, "<g>") - count(line, "</g>");
}

/* gnuplot begins a group for each mark. One that is like the group before goes on with it: the same
 * picture, and a third less of a page with many marks. */
static char *join_groups(const char *svg)
{
    g_auto(GStrv) lines = g_strsplit(svg, "\n", -1);
    g_autoptr(GPtrArray) open = g_ptr_array_new(); /* lines; NULL: not alone on its line */
    GString *out = g_string_new(NULL);
    const char *closed = NULL; /* a group whose end is not written yet */
    for (size_t i = 0; lines[i] != NULL; i++) {
        const char *line = lines[i];
        const int opened = opened_by(line);
        if (closed != NULL && *line == '\0') {
            continue;
        }
        const bool goes_on = closed != NULL && strcmp(line, closed) == 0;
        if (closed != NULL && !goes_on) {
            g_string_append(out, "</g>\n");
        }
        closed = NULL;
        for (int k = 0; k < opened; k++) {
            const bool alone = opened == 1 && g_str_has_prefix(line, "<g ");
            g_ptr_array_add(open, alone ? lines[i] : NULL);
        }
        if (strcmp(line, "</g>") == 0 && open->len > 0) {
            closed = g_ptr_array_index(open, open->len - 1);
        }
        for (int k = opened; k < 0 && open->len > 0; k++) {
            g_ptr_array_set_size(open, (gint)open->len - 1);
        }
        if (closed == NULL && !goes_on) {
            g_string_append_printf(out, "%s%s", line, lines[i + 1] != NULL ? "\n" : "");
        }
    }
    g_string_append(out, closed != NULL ? "</g>" : "");
    return g_string_free(out, FALSE);
}

char *app_drawing_html(const char *svg, const char *id, const char *title)
{
    const char *element = strstr(svg, "<svg");
    const char *content = element != NULL ? strstr(element, "<g id=\"gnuplot_canvas\">") : NULL;
    const char *box = element != NULL ? strstr(element, "viewBox=\"") : NULL;
    if (content == NULL || box == NULL) {
        return g_strdup("");
    }
    char *html = without_plot_titles(content);
    static const char *const WHERE[] = {"id='", "id=\"", "href='#", "url(#"};
    swap(&html, "xlink:href", "href");
    for (size_t i = 0; i < G_N_ELEMENTS(WHERE); i++) {
        g_autofree char *own = g_strconcat(WHERE[i], id, "-", NULL);
        swap(&html, WHERE[i], own);
    }
    name_colours(&html);
    swap(&html, "font-family=\"Helvetica\" ", "");
    g_autofree char *joined = join_groups(html);
    g_autofree char *shorter = app_drawing_shorten(joined, id);
    g_autofree char *view =
        g_strndup(box, strcspn(box + strlen("viewBox=\""), "\"") + strlen("viewBox=\"") + 1);
    g_autofree char *label = g_markup_escape_text(title, -1);
    g_autofree char *all =
        g_strdup_printf("<svg role=\"img\" aria-label=\"%s\" %s>%s", label, view, shorter);
    g_free(html);
    return g_steal_pointer(&all);
}
