/* sim/engine/run_estimate.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_app_memory. */
/*
 * What a run takes per rank: its state, whose size is known, and what depends on the program and
 * the noise: entries of the calendar queue, arrays for ranks with many items, messages between
 * threads. For the latter, these are the values of halo exchanges and allreduces under noise,
 * measured from 64Ki to 1Mi ranks; test_app_memory compares them with a process. The result takes
 * less than what is freed before it is made.
 */
#include "engine/run_private.h"
#include "sequential/sequential_private.h"

enum {
    QUEUE_BYTES = 5,
    OUTSIDE_BYTES = 20, /* 480, or even 1,280, for each that has more than lies inside */
    OUTBOX_BYTES = 24,  /* if there are several threads */
};

sim_run_needs sim_run_estimate(uint32_t num_ranks, const sim_program *like,
                               const sim_params *params, const sim_run_options *options)
{
    if (params->order == SIM_ORDER_CREATION) {
        return sim_sequential_estimate(num_ranks, like);
    }
    sim_program program = *like;
    program.num_ranks = num_ranks;
    const bool is_asked = options->sink != NULL && !options->sink->is_brief;
    const bool keeps_causes = is_asked || options->record != NULL || options->explain;
    const bool has_node = options->levels != NULL && options->levels->has_node;
    const event_list_layout layout =
        sim_event_list_layout(&program, has_node, keeps_causes, engine_kept_bytes(options->noise));
    const uint32_t partitions = sim_engine_num_partitions(num_ranks, params, options);
    const uint64_t rank_bytes =
        layout.rank_bytes + QUEUE_BYTES + OUTSIDE_BYTES + (partitions > 1 ? OUTBOX_BYTES : 0);
    return (sim_run_needs){num_ranks * rank_bytes + partitions * sizeof(engine_partition),
                           partitions};
}
