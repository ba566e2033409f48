/* apps/ripple/sweep/sweep_rows.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_sweep, test_sweep_conditions. */
#include "sweep/sweep_rows.h"

#include "findings/remark.h"
#include "findings/result_text.h"
#include "output/number_text.h"
#include "sim/unit.h"

GPtrArray *app_sweep_rows_noisy(const app_sweep_table *table)
{
    GPtrArray *points = g_ptr_array_new();
    for (size_t i = 0; i < table->num_points; i++) {
        app_sweep_point *p = &table->points[i];
        if (p->done && p->result.series.mode != APP_IDEAL) {
            g_ptr_array_add(points, p);
        }
    }
    return points;
}

const char *app_sweep_rows_interval(const app_sweep_point *const *points, size_t n)
{
    bool intervals = false;
    bool ranges = false;
    for (size_t i = 0; i < n; i++) {
        const app_series *s = &points[i]->result.series;
        intervals = intervals || s->slowdown.level > 0;
        ranges = ranges || app_series_has(s, APP_REMARK_RANGE);
    }
    if (intervals) {
        return ranges ? "95 % interval, range" : "95 % interval";
    }
    return ranges ? "range" : NULL;
}

char **app_sweep_rows_head(const app_sweep_table *table)
{
    g_autoptr(GStrvBuilder) cells = g_strv_builder_new();
    g_autoptr(GPtrArray) noisy = app_sweep_rows_noisy(table);
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        if (table->varied[id]) {
            g_strv_builder_add(cells, app_parameters[id].name);
        }
    }
    g_strv_builder_add(cells, "ideal");
    if (noisy->len > 0) {
        const char *interval = app_sweep_rows_interval(
            (const app_sweep_point *const *)(gconstpointer)noisy->pdata, noisy->len);
        g_strv_builder_add_many(cells, "slowdown", interval != NULL ? interval : "interval",
                                "median", "runs", "met/rank", "met/run", "remarks", NULL);
    }
    return g_strv_builder_end(cells);
}

char *app_sweep_rows_remarks(const app_sweep_result *r)
{
    g_autofree char *remarks = app_series_remarks(&r->series);
    const bool invalid = app_conditions_find(r->conditions, "invalid-measurement") != NULL;
    return invalid ? g_strconcat("not valid", remarks[0] != '\0' ? ", " : "", remarks, NULL)
                   : g_steal_pointer(&remarks);
}

/* What there is of noisy points only. */
static void add_noisy_cells(GStrvBuilder *cells, const app_sweep_result *r)
{
    const app_series *s = &r->series;
    const app_met *met = app_series_rarest_met(s);
    g_autofree char *slowdown = app_series_cell(s);
    g_autofree char *interval = app_series_interval_cell(s);
    g_autofree char *median =
        g_str_equal(interval, "-") ? g_strdup("-") : app_format_slowdown(s->slowdown.median);
    g_autofree char *runs = s->passes > 1 ? g_strdup_printf("%ux%u", s->num_runs, s->passes)
                                          : g_strdup_printf("%u", s->num_runs);
    g_autofree char *by_rank = met != NULL ? app_format_met(met->by_rank) : g_strdup("-");
    g_autofree char *by_run = met != NULL ? app_format_met(met->by_run) : g_strdup("-");
    g_autofree char *remarks = app_sweep_rows_remarks(r);
    g_strv_builder_add_many(cells, slowdown, interval, median, runs, by_rank, by_run, remarks,
                            NULL);
}

char **app_sweep_rows_cells(const app_sweep_table *table, const app_sweep_point *p, bool noisy)
{
    g_autoptr(GStrvBuilder) cells = g_strv_builder_new();
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        if (table->varied[id]) {
            g_autofree char *value = app_sweep_value_format((app_parameter_id)id, &p->values[id]);
            g_strv_builder_add(cells, value);
        }
    }
    const app_series *s = &p->result.series;
    g_autofree char *ideal = sim_unit_format_time_short(s->ideal);
    g_strv_builder_add(cells, ideal);
    if (s->mode != APP_IDEAL) {
        add_noisy_cells(cells, &p->result);
    } else if (noisy) {
        g_strv_builder_add_many(cells, "-", "-", "-", "-", "-", "-", "", NULL);
    }
    return g_strv_builder_end(cells);
}

/* Is some slowdown printed as a factor? */
static bool has_factor(const GPtrArray *noisy)
{
    for (guint i = 0; i < noisy->len; i++) {
        const app_sweep_point *p = g_ptr_array_index(noisy, i);
        const app_mean *m = &p->result.series.slowdown;
        g_autofree char *cell = app_format_slowdown(MAX(m->mean, m->high));
        if (cell[0] == 'x') {
            return true;
        }
    }
    return false;
}

/* "one pass", or how to find out. Owned by the caller. */
static char *passes_of(const GPtrArray *noisy, bool *several)
{
    const app_sweep_point *first = g_ptr_array_index(noisy, 0);
    bool same = true;
    *several = false;
    for (guint i = 0; i < noisy->len; i++) {
        const app_sweep_point *p = g_ptr_array_index(noisy, i);
        same = same && p->result.series.passes == first->result.series.passes;
        *several = *several || p->result.series.passes > 1;
    }
    return same ? app_format_passes(first->result.series.passes)
                : g_strdup("as many passes as 'repeat' says");
}

/* Several in some point. */
static bool has_components(const GPtrArray *noisy)
{
    for (guint i = 0; i < noisy->len; i++) {
        if (((const app_sweep_point *)g_ptr_array_index(noisy, i))->result.series.num_met > 1) {
            return true;
        }
    }
    return false;
}

char **app_sweep_rows_legend(const app_sweep_table *table)
{
    g_autoptr(GStrvBuilder) lines = g_strv_builder_new();
    g_autoptr(GPtrArray) noisy = app_sweep_rows_noisy(table);
    if (noisy->len > 0) {
        bool several;
        g_autofree char *passes = passes_of(noisy, &several);
        g_autofree char *slowdown = g_strdup_printf(
            "slowdown: (noisy - ideal) / ideal of %s from a cold start; mean of the replicas; "
            "runs: replicas%s",
            passes, several ? " x passes" : "");
        g_strv_builder_add(lines, slowdown);
        g_strv_builder_add(lines, has_components(noisy)
                                      ? "met: detours of the component met least that one rank and "
                                        "the whole run meet, on average"
                                      : "met: detours that one rank and the whole run meet, on "
                                        "average");
        if (has_factor(noisy)) {
            g_strv_builder_add(lines, "x N: N times as long as ideal, where that is 1,000 % and "
                                      "more");
        }
    }
    return g_strv_builder_end(lines);
}

char *app_sweep_rows_place(const app_sweep_table *table, const app_sweep_point *p)
{
    GString *place = g_string_new(NULL);
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        if (table->varied[id] && p->values[id].has) {
            g_autofree char *value = app_sweep_value_format((app_parameter_id)id, &p->values[id]);
            g_string_append_printf(place, "%s%s=%s", place->len > 0 ? ", " : "",
                                   app_parameters[id].name, value);
        }
    }
    return g_string_free(place, FALSE);
}
