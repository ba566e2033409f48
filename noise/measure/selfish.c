/* noise/measure/selfish.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The selfish detour as a method of a team: finds t_min and a threshold, then every gap above it.
 */
#include "measure/calibrate.h"
#include "measure/selfish_loop.h"
#include "measure/team.h"

#include <string.h>
#include <sys/mman.h>

enum { SAMPLES = 1 << 17, MAX_RAISES = 40 };

static const sim_time TRIAL = 50 * SIM_MS;

typedef struct selfish {
    noise_loop loop;
    size_t bytes;          /* of loop.gaps */
    uint64_t *differences; /* [SAMPLES] */
    uint64_t raised;
} selfish;

static void raise_threshold(selfish *s)
{
    s->loop.threshold += s->loop.threshold / 2;
    s->raised++;
}

/* By the thread itself, so that it is near; touched and locked, so that it is there. */
static selfish *new_state(const noise_team *t)
{
    selfish *s = g_new0(selfish, 1);
    s->bytes = MAX(t->capacity, (size_t)2 * NOISE_LOOP_PROBE) * sizeof(noise_gap);
    s->loop.gaps = g_malloc(s->bytes);
    memset(s->loop.gaps, 0, s->bytes);
    (void)mlock(s->loop.gaps, s->bytes);
    const size_t room = s->bytes / sizeof(noise_gap);
    s->loop.answers = g_malloc(room);
    memset(s->loop.answers, 0, room);
    s->differences = g_new(uint64_t, SAMPLES);
    memset(s->differences, 0, SAMPLES * sizeof *s->differences);
    return s;
}

/* Find t_min, and a threshold that at most 1 % of the iterations pass. */
static void prepare(noise_member *m)
{
    const noise_team *t = m->team;
    selfish *s = m->state != NULL ? m->state : new_state(t);
    m->state = s;
    noise_loop_sample(s->differences, SAMPLES, t->clock);
    m->watch.iteration = noise_calibrate_iteration(s->differences, SAMPLES);
    s->raised = 0;
    s->loop.threshold = noise_calibrate_threshold(&m->watch.iteration, t->options->factor,
                                                  t->options->floor, t->ticks_per_second);
    s->loop.capacity = s->bytes / sizeof(noise_gap);
    s->loop.duration = noise_team_ticks(t, TRIAL);
    while (noise_loop_measure(&s->loop, t->clock) == NOISE_LOOP_TOO_MANY &&
           s->raised < MAX_RAISES) {
        raise_threshold(s);
    }
    s->loop.capacity = t->capacity;
}

/* A loop whose threshold turns out too low begins again. */
static void run(noise_member *m, uint64_t start)
{
    const noise_team *t = m->team;
    selfish *s = m->state;
    const uint64_t duration = noise_team_ticks(t, t->options->time);
    s->loop.duration = duration;
    s->loop.ask = noise_witness_ask;
    s->loop.witness = &m->watch.witness;
    noise_team_wait(t, start);
    m->watch.end = noise_loop_measure(&s->loop, t->clock);
    while (m->watch.end == NOISE_LOOP_TOO_MANY && s->raised < MAX_RAISES &&
           s->loop.last - start < duration) {
        raise_threshold(s);
        s->loop.duration = duration - (s->loop.last - start);
        m->watch.end = noise_loop_measure(&s->loop, t->clock);
    }
    m->watch.backwards = s->loop.backwards;
    m->first_tick = s->loop.first;
    m->last_tick = s->loop.last;
    s->loop.ask = NULL;
    noise_witness_rest(&m->watch.witness);
    m->watch.witness.answers = s->loop.answers; /* a loan */
    m->watch.witness.num_answers = s->loop.n;
    noise_loop_sample(s->differences, SAMPLES, t->clock); /* is the clock frequency still that? */
    m->watch.iteration_after = noise_calibrate_iteration(s->differences, SAMPLES);
}

static void convert(const noise_member *m, double ticks_per_second, noise_measurement_cpu *out)
{
    const selfish *s = m->state;
    const noise_loop *loop = &s->loop;
    const uint64_t t_min = m->watch.iteration.t_min;
    out->t_min = noise_ticks_to_time(t_min, ticks_per_second);
    out->threshold = noise_ticks_to_time(loop->threshold, ticks_per_second);
    out->iterations = loop->iterations;
    out->raised = s->raised;
    out->n = loop->n;
    out->start = g_new(sim_time, loop->n);
    out->length = g_new(sim_time, loop->n);
    for (size_t i = 0; i < loop->n; i++) {
        const noise_gap *gap = &loop->gaps[i];
        out->start[i] = noise_ticks_to_time(gap->start - loop->first, ticks_per_second);
        out->length[i] = noise_ticks_to_time(gap->length - t_min, ticks_per_second);
    }
}

static void clear(noise_member *m)
{
    selfish *s = m->state;
    if (s != NULL) {
        (void)munlock(s->loop.gaps, s->bytes);
        g_free(s->loop.gaps);
        g_free(s->loop.answers);
        g_free(s->differences);
        g_free(s);
        m->state = NULL;
    }
}

const noise_method_class noise_method_selfish = {prepare, run, convert, clear};
