/* noise/interference_model.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/interference.h"

#include <stdlib.h>

const char *const noise_interference_reference_names[NOISE_REFERENCES] = {"paper", "loo", "mad",
                                                                          "clean"};
const char *const noise_interference_rule_names[NOISE_LEARNED_RULES] = {"paper", "gain", "clean",
                                                                        "theory"};

noise_interference_model *noise_interference_model_new(void)
{
    noise_interference_model *model = calloc(1, sizeof *model);
    if (model != NULL) {
        model->rule = NOISE_LEARNED_GAIN;
        model->onset =
            (noise_interference_onset){.allowance = 1000, .most = 4000, .alarm = 8000, .floor = 20};
        model->filter = (sim_time)500 * 1000 * 1000; /* 0.5 ms: section 4.2 of the paper */
        model->false_alarms = 1e-4;
    }
    return model;
}

static uint64_t num_rows(const noise_interference_model *model)
{
    return ((uint64_t)model->num_ranks + 1) * model->num_sequences;
}

static void free_rows(noise_interference_model *model)
{
    for (uint64_t i = 0; model->rows != NULL && i < num_rows(model); i++) {
        free(model->rows[i].course);
    }
    free(model->rows);
    model->rows = NULL;
}

void noise_interference_model_free(noise_interference_model *model)
{
    if (model == NULL) {
        return;
    }
    free_rows(model);
    for (uint32_t i = 0; i < model->num_sequences; i++) {
        free(model->sequences[i].calls);
    }
    for (uint32_t i = 0; i < model->num_calls; i++) {
        free(model->calls[i].name);
    }
    for (uint32_t i = 0; i < model->num_runs; i++) {
        free(model->runs[i].name);
    }
    free(model->sequences);
    free(model->calls);
    free(model->runs);
    free(model->how);
    free(model);
}

bool noise_interference_model_make_rows(noise_interference_model *model, uint32_t num_ranks)
{
    free_rows(model);
    model->num_ranks = num_ranks;
    model->rows = calloc(num_rows(model) > 0 ? num_rows(model) : 1, sizeof *model->rows);
    return model->rows != NULL;
}

const noise_interference_row *noise_interference_model_row(const noise_interference_model *model,
                                                           uint32_t rank, uint32_t sequence)
{
    const uint64_t row = rank < model->num_ranks ? rank : model->num_ranks;
    return &model->rows[row * model->num_sequences + sequence];
}
