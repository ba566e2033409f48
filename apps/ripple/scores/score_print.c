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

static void print_finding(FILE *out, bool judged, const noise_interference_finding *f)
{
    const bool found = judged && f->found;
    const bool onset = found && f->has_onset;
    print_number(out, judged, f->p_value);
    print_number(out, onset, (double)f->onset / (double)SIM_S);
    print_number(out, onset && !f->open, (double)f->until / (double)SIM_S);
    fprintf(out, ",%s", onset ? f->open ? "yes" : "no" : "");
    print_number(out, found, (double)f->lost / (double)SIM_S);
    print_number(out, found, f->lost_share);
}

void app_score_print_csv_head(FILE *out)
{
    fputs("run,rank,verdict,metric,p_value,onset_s,until_s,open,lost_s,lost_share,coverage,"
          "covered_work,culprit,culprit_share,clock,slower_p_value,slower_onset_s,slower_until_s,"
          "slower_open,slower_lost_s,slower_share\n",
          out);
}

void app_score_print_csv(const app_score *s, const char *run, FILE *out)
{
    for (uint32_t r = 0; r < s->num_ranks; r++) {
        const noise_interference_judgement *j = &s->judged[r];
        const noise_interference_finding *f = app_score_finding(j);
        const bool judged = app_score_is_judged(j);
        const app_culprit *by = &s->culprit[r];
        app_output_csv_text(out, run);
        fprintf(out, ",%u,%s", r, app_score_verdict(j->verdict));
        print_number(out, judged, j->metric);
        print_finding(out, judged, f);
        print_number(out, j->coverage >= 0, j->coverage);
        print_number(out, f->covered_work >= 0, f->covered_work);
        fputc(',', out);
        app_output_csv_text(out, by->name != NULL ? by->name : "");
        print_number(out, by->name != NULL, by->share);
        fprintf(out, ",%s", !judged ? "" : j->has_cpu ? "cpu" : "wall");
        print_finding(out, judged && j->has_cpu, &j->of[NOISE_INTERFERENCE_SLOWER]);
        fputc('\n', out);
    }
}

static void build_loss(const noise_interference_loss *loss, JsonBuilder *b)
{
    sim_json_int(b, "lost_ps", loss->lost);
    sim_json_begin_array(b, "stretches");
    for (uint32_t i = 0; i < loss->num_stretches; i++) {
        const noise_interference_stretch *t = &loss->stretches[i];
        json_builder_begin_object(b);
        sim_json_int(b, "begin_ps", t->begin);
        sim_json_int(b, "end_ps", t->end);
        sim_json_int(b, "lost_ps", t->lost);
        sim_json_bool(b, "open", t->open);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
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
    sim_json_int(b, "split", (int64_t)g->split);
    build_loss(&g->loss[NOISE_INTERFERENCE_DISTURBED], b);
    if (g->split > 0) {
        json_builder_set_member_name(b, "slower");
        json_builder_begin_object(b);
        build_loss(&g->loss[NOISE_INTERFERENCE_SLOWER], b);
        json_builder_end_object(b);
    }
    json_builder_end_object(b);
}

static void build_finding(const noise_interference_finding *f, JsonBuilder *b)
{
    sim_json_double(b, "p_value", f->p_value);
    if (f->found && f->has_onset) {
        sim_json_int(b, "onset_ps", f->onset);
        sim_json_int(b, "until_ps", f->until);
        sim_json_bool(b, "open", f->open);
    }
    if (f->found) {
        sim_json_int(b, "lost_ps", f->lost);
        sim_json_double(b, "lost_share", f->lost_share);
    }
}

static void build_rank(const app_score *s, uint32_t rank, JsonBuilder *b)
{
    const noise_interference_judgement *j = &s->judged[rank];
    const noise_interference_finding *f = app_score_finding(j);
    json_builder_begin_object(b);
    sim_json_int(b, "rank", rank);
    sim_json_text(b, "verdict", app_score_verdict(j->verdict));
    if (app_score_is_judged(j)) {
        sim_json_double(b, "metric", j->metric);
        build_finding(f, b);
        sim_json_text(b, "clock", j->has_cpu ? "cpu" : "wall");
    }
    if (j->has_cpu && app_score_is_judged(j)) {
        json_builder_set_member_name(b, "slower");
        json_builder_begin_object(b);
        build_finding(&j->of[NOISE_INTERFERENCE_SLOWER], b);
        json_builder_end_object(b);
    }
    sim_json_double(b, "coverage", j->coverage >= 0 ? j->coverage : NAN);
    sim_json_double(b, "covered_work", f->covered_work >= 0 ? f->covered_work : NAN);
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
