/* apps/ripple/scores/model_print.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_model_print, cli_detect. */
#include "scores/model_print.h"

#include "noise/call_symbol.h"
#include "output/number_text.h"
#include "output/output.h"
#include "sim/json_member.h"
#include "sim/unit.h"

#include <string.h>

enum { LONGEST_PERIOD = 64, MOST_NAMES = 24 };

/* How often calls[0..period) comes in a row from there on. */
static uint32_t repetitions(const uint32_t *calls, uint32_t n, uint32_t period)
{
    uint32_t times = 1;
    while ((times + 1) * (uint64_t)period <= n &&
           memcmp(calls, calls + (size_t)times * period, period * sizeof *calls) == 0) {
        times++;
    }
    return times;
}

/* The period by which most calls are said at once; 1 if none repeats. */
static uint32_t best_period(const uint32_t *calls, uint32_t n, uint32_t *times)
{
    uint32_t best = 1;
    *times = repetitions(calls, n, 1);
    for (uint32_t period = 2; period <= MIN(LONGEST_PERIOD, n / 2); period++) {
        const uint32_t t = repetitions(calls, n, period);
        if (t > 1 && (uint64_t)(t - 1) * period > (uint64_t)(*times - 1) * best) {
            best = period;
            *times = t;
        }
    }
    return best;
}

char *app_model_sequence_text(const noise_interference_model *model, uint32_t sequence)
{
    const noise_interference_sequence *s = &model->sequences[sequence];
    GString *out = g_string_new(NULL);
    uint32_t names = 0;
    uint32_t at = 0;
    while (at < s->length && names < MOST_NAMES) {
        uint32_t times = 1;
        const uint32_t period = best_period(&s->calls[at], s->length - at, &times);
        const bool repeats = times > 1;
        g_string_append(out, at > 0 ? ", " : "");
        if (repeats) {
            g_string_append_printf(out, "%u x ", times);
            g_string_append(out, period > 1 ? "(" : "");
        }
        for (uint32_t i = 0; i < period; i++) {
            g_string_append_printf(out, "%s%s", i > 0 ? ", " : "",
                                   model->calls[s->calls[at + i]].name);
        }
        g_string_append(out, repeats && period > 1 ? ")" : "");
        names += period;
        at += period * times;
    }
    if (at < s->length) {
        g_string_append_printf(out, ", and %u more", s->length - at);
    }
    return g_string_free(out, FALSE);
}

static const char *const RULES[NOISE_LEARNED_RULES] = {
    "as published, by the gain of disturbed over clean runs",
    "the largest that no clean run exceeds, within 10 % of the best gain of disturbed runs",
    "beyond all that the clean runs have shown",
    "by theory, for a rate of false alarms",
};

/* What the ranks have of one sequence. */
typedef struct span {
    uint32_t used;          /* ranks that use it */
    uint32_t k_low, k_high; /* of these */
    uint64_t n_low, n_high; /* times in the clean runs, of these */
} span;

static span span_of(const noise_interference_model *m, uint32_t l)
{
    span s = {.k_low = UINT32_MAX, .n_low = UINT64_MAX};
    for (uint32_t r = 0; r < m->num_ranks; r++) {
        const noise_interference_row *row = noise_interference_model_row(m, r, l);
        if (row->used) {
            s.used++;
            s.k_low = MIN(s.k_low, row->k);
            s.k_high = MAX(s.k_high, row->k);
            s.n_low = MIN(s.n_low, row->count);
            s.n_high = MAX(s.n_high, row->count);
        }
    }
    return s;
}

static char *range_text(double low, double high)
{
    return low < high ? g_strdup_printf("%.4g .. %.4g", low, high) : g_strdup_printf("%.4g", low);
}

static void print_sequence(const noise_interference_model *m, uint32_t l, FILE *out)
{
    const span s = span_of(m, l);
    const noise_interference_row *any = noise_interference_model_row(m, m->num_ranks, l);
    g_autofree char *k = s.used > 0 ? range_text((double)s.k_low / NOISE_INTERFERENCE_K_ONE,
                                                 (double)s.k_high / NOISE_INTERFERENCE_K_ONE)
                                    : g_strdup("not used");
    g_autofree char *n = s.used > 0 ? range_text((double)s.n_low, (double)s.n_high) : g_strdup("-");
    g_autofree char *mean = any->count > 0 ? sim_unit_format_time_short(any->mean) : g_strdup("-");
    g_autofree char *deviation =
        any->count > 0 ? sim_unit_format_time_short(any->deviation) : g_strdup("-");
    g_autofree char *text = app_model_sequence_text(m, l);
    fprintf(out, "%8u  %6u  %5u  %12s  %12s  %8s  %9s  %s%s\n", l, m->sequences[l].length, s.used,
            k, n, mean, deviation, text,
            m->sequences[l].misaligned ? "; counted between collectives" : "");
}

