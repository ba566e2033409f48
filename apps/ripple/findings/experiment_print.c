/* apps/ripple/findings/experiment_print.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_simulate, cli_output, cli_stop. */
#include "findings/experiment_print.h"

#include "analysis/breakdown.h"
#include "findings/breakdown_table.h"
#include "findings/distribution.h"
#include "findings/met_table.h"
#include "findings/remark.h"
#include "findings/result_text.h"
#include "findings/slowdown_table.h"
#include "output/output.h"
#include "sim/json_member.h"
#include "sim/unit.h"

static void print_time(FILE *out, int width, sim_time t)
{
    g_autofree char *text = sim_unit_format_time_short(t);
    fprintf(out, " %*s", width, text);
}

static void print_head(FILE *out, const app_series *s)
{
    g_autofree char *ranks = sim_unit_format_count(s->ranks);
    fprintf(out, "%9s  %-15s", ranks, app_mode_name(s->mode));
}

void app_findings_print(const app_findings *f, FILE *out)
{
    app_slowdown_table_print(f->results, out);
    app_met_table_print(f->results, f->noise, out);
    app_breakdown_table_print(f->results, out);
}

/* Is this series one whose runs are listed? The ideal run is a row of its own only if there is
 * no noise; else it is a column. */
static bool is_listed(const app_results *results, const app_series *s)
{
    return !results->noisy || s->mode != APP_IDEAL;
}

void app_results_print_csv(const app_results *results, const app_noise *noise, FILE *out)
{
    fputs("ranks,noise,cosched,replica,makespan_ns,ideal_ns,slowdown,quantity,passes,remarks\n",
          out);
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        g_autofree char *cosched = app_format_cosched(s, noise);
        g_autofree char *ideal = sim_unit_format_ns(s->ideal);
        g_autofree char *remarks = s->mode != APP_IDEAL ? app_series_codes(s, " ") : g_strdup("");
        for (uint32_t r = 0; is_listed(results, s) && r < s->num_runs; r++) {
            g_autofree char *makespan = sim_unit_format_ns(s->runs[r].makespan);
            fprintf(out, "%u,", s->ranks);
            app_output_csv_text(out, noise_signature_text(noise->signature));
            fprintf(out, ",%s,%u,%s,%s,%.9g,%s,%u,%s\n", cosched, r, makespan, ideal,
                    app_slowdown(s, s->runs[r].makespan), app_quantity_name(s->quantity), s->passes,
                    remarks);
        }
    }
}

/* This form has no column for co-scheduling: it holds the runs of one mode, so that a row is known
 * by its size, replica and rank: the last mode asked for. */
static app_mode mode_by_rank(const app_results *results, const app_noise *noise)
{
    if (!results->noisy) {
        return APP_IDEAL;
    }
    return noise->cosched ? APP_COSCHEDULED : APP_UNSYNCHRONIZED;
}

void app_results_print_ranks_csv(const app_results *results, const app_noise *noise, FILE *out)
{
    const app_mode mode = mode_by_rank(results, noise);
    fputs("ranks,noise,replica,rank,finish_ns\n", out);
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        for (uint32_t r = 0; s->mode == mode && r < s->num_runs; r++) {
            for (uint32_t rank = 0; rank < s->ranks; rank++) {
                g_autofree char *finish = sim_unit_format_ns(s->runs[r].finish[rank]);
                fprintf(out, "%u,", s->ranks);
                app_output_csv_text(out, noise_signature_text(noise->signature));
                fprintf(out, ",%u,%u,%s\n", r, rank, finish);
            }
        }
    }
}

void app_results_print_ranks(const app_results *results, FILE *out)
{
    fputs("\nfinish times of the ranks\n", out);
    fprintf(out, "%9s  %-15s %7s %10s %10s %10s %10s %10s %9s\n", "ranks", "noise", "replica",
            "first", "quartile", "median", "quartile", "last", "last rank");
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        for (uint32_t r = 0; r < s->num_runs; r++) {
            const sim_time *finish = s->runs[r].finish;
            const app_statistics t = app_statistics_of(finish, s->ranks, 0.95);
            uint32_t last = 0;
            while (finish[last] != t.max) {
                last++;
            }
            print_head(out, s);
            fprintf(out, " %7u", r);
            print_time(out, 10, t.min);
            print_time(out, 10, t.quartile1);
            print_time(out, 10, t.median);
            print_time(out, 10, t.quartile3);
            print_time(out, 10, t.max);
            fprintf(out, " %9u\n", last);
        }
    }
}

