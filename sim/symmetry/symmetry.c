/* sim/symmetry/symmetry.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_symmetry. */
/*
 * Where a few ranks stand for all: docs/model.md, section 6.5. Whatever is not sure to be exact is
 * not taken.
 */
#include "sim/symmetry.h"

#include "symmetry/symmetry_private.h"

/* Is there nothing that tells one rank from another? */
static bool are_ranks_alike(const sim_params *params, const sim_run_options *options)
{
    const sim_levels *levels = options->levels;
    const bool one_level =
        levels == NULL || (!levels->has_node && levels->distance.kind == SIM_DISTANCE_NONE);
    return params->order == SIM_ORDER_MODEL && one_level &&
           (options->noise == NULL || options->noise->same);
}

/* Does somebody ask for what a rank is called? Noise of the rank that ends last is its own. */
static bool is_rank_wanted(const sim_run_options *options)
{
    return options->sink != NULL || options->record != NULL ||
           (options->explain && options->noise != NULL);
}

/* Is every tie decided within a rank? Under async, two messages that arrive at one instant go by
 * their sources; they never do where every rank sends one after the other, as all others do. */
static bool are_ties_alike(const sim_program *program, const sim_params *params, sim_symmetry s)
{
    if (params->o + params->L == 0) {
        return false;
    }
    return params->progress == SIM_PROGRESS_POLLING ||
           (s.classes == 1 && s.in_step && params->o > 0 && params->L > 0 &&
            program->num_cpus == 1 && program->num_nics == 1);
}

uint32_t sim_symmetry_holds(const sim_program *program, const sim_params *params,
                            const sim_run_options *options)
{
    const sim_symmetry_class *class = program->methods->symmetry;
    if (class == NULL || program->num_ranks < 2 || is_rank_wanted(options) ||
        !are_ranks_alike(params, options)) {
        return 0;
    }
    const sim_symmetry s = class->find(program);
    const bool some = s.classes > 0 && s.classes < program->num_ranks;
    const bool any_alike = !program->any_source || s.any_within_block;
    return some && any_alike && are_ties_alike(program, params, s) ? s.classes : 0;
}
