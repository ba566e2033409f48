/* tests/collectives/algorithms/cost.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "cost.h"

#include "check.h"
#include "coll/program.h"

sim_time cost_makespan(coll_kind kind, const char *algorithm, uint32_t size, int64_t bytes,
                       const sim_params *params)
{
    const coll_call call = {.kind = kind, .size = size, .bytes = bytes};
    g_autoptr(GError) error = NULL;
    sim_program *program = coll_program_new(&call, coll_algorithm_get(algorithm), 1, &error);
    g_autoptr(sim_result) result = program != NULL ? sim_run(program, params, NULL, &error) : NULL;
    CHECK(result != NULL, "%s:%s p=%u m=%" G_GINT64_FORMAT ": %s", coll_kind_name(kind), algorithm,
          size, bytes, error != NULL ? error->message : "");
    sim_program_free(program);
    return result != NULL ? result->makespan : -1;
}

sim_time cost_max(sim_time a, sim_time b)
{
    return a > b ? a : b;
}

sim_time cost_gap(const sim_params *p, int64_t bytes)
{
    return p->g + sim_rate_times(p->G, bytes - 1);
}

sim_time cost_send_interval(const sim_params *p, int64_t bytes)
{
    return cost_max(p->o + sim_rate_times(p->O, bytes - 1), cost_gap(p, bytes));
}

sim_time cost_one_message(const sim_params *p, int64_t bytes)
{
    return 2 * p->o + p->L + sim_rate_times(cost_max(p->O, p->G), bytes - 1);
}

sim_time cost_receive_interval(const sim_params *p, int64_t bytes)
{
    if (p->progress == SIM_PROGRESS_POLLING) {
        return cost_send_interval(p, bytes);
    }
    return cost_max(p->o + sim_rate_times(cost_max(p->O, p->G), bytes - 1), cost_gap(p, bytes));
}

sim_params cost_random_params(GRand *rand, sim_progress progress)
{
    return (sim_params){
        .L = g_rand_int_range(rand, 0, 5000),
        .o = g_rand_int_range(rand, 0, 3000),
        .g = g_rand_int_range(rand, 0, 6000),
        .G = g_rand_int_range(rand, 0, 12) * SIM_RATE_PER_PS,
        .O = g_rand_int_range(rand, 0, 9) * SIM_RATE_PER_PS,
        .S = INT64_MAX,
        .progress = progress,
        .rendezvous = SIM_RENDEZVOUS_INSTANT,
    };
}
