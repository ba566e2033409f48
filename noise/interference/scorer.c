/* noise/interference/scorer.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "interference/scorer.h"

#include "interference/reference.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

scorer_signal *noise_scorer_signal_of(const noise_interference_scorer *s, uint32_t rank,
                                      uint32_t sequence)
{
    return &s->signals[(uint64_t)rank * s->model->num_sequences + sequence];
}

/* INT64_MAX where it does not fit. */
static sim_time add(sim_time a, sim_time b)
{
    sim_time sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

/* --- A stretch of disturbance ---------------------------------------------------------------- */

static void tell(const noise_interference_scorer *s, noise_interference_change change,
                 noise_interference_kind kind, uint32_t rank, uint32_t sequence,
                 const noise_interference_stretch *stretch, sim_time noticed)
{
    const bool began = change == NOISE_INTERFERENCE_BEGAN;
    const noise_interference_event event = {.change = change,
                                            .kind = kind,
                                            .rank = rank,
                                            .sequence = sequence,
                                            .when = began ? stretch->begin : stretch->end,
                                            .noticed = noticed,
                                            .lost = stretch->lost};
    if (s->options.tell != NULL) {
        s->options.tell(s->options.to, &event);
    }
}

/* Remember it; when there are too many, the last one goes on. */
static void keep_stretch(noise_interference_loss *loss, noise_interference_stretch stretch)
{
    stretch.lost = stretch.lost > 0 ? stretch.lost : 0;
    loss->lost = add(loss->lost, stretch.lost);
    if (loss->num_stretches < NOISE_INTERFERENCE_STRETCHES) {
        loss->stretches[loss->num_stretches++] = stretch;
        return;
    }
    noise_interference_stretch *last = &loss->stretches[NOISE_INTERFERENCE_STRETCHES - 1];
    last->end = stretch.end;
    last->lost = add(last->lost, stretch.lost);
    last->open = stretch.open;
}

/* What a sample has beyond the expected, ps. */
typedef struct surplus {
    bool is_split; /* by CPU time; else all of it is DISTURBED's */
    sim_time of[NOISE_INTERFERENCE_KINDS];
    double deviation[NOISE_INTERFERENCE_KINDS];
} surplus;

static surplus surplus_of(const noise_interference_scorer *s, const noise_sample *sample,
                          const noise_interference_row *row, const compare_with *with)
{
    const double expected = noise_compare_expected(with, row);
    const double usual = row->count > 0 ? (double)row->residual : noise_compare_deviation(with);
    const double least = fmax(expected * s->model->onset.floor / 1e3, 1);
    const sim_time all = reference_work(sample) - (sim_time)llround(expected);
    surplus out = {.is_split = sample->has_cpu && row->has_cpu};
    if (!out.is_split) {
        out.of[NOISE_INTERFERENCE_DISTURBED] = all;
        out.deviation[NOISE_INTERFERENCE_DISTURBED] = fmax(usual, least);
        return out;
    }
    out.of[NOISE_INTERFERENCE_DISTURBED] = reference_off(sample) - row->off;
    out.of[NOISE_INTERFERENCE_SLOWER] = all - out.of[NOISE_INTERFERENCE_DISTURBED];
    out.deviation[NOISE_INTERFERENCE_DISTURBED] = fmax((double)row->off_deviation, least);
    out.deviation[NOISE_INTERFERENCE_SLOWER] = fmax(usual, least);
    return out;
}

static void watch_onset(noise_interference_scorer *s, uint32_t rank, const noise_sample *sample,
                        const surplus *beyond, noise_interference_kind kind)
{
    scorer_signal *signal = noise_scorer_signal_of(s, rank, sample->sequence);
    const double alarm = beyond->is_split ? signal->alarm[kind] : signal->alarm_whole;
    const onset_sample step = {.begin = sample->begin,
                               .end = sample->end,
                               .excess = beyond->of[kind],
                               .deviation = beyond->deviation[kind]};
    noise_interference_stretch stretch;
    switch (noise_onset_add(&signal->onset[kind], &s->model->onset, alarm, &step, &stretch)) {
    case ONSET_BEGAN:
        tell(s, NOISE_INTERFERENCE_BEGAN, kind, rank, sample->sequence, &stretch, sample->end);
        break;
    case ONSET_ENDED:
        keep_stretch(&signal->shown.loss[kind], stretch);
        tell(s, NOISE_INTERFERENCE_ENDED, kind, rank, sample->sequence, &stretch, sample->end);
        break;
    case ONSET_SAME:
        break;
    }
}

/* Thresholds take no other. */
static sim_time in_range(sim_time work)
{
    return work < 0 ? 0 : work < NOISE_INTERFERENCE_LONGEST ? work : NOISE_INTERFERENCE_LONGEST;
}

/* Each kind by itself: what the sample would be if the other one were as in clean runs. */
static void count_kinds(noise_interference_scorer *s, uint32_t rank, const noise_sample *sample,
                        const noise_interference_row *row, const compare_with *with)
{
    noise_interference_signal *shown = &noise_scorer_signal_of(s, rank, sample->sequence)->shown;
    const surplus beyond = surplus_of(s, sample, row, with);
    const sim_time work = reference_work(sample);
    shown->split += beyond.is_split;
    for (int kind = 0; kind < (beyond.is_split ? NOISE_INTERFERENCE_KINDS : 1); kind++) {
        const sim_time other = beyond.of[NOISE_INTERFERENCE_KINDS - 1 - kind];
        shown->loss[kind].exceeded += noise_compare_exceeds(with, in_range(work - other), row->k);
        watch_onset(s, rank, sample, &beyond, (noise_interference_kind)kind);
    }
}

/* --- ILS over time --------------------------------------------------------------------------- */

static void put_point(scorer_signal *signal)
{
    noise_interference_signal *shown = &signal->shown;
    signal->points[shown->num_points++] = (noise_interference_point){
        .t = signal->t, .end = signal->end, .judged = shown->judged, .exceeded = shown->exceeded};
}

/* Every stride-th is kept; when there is no more room, every second one of these goes. */
static void keep_point(scorer_signal *signal, uint32_t room)
{
    noise_interference_signal *shown = &signal->shown;
    if (room < 2 || shown->judged % signal->stride != 0) {
        return;
    }
    if (shown->num_points == room) {
        uint32_t num = 0;
        for (uint32_t i = 1; i < room; i += 2) {
            signal->points[num++] = signal->points[i];
        }
        shown->num_points = num;
        signal->stride *= 2;
        if (shown->judged % signal->stride != 0) {
            return;
        }
    }
    put_point(signal);
}

/* --- Samples --------------------------------------------------------------------------------- */

static void judge(void *to, uint32_t rank, const noise_sample *sample, const compare_with *with)
{
    noise_interference_scorer *s = to;
    const noise_interference_row *row =
        noise_interference_model_row(s->model, rank, sample->sequence);
    scorer_signal *signal = noise_scorer_signal_of(s, rank, sample->sequence);
    noise_interference_signal *shown = &signal->shown;
    const sim_time work = reference_work(sample);
    if (with->kind == COMPARE_NOTHING) {
        shown->unmatched++;
        return;
    }
    if (work < s->model->filter) {
        shown->filtered++;
        return;
    }
    const sim_time centre = noise_compare_centre(with);
    shown->judged++;
    shown->exceeded += noise_compare_exceeds(with, work, row->k);
    shown->work = add(shown->work, work);
    shown->excess = add(shown->excess, work > centre ? work - centre : 0);
    signal->t = sample->t;
    signal->end = sample->end;
    count_kinds(s, rank, sample, row, with);
    keep_point(signal, s->options.course);
}

void noise_scorer_take_row(void *to, const align_row *row)
{
    noise_interference_scorer *s = to;
    const reference r = {.kind = s->model->reference,
                         .num_ranks = s->options.num_ranks,
                         .nodes = s->nodes,
                         .of_node = s->of_node,
                         .work = s->work};
    if (!noise_reference_judge(&r, row, s->model->sequences[row->sequence].misaligned, judge, s)) {
        for (uint32_t i = 0; i < row->num; i++) {
            noise_scorer_signal_of(s, row->ranks[i], row->sequence)->shown.unmatched++;
        }
    }
}

bool noise_interference_scorer_add(noise_interference_scorer *s, uint32_t rank,
                                   const noise_sample *sample)
{
    if (rank >= s->options.num_ranks || sample->sequence >= s->model->num_sequences ||
        sample->compute < 0 || s->finished) {
        return false;
    }
    scorer_signal *signal = noise_scorer_signal_of(s, rank, sample->sequence);
    if (sample->t < signal->seen_until || sample->t == UINT64_MAX) {
        return false;
    }
    signal->seen_until = sample->t + 1;
    signal->shown.seen++;
    signal->shown.cut += sample->compute > NOISE_INTERFERENCE_LONGEST;
    if (s->align == NULL) {
        const compare_with with = noise_compare_with_learned(
            noise_interference_model_row(s->model, rank, sample->sequence), sample->t,
            s->model->onset.floor);
        judge(s, rank, sample, &with);
    } else if (!noise_align_add(s->align, rank, sample)) {
        signal->shown.late++;
    }
    return true;
}

void noise_interference_scorer_cover(noise_interference_scorer *s, uint32_t rank, uint64_t calls,
                                     uint64_t covered_calls, sim_time work, sim_time covered_work)
{
    s->cover[rank] = (scorer_cover){.calls = calls,
                                    .covered = covered_calls,
                                    .work = work,
                                    .covered_work = covered_work,
                                    .known = true};
}

void noise_interference_scorer_end(noise_interference_scorer *s, uint32_t rank)
{
    if (s->align != NULL) {
        noise_align_end(s->align, rank);
    }
}

uint64_t noise_interference_scorer_waiting(const noise_interference_scorer *s, uint32_t rank)
{
    return s->align != NULL ? noise_align_waiting(s->align, rank) : 0;
}

void noise_interference_scorer_finish(noise_interference_scorer *s)
{
    if (s->align != NULL) {
        noise_align_flush(s->align);
    }
    const uint64_t num = (uint64_t)s->options.num_ranks * s->model->num_sequences;
    for (uint64_t i = 0; i < num && !s->finished; i++) {
        scorer_signal *signal = &s->signals[i];
        const noise_interference_signal *shown = &signal->shown;
        for (int kind = 0; kind < NOISE_INTERFERENCE_KINDS; kind++) {
            noise_interference_stretch stretch;
            if (noise_onset_finish(&signal->onset[kind], &stretch)) {
                keep_stretch(&signal->shown.loss[kind], stretch);
            }
        }
        if (s->options.course >= 2 && shown->judged > 0 &&
            (shown->num_points == 0 || shown->points[shown->num_points - 1].t != signal->t)) {
            put_point(signal);
        }
    }
    s->finished = true;
}
