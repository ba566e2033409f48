/* tests/sim/record/recorded_run.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "recorded_run.h"

sim_run_record *recorded_run(const sim_program *program, const sim_params *params,
                             const sim_run_options *options, GError **error)
{
    g_autoptr(sim_run_record) record = sim_run_record_spill(error);
    sim_run_options own = *options;
    own.record = record;
    g_autoptr(sim_result) result = record != NULL ? sim_run(program, params, &own, error) : NULL;
    return result != NULL ? g_steal_pointer(&record) : NULL;
}