static void build_breakdown(const app_series *s, size_t num_parts, JsonBuilder *b)
{
    sim_json_begin_object(b, "breakdown_ps");
    for (size_t part = 0; part < num_parts; part++) {
        sim_json_int(b, app_parts[part].key, app_breakdown_part(&s->breakdown, part));
    }
    json_builder_end_object(b);
}

static void build_runs(const app_series *s, JsonBuilder *b)
{
    sim_json_begin_array(b, "makespans_ps");
    for (uint32_t r = 0; r < s->num_runs; r++) {
        json_builder_add_int_value(b, s->runs[r].makespan);
    }
    json_builder_end_array(b);
    if (s->runs[0].finish == NULL) {
        return;
    }
    sim_json_begin_array(b, "finish_ps");
    for (uint32_t r = 0; r < s->num_runs; r++) {
        json_builder_begin_array(b);
        for (uint32_t rank = 0; rank < s->ranks; rank++) {
            json_builder_add_int_value(b, s->runs[r].finish[rank]);
        }
        json_builder_end_array(b);
    }
    json_builder_end_array(b);
}

static void build_slowdown(const app_series *s, JsonBuilder *b)
{
    sim_json_begin_object(b, "slowdown");
    sim_json_double(b, "mean", s->slowdown.mean);
    sim_json_double(b, "median", s->slowdown.median);
    sim_json_double(b, "low", s->slowdown.low);
    sim_json_double(b, "high", s->slowdown.high);
    sim_json_double(b, "level", s->slowdown.level);
    sim_json_text(b, "interval",
                  s->slowdown.level == 0     ? "range"
                  : s->slowdown.is_bootstrap ? "bootstrap"
                                             : "t");
    json_builder_end_object(b);
}

static void build_steady(const app_series *s, JsonBuilder *b)
{
    static const char *const states[] = {"reached", "too-short", "drifts", "wide", "few"};
    sim_json_begin_object(b, "steady");
    sim_json_text(b, "state", states[s->steady.state]);
    sim_json_double(b, "half_width", s->steady.half_width);
    sim_json_int(b, "cut_slices", s->steady.cut);
    sim_json_int(b, "slices", s->num_slices);
    sim_json_double(b, "drift", s->steady.drift);
    sim_json_double(b, "drift_error", s->steady.drift_error);
    sim_json_double(b, "reference", s->steady.reference);
    sim_json_bool(b, "absorbed", s->steady.absorbed);
    sim_json_bool(b, "decided", s->steady.decided);
    sim_json_bool(b, "check", s->steady.check);
    json_builder_end_object(b);
}

/* What is known of a series with noise. */
static void build_noisy(const app_series *s, const app_noise *noise, JsonBuilder *b)
{
    sim_json_text(b, "quantity", app_quantity_name(s->quantity));
    build_slowdown(s, b);
    sim_json_begin_array(b, "remarks");
    g_autofree char *codes = app_series_codes(s, " ");
    g_auto(GStrv) words = g_strsplit(codes, " ", -1);
    for (char **word = words; *word != NULL; word++) {
        sim_json_add_text(b, *word);
    }
    json_builder_end_array(b);
    if (s->quantity == APP_STEADY) {
        build_steady(s, b);
    }
    app_met_build(s, noise, b);
    app_distribution_build(s, b);
}

/* 0: no size is known to be on that side. */
static void build_threshold(const app_threshold *threshold, JsonBuilder *b)
{
    sim_json_begin_object(b, "threshold");
    sim_json_double(b, "slowdown", threshold->slowdown);
    sim_json_int(b, "below", threshold->below);
    sim_json_int(b, "above", threshold->above);
    sim_json_int(b, "undecided", threshold->undecided);
    json_builder_end_object(b);
}

static void build_sizes(const char *name, const uint32_t *ranks, size_t n, JsonBuilder *b)
{
    sim_json_begin_array(b, name);
    for (size_t i = 0; i < n; i++) {
        json_builder_add_int_value(b, ranks[i]);
    }
    json_builder_end_array(b);
}

static void build_stopped(const app_results *results, JsonBuilder *b)
{
    sim_json_begin_object(b, "stopped");
    sim_json_text(b, "by", results->stopped_by);
    build_sizes("missing", results->missing, results->num_missing, b);
    json_builder_end_object(b);
}

void app_results_mark_absent(const app_results *results, app_manifest *manifest)
{
    if (results->stopped_by != NULL) {
        g_autofree char *missing = app_results_format_missing(results);
        app_manifest_add(manifest, "stopped", "%s", results->stopped_by);
        app_manifest_add(manifest, "missing", "%s", missing);
    }
    if (results->num_left_out > 0) {
        g_autofree char *sizes = app_sizes_format(results->left_out, results->num_left_out);
        app_manifest_add(manifest, "left-out", "%s", sizes);
    }
    if (results->left_out_cosched) {
        app_manifest_add(manifest, "left-out-mode", "%s", app_mode_name(APP_COSCHEDULED));
    }
}

