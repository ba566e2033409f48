/* tests/noise/join/test_join_measured.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* By hand: one CPU, times in us. */
#include "check.h"
#include "join/join_lengths.h"
#include "noise/join_measured.h"

#include <string.h>

#define US UINT64_C(1000)

enum { MEASURING = 70, WATCHING = 71, BEGIN = 500000 };
static char cron[] = "cron", worker[] = "kworker/3:1", measurer[] = "ripple",
            watcher[] = "watch,er";
enum { CRON, KWORKER, MEASURER, WATCHER, NUM_THREADS };
static noise_nit_thread threads[NUM_THREADS] = {
    [CRON] = {.pid = 50, .tid = 50, .name = cron},
    [KWORKER] = {.pid = 9, .tid = 9, .name = worker, .kind = NOISE_PROGRAM_KERNEL},
    [MEASURER] = {.pid = 70, .tid = MEASURING, .name = measurer, .kind = NOISE_PROGRAM_MONITOR},
    [WATCHER] = {.pid = 70, .tid = WATCHING, .name = watcher, .kind = NOISE_PROGRAM_MONITOR},
};
static noise_nit_node node = {.mean_interval_ns = 2000000};

typedef struct class
{
    const char *name;
    const char *kind;
} class;

/* One CPU, 3, which measures from BEGIN for 100 ms: detours at start[], us. */
static noise_measurement *measured(const class *classes, size_t num_classes, const sim_time *start,
                                   const sim_time *length, const uint8_t *class_of, size_t n)
{
    noise_measurement *m = g_new0(noise_measurement, 1);
    m->num_cpus = 1;
    m->cpus = g_new0(noise_measurement_cpu, 1);
    noise_measurement_cpu *cpu = m->cpus;
    *cpu = (noise_measurement_cpu){.cpu = 3,
                                   .tid = MEASURING,
                                   .duration = 100 * SIM_MS,
                                   .begin = (int64_t)(BEGIN * US),
                                   .end = (int64_t)((BEGIN + 100000) * US),
                                   .n = n,
                                   .start = g_new0(sim_time, n + 1),
                                   .length = g_new0(sim_time, n + 1),
                                   .class_of = g_memdup2(class_of, n)};
    for (size_t i = 0; i < n; i++) {
        cpu->start[i] = start[i] * SIM_US;
        cpu->length[i] = length[i] * SIM_US;
    }
    m->num_classes = num_classes;
    m->classes = g_new0(noise_detour_source, num_classes);
    for (size_t c = 0; c < num_classes; c++) {
        m->classes[c] = (noise_detour_source){g_strdup(classes[c].name), g_strdup(classes[c].kind),
                                              g_strdup("as before")};
    }
    return m;
}

/* A look on CPU 3, us since BEGIN. */
static noise_nit_activity seen(uint32_t thread, uint64_t from, uint64_t to, uint64_t ran)
{
    return (noise_nit_activity){.thread = thread,
                                .cpu = 3,
                                .from = (BEGIN + from) * US,
                                .to = (BEGIN + to) * US,
                                .cpu_ns = ran * US,
                                .slices = 1};
}

static void name(noise_measurement *m, noise_nit_activity *activities, size_t n)
{
    const noise_nit nit = {.num_nodes = 1,
                           .nodes = &node,
                           .num_threads = NUM_THREADS,
                           .threads = threads,
                           .num_activities = n,
                           .activities = activities};
    noise_join_measurement(m, &nit);
}

static const noise_detour_source *class_at(const noise_measurement *m, size_t i)
{
    return &m->classes[m->cpus[0].class_of[i]];
}

static const class CLASSES[] = {{"tick", "interrupt"},
                                {"other programs", "scheduler"},
                                {"not known", "not known"},
                                {"sshd", "scheduler"},
                                {"ended programs", "scheduler"}};
enum { TICK, OTHERS, NOT_KNOWN, SSHD, ENDED };

