/* tests/apps/mining/test_projections.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "mining/inputs.h"
#include "mining/projections.h"

#include "check.h"
#include "output/error.h"
#include "sim/unit.h"

#include <glib/gstdio.h>

static const char NAMES[] = "PROJECTIONS_ID\n"
                            "VERSION 7.0\n"
                            "PROCESSORS 2\n"
                            "CHARE 0 \"Main\" 1\n"
                            "CHARE 1 Worker\n"
                            "ENTRY CHARE 3 \"start(CkArgMsg* m)\" 0 2\n"
                            "ENTRY CHARE 4 work(Message* m) 1 2\n"
                            "EVENT 7 force computation\n"
                            "END\n";

static app_projections_names *names_of(const char *text)
{
    g_autoptr(GError) error = NULL;
    app_projections_names *names = app_projections_names_parse("t.sts", text, strlen(text), &error);
    CHECK(names != NULL, "%s", error != NULL ? error->message : "");
    return names;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "name: events" of each type, by name; of a log of one processor. */
static char *mined(const char *log_text, bool tool_types, GError **error)
{
    g_autoptr(app_projections_names) names = names_of(NAMES);
    noise_miner_options options;
    noise_miner_options_init(&options, NOISE_MINER_MODERN);
    g_autoptr(noise_miner) miner = noise_miner_new(&options);
    g_autoptr(app_projections_log) log =
        app_projections_log_new("t.0.log", names, 0, tool_types, miner);
    g_auto(GStrv) lines = g_strsplit(log_text, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++) {
        if (!app_projections_log_take(log, lines[i], error)) {
            return NULL;
        }
    }
    g_autoptr(noise_miner_report) report = noise_miner_report_new(miner);
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 0; i < report->num_types; i++) {
        g_ptr_array_add(
            texts, g_strdup_printf("%s: %" PRIu64, report->types[i].name, report->types[i].events));
    }
    g_ptr_array_sort(texts, by_text);
    g_ptr_array_add(texts, NULL);
    return g_strjoinv("\n", (char **)texts->pdata);
}

static void executions_are_apart_by_user_event(void)
{
    g_autofree char *text = mined("PROJECTIONS-RECORD 9\n"
                                  "6 0\n"
                                  "2 0 3 10 0 0 64 0 0 5\n"
                                  "3 0 3 20 0 0 0 18\n"
                                  "13 7 21 0 0\n" /* since the last one ended: of the next */
                                  "2 0 3 25 0 0 64 0 0 22\n"
                                  "1 3 3 26 0 0 64\n"
                                  "3 0 3 35 0 0 0 33\n"
                                  "13 9 36 0 0\n"
                                  "2 0 4 40 0 0 64 0 0 22\n"
                                  "3 0 3 45 0 0 0 33\n" /* not what began */
                                  "7 50\n",
                                  false, NULL);
    CHECK_STR(text, "Main::start(CkArgMsg* m) with force computation: 1\n"
                    "Main::start(CkArgMsg* m): 1");
}

/* The rule of the tool: between two records that say when somebody begins and ends, with none
 * between. */
static void the_runtime_between_is_an_event_if_nothing_is_logged_in_it(void)
{
    static const char LOG[] = "PROJECTIONS-RECORD\n"
                              "2 0 4 10 0 0 64\n"
                              "3 0 4 20 0 0 64\n"
                              "2 0 4 22 0 0 64\n" /* a gap of 2 */
                              "3 0 4 30 0 0 64\n"
                              "14 33 0\n" /* of 3 */
                              "15 40 0\n"
                              "14 44 0\n" /* of 4 */
                              "15 50 0\n"
                              "1 3 3 51 0 0 64\n" /* a message: no gap */
                              "2 0 4 52 0 0 64\n"
                              "3 0 4 60 0 0 64\n"
                              "16 61 0\n" /* packing */
                              "17 62 0\n"
                              "14 63 0\n";
    g_autofree char *tool = mined(LOG, true, NULL);
    CHECK_STR(tool, "Worker::work(Message* m): 3\nruntime: 3");
    g_autofree char *text = mined(LOG, false, NULL);
    CHECK_STR(text, "Worker::work(Message* m): 3\nruntime from idling to idling: 1\n"
                    "runtime from task to idling: 1\nruntime from task to task: 1");
}

