/* tests/apps/report/test_report.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "drawn_chart.h"

#include "report/box_plot.h"
#include "report/heat_map.h"
#include "report/page.h"

#include <glib/gstdio.h>
#include <math.h>
#include <unistd.h>

static char SCRIPT[] = "set title 'Two points'\nset xlabel 'x'\n"
                       "plot data using 1:2 skip 1 with linespoints title 'y'\n";
static char BAD_SCRIPT[] = "plat data\n";

static const app_figure FIGURE = {
    .name = "two-points",
    .title = "Two points",
    .caption = "A line & its <ends>.",
    .csv = "x,y\n1,2\n2,4\n",
    .wide = {760, 440, SCRIPT},
    .narrow = {360, 360, SCRIPT},
};

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
        CHECK(svg != NULL && strstr(svg, "<div class=\"wide\"><svg") != NULL &&
              strstr(svg, "<div class=\"narrow\"><svg") != NULL &&
              strstr(svg, "Two points") != NULL);
        static const char *const DRAWN[] = {"two-points.svg", "two-points-narrow.svg"};
        for (size_t i = 0; i < G_N_ELEMENTS(DRAWN); i++) {
            g_autofree char *path = g_build_filename(folder, DRAWN[i], NULL);
            CHECK(g_file_test(path, G_FILE_TEST_EXISTS), "%s", DRAWN[i]);
        }
    } else {
        CHECK(svg == NULL);
    }
    folder_remove(folder);
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
    bad.narrow.script = BAD_SCRIPT;
    CHECK(!app_figure_write(&bad, folder, &svg, &error));
    CHECK_ERROR(error, "gnuplot two-points.gp");
    CHECK(svg == NULL);
    folder_remove(folder);
}

static void a_page_stands_alone_and_escapes_text(void)
{
    g_autofree char *folder = scratch_folder();
    g_autofree char *path = g_build_filename(folder, "report.html", NULL);
    g_autoptr(app_page) page = app_page_new("Noise & <waves>");
    app_page_finding(page, "5 < 6");
    static const char *const columns[] = {"ranks", "what", "at least", NULL};
    static const char *const cells[] = {"64", "a<b", ">= 3", NULL};
    app_page_table_begin(page, columns);
    app_page_table_row(page, cells);
    app_page_table_end(page);
    app_page_figure(page, &FIGURE, "<svg></svg>");
    g_autoptr(GError) error = NULL;
    CHECK(app_page_write(page, path, &error));
    g_autofree char *html = NULL;
    CHECK(g_file_get_contents(path, &html, NULL, NULL));
    CHECK(strstr(html, "Noise &amp; &lt;waves&gt;") != NULL);
    CHECK(strstr(html, "<td class=\"n\">64</td><td>a&lt;b</td><td class=\"n\">&gt;= 3</td>") !=
          NULL); /* numbers to the right, bounds, too */
    CHECK(strstr(html, "<figure><svg></svg><figcaption>") != NULL);
    CHECK(strstr(html, "prefers-color-scheme:dark") != NULL);
    CHECK(strstr(html, "http") == NULL, "nothing is loaded from elsewhere");
    folder_remove(folder);
}

static void a_box_plot_has_quartiles_whiskers_outliers_and_a_line(void)
{
    static const double outlier[] = {100};
    static const app_box_group groups[] = {{"64", 0.5, "64"}, {"1Ki", NAN, "1024"}};
    static const char *const series[] = {"plain", AWKWARD};
    static const app_box_sample samples[] = {
        {0, 0, 12, 1, 3.75, 6.5, 9.25, 11, outlier, 1},
        {1, 1, 3, 4, 4, 4, 4, 4, NULL, 0},
    };
    const app_box_plot plot = {.name = "boxes",
                               .title = AWKWARD,
                               .caption = "",
                               .group_name = "ranks",
                               .series_name = "noise",
                               .y = {"makespan", APP_UNIT_TIME, APP_SCALE_AUTO},
                               .reference_name = "no noise",
                               .groups = groups,
                               .num_groups = 2,
                               .series = series,
                               .num_series = 2,
                               .samples = samples,
                               .num_samples = 2};
    g_autoptr(app_chart) chart = app_box_plot_new(&plot);
    CHECK_STR(chart->csv,
              "ranks,noise,at,n,whisker_low_makespan_ns,quartile1_makespan_ns,median_makespan_ns,"
              "quartile3_makespan_ns,whisker_high_makespan_ns,outlier_makespan_ns,"
              "reference_makespan_ns\n"
              "64,plain,0.8,12,1,3.75,6.5,9.25,11,,\n"
              "64,plain,0.8,,,,,,,100,\n"
              "1024,\"it's 5 %, \"\"a_b^c\"\"\",2.2,3,4,4,4,4,4,,\n"
              "64,no noise,1,,,,,,,,0.5\n");
    g_autofree char *svg = draw(chart);
    CHECK(svg == NULL || (strstr(svg, "it's 5 %") != NULL && strstr(svg, "1Ki") != NULL));
}

