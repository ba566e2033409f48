/* tests/apps/experiment/test_met.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Detours that a run meets: by hand, from interval and length of the models. */
#include "check.h"
#include "experiment/met.h"

#include <math.h>

typedef struct row {
    const char *noise;
    app_mode mode;
    uint32_t ranks;
    double lasts; /* s */
    double by_rank;
    double by_run;
    double most; /* share that it can add, all waiting for one */
    uint32_t struck;
    uint32_t per_node;
} row;

static void counts_detours_by_time_over_interval(void)
{
    static const row ROWS[] = {
        {"fixed:10Hz:2.5ms", APP_UNSYNCHRONIZED, 16, 4, 40, 640, 0.4, 16, 1},
        {"fixed:10Hz:2.5ms", APP_COSCHEDULED, 16, 4, 40, 40, 0.025, 16, 1},
        {"fixed:10Hz:2.5ms@node-all", APP_UNSYNCHRONIZED, 16, 4, 40, 80, 0.05, 16, 8},
        {"fixed:10Hz:2.5ms@node-all", APP_UNSYNCHRONIZED, 4, 4, 40, 40, 0.025, 4,
         8}, /* of a node */
        {"fixed:10Hz:2.5ms", APP_UNSYNCHRONIZED, 16, 4, 40, 640, 0.4, 16, 8},
        {"fixed:10Hz:2.5ms@node", APP_UNSYNCHRONIZED, 16, 4, 5, 80, 0.05, 16, 8}, /* one of 8 */
        {"fixed:10Hz:2.5ms@node-fixed", APP_UNSYNCHRONIZED, 16, 4, 5, 80, 0.05, 16, 8},
        {"fixed:10Hz:2.5ms@node:1", APP_UNSYNCHRONIZED, 16, 4, 5, 40, 0.025, 8, 8},
        {"fixed:10Hz:2.5ms@node:1", APP_COSCHEDULED, 16, 4, 5, 40, 0.025, 8, 8},
        {"fixed:10Hz:2.5ms@node:1", APP_UNSYNCHRONIZED, 9, 4, 5, 5, 0.003125, 1, 8},
        {"fixed:10Hz:2.5ms@0-15/4", APP_UNSYNCHRONIZED, 16, 4, 40, 160, 0.1, 4, 8},
        {"slow:3%@node:1", APP_UNSYNCHRONIZED, 16, 4, 0, 0, 0, 8, 8}, /* nothing is met */
        {"slow:20%:1s:100ms@node-all", APP_UNSYNCHRONIZED, 16, 4, 4, 8, 0.04, 16, 8},
        {"slow:20%:1s:100ms", APP_UNSYNCHRONIZED, 16, 4, 4, 64, 0.25, 16, 8}, /* always some core */
        {"fixed:10Hz:2.5ms@3,5-7", APP_UNSYNCHRONIZED, 16, 1, 10, 40, 0.1, 4, 1},
        {"fixed:10Hz:2.5ms@3,5-7", APP_UNSYNCHRONIZED, 6, 1, 10, 20, 0.05, 2, 1}, /* 3 and 5 */
        {"fixed:10Hz:2.5ms@3,5-7", APP_COSCHEDULED, 3, 1, 0, 0, 0, 0, 1},         /* nobody */
        {"poisson:20s:2.5ms", APP_UNSYNCHRONIZED, 1024, 0.0154, 0.00077, 0.78848, 0.128, 1024, 1},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        const row *r = &ROWS[i];
        g_autoptr(GError) error = NULL;
        app_places places = {.ranks_per_node = r->per_node, .threads_per_rank = 1};
        g_auto(app_noise)
            noise = {.signature = noise_signature_parse(r->noise, 1, &error), .places = &places};
        g_assert_no_error(error);
        g_autofree app_met *met = app_met_of(&noise, r->mode, r->ranks, r->lasts * (double)SIM_S);
        CHECK_I64(met[0].ranks, r->struck, "%zu", i);
        CHECK(fabs(met[0].by_rank - r->by_rank) < 1e-9, "%zu: %g", i, met[0].by_rank);
        CHECK(fabs(met[0].by_run - r->by_run) < 1e-9, "%zu: %g", i, met[0].by_run);
        CHECK(fabs(met[0].most - r->most) < 1e-9, "%zu: %g", i, met[0].most);
    }
}

/* Two nodes of 4 ranks with 8 cores each, of 64: what a rank meets, by the cores that it has. */
static void a_rank_of_several_cores_meets_what_strikes_any(void)
{
    static const struct {
        const char *noise;
        app_mode mode;
        double by_rank, by_run, share;
    } ROWS[] = {
        {"fixed:10Hz:1ms", APP_UNSYNCHRONIZED, 8, 64, 1 - 0.9227446944279201}, /* 1 - 0.99^8 */
        {"fixed:10Hz:1ms", APP_COSCHEDULED, 1, 1, 0.01},
        {"fixed:10Hz:1ms@node", APP_UNSYNCHRONIZED, 0.125, 1, 0.00125},
        {"fixed:10Hz:1ms@node", APP_COSCHEDULED, 0.125, 0.75,
         0.00125}, /* or neither node's core is used */
        {"fixed:10Hz:1ms@node-all", APP_UNSYNCHRONIZED, 1, 2, 0.01},
        {"slow:3%", APP_UNSYNCHRONIZED, 0, 0, 0.03},
        {"slow:50%:1s:500ms", APP_UNSYNCHRONIZED, 0.8, 6.4, 0.5 * (1 - 1 / 256.0)},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        app_places places = {.ranks_per_node = 4, .threads_per_rank = 8, .cores_per_node = 64};
        g_auto(app_noise)
            noise = {.signature = noise_signature_parse(ROWS[i].noise, 1, NULL), .places = &places};
        g_autofree app_met *met = app_met_of(&noise, ROWS[i].mode, 8, (double)SIM_S / 10);
        CHECK_NEAR(met[0].by_rank, ROWS[i].by_rank, 1e-9, "%zu", i);
        CHECK_NEAR(met[0].by_run, ROWS[i].by_run, 1e-9, "%zu", i);
        CHECK_NEAR(met[0].share, ROWS[i].share, 1e-9, "%zu", i);
    }
}

SUITE_MAIN("met", TEST(counts_detours_by_time_over_interval),
           TEST(a_rank_of_several_cores_meets_what_strikes_any))
