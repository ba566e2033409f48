/* tests/noise/interference/interference_models.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file Models for tests. */
#pragma once

#include "sim/time.h"

#include "noise/interference.h"

#include <stdlib.h>
#include <string.h>

/** Sequences of these lengths, of one call; all ranks use them with @p k thousandths. */
static inline noise_interference_model *some_model(noise_interference_reference reference,
                                                   const uint32_t *lengths, uint32_t num,
                                                   uint32_t ranks, uint32_t k)
{
    noise_interference_model *m = noise_interference_model_new();
    m->reference = reference;
    m->calls = calloc(1, sizeof *m->calls);
    m->num_calls = 1;
    m->calls[0] = (noise_interference_call){.symbol = 7, .name = strdup("MPI_Allreduce")};
    m->sequences = calloc(num, sizeof *m->sequences);
    m->num_sequences = num;
    for (uint32_t l = 0; l < num; l++) {
        m->sequences[l].length = lengths[l];
        m->sequences[l].calls = calloc(lengths[l], sizeof(uint32_t));
    }
    noise_interference_model_make_rows(m, ranks);
    for (uint32_t i = 0; i < (ranks + 1) * num; i++) {
        m->rows[i].used = true;
        m->rows[i].k = k;
    }
    return m;
}
