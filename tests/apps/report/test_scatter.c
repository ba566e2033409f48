/* tests/apps/report/test_scatter.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "drawn_chart.h"
#include "report/scatter.h"

#include <stdlib.h>
#include <string.h>

enum { MANY = 100000 };

static app_scatter scatter_of(const app_cloud *clouds, size_t n)
{
    return (app_scatter){.name = "cloud",
                         .title = "t",
                         .caption = "Caption.",
                         .x = {"time", APP_UNIT_TIME, APP_SCALE_LINEAR},
                         .y = {"length", APP_UNIT_TIME, APP_SCALE_LOG},
                         .series_name = "source",
                         .clouds = clouds,
                         .num_clouds = n};
}

/* The sum of the last column, and how many rows there are below the header. */
static size_t count_points(const char *csv, size_t *rows)
{
    g_auto(GStrv) lines = g_strsplit(csv, "\n", -1);
    size_t points = 0;
    *rows = 0;
    for (char **line = lines + 1; *line != NULL && **line != '\0'; line++) {
        points += strtoull(strrchr(*line, ',') + 1, NULL, 10);
        (*rows)++;
    }
    return points;
}

/* [MANY] over the whole plot, in no order. */
static void spread(double *xs, double *ys)
{
    for (size_t i = 0; i < MANY; i++) {
        xs[i] = (double)i * 1e5;
        ys[i] = 100 + (double)(i * 7919 % MANY) * 10;
    }
}

/* 100,000 points over the whole plot: every one is counted in a mark, and files stay small. */
static void many_points_are_drawn_as_few_marks(void)
{
    g_autofree double *xs = g_new(double, MANY);
    g_autofree double *ys = g_new(double, MANY);
    spread(xs, ys);
    const app_cloud clouds[] = {{AWKWARD, xs, ys, MANY}, {"one", xs, ys, 1}};
    const app_scatter scatter = scatter_of(clouds, 2);
    g_autoptr(app_chart) chart = app_scatter_new(&scatter);
    size_t rows = 0;
    CHECK_I64(count_points(chart->csv, &rows), MANY + 1);
    CHECK(rows <= (size_t)APP_SCATTER_COLUMNS * APP_SCATTER_ROWS + 1 && rows > 1000, "%zu", rows);
    g_autofree char *said = g_strdup_printf("%zu marks stand for %d points", rows, MANY + 1);
    CHECK(strstr(chart->caption, said) != NULL, "%s", chart->caption);
    if (app_figure_can_draw()) {
        g_autofree char *svg = draw(chart);
        CHECK(svg != NULL && strlen(svg) < 4 << 20, "%zu bytes", svg != NULL ? strlen(svg) : 0);
    }
}

static void few_points_are_all_drawn(void)
{
    static const double xs[] = {0, 1e9, 2e9};
    static const double ys[] = {100, 1e6, 3e3};
    const app_cloud clouds[] = {{"a", xs, ys, 3}, {"empty", NULL, NULL, 0}};
    const app_scatter scatter = scatter_of(clouds, 2);
    g_autoptr(app_chart) chart = app_scatter_new(&scatter);
    CHECK_STR(chart->csv, "time_ns,length_ns,source,points\n0,100,a,1\n1e+09,1000000,a,1\n"
                          "2e+09,3000,a,1\n");
    CHECK_STR(chart->caption, "Caption.");
    g_autofree char *svg = app_figure_can_draw() ? draw(chart) : NULL;
}

static void rows_have_names(void)
{
    static const double xs[] = {0, 1e9};
    static const double ones[] = {1, 1};
    static const double twos[] = {2, 2};
    static const char *const rows[] = {"lower", "upper"};
    const app_cloud clouds[] = {{"upper", xs, twos, 2}, {"lower", xs, ones, 2}};
    app_scatter scatter = scatter_of(clouds, 2);
    scatter.rows = rows;
    scatter.num_rows = G_N_ELEMENTS(rows);
    g_autoptr(app_chart) chart = app_scatter_new(&scatter);
    CHECK(strstr(chart->figure.wide.script, "set yrange [0.5:2.5]\n") != NULL, "%s",
          chart->figure.wide.script);
    g_autofree char *svg = app_figure_can_draw() ? draw(chart) : NULL;
    CHECK(svg == NULL || strstr(svg, ">lower<") != NULL, "%s", svg);
    CHECK(svg == NULL || strstr(svg, ">upper<") != NULL, "%s", svg);
}

/* "ps 0.60" of a few, "ps 0.22" of thousands. */
static void few_marks_are_larger_than_many(void)
{
    g_autofree double *xs = g_new(double, MANY);
    g_autofree double *ys = g_new(double, MANY);
    spread(xs, ys);
    static const struct {
        size_t n;
        const char *size;
    } ROWS[] = {{1, " ps 0.60 "}, {300, " ps 0.60 "}, {MANY, " ps 0.22 "}};
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        const app_cloud cloud = {"a", xs, ys, ROWS[i].n};
        const app_scatter scatter = scatter_of(&cloud, 1);
        g_autoptr(app_chart) chart = app_scatter_new(&scatter);
        CHECK(strstr(chart->figure.wide.script, ROWS[i].size) != NULL, "%zu", ROWS[i].n);
    }
}

static void no_points_are_axes_alone(void)
{
    const app_cloud clouds[] = {{"empty", NULL, NULL, 0}};
    const app_scatter scatter = scatter_of(clouds, 1);
    g_autoptr(app_chart) chart = app_scatter_new(&scatter);
    CHECK_STR(chart->csv, "time_ns,length_ns,source,points\n");
    g_autofree char *svg = app_figure_can_draw() ? draw(chart) : NULL;
}

SUITE_MAIN("scatter", TEST(many_points_are_drawn_as_few_marks), TEST(few_points_are_all_drawn),
           TEST(rows_have_names), TEST(few_marks_are_larger_than_many),
           TEST(no_points_are_axes_alone))
