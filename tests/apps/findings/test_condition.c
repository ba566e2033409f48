/* tests/apps/findings/test_condition.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "by_hand.h"
#include "check.h"

#define U APP_UNSYNCHRONIZED
#define C APP_COSCHEDULED

static app_conditions *conditions_of(const hand_series *series, size_t n, const char *noise)
{
    g_autoptr(app_results) results = hand_results(series, n);
    return app_conditions_new(results, hand_noise(noise), NULL);
}

static char *codes_of(const app_conditions *c)
{
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < c->n; i++) {
        g_string_append_printf(text, "%s%s", i > 0 ? " " : "", c->list[i].code);
    }
    return g_string_free(text, FALSE);
}

static void a_condition_names_its_sizes_and_mode(void)
{
    static const hand_series rows[] = {
        {64, U, APP_PASS, 1, {0.1}, 50, 500, 0, false, 0},
        {64, C, APP_PASS, 5, {0}, 0.2, 0.2, 0, false, 0},
        {256, U, APP_PASS, 1, {0.1}, 50, 500, 0, false, 0},
    };
    g_autoptr(app_conditions) c = conditions_of(rows, 3, "poisson:1s:1ms");
    g_autofree char *codes = codes_of(c);
    CHECK_STR(codes, "pass few-met one-replica");
    const app_condition *one = app_conditions_find(c, "one-replica");
    CHECK(one != NULL && one->num_ranks == 2 && one->mode == U);
    CHECK_STR(one->text, "One replica: 64 and 256 ranks, unsynchronized. It is an example; how far "
                         "another one may lie from it is not known.");
    const app_condition *few = app_conditions_find(c, "few-met");
    if (CHECK(few != NULL && few->num_ranks == 1 && few->ranks[0] == 64 && few->mode == C)) {
        CHECK(strstr(few->text, "meet 1 of the detours of poisson:1s:1ms") != NULL, "%s",
              few->text);
    }
    g_autofree char *caption = app_conditions_caption(c);
    CHECK_STR(caption,
              " Of 3 passes from a cold start. Few detours met: 64 ranks, co-scheduled. One "
              "replica: 64 and 256 ranks, unsynchronized.");
}

/* What is not worth a number is not called anything else. */
static void what_is_too_short_has_no_other_fault(void)
{
    static const hand_series row = {64, U, APP_STEADY,           1,     {0},
                                    1,  1, APP_STEADY_TOO_SHORT, false, 0};
    g_autoptr(app_conditions) c = conditions_of(&row, 1, "poisson:1s:1ms");
    g_autofree char *codes = codes_of(c);
    CHECK_STR(codes, "too-short");
}

