/* apps/ripple/measure/measure_print.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_measure_analysis, cli_measure_files. */
#include "measure/measure_print.h"

#include "output/number_text.h"
#include "output/output.h"
#include "sim/json_member.h"
#include "sim/unit.h"

#include <math.h>
#include <string.h>

const char *const APP_MEASURE_COLUMN[] = {"source",  "detours", "noise", "median",
                                          "longest", "comes",   "every", "CPUs",
                                          "P*",      "rho = 1", NULL};
enum { MOST_RANKS = 1 << 30, MOST_PEAKS = 8 }; /* more is said to be more; JSON has all peaks */

static char *time_text(double time)
{
    return sim_unit_format_time_short((sim_time)llround(time));
}

static char *ranks_text(double ranks)
{
    return ranks >= MOST_RANKS ? g_strdup(">1Gi")
                               : sim_unit_format_thousands(ranks < 100 ? round(ranks) : ranks);
}

char **app_measure_row(const app_measure_analysis *a, size_t s)
{
    const noise_source *x = &a->division->sources[s];
    const bool periodic = x->rhythm == NOISE_RHYTHM_PERIODIC;
    char **cell = g_new0(char *, APP_MEASURE_COLUMNS + 1);
    cell[0] = g_strdup(x->name);
    cell[1] = app_format_number(x->count);
    cell[2] = app_format_percent(x->share);
    cell[3] = time_text((double)x->median);
    cell[4] = time_text((double)x->longest);
    cell[5] = g_strdup(app_measure_rhythm(x->rhythm));
    cell[6] = time_text(periodic ? x->period : x->interval);
    cell[7] = g_strdup_printf("%zu", x->num_cpus);
    cell[8] = ranks_text(a->costs[s].bottleneck);
    cell[9] = ranks_text(a->costs[s].chained);
    return cell;
}

char *app_measure_headline(const app_measure_analysis *a)
{
    g_autofree char *share = app_format_percent(a->share);
    g_autofree char *low = app_format_percent(a->share_low);
    g_autofree char *high = app_format_percent(a->share_high);
    g_autofree char *count = app_format_number(a->num_detours);
    g_autofree char *time = sim_unit_format_time_short(a->time);
    if (a->num_detours == 0) {
        return g_strdup_printf("no detours in %s of CPU time", time);
    }
    return g_strdup_printf(
        "%s of the CPU time is stolen (95 %% interval %s .. %s): %s detours in %s of %zu CPU%s",
        share, low, high, count, time, a->num_cpus, a->num_cpus > 1 ? "s" : "");
}

char *app_measure_lengths(const app_measure_analysis *a)
{
    if (a->num_detours == 0) {
        return NULL;
    }
    GString *text = g_string_new("lengths:");
    for (size_t q = 0; q < APP_MEASURE_QUANTILES; q++) {
        const noise_quantile *x = &a->quantiles[q];
        g_autofree char *value = sim_unit_format_time_short(x->value);
        g_autofree char *low = sim_unit_format_time_short(x->low);
        g_autofree char *high = sim_unit_format_time_short(x->high);
        g_string_append_printf(text, "%s %g %% up to %s", q > 0 ? "," : "", 100 * x->q, value);
        if (x->level >= 0.95) {
            g_string_append_printf(text, " (%s .. %s)", low, high);
        } else {
            g_string_append(text, " (too few for an interval)");
        }
    }
    return g_string_free(text, FALSE);
}

/* Letters, not bytes. */
static int padding(const char *text, int width)
{
    return MAX(width - (int)g_utf8_strlen(text, -1), 0);
}

static char **copy_row(const char *const *cells)
{
    char **copy = g_new0(char *, APP_MEASURE_COLUMNS + 1);
    for (size_t c = 0; c < APP_MEASURE_COLUMNS; c++) {
        copy[c] = g_strdup(cells[c]);
    }
    return copy;
}

