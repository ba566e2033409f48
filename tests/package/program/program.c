/* tests/package/program/program.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* One rank computes for 1000 ns and loses 100 ns to a detour: all four libraries, from outside. */
#include "coll/algorithm.h"
#include "noise/detour_trace.h"
#include "sched/goal.h"
#include "sim/run.h"

#include <stdio.h>
#include <string.h>

struct one_detour {
    sim_noise hook;
    noise_detour_trace *trace;
};

static sim_time finish(const sim_noise *noise, uint32_t rank, sim_time start, sim_time work)
{
    (void)rank;
    const struct one_detour *detour = (const struct one_detour *)noise;
    return noise_detour_trace_finish(detour->trace, 0, start, work);
}

int main(void)
{
    static const char TEXT[] = "num_ranks 1\nrank 0 {\nl1: calc 1000\n}\n";
    static const sim_time START[] = {500 * SIM_NS}, LENGTH[] = {100 * SIM_NS};
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_detour_trace) trace =
        noise_detour_trace_new(START, LENGTH, 1, SIM_US * 1000, &error);
    g_autoptr(sim_graph) graph = sched_goal_read_data("text", TEXT, strlen(TEXT), true, &error);
    g_autoptr(sim_machine) machine = sim_machine_load("xt4", &error);
    if (trace == NULL || graph == NULL || machine == NULL) {
        fprintf(stderr, "%s\n", error->message);
        return 1;
    }
    const struct one_detour detour = {.hook = {.finish = finish}, .trace = trace};
    const sim_run_options options = {.noise = &detour.hook};
    g_autoptr(sim_result) result =
        sim_run(sim_graph_program(graph), &machine->params, &options, &error);
    coll_algorithm ring;
    if (result == NULL || !coll_algorithm_parse("ring", &ring, NULL)) {
        fprintf(stderr, "%s\n", error != NULL ? error->message : "no ring");
        return 1;
    }
    printf("%s, %g ns\n", coll_algorithm_name(ring), (double)result->makespan / SIM_NS);
    return result->makespan == 1100 * SIM_NS ? 0 : 1;
}