static void a_switch_gets_the_name_of_who_was_seen_meanwhile(void)
{
    const sim_time start[] = {1000, 4000, 8000, 12000, 20000};
    const sim_time length[] = {5, 300, 40, 2, 900};
    const uint8_t class_of[] = {TICK, OTHERS, ENDED, NOT_KNOWN, OTHERS};
    g_autoptr(noise_measurement) m = measured(CLASSES, 5, start, length, class_of, 5);
    noise_nit_activity all[] = {seen(CRON, 3500, 5500, 298), seen(KWORKER, 7500, 9500, 38)};
    name(m, all, 2);
    CHECK_STR(class_at(m, 0)->name, "tick");
    CHECK_STR(class_at(m, 1)->name, "cron");
    CHECK_STR(class_at(m, 1)->kind, "scheduler");
    CHECK(strstr(class_at(m, 1)->evidence, "a watch every 2 ms") != NULL);
    CHECK_STR(class_at(m, 2)->name, "kworker");
    CHECK_STR(class_at(m, 3)->name, "not known");
    CHECK_STR(class_at(m, 4)->name, "other programs"); /* nobody was seen then */
    CHECK_I64(m->num_classes, 5); /* of which two are new; none is left of two others */
}

/* What is known exactly stays, and takes its own share of what was seen. */
static void a_name_that_is_known_stays(void)
{
    const sim_time start[] = {4000, 4500};
    const sim_time length[] = {300, 300};
    const uint8_t class_of[] = {SSHD, OTHERS};
    g_autoptr(noise_measurement) m = measured(CLASSES, 5, start, length, class_of, 2);
    noise_nit_activity all[] = {seen(KWORKER, 3500, 4400, 300), seen(CRON, 3600, 5500, 300)};
    name(m, all, 2);
    CHECK_STR(class_at(m, 0)->name, "sshd");
    CHECK_STR(class_at(m, 0)->evidence, "as before");
    CHECK_STR(class_at(m, 1)->name, "cron");
}

/* It runs all the time but for the detours: it is no news that it did. */
static void the_thread_that_measures_takes_nothing_from_itself(void)
{
    const sim_time start = 4000;
    const sim_time length = 300;
    const uint8_t class_of = OTHERS;
    g_autoptr(noise_measurement) m = measured(CLASSES, 5, &start, &length, &class_of, 1);
    noise_nit_activity all[] = {seen(MEASURER, 3500, 5500, 1700)};
    name(m, all, 1);
    CHECK_STR(class_at(m, 0)->name, "other programs");
}

/* By the records of a CPU it has the name of its thread, as another watch of the node has. */
static void what_the_watch_took_is_called_so(void)
{
    const class classes[] = {{"watch,er", "scheduler"}, {"other programs", "scheduler"}};
    const sim_time start[] = {4000, 8000, 12000};
    const sim_time length[] = {300, 50, 60};
    const uint8_t class_of[] = {0, 1, 0};
    g_autoptr(noise_measurement) m = measured(classes, 2, start, length, class_of, 3);
    noise_nit_activity all[] = {seen(WATCHER, 3500, 5500, 300), seen(WATCHER, 7500, 9500, 50)};
    name(m, all, 2);
    CHECK_STR(class_at(m, 0)->name, NOISE_JOIN_WATCH);
    CHECK_STR(class_at(m, 1)->name, NOISE_JOIN_WATCH);
    CHECK_STR(class_at(m, 2)->name, "watch,er"); /* ours was not seen then: another one's */
}

/* The detour is of who has most of it, not of who was there first. */
static void of_several_the_one_that_ran_longest_counts(void)
{
    const sim_time start = 4000;
    const sim_time length = 1000;
    const uint8_t class_of = OTHERS;
    g_autoptr(noise_measurement) m = measured(CLASSES, 5, &start, &length, &class_of, 1);
    noise_nit_activity all[] = {seen(KWORKER, 3500, 5400, 100), seen(CRON, 3500, 5500, 800)};
    name(m, all, 2);
    CHECK_STR(class_at(m, 0)->name, "cron");
}