static void print_table(const app_measure_analysis *a, const char *const *last, FILE *out)
{
    g_autoptr(GPtrArray) rows = g_ptr_array_new(); /* of cells */
    g_ptr_array_add(rows, copy_row(APP_MEASURE_COLUMN));
    for (size_t s = 0; s < a->division->num_sources; s++) {
        g_ptr_array_add(rows, app_measure_row(a, s));
    }
    if (last != NULL) {
        g_ptr_array_add(rows, copy_row(last));
    }
    int width[APP_MEASURE_COLUMNS] = {0};
    for (guint r = 0; r < rows->len; r++) {
        char **cells = rows->pdata[r];
        for (size_t c = 0; c < APP_MEASURE_COLUMNS; c++) {
            width[c] = MAX(width[c], (int)g_utf8_strlen(cells[c], -1));
        }
    }
    for (guint r = 0; r < rows->len; r++) {
        char **cells = rows->pdata[r];
        g_autoptr(GString) line = g_string_new(NULL);
        for (size_t c = 0; c < APP_MEASURE_COLUMNS; c++) {
            const int pad = padding(cells[c], width[c]);
            if (c == 0) {
                g_string_append_printf(line, "%s%*s", cells[c], pad, "");
            } else {
                g_string_append_printf(line, "  %*s%s", pad, "", cells[c]);
            }
        }
        fprintf(out, "%s\n", g_strchomp(line->str));
        g_strfreev(cells);
    }
}

static size_t larger_peaks(const noise_spectrum *s, const noise_spectrum_peak *peak)
{
    size_t n = 0;
    for (size_t p = 0; p < s->num_peaks; p++) {
        n += s->peaks[p].share > peak->share;
    }
    return n;
}

static void print_spectra(const app_measure_analysis *a, FILE *out)
{
    for (size_t c = 0; c < a->num_cpus; c++) {
        const noise_spectrum *s = a->spectra[c];
        if (s == NULL) {
            continue;
        }
        g_autofree char *missing = app_format_percent(s->missing);
        fprintf(out, "%s: %s of the work is missing; %zu rhythms stand out%s\n", a->names[c],
                missing, s->num_peaks, s->num_peaks > MOST_PEAKS ? ", the largest are" : "");
        for (size_t p = 0; p < s->num_peaks; p++) {
            const noise_spectrum_peak *peak = &s->peaks[p];
            if (larger_peaks(s, peak) >= MOST_PEAKS) {
                continue;
            }
            g_autofree char *lost = time_text(peak->lost);
            g_autofree char *share = app_format_percent(peak->share);
            fprintf(out, "  %10.6g Hz  %9s per hit  %9s  %u harmonics  by chance %.2g\n",
                    peak->frequency, lost, share, peak->harmonics, peak->false_alarm);
        }
    }
}

void app_measure_print_sources(const app_measure_analysis *a, const char *const *last, FILE *out)
{
    print_table(a, last, out);
    for (size_t s = 0; s < a->division->num_sources; s++) {
        const noise_source *x = &a->division->sources[s];
        if (x->evidence[0] != '\0') {
            fprintf(out, "%s: %s\n", x->name, x->evidence);
        }
    }
}

void app_measure_print(const app_measure_analysis *a, FILE *out)
{
    g_autofree char *headline = app_measure_headline(a);
    g_autofree char *lengths = app_measure_lengths(a);
    fprintf(out, "%s\n", headline);
    if (lengths != NULL) {
        fprintf(out, "%s\n", lengths);
    }
    if (a->division->num_sources > 0) {
        app_measure_print_sources(a, NULL, out);
    }
    print_spectra(a, out);
    g_auto(GStrv) remarks = app_measure_remarks(a);
    for (char **r = remarks; *r != NULL; r++) {
        fprintf(out, "%s\n", *r);
    }
}

static void print_number(FILE *out, double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    fprintf(out, ",%s", g_ascii_formatd(text, sizeof text, "%.9g", value));
}

void app_measure_print_csv(const app_measure_analysis *a, FILE *out)
{
    fputs("source,kind,detours,share,median_ns,longest_ns,comes,interval_ns,period_ns,jitter_ns,"
          "met,false_alarm,cpus,bottleneck_ranks,chained_ranks,evidence\n",
          out);
    for (size_t s = 0; s < a->division->num_sources; s++) {
        const noise_source *x = &a->division->sources[s];
        app_output_csv_text(out, x->name);
        fputc(',', out);
        app_output_csv_text(out, x->kind);
        fprintf(out, ",%zu", x->count);
        print_number(out, x->share);
        print_number(out, (double)x->median / (double)SIM_NS);
        print_number(out, (double)x->longest / (double)SIM_NS);
        fprintf(out, ",%s", app_measure_rhythm(x->rhythm));
        print_number(out, x->interval / (double)SIM_NS);
        if (x->rhythm == NOISE_RHYTHM_PERIODIC) {
            print_number(out, x->period / (double)SIM_NS);
            print_number(out, x->jitter / (double)SIM_NS);
            print_number(out, x->met);
            print_number(out, x->false_alarm);
        } else {
            fputs(",,,,", out);
        }
        fprintf(out, ",%zu", x->num_cpus);
        print_number(out, a->costs[s].bottleneck);
        print_number(out, a->costs[s].chained);
        fputc(',', out);
        app_output_csv_text(out, x->evidence);
        fputc('\n', out);
    }
}

