/* apps/ripple/output/miner_print.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_mine. */
#include "output/miner_print.h"

#include "output/miner_when.h"
#include "output/number_text.h"
#include "sim/json_member.h"
#include "sim/unit.h"

#include <math.h>
#include <string.h>

enum { RANGES_SHOWN = 4 }; /* to people; there may be thousands */
enum { WHEN = 7 };         /* the column */

static char *format_ranks(const noise_miner_row *row, uint32_t most)
{
    return app_miner_ranks((const uint32_t(*)[2])row->ranks, row->num_ranges, row->ranks_exact,
                           most);
}

const char *const APP_MINER_COLUMNS[] = {
    "t_noise",  "95 % interval", "occurrences", "period", "sure",
    "run time", "ranks",         "when",        "label",  NULL};

char **app_miner_row_cells(const noise_miner_report *report, const noise_miner_row *row)
{
    g_autofree char *low = sim_unit_format_time_short(row->t_noise_low);
    g_autofree char *high = sim_unit_format_time_short(row->t_noise_high);
    g_autofree char *which = format_ranks(row, RANGES_SHOWN);
    g_autofree char *count = sim_unit_format_count(row->num_ranks);
    char **cells = g_new0(char *, G_N_ELEMENTS(APP_MINER_COLUMNS));
    size_t n = 0;
    cells[n++] = sim_unit_format_time_short(row->t_noise);
    cells[n++] =
        row->at_least ? g_strdup("a bound: at least") : g_strdup_printf("%s .. %s", low, high);
    cells[n++] = g_strdup_printf("%" G_GUINT64_FORMAT, row->count);
    cells[n++] = row->period > 0 ? sim_unit_format_time_short(row->period) : g_strdup("-");
    cells[n++] = row->period_confidence > 0
                     ? g_strdup_printf("%.4g %%", 100 * row->period_confidence)
                     : g_strdup("-");
    cells[n++] = g_strdup_printf("%.3g %%", 100 * row->share);
    cells[n++] = row->num_ranges > RANGES_SHOWN ? g_strdup_printf("%s: %s", count, which)
                                                : g_steal_pointer(&which);
    cells[n++] = app_miner_row_when(report, row);
    cells[n++] = g_strdup(row->label);
    return cells;
}

char *app_miner_row_noise(const noise_miner_report *report, const noise_miner_row *row)
{
    if (row->at_least || row->t_noise <= 0 || !row->ranks_exact || !(row->rate > 0)) {
        return NULL;
    }
    const bool everywhere = row->num_ranks == report->ranks_seen;
    g_autofree char *ranks = everywhere ? NULL : format_ranks(row, UINT32_MAX);
    g_autofree char *length = sim_unit_format_time_short(row->t_noise);
    const sim_time mean = (sim_time)((double)SIM_S / row->rate);
    g_autofree char *gap = sim_unit_format_time_short(row->period > 0 ? row->period : mean);
    if ((row->period > 0 ? row->period : mean) <= row->t_noise) {
        return NULL; /* it would leave nothing: rests that were counted as whole, or rounding */
    }
    return g_strdup_printf("%s:%s:%s%s%s", row->period > 0 ? "fixed" : "poisson", gap, length,
                           everywhere ? "" : "@", everywhere ? "" : ranks);
}

char *app_miner_noise(const noise_miner_report *report)
{
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < report->num_rows; i++) {
        g_autofree char *one = app_miner_row_noise(report, &report->rows[i]);
        if (one != NULL) {
            g_string_append_printf(text, "%s%s", text->len > 0 ? "+" : "", one);
        }
    }
    return g_string_free(text, text->len == 0);
}

/* @param width of the column before the last */
static void print_cells(const char *const *c, size_t width, FILE *out)
{
    fprintf(out, "%10s  %-24s %11s %10s %8s %10s  %-12s %-*s %s\n", c[0], c[1], c[2], c[3], c[4],
            c[5], c[6], (int)width, c[WHEN], c[WHEN + 1]);
}

