/* apps/ripple/scores/score_words.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_score. */
#include "scores/score_words.h"

#include "output/number_text.h"
#include "output/sentences.h"
#include "sim/unit.h"

#include <math.h>

enum { MOST_SENTENCES = 10 }; /* of single ranks */

const char *const APP_SCORE_COLUMNS[] = {"rank",  "verdict", "metric",  "p-value", "since",
                                         "until", "lost",    "of work", "by",      NULL};

const char *app_score_verdict(noise_interference_verdict verdict)
{
    switch (verdict) {
    case NOISE_VERDICT_DISTURBED:
        return "disturbed";
    case NOISE_VERDICT_SLOWER:
        return "slower";
    case NOISE_VERDICT_CLEAN:
        return "clean";
    case NOISE_VERDICT_CHANGED:
        return "changed";
    default:
        return "no samples";
    }
}

bool app_score_is_judged(const noise_interference_judgement *j)
{
    return j->verdict != NOISE_VERDICT_CHANGED && j->verdict != NOISE_VERDICT_NO_SAMPLES;
}

const noise_interference_finding *app_score_finding(const noise_interference_judgement *j)
{
    return &j->of[j->verdict == NOISE_VERDICT_SLOWER ? NOISE_INTERFERENCE_SLOWER
                                                     : NOISE_INTERFERENCE_DISTURBED];
}

char *app_score_p_value(double p)
{
    return p < 1e-9 ? g_strdup("< 1e-9") : g_strdup_printf("%.2g", p);
}

char **app_score_cells(const app_score *s, uint32_t rank)
{
    const noise_interference_judgement *j = &s->judged[rank];
    const noise_interference_finding *f = app_score_finding(j);
    const bool is_judged = app_score_is_judged(j);
    char **cells = g_new0(char *, G_N_ELEMENTS(APP_SCORE_COLUMNS));
    size_t n = 0;
    cells[n++] = g_strdup_printf("%u", rank);
    cells[n++] = g_strdup(app_score_verdict(j->verdict));
    cells[n++] = is_judged ? g_strdup_printf("%.3f", j->metric) : g_strdup("-");
    cells[n++] = is_judged ? app_score_p_value(f->p_value) : g_strdup("-");
    const bool has_onset = f->found && f->has_onset;
    cells[n++] = has_onset ? sim_unit_format_time_short(f->onset) : g_strdup("-");
    cells[n++] = !has_onset ? g_strdup("-")
                 : f->open  ? g_strdup("the end")
                            : sim_unit_format_time_short(f->until);
    cells[n++] = f->found ? sim_unit_format_time_short(f->lost) : g_strdup("-");
    cells[n++] = f->found ? app_format_percent(f->lost_share) : g_strdup("-");
    cells[n++] = g_strdup(s->culprit[rank].name != NULL ? s->culprit[rank].name : "-");
    return cells;
}

uint32_t app_score_num_rows(const app_score *s)
{
    return MIN(s->num_ranks, APP_SCORE_ROWS);
}

static void add_time(const noise_interference_finding *f, GString *out)
{
    if (!f->has_onset) {
        g_string_append(out, ", too thinly to say since when");
        return;
    }
    g_autofree char *onset = sim_unit_format_time_short(f->onset);
    g_autofree char *until = sim_unit_format_time_short(f->until);
    if (f->open) {
        g_string_append_printf(out, " from %s on", onset);
    } else {
        g_string_append_printf(out, " from %s to %s", onset, until);
    }
}

/* By what it was found. */
static void add_chance(const app_score *s, const noise_interference_finding *f, GString *out)
{
    g_autofree char *p = app_score_p_value(f->p_value);
    if (f->p_value < s->alpha / s->num_ranks) {
        g_string_append_printf(out, p[0] == '<' ? ", p %s" : ", p = %s", p);
    } else {
        g_string_append_printf(out,
                               ", by the length of that stretch; single occurrences are not more "
                               "often slow than in clean runs (p = %s)",
                               p);
    }
}

