/* tests/noise/classes/test_class_switches.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "classes/class_switches.h"

/* A loop of 1 ms that began 7 s after the machine; its clock and the kernel's run alike. */
static sim_time start[] = {10 * SIM_US, 100 * SIM_US, 300 * SIM_US, 301 * SIM_US, 900 * SIM_US};
static sim_time length[] = {SIM_US, 50 * SIM_US, 200 * SIM_NS, 80 * SIM_US, 2 * SIM_US};
enum { N = G_N_ELEMENTS(start), OWN = 50 };
static const int64_t BEGIN = INT64_C(7000000000);

static noise_measurement_cpu made_up(void)
{
    return (noise_measurement_cpu){.duration = SIM_MS,
                                   .begin = BEGIN,
                                   .end = BEGIN + 1000000,
                                   .n = N,
                                   .start = start,
                                   .length = length};
}

static noise_switch ran(uint32_t tid, int64_t from_us, int64_t to_us)
{
    return (noise_switch){.out = (uint64_t)(BEGIN + from_us * 1000),
                          .in = (uint64_t)(BEGIN + to_us * 1000),
                          .next_tid = tid};
}

static void a_switch_belongs_to_the_detour_that_it_overlaps_most(void)
{
    const noise_measurement_cpu cpu = made_up();
    const noise_switch all[] = {
        ran(9, 102, 110), /* two in one detour: */
        ran(8, 110, 148), /* the longer one gives it its name */
        ran(OWN, 148, 300), ran(NOISE_SWITCH_IDLE, 300, 301),
        ran(7, 299, 370), /* begins before the short one, lies in the long one */
        ran(6, 600, 640), /* where no detour was */
        ran(5, 905, 906), /* 3 us late: the clocks are read one after the other */
    };
    uint32_t who[N];
    noise_class_find_switches(&cpu, all, G_N_ELEMENTS(all), OWN, who);
    CHECK_I64(who[0], NOISE_CLASS_NOBODY);
    CHECK_I64(who[1], 8);
    CHECK_I64(who[2], NOISE_CLASS_NOBODY);
    CHECK_I64(who[3], 7);
    CHECK_I64(who[4], 5);
}

static void who_is_not_known_is_a_switch_all_the_same(void)
{
    const noise_measurement_cpu cpu = made_up();
    const noise_switch all[] = {ran(0, 101, 149)};
    uint32_t who[N];
    noise_class_find_switches(&cpu, all, 1, OWN, who);
    CHECK_I64(who[0], NOISE_CLASS_NOBODY);
    CHECK_I64(who[1], 0);
    noise_class_find_switches(&cpu, NULL, 0, OWN, who);
    CHECK_I64(who[1], NOISE_CLASS_NOBODY);
}

static void clocks_may_run_at_different_rates(void)
{
    noise_measurement_cpu cpu = made_up();
    cpu.end = BEGIN + 1100000; /* the kernel's is faster by a tenth */
    CHECK_NEAR(noise_class_instant(&cpu, 100 * SIM_US), 110000, 1e-6);
    const noise_switch all[] = {ran(4, 991, 992)};
    uint32_t who[N];
    noise_class_find_switches(&cpu, all, 1, OWN, who);
    CHECK_I64(who[4], 4);
}

SUITE_MAIN("class_switches", TEST(a_switch_belongs_to_the_detour_that_it_overlaps_most),
           TEST(who_is_not_known_is_a_switch_all_the_same), TEST(clocks_may_run_at_different_rates))
