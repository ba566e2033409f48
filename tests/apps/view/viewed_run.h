/* tests/apps/view/viewed_run.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "step_program.h"
#include "view/view_run.h"

#include <glib.h>

/** A halo exchange under that noise, pictured. @p change may be NULL. */
static inline app_picture *viewed_steps(const char *noise, uint32_t num_ranks, uint32_t steps,
                                        void (*change)(app_view_request *))
{
    const step_program program = {STEP_HALO, true, num_ranks, steps, 1, 1024, 100 * SIM_US};
    g_autoptr(sim_graph) graph = step_program_new(&program);
    const sim_params params = step_params();
    g_autoptr(noise_signature) signature = noise_signature_parse(noise, 1, NULL);
    app_view_request request = {.program = sim_graph_program(graph),
                                .params = &params,
                                .signature = signature,
                                .injection = {.seed = 1},
                                .num_lanes = APP_VIEW_WORST,
                                .num_ops = sim_graph_total_ops(graph)};
    if (change != NULL) {
        change(&request);
    }
    return app_view_run(&request, NULL);
}

/** The same of 12 ranks. */
static inline app_picture *viewed_run(const char *noise, void (*change)(app_view_request *))
{
    return viewed_steps(noise, 12, 40, change);
}
