/* tests/apps/study/test_sweep_shipped.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "study/sweep_setup.h"
#include "study/sweep_shipped.h"

#include <math.h>
#include <string.h>

/* Every point can be set up, and all of a size compute for the same time, to the rounding of
 * repetitions. */
static void all_points_compute_for_the_same_time(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(app_sweep_study) study = app_sweep_shipped("study:synchronisation", &error);
    g_assert_no_error(error);
    app_sweep_maker *maker = app_sweep_maker_new();
    size_t n = 0;
    CHECK(app_sweep_study_count(study, &n, &error));
    CHECK_I64(n, 7 * 5);
    for (size_t i = 0; i < n; i++) {
        const char *values[APP_NUM_PARAMETERS];
        app_sweep_study_point(study, i, values);
        const app_sweep_setup *s = app_sweep_make(maker, values, &error);
        g_assert_no_error(error);
        const double interval = (double)s->effective[APP_PARAMETER_INTERVAL].number;
        const double repeat = (double)s->effective[APP_PARAMETER_REPEAT].number;
        CHECK_NEAR(interval * repeat / (double)SIM_MS, 100, 11);
        const char *program = s->effective[APP_PARAMETER_PROGRAM].text;
        g_autofree char *want =
            g_strdup_printf("pattern:calc=%s,allreduce:8B", values[APP_PARAMETER_INTERVAL]);
        CHECK_STR(program, want);
    }
    app_sweep_maker_free(maker);
}

static void an_unknown_study_has_a_hint(void)
{
    g_autoptr(GError) error = NULL;
    CHECK(app_sweep_shipped("study:synchronization", &error) == NULL);
    CHECK(error != NULL && strstr(error->message, "did you mean 'synchronisation'") != NULL, "%s",
          error != NULL ? error->message : "");
}

SUITE_MAIN("sweep_shipped", TEST(all_points_compute_for_the_same_time),
           TEST(an_unknown_study_has_a_hint))
