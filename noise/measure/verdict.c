/* noise/measure/verdict.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_selfish. */
/**
 * @file
 * May this measurement be believed? What was watched, as the gate wants it.
 */
#include "measure/evidence.h"

#include <unistd.h>

void noise_measurement_judge(noise_measurement *result, const noise_evidence *e)
{
    const size_t n = result->num_cpus;
    g_autofree noise_gate_loop *loop = g_new0(noise_gate_loop, n);
    g_autofree noise_witness *witness = g_new0(noise_witness, n);
    for (size_t i = 0; i < n; i++) {
        const noise_watch *w = &e->watch[i];
        witness[i] = w->witness;
        loop[i] = (noise_gate_loop){.share = noise_measurement_cpu_share(&result->cpus[i]),
                                    .t_min = w->iteration.t_min,
                                    .typical = w->iteration.typical,
                                    .t_min_after = w->iteration_after.t_min,
                                    .backwards = w->backwards,
                                    .bound = w->bound,
                                    .coarse_clock = w->iteration.coarse_clock,
                                    .two_speeds = w->iteration.two_speeds,
                                    .too_many = w->end == NOISE_LOOP_TOO_MANY,
                                    .full = w->end == NOISE_LOOP_FULL && !e->limited};
    }
    const noise_gate_facts facts = {.root = "",
                                    .loop = loop,
                                    .witness = witness,
                                    .offsets = e->offsets,
                                    .clock_why = e->clock_why,
                                    .quota = {e->quota[0], e->quota[1]},
                                    .ran = {e->ran[0], e->ran[1]},
                                    .process = (uint32_t)getpid()};
    noise_gate_judge(result, &facts);
}
