/* tests/apps/validation/one_message.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A record of two ranks as the machine A would have made it, computed by hand:
 *
 *     rank 0   computes 10 us | sends 10,001 B: o = 1 us | computes 5 us             16 us
 *     rank 1   computes  3 us | receives until 10 + o + L + 10,000 G + o = 24 us | computes 1 us 25
 * us
 *
 * A: L = 2 us, o = 1 us, G = 1 ns/B, g = O = 0, S = inf.
 */
#pragma once

#include "mining/calls.h"
#include "sim/machine.h"

#define ONE_MESSAGE_BYTES 10001

static inline sim_params one_message_machine(void)
{
    sim_machine *m = sim_machine_load("xt4", NULL);
    const char *const values[] = {"L=2us", "o=1us", "g=0", "G=1ns/B", "O=0", "S=inf"};
    for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
        g_assert_true(sim_machine_set(m, values[i], NULL));
    }
    const sim_params params = m->params;
    sim_machine_free(m);
    return params;
}

/* A record that begins at @p begin: MPI_Init takes until then. */
static inline sched_trace *one_message(bool nonblocking)
{
    const sim_time t = 100 * SIM_US;
    sched_trace *trace = sched_trace_new("by hand", "hand", 2);
    (void)add_call(trace, 0, SCHED_CALL_INIT, "MPI_Init", 0, t);
    (void)add_call(trace, 1, SCHED_CALL_INIT, "MPI_Init", 0, t);
    add_send(trace, 0, 1, ONE_MESSAGE_BYTES, t + 10 * SIM_US, t + 11 * SIM_US);
    (void)add_call(trace, 0, SCHED_CALL_FINALIZE, "MPI_Finalize", t + 16 * SIM_US, t + 90 * SIM_US);
    if (nonblocking) { /* computes 1 us, posts, computes 2 us, waits */
        add_post(trace, 1, false, 0, ONE_MESSAGE_BYTES, 0, t + SIM_US, t + SIM_US);
        add_wait(trace, 1, 0, 1, t + 3 * SIM_US, t + 24 * SIM_US);
    } else {
        add_recv(trace, 1, 0, ONE_MESSAGE_BYTES, t + 3 * SIM_US, t + 24 * SIM_US);
    }
    (void)add_call(trace, 1, SCHED_CALL_FINALIZE, "MPI_Finalize", t + 25 * SIM_US, t + 90 * SIM_US);
    trace->ranks[0].complete = trace->ranks[1].complete = true;
    return trace;
}

/*
 * Two ranks compute 1 us and are in MPI_Barrier, four times: 50 us, then 4 us each, which is what
 * the machine A takes (o + L + o, both ways at once).
 */
static inline sched_trace *four_barriers(void)
{
    sched_trace *trace = sched_trace_new("by hand", "hand", 2);
    for (uint32_t r = 0; r < 2; r++) {
        sim_time t = 100 * SIM_US;
        (void)add_call(trace, r, SCHED_CALL_INIT, "MPI_Init", 0, t);
        for (int i = 0; i < 4; i++) {
            const sim_time enter = t + SIM_US;
            t = enter + (i == 0 ? 50 : 4) * SIM_US;
            add_collective(trace, r, COLL_BARRIER, 0, enter, t);
        }
        (void)add_call(trace, r, SCHED_CALL_FINALIZE, "MPI_Finalize", t + SIM_US, t + SIM_MS);
        trace->ranks[r].complete = true;
    }
    return trace;
}
