/* tests/bench/test_sc07_methods.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "comparison_print.h"

#include <math.h>

enum { GROUPS = 4 };

static sc07_comparison *compare(unsigned threads, uint32_t groups)
{
    const sc07_comparison_options options = {.groups = groups, .threads = threads, .brief = true};
    sc07_comparison *out = g_new(sc07_comparison, 1);
    sc07_comparison_do(&options, out);
    return out;
}

static char *printed(const sc07_comparison *c)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    sc07_comparison_print(c, file);
    fclose(file);
    return text;
}

static void methods_tell_disturbed_ranks_from_others(void)
{
    g_autofree sc07_comparison *c = compare(2, GROUPS);
    CHECK_I64(c->runs, 5 * GROUPS);
    /* FT waits for all in every call, and the job is always there: it meets both ranks of a node */
    CHECK(c->disturbed >= 24 && c->disturbed <= 32, "%d", (int)c->disturbed);
    CHECK_I64(c->disturbed + c->clean + c->between, c->runs * SC07_RANKS);
    CHECK(c->hours > 30 && c->hours < 60, "%g", c->hours);
    static const sc07_method good[] = {SC07_BY_METRIC, SC07_BY_LOST, SC07_BY_CALLS, SC07_BY_TOTAL};
    for (size_t i = 0; i < G_N_ELEMENTS(good); i++) {
        const sc07_interval full = c->job[SC07_JOB_FULL][good[i]].area;
        CHECK(full.value > 0.95, "%s: %g", sc07_method_names[good[i]], full.value);
        const sc07_interval seldom = c->job[SC07_JOB_SELDOM][good[i]].area;
        CHECK(seldom.value < full.value, "%s: %g", sc07_method_names[good[i]], seldom.value);
    }
    for (int m = 0; m < SC07_NUM_METHODS; m++) {
        CHECK(c->all[m].area.low <= c->all[m].area.value, "%s", sc07_method_names[m]);
        CHECK(c->all[m].area.value <= c->all[m].area.high, "%s", sc07_method_names[m]);
        CHECK(c->all[m].at.found >= 0.9, "%s", sc07_method_names[m]);
        const sc07_roc_point *line = c->line[0][m].at;
        CHECK(line[SC07_ROC_POINTS - 1].false_share == 1 &&
              line[SC07_ROC_POINTS - 1].true_share == 1);
        for (int i = 1; i < SC07_ROC_POINTS; i++) {
            CHECK(line[i].true_share >= line[i - 1].true_share, "%s, %d", sc07_method_names[m], i);
        }
        CHECK(isnan(c->program[1][m].area.value) && isnan(c->job[SC07_JOB_NONE][m].area.value));
    }
}

static void threads_do_not_matter(void)
{
    g_autofree sc07_comparison *one = compare(1, 2);
    g_autofree sc07_comparison *three = compare(3, 2);
    for (int m = 0; m < SC07_NUM_METHODS; m++) {
        for (int i = 0; i < SC07_ROC_POINTS; i++) {
            CHECK_NEAR(one->line[0][m].at[i].true_share, three->line[0][m].at[i].true_share, 0);
        }
    }
    char *a = printed(one);
    char *b = printed(three);
    CHECK_STR(a, b);
    CHECK(strstr(a, "\n| NoiseMiner | 0.") != NULL, "%s", a);
    free(a);
    free(b);
}

SUITE_MAIN("sc07_methods", TEST(methods_tell_disturbed_ranks_from_others),
           TEST(threads_do_not_matter))
