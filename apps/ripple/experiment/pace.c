/* apps/ripple/experiment/pace.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_workload. */
#include "experiment/pace.h"

#include <math.h>

static double since(gint64 began)
{
    return (double)(g_get_monotonic_time() - began) / 1e6;
}

app_pace app_pace_new(double seconds)
{
    const gint64 now = g_get_monotonic_time();
    return (app_pace){.seconds = seconds, .began = now, .step = now};
}

bool app_pace_has_room(const app_pace *pace, double work)
{
    return isinf(pace->seconds) || pace->per_work == 0 ||
           since(pace->began) + work * pace->per_work <= pace->seconds;
}

void app_pace_begin_step(app_pace *pace)
{
    pace->step = g_get_monotonic_time();
}

void app_pace_end_step(app_pace *pace, double work)
{
    pace->per_work = fmax(since(pace->step), 1e-6) / fmax(work, 1);
}