/* "ran slower …", of a rank whose CPU time is known. */
static void add_slower(const app_score *s, const noise_interference_judgement *j, GString *out)
{
    const noise_interference_finding *f = &j->of[NOISE_INTERFERENCE_SLOWER];
    g_autofree char *lost = sim_unit_format_time_short(f->lost);
    g_autofree char *share = app_format_percent(f->lost_share);
    g_string_append(out, "ran slower though it had its CPU");
    add_time(f, out);
    g_string_append_printf(out, ": %s more CPU time (%s of its computation in the whole run)", lost,
                           share);
    add_chance(s, f, out);
    g_string_append(out, "; the clock's frequency, a neighbour on the core or memory may be why, "
                         "not another program that took this CPU");
}

static char *slower_text(const app_score *s, uint32_t rank)
{
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "rank %u ", rank);
    add_slower(s, &s->judged[rank], out);
    return g_string_free(out, FALSE);
}

static char *disturbed_text(const app_score *s, uint32_t rank)
{
    const noise_interference_judgement *j = &s->judged[rank];
    const noise_interference_finding *f = &j->of[NOISE_INTERFERENCE_DISTURBED];
    GString *out = g_string_new(NULL);
    g_autofree char *lost = sim_unit_format_time_short(f->lost);
    g_autofree char *share = app_format_percent(f->lost_share);
    g_string_append_printf(out, "rank %u was disturbed", rank);
    add_time(f, out);
    g_string_append_printf(out, ": lost %s%s (its computation in the whole run took %s longer)",
                           lost, j->has_cpu ? " off its CPU" : "", share);
    add_chance(s, f, out);
    const app_culprit *by = &s->culprit[rank];
    if (by->name != NULL) {
        g_autofree char *part = app_format_percent(by->share);
        g_string_append_printf(out, "; %s took %s of the CPU time it was refused then", by->name,
                               part);
    }
    if (j->of[NOISE_INTERFERENCE_SLOWER].found) {
        g_string_append(out, ". Besides, it ");
        add_slower(s, j, out);
    }
    return g_string_free(out, FALSE);
}

/* Has any sequence told clean runs from disturbed ones of this rank? */
static bool uses_any(const noise_interference_model *m, uint32_t rank)
{
    bool any = false;
    for (uint32_t l = 0; l < m->num_sequences; l++) {
        any = any || noise_interference_model_row(m, rank, l)->used;
    }
    return any;
}

char *app_score_rank_text(const app_score *s, uint32_t rank)
{
    const noise_interference_judgement *j = &s->judged[rank];
    if (j->verdict == NOISE_VERDICT_DISTURBED) {
        return disturbed_text(s, rank);
    }
    if (j->verdict == NOISE_VERDICT_SLOWER) {
        return slower_text(s, rank);
    }
    if (j->verdict == NOISE_VERDICT_NO_SAMPLES) {
        return g_strdup_printf("rank %u cannot be judged: %s", rank,
                               uses_any(s->model, rank)
                                   ? "nothing of it can be compared"
                                   : "nothing that was learned tells when it is disturbed");
    }
    g_autofree char *coverage = app_format_percent(j->coverage);
    g_autofree char *least = app_format_percent(s->model->least_coverage);
    return g_strdup_printf(
        "rank %u cannot be judged: only %s of its calls belong to sequences of the model (%s are "
        "needed)",
        rank, coverage, least);
}

/* Where all ranks are alike, one sentence is enough. */
static bool add_unjudged_run(const app_score *s, GPtrArray *out)
{
    if (s->num_judged > 0) {
        return false;
    }
    double most = -1;
    for (uint32_t r = 0; r < s->num_ranks; r++) {
        most = MAX(most, s->judged[r].coverage);
    }
    g_autofree char *coverage = app_format_percent(most);
    g_autofree char *least = app_format_percent(s->model->least_coverage);
    if (most >= 0 && most < s->model->least_coverage) {
        app_sentences_add(out,
                          "The run cannot be judged: at most %s of a rank's calls belong to "
                          "sequences of the model (%s are needed). Is it the same program?",
                          coverage, least);
    } else {
        app_sentences_add(out, "The run cannot be judged: nothing of it can be compared.");
    }
    return true;
}

