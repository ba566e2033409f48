/* tests/apps/monitor/test_fwq_judge.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "../../noise/activity/any_nit.h"
#include "check.h"
#include "monitor/fwq_judge.h"

static const uint64_t MS = 1000000;
enum { QUANTA = 100, WORKER = 40 };

/* Quanta of 33 ms whose wall time is longer by what is @p off the CPU in them. */
static app_fixed_work quanta_of(const uint64_t *off_ms)
{
    app_fixed_work w = {.tid = WORKER, .n = QUANTA, .quanta = g_new0(app_quantum, QUANTA)};
    uint64_t at = 1000 * MS;
    for (size_t i = 0; i < QUANTA; i++) {
        /* Its clock runs at half the speed for half of the time: that makes nobody late. */
        const uint64_t own = i < QUANTA / 2 ? 33 * MS : 66 * MS;
        w.quanta[i] = (app_quantum){at, at + own + off_ms[i] * MS, own};
        at = w.quanta[i].end;
    }
    return w;
}

static noise_nit *watch(uint32_t *burner)
{
    noise_nit *nit = g_new0(noise_nit, 1);
    any_nit_add_node(nit, "n", 2, 0, 10000 * MS);
    nit->nodes[0].p99_interval_ns = MS;
    const uint32_t worker =
        any_nit_add_thread(nit, 0, WORKER, 1, "ripple", NOISE_PROGRAM_MONITOR, -1);
    any_nit_add(nit, worker, 1, 1000 * MS, 9000 * MS, 5000 * MS); /* itself is no other */
    *burner = any_nit_add_thread(nit, 0, 50, 1, "burner", NOISE_PROGRAM_DAEMON, -1);
    return nit;
}

static void a_slow_clock_makes_nothing_late(void)
{
    const uint64_t off[QUANTA] = {0};
    uint32_t burner;
    g_autoptr(noise_nit) nit = watch(&burner);
    app_fixed_work w = quanta_of(off);
    const app_fwq_agreement a = app_fwq_judge(nit, 1, &w, 33 * MS, NULL);
    CHECK_I64(a.late, 0);
    CHECK_I64(a.active, 0);
    CHECK(!app_fwq_passed(&a, 2), "nothing was tried");
    app_fixed_work_clear(&w);
}

static void bursts_cut_over_two_quanta_are_one(void)
{
    uint64_t off[QUANTA] = {0};
    uint32_t burner;
    g_autoptr(noise_nit) nit = watch(&burner);
    off[10] = 12;
    off[11] = 5;
    off[70] = 17;
    app_fixed_work w = quanta_of(off);
    any_nit_add(nit, burner, 1, w.quanta[10].begin + 20 * MS, w.quanta[11].begin + 20 * MS,
                17 * MS);
    any_nit_add(nit, burner, 1, w.quanta[70].begin + 20 * MS, w.quanta[70].begin + 54 * MS,
                17 * MS);
    any_nit_add(nit, burner, 0, w.quanta[30].begin, w.quanta[30].end, 17 * MS); /* elsewhere */
    app_fwq_agreement a = app_fwq_judge(nit, 1, &w, 33 * MS, NULL);
    CHECK_I64(a.late, 2);
    CHECK_I64(a.explained, 2);
    CHECK_I64(a.length_agrees, 2);
    CHECK_I64(a.active, 2);
    CHECK_I64(a.answered, 2);
    CHECK(app_fwq_passed(&a, 2));
    CHECK(!app_fwq_passed(&a, 5), "two of five are told apart");
    nit->activities[1].cpu_ns = 14 * MS; /* 3 ms are missing */
    a = app_fwq_judge(nit, 1, &w, 33 * MS, NULL);
    CHECK_I64(a.length_agrees, 1);
    CHECK(!app_fwq_passed(&a, 2));
    app_fixed_work_clear(&w);
}

static void what_the_hypervisor_took_is_not_judged(void)
{
    uint64_t off[QUANTA] = {0};
    uint32_t burner;
    g_autoptr(noise_nit) nit = watch(&burner);
    off[10] = off[70] = 17;
    app_fixed_work w = quanta_of(off);
    any_nit_add(nit, burner, 1, w.quanta[10].begin + 9 * MS, w.quanta[10].begin + 40 * MS, 17 * MS);
    noise_nit_steal steal[] = {
        {0, 1, w.quanta[70].begin + 9 * MS, w.quanta[70].begin + 40 * MS, 20 * MS},
        {0, 0, w.quanta[40].begin, w.quanta[40].end, 20 * MS}};
    app_fwq_agreement a = app_fwq_judge(nit, 1, &w, 33 * MS, NULL);
    CHECK(!app_fwq_passed(&a, 2), "17 ms that nobody had");
    nit->steals = g_memdup2(steal, sizeof steal);
    nit->num_steals = G_N_ELEMENTS(steal);
    a = app_fwq_judge(nit, 1, &w, 33 * MS, NULL);
    CHECK_I64(a.late, 2);
    CHECK_I64(a.stolen, 1);
    CHECK_I64(a.length_agrees, 1);
    CHECK(app_fwq_passed(&a, 2));
    app_fixed_work_clear(&w);
}

/* On a machine as busy as it likes: CPU time is the quantum's, and no more than the time. */
static void fixed_work_has_the_cpu_time_of_its_quanta(void)
{
    app_fixed_work w;
    app_fixed_work_run(0, 2 * MS, 60 * MS, &w);
    CHECK(w.n > 0 && w.tid > 0, "%zu quanta", w.n);
    for (size_t i = 0; i < w.n; i++) {
        CHECK(w.quanta[i].cpu_ns > 0 && w.quanta[i].end > w.quanta[i].begin);
        CHECK(i == 0 || w.quanta[i].begin == w.quanta[i - 1].end);
        CHECK(w.quanta[i].cpu_ns <= w.quanta[i].end - w.quanta[i].begin + MS, "quantum %zu", i);
    }
    app_fixed_work_clear(&w);
}

SUITE_MAIN("fwq_judge", TEST(a_slow_clock_makes_nothing_late),
           TEST(bursts_cut_over_two_quanta_are_one), TEST(what_the_hypervisor_took_is_not_judged),
           TEST(fixed_work_has_the_cpu_time_of_its_quanta))
