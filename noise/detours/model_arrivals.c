/* noise/detours/model_arrivals.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_signature. */
#include "detours/model_arrivals.h"

#include "noise/random.h"

#include <math.h>

void noise_arrivals_add(noise_arrivals *arrivals, sim_time start, sim_time length)
{
    noise_arrivals_add_to(arrivals, start, length, 0);
}

void noise_arrivals_add_to(noise_arrivals *arrivals, sim_time start, sim_time length, uint64_t stay)
{
    const noise_arrival a = {start, length, arrivals->model, 0, stay};
    g_array_append_val(arrivals->list, a);
}

void noise_arrivals_every(const noise_model *m, noise_arrivals *out)
{
    /* Several ticks do not all begin at the same instant. */
    const uint64_t phase =
        out->alone ? 0 : noise_random_below(out->seed, m->stream, 0, (uint64_t)m->interval);
    uint64_t i = 0;
    for (sim_time at = (sim_time)phase; at < out->period; at += m->interval, i++) {
        noise_arrivals_add(out, at, m->kind->length(m, out->seed, i + 1, out->period));
    }
}

/*
 * A Poisson process, given how many arrivals it has in the period, is that many uniform points.
 * Taking the expected number makes the share of every draw that of the model; drawn gaps would
 * leave it 10 % off with 100 arrivals.
 */
void noise_arrivals_at_random(const noise_model *m, noise_arrivals *out)
{
    const size_t count = (size_t)MAX(1, llround((double)out->period / (double)m->interval));
    for (size_t i = 0; i < count; i++) {
        const uint64_t at = noise_random_below(out->seed, m->stream, 2 * i, (uint64_t)out->period);
        noise_arrivals_add(out, (sim_time)at,
                           m->kind->length(m, out->seed, 2 * i + 1, out->period));
    }
}

sim_time noise_arrivals_length(double length, sim_time longest)
{
    return length < (double)longest ? (sim_time)MAX(length, 1) : longest;
}

double noise_arrivals_share_of_one_length(const noise_model *m)
{
    return (double)m->value[1].time / (double)m->interval;
}

sim_time noise_arrivals_one_length(const noise_model *m, uint64_t seed, uint64_t counter,
                                   sim_time longest)
{
    (void)seed;
    (void)counter;
    (void)longest;
    return m->value[1].time;
}
