/* tests/schedgen/pattern/test_pattern_parse.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* The grammar of docs/patterns.md, section 2. */
#include "check.h"
#include "pattern/pattern_random.h"
#include "sched/pattern.h"

static void a_text_means_what_it_is_written_as(void)
{
    static const char *const row[][2] = {
        /* text, the same with every repetition in parentheses */
        {"ring", "ring"},
        {"Ring:8", "Ring:8"},
        {" ring : 8 , calc=1us ", NULL},
        {" ring:8 , calc=1us ", "ring:8,calc=1us"},
        {"calc=200us~5%,allreduce:8B", "calc=200us~5%,allreduce:8B"},
        {"calc=1.5ms~2.5%", "calc=1.5ms~2.5%"},
        {"ring*20", "(ring)*20"},
        {"(ring)*20", "(ring)*20"},
        {"ring*1", "ring"},
        {"ring * 2k", "(ring)*2000"},
        /* at the very end, the whole list: */
        {"stencil3d:8KiB,calc=1ms,allreduce:8B*20", "(stencil3d:8KiB,calc=1ms,allreduce:8B)*20"},
        {"ring*3,barrier*4", "((ring)*3,barrier)*4"},
        {"wavefront,calc=1us*20", "(wavefront,calc=1us)*20"},
        /* anywhere else, the item or the group: */
        {"ring*3,barrier", "(ring)*3,barrier"},
        {"ring,(barrier)*4", "ring,(barrier)*4"},
        {"(ring,barrier*4)", "(ring,(barrier)*4)"},
        {"(ring,barrier*4),calc=1us", "(ring,(barrier)*4),calc=1us"},
        {"(stencil3d:8KiB,calc=1ms)*20,allreduce:8B", "(stencil3d:8KiB,calc=1ms)*20,allreduce:8B"},
        {"(stencil3d,calc=1ms)*20,allreduce*2", "((stencil3d,calc=1ms)*20,allreduce)*2"},
        {"((ring)*2)*3", "((ring)*2)*3"},
        {"seed=7,random*2", "seed=7,(random)*2"},
        {"seed=1,random", "random"},
        {"bcast:knomial-3:1KiB,MPI_Barrier", "bcast:knomial-3:1KiB,MPI_Barrier"},
        {"wavefront*2,calc=1us*3", "((wavefront)*2,calc=1us)*3"},
        {"wavefront*1,calc=1us", "wavefront,calc=1us"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(sched_pattern) p = sched_pattern_new(row[i][0], &error);
        if (row[i][1] == NULL) {
            CHECK(p == NULL, "'%s'", row[i][0]);
            continue;
        }
        if (CHECK(p != NULL, "'%s': %s", row[i][0], error != NULL ? error->message : "")) {
            g_autofree char *text = sched_pattern_format(p);
            CHECK_STR(text, row[i][1], "'%s'", row[i][0]);
        }
    }
}

static void calls_come_after_what_they_take_beside_their_messages(void)
{
    static const sim_call_cost COSTS[SIM_NUM_CALLS] = {
        [SIM_CALL_ALLREDUCE] = {95 * SIM_NS, 2 * SIM_NS * SIM_RATE_PER_PS},
        [SIM_CALL_BARRIER] = {1500, SIM_RATE_PER_PS},
    };
    static const char *const row[][2] = {
        {"ring,bcast:8B", "ring,bcast:8B"},
        {"allreduce:8B", "(calc=111ns,allreduce:8B)"},
        {"allreduce:ring:0B,scan", "allreduce:ring:0B,scan"},
        {"(ring,barrier*4)*3", "(ring,((calc=1.5ns,barrier))*4)*3"},
        {"wavefront,allreduce:1B", "wavefront,(calc=97ns,allreduce:1B)"},
        {"wavefront,calc=1us,barrier*2", "(wavefront,calc=1us,(calc=1.5ns,barrier))*2"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(sched_pattern) p = sched_pattern_new(row[i][0], &error);
        g_autoptr(sched_pattern) with =
            p != NULL ? sched_pattern_with_calls(p, COSTS, &error) : NULL;
        if (CHECK(with != NULL, "'%s': %s", row[i][0], error != NULL ? error->message : "")) {
            g_autofree char *text = sched_pattern_format(with);
            CHECK_STR(text, row[i][1], "'%s'", row[i][0]);
        }
    }
}

static void what_is_wrong_is_said(void)
{
    static const char *const row[][2] = {
        {"", "an item is missing at the end"},
        {"  ", "an item is missing at the end"},
        {"ring,", "an item is missing at the end"},
        {",ring", "an item is missing before ',ring'"},
        {"ring,,ring", "an item is missing before ',ring'"},
        {"()", "an item is missing before ')'"},
        {"(ring", "a ')' is missing"},
        {"ring)", "')' closes what was not opened"},
        {"(ring)ring", "closes what was not opened"},
        {"ring(ring)", "a comma is missing before '(ring)'"},
        {"ring*2*3", "a comma is missing before '*3'"},
        {"ring*", "'*': a number of times"},
        {"ring*0", "'*0': a number of times"},
        {"ring*-1", "'*-1': a number of times"},
        {"*3", "an item is missing before '*3'"},
        {"stencil4d:8", "'stencil4d:8': there is no such item; did you mean 'stencil"},
        {"calculate=1us", "'calculate=1us': there is no such item"},
        {"frob", "known are calc, stencil1d, stencil2d, stencil3d, wavefront, ring, random, bar"},
        {"ring:8x", "'ring:8x': '8x' is not a size"},
        {"ring:", "'ring:': '' is not a size"},
        {"ring:8:9", "'8:9' is not a size"},
        {"ring=8", "'ring=8': the form is ring[:BYTES]"},
        {"calc", "'calc': the form is calc=TIME[~PERCENT%]"},
        {"calc:1us", "the form is calc=TIME[~PERCENT%]"},
        {"calc=", "'' is not a time"},
        {"calc=200", "'200' has no unit"},
        {"calc=1x", "'1x' is not a time"},
        {"calc=1us~5", "'5' is not a percentage from 0% to 100%"},
        {"calc=1us~101%", "'101%' is not a percentage"},
        {"calc=1us~-1%", "'-1%' is not a percentage"},
        {"calc=1us~", "'' is not a percentage"},
        {"calc=1us~nan%", "'nan%' is not a percentage"},
        {"calc=1us~5%~5%", "'5%~5%' is not a percentage"},
        {"calc=500h~100%", "may be longer than can be simulated"},
        {"allreduce:rings", "'allreduce:rings': 'rings' is not an algorithm, nor a size"},
        {"barrier:8", "a barrier moves no bytes"},
        {"wavefront,calc=1us*2,ring",
         "'calc=1us*2': a calc after a wavefront is made in the midst"},
        {"seed=7", "a comma and an item are missing after the seed"},
        {"seed=x,ring", "'seed=x': 'x' is not a number"},
        {"seed=,ring", "is not a number"},
        {"ring,seed=7", "'seed=7': there is no such item"},
        {"(seed=7,ring)", "'seed=7': there is no such item"},
        {"ring*4000000000,(ring)*4000000000", "more than 4294967294 items"},
        {"((ring)*70000)*70000", "more than 4294967294 items"},
        {"(ring)*4294967294,ring", "more than 4294967294 items"},
        {"((((((((((((((((((ring))))))))))))))))))", "more than 16 parentheses"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(sched_pattern) p = sched_pattern_new(row[i][0], &error);
        CHECK(p == NULL, "'%s'", row[i][0]);
        CHECK_ERROR(error, row[i][1]);
        CHECK(error == NULL || strchr(error->message, '\n') == NULL, "'%s': one line", row[i][0]);
    }
}

static void what_is_written_is_read_as_the_same(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(2);
    for (int i = 0; i < 3000; i++) {
        g_autofree char *text = pattern_random_text(rand);
        g_autoptr(GError) error = NULL;
        g_autoptr(sched_pattern) p = sched_pattern_new(text, &error);
        if (!CHECK(p != NULL, "'%s': %s", text, error != NULL ? error->message : "")) {
            continue;
        }
        g_autofree char *once = sched_pattern_format(p);
        g_autoptr(sched_pattern) back = sched_pattern_new(once, &error);
        if (CHECK(back != NULL, "'%s': %s", once, error != NULL ? error->message : "")) {
            g_autofree char *twice = sched_pattern_format(back);
            CHECK_STR(twice, once, "'%s'", text);
        }
    }
}

static void options_are_asked_for_what_they_change(void)
{
    g_autoptr(sched_pattern) p = sched_pattern_new("bcast:linear,barrier,ring", NULL);
    CHECK(sched_pattern_leaves_open(p, COLL_BARRIER));
    CHECK(!sched_pattern_leaves_open(p, COLL_BCAST), "its algorithm is named");
    CHECK(!sched_pattern_leaves_open(p, COLL_ALLREDUCE), "there is none");
    CHECK(!sched_pattern_combines(p));
    g_autoptr(sched_pattern) q = sched_pattern_new("(ring,reduce:linear)*2", NULL);
    CHECK(sched_pattern_combines(q));
    g_autofree char *items = sched_pattern_list_items();
    CHECK(strstr(items, "calc=TIME[~PERCENT%], stencil1d[:BYTES]") != NULL, "%s", items);
}

SUITE_MAIN("pattern_parse", TEST(a_text_means_what_it_is_written_as),
           TEST(calls_come_after_what_they_take_beside_their_messages), TEST(what_is_wrong_is_said),
           TEST(what_is_written_is_read_as_the_same), TEST(options_are_asked_for_what_they_change))
