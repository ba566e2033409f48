/* tests/apps/findings/test_remark.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "by_hand.h"
#include "check.h"
#include "findings/remark.h"

#define TIGHT                                                                                      \
    {                                                                                              \
        0.20, 0.21, 0.22, 0.21, 0.20                                                               \
    }
#define LOOSE                                                                                      \
    {                                                                                              \
        0, 0, 0, 0.1, 0                                                                            \
    }
#define SMALL                                                                                      \
    {                                                                                              \
        0.001, 0.0011, 0.001, 0.0012, 0.001                                                        \
    }
#define U APP_UNSYNCHRONIZED
#define C APP_COSCHEDULED

/* What stands in the table: slowdown, interval, remarks; the kind of statement; codes. */
static const struct {
    hand_series series;
    const char *cell;
    const char *interval;
    const char *remarks;
    app_claim claim;
    const char *codes;
} WORDS[] = {
    /* Interval: 0.208 -+ 2.776 * 0.00837 / sqrt(5). */
    {{64, U, APP_PASS, 5, TIGHT, 1, 64, 0, false, 0},
     "20.8 %",
     "19.8 % .. 21.8 %",
     "",
     APP_CLAIM_INTERVAL,
     ""},
    {{64, U, APP_PASS, 3, TIGHT, 1, 64, 0, false, 0},
     "21 %",
     "20 % .. 22 %",
     "range",
     APP_CLAIM_RANGE,
     "range-only"},
    {{64, U, APP_PASS, 1, TIGHT, 1, 64, 0, false, 0},
     "20 %",
     "-",
     "one replica",
     APP_CLAIM_ONE,
     "one-replica"},
    /* 0.02 -+ 2.776 * 0.0447 / sqrt(5) */
    {{64, U, APP_PASS, 5, LOOSE, 1, 64, 0, false, 0},
     "<7.55 %",
     "-3.55 % .. 7.55 %",
     "less than",
     APP_CLAIM_LESS,
     "less-than"},
    {{64, U, APP_PASS, 5, {0}, 1, 64, 0, false, 0},
     "0 %",
     "0 % .. 0 %",
     "no effect",
     APP_CLAIM_LESS,
     "no-effect"},
    /* 5 replicas of 3.9 detours are fewer than 20. */
    {{64, U, APP_PASS, 5, {0}, 0.1, 3.9, 0, false, 0},
     "few met",
     "-",
     "few met",
     APP_CLAIM_NONE,
     "few-met"},
    {{64, U, APP_PASS, 5, TIGHT, 0.1, 3.9, 0, false, 0},
     "20.8 %",
     "19.8 % .. 21.8 %",
     "few met",
     APP_CLAIM_NONE,
     "few-met"},
    {{64, U, APP_PASS, 5, TIGHT, 0.1, 4, 0, false, 0},
     "20.8 %",
     "19.8 % .. 21.8 %",
     "",
     APP_CLAIM_INTERVAL,
     ""},
    {{64, C, APP_STEADY, 5, {0}, 0.1, 0.1, APP_STEADY_TOO_SHORT, false, 0},
     "too short",
     "-",
     "too short",
     APP_CLAIM_NONE,
     "too-short"},
    {{64, C, APP_STEADY, 5, TIGHT, 3, 3, APP_STEADY_TOO_SHORT, false, 0},
     "too short",
     "-",
     "too short",
     APP_CLAIM_NONE,
     "too-short"},
    {{64, C, APP_STEADY, 1, TIGHT, 40, 40, APP_STEADY_FEW, true, 0},
     "20 %",
     "-",
     "check",
     APP_CLAIM_ONE,
     "check"},
    {{64, C, APP_STEADY, 1, {0}, 1, 1, APP_STEADY_TOO_SHORT, true, 0},
     "too short",
     "-",
     "too short, check",
     APP_CLAIM_NONE,
     "too-short check"},
    {{64, U, APP_STEADY, 5, TIGHT, 40, 99, APP_STEADY_DRIFTS, false, 0},
     "20.8 %",
     "19.8 % .. 21.8 %",
     "not settled",
     APP_CLAIM_INTERVAL,
     "drifts"},
    {{64, U, APP_STEADY, 5, TIGHT, 40, 99, APP_STEADY_WIDE, false, 0},
     "20.8 %",
     "19.8 % .. 21.8 %",
     "wide",
     APP_CLAIM_INTERVAL,
     "wide"},
    {{64, U, APP_STEADY, 5, SMALL, 40, 99, APP_STEADY_REACHED, false, 0},
     "0.106 %",
     "0.0949 % .. 0.117 %",
     "absorbed",
     APP_CLAIM_INTERVAL,
     "absorbed"},
    {{64, U, APP_STEADY, 5, SMALL, 40, 99, APP_STEADY_WIDE, false, 0},
     "0.106 %",
     "0.0949 % .. 0.117 %",
     "wide, absorbed",
     APP_CLAIM_INTERVAL,
     "wide absorbed"},
    /* Below the reference, but who knows where it goes. */
    {{64, U, APP_STEADY, 5, SMALL, 40, 99, APP_STEADY_DRIFTS, false, -0.001},
     "0.106 %",
     "0.0949 % .. 0.117 %",
     "not settled",
     APP_CLAIM_INTERVAL,
     "drifts"},
    {{64, U, APP_STEADY, 5, SMALL, 40, 99, APP_STEADY_DRIFTS, false, 0.001},
     "0.106 %",
     "0.0949 % .. 0.117 %",
     "not settled",
     APP_CLAIM_INTERVAL,
     "drifts"},
};

