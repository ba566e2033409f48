/* noise/interference/learner.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "interference/align.h"
#include "interference/learn.h"
#include "interference/reference.h"
#include "synopsis/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct noise_interference_learner {
    miner_memory memory; /* without a budget */
    noise_interference_model *model;
    uint32_t num_ranks, num_nodes;
    uint32_t *nodes;      /* [num_ranks] */
    learn_cell *cells;    /* [num_ranks][num_sequences] */
    uint64_t *seen_until; /* likewise, of the present run */
    align *align;         /* of the present run; NULL: CLEAN, or there is none */
    compare_sums *of_node;
    sim_time *work;
    uint32_t clean, disturbed; /* runs */
    double coverage;           /* smallest of a rank in a clean run; > 1: not known */
};

noise_interference_learner *noise_interference_learner_new(noise_interference_model *model,
                                                           uint32_t num_ranks,
                                                           const uint32_t *nodes,
                                                           noise_interference_error *error)
{
    if (model->num_sequences == 0) {
        snprintf(error->text, sizeof error->text, "the program has no typical sequence");
        return NULL;
    }
    const uint32_t least = noise_reference_least(model->reference);
    if (num_ranks < least) {
        snprintf(error->text, sizeof error->text,
                 "the reference %s compares ranks with each other and needs at least %u, not %u; "
                 "the reference clean needs none",
                 noise_interference_reference_names[model->reference], least, num_ranks);
        return NULL;
    }
    miner_memory memory = {0};
    noise_interference_learner *l = noise_synopsis_new(&memory, 1, sizeof *l);
    const uint64_t cells = (uint64_t)num_ranks * model->num_sequences;
    l->model = model;
    l->num_ranks = num_ranks;
    l->nodes = noise_synopsis_new(&memory, num_ranks, sizeof *l->nodes);
    for (uint32_t rank = 0; rank < num_ranks; rank++) {
        l->nodes[rank] = nodes != NULL ? nodes[rank] : rank;
        l->num_nodes = l->nodes[rank] >= l->num_nodes ? l->nodes[rank] + 1 : l->num_nodes;
    }
    l->cells = noise_synopsis_new(&memory, cells, sizeof *l->cells);
    l->seen_until = noise_synopsis_new(&memory, cells, sizeof *l->seen_until);
    l->of_node = noise_synopsis_new(&memory, l->num_nodes, sizeof *l->of_node);
    l->work = noise_synopsis_new(&memory, num_ranks, sizeof *l->work);
    l->coverage = 2;
    l->memory = memory;
    return l;
}

void noise_interference_learner_free(noise_interference_learner *l)
{
    if (l == NULL) {
        return;
    }
    miner_memory memory = l->memory;
    const uint64_t cells = (uint64_t)l->num_ranks * l->model->num_sequences;
    for (uint64_t i = 0; i < cells; i++) {
        noise_synopsis_free(&memory, l->cells[i].at, l->cells[i].cap, sizeof *l->cells[i].at);
    }
    noise_align_free(l->align);
    noise_synopsis_free(&memory, l->cells, cells, sizeof *l->cells);
    noise_synopsis_free(&memory, l->seen_until, cells, sizeof *l->seen_until);
    noise_synopsis_free(&memory, l->of_node, l->num_nodes, sizeof *l->of_node);
    noise_synopsis_free(&memory, l->work, l->num_ranks, sizeof *l->work);
    noise_synopsis_free(&memory, l->nodes, l->num_ranks, sizeof *l->nodes);
    noise_synopsis_free(&memory, l, 1, sizeof *l);
}

static learn_cell *cell_of(const noise_interference_learner *l, uint32_t rank, uint32_t sequence)
{
    return &l->cells[(uint64_t)rank * l->model->num_sequences + sequence];
}

/* --- Samples --------------------------------------------------------------------------------- */

static void keep(noise_interference_learner *l, learn_cell *cell, const learn_point *point)
{
    cell->at = noise_synopsis_grow(&l->memory, cell->at, &cell->cap, (uint64_t)cell->num + 1,
                                   sizeof *cell->at);
    cell->at[cell->num++] = *point;
}

