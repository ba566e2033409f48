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

static double lost_share(const noise_interference_signal *signal)
{
    const double without = (double)signal->work - (double)signal->lost;
    return without > 0 ? (double)signal->lost / without : 0;
}

static bool is_used(const noise_interference_scorer *s, uint32_t rank, uint32_t l)
{
    return noise_interference_model_row(s->model, rank, l)->used &&
           noise_interference_scorer_signal(s, rank, l)->judged > 0;
}

/* Sequences share calls, so their counts are not independent: Bonferroni. */
static uint32_t count_chances(const noise_interference_scorer *s, uint32_t rank,
                              noise_interference_judgement *j)
{
    uint32_t used = 0;
    double least = 1;
    for (uint32_t l = 0; l < s->model->num_sequences; l++) {
        const noise_interference_row *row = noise_interference_model_row(s->model, rank, l);
        const noise_interference_signal *signal = noise_interference_scorer_signal(s, rank, l);
        j->unmatched += row->used ? signal->unmatched : 0;
        j->late += row->used ? signal->late : 0;
        j->misaligned = j->misaligned || (row->used && noise_interference_misaligned(s, l));
        if (is_used(s, rank, l)) {
            used++;
            least = fmin(least, noise_interference_p_value(row, s->model->false_alarms,
                                                           signal->judged, signal->exceeded));
        }
    }
    j->p_value = fmin(1, least * used);
    return used;
}

/* Which of the sequences that saw something covers most of the computation? @return is there one?
 */
static bool find_lost(const noise_interference_scorer *s, uint32_t rank,
                      noise_interference_judgement *j)
{
    const noise_interference_signal *best = NULL;
    for (uint32_t l = 0; l < s->model->num_sequences; l++) {
        const noise_interference_signal *signal = noise_interference_scorer_signal(s, rank, l);
        if (!is_used(s, rank, l) || signal->lost == 0) {
            continue;
        }
        if (best == NULL || signal->work > best->work ||
            (signal->work == best->work && mean_work(signal) < mean_work(best))) {
            best = signal;
            j->by_lost = l;
        }
    }
    if (best == NULL) {
        return false;
    }
    j->lost = best->lost;
    j->lost_share = lost_share(best);
    const scorer_cover *cover = &s->cover[rank];
    j->covered_work =
        cover->known && cover->work > 0 ? fmin(1, (double)best->work / (double)cover->work) : -1;
    return true;
}

/* From the first to the last stretch that matters of the sequence whose samples are shortest. */
static void find_onset(const noise_interference_scorer *s, uint32_t rank,
                       noise_interference_judgement *j)
{
    sim_time most = 0;
    for (uint32_t l = 0; l < s->model->num_sequences; l++) {
        const noise_interference_signal *signal = noise_interference_scorer_signal(s, rank, l);
        most = is_used(s, rank, l) && signal->lost > most ? signal->lost : most;
    }
    const noise_interference_signal *best = NULL;
    for (uint32_t l = 0; l < s->model->num_sequences; l++) {
        const noise_interference_signal *signal = noise_interference_scorer_signal(s, rank, l);
        if (is_used(s, rank, l) && signal->lost > 0 &&
            (double)signal->lost >= LEAST_OF_MOST * (double)most &&
            (best == NULL || mean_work(signal) < mean_work(best))) {
            best = signal;
            j->by_onset = l;
        }
    }
    for (uint32_t i = 0; best != NULL && i < best->num_stretches; i++) {
        const noise_interference_stretch *stretch = &best->stretches[i];
        if ((double)stretch->lost >= LEAST_PART * (double)best->lost) {
            j->onset = j->has_onset ? j->onset : stretch->begin;
            j->until = stretch->end;
            j->open = stretch->open;
            j->has_onset = true;
        }
    }
}

noise_interference_judgement noise_interference_judge(const noise_interference_scorer *s,
                                                      uint32_t rank, double alpha)
{
    noise_interference_judgement j = {.covered_work = -1, .coverage = -1};
    const scorer_cover *cover = &s->cover[rank];
    j.metric = noise_interference_metric(s, rank);
    const uint32_t used = count_chances(s, rank, &j);
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
    const bool material = find_lost(s, rank, &j) && j.lost_share >= LEAST_LOST;
    const bool significant = j.p_value < alpha / s->options.num_ranks;
    if (material || significant) {
        j.verdict = NOISE_VERDICT_DISTURBED;
        find_onset(s, rank, &j);
    }
    return j;
}
