/* tests/noise/measure/test_quantum.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "measure/kernel.h"
#include "measure/quantum.h"
#include "measure/quantum_loop.h"
#include "noise/measurement.h"

#include <assert.h>
#include <math.h>

/* Time that only work and detours move on: a read costs one tick. */
typedef struct fake_time {
    uint64_t now;
    uint64_t per_iteration;
    const uint64_t (*detours)[2]; /* at, length: ascending; strikes when time has passed .at */
    size_t num_detours;
    size_t next;
} fake_time;

static void pass(fake_time *t, uint64_t ticks)
{
    t->now += ticks;
    while (t->next < t->num_detours && t->now >= t->detours[t->next][0]) {
        t->now += t->detours[t->next++][1];
    }
}

static uint64_t read_fake(void *context)
{
    pass(context, 1);
    return ((fake_time *)context)->now;
}

static void work_fake(void *context, uint64_t iterations)
{
    fake_time *t = context;
    pass(t, iterations * t->per_iteration);
}

static void fixed_work_takes_longer_by_its_detours_only(void)
{
    /* a quantum: 99 iterations of 10 ticks, and a read: 991 */
    static const uint64_t detours[][2] = {{1500, 70}, {1600, 30}, {4000, 5000}};
    static const uint64_t want[] = {991, 1091, 991, 5991, 991, 991};
    uint64_t sample[6] = {0};
    fake_time t = {0, 10, detours, G_N_ELEMENTS(detours), 0};
    noise_quantum_loop loop = {
        .iterations = 99, .capacity = 6, .sample = sample, .duration = 1000000};
    noise_quantum_run_work(&loop, read_fake, &t, work_fake, &t);
    CHECK_I64(loop.n, 6);
    uint64_t sum = 0;
    for (size_t i = 0; i < loop.n; i++) {
        CHECK_I64(sample[i], want[i], "quantum %zu", i);
        sum += sample[i];
    }
    CHECK_I64(loop.last - loop.first, sum); /* nothing is lost between quanta */

    t = (fake_time){UINT64_MAX - 1500, 10, NULL, 0, 0}; /* wraps around */
    loop.duration = 2000;
    noise_quantum_run_work(&loop, read_fake, &t, work_fake, &t);
    CHECK_I64(loop.n, 3); /* the third ends past 2000 ticks */
    CHECK_I64(sample[2], 991);
    CHECK_I64(loop.backwards, 0);
}

static unsigned count_question(void *witness)
{
    (*(size_t *)witness)++;
    return 0;
}

static void after_each_quantum_the_thread_is_looked_for(void)
{
    uint64_t sample[6] = {0};
    size_t asked = 0;
    fake_time t = {0, 10, NULL, 0, 0};
    noise_quantum_loop loop = {.iterations = 99,
                               .capacity = 6,
                               .sample = sample,
                               .duration = 1000000,
                               .interval = 5000,
                               .ask = count_question,
                               .witness = &asked};
    noise_quantum_run_work(&loop, read_fake, &t, work_fake, &t);
    CHECK_I64(asked, 6);
    noise_quantum_run_time(&loop, read_fake, &t, work_fake, &t);
    CHECK_I64(asked, 12);
}

/* Interval by interval, from nothing but the rule: unit u ends where work and detours put it. */
static void count_naively(fake_time t, uint64_t iterations, double interval, size_t n,
                          uint64_t *out)
{
    const uint64_t first = read_fake(&t);
    for (size_t k = 0; k < n; k++) {
        out[k] = 0;
    }
    uint64_t before = 0;
    for (;;) {
        size_t k = 0; /* the interval in which this unit begins */
        while (k < n && before >= (uint64_t)((double)(k + 1) * interval)) {
            k++;
        }
        if (k == n) {
            return;
        }
        work_fake(&t, iterations);
        before = read_fake(&t) - first;
        out[k]++;
    }
}

