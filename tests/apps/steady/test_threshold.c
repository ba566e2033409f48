/* tests/apps/steady/test_threshold.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Bisection against a look at all sizes. */
#include "check.h"
#include "steady/threshold.h"

#include <string.h>

enum { MOST = 21 };

typedef struct asked {
    app_verdict truth[MOST];
    bool before[MOST];
    unsigned times;
    size_t fails_at; /* MOST: never */
} asked;

static bool ask(void *data, size_t i, unsigned more, app_verdict *verdict, GError **error)
{
    asked *a = data;
    CHECK(!a->before[i], "size %zu is asked for twice", i);
    CHECK(more <= MOST, "%u", more);
    a->before[i] = true;
    a->times++;
    *verdict = a->truth[i];
    if (i == a->fails_at) {
        g_set_error(error, G_FILE_ERROR, 0, "stopped");
        return false;
    }
    return true;
}

static void finds_what_a_look_at_all_sizes_finds(void)
{
    for (size_t n = 1; n <= MOST; n++) {
        for (size_t below = 0; below <= n; below++) {
            for (size_t above = below; above <= n && above <= below + 3; above++) {
                asked a = {.fails_at = MOST};
                for (size_t i = 0; i < n; i++) {
                    a.truth[i] = i < below ? APP_BELOW : i >= above ? APP_ABOVE : APP_UNDECIDED;
                }
                app_bracket bracket;
                CHECK(app_threshold_find(n, ask, &a, &bracket, NULL));
                CHECK_I64(bracket.below, below, "n %zu, above %zu", n, above);
                CHECK_I64(bracket.above, above, "n %zu, below %zu", n, below);
                CHECK(a.times <= 10, "n %zu: %u sizes", n, a.times);
            }
        }
    }
}

static void says_what_it_knows_when_it_is_stopped(void)
{
    asked a = {.fails_at = 3};
    memset(a.truth, 0, sizeof a.truth);
    for (size_t i = 0; i < 15; i++) {
        a.truth[i] = i < 3 ? APP_BELOW : APP_ABOVE;
    }
    g_autoptr(GError) error = NULL;
    app_bracket bracket;
    CHECK(!app_threshold_find(15, ask, &a, &bracket, &error));
    CHECK(error != NULL);
    CHECK_I64(bracket.below, 0);
    CHECK_I64(bracket.above, 7);
}

SUITE_MAIN("threshold", TEST(finds_what_a_look_at_all_sizes_finds),
           TEST(says_what_it_knows_when_it_is_stopped))