static void every_state_has_its_words(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(WORDS); i++) {
        g_autoptr(app_results) results = hand_results(&WORDS[i].series, 1);
        const app_series *s = &results->series[1];
        g_autofree char *cell = app_series_cell(s);
        g_autofree char *interval = app_series_interval_cell(s);
        g_autofree char *remarks = app_series_remarks(s);
        g_autofree char *codes = app_series_codes(s, " ");
        CHECK_STR(cell, WORDS[i].cell);
        CHECK_STR(interval, WORDS[i].interval);
        CHECK_STR(remarks, WORDS[i].remarks);
        CHECK_STR(codes, WORDS[i].codes);
        CHECK_I64(app_series_claim(s), WORDS[i].claim, "row %zu", i);
    }
}

/* Without interval or range beside it, a number has a remark. */
static void no_number_is_bare(void)
{
    for (int state = APP_STEADY_REACHED; state <= APP_STEADY_FEW; state++) {
        for (uint32_t n = 1; n <= 10; n++) {
            for (int quantity = APP_PASS; quantity <= APP_STEADY; quantity++) {
                for (int met = 0; met < 2; met++) {
                    const hand_series h = {.ranks = 64,
                                           .mode = U,
                                           .quantity = (app_quantity)quantity,
                                           .n = n,
                                           .slowdown = {0.3, 0.1, 0.2},
                                           .by_rank = 1,
                                           .by_run = met ? 100 : 1,
                                           .state = (app_steady_state)state};
                    g_autoptr(app_results) results = hand_results(&h, 1);
                    const app_series *s = &results->series[1];
                    g_autofree char *cell = app_series_cell(s);
                    g_autofree char *interval = app_series_interval_cell(s);
                    g_autofree char *remarks = app_series_remarks(s);
                    CHECK(strchr(cell, '%') == NULL || strstr(interval, " .. ") != NULL ||
                              remarks[0] != '\0',
                          "%s %s %s", cell, interval, remarks);
                    CHECK(s->slowdown.level > 0 || remarks[0] != '\0',
                          "a range is called one: %s %s", cell, interval);
                }
            }
        }
    }
}

SUITE_MAIN("remark", TEST(every_state_has_its_words), TEST(no_number_is_bare))
