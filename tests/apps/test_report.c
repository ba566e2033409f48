/* tests/apps/test_report.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "report/page.h"

#include <glib/gstdio.h>

static const app_figure FIGURE = {
    .name = "two-points",
    .title = "Two points",
    .caption = "A line & its <ends>.",
    .csv = "x,y\n1,2\n2,4\n",
    .script = "set xlabel 'x'\nplot data using 1:2 skip 1 with linespoints title 'y'\n",
};

static char *scratch_folder(void)
{
    return g_dir_make_tmp("ripple-report-XXXXXX", NULL);
}

static void remove_folder(const char *folder)
{
    static const char *const names[] = {"two-points.csv", "two-points.gp", "two-points.svg",
                                        "report.html"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = g_build_filename(folder, names[i], NULL);
        (void)g_remove(path);
    }
    (void)g_rmdir(folder);
}

static void a_figure_is_data_script_and_drawing(void)
{
    g_autofree char *folder = scratch_folder();
    g_autofree char *svg = NULL;
    g_autoptr(GError) error = NULL;
    CHECK(app_figure_write(&FIGURE, folder, &svg, &error), "%s",
          error != NULL ? error->message : "");
    g_autofree char *csv_path = g_build_filename(folder, "two-points.csv", NULL);
    g_autofree char *csv = NULL;
    CHECK(g_file_get_contents(csv_path, &csv, NULL, NULL));
    CHECK_STR(csv, FIGURE.csv);
    if (app_figure_can_draw()) {
        CHECK(svg != NULL && strstr(svg, "<svg") != NULL && strstr(svg, "Two points") != NULL);
    } else {
        CHECK(svg == NULL);
    }
    remove_folder(folder);
}

static void a_script_gnuplot_refuses_is_an_error(void)
{
    if (!app_figure_can_draw()) {
        SKIP_TEST("gnuplot is not installed");
    }
    g_autofree char *folder = scratch_folder();
    g_autofree char *svg = NULL;
    g_autoptr(GError) error = NULL;
    app_figure bad = FIGURE;
    bad.script = "plat data\n";
    CHECK(!app_figure_write(&bad, folder, &svg, &error));
    CHECK_ERROR(error, "gnuplot two-points.gp");
    CHECK(svg == NULL);
    remove_folder(folder);
}

static void a_page_stands_alone_and_escapes_text(void)
{
    g_autofree char *folder = scratch_folder();
    g_autofree char *path = g_build_filename(folder, "report.html", NULL);
    g_autoptr(app_page) page = app_page_new("Noise & <waves>");
    app_page_finding(page, "5 < 6");
    static const char *const columns[] = {"ranks", "what", NULL};
    static const char *const cells[] = {"64", "a<b", NULL};
    app_page_table_begin(page, columns);
    app_page_table_row(page, cells);
    app_page_table_end(page);
    app_page_figure(page, &FIGURE, "<svg></svg>");
    g_autoptr(GError) error = NULL;
    CHECK(app_page_write(page, path, &error));
    g_autofree char *html = NULL;
    CHECK(g_file_get_contents(path, &html, NULL, NULL));
    CHECK(strstr(html, "Noise &amp; &lt;waves&gt;") != NULL);
    CHECK(strstr(html, "<td class=\"n\">64</td><td>a&lt;b</td>") != NULL);
    CHECK(strstr(html, "data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=") != NULL); /* base64(1) */
    CHECK(strstr(html, "http") == NULL, "nothing is loaded from elsewhere");
    remove_folder(folder);
}

SUITE_MAIN("report", TEST(a_figure_is_data_script_and_drawing),
           TEST(a_script_gnuplot_refuses_is_an_error), TEST(a_page_stands_alone_and_escapes_text))
