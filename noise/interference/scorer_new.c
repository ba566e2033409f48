/* noise/interference/scorer_new.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_scorer. */
#include "interference/scorer.h"

#include "interference/reference.h"

#include <stdio.h>
#include <string.h>

/* Can ranks of this run be judged at all? */
static bool is_possible(const noise_interference_model *model,
                        const noise_interference_options *options, noise_interference_error *error)
{
    const char *name = noise_interference_reference_names[model->reference];
    if (model->num_sequences == 0) {
        snprintf(error->text, sizeof error->text, "the model has no typical sequence");
        return false;
    }
    if (model->reference != NOISE_REFERENCE_CLEAN) {
        const uint32_t least = noise_reference_least(model->reference);
        if (options->num_ranks < least) {
            snprintf(error->text, sizeof error->text,
                     "the reference %s compares ranks with each other and needs at least %u, not "
                     "%u; the reference clean needs none",
                     name, least, options->num_ranks);
        }
        return options->num_ranks >= least;
    }
    for (uint32_t rank = 0; rank < options->num_ranks; rank++) {
        bool learned = false;
        for (uint32_t l = 0; l < model->num_sequences; l++) {
            learned = learned || noise_interference_model_row(model, rank, l)->count > 0;
        }
        if (!learned) {
            snprintf(error->text, sizeof error->text,
                     "the reference clean compares with clean runs, and the model knows none of "
                     "rank %u",
                     rank);
            return false;
        }
    }
    return true;
}

static void number_nodes(noise_interference_scorer *s)
{
    const uint32_t *given = s->options.nodes;
    s->nodes = noise_synopsis_new(&s->memory, s->options.num_ranks, sizeof *s->nodes);
    for (uint32_t rank = 0; rank < s->options.num_ranks; rank++) {
        s->nodes[rank] = given != NULL ? given[rank] : rank;
        s->num_nodes = s->nodes[rank] >= s->num_nodes ? s->nodes[rank] + 1 : s->num_nodes;
    }
    s->options.nodes = s->nodes;
}

static void make_alarms(const noise_interference_scorer *s, const noise_interference_row *row,
                        scorer_signal *signal)
{
    const noise_interference_onset *o = &s->model->onset;
    signal->alarm_whole = noise_onset_alarm(o, row->peak);
    signal->alarm[NOISE_INTERFERENCE_DISTURBED] = noise_onset_alarm(o, row->off_peak);
    signal->alarm[NOISE_INTERFERENCE_SLOWER] = signal->alarm_whole;
}

static void make_signals(noise_interference_scorer *s)
{
    const uint32_t ranks = s->options.num_ranks, sequences = s->model->num_sequences;
    const uint64_t room = (uint64_t)s->options.course + 1;
    s->signals = noise_synopsis_new(&s->memory, (uint64_t)ranks * sequences, sizeof *s->signals);
    for (uint32_t rank = 0; rank < ranks; rank++) {
        for (uint32_t l = 0; l < sequences; l++) {
            scorer_signal *signal = noise_scorer_signal_of(s, rank, l);
            signal->stride = 1;
            make_alarms(s, noise_interference_model_row(s->model, rank, l), signal);
            signal->points = noise_synopsis_new(&s->memory, room, sizeof *signal->points);
            signal->shown.points = signal->points;
        }
    }
}

noise_interference_scorer *noise_interference_scorer_new(const noise_interference_model *model,
                                                         const noise_interference_options *options,
                                                         noise_interference_error *error)
{
    if (!is_possible(model, options, error)) {
        return NULL;
    }
    miner_memory memory = {0};
    noise_interference_scorer *s = noise_synopsis_new(&memory, 1, sizeof *s);
    s->memory = memory;
    s->model = model;
    s->options = *options;
    number_nodes(s);
    s->of_node = noise_synopsis_new(&s->memory, s->num_nodes, sizeof *s->of_node);
    s->work = noise_synopsis_new(&s->memory, options->num_ranks, sizeof *s->work);
    s->cover = noise_synopsis_new(&s->memory, options->num_ranks, sizeof *s->cover);
    make_signals(s);
    if (model->reference != NOISE_REFERENCE_CLEAN) {
        s->align = noise_align_new(options->num_ranks, model->num_sequences, options->window,
                                   noise_scorer_take_row, s);
    }
    return s;
}

void noise_interference_scorer_free(noise_interference_scorer *s)
{
    if (s == NULL) {
        return;
    }
    miner_memory memory = s->memory;
    const uint32_t ranks = s->options.num_ranks;
    const uint64_t signals = (uint64_t)ranks * s->model->num_sequences;
    for (uint64_t i = 0; i < signals; i++) {
        noise_synopsis_free(&memory, s->signals[i].points, (uint64_t)s->options.course + 1,
                            sizeof *s->signals[i].points);
    }
    noise_align_free(s->align);
    noise_synopsis_free(&memory, s->signals, signals, sizeof *s->signals);
    noise_synopsis_free(&memory, s->cover, ranks, sizeof *s->cover);
    noise_synopsis_free(&memory, s->work, ranks, sizeof *s->work);
    noise_synopsis_free(&memory, s->of_node, s->num_nodes, sizeof *s->of_node);
    noise_synopsis_free(&memory, s->nodes, ranks, sizeof *s->nodes);
    noise_synopsis_free(&memory, s, 1, sizeof *s);
}
