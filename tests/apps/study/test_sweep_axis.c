/* tests/apps/study/test_sweep_axis.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "study/sweep_axis.h"

/* Each by hand from the forms in sweep_axis.h. */
static const struct {
    app_parameter_id id;
    const char *text;
    const char *want;
} GOOD[] = {
    {APP_PARAMETER_RANKS, "64", "64"},
    {APP_PARAMETER_RANKS, "64, 1Ki ,2^20", "64|1Ki|2^20"}, /* as written */
    {APP_PARAMETER_RANKS, "2^6..2^12/x4", "64|256|1Ki|4Ki"},
    {APP_PARAMETER_RANKS, "2^6..2^11/x4", "64|256|1Ki"},
    {APP_PARAMETER_RANKS, "3..50/x2", "3|6|12|24|48"},
    {APP_PARAMETER_RANKS, "1..4/4", "1|2|3|4"},
    {APP_PARAMETER_RANKS, "1..3/log:10", "1|2|3"}, /* repetitions by rounding are dropped */
    {APP_PARAMETER_RANKS, "1..2/x1.2", "1|2"},     /* 1, 1.2, 1.44, 1.73 */
    {APP_PARAMETER_RANKS, "10..31/+10", "10|20|30"},
    {APP_PARAMETER_RANKS, "1..4Gi/x65536", NULL}, /* 2^32 is no size */
    {APP_PARAMETER_L, "1us..100us/log:3", "1us|10us|100us"},
    {APP_PARAMETER_L, "1us..2us/log:3", "1us|1.414214us|2us"}, /* sqrt 2, to the ps */
    {APP_PARAMETER_L, "0..4us/5", "0s|1us|2us|3us|4us"},
    {APP_PARAMETER_L, "500ns,1us..3us/+1us,10us", "500ns|1us|2us|3us|10us"},
    {APP_PARAMETER_L, "100us..1ms/x10", "100us|1ms"}, /* the last one in spite of rounding */
    {APP_PARAMETER_G, "0,0.5ns/B", "0|0.5ns/B"},
    {APP_PARAMETER_G, "0.1ns/B..1ns/B/log:2", "0.1ns/B|1ns/B"},
    {APP_PARAMETER_G, "1ns/B..2ns/B/+0.5ns/B", "1ns/B|1.5ns/B|2ns/B"},
    {APP_PARAMETER_S, "64KiB;inf", "64KiB|inf"},
    {APP_PARAMETER_BYTES, "0..2/+1", "0|1|2"},
    {APP_PARAMETER_SEED, "1..3/+1", "1|2|3"},
    {APP_PARAMETER_SEED, "0,9223372036854775807", "0|9223372036854775807"},
    {APP_PARAMETER_NOISE, "altix,jaguar", "altix|jaguar"},
    {APP_PARAMETER_NOISE, "fixed:1kHz:100us@0,5-7;none", "fixed:1kHz:100us@0,5-7|none"},
    {APP_PARAMETER_COLL, "allreduce=ring,bcast=linear;sc10", "allreduce=ring,bcast=linear|sc10"},
    {APP_PARAMETER_PROGRAM, "../a.goal", "../a.goal"}, /* not a range */
    {APP_PARAMETER_COSCHED, "no,yes", "no|yes"},
    {APP_PARAMETER_MACHINE, "xt4,chic", "xt4|chic"},
};

static void lists_and_ranges_give_their_values(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(GOOD); i++) {
        g_autoptr(GError) error = NULL;
        g_auto(GStrv) values = app_sweep_axis_parse(GOOD[i].id, GOOD[i].text, &error);
        g_autofree char *joined = values != NULL ? g_strjoinv("|", values) : NULL;
        CHECK(g_strcmp0(joined, GOOD[i].want) == 0, "%s: %s %s", GOOD[i].text,
              joined != NULL ? joined : "", error != NULL ? error->message : "");
    }
}

