/* tests/noise/interference/test_interference_model.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/interference.h"

#include "sim/time.h"

#include "check.h"

#include <stdlib.h>

static void ranks_that_were_not_learned_share_a_row(void)
{
    noise_interference_model *model = noise_interference_model_new();
    model->sequences = calloc(3, sizeof *model->sequences);
    model->num_sequences = 3;
    CHECK(noise_interference_model_make_rows(model, 2));
    for (uint32_t i = 0; i < 9; i++) {
        model->rows[i].k = i;
    }
    CHECK_I64(noise_interference_model_row(model, 0, 2)->k, 2);
    CHECK_I64(noise_interference_model_row(model, 1, 0)->k, 3);
    CHECK_I64(noise_interference_model_row(model, 2, 1)->k, 7);
    CHECK_I64(noise_interference_model_row(model, 1000, 1)->k, 7);
    noise_interference_model_free(model);
}

static void it_begins_with_the_filter_of_the_paper(void)
{
    noise_interference_model *model = noise_interference_model_new();
    CHECK_I64(model->filter, 500 * SIM_US, "0.5 ms: section 4.2");
    CHECK_I64(model->num_sequences, 0);
    noise_interference_model_free(model);
    noise_interference_model_free(NULL);
}

SUITE_MAIN("interference_model", TEST(ranks_that_were_not_learned_share_a_row),
           TEST(it_begins_with_the_filter_of_the_paper))
