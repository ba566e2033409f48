/* noise/measure/quantum.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_quantum. */
/**
 * @file
 * Fixed work quantum and fixed time quantum as methods of a team.
 */
#include "measure/quantum.h"

#include "measure/calibrate.h"
#include "measure/kernel.h"
#include "measure/quantum_loop.h"
#include "measure/team.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const double TOLERANCE = 0.005;
/* Runs of which the shortest counts; fewer where they would take more than half a second. */
enum { RUNS = 200, FEWEST_RUNS = 20 };
static const sim_time RUNS_TIME = 500 * SIM_MS;
/* A unit of FTQ takes a thousandth of its interval, so that an interval counts to 1000. */
static const double UNITS = 1000;
/* A first trial of one iteration is mostly reads of the clock: its word is not taken for more. */
static const double MOST_AT_ONCE = 16;
enum { MOST_BY_PROPORTION = 40 };
static const uint64_t MOST = UINT64_C(1) << 62; /* iterations */

typedef struct search {
    noise_quantum_shortest shortest;
    void *context;
    double ticks;
    uint64_t nearest; /* of all that was tried */
    double distance;
} search;

static double try_iterations(search *s, uint64_t iterations)
{
    const double took = (double)s->shortest(s->context, iterations);
    const double distance = fabs(took - s->ticks);
    if (distance < s->distance) {
        s->distance = distance;
        s->nearest = iterations;
    }
    return took;
}

/* By proportion, as if time were proportional to iterations; should that take long to come near, by
 * doubling and halves. */
uint64_t noise_quantum_calibrate(noise_quantum_shortest shortest, void *context, double ticks)
{
    search s = {shortest, context, ticks, 1, INFINITY};
    uint64_t low = 0;
    uint64_t high = MOST;
    uint64_t n = 1;
    for (int tries = 0; high - low > 1 && s.distance > TOLERANCE * ticks; tries++) {
        const double took = try_iterations(&s, n);
        if (took < ticks) {
            low = n;
        } else {
            high = n;
        }
        const double wanted = (double)n * MIN(ticks / MAX(took, 1), MOST_AT_ONCE);
        const uint64_t middle = high == MOST ? 2 * low : low + (high - low) / 2;
        n = tries < MOST_BY_PROPORTION && wanted > (double)low && wanted < (double)high
                ? MAX((uint64_t)wanted, low + 1)
                : middle;
    }
    return s.nearest;
}

static int by_value(const void *pa, const void *pb)
{
    const uint64_t a = *(const uint64_t *)pa;
    const uint64_t b = *(const uint64_t *)pb;
    return (a > b) - (a < b);
}

double noise_quantum_most_work(const uint64_t *work, size_t n)
{
    if (n == 0) {
        return 0;
    }
    g_autofree uint64_t *sorted = g_memdup2(work, n * sizeof *work);
    qsort(sorted, n, sizeof *sorted, by_value);
    const size_t index = n - 1 - n / 1000;
    return (double)sorted[index];
}

typedef struct quantum {
    noise_quantum_loop loop;
    noise_workload *workload;
    noise_clock clock;
    size_t runs; /* of a calibration */
} quantum;

static void work(void *context, uint64_t iterations)
{
    noise_workload *w = context;
    w->run(w, iterations);
}

static uint64_t shortest(void *context, uint64_t iterations)
{
    quantum *q = context;
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < q->runs; i++) {
        const uint64_t before = noise_clock_read(q->clock);
        q->workload->run(q->workload, iterations);
        const uint64_t took = noise_clock_read(q->clock) - before;
        least = (int64_t)took >= 0 && took < least ? took : least;
    }
    return least;
}

static sim_time target(const noise_measurement_options *o)
{
    return o->method == NOISE_METHOD_FWQ ? o->quantum : (sim_time)((double)o->quantum / UNITS);
}