static void what_is_wrong_is_named_with_its_line(void)
{
    static const char *const ROWS[][2] = {
        {"LOG\n", "t.0.log:1: it does not begin with PROJECTIONS-RECORD"},
        {"PROJECTIONS-RECORD\n6 0\nnonsense\n", "t.0.log:3: this is no record"},
        {"PROJECTIONS-RECORD\n2 0 3\n", "t.0.log:2: a record of an entry method without"},
        {"PROJECTIONS-RECORD\n3 0 3 -5 0 0\n", "t.0.log:2: a record of an entry method without"},
        {"PROJECTIONS-RECORD\n2 0 3 9223372036854775807 0\n", "t.0.log:2: a record of an entry"},
        {"PROJECTIONS-RECORD\n14 x\n", "t.0.log:2: a record of idling without its time"},
        {"PROJECTIONS-RECORD\n13\n", "t.0.log:2: a user event without its number"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *text = mined(ROWS[i][0], false, &error);
        CHECK(text == NULL, "row %zu", i);
        CHECK_ERROR(error, ROWS[i][1]);
    }
    g_autoptr(GError) error = NULL;
    CHECK(app_projections_names_parse("t.sts", "PROCESSORS 0\n", 13, &error) == NULL);
    CHECK_ERROR(error, "t.sts:1: '0' is no number of processors");
}

static uint64_t executions(const noise_miner_report *report)
{
    uint64_t n = 0;
    for (size_t i = 0; i < report->num_types; i++) {
        n +=
            !g_str_has_prefix(report->types[i].name, "runtime from ") ? report->types[i].events : 0;
    }
    return n;
}

/* Of a run on two processors. The number is what awk counts: ends that match their beginning. */
static void a_recorded_program_is_read_whole(void)
{
    static const char PATH[] = RIPPLE_TEST_DATA "/projections/ping-pong";
    const app_mine_input *input = app_mine_input_find(PATH);
    if (!CHECK(input != NULL)) {
        return;
    }
    CHECK_I64(input->tick(PATH), SIM_US);
    noise_miner_options options;
    noise_miner_options_init(&options, NOISE_MINER_MODERN);
    g_autoptr(noise_miner) miner = noise_miner_new(&options);
    g_autoptr(GError) error = NULL;
    CHECK(input->mine(PATH, false, miner, NULL, &error), "%s", error != NULL ? error->message : "");
    g_autoptr(noise_miner_report) report = noise_miner_report_new(miner);
    CHECK_I64(report->ranks_seen, 2);
    CHECK_I64(executions(report), 305);
}

static void a_missing_log_is_named(void)
{
    g_autofree char *dir = g_dir_make_tmp("projections-XXXXXX", NULL);
    g_autofree char *names = g_build_filename(dir, "x.sts", NULL);
    CHECK(g_file_set_contents(names, NAMES, -1, NULL));
    noise_miner_options options;
    noise_miner_options_init(&options, NOISE_MINER_MODERN);
    g_autoptr(noise_miner) miner = noise_miner_new(&options);
    g_autoptr(GError) error = NULL;
    CHECK(app_projections_probe(dir));
    CHECK(!app_projections_mine(dir, false, miner, &error));
    CHECK_ERROR(error, "x.0.log.gz: No such file");
    CHECK_I64(g_unlink(names), 0);
    CHECK_I64(g_rmdir(dir), 0);
    CHECK(app_mine_input_find(dir) == NULL);
}

SUITE_MAIN("projections", TEST(executions_are_apart_by_user_event),
           TEST(the_runtime_between_is_an_event_if_nothing_is_logged_in_it),
           TEST(what_is_wrong_is_named_with_its_line), TEST(a_recorded_program_is_read_whole),
           TEST(a_missing_log_is_named))
