/* tests/noise/activity/test_activity.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "activity/any_nit.h"
#include "check.h"
#include "noise/activity.h"

#include <math.h>

static const uint64_t MS = 1000000;
static const uint64_t S = 1000000000;

static const noise_activity_row *row_of(const noise_activity *a, const char *name)
{
    for (size_t r = 0; r < a->num_rows; r++) {
        if (strcmp(a->rows[r].name, name) == 0) {
            return &a->rows[r];
        }
    }
    return NULL;
}

/* One activation of @p cpu_ns that a monitor of 1 ms has seen. */
static void burst(noise_nit *nit, uint32_t thread, uint32_t cpu, uint64_t at, uint64_t cpu_ns)
{
    any_nit_add(nit, thread, cpu, at - at % MS, at - at % MS + MS, cpu_ns)->voluntary = 1;
}

static void sums_up_a_daemon(void)
{
    g_autoptr(noise_nit) nit = g_new0(noise_nit, 1);
    any_nit_add_node(nit, "n", 2, 5 * S, 15 * S);
    const uint32_t d = any_nit_add_thread(nit, 0, 70, 1, "crond", NOISE_PROGRAM_DAEMON, -1);
    for (uint64_t i = 0; i < 100; i++) { /* lengths 1 .. 100 us */
        burst(nit, d, 1, 5 * S + 50 * MS + i * 100 * MS, 1000 * (i + 1));
    }
    any_nit_add_thread(nit, 0, 71, 1, "asleep", NOISE_PROGRAM_DAEMON, -1);
    g_autoptr(noise_activity) a = noise_activity_new(nit, NULL, 0);
    CHECK_I64(a->num_rows, 2);
    CHECK_I64(a->num_active, 1);
    const noise_activity_row *row = &a->rows[0];
    CHECK_STR(row->name, "crond");
    CHECK_I64(row->activations, 100);
    CHECK_NEAR(row->rate, 10, 1e-12);
    CHECK_I64(row->cpu_ns, 5050000);
    CHECK_NEAR(row->share, 5050000.0 / 20e9, 1e-15);
    CHECK_NEAR(row->mean_ns, 50500, 1e-9);
    CHECK_NEAR(row->median_ns, 50000, 1e-9);
    CHECK_NEAR(row->p99_ns, 99000, 1e-9);
    CHECK_I64(row->max_ns, 100000);
    CHECK_I64(row->voluntary, 100);
    CHECK_NEAR(row->period_ns, 100e6, 0.1e6);
    CHECK(row->period_confidence > 0.999);
    CHECK_I64(row->first_ns, 50 * MS);
    CHECK_I64(row->last_ns, 50 * MS + 99 * (100 * MS) + MS);
    CHECK_I64(row->num_cpus, 1);
    CHECK_I64(row->cpus[0], 1);
    CHECK_I64(row->pids[0], 70);
    CHECK(!row->has_stolen);
    CHECK(row->origin == NOISE_ORIGIN_UNKNOWN);
}

static void sweeps_next_to_each_other_are_one_activation(void)
{
    g_autoptr(noise_nit) nit = g_new0(noise_nit, 1);
    any_nit_add_node(nit, "n", 1, 0, S);
    const uint32_t d = any_nit_add_thread(nit, 0, 70, 1, "long", NOISE_PROGRAM_DAEMON, -1);
    any_nit_add(nit, d, 0, 10 * MS, 11 * MS, MS / 2);
    noise_nit_activity *act = any_nit_add(nit, d, 0, 11 * MS, 12 * MS, MS);
    act->voluntary = 3; /* woken three times: these may have been */
    act->slices = 9;
    act = any_nit_add(nit, d, 0, 13 * MS, 14 * MS, MS);
    act->slices = 4; /* preempted, but never asleep: one */
    act->involuntary = 4;
    g_autoptr(noise_activity) a = noise_activity_new(nit, NULL, 0);
    CHECK_I64(a->rows[0].activations, 2);
    CHECK_I64(a->rows[0].most_activations, 1 + 3 + 1);
    CHECK_I64(a->rows[0].max_ns, 3 * MS / 2);
}

