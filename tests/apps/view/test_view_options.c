/* tests/apps/view/test_view_options.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* What --inject, --lanes and --time take, and what they refuse. */
#include "check.h"
#include "view/view_options.h"
#include "view/view_run.h"

static void a_detour_is_read_in_any_order(void)
{
    app_detour d;
    CHECK(app_view_parse_detour("for=6ms,rank=5,at=1ms", 8, &d, NULL), "read");
    CHECK(d.rank == 5 && d.at == SIM_MS && d.length == 6 * SIM_MS, "its parts");
    static const char *const BAD[] = {"",
                                      "rank=5",
                                      "rank=5,at=1ms,for=6ms,for=1ms",
                                      "rank=8,at=1ms,for=6ms",
                                      "rank=5,at=1,for=0",
                                      "rank=5,at=x,for=1ms",
                                      "rank=5,when=1ms,for=1ms"};
    for (size_t i = 0; i < G_N_ELEMENTS(BAD); i++) {
        g_autoptr(GError) error = NULL;
        CHECK(!app_view_parse_detour(BAD[i], 8, &d, &error), "'%s'", BAD[i]);
        CHECK_ERROR(error, "--inject");
    }
}

static void lanes_are_named_or_the_worst(void)
{
    uint32_t *ranks;
    uint32_t n;
    CHECK(app_view_parse_lanes(NULL, 100, &ranks, &n, NULL) && ranks == NULL, "default");
    CHECK_I64(n, APP_VIEW_WORST, "");
    CHECK(app_view_parse_lanes("worst:7", 4, &ranks, &n, NULL) && ranks == NULL && n == 4, "worst");
    CHECK(app_view_parse_lanes("none", 4, &ranks, &n, NULL) && ranks == NULL && n == 0, "none");
    CHECK(app_view_parse_lanes("3,0-1", 4, &ranks, &n, NULL) && n == 3, "named");
    CHECK(ranks[0] == 3 && ranks[1] == 0 && ranks[2] == 1, "in that order");
    g_free(ranks);
    static const char *const BAD[] = {"", "4", "1-0", "1,1", "0-2,1", "x", "worst:0", "1-", "-1"};
    for (size_t i = 0; i < G_N_ELEMENTS(BAD); i++) {
        g_autoptr(GError) error = NULL;
        CHECK(!app_view_parse_lanes(BAD[i], 4, &ranks, &n, &error), "'%s'", BAD[i]);
        CHECK_ERROR(error, "--lanes");
    }
}

static void either_end_of_a_time_may_be_left_out(void)
{
    static const struct {
        const char *text;
        sim_time from, to;
    } GOOD[] = {{NULL, 0, 0},
                {"1ms..2ms", SIM_MS, 2 * SIM_MS},
                {"..2ms", 0, 2 * SIM_MS},
                {"1ms..", SIM_MS, 0}};
    sim_time from;
    sim_time to;
    for (size_t i = 0; i < G_N_ELEMENTS(GOOD); i++) {
        CHECK(app_view_parse_time(GOOD[i].text, &from, &to, NULL), "row %zu", i);
        CHECK(from == GOOD[i].from && to == GOOD[i].to, "row %zu", i);
    }
    static const char *const BAD[] = {"", "1ms", "2ms..1ms", "..0", "a..b"};
    for (size_t i = 0; i < G_N_ELEMENTS(BAD); i++) {
        g_autoptr(GError) error = NULL;
        CHECK(!app_view_parse_time(BAD[i], &from, &to, &error), "'%s'", BAD[i]);
        CHECK_ERROR(error, "--time");
    }
}

SUITE_MAIN("view_options", TEST(a_detour_is_read_in_any_order), TEST(lanes_are_named_or_the_worst),
           TEST(either_end_of_a_time_may_be_left_out))
