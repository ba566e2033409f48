/* apps/ripple/pages/interactive_page.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "pages/interactive_page.h"

#include "pages/page_source.h"

#include <string.h>

/* Finds it, and gives its path or its text. */
static char *look_for_d3(const char *const *folders, bool want_text)
{
    if (folders == NULL) {
        folders = g_get_system_data_dirs();
    }
    for (; *folders != NULL; folders++) {
        g_autofree char *path =
            g_build_filename(*folders, "nodejs", "d3", "dist", "d3.min.js", NULL);
        g_autofree char *text = NULL;
        /* What would end the script early is no D3. */
        if (g_file_get_contents(path, &text, NULL, NULL) && strstr(text, "</script") == NULL) {
            return want_text ? g_steal_pointer(&text) : g_steal_pointer(&path);
        }
    }
    return NULL;
}

char *app_d3_find(const char *const *folders)
{
    return look_for_d3(folders, false);
}

char *app_d3_read(const char *const *folders)
{
    return look_for_d3(folders, true);
}

void app_interactive_page_begin(app_page *page)
{
    g_autofree char *style =
        g_strdup_printf("<style>\n%s</style>\n", app_page_source_text("interactive.css"));
    app_page_html(page, style);
}

void app_interactive_page_markup(app_page *page, const char *name)
{
    app_page_html(page, app_page_source_text(name));
}

/* Inside a script element, "<" could begin a tag that ends it; within the strings of JSON, the
 * only place for it, it may be written as a number. */
static char *json_for_page(JsonNode *data)
{
    g_autofree char *text = json_to_string(data, FALSE);
    g_auto(GStrv) parts = g_strsplit(text, "<", -1);
    return g_strjoinv("\\u003c", parts);
}

void app_interactive_page_end(app_page *page, const char *d3, JsonNode *data,
                              const char *const *scripts)
{
    g_autofree char *json = json_for_page(data);
    app_page_html(page, "<script type=\"application/json\" id=\"data\">");
    app_page_html(page, json);
    app_page_html(page, "</script>\n<script>\n");
    app_page_html(page, d3);
    app_page_html(page, "\n</script>\n<script>\n");
    for (; *scripts != NULL; scripts++) {
        app_page_html(page, app_page_source_text(*scripts));
    }
    app_page_html(page, "</script>\n");
}

void app_interactive_page_static(app_page *page)
{
    app_page_paragraph(page, "This page is without its interactive drawing: D3 (Debian package "
                             "node-d3, nodejs/d3/dist/d3.min.js) was not found below the folders "
                             "of XDG_DATA_DIRS when the page was written. Drawings that do not "
                             "move, and all tables, are here.");
}

void app_interactive_page_fold(app_page *page, const char *summary)
{
    g_autofree char *escaped = g_markup_escape_text(summary, -1);
    g_autofree char *html = g_strdup_printf("<details><summary>%s</summary>\n", escaped);
    app_page_html(page, html);
}

void app_interactive_page_unfold(app_page *page)
{
    app_page_html(page, "</details>\n");
}
