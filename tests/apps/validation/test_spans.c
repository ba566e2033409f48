/* tests/apps/validation/test_spans.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "validation/spans.h"

#include <glib/gstdio.h>

static app_spans *read_text(const char *text, GError **error)
{
    g_autofree char *path = NULL;
    const int file = g_file_open_tmp("ripple-test-XXXXXX", &path, NULL);
    g_assert_true(file >= 0);
    (void)g_close(file, NULL);
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
    app_spans *spans = app_spans_read(path, error);
    (void)g_unlink(path);
    return spans;
}

static void all_ranks_are_read(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(app_spans) s = read_text("# ripple-span 1\n# ranks=3\n"
                                       "0 1000 900 2 0 0 0-1,8 big host\n"
                                       "1 3000 800 0 8 8 8 other\n"
                                       "2 2000 700 1 1 1 1 big host\n",
                                       &error);
    if (!CHECK(s != NULL, "%s", error != NULL ? error->message : "")) {
        return;
    }
    CHECK_I64(s->num_ranks, 3);
    CHECK_I64(s->num_nodes, 2);
    CHECK_I64(s->rank[0].node, 0);
    CHECK_I64(s->rank[1].node, 1);
    CHECK_I64(s->rank[2].node, 0);
    CHECK_I64(s->rank[0].num_cpus, 3);
    CHECK_I64(s->rank[0].cpus[2], 8);
    CHECK_I64(s->rank[0].cpu, 900 * SIM_NS);
    CHECK_I64(s->rank[0].preempted, 2);
    CHECK_I64(app_spans_wall(s), 3000 * SIM_NS);
    CHECK_I64(app_spans_num_cpus(s, 0), 3);
    CHECK_I64(app_spans_num_cpus(s, 1), 1);
    CHECK(!app_spans_are_pinned(s), "rank 0 may move");
}

static void damage_is_named(void)
{
    static const struct {
        const char *text, *words;
    } ROWS[] = {
        {"", ":1: not the times of a run: ''"},
        {"# ripple-span 2\n# ranks=1\n", ":1: not the times of a run: '# ripple-span 2'"},
        {"# ripple-span 1\n# ranks=0\n", ":1: not the times of a run"},
        {"# ripple-span 1\n# ranks=2\n0 1 1 0 0 0 0 h\n", ":4: not the times of rank 1: ''"},
        {"# ripple-span 1\n# ranks=1\n1 1 1 0 0 0 0 h\n", ":3: not the times of rank 0: '1 1 1"},
        {"# ripple-span 1\n# ranks=1\n0 0 1 0 0 0 0 h\n", ":3: not the times of rank 0"},
        {"# ripple-span 1\n# ranks=1\n0 1 1 0 0 0 ? h\n", ":3: not the times of rank 0"},
        {"# ripple-span 1\n# ranks=1\n0 1 1 0 0 0 3-1 h\n", ":3: not the times of rank 0"},
        {"# ripple-span 1\n# ranks=1\n0 1 1 0 0 0 h\n", ":3: not the times of rank 0"},
        {"# ripple-span 1\n# ranks=1\n0 99999999999999999 1 0 0 0 0 h\n", ":3: not the times"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(app_spans) s = read_text(ROWS[i].text, &error);
        CHECK(s == NULL, "row %zu", i);
        CHECK_ERROR(error, ROWS[i].words);
    }
}

static void ranks_have_room_if_each_can_have_a_cpu(void)
{
    static const struct {
        const char *cpus[4]; /* of each rank; "@" in front: on another node */
        bool room;
    } ROWS[] = {
        {{"0", "1"}, true},
        {{"0", "0"}, false},
        {{"0-1", "0-1"}, true},
        {{"0-1", "0"}, true},
        {{"0-1", "0-1", "0-1"}, false},
        {{"0-2", "0-1", "0"}, true},
        {{"0-3", "0", "0"}, false},
        {{"0", "@0"}, true},
        {{"0-1", "1-2", "2-3", "0"}, true},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        g_autoptr(GString) lines = g_string_new(NULL);
        unsigned n = 0;
        for (; n < 4 && ROWS[i].cpus[n] != NULL; n++) {
            const char *cpus = ROWS[i].cpus[n];
            const bool away = cpus[0] == '@';
            g_string_append_printf(lines, "%u 1 1 0 0 0 %s %s\n", n, cpus + away,
                                   away ? "away" : "here");
        }
        g_autofree char *text = g_strdup_printf("# ripple-span 1\n# ranks=%u\n%s", n, lines->str);
        g_autoptr(app_spans) s = read_text(text, NULL);
        CHECK(s != NULL && app_spans_have_room(s) == ROWS[i].room, "row %zu", i);
    }
}

SUITE_MAIN("spans", TEST(all_ranks_are_read), TEST(damage_is_named),
           TEST(ranks_have_room_if_each_can_have_a_cpu))
