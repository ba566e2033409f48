/* sim/engine/run_entry.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run, test_symmetry, test_run_passes. */
#include "engine/run_private.h"
#include "sequential/sequential_private.h"
#include "sim/error.h"
#include "sim/slices.h"
#include "symmetry/symmetry_private.h"

#include <glib.h>

/* Each level has interfaces of its own, and they are counted in a byte. */
static bool check_interfaces(const sim_program *program, const sim_levels *levels, GError **error)
{
    const uint32_t most = (UINT8_MAX + 1) / MESSAGE_LEVELS;
    if (levels == NULL || !levels->has_node || program->num_nics <= most) {
        return true;
    }
    g_set_error(error, SIM_ERROR, SIM_ERROR_BAD_PROGRAM,
                "network interface %" G_GUINT32_FORMAT " of a rank: on a machine with [node], a "
                "rank has at most %" G_GUINT32_FORMAT,
                program->num_nics - 1, most);
    return false;
}

/*
 * The ranks that stand for all. An error is not passed on, unless the watch has ended the run:
 * the run of all ranks says where it is.
 * @return NULL: all ranks are to be run, or there is an error
 */
static sim_result *run_quotient(const sim_program *program, const sim_params *params,
                                const sim_run_options *options, uint32_t holds, GError **error)
{
    g_autoptr(GError) why = NULL;
    sim_program *quotient = sim_quotient_new(program, params, holds);
    g_autoptr(sim_result) result = sim_engine_run(quotient, params, options, NULL, &why);
    const bool failed = sim_quotient_has_failed(quotient);
    sim_program_free(quotient);
    if (result != NULL && !failed) {
        sim_quotient_unfold(program, result);
        return g_steal_pointer(&result);
    }
    if (g_error_matches(why, SIM_ERROR, SIM_ERROR_STOPPED)) {
        g_propagate_error(error, g_steal_pointer(&why));
    } else {
        sim_slices_clear(options->slices);
    }
    return NULL;
}

sim_result *sim_run(const sim_program *program, const sim_params *params,
                    const sim_run_options *options, GError **error)
{
    static const sim_run_options defaults = {0};
    options = options != NULL ? options : &defaults;
    if (params->order == SIM_ORDER_CREATION) {
        return sim_sequential_run(program, params, options, error);
    }
    if (!check_interfaces(program, options->levels, error)) {
        return NULL;
    }
    GError *stopped = NULL;
    const uint32_t holds = options->symmetry ? sim_symmetry_holds(program, params, options) : 0;
    sim_result *result = holds > 0 ? run_quotient(program, params, options, holds, &stopped)
                                   : sim_engine_run_passes(program, params, options, &stopped);
    if (result != NULL || stopped != NULL) {
        if (stopped != NULL) {
            g_propagate_error(error, stopped);
        }
        return result;
    }
    return sim_engine_run(program, params, options, NULL, error);
}