static void take(void *to, uint32_t rank, const noise_sample *sample, const compare_with *with)
{
    noise_interference_learner *l = to;
    const sim_time work = reference_work(sample);
    if (with->kind != COMPARE_NOTHING) {
        const learn_point point = {.t = sample->t,
                                   .work = work,
                                   .centre = noise_compare_centre(with),
                                   .deviation = noise_compare_deviation(with),
                                   .off = sample->has_cpu ? reference_off(sample) : -1,
                                   .run = l->model->num_runs - 1,
                                   .level = noise_learn_level(with, work)};
        keep(l, cell_of(l, rank, sample->sequence), &point);
    }
}

static void take_row(void *to, const align_row *row)
{
    noise_interference_learner *l = to;
    const reference r = {.kind = l->model->reference,
                         .num_ranks = l->num_ranks,
                         .nodes = l->nodes,
                         .of_node = l->of_node,
                         .work = l->work};
    noise_reference_judge(&r, row, l->model->sequences[row->sequence].misaligned, take, l);
}

static void end_run(noise_interference_learner *l)
{
    if (l->align != NULL) {
        noise_align_flush(l->align);
        noise_align_free(l->align);
        l->align = NULL;
    }
    memset(l->seen_until, 0,
           (size_t)l->num_ranks * l->model->num_sequences * sizeof *l->seen_until);
}

bool noise_interference_learner_run(noise_interference_learner *l, noise_interference_run_kind kind,
                                    const char *name)
{
    noise_interference_model *m = l->model;
    end_run(l);
    noise_interference_run *runs = realloc(m->runs, ((size_t)m->num_runs + 1) * sizeof *runs);
    if (runs == NULL) {
        return false;
    }
    m->runs = runs;
    runs[m->num_runs] = (noise_interference_run){.kind = kind, .name = strdup(name)};
    m->num_runs += runs[m->num_runs].name != NULL;
    l->clean += kind == NOISE_RUN_CLEAN;
    l->disturbed += kind == NOISE_RUN_DISTURBED;
    if (m->reference != NOISE_REFERENCE_CLEAN) {
        l->align = noise_align_new(l->num_ranks, m->num_sequences, 0, take_row, l);
    }
    return true;
}

bool noise_interference_learner_add(noise_interference_learner *l, uint32_t rank,
                                    const noise_sample *sample)
{
    const noise_interference_model *m = l->model;
    if (m->num_runs == 0 || rank >= l->num_ranks || sample->sequence >= m->num_sequences ||
        sample->compute < 0 || sample->t == UINT64_MAX) {
        return false;
    }
    uint64_t *seen = &l->seen_until[(uint64_t)rank * m->num_sequences + sample->sequence];
    if (sample->t < *seen) {
        return false;
    }
    *seen = sample->t + 1;
    if (l->align != NULL) {
        noise_align_add(l->align, rank, sample);
        return true;
    }
    const learn_point point = {.t = sample->t,
                               .work = reference_work(sample),
                               .off = sample->has_cpu ? reference_off(sample) : -1,
                               .run = m->num_runs - 1};
    keep(l, cell_of(l, rank, sample->sequence), &point);
    return true;
}

void noise_interference_learner_cover(noise_interference_learner *l, uint32_t rank, uint64_t calls,
                                      uint64_t covered_calls)
{
    (void)rank; /* all alike: what counts is the one with least */
    const bool clean = l->model->runs[l->model->num_runs - 1].kind == NOISE_RUN_CLEAN;
    const double share = calls > 0 ? (double)covered_calls / (double)calls : 0;
    l->coverage = clean && share < l->coverage ? share : l->coverage;
}

/* --- Rows ------------------------------------------------------------------------------------ */

/* By how many samples is one of this rank judged? */
static uint64_t others_of(const noise_interference_learner *l, uint32_t rank, uint64_t count)
{
    uint64_t others = l->num_ranks;
    if (l->model->reference == NOISE_REFERENCE_CLEAN) {
        return count;
    }
    for (uint32_t i = 0; l->model->reference == NOISE_REFERENCE_LOO && i < l->num_ranks; i++) {
        others -= l->nodes[i] == l->nodes[rank];
    }
    return others;
}

