/* noise/interference_sequences.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_interference_model. */
#include "noise/interference.h"

#include <stdlib.h>

noise_sequences *noise_interference_model_sequences(const noise_interference_model *model)
{
    noise_sequence sequences[NOISE_SEQUENCES_MOST];
    uint64_t symbols = 1; /* at least one: malloc(0) may be NULL */
    for (uint32_t l = 0; l < model->num_sequences; l++) {
        symbols += model->sequences[l].length;
    }
    uint64_t *at = malloc(symbols * sizeof *at);
    uint64_t *const first = at;
    if (at == NULL || model->num_sequences > NOISE_SEQUENCES_MOST) {
        free(at);
        return NULL;
    }
    for (uint32_t l = 0; l < model->num_sequences; l++) {
        const noise_interference_sequence *s = &model->sequences[l];
        sequences[l] =
            (noise_sequence){.symbol = at, .length = s->length, .misaligned = s->misaligned};
        for (uint32_t i = 0; i < s->length; i++) {
            *at++ = model->calls[s->calls[i]].symbol;
        }
    }
    noise_sequences *made = noise_sequences_new(sequences, model->num_sequences);
    free(first);
    return made;
}
