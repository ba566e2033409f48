/* apps/ripple/mining/inputs.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_projections, cli_mine_trace. */
#include "mining/inputs.h"

#include "mining/projections.h"
#include "sim/unit.h"

static const app_mine_input INPUTS[] = {
    {"logs of Projections (NAME.sts, or its folder)", SIM_US, app_projections_probe,
     app_projections_mine},
};

const app_mine_input *app_mine_input_find(const char *path)
{
    for (size_t i = 0; i < G_N_ELEMENTS(INPUTS); i++) {
        if (INPUTS[i].probe(path)) {
            return &INPUTS[i];
        }
    }
    return NULL;
}
