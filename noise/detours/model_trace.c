/* noise/detours/model_trace.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_signature. */
/**
 * @file
 * The detours of a file, repeated every period of the file.
 */
#include "detours/model_arrivals.h"

static double share(const noise_model *m)
{
    return noise_detour_trace_share(m->trace);
}

static double count(const noise_model *m)
{
    return (double)noise_detour_trace_count(m->trace);
}

static void place(const noise_model *m, noise_arrivals *out)
{
    for (sim_time lap = 0; lap < out->period; lap += m->interval) {
        for (size_t i = 0; i < noise_detour_trace_count(m->trace); i++) {
            const sim_time start = lap + noise_detour_trace_start(m->trace, i);
            if (start < out->period) {
                noise_arrivals_add(out, start, noise_detour_trace_length(m->trace, i));
            }
        }
    }
}

const noise_model_class noise_model_trace = {
    .is_periodic = true,
    .share = share,
    .count = count,
    .place = place,
};

noise_model noise_model_of_trace(noise_detour_trace *trace)
{
    return (noise_model){
        .kind = &noise_model_trace, .interval = noise_detour_trace_period(trace), .trace = trace};
}