static void curves_have_bands_and_any_x(void)
{
    /* 0 on an axis of ratios, values from 0 to 10,000 %. */
    static const app_curve_point low[] = {{.x = 0},
                                          {.x = 10, .y = 1, .low = 0.5, .high = 2},
                                          {.x = 1000, .y = 3, .low = 2, .high = 4}};
    static const app_curve_point high[] = {{.x = 0},
                                           {.x = 1000, .y = 1e4, .low = 9e3, .high = 1.1e4}};
    static const app_curve curves[] = {
        {"low", low, 3},
        {AWKWARD, high, 2},
        {"empty", NULL, 0},
    };
    const app_curves figure =
        slowdown_over((app_axis){"sigma", APP_UNIT_TIME, APP_SCALE_AUTO}, curves, 3);
    g_autoptr(app_chart) chart = app_curves_new(&figure);
    CHECK_STR(chart->csv, "sigma_ns,noise,slowdown_percent,low_slowdown_percent,"
                          "high_slowdown_percent\n0,low,0,0,0\n10,low,1,0.5,2\n1000,low,3,2,4\n"
                          "0,\"it's 5 %, \"\"a_b^c\"\"\",0,0,0\n"
                          "1000,\"it's 5 %, \"\"a_b^c\"\"\",10000,9000,11000\n");
    CHECK(strstr(chart->wide, "'1us'") != NULL, "%s", chart->wide);
    CHECK(strstr(chart->wide, "fy(v) = asinh(v / ") != NULL, "%s", chart->wide);
    g_autofree char *svg = draw(chart);
    CHECK(svg == NULL || strstr(svg, "10ns") != NULL);
}

static void points_that_stand_on_too_little_are_hollow(void)
{
    static const app_curve_point points[] = {
        {.x = 4, .y = 0, .high = 3, .hollow = true, .remark = "few met, range"},
        {.x = 8, .y = 5, .low = 4, .high = 6}};
    static const app_curve curves[] = {{"one", points, 2}, {"solid", points + 1, 1}};
    app_curves figure = slowdown_over((app_axis){"ranks", APP_UNIT_COUNT, 0}, curves, 2);
    figure.band_name = "95 % interval";
    figure.hollow_name = "few 'detours'";
    g_autoptr(app_chart) chart = app_curves_new(&figure);
    CHECK_STR(chart->csv, "ranks,noise,slowdown_percent,low_slowdown_percent,"
                          "high_slowdown_percent,hollow,remark\n"
                          "4,one,0,0,3,1,\"few met, range\"\n8,one,5,4,6,0,\"\"\n"
                          "8,solid,5,4,6,0,\"\"\n");
    g_autofree char *svg = draw(chart);
    if (app_figure_can_draw()) {
        CHECK(svg != NULL && strstr(svg, "95 % interval") != NULL);
        CHECK(svg != NULL && strstr(svg, "few 'detours'") != NULL);
    }
    /* Neither is in the legend where there is nothing of the kind. */
    app_curves solid = slowdown_over((app_axis){"ranks", APP_UNIT_COUNT, 0}, curves + 1, 1);
    solid.hollow_name = "few 'detours'";
    g_autoptr(app_chart) plain = app_curves_new(&solid);
    g_autofree char *plain_svg = draw(plain);
    CHECK(plain_svg == NULL || strstr(plain_svg, "few") == NULL);
}