/* Kept for later windows, which are to do the same work. */
static void prepare(noise_member *m)
{
    const noise_team *t = m->team;
    if (m->state != NULL) {
        return;
    }
    quantum *q = g_new0(quantum, 1);
    m->state = q;
    q->clock = t->clock;
    q->workload = noise_workload_new(
        t->options->method == NOISE_METHOD_FWQ ? t->options->kernel : NOISE_KERNEL_MULTIPLY);
    q->loop.capacity = t->capacity;
    q->loop.sample = g_malloc(t->capacity * sizeof *q->loop.sample);
    memset(q->loop.sample, 0, t->capacity * sizeof *q->loop.sample);
    (void)mlock(q->loop.sample, t->capacity * sizeof *q->loop.sample);
    const double ticks = (double)target(t->options) / (double)SIM_S * t->ticks_per_second;
    q->runs = (size_t)CLAMP(RUNS_TIME / MAX(target(t->options), 1), FEWEST_RUNS, RUNS);
    q->loop.iterations = noise_quantum_calibrate(shortest, q, ticks);
}

/* A thread that is moved is noticed in the quantum in which it comes back. */
static void watch_over(noise_member *m, noise_quantum_loop *loop)
{
    loop->ask = noise_witness_ask;
    loop->witness = &m->watch.witness;
}

static void finish(noise_member *m, noise_quantum_loop *loop)
{
    loop->ask = NULL; /* later windows are calibrated without */
    noise_witness_rest(&m->watch.witness);
    m->watch.backwards = loop->backwards;
    m->first_tick = loop->first;
    m->last_tick = loop->last;
}

static void run_fwq(noise_member *m, uint64_t start)
{
    quantum *q = m->state;
    q->loop.duration = noise_team_ticks(m->team, m->team->options->time);
    watch_over(m, &q->loop);
    noise_team_wait(m->team, start);
    noise_quantum_measure_work(&q->loop, q->clock, work, q->workload);
    finish(m, &q->loop);
}

static void run_ftq(noise_member *m, uint64_t start)
{
    quantum *q = m->state;
    q->loop.interval =
        (double)m->team->options->quantum / (double)SIM_S * m->team->ticks_per_second;
    watch_over(m, &q->loop);
    noise_team_wait(m->team, start);
    noise_quantum_measure_time(&q->loop, q->clock, work, q->workload);
    finish(m, &q->loop);
}

static void convert_fwq(const noise_member *m, double ticks_per_second, noise_measurement_cpu *out)
{
    const quantum *q = m->state;
    out->iterations = q->loop.iterations;
    out->num_samples = q->loop.n;
    out->quantum = g_new(sim_time, q->loop.n);
    out->t_min = SIM_TIME_MAX;
    for (size_t i = 0; i < q->loop.n; i++) {
        out->quantum[i] = noise_ticks_to_time(q->loop.sample[i], ticks_per_second);
        out->t_min = MIN(out->t_min, out->quantum[i]);
    }
}

static void convert_ftq(const noise_member *m, double ticks_per_second, noise_measurement_cpu *out)
{
    (void)ticks_per_second;
    const quantum *q = m->state;
    out->iterations = q->loop.iterations;
    out->num_samples = q->loop.n;
    out->work = g_memdup2(q->loop.sample, q->loop.n * sizeof *q->loop.sample);
    out->most_work = noise_quantum_most_work(out->work, q->loop.n);
    const double interval = (double)out->duration / (double)MAX(q->loop.n, 1);
    out->t_min = out->most_work > 0 ? (sim_time)llround(interval / out->most_work) : 0;
}

static void clear(noise_member *m)
{
    quantum *q = m->state;
    if (q != NULL) {
        (void)munlock(q->loop.sample, q->loop.capacity * sizeof *q->loop.sample);
        g_free(q->loop.sample);
        noise_workload_free(q->workload);
        g_free(q);
        m->state = NULL;
    }
}

const noise_method_class noise_method_fwq = {prepare, run_fwq, convert_fwq, clear};
const noise_method_class noise_method_ftq = {prepare, run_ftq, convert_ftq, clear};
