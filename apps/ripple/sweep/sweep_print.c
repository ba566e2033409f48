/* apps/ripple/sweep/sweep_print.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_sweep. */
#include "sweep/sweep_print.h"

#include "output/number_text.h"
#include "output/output.h"
#include "sim/json_member.h"
#include "sim/unit.h"

enum { NUM_RESULTS = 5 };

/* The varied parameters, then the results. Owned by the caller. */
static char **cells_of(const app_sweep_table *table, const app_sweep_point *p)
{
    g_autoptr(GStrvBuilder) cells = g_strv_builder_new();
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        if (table->varied[id]) {
            g_autofree char *value = app_sweep_value_format((app_parameter_id)id, &p->values[id]);
            g_strv_builder_add(cells, value);
        }
    }
    const app_sweep_result *r = &p->result;
    g_autofree char *ideal = sim_unit_format_time_short(r->series.ideal);
    g_autofree char *median = sim_unit_format_time_short(r->series.times.median);
    g_autofree char *slowdown =
        app_format_slowdown(app_sweep_result_slowdown(r, r->series.times.median));
    g_autofree char *low = app_format_slowdown(app_sweep_result_slowdown(r, r->series.times.low));
    g_autofree char *high = app_format_slowdown(app_sweep_result_slowdown(r, r->series.times.high));
    g_autofree char *interval = g_strdup_printf("%s .. %s", low, high);
    const bool noisy = r->series.mode != APP_IDEAL;
    g_strv_builder_add_many(cells, ideal, noisy ? median : "-", noisy ? slowdown : "-",
                            noisy && r->series.times.level > 0 ? interval : "-", NULL);
    return g_strv_builder_end(cells);
}

static char **headings_of(const app_sweep_table *table)
{
    g_autoptr(GStrvBuilder) cells = g_strv_builder_new();
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        if (table->varied[id]) {
            g_strv_builder_add(cells, app_parameters[id].name);
        }
    }
    g_strv_builder_add_many(cells, "ideal", "median", "slowdown", "interval", NULL);
    return g_strv_builder_end(cells);
}

static void print_cells(char **cells, const size_t *widths, FILE *out)
{
    for (size_t i = 0; cells[i] != NULL; i++) {
        const bool last = cells[i + 1] == NULL;
        fprintf(out, "%s%*s%s", i > 0 ? "  " : "",
                last ? 0 : (int)(widths[i] - (size_t)g_utf8_strlen(cells[i], -1)), "", cells[i]);
    }
    fputc('\n', out);
}

static void print_text(const void *result, FILE *out)
{
    const app_sweep_table *table = result;
    g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
    g_ptr_array_add(rows, headings_of(table));
    for (size_t i = 0; i < table->num_points; i++) {
        if (table->points[i].done) {
            g_ptr_array_add(rows, cells_of(table, &table->points[i]));
        }
    }
    size_t widths[APP_NUM_PARAMETERS + NUM_RESULTS] = {0};
    for (guint i = 0; i < rows->len; i++) {
        char **cells = g_ptr_array_index(rows, i);
        for (size_t j = 0; cells[j] != NULL; j++) {
            widths[j] = MAX(widths[j], (size_t)g_utf8_strlen(cells[j], -1));
        }
    }
    for (guint i = 0; i < rows->len; i++) {
        print_cells(g_ptr_array_index(rows, i), widths, out);
    }
}

/* As in the column of the database. */
static void print_value(app_parameter_id id, const app_sweep_value *value, FILE *out)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    if (value->text != NULL) {
        app_output_csv_text(out, value->text);
    } else if (value->has && app_parameters[id].kind == APP_KIND_RATE) {
        fputs(g_ascii_formatd(number, sizeof number, "%.9g",
                              app_parameter_plotted(id, value->number)),
              out);
    } else if (value->has) {
        fprintf(out, "%" G_GINT64_FORMAT, value->number);
    }
}

static void print_ns(sim_time t, FILE *out)
{
    g_autofree char *text = sim_unit_format_ns(t);
    fprintf(out, ",%s", text);
}