void app_model_print(const noise_interference_model *m, FILE *out)
{
    g_autofree char *coverage = app_format_percent(m->coverage);
    g_autofree char *least = app_format_percent(m->least_coverage);
    g_autofree char *filter = sim_unit_format_time(m->filter);
    fprintf(out, "learned of %u runs on %u ranks: %s\n", m->num_runs, m->num_ranks,
            m->how != NULL ? m->how : "");
    for (uint32_t i = 0; i < m->num_runs; i++) {
        fprintf(out, "  %s: %s\n", m->runs[i].kind == NOISE_RUN_CLEAN ? "clean" : "disturbed",
                m->runs[i].name);
    }
    fprintf(out, "compared with: %s; calls told apart by: %s; thresholds: %s\n",
            noise_interference_reference_names[m->reference],
            noise_match_name((noise_match)m->match), RULES[m->rule]);
    fprintf(out, "occurrences below %s are not looked at\n", filter);
    fprintf(out,
            "%u sequences hold %s of the calls of the clean runs; below %s of its calls, a rank is "
            "not judged\n",
            m->num_sequences, coverage, least);
    fprintf(out, "%8s  %6s  %5s  %12s  %12s  %8s  %9s  %s\n", "sequence", "length", "ranks", "K",
            "times", "mean", "deviation", "calls");
    for (uint32_t l = 0; l < m->num_sequences; l++) {
        print_sequence(m, l, out);
    }
    fputs("ranks: that use it; times, mean, deviation: of its occurrences on a rank in the clean "
          "runs\n",
          out);
}

void app_model_print_csv(const noise_interference_model *m, FILE *out)
{
    fputs("rank,sequence,length,used,k,count,exceeded,mean_ps,deviation_ps,calls\n", out);
    for (uint32_t r = 0; r <= m->num_ranks; r++) {
        for (uint32_t l = 0; l < m->num_sequences; l++) {
            const noise_interference_row *row = noise_interference_model_row(m, r, l);
            g_autofree char *rank = r < m->num_ranks ? g_strdup_printf("%u", r) : g_strdup("any");
            g_autofree char *text = app_model_sequence_text(m, l);
            fprintf(out,
                    "%s,%u,%u,%s,%g,%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",%" G_GINT64_FORMAT
                    ",%" G_GINT64_FORMAT ",",
                    rank, l, m->sequences[l].length, row->used ? "yes" : "no",
                    (double)row->k / NOISE_INTERFERENCE_K_ONE, row->count, row->exceeded, row->mean,
                    row->deviation);
            app_output_csv_text(out, text);
            fputc('\n', out);
        }
    }
}

static void build_rows(const noise_interference_model *m, uint32_t l, JsonBuilder *b)
{
    sim_json_begin_array(b, "ranks");
    for (uint32_t r = 0; r <= m->num_ranks; r++) {
        const noise_interference_row *row = noise_interference_model_row(m, r, l);
        json_builder_begin_object(b);
        if (r < m->num_ranks) {
            sim_json_int(b, "rank", r);
        } else {
            sim_json_text(b, "rank", "any");
        }
        sim_json_bool(b, "used", row->used);
        sim_json_double(b, "k", (double)row->k / NOISE_INTERFERENCE_K_ONE);
        sim_json_int(b, "count", (int64_t)row->count);
        sim_json_int(b, "exceeded", (int64_t)row->exceeded);
        sim_json_int(b, "mean_ps", row->mean);
        sim_json_int(b, "deviation_ps", row->deviation);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

static void build_sequence(const noise_interference_model *m, uint32_t l, JsonBuilder *b)
{
    json_builder_begin_object(b);
    sim_json_int(b, "length", m->sequences[l].length);
    sim_json_bool(b, "misaligned", m->sequences[l].misaligned);
    sim_json_begin_array(b, "calls");
    for (uint32_t i = 0; i < m->sequences[l].length; i++) {
        json_builder_add_int_value(b, m->sequences[l].calls[i]);
    }
    json_builder_end_array(b);
    build_rows(m, l, b);
    json_builder_end_object(b);
}

void app_model_build(const noise_interference_model *m, JsonBuilder *b)
{
    sim_json_text(b, "reference", noise_interference_reference_names[m->reference]);
    sim_json_text(b, "match", noise_match_name((noise_match)m->match));
    sim_json_text(b, "rule", noise_interference_rule_names[m->rule]);
    sim_json_int(b, "filter_ps", m->filter);
    sim_json_double(b, "coverage", m->coverage);
    sim_json_double(b, "least_coverage", m->least_coverage);
    sim_json_text(b, "how", m->how);
    sim_json_begin_array(b, "runs");
    for (uint32_t i = 0; i < m->num_runs; i++) {
        json_builder_begin_object(b);
        sim_json_text(b, "kind", m->runs[i].kind == NOISE_RUN_CLEAN ? "clean" : "disturbed");
        sim_json_text(b, "name", m->runs[i].name);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
    sim_json_begin_array(b, "call_names");
    for (uint32_t i = 0; i < m->num_calls; i++) {
        sim_json_add_text(b, m->calls[i].name);
    }
    json_builder_end_array(b);
    sim_json_begin_array(b, "sequences");
    for (uint32_t l = 0; l < m->num_sequences; l++) {
        build_sequence(m, l, b);
    }
    json_builder_end_array(b);
}
