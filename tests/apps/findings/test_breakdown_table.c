/* tests/apps/findings/test_breakdown_table.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "findings/breakdown_table.h"

#include "check.h"

#include <string.h>

enum { MOST = 8 };

/* Each letter is a series of 1Ki, 4Ki, 16Ki, ... ranks: 'b' has a breakdown, 'm' misses it, '-'
 * was not asked for; two letters in a row are the ideal and the noisy run of one size. */
static app_results results_of(app_series series[MOST], const char *letters)
{
    app_results results = {.noisy = true, .num_series = strlen(letters), .series = series};
    memset(series, 0, MOST * sizeof *series);
    for (size_t i = 0; i < results.num_series; i++) {
        series[i].ranks = 1024U << (2 * (i / 2));
        series[i].mode = (app_mode)(i % 2);
        series[i].has_breakdown = letters[i] == 'b';
        series[i].unexplained = letters[i] == 'm' ? "it is too large" : NULL;
        series[i].breakdown_makespan = 200 * SIM_US;
        series[i].breakdown = (sim_breakdown){.compute = 150 * SIM_US, .L = 50 * SIM_US};
    }
    return results;
}

static char *print(const app_results *results)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    app_breakdown_table_print(results, out);
    (void)fclose(out);
    return text;
}

static void says_once_of_which_sizes_it_is_missing_and_why(void)
{
    static const struct {
        const char *letters;
        const char *wanted;
    } rows[] = {
        {"bbbb", NULL},
        {"----", NULL},
        {"bbmm", "Where the time goes at 4Ki ranks is not known: it is too large."},
        {"bbmmmm", "Where the time goes from 4Ki ranks on is not known: it is too large."},
        {"mmmm", "Where the time goes from 1Ki ranks on is not known: it is too large."},
        {"mm", "Where the time goes at 1Ki ranks is not known: it is too large."},
        {"mmbb", "Where the time goes at 1Ki ranks is not known: it is too large."},
        {"mmbbmm", "Where the time goes at 1Ki ranks, 16Ki ranks is not known: it is too large."},
        {"bmbb", "Where the time goes at 1Ki ranks is not known: it is too large."},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        app_series series[MOST];
        const app_results results = results_of(series, rows[i].letters);
        g_autofree char *text = app_breakdown_missing(&results);
        CHECK_STR(text, rows[i].wanted, "%s", rows[i].letters);
        char *printed = print(&results);
        g_auto(GStrv) parts = g_strsplit(printed, "not known", -1);
        CHECK_I64(g_strv_length(parts),
                  printed[0] == '\0'       ? 0
                  : rows[i].wanted != NULL ? 2
                                           : 1,
                  "once: %s", printed);
        free(printed);
    }
}

static void the_table_has_a_row_for_each_breakdown_and_no_other(void)
{
    app_series series[MOST];
    const app_results some = results_of(series, "bbmm");
    char *printed = print(&some);
    CHECK(strstr(printed, "      1Ki  ideal             75.0 %        -        -   25.0 %") != NULL,
          "%s", printed);
    CHECK(strstr(printed, "      4Ki  ") == NULL, "%s", printed);
    free(printed);
    const app_results none = results_of(series, "mm");
    printed = print(&none);
    CHECK_STR(printed, "\nWhere the time goes at 1Ki ranks is not known: it is too large.\n");
    free(printed);
    const app_results nothing = results_of(series, "--");
    printed = print(&nothing);
    CHECK_STR(printed, "");
    free(printed);
}

static JsonNode *build(const app_results *results)
{
    g_autoptr(JsonBuilder) builder = json_builder_new();
    json_builder_begin_object(builder);
    app_breakdown_build_missing(results, builder);
    json_builder_end_object(builder);
    return json_builder_get_root(builder);
}

static void json_has_the_sizes_as_numbers(void)
{
    app_series series[MOST];
    const app_results some = results_of(series, "bbmmmm");
    g_autoptr(JsonNode) root = build(&some);
    JsonObject *object =
        json_object_get_object_member(json_node_get_object(root), "breakdown_missing");
    JsonArray *ranks = json_object_get_array_member(object, "ranks");
    CHECK_I64(json_array_get_length(ranks), 2);
    CHECK_I64(json_array_get_int_element(ranks, 0), 4096);
    CHECK_I64(json_array_get_int_element(ranks, 1), 16384);
    CHECK_STR(json_object_get_string_member(object, "why"), "it is too large");
    const app_results all = results_of(series, "bbbb");
    g_autoptr(JsonNode) empty = build(&all);
    CHECK_I64(json_object_get_size(json_node_get_object(empty)), 0);
}

SUITE_MAIN("breakdown_table", TEST(says_once_of_which_sizes_it_is_missing_and_why),
           TEST(the_table_has_a_row_for_each_breakdown_and_no_other),
           TEST(json_has_the_sizes_as_numbers))