static void build_source(const app_measure_analysis *a, size_t s, JsonBuilder *b)
{
    const noise_source *x = &a->division->sources[s];
    json_builder_begin_object(b);
    sim_json_text(b, "name", x->name);
    sim_json_text(b, "kind", x->kind);
    sim_json_text(b, "evidence", x->evidence);
    sim_json_int(b, "detours", (int64_t)x->count);
    sim_json_int(b, "cpus", (int64_t)x->num_cpus);
    sim_json_double(b, "share", x->share);
    sim_json_int(b, "median_ps", x->median);
    sim_json_int(b, "longest_ps", x->longest);
    sim_json_double(b, "mean_ps", x->mean);
    sim_json_double(b, "interval_ps", x->interval);
    sim_json_text(b, "comes", app_measure_rhythm(x->rhythm));
    if (x->rhythm == NOISE_RHYTHM_PERIODIC) {
        sim_json_double(b, "period_ps", x->period);
        sim_json_double(b, "jitter_ps", x->jitter);
        sim_json_double(b, "met", x->met);
        sim_json_double(b, "false_alarm", x->false_alarm);
        sim_json_int(b, "over_beat", (int64_t)x->over_beat);
    }
    sim_json_double(b, "bottleneck_ranks", a->costs[s].bottleneck);
    sim_json_double(b, "chained_ranks", a->costs[s].chained);
    json_builder_end_object(b);
}

static void build_spectrum(const noise_spectrum *s, const char *name, JsonBuilder *b)
{
    json_builder_begin_object(b);
    sim_json_text(b, "of", name);
    sim_json_double(b, "missing", s->missing);
    sim_json_double(b, "nyquist_hz", s->nyquist);
    sim_json_int(b, "segments", (int64_t)s->segments);
    sim_json_double(b, "chance", s->chance);
    sim_json_begin_array(b, "peaks");
    for (size_t p = 0; p < s->num_peaks; p++) {
        const noise_spectrum_peak *peak = &s->peaks[p];
        json_builder_begin_object(b);
        sim_json_double(b, "frequency_hz", peak->frequency);
        sim_json_double(b, "lost_ps", peak->lost);
        sim_json_double(b, "share", peak->share);
        sim_json_double(b, "false_alarm", peak->false_alarm);
        sim_json_int(b, "harmonics", peak->harmonics);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
    json_builder_end_object(b);
}

void app_measure_build(const app_measure_analysis *a, JsonBuilder *b)
{
    sim_json_begin_object(b, "noise");
    sim_json_double(b, "share", a->share);
    sim_json_double(b, "share_low", a->share_low);
    sim_json_double(b, "share_high", a->share_high);
    sim_json_int(b, "detours", (int64_t)a->num_detours);
    sim_json_int(b, "measured_ps", a->time);
    sim_json_int(b, "cpus", (int64_t)a->num_cpus);
    sim_json_int(b, "collective_ps", a->collective);
    sim_json_begin_array(b, "lengths");
    for (size_t q = 0; q < APP_MEASURE_QUANTILES && a->num_detours > 0; q++) {
        const noise_quantile *x = &a->quantiles[q];
        json_builder_begin_object(b);
        sim_json_double(b, "quantile", x->q);
        sim_json_int(b, "value_ps", x->value);
        sim_json_int(b, "low_ps", x->low);
        sim_json_int(b, "high_ps", x->high);
        sim_json_double(b, "level", x->level);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
    sim_json_begin_array(b, "sources");
    for (size_t s = 0; s < a->division->num_sources; s++) {
        build_source(a, s, b);
    }
    json_builder_end_array(b);
    sim_json_begin_array(b, "spectra");
    for (size_t c = 0; c < a->num_cpus; c++) {
        if (a->spectra[c] != NULL) {
            build_spectrum(a->spectra[c], a->names[c], b);
        }
    }
    json_builder_end_array(b);
    sim_json_begin_array(b, "remarks");
    g_auto(GStrv) remarks = app_measure_remarks(a);
    for (char **r = remarks; *r != NULL; r++) {
        sim_json_add_text(b, *r);
    }
    json_builder_end_array(b);
    json_builder_end_object(b);
}
