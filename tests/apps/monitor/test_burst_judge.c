/* tests/apps/monitor/test_burst_judge.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "monitor/burst_judge.h"

enum { BURSTS = 100, PID = 40 };
static const uint64_t US = 1000, MS = 1000000;

typedef struct scene {
    uint64_t burst, wake; /* ns: of each burst; what waking up and sleeping take beside it */
    uint64_t excess;      /* that the watch sees more than the process knows of */
    uint64_t p99;         /* between sweeps */
    unsigned missed;      /* bursts without an activity */
    uint32_t cpu;
    bool passes;
} scene;

/* Bursts every 50 ms on CPU 1, as they were and as they were seen, one activity each. */
static app_burst_agreement judge(const scene *s)
{
    app_burst bursts[BURSTS];
    noise_nit_activity seen[BURSTS + 2];
    uint64_t num = BURSTS;
    uint64_t burnt = BURSTS * s->burst;
    uint64_t own = BURSTS * (s->burst + s->wake);
    noise_nit_thread thread = {.pid = PID, .tid = PID};
    noise_nit_node node = {.p99_interval_ns = s->p99};
    noise_nit nit = {.num_nodes = 1,
                     .nodes = &node,
                     .num_threads = 1,
                     .threads = &thread,
                     .num_activities = BURSTS + 2 - s->missed,
                     .activities = seen};
    seen[0] = (noise_nit_activity){.to = 10 * MS, .cpu_ns = 20 * MS}; /* it begins, on CPU 0 */
    for (uint64_t i = 0; i < BURSTS; i++) {
        const uint64_t at = (i + 1) * 50 * MS;
        bursts[i] = (app_burst){at, at + s->burst};
        seen[i + 1] = (noise_nit_activity){.cpu = s->cpu,
                                           .from = at - MS,
                                           .to = at + s->burst + MS,
                                           .cpu_ns = s->burst + s->wake + s->excess};
    }
    const uint64_t last = bursts[BURSTS - 1].end + 50 * MS; /* it ends */
    seen[BURSTS + 1 - s->missed] =
        (noise_nit_activity){.cpu = 1, .from = last, .to = last + MS, .cpu_ns = 20 * MS};
    const app_injector injector = {
        .pid = PID, .num = &num, .cpu_ns = &own, .burnt_ns = &burnt, .bursts = bursts};
    return app_burst_judge(&nit, &injector, 1, s->burst, 50 * MS);
}

/* Waking up is CPU time of the process, however long it takes: on one virtual machine 31 to 53 us.
 */
static void a_watch_is_judged_by_all_that_the_process_did(void)
{
    const scene table[] = {
        {MS, 0, 0, MS / 10, 0, 1, true},
        {20 * US, 53 * US, 0, MS, 0, 1, true},
        {20 * US, 53 * US, 20 * US, MS, 0, 1, true},
        {20 * US, 0, 53 * US, MS, 0, 1, false},
        {MS, 0, 0, MS / 10, 1, 1, true},
        {MS, 0, 0, MS / 10, 2, 1, false},
        {MS, 0, 0, MS, 4, 1, true},
        {MS, 0, 0, MS, 8, 1, false},
        {MS, 0, 0, MS / 10, 0, 2, false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        const app_burst_agreement a = judge(&table[i]);
        CHECK_I64(a.found, BURSTS - table[i].missed, "row %zu", i);
        CHECK(app_burst_passed(&a) == table[i].passes, "row %zu: %g ns", i, app_burst_excess(&a));
    }
}

SUITE_MAIN("burst_judge", TEST(a_watch_is_judged_by_all_that_the_process_did))
