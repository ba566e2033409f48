/* tests/apps/report/test_drawing_html.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* What a figure looks like: names, ticks, tooltips, and how a page takes it over. */
#include "drawing_html.h"
#include "drawn_chart.h"
#include "report/bars.h"
#include "report/box_plot.h"
#include "report/page.h"

#include <glib/gstdio.h>
#include <math.h>

/* A sweep of equal ratios, the smallest slowdown below 0. */
static void axes_have_round_ticks_where_values_are_not_round(void)
{
    static const app_curve_point points[] = {{.x = 500, .y = -2, .low = -2, .high = -2},
                                             {.x = 1112.3, .y = 0, .low = 0, .high = 0},
                                             {.x = 300000, .y = 9e3, .low = 9e3, .high = 9e3}};
    static const app_curve curves[] = {{"one", points, 3}};
    const app_curves figure = {.name = "curves",
                               .title = "t",
                               .caption = "c",
                               .x = {"L", APP_UNIT_TIME, APP_SCALE_LOG},
                               .y = {"slowdown", APP_UNIT_PERCENT, APP_SCALE_LOG},
                               .series_name = "noise",
                               .curves = curves,
                               .num_curves = 1};
    g_autoptr(app_chart) chart = app_curves_new(&figure);
    const char *const scripts[] = {chart->wide, chart->narrow};
    for (size_t i = 0; i < G_N_ELEMENTS(scripts); i++) {
        CHECK(strstr(scripts[i], "'1us' 3, ") != NULL, "%s", scripts[i]);
        CHECK(strstr(scripts[i], "'100us' 5") != NULL, "%s", scripts[i]);
        CHECK(strstr(scripts[i], "1.112us") == NULL, "%s", scripts[i]);
    }
    g_autofree char *svg = draw(chart);
}

/* In the drawing they are short; caption and CSV have the whole ones. */
static void long_names_are_short_in_the_drawing(void)
{
    static const char *const NAMES[] = {"fixed:21.34ms:5.7ms+poisson:500us:2us",
                                        "fixed:21.34ms:5.7ms+poisson:900us:2us", "jaguar"};
    app_box_group groups[G_N_ELEMENTS(NAMES)];
    app_box_sample samples[G_N_ELEMENTS(NAMES)];
    static const char *const series[] = {"under noise"};
    for (size_t i = 0; i < G_N_ELEMENTS(NAMES); i++) {
        groups[i] = (app_box_group){NAMES[i], NAN, NULL};
        samples[i] = (app_box_sample){i, 0, 3, 1, 2, 3, 4, 5, NULL, 0};
    }
    const app_box_plot plot = {.name = "boxes",
                               .title = "t",
                               .caption = "Boxes.",
                               .group_name = "noise",
                               .series_name = "noise",
                               .y = {"makespan", APP_UNIT_TIME, APP_SCALE_AUTO},
                               .reference_name = "no noise",
                               .groups = groups,
                               .num_groups = G_N_ELEMENTS(NAMES),
                               .series = series,
                               .num_series = 1,
                               .samples = samples,
                               .num_samples = G_N_ELEMENTS(NAMES)};
    g_autoptr(app_chart) chart = app_box_plot_new(&plot);
    CHECK_STR(chart->caption, "Boxes. 'fixed:21.34ms…1' is fixed:21.34ms:5.7ms+poisson:500us:2us. "
                              "'fixed:21.34ms…2' is fixed:21.34ms:5.7ms+poisson:900us:2us.");
    CHECK(strstr(chart->narrow, "'fixed:21.34ms…1' 1") != NULL, "%s", chart->narrow);
    CHECK(strstr(chart->csv, NAMES[1]) != NULL);
    CHECK(chart->figure.narrow.height < 450, "%d px", chart->figure.narrow.height);
    g_autofree char *svg = draw(chart);
}

