/* tests/apps/pages/test_interactive_page.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* What makes a page interactive: D3, data and scripts inside it. */
#include "check.h"
#include "folder.h"
#include "pages/interactive_page.h"
#include "pages/page_source.h"

static void put_d3(const char *folder, const char *text)
{
    g_autofree char *dist = g_build_filename(folder, "nodejs", "d3", "dist", NULL);
    g_autofree char *path = g_build_filename(dist, "d3.min.js", NULL);
    g_mkdir_with_parents(dist, 0777);
    CHECK(g_file_set_contents(path, text, -1, NULL));
}

static void d3_is_taken_from_the_first_folder_that_has_it(void)
{
    g_autofree char *base = g_dir_make_tmp("ripple-pages-XXXXXX", NULL);
    g_autofree char *empty = g_build_filename(base, "empty", NULL);
    g_autofree char *broken = g_build_filename(base, "broken", NULL);
    g_autofree char *good = g_build_filename(base, "good", NULL);
    put_d3(broken, "var a = '</script>'");
    put_d3(good, "var d3 = 1");
    const char *const all[] = {empty, broken, good, NULL};
    const char *const none[] = {empty, broken, NULL};
    g_autofree char *found = app_d3_read(all);
    g_autofree char *nothing = app_d3_read(none);
    g_autofree char *path = app_d3_find(all);
    CHECK_STR(found, "var d3 = 1");
    CHECK(path != NULL && g_str_has_prefix(path, good), "%s", path);
    CHECK_STR(nothing, NULL);
    folder_remove(base);
}

static size_t count(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at += strlen(what)) {
        n++;
    }
    return n;
}

static void data_cannot_end_the_script_that_they_are_in(void)
{
    static const char *const SCRIPTS[] = {"units.js", NULL};
    g_autofree char *base = g_dir_make_tmp("ripple-pages-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(base, "page.html", NULL);
    g_autoptr(JsonNode) data = json_from_string("{\"a\":\"</script><b>\"}", NULL);
    g_autoptr(app_page) page = app_page_new("</script> & <b>");
    app_interactive_page_begin(page);
    app_interactive_page_end(page, "var d3 = 1;", data, SCRIPTS);
    CHECK(app_page_write(page, path, NULL));
    g_autofree char *html = NULL;
    CHECK(g_file_get_contents(path, &html, NULL, NULL));
    CHECK_I64(count(html, "<script"), 3);
    CHECK_I64(count(html, "</script"), 3);
    CHECK(strstr(html, "{\"a\":\"\\u003c/script>\\u003cb>\"}") != NULL, "%s", html);
    folder_remove(base);
}

/* As part of a page they must not end their element, nor load anything from elsewhere. */
static void our_own_files_stand_alone(void)
{
    size_t scripts = 0;
    for (const app_page_source *s = app_page_sources; s->name != NULL; s++) {
        CHECK(strstr(s->text, "</script") == NULL && strstr(s->text, "</style") == NULL, "%s",
              s->name);
        CHECK(strstr(s->text, "http:") == NULL && strstr(s->text, "https:") == NULL, "%s", s->name);
        CHECK(strstr(s->text, "src=") == NULL && strstr(s->text, "import") == NULL, "%s", s->name);
        scripts += g_str_has_suffix(s->name, ".js");
    }
    CHECK(scripts >= 8, "%zu", scripts);
    CHECK(strstr(app_page_source_text("units.js"), "const ripple = {}") != NULL);
}

SUITE_MAIN("interactive_page", TEST(d3_is_taken_from_the_first_folder_that_has_it),
           TEST(data_cannot_end_the_script_that_they_are_in), TEST(our_own_files_stand_alone))
