/* tests/apps/study/test_sweep_study.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "study/sweep_file.h"

#include <string.h>

static app_sweep_study *parse(const char *text, GError **error)
{
    return app_sweep_file_parse("s.ini", text, strlen(text), error);
}

static const char STUDY[] = "# what this is about\n"
                            "[study]\n"
                            "schema_version = 1\n"
                            "title = Two networks\n"
                            "\n"
                            "[parameters]\n"
                            "program = collective:allreduce:1B\n"
                            "replicas = 5\n"
                            "\n"
                            "[together]\n"
                            "L = 1us,10us\n"
                            "o = 100ns,1us\n"
                            "\n"
                            "[sweep]\n"
                            "noise = altix,none\n"
                            "ranks = 64..1Ki/x4\n";

static void a_study_has_all_combinations_the_last_axis_fastest(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(app_sweep_study) study = parse(STUDY, &error);
    CHECK(study != NULL, "%s", error != NULL ? error->message : "");
    if (study == NULL) {
        return;
    }
    size_t n = 0;
    CHECK(app_sweep_study_count(study, &n, NULL));
    CHECK_I64((int64_t)n, 2 * 2 * 3);
    static const char *const L[] = {"1us", "10us"};
    static const char *const O[] = {"100ns", "1us"};
    static const char *const NOISE[] = {"altix", "none"};
    static const char *const RANKS[] = {"64", "256", "1Ki"};
    for (size_t i = 0; i < n; i++) {
        const char *values[APP_NUM_PARAMETERS];
        app_sweep_study_point(study, i, values);
        CHECK_STR(values[APP_PARAMETER_L], L[i / 6]);
        CHECK_STR(values[APP_PARAMETER_o], O[i / 6]);
        CHECK_STR(values[APP_PARAMETER_NOISE], NOISE[i / 3 % 2]);
        CHECK_STR(values[APP_PARAMETER_RANKS], RANKS[i % 3]);
        CHECK_STR(values[APP_PARAMETER_REPLICAS], "5");
        CHECK(values[APP_PARAMETER_MACHINE] == NULL);
    }
    g_autofree char *where = app_sweep_study_describe(study, 7);
    CHECK_STR(where, "ranks=256, L=10us, o=1us, noise=altix");
    CHECK_STR(study->title, "Two networks");
}

static void a_study_written_reads_back_the_same(void)
{
    g_autoptr(app_sweep_study) study = parse(STUDY, NULL);
    g_autofree char *text = app_sweep_study_text(study);
    g_autoptr(GError) error = NULL;
    g_autoptr(app_sweep_study) again = parse(text, &error);
    CHECK(again != NULL, "%s", error != NULL ? error->message : "");
    if (again != NULL) {
        g_autofree char *twice = app_sweep_study_text(again);
        CHECK_STR(twice, text);
        size_t n = 0;
        CHECK(app_sweep_study_count(again, &n, NULL));
        for (size_t i = 0; i < n; i++) {
            g_autofree char *one = app_sweep_study_describe(study, i);
            g_autofree char *two = app_sweep_study_describe(again, i);
            CHECK_STR(two, one);
        }
    }
}

/* A carriage return ends a line as well: what is kept with the results is read back the same. */
static void a_title_is_kept_without_what_would_not_come_back(void)
{
    static const char *const TITLES[][2] = {{"Two networks\r\r", "Two networks"},
                                            {"\rTwo\r \t", "Two"},
                                            {"a\rb", "a\rb"},
                                            {"\r\r", ""}};
    for (size_t i = 0; i < G_N_ELEMENTS(TITLES); i++) {
        g_autofree char *text =
            g_strdup_printf("[study]\nschema_version = 1\ntitle = %s\n", TITLES[i][0]);
        g_autoptr(app_sweep_study) study = parse(text, NULL);
        CHECK_STR(study != NULL ? study->title : NULL, TITLES[i][1], "title %zu", i);
        g_autofree char *kept = study != NULL ? app_sweep_study_text(study) : NULL;
        g_autoptr(app_sweep_study) again = kept != NULL ? parse(kept, NULL) : NULL;
        CHECK_STR(again != NULL ? again->title : NULL, TITLES[i][1], "title %zu again", i);
    }
}

