/* tests/apps/tracer/test_tracer_inside.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* CPU time inside calls, of an MPI library that is slow where mpi/slow_library.c says. */
#include "check.h"
#include "mpi_record.h"

enum { STEPS = 20, EVERY = 5, SLOW_US = 6000 };

/* Sends of rank 1 that took SLOW_US or longer, and spent it so. The tracer's CPU time may be ahead
 * by a millisecond when a call begins (apps/tracer/record/cpu.c), where a host took the CPU away.
 */
static uint64_t slow_sends(const sched_trace *t, bool sleeping)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < t->ranks[1].num_calls; i++) {
        const sched_call *c = &t->ranks[1].calls[i];
        if (c->kind == SCHED_CALL_SEND && c->leave - c->enter >= SLOW_US * SIM_US) {
            n += sleeping ? c->cpu_inside < SIM_MS : c->cpu_inside >= SLOW_US * SIM_US - SIM_MS;
        }
    }
    return n;
}

static void check_record(const sched_trace *t, bool sleeps, const char *what)
{
    for (uint32_t rank = 0; rank < t->num_ranks; rank++) {
        for (uint64_t i = 0; i < t->ranks[rank].num_calls; i++) {
            const sched_call *c = &t->ranks[rank].calls[i];
            CHECK(c->cpu_inside >= 0 && c->cpu_inside <= c->leave - c->enter + SIM_MS,
                  "%s: rank %u, call %" PRIu64 ": %" PRId64, what, rank, i, c->cpu_inside);
        }
    }
    CHECK(slow_sends(t, sleeps) >= STEPS / EVERY, "%s", what);
}

/* A CPU that is used is told from one that is not. The program computes by its CPU clock. */
static void cpu_time_inside_calls_is_recorded(void)
{
    bool ran = false;
    for (size_t k = 0; k < 2 * G_N_ELEMENTS(MPI); k++) {
        const bool sleeps = k % 2 == 1;
        mpi m = MPI[k / 2];
        if (m.mpirun[0] == '\0') {
            continue;
        }
        ran = true;
        g_autofree char *preload =
            g_strdup_printf("%s:" PROGRAMS "/libslow-%s.so", m.tracer, m.suffix);
        g_autofree char *every = g_strdup_printf("%d", EVERY);
        g_autofree char *us = g_strdup_printf("%d", SLOW_US);
        g_autofree char *steps = g_strdup_printf("%d", STEPS);
        g_autofree char *dir = folder();
        m.tracer = preload;
        g_setenv("SLOW_RANK", "1", TRUE);
        g_setenv("SLOW_EVERY", every, TRUE);
        g_setenv("SLOW_US", us, TRUE);
        if (sleeps) {
            g_setenv("SLOW_SLEEPS", "1", TRUE);
        } else {
            g_unsetenv("SLOW_SLEEPS");
        }
        g_autofree char *said = record(&m, 2, dir, program(&m, "slow"), steps);
        g_autoptr(sched_trace) t = read_trace(dir);
        if (t != NULL) {
            check_record(t, sleeps, m.name);
        }
        remove_folder(dir);
    }
    if (!ran) {
        SKIP_TEST("no mpirun");
    }
}

SUITE_MAIN("tracer_inside", TEST(cpu_time_inside_calls_is_recorded))
