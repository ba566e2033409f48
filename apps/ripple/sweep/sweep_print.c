/* apps/ripple/sweep/sweep_print.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_sweep. */
#include "sweep/sweep_print.h"

#include "findings/remark.h"
#include "output/output.h"
#include "output/sentences.h"
#include "sim/json_member.h"
#include "sim/unit.h"
#include "sweep/sweep_conditions.h"
#include "sweep/sweep_findings.h"
#include "sweep/sweep_rows.h"

enum { NUM_RESULTS = 8 }; /* columns at most, beside the parameters */

/* @param remarks the last column is words */
static void print_cells(char **cells, const size_t *widths, bool remarks, FILE *out)
{
    g_autoptr(GString) line = g_string_new(NULL);
    for (size_t i = 0; cells[i] != NULL; i++) {
        const bool last = cells[i + 1] == NULL;
        const size_t len = (size_t)g_utf8_strlen(cells[i], -1);
        g_string_append_printf(line, "%s%*s%s", i > 0 ? "  " : "",
                               last && remarks ? 0 : (int)(widths[i] - len), "", cells[i]);
    }
    fprintf(out, "%s\n", g_strchomp(line->str));
}

static void print_rows(const app_sweep_table *table, bool noisy, FILE *out)
{
    g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
    g_ptr_array_add(rows, app_sweep_rows_head(table));
    for (size_t i = 0; i < table->num_points; i++) {
        if (table->points[i].done) {
            g_ptr_array_add(rows, app_sweep_rows_cells(table, &table->points[i], noisy));
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
        print_cells(g_ptr_array_index(rows, i), widths, noisy, out);
    }
}

static app_sweep_conditions *conditions_of(const app_sweep_table *table)
{
    g_autoptr(GPtrArray) noisy = app_sweep_rows_noisy(table);
    return app_sweep_conditions_new((const app_sweep_point *const *)(gconstpointer)noisy->pdata,
                                    noisy->len);
}

static void print_sentences(char **sentences, FILE *out)
{
    for (size_t i = 0; sentences[i] != NULL; i++) {
        app_sentence_print(sentences[i], out);
    }
}

/* @return how many */
static size_t print_conditions(const app_sweep_conditions *conditions, bool grave, FILE *out)
{
    size_t n = 0;
    for (size_t i = 0; i < conditions->n; i++) {
        if (conditions->list[i].grave == grave) {
            app_sentence_print(conditions->list[i].text, out);
            n++;
        }
    }
    return n;
}

void app_sweep_print_statements(const app_sweep_table *table, FILE *out)
{
    g_autoptr(app_sweep_conditions) conditions = conditions_of(table);
    g_auto(GStrv) findings = app_sweep_findings_new(table);
    (void)print_conditions(conditions, true, out);
    (void)print_conditions(conditions, false, out);
    print_sentences(findings, out);
}

static void print_text(const void *result, FILE *out)
{
    const app_sweep_table *table = result;
    g_autoptr(GPtrArray) noisy = app_sweep_rows_noisy(table);
    g_autoptr(app_sweep_conditions) conditions = conditions_of(table);
    g_auto(GStrv) legend = app_sweep_rows_legend(table);
    g_auto(GStrv) findings = app_sweep_findings_new(table);
    if (print_conditions(conditions, true, out) > 0) {
        fputc('\n', out);
    }
    print_rows(table, noisy->len > 0, out);
    print_sentences(legend, out);
    if (noisy->len > 0) {
        fputc('\n', out);
    }
    (void)print_conditions(conditions, false, out);
    print_sentences(findings, out);
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

static void print_real(double value, FILE *out)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    fprintf(out, ",%s", g_ascii_formatd(number, sizeof number, "%.6g", value));
}

/* Empty columns without noise. */
static void print_slowdown(const app_sweep_result *r, FILE *out)
{
    const app_series *s = &r->series;
    fprintf(out, ",%s,%u", app_sweep_quantities[s->quantity], s->passes);
    if (s->mode == APP_IDEAL) {
        fputs(",,,,,,,,,\n", out);
        return;
    }
    const app_mean *m = &s->slowdown;
    const app_met *met = app_series_rarest_met(s);
    const double numbers[] = {m->mean, m->low, m->high, m->level, m->median};
    for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++) {
        print_real(numbers[i], out);
    }
    if (met != NULL) {
        print_real(met->by_rank, out);
        print_real(met->by_run, out);
    } else {
        fputs(",,", out);
    }
    g_autofree char *remarks = app_series_codes(s, " ");
    fprintf(out, ",%s,%s\n", app_sweep_origins[app_sweep_result_origin(r)], remarks);
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
    fputs(",mode,runs,ideal_ns,median_ns,low_ns,high_ns,quantity,passes,slowdown,slowdown_low,"
          "slowdown_high,slowdown_level,slowdown_median,met_by_rank,met_by_run,noise_origin,"
          "remarks\n",
          out);
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
        print_slowdown(r, out);
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

static void build_components(JsonBuilder *builder, const app_sweep_result *r)
{
    sim_json_begin_array(builder, "met");
    for (size_t i = 0; i < r->series.num_met; i++) {
        const app_sweep_component *c = &r->components[i];
        const app_met *met = &r->series.met[i];
        json_builder_begin_object(builder);
        sim_json_text(builder, "component", c->name);
        sim_json_text(builder, "origin", app_sweep_origins[c->origin]);
        sim_json_text(builder, "source", c->source);
        sim_json_double(builder, "interval_ps", c->interval);
        sim_json_double(builder, "length_ps", c->length);
        sim_json_double(builder, "share", met->share);
        sim_json_int(builder, "ranks", met->ranks);
        sim_json_double(builder, "by_rank", met->by_rank);
        sim_json_double(builder, "by_run", met->by_run);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
}

/* As simulate has it. */
static void build_noisy(JsonBuilder *builder, const app_sweep_result *r)
{
    const app_mean *m = &r->series.slowdown;
    sim_json_begin_object(builder, "slowdown");
    sim_json_double(builder, "mean", m->mean);
    sim_json_double(builder, "median", m->median);
    sim_json_double(builder, "low", m->low);
    sim_json_double(builder, "high", m->high);
    sim_json_double(builder, "level", m->level);
    sim_json_text(builder, "interval", app_sweep_result_method(r));
    json_builder_end_object(builder);
    sim_json_begin_array(builder, "remarks");
    for (int i = 0; i < APP_NUM_REMARKS; i++) {
        if (app_series_has(&r->series, (app_remark)i)) {
            json_builder_add_string_value(builder, app_remarks[i].code);
        }
    }
    json_builder_end_array(builder);
    build_components(builder, r);
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
    sim_json_text(builder, "quantity", app_sweep_quantities[r->series.quantity]);
    sim_json_int(builder, "passes", r->series.passes);
    if (r->series.mode != APP_IDEAL) {
        build_noisy(builder, r);
    }
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
    g_autoptr(app_sweep_conditions) conditions = conditions_of(table);
    g_auto(GStrv) findings = app_sweep_findings_new(table);
    build_notices(builder, table);
    app_sweep_conditions_build(conditions, builder);
    sim_json_begin_array(builder, "findings");
    for (size_t i = 0; findings[i] != NULL; i++) {
        json_builder_add_string_value(builder, findings[i]);
    }
    json_builder_end_array(builder);
    sim_json_begin_array(builder, "points");
    for (size_t i = 0; i < table->num_points; i++) {
        if (table->points[i].done) {
            build_point(builder, table, &table->points[i]);
        }
    }
    json_builder_end_array(builder);
}

const app_result_writer app_sweep_writer = {print_text, print_csv, build};
