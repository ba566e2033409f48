/* tests/apps/steady/test_steady_rows.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Which series become rows where only settled ones are wanted. */
#include "steady/steady_rows.h"

#include "check.h"

typedef struct row {
    uint32_t ranks;
    app_mode mode;
    app_steady_state state;
    bool check;
} row;

static GArray *series_of(const row *rows, size_t n)
{
    GArray *series = g_array_new(FALSE, FALSE, sizeof(app_series));
    for (size_t i = 0; i < n; i++) {
        const app_series s = {.ranks = rows[i].ranks,
                              .mode = rows[i].mode,
                              .steady = {.state = rows[i].state, .check = rows[i].check}};
        g_array_append_val(series, s);
    }
    return series;
}

/* "16i 16c 64i 64u": sizes, and modes by their first letter. Owned. */
static char *text_of(GArray *series)
{
    app_results *results = app_steady_rows_take(series);
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        g_string_append_printf(text, "%s%u%c", i > 0 ? " " : "", s->ranks, "iuc"[s->mode]);
    }
    app_results_free(results);
    g_array_unref(series);
    return g_string_free(text, FALSE);
}

static void what_has_not_settled_is_no_row(void)
{
    static const row rows[] = {
        {64, APP_IDEAL, 0, false},
        {64, APP_UNSYNCHRONIZED, APP_STEADY_REACHED, false},
        {64, APP_COSCHEDULED, APP_STEADY_REACHED, true}, /* a check of another size */
        {256, APP_IDEAL, 0, false},
        {256, APP_UNSYNCHRONIZED, APP_STEADY_WIDE, false},
        {1024, APP_IDEAL, 0, false},
        {1024, APP_UNSYNCHRONIZED, APP_STEADY_TOO_SHORT, false},
        {4096, APP_IDEAL, 0, false},
        {4096, APP_UNSYNCHRONIZED, APP_STEADY_FEW, false},
        {16384, APP_IDEAL, 0, false},
        {16384, APP_UNSYNCHRONIZED, APP_STEADY_DRIFTS, false},
        {65536, APP_IDEAL, 0, false},
        {65536, APP_UNSYNCHRONIZED, APP_STEADY_REACHED, false},
        {16, APP_IDEAL, 0, false},
        {16, APP_COSCHEDULED, APP_STEADY_REACHED, false},
    };
    GArray *series = series_of(rows, G_N_ELEMENTS(rows));
    app_steady_rows_keep_settled(series);
    CHECK(app_steady_rows_find_cosched(series) != NULL);
    CHECK(app_steady_rows_find(series, 256, APP_UNSYNCHRONIZED) == NULL);
    g_autofree char *text = text_of(series);
    CHECK_STR(text, "16i 16c 64i 64u 65536i 65536u");
}

static void the_smallest_size_remains_where_none_has_settled(void)
{
    static const row rows[] = {
        {256, APP_IDEAL, 0, false}, {256, APP_UNSYNCHRONIZED, APP_STEADY_WIDE, false},
        {64, APP_IDEAL, 0, false},  {64, APP_UNSYNCHRONIZED, APP_STEADY_TOO_SHORT, false},
        {16, APP_IDEAL, 0, false},  {16, APP_COSCHEDULED, APP_STEADY_TOO_SHORT, false},
    };
    GArray *series = series_of(rows, G_N_ELEMENTS(rows));
    app_steady_rows_keep_settled(series);
    CHECK(app_steady_rows_find_cosched(series) == NULL);
    g_autofree char *text = text_of(series);
    CHECK_STR(text, "64i 64u");
}

SUITE_MAIN("steady_rows", TEST(what_has_not_settled_is_no_row),
           TEST(the_smallest_size_remains_where_none_has_settled))
