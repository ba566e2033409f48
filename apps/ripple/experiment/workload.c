/* apps/ripple/experiment/workload.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment/workload.h"

#include "experiment/run_noise.h"
#include "sim/replica.h"

enum { SMALL = 64 }; /* ranks, to look a program over */

bool app_workload_in_lanes(const app_experiment *x)
{
    app_mode modes[APP_NUM_MODES];
    const size_t n = app_experiment_modes(x, modes);
    if (app_source_get_kind(x->source) != APP_SOURCE_COLLECTIVE || x->num_sizes == 0 ||
        app_places_have_levels(x->places) ||
        !app_run_noise_in_lanes(x->noise, MIN(x->sizes[0], SMALL), modes, n)) {
        return false;
    }
    const sim_program *program = app_source_program(x->source, MIN(x->sizes[0], SMALL), NULL);
    const char *why = NULL;
    g_autoptr(sim_replicas) replicas =
        program != NULL ? sim_replicas_new(program, x->params, &why) : NULL;
    return replicas != NULL;
}

/* Can the runs of a mode be had from a few ranks? Asked only where they may be: a stored schedule
 * and a record on a larger grid take long to be had at a size, and never are. */
static uint32_t representatives(const app_experiment *x, uint32_t ranks, app_mode mode)
{
    const bool may = !x->no_symmetry && !app_places_have_levels(x->places) &&
                     app_source_get_kind(x->source) != APP_SOURCE_GOAL &&
                     !app_source_is_regridded(x->source);
    const sim_program *program = may ? app_source_program(x->source, ranks, NULL) : NULL;
    return program != NULL ? app_run_representatives(x->noise, program, x->params, NULL, mode) : 0;
}

/* Is replica 0 of each mode explained, as far as memory and disk allow? @p few of the ideal run */
static bool is_explained(const app_experiment *x, uint32_t ranks, uint32_t few, uint64_t num_ops)
{
    return !x->no_breakdown && x->params->order != SIM_ORDER_CREATION &&
           (x->explain ||
            app_experiment_explained_ops(x, ranks, few, num_ops) <= APP_BREAKDOWN_OPS);
}

/* Adds @p runs of one mode; @p apart: the first one is by itself. */
static void add_runs(app_work *work, uint32_t ranks, uint64_t num_ops, uint32_t runs, bool in_lanes,
                     bool apart, bool recorded)
{
    const uint32_t alone = in_lanes ? apart : runs;
    work->runs += runs;
    if (alone > 0) {
        work->engine += app_work_of_run(ranks, num_ops, recorded) +
                        (alone - 1) * app_work_of_run(ranks, num_ops, false);
    }
    const uint32_t batches = (runs - alone + SIM_LANES - 1) / SIM_LANES;
    work->lanes += batches * app_work_of_lanes(ranks, num_ops);
}

app_work app_workload_at(const app_experiment *x, uint32_t ranks, uint64_t num_ops, bool in_lanes)
{
    app_work work = {0};
    const bool all_apart = x->sink != NULL && !x->sink_of_first;
    app_mode modes[APP_NUM_MODES];
    uint32_t few[APP_NUM_MODES] = {0};
    const size_t n = app_experiment_modes(x, modes);
    for (size_t i = 0; i < n; i++) {
        few[i] = all_apart ? 0 : representatives(x, ranks, modes[i]);
    }
    const bool recorded = is_explained(x, ranks, few[0], num_ops);
    const bool apart = recorded || x->record != NULL || x->sink != NULL;
    const bool some_in_lanes = in_lanes && !all_apart && (!apart || x->noise->replicas > 1);
    for (size_t i = 0; i < n; i++) {
        const uint32_t runs = modes[i] == APP_IDEAL ? 1 : x->noise->replicas;
        const bool is_named = x->explain || x->record != NULL || x->sink != NULL ||
                              (modes[i] != APP_IDEAL && recorded);
        if (few[i] > 0) {
            const uint32_t whole = is_named ? 1 : 0;
            add_runs(&work, ranks, num_ops, whole, false, apart, recorded);
            add_runs(&work, few[i], num_ops / (ranks / few[i]), runs - whole, false, apart,
                     recorded && !is_named);
        } else {
            add_runs(&work, ranks, num_ops, runs, some_in_lanes, apart, recorded);
        }
    }
    return work;
}

bool app_workload_plan(const app_experiment *x, uint32_t ranks, bool in_lanes, app_work *work,
                       GError **error)
{
    uint64_t num_ops = 0;
    if (!app_source_count(x->source, ranks, &num_ops, error)) {
        return false;
    }
    *work = app_workload_at(x, ranks, num_ops, in_lanes);
    return true;
}
