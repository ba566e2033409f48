/* apps/ripple/findings/result_text.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_simulate. */
#include "findings/result_text.h"

#include "sim/unit.h"

char *app_format_cosched(const app_series *s, const app_noise *noise)
{
    if (s->mode != APP_COSCHEDULED) {
        return g_strdup("no");
    }
    return noise->sigma == 0 ? g_strdup("yes") : sim_unit_format_time(noise->sigma);
}