static void fixed_time_keeps_its_base_whatever_happens(void)
{
    enum { N = 40 };
    static const uint64_t seeds[] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (size_t s = 0; s < G_N_ELEMENTS(seeds); s++) {
        uint64_t detours[12][2];
        uint64_t random = seeds[s];
        uint64_t at = 0;
        for (size_t i = 0; i < G_N_ELEMENTS(detours); i++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407U;
            at += (random >> 33) % 4000;
            detours[i][0] = at;
            detours[i][1] = (random >> 20) % 3500;
            at += detours[i][1];
        }
        const fake_time fresh = {1000, 3, detours, G_N_ELEMENTS(detours), 0};
        uint64_t want[N] = {0};
        uint64_t sample[N] = {0};
        count_naively(fresh, 2, 1000.4, N, want);
        fake_time t = fresh;
        noise_quantum_loop loop = {
            .iterations = 2, .capacity = N, .sample = sample, .interval = 1000.4};
        noise_quantum_run_time(&loop, read_fake, &t, work_fake, &t);
        CHECK_I64(loop.last - loop.first, 40016); /* 40 * 1000.4: not 40 * 1000 */
        for (size_t k = 0; k < N; k++) {
            CHECK_I64(sample[k], want[k], "seed %zu, interval %zu", s, k);
        }
    }
}

/* |sum of x e^(-2 pi i f t)|: the plain transform at one frequency, mean removed. */
static double amplitude(const uint64_t *x, size_t n, double interval_s, double f)
{
    double mean = 0;
    for (size_t k = 0; k < n; k++) {
        mean += (double)x[k] / (double)n;
    }
    double re = 0;
    double im = 0;
    for (size_t k = 0; k < n; k++) {
        const double phase = 2 * 3.14159265358979323846 * f * (double)k * interval_s;
        re += ((double)x[k] - mean) * cos(phase);
        im += ((double)x[k] - mean) * sin(phase);
    }
    return hypot(re, im);
}

static void detours_of_100_hz_peak_at_100_hz_in_fixed_times(void)
{
    /* 20 s of a clock of 1 GHz, units of 100 ticks, 50 us every 10 ms: 0.5 % of the work */
    enum { N = 200000, HITS = 2001 };
    static uint64_t detours[HITS][2];
    static uint64_t sample[N];
    for (size_t i = 0; i < HITS; i++) {
        detours[i][0] = 4321 + i * 10000000;
        detours[i][1] = 50000;
    }
    fake_time t = {0, 99, detours, HITS, 0};
    noise_quantum_loop loop = {
        .iterations = 1, .capacity = N, .sample = sample, .interval = 100000};
    noise_quantum_run_time(&loop, read_fake, &t, work_fake, &t);
    double best = 0;
    double at = 0;
    for (int i = 0; i <= 1000; i++) {
        const double f = 90 + 0.02 * i;
        const double a = amplitude(sample, N / 4, 100e-6, f);
        at = a > best ? f : at;
        best = fmax(a, best);
    }
    CHECK_NEAR(at, 100.0, 0.1);
    double sum = 0;
    for (size_t k = 0; k < N; k++) {
        sum += (double)sample[k];
    }
    const double most = noise_quantum_most_work(sample, N);
    CHECK_NEAR(1 - sum / N / most, 0.005, 0.001);
}

static void an_interval_may_have_no_work_at_all(void)
{
    static const uint64_t detours[][2] = {{150, 300}};
    static const uint64_t want[] = {10, 5, 0, 0, 5, 10};
    uint64_t sample[6] = {0};
    fake_time t = {0, 9, detours, 1, 0};
    noise_quantum_loop loop = {.iterations = 1, .capacity = 6, .sample = sample, .interval = 100};
    noise_quantum_run_time(&loop, read_fake, &t, work_fake, &t);
    uint64_t sum = 0;
    for (size_t k = 0; k < 6; k++) {
        CHECK_I64(sample[k], want[k], "interval %zu", k);
        sum += sample[k];
    }
    CHECK_I64(sum, 30); /* 600 ticks less 300, 10 a unit */
}

