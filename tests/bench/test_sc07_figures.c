/* tests/bench/test_sc07_figures.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of the SC07 paper: what is in their files. */
#include "check.h"
#include "figure_calls.h"
#include "figure_ils.h"
#include "figures.h"
#include "folder.h"
#include "roc_figures.h"

#include <math.h>

/* 1 2 3 1 2 3 ...: the mean is 2, deviations -1 0 1; products a lag on (0 - 1 + 0) / 3 = -1/3 of
 * a variance of 2/3. */
static void a_string_is_like_itself_after_its_period(void)
{
    enum { N = 300 };
    double x[N];
    for (int i = 0; i < N; i++) {
        x[i] = 1 + i % 3;
    }
    double out[7];
    sc07_autocorrelation(x, N, out, G_N_ELEMENTS(out));
    for (size_t lag = 0; lag < G_N_ELEMENTS(out); lag++) {
        CHECK_NEAR(out[lag], lag % 3 == 0 ? 1 : -0.5, 0.01, "lag %zu", lag);
    }
}

static char *text_of(const char *folder, const char *name)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    char *text = NULL;
    CHECK(g_file_get_contents(path, &text, NULL, NULL), "%s", path);
    return text != NULL ? text : g_strdup("");
}

/* Figure 3: of the lags up to 121, those that are above a half are 0, 30, 60, 90 and 120. */
static void cg_repeats_every_thirty_calls(void)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-sc07-XXXXXX", NULL);
    g_autoptr(app_page) page = app_page_new("test");
    g_autoptr(GError) error = NULL;
    CHECK(sc07_draw_periods(folder, page, &error), "%s", error != NULL ? error->message : "");
    g_autofree char *csv = text_of(folder, "figure-3a-cg-period.csv");
    g_auto(GStrv) lines = g_strsplit(csv, "\n", -1);
    unsigned peaks = 0;
    for (size_t i = 1; lines[i] != NULL && lines[i][0] != '\0'; i++) {
        g_auto(GStrv) cells = g_strsplit(lines[i], ",", -1);
        const bool high = g_ascii_strtod(cells[2], NULL) > 0.6;
        CHECK(!high || atoi(cells[0]) % 30 == 0, "%s", lines[i]);
        peaks += high;
    }
    CHECK_I64(peaks, 5);
    folder_remove(folder);
}

/* Figures 1 and 2, whose runs take no time: x is the number of the occurrence, 2, 5, 10 and 20 of
 * the four sequences; the run without a job lies on the axis. */
static void signals_are_drawn_over_the_number_of_the_occurrence(void)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-sc07-XXXXXX", NULL);
    g_autoptr(app_page) page = app_page_new("test");
    g_autoptr(GError) error = NULL;
    const sc07_lab lab = {.seeds = 1, .threads = 1, .seed = 1};
    CHECK(sc07_draw_ils(&lab, SC07_GROUP_FT, folder, page, &error), "%s",
          error != NULL ? error->message : "");
    g_autofree char *csv = text_of(folder, "figure-1a-ft-full.csv");
    CHECK(g_str_has_prefix(csv, "occurrence,sequence,interference_level,"), "%s", csv);
    static const struct {
        const char *name;
        int last;
    } ROWS[] = {{"1: 16 calls", 2}, {"2: 8 calls", 5}, {"3: 4 calls", 10}, {"4: 2 calls", 20}};
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        g_autofree char *last = g_strdup_printf("\n%d,%s,", ROWS[i].last, ROWS[i].name);
        g_autofree char *beyond = g_strdup_printf("\n%d,%s,", ROWS[i].last + 1, ROWS[i].name);
        CHECK(strstr(csv, last) != NULL && strstr(csv, beyond) == NULL, "%s", csv);
    }
    CHECK(strstr(csv, "\n20,no job,0,0,0,") != NULL, "%s", csv);
    g_autofree char *other = text_of(folder, "figure-2b-ft-on-off.csv");
    CHECK(g_strcmp0(csv, other) != 0);
    folder_remove(folder);
}

/* A perfect method, and one that knows nothing. */
static void areas_are_in_the_legend_of_the_curves(void)
{
    g_autofree sc07_comparison *c = g_new0(sc07_comparison, 1);
    for (int m = 0; m < SC07_NUM_METHODS; m++) {
        c->all[m].area =
            m == SC07_BY_METRIC ? (sc07_interval){1, 1, 1} : (sc07_interval){0.5, 0.4321, 0.5678};
        for (int i = 0; i < SC07_ROC_POINTS; i++) {
            const double x = i == 0 ? 0 : pow(10, (i - 1) / 10.0 - SC07_ROC_DECADES);
            c->line[0][m].at[i] = (sc07_roc_point){x, m == SC07_BY_METRIC ? 1 : x};
        }
    }
    g_autoptr(app_chart) chart = sc07_roc_chart(c, -1);
    const app_figure *f = &chart->figure;
    CHECK_STR(f->name, "roc-all");
    CHECK(strstr(f->wide.script, "metric 1.000 (1.000–1.000)") != NULL, "%s", f->wide.script);
    CHECK(strstr(f->narrow.script, "run z 0.500 (0.432–0.568)") != NULL, "%s", f->narrow.script);
    CHECK(strstr(f->csv, "\n100,\"metric 1.000") != NULL || strstr(f->csv, "\n100,metric 1.000"),
          "%s", f->csv);
    CHECK(strstr(f->csv, "0,run z 0.500 (0.432–0.568),0,") != NULL, "%s", f->csv);
}

/* Only what was asked for: no heading without a table, and no "0 checks". */
static void the_page_has_what_was_asked_for(void)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-sc07-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "page.html", NULL);
    g_autoptr(sc10_table) numbers = sc10_table_new(NULL);
    g_autoptr(sc10_table) rules = sc10_table_new(NULL);
    const sc07_report report = {numbers, rules};
    sc10_note(numbers, "E7", "a number", "1", "2");
    for (int checks = 0; checks < 2; checks++) {
        if (checks > 0) {
            sc10_check_that(rules, "E3", "a rule", "all", true, "yes");
        }
        g_autoptr(app_page) page = sc07_page_new(&report);
        sc07_page_tables(&report, page);
        CHECK(app_page_write(page, path, NULL));
        g_autofree char *text = text_of(folder, "page.html");
        CHECK(strstr(text, "E7: ") != NULL && strstr(text, "E1: ") == NULL);
        CHECK_I64(strstr(text, "E3: ") != NULL, checks);
        CHECK_I64(strstr(text, "1 checks: 1 inside") != NULL, checks);
        CHECK(strstr(text, "0 checks") == NULL);
    }
    folder_remove(folder);
}

SUITE_MAIN("sc07_figures", TEST(a_string_is_like_itself_after_its_period),
           TEST(cg_repeats_every_thirty_calls),
           TEST(signals_are_drawn_over_the_number_of_the_occurrence),
           TEST(areas_are_in_the_legend_of_the_curves), TEST(the_page_has_what_was_asked_for))