static void a_heat_map_leaves_fields_without_a_value_out(void)
{
    static const double xs[] = {64, 1024};
    static const double ys[] = {1000, 2500};
    static const double zs[] = {0, 12, NAN, 345};
    const app_heat_map map = {.name = "heat",
                              .title = "Heat",
                              .caption = "",
                              .x = {"ranks", APP_UNIT_COUNT, APP_SCALE_AUTO},
                              .y = {"L", APP_UNIT_TIME, APP_SCALE_AUTO},
                              .z = {"slowdown", APP_UNIT_PERCENT, APP_SCALE_AUTO},
                              .xs = xs,
                              .num_x = 2,
                              .ys = ys,
                              .num_y = 2,
                              .zs = zs};
    g_autoptr(app_chart) chart = app_heat_map_new(&map);
    CHECK_STR(chart->csv, "ranks,L_ns,slowdown_percent,column,row\n64,1000,0,1,1\n"
                          "1024,1000,12,2,1\n1024,2500,345,2,2\n");
    g_autofree char *svg = draw(chart);
    CHECK(svg == NULL || (strstr(svg, "2.5us") != NULL && strstr(svg, "1Ki") != NULL &&
                          strstr(svg, "345") != NULL));
}

static void fields_of_a_heat_map_have_stars(void)
{
    enum { MANY = 20, ALL = MANY * MANY };
    double xs[MANY];
    double zs[ALL];
    bool marked[ALL];
    for (size_t i = 0; i < ALL; i++) {
        xs[i % MANY] = (double)(i % MANY) + 1;
        zs[i] = 99.7;
        marked[i] = i == 1;
    }
    app_heat_map map = {.name = "heat",
                        .title = "Heat",
                        .caption = "",
                        .x = {"ranks", APP_UNIT_COUNT, APP_SCALE_AUTO},
                        .y = {"replicas", APP_UNIT_COUNT, APP_SCALE_AUTO},
                        .z = {"slowdown", APP_UNIT_PERCENT, APP_SCALE_AUTO},
                        .xs = xs,
                        .num_x = 2,
                        .ys = xs,
                        .num_y = 1,
                        .zs = zs,
                        .marked = marked};
    g_autoptr(app_chart) few = app_heat_map_new(&map);
    CHECK_STR(few->csv, "ranks,replicas,slowdown_percent,column,row,marked\n"
                        "1,1,99.7,1,1,0\n2,1,99.7,2,1,1\n");
    g_autofree char *svg = draw(few);
    CHECK(svg == NULL || (strstr(svg, ">100<") != NULL && strstr(svg, ">100*<") != NULL), "%s",
          svg);
    /* Too many for numbers: the stars are drawn, one more mark than without. */
    map.num_x = map.num_y = MANY;
    g_autoptr(app_chart) many = app_heat_map_new(&map);
    g_autofree char *with = draw(many);
    map.marked = NULL;
    g_autoptr(app_chart) none = app_heat_map_new(&map);
    g_autofree char *without = draw(none);
    CHECK(with == NULL || (strstr(with, "href='#heat-gpPt2' transform") != NULL &&
                           strstr(without, "href='#heat-gpPt2' transform") == NULL));
}

/* How many ticks a script puts on its horizontal axis. */
static size_t ticks_of(const char *script)
{
    const char *line = strstr(script, "set xtics");
    g_autofree char *ticks = line != NULL ? g_strndup(line, strcspn(line, "\n")) : g_strdup("");
    g_auto(GStrv) parts = g_strsplit(ticks, ", ", -1);
    return g_strv_length(parts);
}