static void print_rows(const noise_miner_report *r, const noise_miner_row *rows, size_t n,
                       FILE *out)
{
    g_autofree char ***cells = g_new(char **, n);
    size_t width = strlen("no change");
    for (size_t i = 0; i < n; i++) {
        cells[i] = app_miner_row_cells(r, &rows[i]);
        width = MAX(width, strlen(cells[i][WHEN]));
    }
    print_cells(APP_MINER_COLUMNS, width, out);
    for (size_t i = 0; i < n; i++) {
        print_cells((const char *const *)cells[i], width, out);
        g_strfreev(cells[i]);
    }
}

/* Where the whole is short, one delay may be all there was to see of something. */
static void print_singles(const noise_miner_report *r, FILE *out)
{
    for (size_t i = 0; i < r->num_singles; i++) {
        const noise_miner_single *one = &r->singles[i];
        g_autofree char *length = sim_unit_format_time_short(one->length);
        g_autofree char *start = sim_unit_format_time_short(one->start);
        fprintf(out, "once: %s on rank %u, in what began at %s: %.3g %% of its run time\n", length,
                one->rank, start, 100 * one->share);
    }
    if (r->more_singles > 0) {
        fprintf(out, "%" G_GUINT64_FORMAT " more that came once\n", r->more_singles);
    }
}

void app_miner_report_print(const noise_miner_report *r, FILE *out)
{
    g_autofree char *observed = sim_unit_format_time_short(r->observed);
    g_autofree char *events = app_format_number(r->events);
    g_autofree char *ranks = app_format_ranks(r->ranks_seen);
    fprintf(out, "%s events on %s in %s\n", events, ranks, observed);
    if (r->num_rows > 0) {
        print_rows(r, r->rows, r->num_rows, out);
    } else {
        fputs(r->num_singles > 0 ? "no noise found that came more often\n" : "no noise found\n",
              out);
    }
    for (size_t i = 0; i < r->num_drifts; i++) {
        g_autofree char *words = app_miner_drift_words(r, &r->drifts[i]);
        fprintf(out, "%s\n", words);
    }
    print_singles(r, out);
    if (r->dropped_rows > 0) {
        fprintf(out, "%" G_GUINT64_FORMAT " smaller or rarer kind%s not shown\n", r->dropped_rows,
                r->dropped_rows == 1 ? "" : "s");
    }
    if (r->num_faster > 0) {
        fputs("\nshorter than expected (no noise; the expectation may be too long)\n", out);
        print_rows(r, r->faster, r->num_faster, out);
    }
}

/* @param more what stands behind each row; NULL: @p nothing */
static void print_csv_rows(const noise_miner_report *r, const noise_miner_row *rows, size_t n,
                           const char *kind, const char *const *more, const char *nothing,
                           FILE *out)
{
    for (size_t i = 0; i < n; i++) {
        const noise_miner_row *row = &rows[i];
        g_autofree char *mean = sim_unit_format_ns(row->t_noise);
        g_autofree char *low = sim_unit_format_ns(row->t_noise_low);
        g_autofree char *high = sim_unit_format_ns(row->t_noise_high);
        g_autofree char *period = sim_unit_format_ns(row->period);
        g_autofree char *ranks = format_ranks(row, UINT32_MAX);
        fprintf(out, "%s,%s,%s,%s,%" G_GUINT64_FORMAT ",%s,%.9g,%.9g,%.9g,%.9g,%u,", kind, mean,
                low, high, row->count, period, row->period_confidence, row->rate, row->share,
                row->share_affected, row->num_ranks);
        app_output_csv_text(out, ranks);
        fputc(',', out);
        app_output_csv_text(out, row->label);
        app_miner_when_csv(r, row, out);
        fprintf(out, "%s%s\n", more != NULL ? "," : nothing, more != NULL ? more[i] : "");
    }
}

void app_miner_report_print_csv(const noise_miner_report *r, const char *more_columns,
                                const char *const *more, FILE *out)
{
    g_autoptr(GString) nothing = g_string_new(more_columns != NULL ? "," : NULL);
    for (const char *c = more_columns; c != NULL && *c != '\0'; c++) {
        g_string_append(nothing, *c == ',' ? "," : "");
    }
    fprintf(out,
            "kind,t_noise_ns,low_ns,high_ns,occurrences,period_ns,period_confidence,rate_hz,share,"
            "share_affected,num_ranks,ranks,label," APP_MINER_WHEN_CSV "%s%s\n",
            more_columns != NULL ? "," : "", more_columns != NULL ? more_columns : "");
    print_csv_rows(r, r->rows, r->num_rows, "noise", more, nothing->str, out);
    print_csv_rows(r, r->faster, r->num_faster, "faster", NULL, nothing->str, out);
    app_miner_drifts_csv(r, nothing->str, out);
}

