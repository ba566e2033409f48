/* apps/ripple/sweep/sweep_estimate.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sweep_database. */
#include "sweep/sweep_estimate.h"

#include "output/error.h"
#include "system/memory.h"

enum {
    POINT_BYTES = 1600, /* in the database: rows of a point, its result, components, conditions */
    RUN_BYTES = 20,     /* a row of makespans */
};

const double app_sweep_worth_estimating = 2e7;

static size_t largest_left(const app_sweep_plan *plan, const bool *left)
{
    size_t largest = SIZE_MAX;
    for (size_t i = 0; i < plan->num_points; i++) {
        if (left[i] && (largest == SIZE_MAX ||
                        app_work_total(&plan->work[i]) > app_work_total(&plan->work[largest]))) {
            largest = i;
        }
    }
    return largest;
}

bool app_sweep_estimate_measure(const app_sweep_plan *plan, app_sweep_maker *maker,
                                const bool *left, unsigned threads, app_estimate *estimate,
                                GError **error)
{
    const app_sweep_setup *s = app_sweep_plan_make(plan, largest_left(plan, left), maker, error);
    if (s == NULL) {
        return false;
    }
    const app_experiment experiment = app_sweep_plan_experiment(s, threads);
    return app_estimate_measure(&experiment, app_workload_in_lanes(&experiment), estimate, error);
}

double app_sweep_estimate_disk(size_t num_points, double runs)
{
    return (double)num_points * POINT_BYTES + runs * RUN_BYTES;
}

bool app_sweep_estimate_check_disk(const char *path, double bytes, GError **error)
{
    g_autofree char *folder = g_path_get_dirname(path);
    const double there = (double)app_disk_available(folder); /* or the disk itself will say so */
    if (bytes <= there) {
        return true;
    }
    g_autofree char *need = app_estimate_format_bytes(bytes);
    g_autofree char *have = app_estimate_format_bytes(there);
    g_set_error(error, APP_ERROR, APP_ERROR_OUTPUT,
                "%s: the results will take about %s, there are %s on its disk", path, need, have);
    return false;
}
