/* apps/ripple/report/page.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_report. */
#include "report/page.h"

#include "drawing_html.h"
#include "sim/out_file.h"

#include <string.h>

struct app_page {
    GString *html;
    size_t table;   /* where the html of the table that is being made begins */
    GArray *widths; /* of size_t: letters of the longest cell of each of its columns */
};

/* Below this width a page takes the narrow drawings. */
#define NARROW "700px"

/* A shadow at the side at which a table or text goes on; gone when it is scrolled there. */
#define SCROLLS                                                                                    \
    "overflow-x:auto;background:linear-gradient(90deg,var(--under) 30%,transparent) 0 0,"          \
    "linear-gradient(90deg,transparent,var(--under) 70%) 100% 0,"                                  \
    "linear-gradient(90deg,var(--shade),transparent) 0 0,"                                         \
    "linear-gradient(90deg,transparent,var(--shade)) 100% 0;background-repeat:no-repeat;"          \
    "background-size:3em 100%,3em 100%,1em 100%,1em 100%;"                                         \
    "background-attachment:local,local,scroll,scroll;background-color:var(--under)"

static const char *const STYLE =
    ":root{--blue:#eef6fb;--red:#fdecea;--grey:#f5f5f5;--link:#0054a6;--shade:#0006}"
    "@media(prefers-color-scheme:dark){:root{--blue:#1b2c3a;--red:#3c2320;--grey:#20242a;"
    "--link:#8cc4ff;--shade:#000c}}"
    "body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);"
    "max-width:62em;margin:2em auto;padding:0 1em;overflow-wrap:break-word}"
    "a{color:var(--link)}"
    "h1{font-size:1.6em;border-bottom:2px solid var(--c1)}h2{font-size:1.2em;margin-top:2em}"
    "table{border-collapse:collapse;font-size:.85em}"
    "th,td{padding:.25em .4em;border-bottom:1px solid var(--faint);text-align:left;"
    "white-space:nowrap}"
    "th{border-bottom:2px solid var(--soft)}"
    "td.n{text-align:right;font-variant-numeric:tabular-nums}"
    ".table{margin:1em 0;container-type:inline-size}.scroll{--under:var(--paper);" SCROLLS "}"
    ".hint{display:none;margin:.2em 0 0;font-size:.85em;color:var(--soft)}"
    "pre{--under:var(--grey);" SCROLLS ";padding:.6em;font-size:.8em}"
    "pre.wrap{white-space:pre-wrap}"
    ".finding{background:var(--blue);border-left:4px solid var(--c1);padding:.6em 1em}"
    ".warning{background:var(--red);border-left:4px solid var(--c2);padding:.6em 1em;"
    "font-weight:bold}"
    ".remarks{background:var(--grey);border-left:4px solid var(--soft);padding:.6em 1em;"
    "font-size:.9em}"
    ".remarks ul{margin:.3em 0;padding-left:1.2em}"
    "dl{font-size:.9em;margin:.5em 0}dt{font-weight:bold;float:left;margin-right:.5em}"
    "dd{margin:0 0 .2em}"
    "figure{margin:1.5em 0}figure svg{display:block;width:100%;height:auto}"
    "figure text{font-family:Helvetica,Arial,'Liberation Sans',sans-serif}"
    ".wide svg{max-width:760px}.narrow svg{max-width:480px}"
    "@media(min-width:" NARROW "){.narrow{display:none}}"
    "@media(max-width:" NARROW "){.wide{display:none}body{padding:0 .8em;margin:1em auto}}"
    "figcaption{font-size:.9em;color:var(--soft);margin-top:.4em}";

enum { HINT_STEP = 2, HINT_MOST = 60 }; /* em: widths of tables that the style tells apart */

/* A table of class wN says that it goes on where the page is less than N em wide. */
static void append_hint_rules(GString *html)
{
    for (int em = HINT_STEP; em <= HINT_MOST; em += HINT_STEP) {
        g_string_append_printf(html, "@container(max-width:%dem){.w%d~.hint{display:block}}", em,
                               em);
    }
}

static void append_escaped(GString *html, const char *text)
{
    g_autofree char *escaped = g_markup_escape_text(text, -1);
    g_string_append(html, escaped);
}

static void append_element(GString *html, const char *open, const char *text, const char *close)
{
    g_string_append(html, open);
    append_escaped(html, text);
    g_string_append(html, close);
}

app_page *app_page_new(const char *title)
{
    app_page *page = g_new0(app_page, 1);
    page->widths = g_array_new(FALSE, TRUE, sizeof(size_t));
    page->html = g_string_new("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                              "<meta name=\"viewport\" content=\"width=device-width\">");
    append_element(page->html, "<title>", title, "</title>");
    g_string_append_printf(page->html, "<style>%s%s", app_drawing_style(), STYLE);
    append_hint_rules(page->html);
    g_string_append(page->html, "</style></head><body>\n");
    append_element(page->html, "<h1>", title, "</h1>\n");
    return page;
}

void app_page_free(app_page *page)
{
    if (page != NULL) {
        g_string_free(page->html, TRUE);
        g_array_unref(page->widths);
        g_free(page);
    }
}

void app_page_heading(app_page *page, const char *text)
{
    append_element(page->html, "<h2>", text, "</h2>\n");
}