static void irregular_activity_has_no_period(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(3);
    g_autoptr(noise_nit) nit = g_new0(noise_nit, 1);
    any_nit_add_node(nit, "n", 1, 0, 100 * S);
    const uint32_t d = any_nit_add_thread(nit, 0, 70, 1, "odd", NOISE_PROGRAM_DAEMON, -1);
    uint64_t now = S;
    for (uint64_t i = 0; i < 200; i++) {
        now += (uint64_t)(-log(g_rand_double_range(random, 1e-9, 1)) * 300e6) + 2 * MS;
        burst(nit, d, 0, now, 100000);
    }
    any_nit_sort(nit);
    g_autoptr(noise_activity) a = noise_activity_new(nit, NULL, 0);
    CHECK_NEAR(a->rows[0].period_ns, 0, 0);
    CHECK_NEAR(a->rows[0].period_confidence, 0, 0);
}

static void threads_are_programs_and_families(void)
{
    static const struct {
        const char *name;
        noise_program_class kind;
        const char *family;
    } table[] = {
        {"kworker/0:1-events", NOISE_PROGRAM_KERNEL, "kworker"},
        {"kworker/u8:2", NOISE_PROGRAM_KERNEL, "kworker"},
        {"ksoftirqd/13", NOISE_PROGRAM_KERNEL, "ksoftirqd"},
        {"irq/24-nvme0q1", NOISE_PROGRAM_KERNEL, "irq/24-nvme0q1"},
        {"jbd2/sda1-8", NOISE_PROGRAM_KERNEL, "jbd2/sda1-8"},
        {"rcu_preempt", NOISE_PROGRAM_KERNEL, "rcu_preempt"},
        {"tool/3", NOISE_PROGRAM_USER, "tool/3"},
        {"/0", NOISE_PROGRAM_KERNEL, "/0"},
        {"", NOISE_PROGRAM_KERNEL, ""},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        g_autofree char *family = noise_program_family(table[i].name, table[i].kind);
        CHECK_STR(family, table[i].family, "row %zu", i);
    }
    g_autoptr(noise_nit) nit = g_new0(noise_nit, 1);
    any_nit_add_node(nit, "n", 1, 0, S);
    const uint32_t leader = any_nit_add_thread(nit, 0, 9, 1, "java", NOISE_PROGRAM_USER, -1);
    const uint32_t worker = any_nit_add_thread(nit, 0, 9, 1, "GC Thread#1", NOISE_PROGRAM_USER, -1);
    nit->threads[worker].tid = 10;
    burst(nit, leader, 0, 10 * MS, 1000);
    burst(nit, worker, 0, 20 * MS, 1000);
    g_autoptr(noise_activity) a = noise_activity_new(nit, NULL, 0);
    CHECK_I64(a->num_rows, 1);
    CHECK_STR(a->rows[0].name, "java");
    CHECK_I64(a->rows[0].num_pids, 1);
    CHECK_I64(a->rows[0].activations, 2);
}

/* A job from 20 s to 40 s of 60 s on CPU 0, two ranks that give up their CPU every 100 ms. */
static noise_nit *job_new(void)
{
    noise_nit *nit = g_new0(noise_nit, 1);
    any_nit_add_node(nit, "n", 4, 0, 60 * S);
    const uint32_t launcher =
        any_nit_add_thread(nit, 0, 100, 50, "mpirun", NOISE_PROGRAM_APPLICATION, -1);
    for (int32_t r = 0; r < 2; r++) {
        const uint32_t rank = any_nit_add_thread(nit, 0, 101 + (uint32_t)r, 100, "solver",
                                                 NOISE_PROGRAM_APPLICATION, r);
        for (uint64_t at = 20 * S; at < 40 * S; at += 100 * MS) {
            any_nit_add(nit, rank, (uint32_t)r, at, at + 2 * MS, 2 * MS)->voluntary = 1;
            any_nit_add(nit, rank, (uint32_t)r, at + 2 * MS, at + 100 * MS, 98 * MS);
        }
    }
    burst(nit, launcher, 2, 20 * S, 5 * MS);
    return nit;
}