typedef struct curve {
    double fixed, per_iteration;
    uint64_t calls;
} curve;

static uint64_t shortest_of_curve(void *context, uint64_t iterations)
{
    curve *c = context;
    c->calls++;
    return (uint64_t)(c->fixed + c->per_iteration * (double)iterations);
}

static void work_is_calibrated_to_half_a_percent(void)
{
    static const double row[][3] = {
        /* read of the clock, iteration, ticks wanted */
        {25, 3.1, 2.596e6}, {25, 3.1, 260}, {50, 0.25, 1e9}, {0, 1, 1}, {25, 400, 2.596e6},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        curve c = {row[i][0], row[i][1], 0};
        const uint64_t n = noise_quantum_calibrate(shortest_of_curve, &c, row[i][2]);
        const double got = c.fixed + c.per_iteration * (double)n;
        CHECK(fabs(got - row[i][2]) <= fmax(0.005 * row[i][2], c.per_iteration), "row %zu: %g", i,
              got);
        CHECK(c.calls < 16, "row %zu: %u trials", i, (unsigned)c.calls);
    }
    curve c = {500, 100, 0}; /* the clock alone takes longer */
    CHECK_I64(noise_quantum_calibrate(shortest_of_curve, &c, 260), 1);
    c = (curve){0, 100, 0}; /* coarse work: the nearest of 200 and 300 */
    CHECK_I64(noise_quantum_calibrate(shortest_of_curve, &c, 260), 3);
    CHECK_I64(noise_quantum_calibrate(shortest_of_curve, &c, 240), 2);
}

static void most_work_is_the_percentile_not_the_maximum(void)
{
    static uint64_t work[5000];
    for (size_t i = 0; i < 5000; i++) {
        work[i] = i < 5 ? 2000 : i < 10 ? 1001 : 900 + i % 100;
    }
    CHECK_NEAR(noise_quantum_most_work(work, 5000), 1001, 0);
    CHECK_NEAR(noise_quantum_most_work(work, 1), 2000, 0);
    CHECK_NEAR(noise_quantum_most_work(NULL, 0), 0, 0);
}

static void more_iterations_of_each_kernel_take_longer(void)
{
    /* The shortest of many: what others do on this machine cannot make it shorter. */
    static const uint64_t few[] = {2000, 2000, 20, 2000};
    const char *why;
    const noise_clock clock = noise_clock_choose(&why);
    for (int k = NOISE_KERNEL_MULTIPLY; k <= NOISE_KERNEL_MEMORY; k++) {
        noise_workload *w = noise_workload_new((noise_kernel)k);
        uint64_t least[2] = {UINT64_MAX, UINT64_MAX};
        for (int i = 0; i < 200; i++) {
            const uint64_t n = few[k] * (i % 2 != 0 ? 10 : 1);
            const uint64_t before = noise_clock_read(clock);
            w->run(w, n);
            const uint64_t took = noise_clock_read(clock) - before;
            least[i % 2] = MIN(least[i % 2], took);
        }
        const double ratio = (double)least[1] / (double)least[0];
        CHECK(ratio > 5 && ratio < 20, "%s: %g times as long", noise_kernel_name((noise_kernel)k),
              ratio);
        noise_workload_free(w);
    }
}

