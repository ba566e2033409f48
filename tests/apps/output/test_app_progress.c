/* tests/apps/output/test_app_progress.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "output/progress.h"
#include "system/watch.h"

static void check_share(app_progress *p, double expected, const char *when)
{
    const double share = app_progress_share(p);
    CHECK(share > expected - 1e-12 && share < expected + 1e-12, "%s: %.17g, not %g", when, share,
          expected);
}

static void steps_under_way_count_for_as_much_as_is_done_of_them(void)
{
    g_autoptr(app_progress) p = app_progress_new("test", "runs", 4, true);
    double one = 0;
    double other = 0;
    check_share(p, 0, "at first");
    app_progress_reach(p, &one, 0.5);
    check_share(p, 0.125, "half of one");
    app_progress_reach(p, &other, 0.25);
    app_progress_reach(p, &one, 1);
    check_share(p, 0.3125, "one and a quarter");
    app_progress_advance(p, 1, &one);
    check_share(p, 0.3125, "the one is done, and not counted twice");
    app_progress_advance(p, 2, NULL);
    app_progress_advance(p, 1, &other);
    check_share(p, 1, "all");
}

static void steps_count_by_their_work(void)
{
    g_autoptr(app_progress) p = app_progress_new("test", "runs", 3, true);
    double own = 0;
    app_progress_weigh(p, 10, 100); /* two of 10, one of 80 */
    app_progress_advance(p, 2, NULL);
    check_share(p, 0.2, "the small ones");
    app_progress_weigh(p, 80, 100);
    app_progress_reach(p, &own, 0.5);
    check_share(p, 0.6, "half of the large one");
    app_progress_advance(p, 1, &own);
    check_share(p, 1, "all");
}

static void runs_that_go_at_once_count_for_all_of_them(void)
{
    g_autoptr(app_progress) p = app_progress_new("test", "runs", 16, true);
    app_watch w = app_watch_of(p, 1000);
    w.steps = 8;
    CHECK(w.watch.look(&w.watch, 500, 0), "it is wanted");
    check_share(p, 0.25, "half of eight");
    CHECK(w.watch.look(&w.watch, 1000, 0), "it is wanted");
    check_share(p, 0.5, "eight");
    app_progress_advance(p, 8, &w.share);
    check_share(p, 0.5, "they are done, and not counted twice");
}

static void what_has_no_end_has_no_share(void)
{
    g_autoptr(app_progress) p = app_progress_new("test", "measuring", 0, true);
    app_progress_advance(p, 5, NULL);
    check_share(p, 0, "after 5");
}

SUITE_MAIN("app_progress", TEST(steps_under_way_count_for_as_much_as_is_done_of_them),
           TEST(steps_count_by_their_work), TEST(runs_that_go_at_once_count_for_all_of_them),
           TEST(what_has_no_end_has_no_share))
