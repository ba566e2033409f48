/* tests/apps/knockout/test_knockout_report.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "knockout/knockout_report.h"
#include "trial.h"

#include <glib/gstdio.h>
#include <string.h>

/* The section has the tables, and beside the page there is what the figures draw. */
static void the_page_says_what_to_switch_off_first(void)
{
    trial t = {0};
    g_autoptr(GError) error = NULL;
    trial_open(&t, "pattern:calc=1ms,allreduce:8B*20", "4,16",
               "fixed:100Hz:40us+poisson:30ms:200us", "", "5");
    const app_experiment experiment = trial_experiment(&t, 2);
    t.results = app_experiment_run(&experiment, &error);
    g_assert_no_error(error);
    const app_knockout_wish wish = {.wanted = true, .pairs = true};
    g_autoptr(app_knockout) k = app_knockout_run(&experiment, t.results, &wish, &error);
    g_assert_no_error(error);
    g_autofree char *folder = g_dir_make_tmp("knockout_XXXXXX", NULL);
    g_autoptr(app_page) page = app_page_new("A page");
    CHECK(app_knockout_report(k, page, folder, &error), "%s", error ? error->message : "");
    g_autofree char *path = g_build_filename(folder, "page.html", NULL);
    CHECK(app_page_write(page, path, NULL));
    g_autofree char *html = NULL;
    CHECK(g_file_get_contents(path, &html, NULL, NULL));
    static const char *const WORDS[] = {
        "What to switch off first", "fixed:100Hz:40us",
        "poisson:30ms:200us",       "unsynchronized at 16 ranks",
        "co-scheduled at 4 ranks",  "fixed:100Hz:40us and poisson:30ms:200us"};
    for (size_t i = 0; html != NULL && i < G_N_ELEMENTS(WORDS); i++) {
        CHECK(strstr(html, WORDS[i]) != NULL, "%s", WORDS[i]);
    }
    g_autofree char *csv_path = g_build_filename(folder, "knock-out-unsynchronized.csv", NULL);
    g_autofree char *csv = NULL;
    CHECK(g_file_get_contents(csv_path, &csv, NULL, NULL), "%s", csv_path);
    unsigned lines = 0;
    for (const char *c = csv; c != NULL && *c != '\0'; c++) {
        lines += *c == '\n';
    }
    CHECK_I64(lines, 1 + 2 * 2); /* the head; two components at two sizes */
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    for (const char *name = NULL; (name = g_dir_read_name(dir)) != NULL;) {
        g_autofree char *file = g_build_filename(folder, name, NULL);
        g_remove(file);
    }
    g_rmdir(folder);
    trial_close(&t);
}

SUITE_MAIN("knockout_report", TEST(the_page_says_what_to_switch_off_first))