/* "ideal:1", or "ideal:1@64,1Ki" where that is not so at all sizes; NULL: nowhere. Owned. */
static char *format_symmetry(const app_results *results, app_mode mode)
{
    g_autofree uint32_t *ranks = g_new(uint32_t, results->num_series);
    size_t n = 0;
    size_t all = 0;
    uint32_t few = 0;
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        if (s->mode == mode) {
            all++;
            ranks[n] = s->ranks;
            n += s->representatives > 0;
            few = MAX(few, s->representatives);
        }
    }
    g_autofree char *sizes = app_sizes_format(ranks, n);
    return n == 0 ? NULL
                  : g_strdup_printf("%s:%" G_GUINT32_FORMAT "%s%s", app_mode_name(mode), few,
                                    n < all ? "@" : "", n < all ? sizes : "");
}

/* Were passes of @p s known from others? */
static bool has_known_passes(const app_series *s)
{
    return app_series_simulated_passes(s) < (uint64_t)s->passes * s->num_runs;
}

static void build_simulated(const app_series *s, JsonBuilder *b)
{
    if (has_known_passes(s)) {
        sim_json_int(b, "simulated_passes", (int64_t)app_series_simulated_passes(s));
    }
}

/* In which modes were passes known from others? */
static void mark_passes(const app_results *results, app_manifest *manifest)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (int mode = 0; mode < APP_NUM_MODES; mode++) {
        bool any = false;
        for (size_t i = 0; i < results->num_series; i++) {
            const app_series *s = &results->series[i];
            any = any || ((int)s->mode == mode && has_known_passes(s));
        }
        if (any) {
            g_string_append_printf(text, "%s%s", text->len > 0 ? "," : "",
                                   app_mode_name((app_mode)mode));
        }
    }
    if (text->len > 0) {
        app_manifest_add(manifest, "known-passes", "%s", text->str);
    }
}

void app_results_mark_symmetry(const app_results *results, app_manifest *manifest)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (int mode = 0; mode < APP_NUM_MODES; mode++) {
        g_autofree char *one = format_symmetry(results, (app_mode)mode);
        if (one != NULL) {
            g_string_append_printf(text, "%s%s", text->len > 0 ? "," : "", one);
        }
    }
    if (text->len > 0) {
        app_manifest_add(manifest, "symmetry", "%s", text->str);
    }
    mark_passes(results, manifest);
}

void app_findings_build(const app_findings *f, JsonBuilder *b)
{
    const app_results *results = f->results;
    const app_noise *noise = f->noise;
    if (results->stopped_by != NULL) {
        build_stopped(results, b);
    }
    if (results->num_left_out > 0) {
        build_sizes("left_out", results->left_out, results->num_left_out, b);
    }
    if (results->left_out_cosched) {
        sim_json_text(b, "left_out_mode", app_mode_name(APP_COSCHEDULED));
    }
    if (results->threshold.slowdown > 0) {
        build_threshold(&results->threshold, b);
    }
    sim_json_begin_array(b, "series");
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        json_builder_begin_object(b);
        sim_json_int(b, "ranks", s->ranks);
        sim_json_text(b, "mode", app_mode_name(s->mode));
        if (s->mode == APP_COSCHEDULED) {
            sim_json_int(b, "sigma_ps", noise->sigma);
        }
        sim_json_int(b, "operations", (int64_t)s->num_ops);
        sim_json_int(b, "messages", (int64_t)s->num_messages);
        sim_json_text(b, "evaluation", s->in_lanes ? "lanes" : "runs");
        if (s->representatives > 0) {
            sim_json_int(b, "representatives", s->representatives);
        }
        sim_json_int(b, "ideal_ps", s->ideal);
        sim_json_int(b, "median_ps", s->times.median);
        sim_json_int(b, "passes", s->passes);
        build_simulated(s, b);
        if (s->mode != APP_IDEAL) {
            build_noisy(s, noise, b);
        }
        build_runs(s, b);
        if (s->has_breakdown) {
            build_breakdown(s, app_results_num_parts(results), b);
        }
        if (s->explanation != NULL) {
            app_explanation_build(s->explanation, b);
        }
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
    app_breakdown_build_missing(results, b);
    app_conditions_build(f->conditions, b);
    sim_json_begin_array(b, "findings");
    for (char **sentence = f->conclusions; *sentence != NULL; sentence++) {
        sim_json_add_text(b, *sentence);
    }
    json_builder_end_array(b);
}