void app_page_paragraph(app_page *page, const char *text)
{
    append_element(page->html, "<p>", text, "</p>\n");
}

void app_page_finding(app_page *page, const char *text)
{
    append_element(page->html, "<p class=\"finding\">", text, "</p>\n");
}

void app_page_warning(app_page *page, const char *text)
{
    append_element(page->html, "<p class=\"warning\">", text, "</p>\n");
}

void app_page_list(app_page *page, const char *title, const char *const *items)
{
    if (*items == NULL) {
        return;
    }
    append_element(page->html, "<div class=\"remarks\"><b>", title, "</b><ul>\n");
    for (; *items != NULL; items++) {
        append_element(page->html, "<li>", *items, "</li>\n");
    }
    g_string_append(page->html, "</ul></div>\n");
}

void app_page_code(app_page *page, const char *text)
{
    append_element(page->html, "<pre>", text, "</pre>\n");
}

void app_page_command(app_page *page, const char *text)
{
    append_element(page->html, "<pre class=\"wrap\">", text, "</pre>\n");
}

void app_page_html(app_page *page, const char *html)
{
    g_string_append(page->html, html);
}

/* A number, a percentage, a time; also "<0.001", ">= 3", "x 23.2", and the "-" in place of one. */
static bool is_number(const char *cell)
{
    const size_t before = strspn(cell, "-<>=x ");
    return g_ascii_isdigit(cell[before]) || strcmp(cell, "-") == 0;
}

static void widen(app_page *page, guint column, const char *cell)
{
    if (column >= page->widths->len) {
        g_array_set_size(page->widths, column + 1);
    }
    size_t *width = &g_array_index(page->widths, size_t, column);
    *width = MAX(*width, (size_t)g_utf8_strlen(cell, -1));
}

void app_page_table_begin(app_page *page, const char *const *columns)
{
    g_array_set_size(page->widths, 0);
    page->table = page->html->len;
    g_string_append(page->html, "<table><thead><tr>");
    for (guint i = 0; columns[i] != NULL; i++) {
        append_element(page->html, "<th>", columns[i], "</th>");
        widen(page, i, columns[i]);
    }
    g_string_append(page->html, "</tr></thead><tbody>\n");
}

void app_page_table_row(app_page *page, const char *const *cells)
{
    g_string_append(page->html, "<tr>");
    for (guint i = 0; cells[i] != NULL; i++) {
        append_element(page->html, is_number(cells[i]) ? "<td class=\"n\">" : "<td>", cells[i],
                       "</td>");
        widen(page, i, cells[i]);
    }
    g_string_append(page->html, "</tr>\n");
}

/* Below which width of the page, in em, the table is told to go on to the right. */
static unsigned steps_of(const app_page *page)
{
    double em = 0; /* of the page's letters; those of the table are .85 as wide */
    for (guint i = 0; i < page->widths->len; i++) {
        em += 0.85 * (0.8 + 0.5 * (double)g_array_index(page->widths, size_t, i));
    }
    return MIN((unsigned)em / HINT_STEP * HINT_STEP, HINT_MOST);
}

void app_page_table_end(app_page *page)
{
    g_autofree char *begin = g_strdup_printf(
        "<div class=\"table\"><div class=\"scroll w%u\" tabindex=\"0\" role=\"region\" "
        "aria-label=\"table\">",
        steps_of(page));
    g_string_insert(page->html, (gssize)page->table, begin);
    g_string_append(page->html, "</tbody></table></div><p class=\"hint\" aria-hidden=\"true\">The "
                                "table goes on to the right: scroll it. \u2192</p></div>\n");
}

void app_page_terms(app_page *page, const app_term *terms, size_t n)
{
    g_string_append(page->html, "<dl>\n");
    for (size_t i = 0; i < n; i++) {
        append_element(page->html, "<dt>", terms[i].term, "</dt>");
        append_element(page->html, "<dd>", terms[i].means, "</dd>\n");
    }
    g_string_append(page->html, "</dl>\n");
}

void app_page_figure(app_page *page, const app_figure *figure, const char *drawn)
{
    g_string_append(page->html, "<figure>");
    if (drawn != NULL) {
        g_string_append(page->html, drawn);
    } else {
        g_string_append(page->html, "<p>(gnuplot was not found: the data and the script are "
                                    "beside this page.)</p>");
    }
    append_element(page->html, "<figcaption>", figure->caption, " Files: ");
    g_autofree char *name = g_markup_escape_text(figure->name, -1);
    if (drawn != NULL) {
        g_string_append_printf(page->html,
                               "<a href=\"%s.svg\">SVG</a>, <a href=\"%s-narrow.svg\">SVG for a "
                               "column</a>, ",
                               name, name);
    }
    g_string_append_printf(page->html,
                           "<a href=\"%s.csv\">CSV</a>, <a href=\"%s.gp\">gnuplot script</a>."
                           "</figcaption></figure>\n",
                           name, name);
}

bool app_page_write(const app_page *page, const char *path, GError **error)
{
    g_autoptr(sim_out_file) file = sim_out_file_open(path, error);
    if (file == NULL) {
        return false;
    }
    fputs(page->html->str, sim_out_file_stream(file));
    fputs("</body></html>\n", sim_out_file_stream(file));
    return sim_out_file_commit(g_steal_pointer(&file), error);
}