/* 20 groups: numbers stay upright, words are turned, and neither lie on each other. */
static void labels_of_boxes_do_not_touch(void)
{
    enum { MANY = 20 };
    static const char *const series[] = {"one"};
    app_box_group groups[MANY];
    app_box_sample samples[MANY];
    for (size_t i = 0; i < MANY; i++) {
        groups[i] = (app_box_group){"128Ki", NAN, "131072"};
        samples[i] = (app_box_sample){i, 0, 1, 1, 1, 1, 1, 1, NULL, 0};
    }
    app_box_plot plot = {.name = "boxes",
                         .title = "",
                         .caption = "",
                         .group_name = "ranks",
                         .series_name = "noise",
                         .y = {"time", APP_UNIT_TIME, APP_SCALE_AUTO},
                         .groups = groups,
                         .num_groups = MANY,
                         .series = series,
                         .num_series = 1,
                         .samples = samples,
                         .num_samples = MANY};
    g_autoptr(app_chart) numbers = app_box_plot_new(&plot);
    CHECK(strstr(numbers->narrow, "rotate") == NULL && strstr(numbers->wide, "rotate") == NULL);
    CHECK_I64((int64_t)ticks_of(numbers->wide), 10);
    CHECK_I64((int64_t)ticks_of(numbers->narrow), 5);
    for (size_t i = 0; i < MANY; i++) {
        groups[i].number = NULL;
    }
    g_autoptr(app_chart) words = app_box_plot_new(&plot);
    CHECK(strstr(words->narrow, "rotate") != NULL && strstr(words->wide, "rotate") != NULL);
    CHECK_I64((int64_t)ticks_of(words->wide), MANY);
    CHECK_I64((int64_t)ticks_of(words->narrow), MANY / 2);
}

/* Seven columns of six letters fit into the wide drawing only; thousands are as in the tables. */
static void numbers_that_do_not_fit_their_fields_are_left_out(void)
{
    static const double xs[] = {1, 2, 3, 4, 5, 6, 7};
    static const double zs[] = {0, 12, 99.4, 345, 4320.4, 80324, 0.5};
    static const double y[] = {1};
    const app_heat_map map = {.name = "heat",
                              .title = "",
                              .caption = "",
                              .x = {"ranks", APP_UNIT_COUNT, APP_SCALE_AUTO},
                              .y = {"o", APP_UNIT_TIME, APP_SCALE_AUTO},
                              .z = {"slowdown", APP_UNIT_PERCENT, APP_SCALE_AUTO},
                              .xs = xs,
                              .num_x = 7,
                              .ys = y,
                              .num_y = 1,
                              .zs = zs};
    g_autoptr(app_chart) chart = app_heat_map_new(&map);
    static const char *const NUMBERS[] = {"label '0' ",   "label '12' ",    "label '99' ",
                                          "label '345' ", "label '4,320' ", "label '80,324' "};
    for (size_t i = 0; i < G_N_ELEMENTS(NUMBERS); i++) {
        CHECK(strstr(chart->wide, NUMBERS[i]) != NULL, "%s", NUMBERS[i]);
        CHECK(strstr(chart->narrow, NUMBERS[i]) == NULL, "%s", NUMBERS[i]);
    }
}

/* Multiples of a step that begin below 0 have a zero with a sign. */
static void zero_has_no_sign(void)
{
    static const app_curve_point points[] = {{.x = 64, .y = 0.2, .low = -0.1, .high = 0.47},
                                             {.x = 256, .y = 0.2, .low = -0.1, .high = 0.47}};
    static const app_curve curve[] = {{"one", points, 2}};
    app_curves figure = slowdown_over((app_axis){"ranks", APP_UNIT_COUNT, 0}, curve, 1);
    figure.y.scale = APP_SCALE_LINEAR;
    g_autoptr(app_chart) chart = app_curves_new(&figure);
    CHECK(strstr(chart->wide, "'-0'") == NULL && strstr(chart->wide, "\"-0\"") == NULL, "%s",
          chart->wide);
}

/* Ranks of the sizes that the SC'10 paper has. */
static void large_whole_numbers_are_written_out(void)
{
    static const app_curve_point points[] = {{.x = 128, .y = 3.5, .low = 3.3, .high = 3.7},
                                             {.x = 32000, .y = 78, .low = 78, .high = 78}};
    static const app_curve curve[] = {{"CHiC", points, 2}};
    const app_curves figure =
        slowdown_over((app_axis){"ranks", APP_UNIT_NONE, APP_SCALE_LOG}, curve, 1);
    g_autoptr(app_chart) chart = app_curves_new(&figure);
    CHECK(strstr(chart->wide, "10,000") != NULL && strstr(chart->wide, "e+") == NULL, "%s",
          chart->wide);
}