static void build_row(const noise_miner_report *report, const noise_miner_row *row, JsonBuilder *b)
{
    g_autofree char *noise = app_miner_row_noise(report, row);
    json_builder_begin_object(b);
    sim_json_int(b, "t_noise_ps", row->t_noise);
    sim_json_int(b, "low_ps", row->t_noise_low);
    sim_json_int(b, "high_ps", row->t_noise_high);
    sim_json_int(b, "occurrences", (int64_t)row->count);
    sim_json_int(b, "period_ps", row->period);
    sim_json_double(b, "period_confidence", row->period_confidence);
    sim_json_double(b, "rate_hz", row->rate);
    sim_json_double(b, "share", row->share);
    sim_json_double(b, "share_affected", row->share_affected);
    if (row->importance > 0 && isfinite(row->importance)) {
        sim_json_double(b, "importance", row->importance);
    }
    if (row->classic.range_by_events > 0) { /* published modes */
        json_builder_set_member_name(b, "estimators");
        json_builder_begin_object(b);
        sim_json_int(b, "range_by_events_ps", row->classic.range_by_events);
        sim_json_int(b, "range_by_gaps_ps", row->classic.range_by_gaps);
        sim_json_int(b, "median_gap_ps", row->classic.median_gap);
        sim_json_double(b, "gap_cv", row->classic.gap_cv);
        sim_json_int(b, "rayleigh_period_ps", row->classic.rayleigh_period);
        sim_json_double(b, "rayleigh_z", row->classic.rayleigh_z);
        json_builder_end_object(b);
    }
    sim_json_int(b, "num_ranks", row->num_ranks);
    sim_json_begin_array(b, "ranks");
    for (uint32_t i = 0; i < row->num_ranges; i++) {
        json_builder_begin_array(b);
        json_builder_add_int_value(b, row->ranks[i][0]);
        json_builder_add_int_value(b, row->ranks[i][1]);
        json_builder_end_array(b);
    }
    json_builder_end_array(b);
    sim_json_bool(b, "ranks_exact", row->ranks_exact);
    sim_json_bool(b, "at_least", row->at_least);
    sim_json_text(b, "label", row->label);
    if (noise != NULL) {
        sim_json_text(b, "as_noise", noise);
    }
    app_miner_when_build(report, row, b);
    json_builder_end_object(b);
}

static void build_rows(const noise_miner_report *report, const char *key,
                       const noise_miner_row *rows, size_t n, JsonBuilder *b)
{
    sim_json_begin_array(b, key);
    for (size_t i = 0; i < n; i++) {
        build_row(report, &rows[i], b);
    }
    json_builder_end_array(b);
}

static void build_singles(const noise_miner_report *r, JsonBuilder *b)
{
    sim_json_begin_array(b, "once");
    for (size_t i = 0; i < r->num_singles; i++) {
        json_builder_begin_object(b);
        sim_json_int(b, "rank", r->singles[i].rank);
        sim_json_int(b, "start_ps", r->singles[i].start);
        sim_json_int(b, "length_ps", r->singles[i].length);
        sim_json_double(b, "share_of_rank", r->singles[i].share);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
    sim_json_int(b, "more_once", (int64_t)r->more_singles);
}

void app_miner_report_build(const noise_miner_report *r, JsonBuilder *b)
{
    sim_json_int(b, "events", (int64_t)r->events);
    sim_json_int(b, "ranks_seen", r->ranks_seen);
    sim_json_int(b, "observed_ps", r->observed);
    sim_json_int(b, "dropped_rows", (int64_t)r->dropped_rows);
    app_miner_epochs_build(r, b);
    build_rows(r, "noise_found", r->rows, r->num_rows, b);
    build_rows(r, "faster", r->faster, r->num_faster, b);
    app_miner_drifts_build(r, b);
    build_singles(r, b);
}
