/* noise/detours/model_job.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * job:SLICE:STAY[:ON:OFF] — another program on the node. While it is on it takes every second slice
 * of the CPU that it is on; for ON of every ON + OFF, or always. It stays where it is for an
 * exponential time of mean STAY, then takes any of the node's CPUs: at the place "node" all detours
 * of a stay strike the same core. Tabatabaee and Hollingsworth, SC07, section 5, have such a job in
 * the background of their runs; they do not say how it was scheduled.
 */
#include "detours/model_arrivals.h"
#include "noise/random.h"

#include <math.h>

enum { SLICE, STAY, ON, OFF };

/* A full job repeats after no less than 100 times that many stays (model_draw.c). */
enum { STAYS = 10 };

static bool is_full(const noise_model *m)
{
    return m->value[ON].time == 0;
}

/* From one ON to the next; of a full job that is any time. */
static sim_time cycle(const noise_model *m)
{
    return is_full(m) ? 2 * m->value[SLICE].time : m->value[ON].time + m->value[OFF].time;
}

/* Whole cycles, in which there are some stays: the ON of each lap lies where it did. */
static sim_time interval(const noise_model *m)
{
    const sim_int128 stays = (sim_int128)m->value[STAY].time * STAYS;
    const sim_int128 whole = (stays + cycle(m) - 1) / cycle(m) * cycle(m);
    return (sim_time)MIN(whole, SIM_TIME_MAX); /* which is too long for a trace */
}

static double share(const noise_model *m)
{
    return is_full(m) ? 0.5 : 0.5 * (double)m->value[ON].time / (double)cycle(m);
}

/* A slice and what a stay that ends in a slice makes two of. */
static double count(const noise_model *m)
{
    const double taken = share(m) * (double)m->interval;
    return taken / (double)m->value[SLICE].time + taken / (double)m->value[STAY].time;
}

/* The job's slices in from..to - 1, where it is on and stays on one core. They lie as if they had
 * always taken turns: so half of the time is the job's, however short it is on or stays. */
static void take_turns(const noise_model *m, noise_arrivals *out, sim_time from, sim_time to,
                       uint64_t stay)
{
    const sim_time slice = m->value[SLICE].time;
    for (sim_time turn = from / (2 * slice) * (2 * slice); turn < to; turn += 2 * slice) {
        const sim_time start = MAX(turn, from);
        const sim_time end = MIN(turn + slice, to);
        if (start < end) {
            noise_arrivals_add_to(out, start, end - start, stay);
        }
    }
}

/* What of from..to - 1, spent on one core, it is on. */
static void be_on(const noise_model *m, noise_arrivals *out, sim_time from, sim_time to,
                  sim_time phase, uint64_t stay)
{
    if (is_full(m)) {
        take_turns(m, out, from, to, stay);
        return;
    }
    const sim_time on = m->value[ON].time;
    for (sim_time at = phase + (from - phase) / cycle(m) * cycle(m) - cycle(m); at < to;
         at += cycle(m)) {
        take_turns(m, out, MAX(at, from), MIN(at + on, to), stay);
    }
}

static void place(const noise_model *m, noise_arrivals *out)
{
    const sim_time phase =
        out->alone ? 0 : (sim_time)noise_random_below(out->seed, m->stream, 0, (uint64_t)cycle(m));
    sim_time now = 0;
    for (uint64_t stay = 1; now < out->period; stay++) {
        const double u = noise_random_unit(out->seed, m->stream, stay);
        const sim_time length =
            noise_arrivals_length(-log(u) * (double)m->value[STAY].time, out->period);
        const sim_time end = MIN(now + length, out->period);
        be_on(m, out, now, end, phase, stay);
        now = end;
    }
}

const noise_model_class noise_model_job = {
    .name = "job",
    .parameters = {[SLICE] = {"SLICE", NOISE_PARAMETER_LENGTH, 0, 0},
                   [STAY] = {"STAY", NOISE_PARAMETER_LENGTH, 0, 0},
                   [ON] = {"ON", NOISE_PARAMETER_LENGTH, 0, 0},
                   [OFF] = {"OFF", NOISE_PARAMETER_LENGTH, 0, 0}},
    .num_optional = 2,
    .is_periodic = true,
    .is_drawn = true,
    .interval = interval,
    .share = share,
    .count = count,
    .place = place,
};
