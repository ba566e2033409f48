/* apps/ripple/study_figures.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "study_figures.h"

#include "breakdown.h"
#include "sim/unit.h"

void app_figure_data_free(app_figure_data *data)
{
    if (data != NULL) {
        g_free(data->csv);
        g_free(data->script);
        g_free(data);
    }
}

static app_figure_data *figure_new(app_figure figure, GString *csv, GString *script)
{
    app_figure_data *data = g_new0(app_figure_data, 1);
    data->csv = g_string_free(csv, FALSE);
    data->script = g_string_free(script, FALSE);
    data->figure = figure;
    data->figure.csv = data->csv;
    data->figure.script = data->script;
    return data;
}

/* Numbers in files have a '.' whatever the locale. */
static void append_number(GString *text, double value)
{
    char buffer[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append(text, g_ascii_formatd(buffer, sizeof buffer, "%.9g", value));
}

static double percent(const app_series *s, sim_time makespan)
{
    return 100.0 * app_slowdown(s, makespan);
}

/* "set xtics ('64' 64, '1Ki' 1024)", and room on both sides of them. */
static void append_rank_tics(GString *script, const app_results *results)
{
    g_string_append(script, "set xtics (");
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        if (s->mode == APP_IDEAL) {
            g_autofree char *ranks = sim_unit_format_count(s->ranks);
            g_string_append_printf(script, "%s'%s' %u", i > 0 ? ", " : "", ranks, s->ranks);
        }
    }
    g_string_append_printf(script, ")\nset xrange [%u / 1.4:%u * 1.4]\n", results->series[0].ranks,
                           results->series[results->num_series - 1].ranks);
}

static bool has_mode(const app_results *results, app_mode mode)
{
    for (size_t i = 0; i < results->num_series; i++) {
        if (results->series[i].mode == mode) {
            return true;
        }
    }
    return false;
}

app_figure_data *app_figure_slowdown(const app_results *results)
{
    if (!results->noisy) {
        return NULL;
    }
    GString *csv = g_string_new("ranks,noise,median_percent,low_percent,high_percent\n");
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        if (s->mode == APP_IDEAL) {
            continue;
        }
        /* Without an interval (too few replicas) the whole range stands in for it. */
        const bool interval = s->times.level > 0;
        g_string_append_printf(csv, "%u,%s,", s->ranks, app_mode_name(s->mode));
        append_number(csv, percent(s, s->times.median));
        g_string_append_c(csv, ',');
        append_number(csv, percent(s, interval ? s->times.low : s->times.min));
        g_string_append_c(csv, ',');
        append_number(csv, percent(s, interval ? s->times.high : s->times.max));
        g_string_append_c(csv, '\n');
    }
    GString *script = g_string_new("set datafile missing NaN\nset logscale x 2\n"
                                   "set xlabel 'ranks'\nset ylabel 'slowdown, %'\n"
                                   "set yrange [0:*]\n");
    append_rank_tics(script, results);
    g_string_append(script, "plot ");
    for (int mode = APP_UNSYNCHRONIZED; mode < APP_NUM_MODES; mode++) {
        if (has_mode(results, (app_mode)mode)) {
            const char *name = app_mode_name((app_mode)mode);
            g_string_append_printf(script,
                                   "%sdata using 1:(strcol(2) eq '%s' ? $3 : NaN):4:5 skip 1 "
                                   "with yerrorlines lt %d title '%s'",
                                   mode > APP_UNSYNCHRONIZED ? ", \\\n     " : "", name, mode + 1,
                                   name);
        }
    }
    g_string_append_c(script, '\n');
    return figure_new(
        (app_figure){.name = "slowdown",
                     .title = "Slowdown over ranks",
                     .caption = "How much longer the program takes under noise than without: "
                                "median over the replicas and its confidence interval."},
        csv, script);
}