static bool learn_row(noise_interference_learner *l, uint32_t rank, uint32_t sequence)
{
    noise_interference_model *m = l->model;
    learn_cell *cell = cell_of(l, rank, sequence);
    noise_interference_row *row = &m->rows[(uint64_t)rank * m->num_sequences + sequence];
    if (!noise_learn_clean(m, m->sequences[sequence].misaligned, cell, row)) {
        return false;
    }
    if (m->reference == NOISE_REFERENCE_CLEAN) {
        noise_learn_compare(m, cell, row);
    }
    const bool ok = noise_learn_threshold(m, cell, others_of(l, rank, row->count), row);
    noise_learn_alarms(m, cell, row);
    return ok;
}

/* For ranks that were not learned: all that were, and the highest of their thresholds. */
static bool learn_any(noise_interference_learner *l, uint32_t sequence)
{
    noise_interference_model *m = l->model;
    noise_interference_row *any = &m->rows[(uint64_t)l->num_ranks * m->num_sequences + sequence];
    learn_cell all = {0};
    for (uint32_t rank = 0; rank < l->num_ranks; rank++) {
        const noise_interference_row *row = noise_interference_model_row(m, rank, sequence);
        const learn_cell *cell = cell_of(l, rank, sequence);
        any->k = row->used && row->k > any->k ? row->k : any->k;
        any->used = any->used || row->used;
        for (uint32_t i = 0; i < cell->num; i++) {
            keep(l, &all, &cell->at[i]);
        }
    }
    /* The same t of several ranks is no course. */
    const bool ok = noise_learn_clean(m, true, &all, any);
    if (m->reference == NOISE_REFERENCE_CLEAN) {
        noise_learn_compare(m, &all, any);
    }
    noise_learn_alarms(m, &all, any);
    noise_synopsis_free(&l->memory, all.at, all.cap, sizeof *all.at);
    return ok;
}

/* What the rule and the reference need. */
static bool has_runs(const noise_interference_learner *l, noise_interference_error *error)
{
    const noise_interference_model *m = l->model;
    const bool by_gain = m->rule == NOISE_LEARNED_PAPER || m->rule == NOISE_LEARNED_GAIN;
    const char *missing = NULL;
    if (l->clean == 0 &&
        (m->rule != NOISE_LEARNED_NOTHING || m->reference == NOISE_REFERENCE_CLEAN)) {
        missing = "clean";
    } else if (l->disturbed == 0 && by_gain) {
        missing = "disturbed";
    }
    if (missing != NULL) {
        snprintf(error->text, sizeof error->text, "rule %s with reference %s needs a %s run",
                 noise_interference_rule_names[m->rule],
                 noise_interference_reference_names[m->reference], missing);
    }
    return missing == NULL;
}

bool noise_interference_learner_finish(noise_interference_learner *l,
                                       noise_interference_error *error)
{
    noise_interference_model *m = l->model;
    end_run(l);
    if (!has_runs(l, error)) {
        return false;
    }
    bool ok = noise_interference_model_make_rows(m, l->num_ranks), used = false;
    for (uint32_t sequence = 0; ok && sequence < m->num_sequences; sequence++) {
        for (uint32_t rank = 0; ok && rank < l->num_ranks; rank++) {
            ok = learn_row(l, rank, sequence);
            used = used || noise_interference_model_row(m, rank, sequence)->used;
        }
        ok = ok && learn_any(l, sequence);
    }
    if (!ok || !used) {
        snprintf(
            error->text, sizeof error->text, "%s",
            !ok ? "no memory for the model"
                : "no sequence tells anything of any rank: their samples are below the filter, "
                  "or a disturbance does not make them longer");
        return false;
    }
    m->coverage = l->coverage <= 1 ? l->coverage : 0;
    m->least_coverage = m->coverage / 2;
    return true;
}
