/* apps/ripple/impact/impact_print.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_impact, cli_mine. */
#include "impact/impact_print.h"

#include "experiment/estimate.h"
#include "knockout/knockout_findings.h"
#include "knockout/knockout_print.h"
#include "output/number_text.h"
#include "output/sentences.h"
#include "sim/json_member.h"
#include "sim/unit.h"

#include <math.h>

/* What keeps the gain from being believed as it stands; "" if nothing does. Static. */
static const char *remark_of(const app_impact_row *row)
{
    const char *remark = app_knockout_remark(&row->gain);
    return remark[0] != '\0' ? remark
           : row->is_shared  ? "together with all rows of the same noise"
                             : "";
}

/* "3.1 % (2.9 % .. 3.3 %)", with a remark; or why it is not known. Owned by the caller. */
static char *cell_of(const app_impact_row *row)
{
    if (row->why_not != NULL) {
        return g_strdup_printf("not known: %s", row->why_not);
    }
    g_autofree char *gain = app_format_percent(row->gain.gain.mean);
    g_autofree char *interval = app_knockout_interval(&row->gain.gain);
    const char *remark = remark_of(row);
    return g_strdup_printf("%s (%s)%s%s", gain, interval, remark[0] != '\0' ? ", " : "", remark);
}

char **app_impact_lines(const app_impact *impact)
{
    g_autofree char *ranks = app_format_ranks(impact->ranks);
    char **lines = g_new0(char *, impact->num_rows + 1);
    for (size_t i = 0; i < impact->num_rows; i++) {
        const app_impact_row *row = &impact->rows[i];
        g_autofree char *cell = cell_of(row);
        lines[i] = row->why_not != NULL
                       ? g_strdup_printf("what the job gains without it is %s", cell)
                       : g_strdup_printf("without it the job gains %s at %s", cell, ranks);
    }
    return lines;
}

/* Which runs, and how they compare. */
static void add_runs(const app_impact *impact, GPtrArray *out)
{
    g_autofree char *ranks = app_format_ranks(impact->ranks);
    g_autofree char *slowdown = app_format_percent(impact->slowdown.mean);
    g_autofree char *interval = app_knockout_interval(&impact->slowdown);
    app_sentences_add(out,
                      "Gain: the slowdown under all rows (%s, %s, at %s) less that without the "
                      "row, as a share of the time without noise; mean of %u replicas, each of "
                      "which draws the same in both runs, and its 95 %% interval.",
                      slowdown, interval, ranks, impact->replicas);
    app_sentences_add(out,
                      "A row with a period stands in the simulator as detours of its mean length "
                      "at that period, another one as detours at random (exponential gaps) with "
                      "the rate that was seen%s.",
                      impact->mode == APP_COSCHEDULED
                          ? "; on all nodes at the same times"
                          : ", on each rank from an instant of its own, independent of the others");
    if (impact->has_unknown_gaps) {
        app_sentences_add(out, "Where no period is known, detours that came while a rank was "
                               "waiting are not counted, and the gain is rather too small.");
    }
    if (impact->is_of_some_ranks && impact->ranks != impact->observed_ranks) {
        app_sentences_add(out,
                          "A row of some ranks strikes the ranks of these numbers, of %u that "
                          "were observed, in the job of this size, too, and no others.",
                          impact->observed_ranks);
    }
    if (impact->is_recorded) {
        app_sentences_add(out, "The recorded program still holds the time that its noise took: "
                               "the time without noise is too long by that, and gains in per cent "
                               "are somewhat too small. Messages take what --machine says.");
    }
}

char **app_impact_conditions(const app_impact *impact)
{
    GPtrArray *out = g_ptr_array_new();
    if (impact->failure != NULL) {
        app_sentences_add(out, "What was found cannot be simulated: %s.", impact->failure);
    } else if (impact->noise == NULL) {
        app_sentences_add(out, "No row can be said as noise, so nothing was simulated.");
    } else if (impact->replicas == 0) {
        g_autofree char *needed = app_estimate_format_time(impact->needed);
        app_sentences_add(out,
                          "Nothing was simulated: one row alone takes about %s (--budget), or "
                          "fewer ranks (--impact=RANKS).",
                          needed);
    } else {
        add_runs(impact, out);
        if (impact->num_left_out > 0) {
            app_sentences_add(out,
                              "%zu row%s of the smallest shares %s not left out in turn: there was "
                              "no time for it within %g s (--budget).",
                              impact->num_left_out, impact->num_left_out == 1 ? "" : "s",
                              impact->num_left_out == 1 ? "was" : "were", impact->seconds);
        }
    }
    g_ptr_array_add(out, NULL);
    return (char **)g_ptr_array_free(out, FALSE);
}

void app_impact_print(const app_impact *impact, const noise_miner_report *report, FILE *out)
{
    if (impact->num_rows == 0) {
        return;
    }
    g_autofree char *ranks = app_format_ranks(impact->ranks);
    fprintf(out, "\nwithout it the job gains, at %s\n", ranks);
    for (size_t i = 0; i < impact->num_rows; i++) {
        g_autofree char *noise = sim_unit_format_time_short(report->rows[i].t_noise);
        g_autofree char *cell = cell_of(&impact->rows[i]);
        fprintf(out, "%10s  %s\n", noise, cell);
    }
    g_auto(GStrv) conditions = app_impact_conditions(impact);
    for (char **line = conditions; *line != NULL; line++) {
        app_sentence_print(*line, out);
    }
}

const char *const APP_IMPACT_CSV = "impact_ranks,gain,gain_low,gain_high,level,remark";

char **app_impact_csv_rows(const app_impact *impact)
{
    char **rows = g_new0(char *, impact->num_rows + 1);
    for (size_t i = 0; i < impact->num_rows; i++) {
        const app_impact_row *row = &impact->rows[i];
        const app_mean *gain = &row->gain.gain;
        /* None of these texts holds a quotation mark. */
        rows[i] = row->why_not != NULL
                      ? g_strdup_printf("%u,,,,,\"%s\"", impact->ranks, row->why_not)
                      : g_strdup_printf("%u,%.9g,%.9g,%.9g,%g,\"%s\"", impact->ranks, gain->mean,
                                        gain->low, gain->high, gain->level, remark_of(row));
    }
    return rows;
}

void app_impact_build(const app_impact *impact, JsonBuilder *b)
{
    g_auto(GStrv) conditions = app_impact_conditions(impact);
    sim_json_begin_object(b, "impact");
    sim_json_int(b, "ranks", impact->ranks);
    sim_json_int(b, "replicas", impact->replicas);
    sim_json_int(b, "rows_left_out", (int64_t)impact->num_left_out);
    if (impact->replicas > 0) {
        app_knockout_build_mean("slowdown", &impact->slowdown, b);
    }
    sim_json_begin_array(b, "rows");
    for (size_t i = 0; i < impact->num_rows; i++) {
        const app_impact_row *row = &impact->rows[i];
        json_builder_begin_object(b);
        if (row->why_not != NULL) {
            sim_json_text(b, "not_known", row->why_not);
        } else {
            app_knockout_build_mean("gain", &row->gain.gain, b);
            app_knockout_build_mean("without", &row->gain.without, b);
            if (isfinite(row->gain.met)) {
                sim_json_double(b, "met", row->gain.met);
            }
            sim_json_text(b, "remark", remark_of(row));
        }
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
    sim_json_begin_array(b, "conditions");
    for (char **line = conditions; *line != NULL; line++) {
        sim_json_add_text(b, *line);
    }
    json_builder_end_array(b);
    json_builder_end_object(b);
}
