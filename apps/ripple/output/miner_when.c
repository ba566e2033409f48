/* apps/ripple/output/miner_when.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_miner_words, cli_mine. */
#include "output/miner_when.h"

#include "output/output.h"
#include "sim/json_member.h"
#include "sim/unit.h"

#include <math.h>

enum { RANGES_SHOWN = 4 }; /* to people; there may be thousands */

/* "from 12.1s on (epochs 5-8 of 8)" */
static char *stretch_of(const noise_miner_report *report, uint32_t first, uint32_t last,
                        sim_time from, sim_time to)
{
    g_autofree char *begin = sim_unit_format_time_short(from);
    g_autofree char *end = sim_unit_format_time_short(to);
    g_autofree char *epochs =
        last > first
            ? g_strdup_printf("(epochs %u-%u of %u)", first + 1, last + 1, report->num_epochs)
            : g_strdup_printf("(epoch %u of %u)", first + 1, report->num_epochs);
    if (last + 1 == report->num_epochs) {
        return g_strdup_printf("from %s on %s", begin, epochs);
    }
    return first == 0 ? g_strdup_printf("until %s %s", end, epochs)
                      : g_strdup_printf("%s to %s %s", begin, end, epochs);
}

char *app_miner_row_when(const noise_miner_report *report, const noise_miner_row *row)
{
    static const char *const words[] = {[NOISE_MINER_NOT_KNOWN] = "-",
                                        [NOISE_MINER_TOO_FEW] = "too few",
                                        [NOISE_MINER_NO_CHANGE] = "no change"};
    const noise_miner_change *c = &row->change;
    if (c->verdict != NOISE_MINER_CHANGED) {
        return g_strdup(words[c->verdict]);
    }
    g_autofree char *times = isinf(c->times) ? g_strdup("")
                             : c->times > 0  ? g_strdup_printf("x%.2g ", c->times)
                                             : g_strdup("not ");
    g_autofree char *stretch = stretch_of(report, c->first, c->last, c->from, c->to);
    return g_strdup_printf("%s%s", times, stretch);
}

void app_miner_when_csv(const noise_miner_report *report, const noise_miner_row *row, FILE *out)
{
    const noise_miner_change *c = &row->change;
    g_autofree char *when = app_miner_row_when(report, row);
    fputc(',', out);
    app_output_csv_text(out, when);
    if (c->verdict == NOISE_MINER_CHANGED) {
        g_autofree char *from = sim_unit_format_ns(c->from);
        g_autofree char *to = sim_unit_format_ns(c->to);
        fprintf(out, ",%s,%s,%.9g,%.3g", from, to, c->times, c->chance);
    } else if (c->verdict == NOISE_MINER_NO_CHANGE) {
        fprintf(out, ",,,,%.3g", c->chance);
    } else {
        fputs(",,,,", out);
    }
}

static void build_numbers(JsonBuilder *b, const char *name, const double *number, uint32_t n)
{
    sim_json_begin_array(b, name);
    for (uint32_t i = 0; i < n; i++) {
        json_builder_add_double_value(b, number[i]);
    }
    json_builder_end_array(b);
}

void app_miner_when_build(const noise_miner_report *report, const noise_miner_row *row,
                          JsonBuilder *b)
{
    const noise_miner_change *c = &row->change;
    if (c->verdict == NOISE_MINER_NOT_KNOWN) {
        return;
    }
    g_autofree char *words = app_miner_row_when(report, row);
    sim_json_begin_object(b, "when");
    sim_json_text(b, "words", words);
    if (c->verdict != NOISE_MINER_TOO_FEW) {
        sim_json_double(b, "chance", c->chance);
    }
    if (c->verdict == NOISE_MINER_CHANGED) {
        sim_json_int(b, "first_epoch", c->first + 1);
        sim_json_int(b, "last_epoch", c->last + 1);
        sim_json_int(b, "from_ps", c->from);
        sim_json_int(b, "to_ps", c->to);
        sim_json_bool(b, "only_there", isinf(c->times));
        if (!isinf(c->times)) {
            sim_json_double(b, "times", c->times);
        }
    }
    json_builder_end_object(b);
    build_numbers(b, "hits", row->hits, report->num_epochs);
    build_numbers(b, "seen_s", row->seen, report->num_epochs);
}