GPtrArray *app_score_findings(const app_score *s)
{
    GPtrArray *out = g_ptr_array_new_with_free_func(g_free);
    if (add_unjudged_run(s, out)) {
        return out;
    }
    const uint32_t told = s->num_ranks - s->num_clean;
    for (uint32_t i = 0; i < MIN(told, MOST_SENTENCES); i++) {
        g_autofree char *text = app_score_rank_text(s, s->order[i]);
        text[0] = g_ascii_toupper(text[0]);
        app_sentences_add(out, "%s.", text);
    }
    if (told > MOST_SENTENCES) {
        app_sentences_add(
            out, "In all, %u of %u ranks were disturbed, %u ran slower, and %u cannot be judged.",
            s->num_disturbed, s->num_ranks, s->num_slower, s->num_ranks - s->num_judged);
    }
    const char *const beyond =
        s->model->rule == NOISE_LEARNED_NOTHING ? "what chance explains" : "what clean runs show";
    if (s->num_disturbed == 0 && s->num_clean > 0) {
        app_sentences_add(out,
                          s->num_clean == s->num_ranks
                              ? "No rank was disturbed beyond %s."
                              : "Of the others, none was disturbed beyond %s.",
                          beyond);
    } else if (s->num_clean > 0) {
        app_sentences_add(out, "The other %u %s not disturbed beyond %s.", s->num_clean,
                          s->num_clean == 1 ? "was" : "were", beyond);
    }
    return out;
}

static void add_reference(const app_score *s, GPtrArray *out)
{
    switch (s->model->reference) {
    case NOISE_REFERENCE_CLEAN:
        app_sentences_add(out,
                          "Each rank is compared with itself in the clean runs, not with other "
                          "ranks: another input or another machine looks like a disturbance.");
        break;
    case NOISE_REFERENCE_PAPER:
        app_sentences_add(out,
                          "Ranks are compared with the mean of all %u, in which a disturbed one is "
                          "itself: none can be more than %.3g standard deviations away.",
                          s->num_ranks, sqrt((double)s->num_ranks - 1));
        break;
    case NOISE_REFERENCE_LOO:
        app_sentences_add(out, "Ranks are compared with those of the other nodes.");
        break;
    default:
        app_sentences_add(out, "Ranks are compared with the median of all; what disturbs more than "
                               "half of them is not seen.");
    }
}

GPtrArray *app_score_notes(const app_score *s)
{
    GPtrArray *out = g_ptr_array_new_with_free_func(g_free);
    add_reference(s, out);
    uint64_t unmatched = 0;
    uint64_t late = 0;
    uint32_t whole = 0; /* disturbed ranks of which no CPU time is known */
    bool is_misaligned = false;
    double covered = 1;
    for (uint32_t r = 0; r < s->num_ranks; r++) {
        unmatched += s->judged[r].unmatched;
        late += s->judged[r].late;
        is_misaligned = is_misaligned || s->judged[r].misaligned;
        const noise_interference_finding *f = app_score_finding(&s->judged[r]);
        covered = f->found && f->covered_work >= 0 ? MIN(covered, f->covered_work) : covered;
        whole += s->judged[r].verdict == NOISE_VERDICT_DISTURBED && !s->judged[r].has_cpu;
    }
    if (whole > 0) {
        app_sentences_add(out, "Whether a disturbed rank was off its CPU, or ran slower though it "
                               "had it, is not known: CPU time was not recorded, in the run or in "
                               "the clean ones.");
    }
    if (s->num_disturbed + s->num_slower > 0 && covered < 0.995) {
        g_autofree char *share = app_format_percent(covered);
        app_sentences_add(out,
                          "What was lost is known of the sequences alone, which hold %s of the "
                          "computation of such a rank or more.",
                          share);
    }
    if (unmatched > 0) {
        app_sentences_add(out,
                          "%" G_GUINT64_FORMAT
                          " occurrences could not be compared: other ranks have none that belongs "
                          "to them.",
                          unmatched);
    }
    if (late > 0) {
        app_sentences_add(out, "%" G_GUINT64_FORMAT " occurrences came too late to be compared.",
                          late);
    }
    if (is_misaligned) {
        app_sentences_add(out, "Ranks have some sequence in numbers that differ by more than 5 %%: "
                               "which occurrences belong together is doubtful there.");
    }
    app_sentences_add(out,
                      "A clean run is said to be disturbed somewhere with a chance of less than "
                      "%g, if its samples are like those of the clean runs and do not depend on "
                      "each other.",
                      s->alpha);
    return out;
}
