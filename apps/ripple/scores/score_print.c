/* apps/ripple/scores/score_print.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_score, cli_detect. */
#include "output/number_text.h"
#include "output/output.h"
#include "output/sentences.h"
#include "scores/score_words.h"
#include "sim/json_member.h"
#include "sim/unit.h"

#include <math.h>

/* Text to the left, numbers to the right. */
static const int WIDTHS[] = {5, -10, 6, 8, 8, 8, 8, 9, -1};

static void print_cells(const char *const *cells, FILE *out)
{
    for (size_t i = 0; cells[i] != NULL; i++) {
        const bool is_last = cells[i + 1] == NULL;
        fprintf(out, "%s%*s", i > 0 ? "  " : "", is_last ? 0 : WIDTHS[i], cells[i]);
    }
    fputc('\n', out);
}

void app_score_print(const app_score *s, FILE *out)
{
    g_autofree char *coverage = app_format_percent(s->model->coverage);
    fprintf(out, "%u typical sequences, which hold %s of the calls of the clean runs\n",
            s->model->num_sequences, coverage);
    print_cells(APP_SCORE_COLUMNS, out);
    for (uint32_t i = 0; i < app_score_num_rows(s); i++) {
        g_auto(GStrv) cells = app_score_cells(s, s->order[i]);
        print_cells((const char *const *)cells, out);
    }
    if (app_score_num_rows(s) < s->num_ranks) {
        fprintf(out, "and %u more ranks\n", s->num_ranks - app_score_num_rows(s));
    }
    g_autoptr(GPtrArray) findings = app_score_findings(s);
    for (guint i = 0; i < findings->len; i++) {
        app_sentence_print(g_ptr_array_index(findings, i), out);
    }
    g_autoptr(GPtrArray) notes = app_score_notes(s);
    for (guint i = 0; i < notes->len; i++) {
        app_sentence_print(g_ptr_array_index(notes, i), out);
    }
}

/* In CSV a number that is not there is an empty field. */
static void print_number(FILE *out, bool is_there, double value)
{
    fputc(',', out);
    if (is_there) {
        fprintf(out, "%.9g", value);
    }
}

void app_score_print_csv_head(FILE *out)
{
    fputs("run,rank,verdict,metric,p_value,onset_s,until_s,open,lost_s,lost_share,coverage,"
          "covered_work,culprit,culprit_share\n",
          out);
}

void app_score_print_csv(const app_score *s, const char *run, FILE *out)
{
    for (uint32_t r = 0; r < s->num_ranks; r++) {
        const noise_interference_judgement *j = &s->judged[r];
        const bool disturbed = j->verdict == NOISE_VERDICT_DISTURBED;
        const bool judged = disturbed || j->verdict == NOISE_VERDICT_CLEAN;
        const bool onset = disturbed && j->has_onset;
        const app_culprit *by = &s->culprit[r];
        app_output_csv_text(out, run);
        fprintf(out, ",%u,%s", r, app_score_verdict(j->verdict));
        print_number(out, judged, j->metric);
        print_number(out, judged, j->p_value);
        print_number(out, onset, (double)j->onset / (double)SIM_S);
        print_number(out, onset && !j->open, (double)j->until / (double)SIM_S);
        fprintf(out, ",%s", onset ? j->open ? "yes" : "no" : "");
        print_number(out, disturbed, (double)j->lost / (double)SIM_S);
        print_number(out, disturbed, j->lost_share);
        print_number(out, j->coverage >= 0, j->coverage);
        print_number(out, j->covered_work >= 0, j->covered_work);
        fputc(',', out);
        app_output_csv_text(out, by->name != NULL ? by->name : "");
        print_number(out, by->name != NULL, by->share);
        fputc('\n', out);
    }
}

static void build_sequence(const app_score *s, uint32_t rank, uint32_t sequence, JsonBuilder *b)
{
    const noise_interference_signal *g =
        noise_interference_scorer_signal(s->scorer, rank, sequence);
    const noise_interference_row *row = noise_interference_model_row(s->model, rank, sequence);
    json_builder_begin_object(b);
    sim_json_int(b, "sequence", sequence);
    sim_json_bool(b, "used", row->used);
    sim_json_double(b, "k", (double)row->k / NOISE_INTERFERENCE_K_ONE);
    sim_json_int(b, "seen", (int64_t)g->seen);
    sim_json_int(b, "judged", (int64_t)g->judged);
    sim_json_int(b, "exceeded", (int64_t)g->exceeded);
    sim_json_double(b, "ils", noise_interference_ils(g));
    sim_json_int(b, "lost_ps", g->lost);
    sim_json_begin_array(b, "stretches");
    for (uint32_t i = 0; i < g->num_stretches; i++) {
        const noise_interference_stretch *t = &g->stretches[i];
        json_builder_begin_object(b);
        sim_json_int(b, "begin_ps", t->begin);
        sim_json_int(b, "end_ps", t->end);
        sim_json_int(b, "lost_ps", t->lost);
        sim_json_bool(b, "open", t->open);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
    json_builder_end_object(b);
}

static void build_rank(const app_score *s, uint32_t rank, JsonBuilder *b)
{
    const noise_interference_judgement *j = &s->judged[rank];
    const bool disturbed = j->verdict == NOISE_VERDICT_DISTURBED;
    json_builder_begin_object(b);
    sim_json_int(b, "rank", rank);
    sim_json_text(b, "verdict", app_score_verdict(j->verdict));
    if (disturbed || j->verdict == NOISE_VERDICT_CLEAN) {
        sim_json_double(b, "metric", j->metric);
        sim_json_double(b, "p_value", j->p_value);
    }
    if (disturbed) {
        if (j->has_onset) {
            sim_json_int(b, "onset_ps", j->onset);
            sim_json_int(b, "until_ps", j->until);
            sim_json_bool(b, "open", j->open);
        }
        sim_json_int(b, "lost_ps", j->lost);
        sim_json_double(b, "lost_share", j->lost_share);
    }
    sim_json_double(b, "coverage", j->coverage >= 0 ? j->coverage : NAN);
    sim_json_double(b, "covered_work", j->covered_work >= 0 ? j->covered_work : NAN);
    if (s->culprit[rank].name != NULL) {
        sim_json_text(b, "culprit", s->culprit[rank].name);
        sim_json_double(b, "culprit_share", s->culprit[rank].share);
    }
    sim_json_begin_array(b, "sequences");
    for (uint32_t l = 0; l < s->model->num_sequences; l++) {
        build_sequence(s, rank, l, b);
    }
    json_builder_end_array(b);
    json_builder_end_object(b);
}

static void build_sentences(GPtrArray *sentences, const char *name, JsonBuilder *b)
{
    sim_json_begin_array(b, name);
    for (guint i = 0; i < sentences->len; i++) {
        sim_json_add_text(b, g_ptr_array_index(sentences, i));
    }
    json_builder_end_array(b);
}

void app_score_build(const app_score *s, JsonBuilder *b)
{
    g_autoptr(GPtrArray) findings = app_score_findings(s);
    g_autoptr(GPtrArray) notes = app_score_notes(s);
    sim_json_begin_array(b, "ranks");
    for (uint32_t r = 0; r < s->num_ranks; r++) {
        build_rank(s, r, b);
    }
    json_builder_end_array(b);
    build_sentences(findings, "findings", b);
    build_sentences(notes, "notes", b);
}
