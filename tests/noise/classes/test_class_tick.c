/* tests/noise/classes/test_class_tick.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "classes/class_tick.h"

#include <stdlib.h>

enum { MOST = 20000 };
static sim_time start[MOST];
static sim_time length[MOST];

static int by_value(const void *pa, const void *pb)
{
    const sim_time a = *(const sim_time *)pa;
    const sim_time b = *(const sim_time *)pb;
    return (a > b) - (a < b);
}

/* 10 s of ticks at @p hz, up to 5 us late, that begin at a phase, among @p others at random. */
static noise_measurement_cpu made_up(GRand *random, uint32_t hz, size_t others)
{
    size_t n = 0;
    for (size_t i = 0; hz > 0 && i < 10 * (size_t)hz - 1; i++) {
        start[n++] =
            (sim_time)i * (SIM_S / hz) + 777 * SIM_US + g_rand_int_range(random, 0, 5000) * SIM_NS;
    }
    for (size_t i = 0; i < others; i++) {
        start[n++] = (sim_time)(g_rand_double(random) * 10 * (double)SIM_S);
    }
    qsort(start, n, sizeof *start, by_value);
    for (size_t i = 0; i < n; i++) {
        length[i] = 200 * SIM_NS;
    }
    return (noise_measurement_cpu){.duration = 10 * SIM_S,
                                   .begin = 123456789,
                                   .end = 123456789 + INT64_C(10000000000),
                                   .n = n,
                                   .start = start,
                                   .length = length};
}

static void the_tick_is_found_at_its_rate(void)
{
    static const uint32_t rates[] = {100, 250, 300, 1000};
    g_autoptr(GRand) random = g_rand_new_with_seed(1);
    for (size_t i = 0; i < G_N_ELEMENTS(rates); i++) {
        const noise_measurement_cpu cpu = made_up(random, rates[i], 3000);
        const noise_class_tick tick = noise_class_find_tick(&cpu, rates[i], rates[i] * 10 + 400);
        CHECK_I64(tick.hz, rates[i]);
        CHECK(tick.found >= rates[i] * 10 - 1, "%zu", tick.found);
        size_t of_it = 0;
        for (size_t d = 0; d < cpu.n; d++) {
            of_it += noise_class_is_tick(&tick, &cpu, cpu.start[d]);
        }
        CHECK_I64(of_it, tick.found);
        /* what is not the tick's is there by chance: five standard deviations */
        const double others = (double)of_it - rates[i] * 10.0;
        CHECK(others < 3000 * 3.0 / 256 + 35, "%g of 3000 at %u Hz", others, rates[i]);
    }
}

static void without_a_tick_none_is_found(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(2);
    noise_measurement_cpu cpu = made_up(random, 0, 9000);
    CHECK_I64(noise_class_find_tick(&cpu, 250, 100000).hz, 0);
    cpu = made_up(random, 250, 100);
    CHECK_I64(noise_class_find_tick(&cpu, 250, 20).hz,
              0); /* the timer did not interrupt: no tick */
    CHECK_I64(noise_class_find_tick(&cpu, 0, 2500).hz, 0);   /* of no known rate */
    CHECK_I64(noise_class_find_tick(&cpu, 300, 3100).hz, 0); /* another rhythm is not the tick */
    cpu.n = 0;
    CHECK_I64(noise_class_find_tick(&cpu, 250, 2500).hz, 0);
    CHECK(!noise_class_is_tick(&(noise_class_tick){0}, &cpu, 5));
}

static void the_kernel_says_its_rate(void)
{
    const uint32_t hz = noise_class_kernel_hz(); /* Kconfig.hz, and Alpha */
    CHECK(hz >= 24 && hz <= 1200, "%u", hz);
}

SUITE_MAIN("class_tick", TEST(the_tick_is_found_at_its_rate), TEST(without_a_tick_none_is_found),
           TEST(the_kernel_says_its_rate))