static void print_csv(const void *result, FILE *out)
{
    const app_sweep_table *table = result;
    fputs("point", out);
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        if (table->varied[id]) {
            fprintf(out, ",%s", app_parameters[id].column);
        }
    }
    fputs(",mode,runs,ideal_ns,median_ns,low_ns,high_ns,slowdown\n", out);
    for (size_t i = 0; i < table->num_points; i++) {
        const app_sweep_point *p = &table->points[i];
        if (!p->done) {
            continue;
        }
        fprintf(out, "%zu", p->number);
        for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
            if (table->varied[id]) {
                fputc(',', out);
                print_value((app_parameter_id)id, &p->values[id], out);
            }
        }
        const app_sweep_result *r = &p->result;
        fprintf(out, ",%s,%u", app_mode_name(r->series.mode), r->series.num_runs);
        print_ns(r->series.ideal, out);
        print_ns(r->series.times.median, out);
        print_ns(r->series.times.low, out);
        print_ns(r->series.times.high, out);
        char number[G_ASCII_DTOSTR_BUF_SIZE];
        const double slowdown = app_sweep_result_slowdown(r, r->series.times.median);
        fprintf(out, ",%s\n", g_ascii_formatd(number, sizeof number, "%.6g", slowdown));
    }
}

static void build_value(JsonBuilder *builder, app_parameter_id id, const app_sweep_value *value)
{
    if (value->text != NULL) {
        sim_json_text(builder, app_parameters[id].column, value->text);
    } else if (value->has && app_parameters[id].kind == APP_KIND_RATE) {
        sim_json_double(builder, app_parameters[id].column,
                        app_parameter_plotted(id, value->number));
    } else if (value->has) {
        sim_json_int(builder, app_parameters[id].column, value->number);
    }
}

static void build_point(JsonBuilder *builder, const app_sweep_table *table,
                        const app_sweep_point *p)
{
    const app_sweep_result *r = &p->result;
    json_builder_begin_object(builder);
    sim_json_int(builder, "point", (int64_t)p->number);
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        if (table->varied[id]) {
            build_value(builder, (app_parameter_id)id, &p->values[id]);
        }
    }
    sim_json_text(builder, "mode", app_mode_name(r->series.mode));
    sim_json_int(builder, "runs", r->series.num_runs);
    sim_json_int(builder, "operations", (int64_t)r->series.num_ops);
    sim_json_int(builder, "messages", (int64_t)r->series.num_messages);
    const struct {
        const char *name;
        sim_time value;
    } times[] = {
        {"ideal_ps", r->series.ideal},
        {"min_ps", r->series.times.min},
        {"whisker_low_ps", r->series.times.whisker_low},
        {"quartile1_ps", r->series.times.quartile1},
        {"median_ps", r->series.times.median},
        {"quartile3_ps", r->series.times.quartile3},
        {"whisker_high_ps", r->series.times.whisker_high},
        {"p95_ps", r->series.times.p95},
        {"p99_ps", r->series.times.p99},
        {"max_ps", r->series.times.max},
        {"mean_ps", r->series.times.mean},
        {"ci_low_ps", r->series.times.low},
        {"ci_high_ps", r->series.times.high},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(times); i++) {
        sim_json_int(builder, times[i].name, times[i].value);
    }
    sim_json_double(builder, "ci_level", r->series.times.level);
    sim_json_int(builder, "outliers", (int64_t)r->series.times.outliers);
    sim_json_double(builder, "slowdown", app_sweep_result_slowdown(r, r->series.times.median));
    json_builder_end_object(builder);
}

static void build_notices(JsonBuilder *builder, const app_sweep_table *table)
{
    sim_json_begin_array(builder, "notices");
    for (guint i = 0; i < table->notices->len; i++) {
        const app_sweep_notice *n = &g_array_index(table->notices, app_sweep_notice, i);
        json_builder_begin_object(builder);
        sim_json_text(builder, "what", n->what);
        sim_json_int(builder, "count", (int64_t)n->count);
        sim_json_int(builder, "points", (int64_t)n->points);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
}

static void build(const void *result, JsonBuilder *builder)
{
    const app_sweep_table *table = result;
    build_notices(builder, table);
    sim_json_begin_array(builder, "points");
    for (size_t i = 0; i < table->num_points; i++) {
        if (table->points[i].done) {
            build_point(builder, table, &table->points[i]);
        }
    }
    json_builder_end_array(builder);
}

const app_result_writer app_sweep_writer = {print_text, print_csv, build};
