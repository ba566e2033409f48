/* apps/ripple/findings/distribution.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_simulate. */
#include "findings/distribution.h"

#include "findings/remark.h"
#include "findings/result_text.h"
#include "output/output.h"
#include "sim/json_member.h"
#include "sim/unit.h"

#include <stddef.h>

/* From the smallest to the largest, but for the percentiles, which may be beyond the whisker. */
static const struct {
    const char *name; /* in JSON; in CSV with _ns */
    const char *column;
    size_t offset;
} PARTS[] = {
    {"min", "min", offsetof(app_statistics, min)},
    {"whisker_low", "whisker", offsetof(app_statistics, whisker_low)},
    {"quartile1", "quartile", offsetof(app_statistics, quartile1)},
    {"median", "median", offsetof(app_statistics, median)},
    {"quartile3", "quartile", offsetof(app_statistics, quartile3)},
    {"whisker_high", "whisker", offsetof(app_statistics, whisker_high)},
    {"p95", "95 %", offsetof(app_statistics, p95)},
    {"p99", "99 %", offsetof(app_statistics, p99)},
    {"max", "max", offsetof(app_statistics, max)},
    {"mean", "mean", offsetof(app_statistics, mean)},
};

static sim_time part(const app_statistics *s, size_t i)
{
    return *(const sim_time *)(const void *)((const char *)s + PARTS[i].offset);
}

/* The ideal run is a row only where there is no noise. */
static bool is_listed(const app_results *results, const app_series *s)
{
    return !results->noisy || s->mode != APP_IDEAL;
}

void app_distribution_print(const app_results *results, FILE *out)
{
    fputs("\nhow makespans are distributed: whiskers within 1.5 quartile distances, outliers "
          "beyond\n",
          out);
    fprintf(out, "%9s  %-15s %8s", "ranks", "noise", "replicas");
    for (size_t i = 0; i < G_N_ELEMENTS(PARTS); i++) {
        fprintf(out, " %9s", PARTS[i].column);
    }
    fputs(" outliers\n", out);
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        if (!is_listed(results, s)) {
            continue;
        }
        g_autofree char *ranks = sim_unit_format_count(s->ranks);
        fprintf(out, "%9s  %-15s %8u", ranks, app_mode_name(s->mode), s->num_runs);
        for (size_t j = 0; j < G_N_ELEMENTS(PARTS); j++) {
            g_autofree char *text = sim_unit_format_time_short(part(&s->times, j));
            fprintf(out, " %9s", text);
        }
        fprintf(out, " %8zu\n", s->times.outliers);
    }
}

static void print_ns(sim_time time, FILE *out)
{
    g_autofree char *text = sim_unit_format_ns(time);
    fprintf(out, ",%s", text);
}

/* What the slowdown is and what it stands on; the ideal run has none. */
static void print_statement(const app_series *s, FILE *out)
{
    const app_mean *m = &s->slowdown;
    const app_met *met = app_series_rarest_met(s);
    g_autofree char *remarks = s->mode != APP_IDEAL ? app_series_codes(s, " ") : g_strdup("");
    fprintf(out, ",%s,%u,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%s\n", app_quantity_name(s->quantity),
            s->passes, m->mean, m->low, m->high, m->level, met != NULL ? met->by_rank : 0.0,
            met != NULL ? met->by_run : 0.0, remarks);
}

void app_distribution_print_csv(const app_results *results, const app_noise *noise, FILE *out)
{
    fputs("ranks,noise,cosched,replicas,ideal_ns", out);
    for (size_t i = 0; i < G_N_ELEMENTS(PARTS); i++) {
        fprintf(out, ",%s_ns", PARTS[i].name);
    }
    fputs(",outliers,low_ns,high_ns,level,quantity,passes,slowdown,slowdown_low,slowdown_high,"
          "slowdown_level,met_by_rank,met_by_run,remarks\n",
          out);
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        if (!is_listed(results, s)) {
            continue;
        }
        g_autofree char *cosched = app_format_cosched(s, noise);
        fprintf(out, "%u,", s->ranks);
        app_output_csv_text(out, noise_signature_text(noise->signature));
        fprintf(out, ",%s,%u", cosched, s->num_runs);
        print_ns(s->ideal, out);
        for (size_t j = 0; j < G_N_ELEMENTS(PARTS); j++) {
            print_ns(part(&s->times, j), out);
        }
        fprintf(out, ",%zu", s->times.outliers);
        print_ns(s->times.low, out);
        print_ns(s->times.high, out);
        fprintf(out, ",%.9g", s->times.level);
        print_statement(s, out);
    }
}

void app_distribution_build(const app_series *s, JsonBuilder *b)
{
    sim_json_begin_object(b, "distribution_ps");
    for (size_t i = 0; i < G_N_ELEMENTS(PARTS); i++) {
        sim_json_int(b, PARTS[i].name, part(&s->times, i));
    }
    sim_json_int(b, "low", s->times.low);
    sim_json_int(b, "high", s->times.high);
    sim_json_int(b, "outliers", (int64_t)s->times.outliers);
    json_builder_end_object(b);
}

void app_replicas_print_csv(const app_results *results, FILE *out)
{
    fputs("ranks,mode,replica,makespan_ns,slowdown\n", out);
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        for (uint32_t r = 0; r < s->num_runs; r++) {
            fprintf(out, "%u,%s,%u", s->ranks, app_mode_name(s->mode), r);
            print_ns(s->runs[r].makespan, out);
            fprintf(out, ",%.9g\n", app_slowdown(s, s->runs[r].makespan));
        }
    }
}
