/* bench/sc07/methods/methods.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sc07_methods. */
#include "methods.h"

#include "noise/miner.h"

#include <math.h>
#include <stdlib.h>

static const double DEVIATIONS = 3;

const char *const sc07_method_names[SC07_NUM_METHODS] = {
    "typical sequences, metric", "typical sequences, time lost", "NoiseMiner",
    "z-score of each call",      "z-score of the whole run",
};

/* ---- typical sequences ---- */

/* All ranks make the same calls in the same order: what call i is, rank 0 says for all. */
static uint64_t *symbols_of(const sc07_program *program)
{
    const uint32_t n = sc07_program_num_calls(program);
    uint64_t *symbol = g_new(uint64_t, n);
    for (uint32_t i = 0; i < n; i++) {
        symbol[i] = sc07_program_symbol(program, i);
    }
    return symbol;
}

/* Samples of a run as they come. */
typedef struct listener {
    const uint64_t *symbol; /* of all calls */
    noise_matcher *matcher[SC07_RANKS];
    uint32_t calls[SC07_RANKS]; /* so far */
    bool (*add)(void *to, uint32_t rank, const noise_sample *sample);
    void *to;
} listener;

static void listener_begin(listener *l, const noise_sequences *sequences, const uint64_t *symbol)
{
    l->symbol = symbol;
    for (uint32_t r = 0; r < SC07_RANKS; r++) {
        l->matcher[r] = noise_matcher_new(sequences);
        l->calls[r] = 0;
    }
}

static void listener_end(listener *l)
{
    for (uint32_t r = 0; r < SC07_RANKS; r++) {
        noise_matcher_free(l->matcher[r]);
    }
}

static void listen(void *data, uint32_t rank, const noise_sequence_call *call)
{
    listener *l = data;
    noise_sample samples[NOISE_SEQUENCES_MOST];
    noise_sequence_call named = *call;
    named.symbol = l->symbol[l->calls[rank]++];
    const uint32_t n = noise_matcher_take(l->matcher[rank], &named, samples);
    for (uint32_t i = 0; i < n; i++) {
        if (!l->add(l->to, rank, &samples[i])) {
            g_error("sc07: a sample out of order");
        }
    }
}

static bool add_to_learner(void *to, uint32_t rank, const noise_sample *sample)
{
    return noise_interference_learner_add(to, rank, sample);
}

static bool add_to_scorer(void *to, uint32_t rank, const noise_sample *sample)
{
    return noise_interference_scorer_add(to, rank, sample);
}

/* Where a symbol stands in the model, which is given it if it is new. */
static uint32_t call_of(noise_interference_model *model, uint64_t symbol)
{
    for (uint32_t i = 0; i < model->num_calls; i++) {
        if (model->calls[i].symbol == symbol) {
            return i;
        }
    }
    model->calls = realloc(model->calls, ((size_t)model->num_calls + 1) * sizeof *model->calls);
    g_assert_nonnull(model->calls);
    model->calls[model->num_calls] =
        (noise_interference_call){symbol, strdup(sc07_symbol_name(symbol))};
    return model->num_calls++;
}

static void put_sequences(noise_interference_model *model, const noise_sequences *sequences)
{
    model->num_sequences = noise_sequences_num(sequences);
    model->sequences = calloc(model->num_sequences, sizeof *model->sequences);
    g_assert_nonnull(model->sequences);
    for (uint32_t l = 0; l < model->num_sequences; l++) {
        const noise_sequence *s = noise_sequences_at(sequences, l);
        uint32_t *calls = calloc(s->length, sizeof *calls);
        g_assert_nonnull(calls);
        for (uint32_t i = 0; i < s->length; i++) {
            calls[i] = call_of(model, s->symbol[i]);
        }
        model->sequences[l] = (noise_interference_sequence){s->length, calls, s->misaligned};
    }
}

static const uint32_t *nodes(void)
{
    static uint32_t node[SC07_RANKS];
    static gsize known;
    if (g_once_init_enter(&known)) {
        for (uint32_t r = 0; r < SC07_RANKS; r++) {
            node[r] = r / SC07_RANKS_PER_NODE;
        }
        g_once_init_leave(&known, 1);
    }
    return node;
}

noise_interference_model *sc07_model_new(const sc07_program *program, uint32_t most,
                                         uint32_t longer, uint64_t seed, unsigned num_clean)
{
    g_autofree uint64_t *symbol = symbols_of(program);
    const noise_symbols calls = {symbol, sc07_program_num_calls(program)};
    const noise_sequences_options options = {.most = most, .min_length = longer + 1};
    noise_sequences *sequences = noise_sequences_learn(&calls, 1, &options, NULL);
    noise_interference_model *model = noise_interference_model_new();
    g_assert_nonnull(sequences);
    g_assert_nonnull(model);
    put_sequences(model, sequences);
    model->reference = NOISE_REFERENCE_LOO;
    model->rule = NOISE_LEARNED_CLEAN;
    noise_interference_error error;
    noise_interference_learner *learner =
        noise_interference_learner_new(model, SC07_RANKS, nodes(), &error);
    g_assert_nonnull(learner);
    for (unsigned i = 0; i < num_clean; i++) {
        listener l = {.add = add_to_learner, .to = learner};
        const sc07_scene scene = {.seed = seed + i};
        noise_interference_learner_run(learner, NOISE_RUN_CLEAN, sc07_program_name(program));
        listener_begin(&l, sequences, symbol);
        (void)sc07_run(program, &scene, listen, &l);
        listener_end(&l);
    }
    if (!noise_interference_learner_finish(learner, &error)) {
        g_error("sc07: %s", error.text);
    }
    noise_interference_learner_free(learner);
    noise_sequences_free(sequences);
    return model;
}

