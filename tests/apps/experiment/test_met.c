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
        {"fixed:10Hz:2.5ms", APP_UNSYNCHRONIZED, 16, 4, 40, 80, 0.05, 16, 8},
        {"fixed:10Hz:2.5ms", APP_UNSYNCHRONIZED, 4, 4, 40, 40, 0.025, 4, 8}, /* part of a node */
        {"fixed:10Hz:2.5ms@3,5-7", APP_UNSYNCHRONIZED, 16, 1, 10, 40, 0.1, 4, 1},
        {"fixed:10Hz:2.5ms@3,5-7", APP_UNSYNCHRONIZED, 6, 1, 10, 20, 0.05, 2, 1}, /* 3 and 5 */
        {"fixed:10Hz:2.5ms@3,5-7", APP_COSCHEDULED, 3, 1, 0, 0, 0, 0, 1},         /* nobody */
        {"poisson:20s:2.5ms", APP_UNSYNCHRONIZED, 1024, 0.0154, 0.00077, 0.78848, 0.128, 1024, 1},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        const row *r = &ROWS[i];
        g_autoptr(GError) error = NULL;
        g_auto(app_noise) noise = {.signature = noise_signature_parse(r->noise, 1, &error),
                                   .ranks_per_node = r->per_node};
        g_assert_no_error(error);
        g_autofree app_met *met = app_met_of(&noise, r->mode, r->ranks, r->lasts * (double)SIM_S);
        CHECK_I64(met[0].ranks, r->struck, "%zu", i);
        CHECK(fabs(met[0].by_rank - r->by_rank) < 1e-9, "%zu: %g", i, met[0].by_rank);
        CHECK(fabs(met[0].by_run - r->by_run) < 1e-9, "%zu: %g", i, met[0].by_run);
        CHECK(fabs(met[0].most - r->most) < 1e-9, "%zu: %g", i, met[0].most);
    }
}

SUITE_MAIN("met", TEST(counts_detours_by_time_over_interval))
