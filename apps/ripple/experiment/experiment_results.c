/* apps/ripple/experiment/experiment_results.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_simulate, cli_stop. */
#include "experiment/experiment_results.h"

#include "analysis/breakdown.h"
#include "output/error.h"
#include "sim/unit.h"
#include "system/stop.h"

void app_results_free(app_results *results)
{
    if (results == NULL) {
        return;
    }
    for (size_t i = 0; i < results->num_series; i++) {
        app_series_clear(&results->series[i]);
    }
    g_free(results->series);
    g_free(results->stopped_by);
    g_free(results->missing);
    g_free(results->left_out);
    g_free(results);
}

void app_results_cut(app_results *results, size_t num_series, const uint32_t *missing,
                     size_t num_missing)
{
    for (size_t i = num_series; i < results->num_series; i++) {
        app_series_clear(&results->series[i]);
    }
    results->num_series = num_series;
    results->stopped_by = app_stop_describe();
    results->missing = g_memdup2(missing, num_missing * sizeof *missing);
    results->num_missing = num_missing;
}

void app_results_leave_out(app_results *results, const uint32_t *ranks, size_t n)
{
    results->left_out = g_memdup2(ranks, n * sizeof *ranks);
    results->num_left_out = n;
}

bool app_results_have(const app_results *results, uint32_t ranks)
{
    bool have = false;
    for (size_t i = 0; i < results->num_series; i++) {
        have = have || results->series[i].ranks == ranks;
    }
    return have;
}

size_t app_results_num_parts(const app_results *results)
{
    sim_time in_nodes = 0;
    for (size_t i = 0; i < results->num_series; i++) {
        in_nodes = MAX(in_nodes, results->series[i].breakdown.node);
    }
    return in_nodes > 0 ? APP_NUM_PARTS : APP_NUM_PARTS - 1;
}

char *app_sizes_format(const uint32_t *ranks, size_t n)
{
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < n; i++) {
        g_autofree char *one = sim_unit_format_count(ranks[i]);
        g_string_append_printf(text, "%s%s", i > 0 ? "," : "", one);
    }
    return g_string_free(text, FALSE);
}

char *app_results_format_missing(const app_results *results)
{
    return app_sizes_format(results->missing, results->num_missing);
}

bool app_results_check_whole(const app_results *results, GError **error)
{
    if (results->stopped_by == NULL) {
        return true;
    }
    size_t there = 0;
    for (size_t i = 0; i < results->num_series; i++) {
        there += results->series[i].mode == APP_IDEAL;
    }
    g_autofree char *missing = app_results_format_missing(results);
    g_set_error(error, APP_ERROR, APP_ERROR_STOPPED,
                "stopped by %s: %zu of %zu sizes are finished; missing: %s", results->stopped_by,
                there, there + results->num_missing, missing);
    return false;
}
