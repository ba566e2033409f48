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
    g_autoptr(app_progress) p = app_progress_new("test", "runs", true);
    app_progress_expect(p, 4, 4);
    double one = 0;
    double other = 0;
    check_share(p, 0, "at first");
    app_progress_reach(p, &one, 0.5);
    check_share(p, 0.125, "half of one");
    app_progress_reach(p, &other, 0.25);
    app_progress_reach(p, &one, 1);
    check_share(p, 0.3125, "one and a quarter");
    app_progress_advance(p, 1, 1, &one);
    check_share(p, 0.3125, "the one is done, and not counted twice");
    app_progress_advance(p, 2, 2, NULL);
    app_progress_advance(p, 1, 1, &other);
    check_share(p, 1, "all");
}

static void steps_count_by_their_work(void)
{
    g_autoptr(app_progress) p = app_progress_new("test", "runs", true);
    app_progress_expect(p, 2, 20);
    app_progress_expect(p, 1, 80);
    double own = 0;
    app_progress_advance(p, 2, 20, NULL);
    check_share(p, 0.2, "the small ones");
    app_progress_reach(p, &own, 40);
    check_share(p, 0.6, "half of the large one");
    app_progress_advance(p, 1, 80, &own);
    check_share(p, 1, "all");
}

static void runs_that_go_at_once_count_for_all_of_them(void)
{
    g_autoptr(app_progress) p = app_progress_new("test", "runs", true);
    app_progress_expect(p, 16, 3000);
    app_watch w = app_watch_of(p, 1000, 1500);
    CHECK(w.watch.look(&w.watch, 500, 0), "it is wanted");
    check_share(p, 0.25, "half of eight");
    CHECK(w.watch.look(&w.watch, 1000, 0), "it is wanted");
    check_share(p, 0.5, "eight");
    app_progress_advance(p, 8, 1500, &w.reached);
    check_share(p, 0.5, "they are done, and not counted twice");
}

/* Two experiments of a command, the second of which turns out to be another than was planned. */
static void what_is_shown_never_falls(void)
{
    g_autoptr(app_progress) p = app_progress_new("test", "runs", true);
    app_progress_expect(p, 2, 100);
    app_progress_advance(p, 1, 50, NULL);
    check_share(p, 0.5, "the first");
    app_progress_expect(p, 3, 100);
    check_share(p, 0.5, "there is more to do");
    app_progress_advance(p, 1, 30, NULL);
    check_share(p, 0.5, "80 of 200");
    app_progress_expect(p, 0, -100);
    check_share(p, 0.8, "it is less after all");
    app_progress_advance(p, 3, 20, NULL);
    check_share(p, 1, "all");
}

static void check_left(app_progress *p, double least, double most, const char *when)
{
    const double left = app_progress_left(p);
    CHECK(left >= least && left <= most, "%s: %g s, not %g to %g", when, left, least, most);
}

/* A rate that was presumed counts like a tenth of the work; 0.2 s are measured. */
static void what_was_presumed_gives_way_to_what_is_measured(void)
{
    g_autoptr(app_progress) p = app_progress_new("test", "runs", true);
    app_progress_expect(p, 10, 1000);
    check_left(p, -1, -1, "nothing is known");
    app_progress_presume(p, 2000);
    check_left(p, 2000, 2010, "nothing is done");
    app_progress_advance(p, 1, 100, NULL);
    g_usleep(200000);
    check_left(p, 900.9, 910, "a tenth, in no time, and a tenth in 200 s");
    app_progress_advance(p, 8, 800, NULL);
    check_left(p, 20.02, 20.3, "nine tenths in no time: 200 s are for all of a tenth more");
    app_progress_advance(p, 1, 100, NULL);
    check_left(p, 0, 0, "all is done");
}

static void what_is_left_is_judged_by_all_that_was_done(void)
{
    g_autoptr(app_progress) p = app_progress_new("test", "runs", true);
    app_progress_expect(p, 2, 100);
    g_usleep(100000);
    app_progress_advance(p, 1, 20, NULL); /* 100 ms, and then some: 80 are left */
    check_left(p, 0.4, 4, "a fifth");
}

static void what_has_no_end_has_no_share(void)
{
    g_autoptr(app_progress) p = app_progress_new("test", "measuring", true);
    app_progress_advance(p, 5, 0, NULL);
    check_share(p, 0, "after 5");
    check_left(p, -1, -1, "after 5");
}

SUITE_MAIN("app_progress", TEST(steps_under_way_count_for_as_much_as_is_done_of_them),
           TEST(steps_count_by_their_work), TEST(runs_that_go_at_once_count_for_all_of_them),
           TEST(what_is_shown_never_falls), TEST(what_was_presumed_gives_way_to_what_is_measured),
           TEST(what_is_left_is_judged_by_all_that_was_done), TEST(what_has_no_end_has_no_share))