static void tells_internal_from_external(void)
{
    g_autoptr(noise_nit) nit = job_new();
    const uint32_t child = any_nit_add_thread(nit, 0, 300, 101, "compress", NOISE_PROGRAM_USER, -1);
    const uint32_t present =
        any_nit_add_thread(nit, 0, 301, 2, "kworker/0:1", NOISE_PROGRAM_KERNEL, -1);
    const uint32_t follows =
        any_nit_add_thread(nit, 0, 302, 2, "ksoftirqd/0", NOISE_PROGRAM_KERNEL, -1);
    const uint32_t daemon = any_nit_add_thread(nit, 0, 303, 1, "crond", NOISE_PROGRAM_DAEMON, -1);
    const uint32_t once = any_nit_add_thread(nit, 0, 304, 1, "updatedb", NOISE_PROGRAM_DAEMON, -1);
    const uint32_t monitor =
        any_nit_add_thread(nit, 0, 305, 1, "ripple", NOISE_PROGRAM_MONITOR, -1);
    for (uint64_t i = 0; i < 50; i++) {
        burst(nit, child, 1, 21 * S + i * 300 * MS, 100000);
        burst(nit, present, 0, 20 * S + i * 390 * MS + 50 * MS, 100000);
        burst(nit, daemon, 3, S + i * 1100 * MS, 100000); /* in step with the job by accident */
        burst(nit, once, 0, 30 * S + 50 * MS + i * 2 * MS, 100000); /* a single visit */
        burst(nit, monitor, 3, S + i * 1000 * MS, 100000);
    }
    for (uint64_t i = 0; i < 50; i++) { /* after a rank's call; sometimes without the job */
        burst(nit, follows, 0, 22 * S + i * 200 * MS + 3 * MS, 100000);
    }
    for (uint64_t i = 0; i < 10; i++) {
        burst(nit, follows, 0, 2 * S + i * 300 * MS, 100000);
        burst(nit, follows, 0, 42 * S + i * 300 * MS, 100000);
    }
    any_nit_sort(nit);
    g_autoptr(noise_activity) a = noise_activity_new(nit, NULL, 0);
    static const struct {
        const char *name;
        noise_origin origin;
        const char *because;
    } table[] = {
        {"solver", NOISE_ORIGIN_JOB, NULL},
        {"mpirun", NOISE_ORIGIN_INTERNAL, "by descent"},
        {"compress", NOISE_ORIGIN_INTERNAL, "by descent"},
        {"kworker", NOISE_ORIGIN_INTERNAL,
         "by presence: 50 activations in the 20 s of the job, 0 in"},
        {"ksoftirqd", NOISE_ORIGIN_INTERNAL, "by succession: 50 of 50"},
        {"crond", NOISE_ORIGIN_EXTERNAL, NULL},
        {"updatedb", NOISE_ORIGIN_EXTERNAL, NULL},
        {"ripple", NOISE_ORIGIN_MONITOR, NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        const noise_activity_row *row = row_of(a, table[i].name);
        CHECK_STR(noise_origin_name(row->origin), noise_origin_name(table[i].origin), "%s",
                  table[i].name);
        CHECK((row->because == NULL) == (table[i].because == NULL), "%s", table[i].name);
        if (row->because != NULL && table[i].because != NULL) {
            CHECK(g_str_has_prefix(row->because, table[i].because), "%s: %s", table[i].name,
                  row->because);
        }
    }
    CHECK_I64(row_of(a, "kworker")->beside_ns, 50 * 100000);
    CHECK_I64(row_of(a, "crond")->beside_ns, 0);
    CHECK_I64(a->nodes[0].job_begin, 20 * S);
    CHECK_I64(a->nodes[0].job_end, 40 * S);
}

/* By chance alone, programs that have nothing to do with the job are hardly ever called internal.
 */
static void chance_is_kept(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(5);
    unsigned wrong = 0;
    for (unsigned round = 0; round < 50; round++) {
        g_autoptr(noise_nit) nit = job_new();
        for (uint32_t p = 0; p < 10; p++) {
            const uint32_t d = any_nit_add_thread(nit, 0, 500 + p, 1, "", NOISE_PROGRAM_DAEMON, -1);
            g_free(nit->threads[d].name);
            nit->threads[d].name = g_strdup_printf("daemon%u", p);
            for (uint64_t i = 0; i < 60; i++) {
                burst(nit, d, 3, (uint64_t)(g_rand_double(random) * 59e9), 1000);
            }
        }
        any_nit_sort(nit);
        g_autoptr(noise_activity) a = noise_activity_new(nit, NULL, 0);
        for (size_t r = 0; r < a->num_rows; r++) {
            wrong += g_str_has_prefix(a->rows[r].name, "daemon") &&
                     a->rows[r].origin != NOISE_ORIGIN_EXTERNAL;
        }
    }
    CHECK_I64(wrong, 0);
}

static void is_ranked_by_what_it_took(void)
{
    g_autoptr(noise_nit) nit = job_new();
    const uint32_t big = any_nit_add_thread(nit, 0, 400, 1, "big", NOISE_PROGRAM_DAEMON, -1);
    const uint32_t thief = any_nit_add_thread(nit, 0, 401, 1, "thief", NOISE_PROGRAM_DAEMON, -1);
    burst(nit, big, 0, 25 * S, 900000);
    burst(nit, thief, 1, 26 * S, 10000);
    any_nit_sort(nit);
    g_autoptr(noise_activity) unknown = noise_activity_new(nit, NULL, 0);
    CHECK_STR(unknown->rows[0].name, "big");
    CHECK(!unknown->rows[0].has_stolen);
    const noise_activity_theft thefts[] = {{thief, 4000}, {thief, 5000}};
    g_autoptr(noise_activity) known = noise_activity_new(nit, thefts, 2);
    CHECK_STR(known->rows[0].name, "thief");
    CHECK(known->rows[0].has_stolen);
    CHECK_I64(known->rows[0].stolen_ns, 9000);
    CHECK_STR(known->rows[1].name, "big");
    CHECK_I64(known->rows[1].stolen_ns, 0);
    CHECK_I64(known->row_of[thief], 0);
}

static void counts_interrupts(void)
{
    g_autoptr(noise_nit) nit = g_new0(noise_nit, 1);
    any_nit_add_node(nit, "n", 2, 0, S);
    const noise_nit_interrupts list[] = {{.to = 10, .cpu = 1, .count = 5},
                                         {.to = 10, .line = 1, .count = 1},
                                         {.from = 10, .to = 20, .cpu = 1, .count = 7},
                                         {.from = 10, .to = 20}};
    nit->interrupts = g_memdup2(list, sizeof list);
    nit->num_interrupts = G_N_ELEMENTS(list);
    g_autoptr(noise_activity) a = noise_activity_new(nit, NULL, 0);
    CHECK_I64(a->num_lines, 2);
    CHECK_I64(a->lines[0].count, 1);
    CHECK_I64(a->lines[1].cpu, 1);
    CHECK_I64(a->lines[1].count, 12);
}

static void an_empty_file_says_nothing(void)
{
    g_autoptr(noise_nit) nit = g_new0(noise_nit, 1);
    any_nit_add_node(nit, "n", 1, 7, 7);
    g_autoptr(noise_activity) a = noise_activity_new(nit, NULL, 0);
    CHECK_I64(a->num_rows, 0);
    CHECK_I64(a->nodes[0].watched_ns, 0);
}

SUITE_MAIN("activity", TEST(sums_up_a_daemon), TEST(sweeps_next_to_each_other_are_one_activation),
           TEST(irregular_activity_has_no_period), TEST(threads_are_programs_and_families),
           TEST(tells_internal_from_external), TEST(chance_is_kept),
           TEST(is_ranked_by_what_it_took), TEST(counts_interrupts),
           TEST(an_empty_file_says_nothing))