void app_miner_epochs_build(const noise_miner_report *report, JsonBuilder *b)
{
    if (report->num_epochs > 0) {
        sim_json_begin_object(b, "epochs");
        sim_json_int(b, "number", report->num_epochs);
        sim_json_int(b, "from_ps", report->epochs_from);
        sim_json_int(b, "each_ps", report->epoch);
        json_builder_end_object(b);
    }
}

char *app_miner_ranks(const uint32_t (*ranks)[2], uint32_t n, bool exact, uint32_t most)
{
    GString *text = g_string_new(NULL);
    for (uint32_t i = 0; i < MIN(n, most); i++) {
        g_string_append_printf(text, "%s%u", i > 0 ? "," : "", ranks[i][0]);
        if (ranks[i][1] != ranks[i][0]) {
            g_string_append_printf(text, "-%u", ranks[i][1]);
        }
    }
    g_string_append(text, exact && n <= most ? "" : ",...");
    return g_string_free(text, FALSE);
}

char *app_miner_drift_words(const noise_miner_report *report, const noise_miner_drift *d)
{
    g_autofree char *ranks = app_miner_ranks((const uint32_t(*)[2])d->ranks, d->num_ranges,
                                             d->ranks_exact, RANGES_SHOWN);
    g_autofree char *when = stretch_of(report, d->first, d->last, d->from, d->to);
    g_autofree char *types =
        d->types == 1 ? g_strdup("one type of events, whose work may have changed instead")
                      : g_strdup_printf("%u types of events", d->types);
    return g_strdup_printf("clock drift: %+.3g %% (%+.3g .. %+.3g) %s, rank%s %s: %s of %s",
                           100 * d->size, 100 * d->low, 100 * d->high, when,
                           d->num_ranks == 1 ? "" : "s", ranks,
                           d->gradual ? "in several steps," : "a step", types);
}

void app_miner_drifts_build(const noise_miner_report *report, JsonBuilder *b)
{
    sim_json_begin_array(b, "clock_drift");
    for (size_t i = 0; i < report->num_drifts; i++) {
        const noise_miner_drift *d = &report->drifts[i];
        json_builder_begin_object(b);
        sim_json_double(b, "size", d->size);
        sim_json_double(b, "low", d->low);
        sim_json_double(b, "high", d->high);
        sim_json_bool(b, "gradual", d->gradual);
        sim_json_int(b, "types", d->types);
        sim_json_int(b, "first_epoch", d->first + 1);
        sim_json_int(b, "last_epoch", d->last + 1);
        sim_json_int(b, "from_ps", d->from);
        sim_json_int(b, "to_ps", d->to);
        sim_json_int(b, "num_ranks", d->num_ranks);
        sim_json_begin_array(b, "ranks");
        for (uint32_t r = 0; r < d->num_ranges; r++) {
            json_builder_begin_array(b);
            json_builder_add_int_value(b, d->ranks[r][0]);
            json_builder_add_int_value(b, d->ranks[r][1]);
            json_builder_end_array(b);
        }
        json_builder_end_array(b);
        sim_json_bool(b, "ranks_exact", d->ranks_exact);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

/* Its size is where others have how much the rate changed. */
void app_miner_drifts_csv(const noise_miner_report *report, const char *nothing, FILE *out)
{
    for (size_t i = 0; i < report->num_drifts; i++) {
        const noise_miner_drift *d = &report->drifts[i];
        g_autofree char *ranks = app_miner_ranks((const uint32_t(*)[2])d->ranks, d->num_ranges,
                                                 d->ranks_exact, UINT32_MAX);
        g_autofree char *words = app_miner_drift_words(report, d);
        g_autofree char *when = stretch_of(report, d->first, d->last, d->from, d->to);
        g_autofree char *from = sim_unit_format_ns(d->from);
        g_autofree char *to = sim_unit_format_ns(d->to);
        fprintf(out, "clock drift,,,,,,,,,,%u,", d->num_ranks);
        app_output_csv_text(out, ranks);
        fputc(',', out);
        app_output_csv_text(out, words);
        fputc(',', out);
        app_output_csv_text(out, when);
        fprintf(out, ",%s,%s,%.9g,%s\n", from, to, 1 + d->size, nothing);
    }
}
