/* docs/embed.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Ripple in a C or C++ program: cc docs/embed.c $(pkg-config --cflags --libs ripple-sim) */
#include "sim/sim.h"

#include <stdio.h>

/* Noise: rank 0 loses 50 us to what comes at 100 us. */
static sim_time finish(const sim_noise *noise, uint32_t rank, sim_time start, sim_time work)
{
    const sim_time hit = 100 * SIM_US, end = start + work;
    (void)noise;
    return rank == 0 && start <= hit && hit < end ? end + 50 * SIM_US : end;
}

/* A sink: by how much did work take longer, over all ranks? */
static sim_time stolen;
static void count(sim_sink *sink, const sim_event *event, size_t n)
{
    (void)sink;
    for (size_t i = 0; i < n; i++) {
        stolen += event[i].end - event[i].start - event[i].work;
    }
}

int main(void)
{
    /* A program: 8 ranks, 10 times: compute for 30 us, send to the next, receive from the last. */
    sim_graph_builder *ring = sim_graph_builder_new(8);
    for (uint32_t r = 0; r < 8; r++) {
        sim_graph_builder_begin_rank(ring, r);
        for (uint32_t i = 0; i < 3 * 10; i++) {
            const uint32_t peer[] = {0, (r + 1) % 8, (r + 7) % 8};
            sim_op op = {0}; /* its type is that of i % 3: SIM_OP_CALC, SIM_OP_SEND, SIM_OP_RECV */
            op.type = (uint8_t)(i % 3);
            op.size = op.type == SIM_OP_CALC ? 30 * SIM_US : 8;
            op.peer = peer[op.type];
            if (sim_graph_builder_add(ring, &op) > 0) {
                sim_graph_builder_require(ring, i, i - 1);
            }
        }
    }
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(ring, NULL);
    g_autoptr(sim_machine) machine = sim_machine_load("xt4", NULL);
    const sim_noise noise = {finish, NULL, NULL, false};
    sim_sink sink = {count, NULL};
    sim_run_options options = {0};
    options.noise = &noise;
    options.sink = &sink;
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_result) result =
        sim_run(sim_graph_program(graph), &machine->params, &options, &error);
    if (result == NULL) {
        fprintf(stderr, "%s\n", error->message);
        return 1;
    }
    printf("Ripple %s: %g us; noise took %g us\n", RIPPLE_VERSION,
           (double)result->makespan / SIM_US, (double)stolen / SIM_US);
    return 0;
}