static void figures_of_one_value_or_none_can_be_drawn(void)
{
    static const double zero[] = {0};
    static const app_box_group group[] = {{"64", NAN, NULL}};
    static const char *const series[] = {"one"};
    static const app_box_sample sample[] = {{0, 0, 1, 0, 0, 0, 0, 0, NULL, 0}};
    const app_box_plot plot = {
        "boxes",    "t",   "c", "ranks", "noise", {"slowdown", APP_UNIT_PERCENT, 0},
        "no noise", group, 1,   series,  1,       sample,
        1};
    g_autoptr(app_chart) boxes = app_box_plot_new(&plot);
    g_autofree char *svg_boxes = draw(boxes);
    static const app_curve_point point[] = {{.x = 64}};
    static const app_curve curve[] = {{"one", point, 1}};
    const app_curves one = slowdown_over((app_axis){"ranks", APP_UNIT_COUNT, 0}, curve, 1);
    g_autoptr(app_chart) curves = app_curves_new(&one);
    g_autofree char *svg_curves = draw(curves);
    static const double x[] = {64};
    static const double nothing[] = {NAN};
    const app_heat_map map = {"heat",
                              "t",
                              "c",
                              {"ranks", APP_UNIT_COUNT, 0},
                              {"L", APP_UNIT_TIME, 0},
                              {"slowdown", APP_UNIT_PERCENT, 0},
                              x,
                              1,
                              zero,
                              1,
                              zero,
                              NULL};
    g_autoptr(app_chart) heat = app_heat_map_new(&map);
    g_autofree char *svg_heat = draw(heat);
    app_heat_map empty = map;
    empty.zs = nothing;
    g_autoptr(app_chart) none = app_heat_map_new(&empty);
    CHECK_STR(none->csv, "ranks,L_ns,slowdown_percent,column,row\n");
    g_autofree char *svg_none = draw(none);
}

/* Once a device was replaced by a page of that name. */
static void what_is_no_file_gets_the_page_and_stays_what_it_is(void)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "out", NULL);
    int ends[2];
    CHECK(pipe(ends) == 0);
    g_autofree char *target = g_strdup_printf("/proc/self/fd/%d", ends[1]);
    CHECK(symlink(target, path) == 0);
    g_autoptr(app_page) page = app_page_new("A title");
    g_autoptr(GError) error = NULL;
    CHECK(app_page_write(page, path, &error), "%s", error != NULL ? error->message : "");
    (void)close(ends[1]);
    char text[32] = "";
    CHECK(read(ends[0], text, sizeof text - 1) > 0);
    (void)close(ends[0]);
    CHECK(g_str_has_prefix(text, "<!DOCTYPE html>"), "%s", text);
    CHECK(g_file_test(path, G_FILE_TEST_IS_SYMLINK));
    (void)g_unlink(path);
    (void)g_rmdir(folder);
}

SUITE_MAIN("report", TEST(what_is_no_file_gets_the_page_and_stays_what_it_is),
           TEST(a_figure_is_data_script_and_drawing), TEST(a_script_gnuplot_refuses_is_an_error),
           TEST(a_page_stands_alone_and_escapes_text),
           TEST(a_box_plot_has_quartiles_whiskers_outliers_and_a_line),
           TEST(curves_have_bands_and_any_x), TEST(points_that_stand_on_too_little_are_hollow),
           TEST(a_heat_map_leaves_fields_without_a_value_out),
           TEST(fields_of_a_heat_map_have_stars), TEST(labels_of_boxes_do_not_touch),
           TEST(numbers_that_do_not_fit_their_fields_are_left_out), TEST(zero_has_no_sign),
           TEST(large_whole_numbers_are_written_out),
           TEST(figures_of_one_value_or_none_can_be_drawn))