/* A band takes two points, and of many curves they drown each other: then there are bars. */
static void intervals_are_bars_where_bands_would_not_do(void)
{
    static const app_curve_point points[] = {{.x = 1, .y = 5, .low = 4, .high = 6},
                                             {.x = 2, .y = 5, .low = 4, .high = 6}};
    static const app_curve curves[] = {
        {"a", points, 2}, {"b", points, 2}, {"c", points, 2}, {"d", points, 1}};
    static const struct {
        size_t from;
        size_t num;
        bool bars;
    } row[] = {{0, 1, false}, {0, 2, false}, {0, 3, true}, {3, 1, true}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        app_curves figure =
            slowdown_over((app_axis){"S", APP_UNIT_BYTES, 0}, curves + row[i].from, row[i].num);
        figure.band_name = "95 % interval";
        g_autoptr(app_chart) chart = app_curves_new(&figure);
        const char *note = row[i].bars ? "'slowdown, %; bars: 95 % interval'"
                                       : "'slowdown, %; band: 95 % interval'";
        CHECK(strstr(chart->wide, note) != NULL, "row %zu: %s", i, chart->wide);
        CHECK(strstr(chart->wide, "'S, bytes'") != NULL, "row %zu", i);
        CHECK_I64(strstr(chart->wide, "yerrorbars") != NULL, row[i].bars, "row %zu", i);
        CHECK_I64(strstr(chart->wide, "filledcurves") == NULL, row[i].bars, "row %zu", i);
        g_autofree char *svg = draw(chart);
    }
}

/* Names at the ends of lines keep apart, in the order of the ends. */
static void names_at_the_ends_of_lines_do_not_touch(void)
{
    enum { N = 5 };
    app_curve_point points[N][2];
    app_curve curves[N];
    static const char *const NAMES[N] = {"a", "b", "c", "d", "e"};
    for (size_t i = 0; i < N; i++) {
        points[i][0] = (app_curve_point){.x = 1};
        points[i][1] = (app_curve_point){.x = 2, .y = 100 + (double)i / 10};
        curves[i] = (app_curve){NAMES[i], points[i], 2};
    }
    const app_curves figure = slowdown_over((app_axis){"ranks", APP_UNIT_COUNT, 0}, curves, N);
    g_autoptr(app_chart) chart = app_curves_new(&figure);
    double below = INFINITY;
    for (size_t i = 0; i < N; i++) { /* from the lowest up; 1 is the upper end of the drawing */
        g_autofree char *label = g_strdup_printf("set label '%s' at screen ", NAMES[i]);
        const char *at = strstr(chart->wide, label);
        const char *y = at != NULL ? strstr(at + strlen(label), "screen ") : NULL;
        const double px = y != NULL ? (1 - g_ascii_strtod(y + strlen("screen "), NULL)) *
                                          chart->figure.wide.height
                                    : NAN;
        CHECK(px <= below - 15.9, "%s: %g, after %g px", NAMES[i], px, below);
        CHECK(px > 0 && px < chart->figure.wide.height, "%g px", px);
        below = px;
    }
}

static void bars_have_parts_and_leave_out_what_is_nothing(void)
{
    static const app_bar_group groups[] = {{"64", "64"}, {"1Ki", "1024"}};
    static const app_bar_series series[] = {{"ideal", 'i'}, {"unsynchronized", 'u'}};
    static const char *const parts[] = {"compute", "never", "L"};
    static const double values[][3] = {{10, 0, 1.5}, {10, 0, 2.5}, {12, 0, 8}};
    static const app_bar bars[] = {{0, 0, values[0]}, {0, 1, values[1]}, {1, 1, values[2]}};
    const app_bars figure = {.name = "bars",
                             .title = "t",
                             .caption = "c",
                             .group_name = "ranks",
                             .series_name = "noise",
                             .y = {"time", APP_UNIT_TIME, 0},
                             .groups = groups,
                             .num_groups = 2,
                             .series = series,
                             .num_series = 2,
                             .parts = parts,
                             .num_parts = 3,
                             .bars = bars,
                             .num_bars = 3};
    g_autoptr(app_chart) chart = app_bars_new(&figure);
    CHECK_STR(chart->csv, "ranks,noise,at,compute_ns,never_ns,L_ns\n64,ideal,0.79,10,0,1.5\n"
                          "64,unsynchronized,1.21,10,0,2.5\n1024,unsynchronized,2.21,12,0,8\n");
    CHECK(strstr(chart->wide, "'compute'") != NULL && strstr(chart->wide, "'never'") == NULL);
    g_autofree char *svg = draw(chart);
    CHECK(svg == NULL || strstr(svg, "<title>ranks 1Ki, unsynchronized: L 8 ns</title>") != NULL);
}

