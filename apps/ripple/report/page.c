/* apps/ripple/report/page.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_report. */
#include "report/page.h"

#include <string.h>

struct app_page {
    GString *html;
};

static const char *const STYLE =
    "body{font:16px/1.5 system-ui,sans-serif;color:#222;max-width:62em;margin:2em auto;"
    "padding:0 1em}"
    "h1{font-size:1.6em;border-bottom:2px solid #0072b2}h2{font-size:1.2em;margin-top:2em}"
    "table{border-collapse:collapse;margin:1em 0;font-size:.85em}"
    "th,td{padding:.25em .4em;border-bottom:1px solid #ddd;text-align:left;white-space:nowrap}"
    "th{border-bottom:2px solid #555}td.n{text-align:right;font-variant-numeric:tabular-nums}"
    ".scroll{overflow-x:auto}pre{background:#f4f4f4;padding:.6em;overflow-x:auto;font-size:.8em}"
    "pre.wrap{white-space:pre-wrap}"
    ".finding{background:#eef6fb;border-left:4px solid #0072b2;padding:.6em 1em}"
    ".warning{background:#fdecea;border-left:4px solid #d55e00;padding:.6em 1em;font-weight:bold}"
    ".remarks{background:#f7f7f7;border-left:4px solid #999;padding:.6em 1em;font-size:.9em}"
    ".remarks ul{margin:.3em 0;padding-left:1.2em}"
    "figure{margin:1.5em 0}figure img{max-width:100%;border:1px solid #ddd}"
    "figcaption{font-size:.9em;color:#555}";

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
    page->html = g_string_new("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                              "<meta name=\"viewport\" content=\"width=device-width\">");
    append_element(page->html, "<title>", title, "</title>");
    g_string_append_printf(page->html, "<style>%s</style></head><body>\n", STYLE);
    append_element(page->html, "<h1>", title, "</h1>\n");
    return page;
}

void app_page_free(app_page *page)
{
    if (page != NULL) {
        g_string_free(page->html, TRUE);
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

void app_page_table_begin(app_page *page, const char *const *columns)
{
    g_string_append(page->html, "<div class=\"scroll\"><table><thead><tr>");
    for (; *columns != NULL; columns++) {
        append_element(page->html, "<th>", *columns, "</th>");
    }
    g_string_append(page->html, "</tr></thead><tbody>\n");
}

void app_page_table_row(app_page *page, const char *const *cells)
{
    g_string_append(page->html, "<tr>");
    for (; *cells != NULL; cells++) {
        const bool number = g_ascii_isdigit(**cells) || (**cells == '-' && (*cells)[1] != '\0');
        append_element(page->html, number ? "<td class=\"n\">" : "<td>", *cells, "</td>");
    }
    g_string_append(page->html, "</tr>\n");
}

void app_page_table_end(app_page *page)
{
    g_string_append(page->html, "</tbody></table></div>\n");
}

void app_page_figure(app_page *page, const app_figure *figure, const char *svg)
{
    g_string_append(page->html, "<figure>");
    if (svg != NULL) {
        /* As a data URI the drawing keeps its ids to itself: several figures do not clash. */
        g_autofree char *data = g_base64_encode((const guchar *)svg, strlen(svg));
        g_string_append(page->html, "<img src=\"data:image/svg+xml;base64,");
        g_string_append(page->html, data);
        append_element(page->html, "\" alt=\"", figure->title, "\">");
    } else {
        g_string_append(page->html, "<p>(gnuplot was not found: the data and the script are "
                                    "beside this page.)</p>");
    }
    append_element(page->html, "<figcaption>", figure->caption, " Files: ");
    g_autofree char *name = g_markup_escape_text(figure->name, -1);
    g_string_append_printf(page->html,
                           "<a href=\"%s.svg\">SVG</a>, <a href=\"%s.csv\">CSV</a>, "
                           "<a href=\"%s.gp\">gnuplot script</a>.</figcaption></figure>\n",
                           name, name, name);
}

bool app_page_write(const app_page *page, const char *path, GError **error)
{
    g_autofree char *whole = g_strconcat(page->html->str, "</body></html>\n", NULL);
    return g_file_set_contents(path, whole, -1, error);
}