static void phases_are_locked_or_drift(void)
{
    static const hand_series row = {64, U,   APP_STEADY,         5,     {0.1, 0.11, 0.1, 0.12, 0.1},
                                    50, 500, APP_STEADY_REACHED, false, 0};
    static const struct {
        const char *noise;
        const char *codes;
    } rows[] = {
        {"fixed:10Hz:1ms", "phases-locked"},
        {"fixed:10Hz:1ms+drift=20", "drift-of-clocks"},
        {"poisson:1s:1ms", ""},
        {"jaguar", "model-preset phases-locked"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(app_conditions) c = conditions_of(&row, 1, rows[i].noise);
        g_autofree char *codes = codes_of(c);
        CHECK_STR(codes, rows[i].codes);
    }
}

/* One detour of 2 ms in 1 s of measurement, beside many of 1 us. Runs of 330 us: 100Ki ranks live
 * 34 s of CPU time, and five times that has to be measured. */
static void a_tail_that_decides_is_named_with_the_time_it_would_take(void)
{
    g_autoptr(GString) file = g_string_new("# Time [ns]\tselfish duration [ns]\n");
    for (int i = 0; i < 99; i++) {
        g_string_append_printf(file, "%d.00\t1000.00\n", i * 10000000);
    }
    g_string_append(file, "995000000.00\t2000000.00\n# Measurement period: 1 s\n");
    g_autofree char *path = g_build_filename(g_get_tmp_dir(), "ripple-tail-XXXXXX", NULL);
    const int fd = g_mkstemp(path);
    CHECK(fd >= 0 && g_file_set_contents(path, file->str, -1, NULL));
    static const struct {
        uint32_t ranks;
        double slowdown;
        bool decides;
    } rows[] = {
        {102400, 0.1, true},
        {1024, 0.1, false},   /* 0.34 detours of the tail are met: fewer than one */
        {102400, 3000, false} /* the slowdown is far more than the tail can add: 204.8 */
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        const double x = rows[i].slowdown;
        const hand_series row = {rows[i].ranks, U, APP_PASS, 5, {x, x * 1.01, x, x, x * 1.01}, 1,
                                 rows[i].ranks, 0, false,    0};
        g_autoptr(app_conditions) c = conditions_of(&row, 1, path);
        const app_condition *tail = app_conditions_find(c, "rare-tail");
        CHECK((tail != NULL) == rows[i].decides, "row %zu", i);
        CHECK(tail == NULL ||
                  (strstr(tail->text, "(2ms) was seen once in 1s of measurement; at 100Ki ranks "
                                      "one is expected every 9.766us: it decides") != NULL &&
                   strstr(tail->text, "meets 33.8 of them; 169s of") != NULL),
              "%s", tail != NULL ? tail->text : "");
    }
    (void)remove(path);
}

/* Two sources, of each of which one long detour was seen, and a third that is known well. */
static void sources_of_one_file_are_one_sentence(void)
{
    g_autoptr(GString) file = g_string_new(
        "# ripple: "
        "{\"format\":\"detours\",\"version\":1,\"method\":\"switches\",\"cpus\":[{\"node\":0,"
        "\"cpu\":0,\"duration_ns\":1000000000.0,\"detours\":101}],\"sources\":[{\"name\":\"tick\","
        "\"kind\":\"tick\",\"evidence\":\"a test\"},{\"name\":\"cron\",\"kind\":\"program\","
        "\"evidence\":\"a test\"},{\"name\":\"sshd\",\"kind\":\"program\",\"evidence\":\"a "
        "test\"}]}\n"
        "# Benchmark Method: selfish\n# Number of Cycles/Detours: 101\n"
        "# Time [ns]\tselfish duration [ns]\n");
    for (int i = 0; i < 99; i++) {
        g_string_append_printf(file, "%d.000\t1000.000\t0\n", i * 10000000);
    }
    g_string_append(file, "985000000.000\t3000000.000\t1\n995000000.000\t2000000.000\t2\n");
    g_autofree char *path = g_build_filename(g_get_tmp_dir(), "ripple-tails-XXXXXX", NULL);
    const int fd = g_mkstemp(path);
    CHECK(fd >= 0 && g_file_set_contents(path, file->str, -1, NULL));
    const hand_series row = {102400, U,      APP_PASS, 5,     {0.1, 0.101, 0.1, 0.1, 0.101},
                             1,      102400, 0,        false, 0};
    g_autoptr(app_conditions) c = conditions_of(&row, 1, path);
    size_t tails = 0;
    for (size_t i = 0; i < c->n; i++) {
        tails += g_str_equal(c->list[i].code, "rare-tail") ? 1 : 0;
    }
    CHECK_I64(tails, 1);
    const app_condition *tail = app_conditions_find(c, "rare-tail");
    if (CHECK(tail != NULL)) {
        CHECK(strstr(tail->text, "longest detours of 2 sources of ") != NULL, "%s", tail->text);
        CHECK(strstr(tail->text, "cron (3ms, once; at 100Ki ranks, unsynchronized, every 9.766us), "
                                 "sshd (2ms, once; ") != NULL,
              "%s", tail->text);
        CHECK(strstr(tail->text, "169s of measurement") != NULL, "%s", tail->text);
        CHECK_I64(tail->mode, APP_UNSYNCHRONIZED);
        CHECK_I64(tail->num_ranks, 1);
    }
    const hand_series steady = {64, U,   APP_STEADY,         5,     {0.1, 0.11, 0.1, 0.12, 0.1},
                                50, 500, APP_STEADY_REACHED, false, 0};
    g_autoptr(app_conditions) s = conditions_of(&steady, 1, path);
    const app_condition *phases = app_conditions_find(s, "phases-locked");
    g_autofree char *name = g_path_get_basename(path);
    g_autofree char *says = g_strdup_printf("keeps the phase of %s that it has drawn", name);
    CHECK(phases != NULL && strstr(phases->text, says) != NULL, "%s",
          phases != NULL ? phases->text : "none");
    (void)remove(path);
}

SUITE_MAIN("condition", TEST(a_condition_names_its_sizes_and_mode),
           TEST(what_is_too_short_has_no_other_fault), TEST(phases_are_locked_or_drift),
           TEST(a_tail_that_decides_is_named_with_the_time_it_would_take),
           TEST(sources_of_one_file_are_one_sentence))