/* Both were seen at one look; the order of their deadlines says nothing, their lengths do. */
static void what_ran_once_is_known_by_its_length(void)
{
    const sim_time start[] = {4000, 4800};
    const sim_time length[] = {43, 302};
    const uint8_t class_of[] = {OTHERS, OTHERS};
    g_autoptr(noise_measurement) m = measured(CLASSES, 5, start, length, class_of, 2);
    noise_nit_activity all[] = {seen(CRON, 3500, 5400, 300), seen(KWORKER, 3500, 5500, 40)};
    name(m, all, 2);
    CHECK_STR(class_at(m, 0)->name, "kworker");
    CHECK_STR(class_at(m, 1)->name, "cron");
}

/* Of two that are as long, or of one that two programs would fit, nothing is known that way. */
static void lengths_that_fit_twice_say_nothing(void)
{
    const noise_switch_record off[] = {{.out = 4000 * US, .in = 4103 * US},
                                       {.out = 6000 * US, .in = 6102 * US},
                                       {.out = 8000 * US, .in = 8051 * US},
                                       {.out = 9000 * US, .in = 9300 * US}};
    noise_nit_activity all[] = {seen(CRON, 0, 0, 100), seen(CRON, 0, 0, 50),
                                seen(KWORKER, 0, 0, 50), seen(KWORKER, 0, 0, 299),
                                seen(MEASURER, 0, 0, 299)};
    for (size_t a = 0; a < G_N_ELEMENTS(all); a++) {
        all[a].from = 3000 * US;
        all[a].to = 9500 * US;
    }
    const noise_nit nit = {.num_threads = NUM_THREADS,
                           .threads = threads,
                           .num_activities = G_N_ELEMENTS(all),
                           .activities = all};
    size_t of_off[] = {SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX};
    noise_join_match_lengths(&nit, 3, MEASURING, off, 4, of_off);
    CHECK(of_off[0] == SIZE_MAX && of_off[1] == SIZE_MAX);
    CHECK(of_off[2] == SIZE_MAX);
    CHECK_I64(of_off[3], 3);
    all[3].slices = 2; /* then it is none of one piece */
    of_off[3] = SIZE_MAX;
    noise_join_match_lengths(&nit, 3, MEASURING, off, 4, of_off);
    CHECK(of_off[3] == SIZE_MAX);
}

static void more_programs_than_classes_stay_unnamed(void)
{
    class classes[60];
    char names[60][8];
    for (size_t c = 0; c < G_N_ELEMENTS(classes); c++) {
        g_snprintf(names[c], sizeof names[c], "p%zu", c);
        classes[c] = (class){names[c], "scheduler"};
    }
    classes[0].name = "other programs";
    sim_time start[60];
    sim_time length[60];
    uint8_t class_of[60];
    for (size_t i = 0; i < G_N_ELEMENTS(start); i++) {
        start[i] = 1000 * (sim_time)(i + 1);
        length[i] = 100;
        class_of[i] = (uint8_t)i;
    }
    g_autoptr(noise_measurement) m = measured(classes, 60, start, length, class_of, 60);
    noise_nit_activity all[] = {seen(CRON, 900, 1500, 100)};
    name(m, all, 1);
    CHECK_I64(m->num_classes, 60);
    CHECK_STR(class_at(m, 0)->name, "other programs");
    CHECK_STR(class_at(m, 59)->name, "p59");
}

SUITE_MAIN("join_measured", TEST(a_switch_gets_the_name_of_who_was_seen_meanwhile),
           TEST(a_name_that_is_known_stays),
           TEST(the_thread_that_measures_takes_nothing_from_itself),
           TEST(what_the_watch_took_is_called_so), TEST(of_several_the_one_that_ran_longest_counts),
           TEST(what_ran_once_is_known_by_its_length), TEST(lengths_that_fit_twice_say_nothing),
           TEST(more_programs_than_classes_stay_unnamed))
