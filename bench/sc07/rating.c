/* bench/sc07/rating.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sc07_lab. */
#include "rating.h"

#include "noise/call_symbol.h"
#include "plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The number of a function among the model's calls; a new one if it is not there. Its lists are
 * its own, of malloc. */
static uint32_t call_of(noise_interference_model *m, uint64_t symbol)
{
    for (uint32_t i = 0; i < m->num_calls; i++) {
        if (m->calls[i].symbol == symbol) {
            return i;
        }
    }
    m->calls = realloc(m->calls, (m->num_calls + 1) * sizeof *m->calls);
    g_assert(m->calls != NULL);
    m->calls[m->num_calls] = (noise_interference_call){symbol, strdup(sc07_symbol_name(symbol))};
    return m->num_calls++;
}

/* The sequences of the set, and nothing learned. */
static noise_interference_model *blank_model(const sc07_set *set, noise_interference_rule rule)
{
    noise_interference_model *m = noise_interference_model_new();
    g_assert(m != NULL);
    m->reference = NOISE_REFERENCE_PAPER;
    m->match = NOISE_MATCH_FUNCTION;
    m->rule = rule;
    m->sequences = calloc(set->num, sizeof *m->sequences);
    g_assert(m->sequences != NULL);
    for (uint32_t l = 0; l < set->num; l++) {
        const noise_sequence *from = noise_sequences_at(set->sequences, l);
        noise_interference_sequence *to = &m->sequences[m->num_sequences++];
        to->length = from->length;
        to->calls = calloc(from->length, sizeof *to->calls);
        g_assert(to->calls != NULL);
        for (uint32_t i = 0; i < from->length; i++) {
            to->calls[i] = call_of(m, from->symbol[i]);
        }
    }
    return m;
}

typedef bool take_sample(void *to, uint32_t rank, const noise_sample *sample);

static void hand_on(const sc07_samples *run, take_sample *take, void *to)
{
    for (uint32_t l = 0; l < run->num; l++) {
        const sc07_series *s = &run->series[l];
        for (uint32_t t = 0; t < s->n; t++) {
            for (uint32_t r = 0; r < SC07_RANKS; r++) {
                const bool ok = take(to, r, &s->sample[(size_t)r * s->n + t]);
                g_assert(ok);
            }
        }
    }
}

static bool learn_sample(void *to, uint32_t rank, const noise_sample *sample)
{
    return noise_interference_learner_add(to, rank, sample);
}

static bool score_sample(void *to, uint32_t rank, const noise_sample *sample)
{
    return noise_interference_scorer_add(to, rank, sample);
}

static void learn_runs(noise_interference_learner *learner, noise_interference_run_kind kind,
                       sc07_samples *const *runs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const bool ok = noise_interference_learner_run(learner, kind, "simulated");
        g_assert(ok);
        hand_on(runs[i], learn_sample, learner);
    }
}

/* By how much ILS at K differs. */
static double gain_of(const sc07_lesson *lesson, uint32_t sequence, uint32_t rank, double k)
{
    double gain = 0;
    for (size_t i = 0; i < lesson->num_disturbed; i++) {
        gain += sc07_plain_ils(&lesson->disturbed[i]->series[sequence], rank, k) /
                (double)lesson->num_disturbed;
    }
    for (size_t i = 0; i < lesson->num_clean; i++) {
        gain -= sc07_plain_ils(&lesson->clean[i]->series[sequence], rank, k) /
                (double)lesson->num_clean;
    }
    return gain;
}

sc07_rating sc07_learn(const sc07_set *set, uint32_t node, const sc07_lesson *lesson,
                       noise_interference_rule rule)
{
    sc07_rating out = {.node = node, .num = set->num, .model = blank_model(set, rule)};
    noise_interference_error error;
    noise_interference_learner *learner =
        noise_interference_learner_new(out.model, SC07_RANKS, NULL, &error);
    g_assert(learner != NULL);
    learn_runs(learner, NOISE_RUN_CLEAN, lesson->clean, lesson->num_clean);
    learn_runs(learner, NOISE_RUN_DISTURBED, lesson->disturbed, lesson->num_disturbed);
    if (!noise_interference_learner_finish(learner, &error)) {
        g_error("sc07: %s", error.text);
    }
    noise_interference_learner_free(learner);
    memcpy(out.length, set->length, sizeof out.length);
    for (uint32_t l = 0; l < set->num; l++) {
        for (uint32_t i = 0; i < SC07_RATED; i++) {
            const uint32_t rank = node * SC07_RANKS_PER_NODE + i;
            const noise_interference_row *row = noise_interference_model_row(out.model, rank, l);
            out.used[i][l] = row->used;
            out.k[i][l] = row->used ? (double)row->k / NOISE_INTERFERENCE_K_ONE : NAN;
            out.gain[i][l] = row->used ? gain_of(lesson, l, rank, out.k[i][l]) : 0;
        }
    }
    return out;
}

sc07_rated sc07_rate(const sc07_rating *rating, const sc07_samples *run)
{
    sc07_rated out;
    noise_interference_error error;
    const noise_interference_options options = {.num_ranks = SC07_RANKS};
    noise_interference_scorer *scorer =
        noise_interference_scorer_new(rating->model, &options, &error);
    if (scorer == NULL) {
        g_error("sc07: %s", error.text);
    }
    hand_on(run, score_sample, scorer);
    noise_interference_scorer_finish(scorer);
    for (uint32_t i = 0; i < SC07_RATED; i++) {
        const uint32_t rank = rating->node * SC07_RANKS_PER_NODE + i;
        out.metric[i] = noise_interference_metric(scorer, rank);
        for (uint32_t l = 0; l < rating->num; l++) {
            out.ils[i][l] =
                rating->used[i][l]
                    ? noise_interference_ils(noise_interference_scorer_signal(scorer, rank, l))
                    : NAN;
        }
    }
    noise_interference_scorer_free(scorer);
    return out;
}

void sc07_rating_clear(sc07_rating *rating)
{
    noise_interference_model_free(rating->model);
    rating->model = NULL;
}