/* Tooltips are there without gnuplot's JavaScript; ids and colours are fit for a page. */
static void a_drawing_is_taken_over_to_the_page(void)
{
    static const app_curve_point points[] = {{.x = 64, .y = 1.5, .low = 1, .high = 2},
                                             {.x = 1024, .y = 7}};
    static const app_curve curves[] = {{AWKWARD " <&", points, 2}};
    const app_curves figure = slowdown_over((app_axis){"ranks", APP_UNIT_COUNT, 0}, curves, 1);
    g_autoptr(app_chart) chart = app_curves_new(&figure);
    g_autofree char *html = draw(chart);
    if (html == NULL) {
        SKIP_TEST("gnuplot is not installed");
    }
    static const char *const WANTED[] = {" &lt;&amp;, ranks 64: slowdown 1.5 % (1 .. 2 %)</title>",
                                         "ranks 1Ki: slowdown 7 %",
                                         "id=\"curves-gnuplot_canvas\"",
                                         "id=\"curves-narrow-gnuplot_canvas\"",
                                         "href='#curves-gpPt6'",
                                         "stroke='var(--c1)'",
                                         "fill=\"var(--ink)\""};
    for (size_t i = 0; i < G_N_ELEMENTS(WANTED); i++) {
        CHECK(strstr(html, WANTED[i]) != NULL, "%s", WANTED[i]);
    }
    static const char *const UNWANTED[] = {"gnuplot_svg", "onmouse",     "<script", "http",
                                           "rgb(",        "<title>data", "'black'"};
    for (size_t i = 0; i < G_N_ELEMENTS(UNWANTED); i++) {
        CHECK(strstr(html, UNWANTED[i]) == NULL, "%s", UNWANTED[i]);
    }
}

/* By hand: a group that is like the one before, also after an empty line, goes on; others, those
 * around them and those with a tooltip stay. */
static void groups_that_are_alike_become_one(void)
{
    static const char SVG[] = "<svg viewBox=\"0 0 1 1\">\n<g id=\"gnuplot_canvas\">\n"
                              "<g a=\"1\">\n<use x='1'/>\n</g>\n\n<g a=\"1\">\n<use x='2'/>\n</g>\n"
                              "<g a=\"2\">\n\t<g><title>t</title>\n\t<use x='3'/></g>\n</g>\n"
                              "<g a=\"2\">\n<use x='4'/>\n</g>\n</g>\n</svg>\n";
    g_autofree char *html = app_drawing_html(SVG, "f", "title");
    static const char WANTED[] = "<svg role=\"img\" aria-label=\"title\" viewBox=\"0 0 1 1\">"
                                 "<g id=\"f-gnuplot_canvas\">\n"
                                 "<g a=\"1\">\n<use x='1'/>\n<use x='2'/>\n</g>\n"
                                 "<g a=\"2\">\n\t<g><title>t</title>\n\t<use x='3'/></g>\n"
                                 "<use x='4'/>\n</g>\n</g>\n</svg>\n";
    CHECK(strcmp(html, WANTED) == 0, "%s", html);
}

static void a_wide_table_says_that_it_goes_on(void)
{
    g_autofree char *folder = scratch_folder();
    g_autofree char *path = g_build_filename(folder, "report.html", NULL);
    g_autoptr(app_page) page = app_page_new("t");
    static const char *const columns[] = {"a", "b", "c", NULL};
    static const char *const cells[] = {"<0.001", "x 23.2",
                                        "this is a cell of forty letters, or so..", NULL};
    app_page_table_begin(page, columns);
    app_page_table_row(page, cells);
    app_page_table_end(page);
    CHECK(app_page_write(page, path, NULL));
    g_autofree char *html = NULL;
    CHECK(g_file_get_contents(path, &html, NULL, NULL));
    /* 0.85 (3 * 0.8 + (6 + 6 + 40) / 2) is 24 em. */
    CHECK(strstr(html, "class=\"scroll w24\"") != NULL, "%s", strstr(html, "class=\"scroll"));
    CHECK(strstr(html, "The table goes on to the right") != NULL);
    CHECK(strstr(html, "<td class=\"n\">&lt;0.001</td><td class=\"n\">x 23.2</td><td>this") !=
          NULL);
    folder_remove(folder);
}

SUITE_MAIN("drawing", TEST(axes_have_round_ticks_where_values_are_not_round),
           TEST(long_names_are_short_in_the_drawing),
           TEST(intervals_are_bars_where_bands_would_not_do),
           TEST(names_at_the_ends_of_lines_do_not_touch),
           TEST(bars_have_parts_and_leave_out_what_is_nothing),
           TEST(a_drawing_is_taken_over_to_the_page), TEST(groups_that_are_alike_become_one),
           TEST(a_wide_table_says_that_it_goes_on))