static const struct {
    app_parameter_id id;
    const char *text;
    const char *complaint;
} BAD[] = {
    {APP_PARAMETER_RANKS, "", "empty"},
    {APP_PARAMETER_RANKS, "64,,128", "not a count"},
    {APP_PARAMETER_RANKS, "64..128", "how many values"},
    {APP_PARAMETER_RANKS, "64..128/", "not a number of values"},
    {APP_PARAMETER_RANKS, "64..128/1", "not a number of values"},
    {APP_PARAMETER_RANKS, "64..128/log:x", "not a number of values"},
    {APP_PARAMETER_RANKS, "64..128/x1", "not a factor above 1"},
    {APP_PARAMETER_RANKS, "64..128/xnan", "not a factor above 1"},
    {APP_PARAMETER_RANKS, "64..128/x2y", "not a factor above 1"},
    {APP_PARAMETER_RANKS, "128..64/x2", "from a smaller to a larger"},
    {APP_PARAMETER_RANKS, "64..64/2", "from a smaller to a larger"},
    {APP_PARAMETER_RANKS, "1..1Mi/+1", "more than 10000 values"},
    {APP_PARAMETER_L, "0..1us/log:3", "cannot begin at 0"},
    {APP_PARAMETER_L, "0..1us/x2", "cannot begin at 0"},
    {APP_PARAMETER_L, "0..1us/+0", "leads nowhere"},
    {APP_PARAMETER_L, "0..1us/+1B", "step"},
    {APP_PARAMETER_L, "-1us", "not a time"},
    {APP_PARAMETER_G, "1ns/B..2ns/B", "how many values"},
    {APP_PARAMETER_S, "1..inf/x2", "from a smaller to a larger"},
    {APP_PARAMETER_COSCHED, "no,maybe", "none of its values"},
    {APP_PARAMETER_PROGRESS, "asinc", "did you mean 'async'"},
    {APP_PARAMETER_NOISE, "altix,jagar", "did you mean 'jaguar'"},
    {APP_PARAMETER_SEED, "-1", "whole number"},
};

static void what_is_no_axis_is_refused_by_name(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(BAD); i++) {
        g_autoptr(GError) error = NULL;
        g_auto(GStrv) values = app_sweep_axis_parse(BAD[i].id, BAD[i].text, &error);
        CHECK(values == NULL, "%s", BAD[i].text);
        CHECK_ERROR(error, BAD[i].complaint);
    }
}

static void numbers_written_parse_back(void)
{
    static const int64_t numbers[] = {1, 1000, 12345, 1 << 20, 999999999};
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        for (size_t i = 0;
             app_parameter_is_number((app_parameter_id)id) && i < G_N_ELEMENTS(numbers); i++) {
            g_autofree char *text = app_parameter_format((app_parameter_id)id, numbers[i]);
            int64_t back = -1;
            CHECK(app_parameter_parse((app_parameter_id)id, text, &back, NULL), "%s: %s",
                  app_parameters[id].name, text);
            CHECK_I64(back, numbers[i], "%s: %s", app_parameters[id].name, text);
        }
    }
}

static void parameters_have_names_and_columns_of_their_own(void)
{
    for (int a = 0; a < APP_NUM_PARAMETERS; a++) {
        CHECK_I64(app_parameter_find(app_parameters[a].name, NULL), a);
        for (int b = 0; b < a; b++) {
            CHECK(g_ascii_strcasecmp(app_parameters[a].column, app_parameters[b].column) != 0,
                  "%s: SQL does not tell case apart", app_parameters[a].column);
        }
    }
    g_autoptr(GError) error = NULL;
    CHECK_I64(app_parameter_find("rank", &error), APP_NUM_PARAMETERS);
    CHECK_ERROR(error, "did you mean 'ranks'");
}

SUITE_MAIN("sweep axis", TEST(lists_and_ranges_give_their_values),
           TEST(what_is_no_axis_is_refused_by_name), TEST(numbers_written_parse_back),
           TEST(parameters_have_names_and_columns_of_their_own))