static noise_measurement *measure(noise_method method, uint64_t samples)
{
    noise_measurement_options o;
    noise_measurement_options_init(&o);
    o.method = method;
    o.time = 300 * SIM_MS;
    o.quantum = 200 * SIM_US;
    o.samples = samples;
    o.windows = 2;
    g_autoptr(GError) error = NULL;
    noise_measurement *m = noise_measurement_run(&o, &error);
    CHECK(m != NULL, "%s", error != NULL ? error->message : "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    assert(m != NULL); /* for the analyzer */
    CHECK_I64(m->num_windows, 2);
    CHECK(m->kept < 2);
    CHECK(strstr(m->verdict, "of 2 is kept") != NULL, "%s", m->verdict);
    return m;
}

static void this_machine_does_fixed_work(void)
{
    g_autoptr(noise_measurement) m = measure(NOISE_METHOD_FWQ, 0);
    for (size_t i = 0; i < m->num_cpus; i++) {
        const noise_measurement_cpu *cpu = &m->cpus[i];
        CHECK(cpu->num_samples >= 2);
        CHECK(cpu->duration >= 299 * SIM_MS || cpu->num_samples > 1000);
        sim_time sum = 0;
        for (size_t k = 0; k < cpu->num_samples; k++) {
            CU_ASSERT_FATAL(cpu->quantum[k] >= cpu->t_min);
            sum += cpu->quantum[k];
        }
        CHECK(llabs(sum - cpu->duration) < (sim_time)cpu->num_samples + 1);
        const double share = noise_measurement_cpu_share(cpu);
        CHECK(share >= 0 && share < 1);
        CHECK(cpu->end - cpu->begin > 0);
    }
}

static void this_machine_works_for_fixed_times(void)
{
    g_autoptr(noise_measurement) m = measure(NOISE_METHOD_FTQ, 500);
    for (size_t i = 0; i < m->num_cpus; i++) {
        const noise_measurement_cpu *cpu = &m->cpus[i];
        CHECK_I64(cpu->num_samples, 500);
        /* the base of time: 500 intervals of 200 us, to what two calibrations may differ */
        CHECK_NEAR((double)cpu->duration / (double)SIM_S, 0.1, 0.1 * 500e-6);
        CHECK_NEAR((double)(cpu->end - cpu->begin) / 1e9, 0.1, 0.1 * 1e-3);
        CHECK(cpu->most_work > 0);
        const double share = noise_measurement_cpu_share(cpu);
        CHECK(share >= 0 && share <= 1);
    }
}

static void what_cannot_be_measured_is_refused(void)
{
    noise_measurement_options o;
    noise_measurement_options_init(&o);
    g_autoptr(GError) error = NULL;
    o.method = NOISE_METHOD_FTQ;
    o.quantum = SIM_US;
    CHECK(noise_measurement_run(&o, &error) == NULL);
    CHECK_ERROR(error, "the interval must be at least ");
    g_clear_error(&error);
    o.quantum = SIM_US - 1;
    CHECK(noise_measurement_run(&o, &error) == NULL);
    CHECK_ERROR(error, "the quantum must be between 1 us and 10 s");
    g_clear_error(&error);
    o.quantum = 10 * SIM_S;
    o.time = SIM_S;
    CHECK(noise_measurement_run(&o, &error) == NULL);
    CHECK_ERROR(error, "the time is shorter than a quantum");
    g_clear_error(&error);
    o.quantum = SIM_MS;
    o.windows = 101;
    CHECK(noise_measurement_run(&o, &error) == NULL);
    CHECK_ERROR(error, "windows must be between 1 and 100");
}

SUITE_MAIN("quantum", TEST(fixed_work_takes_longer_by_its_detours_only),
           TEST(after_each_quantum_the_thread_is_looked_for),
           TEST(fixed_time_keeps_its_base_whatever_happens),
           TEST(detours_of_100_hz_peak_at_100_hz_in_fixed_times),
           TEST(an_interval_may_have_no_work_at_all), TEST(work_is_calibrated_to_half_a_percent),
           TEST(most_work_is_the_percentile_not_the_maximum),
           TEST(more_iterations_of_each_kernel_take_longer), TEST(this_machine_does_fixed_work),
           TEST(this_machine_works_for_fixed_times), TEST(what_cannot_be_measured_is_refused))
