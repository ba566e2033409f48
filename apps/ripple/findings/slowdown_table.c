/* apps/ripple/findings/slowdown_table.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_simulate. */
#include "findings/slowdown_table.h"

#include "findings/remark.h"
#include "findings/result_text.h"
#include "output/number_text.h"
#include "sim/unit.h"

#include <math.h>

enum { COLUMNS = 10, NOISY = 3 }; /* columns from NOISY on are of noisy series only */

/* Which of a column's widths is negative: aligned to the left. */
static const int WIDTHS[COLUMNS] = {6, -14, 8, 9, 21, 8, 8, 7, 8, 0};

static const app_series *first_noisy(const app_results *results)
{
    for (size_t i = 0; i < results->num_series; i++) {
        if (results->series[i].mode != APP_IDEAL) {
            return &results->series[i];
        }
    }
    return NULL;
}

static bool is_steady(const app_results *results)
{
    return app_results_quantity(results) == APP_STEADY;
}

/* "95 % interval", "range", or either, as each row says. */
static const char *interval_name(const app_results *results)
{
    bool intervals = false;
    bool ranges = false;
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        intervals = intervals || s->slowdown.level > 0;
        ranges = ranges || (s->mode != APP_IDEAL && app_series_has(s, APP_REMARK_RANGE));
    }
    return intervals && ranges ? "95 % interval, range" : ranges ? "range" : "95 % interval";
}

static char *time_cell(const app_series *s, bool steady)
{
    const double passes = steady ? MAX(s->passes, 1) : 1;
    return sim_unit_format_time_short((sim_time)((double)s->times.mean / passes));
}

static char *runs_cell(const app_series *s)
{
    return s->passes > 1 ? g_strdup_printf("%ux%u", s->num_runs, s->passes)
                         : g_strdup_printf("%u", s->num_runs);
}

/* @p cells [COLUMNS], owned by the caller */
static void fill_row(const app_series *s, bool steady, char **cells)
{
    cells[0] = sim_unit_format_count(s->ranks);
    cells[1] = g_strdup(app_mode_name(s->mode));
    cells[2] = time_cell(s, steady);
    if (s->mode == APP_IDEAL) {
        for (int i = NOISY; i < COLUMNS; i++) {
            cells[i] = g_strdup("");
        }
        return;
    }
    const app_met *met = app_series_rarest_met(s);
    cells[3] = app_series_cell(s);
    cells[4] = app_series_interval_cell(s);
    cells[5] = cells[4][0] == '-' && cells[4][1] == '\0' ? g_strdup("-")
                                                         : app_format_slowdown(s->slowdown.median);
    cells[6] = runs_cell(s);
    cells[7] = met != NULL ? app_format_met(met->by_rank) : g_strdup("-");
    cells[8] = met != NULL ? app_format_met(met->by_run) : g_strdup("-");
    cells[9] = app_series_remarks(s);
}

static void fill_head(const app_results *results, const char **cells)
{
    const char *const head[COLUMNS] = {"ranks",
                                       "noise",
                                       is_steady(results) ? "a pass" : "makespan",
                                       "slowdown",
                                       interval_name(results),
                                       "median",
                                       "runs",
                                       "by rank",
                                       "by run",
                                       "remarks"};
    for (int i = 0; i < COLUMNS; i++) {
        cells[i] = head[i];
    }
}

static void print_row(const char *const *cells, size_t n, FILE *out)
{
    GString *line = g_string_new(NULL);
    for (size_t i = 0; i < n; i++) {
        g_string_append_printf(line, "%s%*s",
                               i == 0   ? ""
                               : i == 1 ? "  "
                                        : " ",
                               WIDTHS[i], cells[i]);
    }
    fprintf(out, "%s\n", g_strchomp(line->str));
    g_string_free(line, TRUE);
}

static void free_cells(char **cells)
{
    for (int i = 0; i < COLUMNS; i++) {
        g_free(cells[i]);
    }
}

/* Is some slowdown printed as a factor? */
static bool has_factor(const app_results *results)
{
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        g_autofree char *cell = app_format_slowdown(MAX(s->slowdown.mean, s->slowdown.high));
        if (s->mode != APP_IDEAL && cell[0] == 'x') {
            return true;
        }
    }
    return false;
}

/* What the columns are, a line each. Owned by the caller. */
static char **legend_of(const app_results *results)
{
    GPtrArray *lines = g_ptr_array_new();
    const app_series *s = first_noisy(results);
    if (is_steady(results)) {
        g_ptr_array_add(lines,
                        g_strdup("slowdown: steady, how much longer a pass takes in the long "
                                 "run; mean of the replicas; runs: replicas x passes"));
    } else {
        g_autofree char *passes = app_format_passes(s->passes);
        g_ptr_array_add(lines,
                        g_strdup_printf("slowdown: (noisy - ideal) / ideal of %s from a cold "
                                        "start; mean of the replicas; runs: replicas%s",
                                        passes, s->passes > 1 ? " x passes" : ""));
    }
    g_ptr_array_add(
        lines, g_strdup_printf(
                   "by rank, by run: detours%s that one rank, and the whole run, meet on average",
                   s->num_met > 1 ? " of the component met least" : ""));
    if (has_factor(results)) {
        g_ptr_array_add(lines,
                        g_strdup("x N: N times as long as ideal, where that is 1,000 % and more"));
    }
    g_ptr_array_add(lines, NULL);
    return (char **)g_ptr_array_free(lines, FALSE);
}

void app_slowdown_table_print(const app_results *results, FILE *out)
{
    const size_t columns = results->noisy ? COLUMNS : NOISY;
    const bool steady = is_steady(results);
    const char *head[COLUMNS];
    fill_head(results, head);
    print_row(head, columns, out);
    for (size_t i = 0; i < results->num_series; i++) {
        char *cells[COLUMNS];
        fill_row(&results->series[i], steady, cells);
        print_row((const char *const *)cells, columns, out);
        free_cells(cells);
    }
    g_auto(GStrv) legend = results->noisy ? legend_of(results) : NULL;
    for (char **line = legend; line != NULL && *line != NULL; line++) {
        fprintf(out, "%s\n", *line);
    }
}

void app_slowdown_table_add(const app_results *results, app_page *page)
{
    const bool steady = is_steady(results);
    const char *head[COLUMNS + 1] = {NULL};
    fill_head(results, head);
    head[results->noisy ? COLUMNS : NOISY] = NULL;
    app_page_table_begin(page, head);
    for (size_t i = 0; i < results->num_series; i++) {
        char *cells[COLUMNS + 1] = {NULL};
        fill_row(&results->series[i], steady, cells);
        const char *shown[COLUMNS + 1] = {NULL};
        for (int j = 0; j < (results->noisy ? COLUMNS : NOISY); j++) {
            shown[j] = cells[j];
        }
        app_page_table_row(page, shown);
        free_cells(cells);
    }
    app_page_table_end(page);
    g_auto(GStrv) legend = results->noisy ? legend_of(results) : NULL;
    for (char **line = legend; line != NULL && *line != NULL; line++) {
        app_page_paragraph(page, *line);
    }
}