/* ---- all methods ---- */

/* A run that all of them follow. */
typedef struct watch {
    listener sequences;
    noise_miner *miner[SC07_RANKS]; /* NULL: not asked of this rank */
    const sc07_program *program;
    sim_time *compute; /* [calls][SC07_RANKS] */
} watch;

static void take(void *data, uint32_t rank, const noise_sequence_call *call)
{
    watch *w = data;
    const uint32_t i = w->sequences.calls[rank];
    w->compute[(size_t)i * SC07_RANKS + rank] = call->compute;
    if (w->miner[rank] != NULL) { /* the code between two calls: what it is, both say */
        const uint64_t before = i > 0 ? w->sequences.symbol[i - 1] : 0;
        noise_miner_add(w->miner[rank], rank, before << 32 | w->sequences.symbol[i],
                        call->entered - call->compute, call->entered, -1);
    }
    listen(&w->sequences, rank, call);
}

static double mined(noise_miner *miner)
{
    if (miner == NULL) {
        return NAN;
    }
    g_autoptr(noise_miner_report) report = noise_miner_report_new(miner);
    double share = report->residue_share + report->dropped_share; /* singles are residue */
    for (size_t i = 0; i < report->num_rows; i++) {
        share += report->rows[i].share;
    }
    return share;
}

typedef struct spread {
    double mean, deviation; /* population */
} spread;

/* Of the values of all ranks. */
static spread spread_of(const sim_time *value)
{
    double sum = 0;
    double squares = 0;
    for (uint32_t r = 0; r < SC07_RANKS; r++) {
        sum += (double)value[r];
    }
    const double mean = sum / SC07_RANKS;
    for (uint32_t r = 0; r < SC07_RANKS; r++) {
        squares += ((double)value[r] - mean) * ((double)value[r] - mean);
    }
    return (spread){mean, sqrt(squares / SC07_RANKS)};
}

static void compare_calls(const watch *w, sc07_said *out)
{
    const uint32_t n = sc07_program_num_calls(w->program);
    for (uint32_t i = 0; i < n; i++) {
        const sim_time *row = w->compute + (size_t)i * SC07_RANKS;
        const spread all = spread_of(row);
        for (uint32_t r = 0; r < SC07_RANKS; r++) {
            const bool exceeds = (double)row[r] > all.mean + DEVIATIONS * all.deviation;
            out->score[SC07_BY_CALLS][r] += exceeds ? 1. / n : 0;
            out->computed[r] += row[r];
        }
    }
    const spread all = spread_of(out->computed);
    for (uint32_t r = 0; r < SC07_RANKS; r++) {
        const double more = (double)out->computed[r] - all.mean;
        out->score[SC07_BY_TOTAL][r] = all.deviation > 0 ? more / all.deviation : 0;
    }
}

void sc07_ask(const sc07_program *program, const noise_interference_model *model,
              const sc07_scene *scene, uint32_t node, sc07_said *out)
{
    *out = (sc07_said){.makespan = 0};
    g_autofree uint64_t *symbol = symbols_of(program);
    noise_sequences *sequences = noise_interference_model_sequences(model);
    const noise_interference_options options = {.num_ranks = SC07_RANKS, .nodes = nodes()};
    noise_interference_error error;
    noise_interference_scorer *scorer = noise_interference_scorer_new(model, &options, &error);
    if (scorer == NULL) {
        g_error("sc07: %s", error.text);
    }
    watch w = {.sequences = {.add = add_to_scorer, .to = scorer}, .program = program};
    w.compute = g_new0(sim_time, (size_t)sc07_program_num_calls(program) * SC07_RANKS);
    listener_begin(&w.sequences, sequences, symbol);
    noise_miner_options miner;
    noise_miner_options_init(&miner, NOISE_MINER_MODERN);
    for (uint32_t r = 0; r < SC07_RANKS; r++) {
        const bool asked = r % 8 == 0 || r / SC07_RANKS_PER_NODE == node;
        w.miner[r] = asked ? noise_miner_new(&miner) : NULL;
    }
    out->makespan = sc07_run(program, scene, take, &w);
    noise_interference_scorer_finish(scorer);
    compare_calls(&w, out);
    for (uint32_t r = 0; r < SC07_RANKS; r++) {
        const noise_interference_judgement judgement = noise_interference_judge(scorer, r, 0.001);
        out->score[SC07_BY_METRIC][r] = judgement.metric;
        out->disturbed[r] = judgement.verdict == NOISE_VERDICT_DISTURBED;
        out->score[SC07_BY_LOST][r] = (double)judgement.of[NOISE_INTERFERENCE_DISTURBED].lost;
        out->score[SC07_BY_MINER][r] = mined(w.miner[r]);
        noise_miner_free(w.miner[r]);
    }
    listener_end(&w.sequences);
    g_free(w.compute);
    noise_interference_scorer_free(scorer);
    noise_sequences_free(sequences);
}