app_figure_data *app_figure_replicas(const app_results *results)
{
    if (!results->noisy) {
        return NULL;
    }
    GString *csv = g_string_new("ranks,noise,replica,slowdown_percent\n");
    GString *tics = g_string_new("set xtics (");
    GString *plot = g_string_new("plot ");
    bool titled[APP_NUM_MODES] = {false};
    int at = 0; /* boxes stand side by side, a gap after each size */
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        if (s->mode == APP_IDEAL) {
            at += i > 0 ? 2 : 1;
            g_autofree char *ranks = sim_unit_format_count(s->ranks);
            g_string_append_printf(tics, "%s'%s' %d", i > 0 ? ", " : "", ranks, at);
            continue;
        }
        const char *name = app_mode_name(s->mode);
        for (uint32_t r = 0; r < s->num_runs; r++) {
            g_string_append_printf(csv, "%u,%s,%u,", s->ranks, name, r);
            append_number(csv, percent(s, s->runs[r].makespan));
            g_string_append_c(csv, '\n');
        }
        at += s->mode == APP_COSCHEDULED ? 1 : 0;
        g_string_append_printf(
            plot,
            "%sdata using (%d):($1 == %u && strcol(2) eq '%s' ? $4 : NaN) skip 1 with boxplot "
            "lt %d %s%s%s",
            plot->len > 5 ? ", \\\n     " : "", at, s->ranks, name, (int)s->mode + 1,
            titled[s->mode] ? "notitle" : "title '", titled[s->mode] ? "" : name,
            titled[s->mode] ? "" : "'");
        titled[s->mode] = true;
    }
    g_string_append(tics, ")\n");
    GString *script = g_string_new("set datafile missing NaN\nset style boxplot outliers\n"
                                   "set pointsize 0.5\nset boxwidth 0.7\n"
                                   "set xlabel 'ranks'\nset ylabel 'slowdown, %'\n");
    g_string_append_printf(script, "set xrange [0:%d]\n%s%s\n", at + 1, tics->str, plot->str);
    g_string_free(tics, TRUE);
    g_string_free(plot, TRUE);
    return figure_new(
        (app_figure){.name = "replicas",
                     .title = "Slowdown of the replicas",
                     .caption = "Each replica draws other offsets into the noise. Boxes hold the "
                                "middle half, whiskers 1.5 times the box, dots are outliers."},
        csv, script);
}

app_figure_data *app_figure_where(const app_results *results)
{
    GString *csv = g_string_new("run");
    for (size_t part = 0; part < APP_NUM_PARTS; part++) {
        g_string_append_printf(csv, ",%s", app_parts[part].column);
    }
    g_string_append_c(csv, '\n');
    size_t rows = 0;
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        if (!s->has_breakdown) {
            continue;
        }
        g_autofree char *ranks = sim_unit_format_count(s->ranks);
        g_string_append_printf(csv, "%s %s", ranks, app_mode_name(s->mode));
        for (size_t part = 0; part < APP_NUM_PARTS; part++) {
            g_string_append_c(csv, ',');
            append_number(csv, (double)app_breakdown_part(&s->breakdown, part) / (double)SIM_MS);
        }
        g_string_append_c(csv, '\n');
        rows++;
    }
    if (rows == 0) {
        g_string_free(csv, TRUE);
        return NULL;
    }
    GString *script =
        g_string_new("set style data histogram\nset style histogram rowstacked\n"
                     "set style fill solid 0.9 border lc rgb '#ffffff'\nset boxwidth 0.8\n"
                     "set ylabel 'time on the critical path, ms'\nset yrange [0:*]\n"
                     "set xtics rotate by -35 scale 0\nset key outside right top\n");
    g_string_append_printf(script,
                           "plot for [i=2:%d] data using i:xtic(1) lt i - 1 title "
                           "columnheader(i)\n",
                           APP_NUM_PARTS + 1);
    return figure_new(
        (app_figure){.name = "where",
                     .title = "Where the time goes",
                     .caption = "The makespan of replica 0 along its critical path. 'waiting' is "
                                "noise that struck another rank, 'noise' that of the last rank "
                                "itself."},
        csv, script);
}