static void what_is_said_later_takes_the_place_of_what_was_said(void)
{
    g_autoptr(app_sweep_study) study = parse(STUDY, NULL);
    CHECK(app_sweep_study_fix(study, APP_PARAMETER_NOISE, "jaguar", "--noise", NULL));
    CHECK(app_sweep_study_vary(study, APP_PARAMETER_RANKS, "8,16", "--ranks", NULL));
    CHECK(app_sweep_study_fix(study, APP_PARAMETER_L, "3us", "--set", NULL)); /* o stays varied */
    size_t n = 0;
    CHECK(app_sweep_study_count(study, &n, NULL));
    CHECK_I64((int64_t)n, 2 * 2);
    const char *values[APP_NUM_PARAMETERS];
    app_sweep_study_point(study, 3, values);
    CHECK_STR(values[APP_PARAMETER_NOISE], "jaguar");
    CHECK_STR(values[APP_PARAMETER_RANKS], "16");
    CHECK_STR(values[APP_PARAMETER_L], "3us");
    CHECK_STR(values[APP_PARAMETER_o], "1us");
}

#define HEAD "[study]\nschema_version = 1\n"

static const struct {
    const char *text;
    const char *complaint;
} BAD[] = {
    {"", "s.ini:1: not a study"},
    {"[machine]\nL = 3us\n", "s.ini:1: not a study"},
    {"nonsense\n", "s.ini:1: 'nonsense' is neither"},
    {"[study]\ntitle = x\n", "s.ini:1: schema_version is missing"},
    {"\n[study]\nschema_version = 2\n", "s.ini:3: schema_version '2'"},
    {"[study]\nschema_version = 1x\n", "s.ini:2: schema_version '1x'"},
    {HEAD "titel = x\n", "s.ini:3: unknown key 'titel' in [study]; did you mean 'title'?"},
    {HEAD "[swep]\nL = 1us\n", "s.ini:3: unknown group [swep]; did you mean 'sweep'?"},
    {HEAD "[sweep]\nrank = 4,5\n", "s.ini:4: there is no parameter 'rank'; did you mean 'ranks'?"},
    {HEAD "[sweep]\n# a comment\n\nL = 1us..2us\n", "s.ini:6: L: '1us..2us': how many"},
    {HEAD "[parameters]\nL = soon\n", "s.ini:4: L: not a time"},
    {HEAD "[parameters]\nnoise = jagar\n", "s.ini:4: noise: "},
    {HEAD "[parameters]\nL = 1us\nL = 2us\n", "s.ini:5: 'L = 2us': this was said before"},
    {HEAD "[parameters]\nL = 1us\n[sweep]\nL = 2us\n", "s.ini:6: 'L': this was said before"},
    {HEAD "[together]\nL = 1us,2us\no = 1us\n", "s.ini:5: o: the number of values is 1; that of L"},
    {HEAD "[study]\n", "s.ini:3: '[study]': this was said before"},
    {HEAD "[sweep]\nL\n", "s.ini:4: 'L' is neither"},
    {"\xff\xfe", "s.ini:1: it begins with a byte order mark (UTF-16)"},
    {"\xff\xff", "not text"},
};

static void mistakes_in_a_file_are_named_by_line(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(BAD); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(app_sweep_study) study = parse(BAD[i].text, &error);
        CHECK(study == NULL, "%s", BAD[i].text);
        CHECK_ERROR(error, BAD[i].complaint);
    }
}

static void too_many_points_are_refused(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(app_sweep_study) study =
        parse(HEAD "[sweep]\nL = 1us..2us/1001\no = 1us..2us/1000\n", &error);
    size_t n = 0;
    CHECK(study != NULL && !app_sweep_study_count(study, &n, &error));
    CHECK_ERROR(error, "more than 1000000 points");
}

SUITE_MAIN("sweep study", TEST(a_study_has_all_combinations_the_last_axis_fastest),
           TEST(a_study_written_reads_back_the_same),
           TEST(a_title_is_kept_without_what_would_not_come_back),
           TEST(what_is_said_later_takes_the_place_of_what_was_said),
           TEST(mistakes_in_a_file_are_named_by_line), TEST(too_many_points_are_refused))
