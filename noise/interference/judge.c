/* noise/interference/judge.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_scorer_verdict. */
#include "interference/scorer.h"

#include <math.h>

/* A stretch in which less than so much of the computation was lost is no disturbance by itself. */
#define LEAST_LOST 0.01
/* Of what a sequence lost in all: stretches below it do not say when it began. */
#define LEAST_PART 0.1
/* Of the most that a sequence lost: those below it do not say when it began. */
#define LEAST_OF_MOST 0.5

static double mean_work(const noise_interference_signal *signal)
{
    return (double)signal->work / (double)signal->judged;
}

static double lost_share(const noise_interference_signal *signal, noise_interference_kind kind)
{
    const double lost = (double)signal->loss[kind].lost, without = (double)signal->work - lost;
    return without > 0 ? lost / without : 0;
}

static bool is_used(const noise_interference_scorer *s, uint32_t rank, uint32_t l)
{
    return noise_interference_model_row(s->model, rank, l)->used &&
           noise_interference_scorer_signal(s, rank, l)->judged > 0;
}

static uint32_t count_samples(const noise_interference_scorer *s, uint32_t rank,
                              noise_interference_judgement *j)
{
    uint32_t used = 0;
    j->has_cpu = true;
    for (uint32_t l = 0; l < s->model->num_sequences; l++) {
        const noise_interference_row *row = noise_interference_model_row(s->model, rank, l);
        const noise_interference_signal *signal = noise_interference_scorer_signal(s, rank, l);
        j->unmatched += row->used ? signal->unmatched : 0;
        j->late += row->used ? signal->late : 0;
        j->misaligned = j->misaligned || (row->used && noise_interference_misaligned(s, l));
        if (is_used(s, rank, l)) {
            used++;
            j->has_cpu = j->has_cpu && signal->split == signal->judged;
        }
    }
    j->has_cpu = j->has_cpu && used > 0;
    return used;
}

/* Sequences share calls, so their counts are not independent: Bonferroni. What clean runs exceed is
 * of both kinds, so for each of them the rate is at most that. */
static double p_value(const noise_interference_scorer *s, uint32_t rank, uint32_t used,
                      noise_interference_kind kind)
{
    double least = 1;
    for (uint32_t l = 0; l < s->model->num_sequences; l++) {
        const noise_interference_signal *signal = noise_interference_scorer_signal(s, rank, l);
        if (is_used(s, rank, l)) {
            const noise_interference_row *row = noise_interference_model_row(s->model, rank, l);
            least =
                fmin(least, noise_interference_p_value(row, s->model->false_alarms, signal->judged,
                                                       signal->loss[kind].exceeded));
        }
    }
    return fmin(1, least * used);
}

/* Which of the sequences that saw something covers most of the computation? @return is there one?
 */
static bool find_lost(const noise_interference_scorer *s, uint32_t rank,
                      noise_interference_kind kind, noise_interference_finding *f)
{
    const noise_interference_signal *best = NULL;
    for (uint32_t l = 0; l < s->model->num_sequences; l++) {
        const noise_interference_signal *signal = noise_interference_scorer_signal(s, rank, l);
        if (!is_used(s, rank, l) || signal->loss[kind].lost == 0) {
            continue;
        }
        if (best == NULL || signal->work > best->work ||
            (signal->work == best->work && mean_work(signal) < mean_work(best))) {
            best = signal;
            f->by_lost = l;
        }
    }
    if (best == NULL) {
        return false;
    }
    f->lost = best->loss[kind].lost;
    f->lost_share = lost_share(best, kind);
    const scorer_cover *cover = &s->cover[rank];
    f->covered_work =
        cover->known && cover->work > 0 ? fmin(1, (double)best->work / (double)cover->work) : -1;
    return true;
}

/* From the first to the last stretch that matters of the sequence whose samples are shortest. */
static void find_onset(const noise_interference_scorer *s, uint32_t rank,
                       noise_interference_kind kind, noise_interference_finding *f)
{
    sim_time most = 0;
    for (uint32_t l = 0; l < s->model->num_sequences; l++) {
        const sim_time lost = noise_interference_scorer_signal(s, rank, l)->loss[kind].lost;
        most = is_used(s, rank, l) && lost > most ? lost : most;
    }
    const noise_interference_signal *best = NULL;
    for (uint32_t l = 0; l < s->model->num_sequences; l++) {
        const noise_interference_signal *signal = noise_interference_scorer_signal(s, rank, l);
        const sim_time lost = signal->loss[kind].lost;
        if (is_used(s, rank, l) && lost > 0 && (double)lost >= LEAST_OF_MOST * (double)most &&
            (best == NULL || mean_work(signal) < mean_work(best))) {
            best = signal;
            f->by_onset = l;
        }
    }
    const noise_interference_loss *loss = best != NULL ? &best->loss[kind] : NULL;
    for (uint32_t i = 0; loss != NULL && i < loss->num_stretches; i++) {
        const noise_interference_stretch *stretch = &loss->stretches[i];
        if ((double)stretch->lost >= LEAST_PART * (double)loss->lost) {
            f->onset = f->has_onset ? f->onset : stretch->begin;
            f->until = stretch->end;
            f->open = stretch->open;
            f->has_onset = true;
        }
    }
}

static noise_interference_finding find(const noise_interference_scorer *s, uint32_t rank,
                                       uint32_t used, noise_interference_kind kind, double alpha)
{
    noise_interference_finding f = {.covered_work = -1};
    f.p_value = p_value(s, rank, used, kind);
    const bool material = find_lost(s, rank, kind, &f) && f.lost_share >= LEAST_LOST;
    f.found = material || f.p_value < alpha / s->options.num_ranks;
    if (f.found) {
        find_onset(s, rank, kind, &f);
    }
    return f;
}

noise_interference_judgement noise_interference_judge(const noise_interference_scorer *s,
                                                      uint32_t rank, double alpha)
{
    noise_interference_judgement j = {.coverage = -1};
    const scorer_cover *cover = &s->cover[rank];
    j.metric = noise_interference_metric(s, rank);
    const uint32_t used = count_samples(s, rank, &j);
    for (int kind = 0; kind < NOISE_INTERFERENCE_KINDS; kind++) {
        j.of[kind] = (noise_interference_finding){.p_value = 1, .covered_work = -1};
    }
    if (cover->known && cover->calls > 0) { /* of no calls there is no share */
        j.coverage = (double)cover->covered / (double)cover->calls;
    }
    if (j.coverage >= 0 && j.coverage < s->model->least_coverage) {
        j.verdict = NOISE_VERDICT_CHANGED;
        return j;
    }
    if (used == 0) {
        j.verdict = NOISE_VERDICT_NO_SAMPLES;
        return j;
    }
    for (int kind = 0; kind < NOISE_INTERFERENCE_KINDS; kind++) {
        j.of[kind] = find(s, rank, used, (noise_interference_kind)kind, alpha);
    }
    j.verdict = j.of[NOISE_INTERFERENCE_DISTURBED].found ? NOISE_VERDICT_DISTURBED
                : j.of[NOISE_INTERFERENCE_SLOWER].found  ? NOISE_VERDICT_SLOWER
                                                         : NOISE_VERDICT_CLEAN;
    return j;
}
