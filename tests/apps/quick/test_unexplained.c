/* tests/apps/quick/test_unexplained.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "quick/unexplained.h"

#include <string.h>

static char tick[] = "tick", cron[] = "cron", others[] = "other programs",
            ended[] = "ended programs", unknown[] = "not known", interrupt[] = "interrupt",
            scheduler[] = "scheduler", why[] = "few interrupts came";
enum { TICK, CRON, OTHERS, ENDED, UNKNOWN, NUM_CLASSES };
static noise_detour_source classes[NUM_CLASSES] = {
    [TICK] = {tick, interrupt, NULL},     [CRON] = {cron, scheduler, NULL},
    [OTHERS] = {others, scheduler, NULL}, [ENDED] = {ended, scheduler, NULL},
    [UNKNOWN] = {unknown, unknown, why},
};
static sim_time length[] = {5, 10, 20, 40, 25};
static uint8_t class_of[] = {TICK, CRON, OTHERS, ENDED, UNKNOWN};

/* Two CPUs of 500 each, the second without a detour. */
static noise_measurement measured(noise_measurement_cpu *cpus, size_t n)
{
    cpus[0] =
        (noise_measurement_cpu){.duration = 500, .n = n, .length = length, .class_of = class_of};
    cpus[1] = (noise_measurement_cpu){.duration = 500, .class_of = class_of};
    return (noise_measurement){
        .num_cpus = 2, .cpus = cpus, .num_classes = NUM_CLASSES, .classes = classes};
}

static void what_has_no_name_is_summed_up(void)
{
    noise_measurement_cpu cpus[2];
    const noise_measurement m = measured(cpus, 5);
    const app_unexplained u = app_unexplained_of(&m);
    CHECK_I64(u.count, 3);
    CHECK_NEAR(u.share, 0.085, 1e-12);
    CHECK_NEAR(u.of_stolen, 0.85, 1e-12);
    CHECK_I64(u.switched, 2);
    CHECK_NEAR(u.switched_share, 0.06, 1e-12);
    g_autofree char *said = app_unexplained_sentence(&u);
    CHECK_STR(said,
              "unexplained: 8.5 % of the time, 85 % of what was stolen, in 3 detours; in 2 of "
              "them (6 % of the time) another thread ran, which nobody saw; of the others: "
              "few interrupts came");
}

static void with_a_name_for_each_nothing_is_left(void)
{
    noise_measurement_cpu cpus[2];
    const noise_measurement m = measured(cpus, 2);
    const app_unexplained u = app_unexplained_of(&m);
    CHECK_I64(u.count, 0);
    CHECK_NEAR(u.share, 0, 0);
    g_autofree char *said = app_unexplained_sentence(&u);
    CHECK_STR(said, "unexplained: nothing");
}

static void without_classes_all_of_it_is(void)
{
    noise_measurement_cpu cpus[2];
    noise_measurement m = measured(cpus, 5);
    cpus[0].class_of = NULL;
    m.num_classes = 0;
    const app_unexplained u = app_unexplained_of(&m);
    CHECK_I64(u.count, 5);
    CHECK_NEAR(u.of_stolen, 1, 1e-12);
    CHECK_I64(u.switched, 0);
    g_autofree char *said = app_unexplained_sentence(&u);
    CHECK(g_str_has_suffix(said, "in 5 detours: nothing is known"), "%s", said);
}

SUITE_MAIN("unexplained", TEST(what_has_no_name_is_summed_up),
           TEST(with_a_name_for_each_nothing_is_left), TEST(without_classes_all_of_it_is))
