/* apps/ripple/detection/scoring.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_score. */
#include "detection/scoring.h"

#include "detection/samples.h"
#include "output/error.h"

static bool score_sample(void *data, uint32_t rank, const noise_sample *sample)
{
    return noise_interference_scorer_add(data, rank, sample);
}

static void score_cover(void *data, uint32_t rank, const app_rank_cover *c)
{
    noise_interference_scorer_cover(data, rank, c->calls, c->covered_calls, c->work,
                                    c->covered_work);
}

noise_interference_scorer *app_scoring(const noise_interference_model *model,
                                       const app_run_calls *calls, const uint32_t *nodes,
                                       uint32_t course, GError **error)
{
    noise_interference_error why = {""};
    const noise_interference_options options = {
        .num_ranks = calls->num_ranks, .nodes = nodes, .course = course};
    noise_sequences *sequences = noise_interference_model_sequences(model);
    noise_interference_scorer *scorer = noise_interference_scorer_new(model, &options, &why);
    const app_sample_taker taker = {score_sample, score_cover, scorer};
    const bool ok =
        sequences != NULL && scorer != NULL && app_samples_take(calls, sequences, &taker);
    noise_sequences_free(sequences);
    if (!ok) {
        g_set_error(error, APP_ERROR, scorer == NULL ? APP_ERROR_INPUT : APP_ERROR_MEMORY, "%s",
                    scorer == NULL ? why.text : "no memory to score the run");
        noise_interference_scorer_free(scorer);
        return NULL;
    }
    noise_interference_scorer_finish(scorer);
    return scorer;
}
