/* tests/apps/mining/ring.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "mining/ring.h"

#include "mining/calls.h"
#include "sim/unit.h"

static sim_time struck(const ring_fault *f, uint32_t rank, uint32_t step)
{
    return f->every > 0 && rank == f->rank && step % f->every == f->every - 1 ? f->length : 0;
}

static sim_time jitter(GRand *random)
{
    return g_rand_int_range(random, 0, 100) * SIM_NS;
}

sched_trace *ring_record(const ring *r)
{
    sched_trace *t = sched_trace_new("ring", "test", r->ranks);
    g_autoptr(GRand) random = g_rand_new_with_seed((guint32)r->seed);
    g_autofree sim_time *now = g_new0(sim_time, r->ranks);
    g_autofree sim_time *sent = g_new0(sim_time, r->ranks);
    for (uint32_t rank = 0; rank < r->ranks; rank++) {
        add_call(t, rank, SCHED_CALL_INIT, "MPI_Init", 0, SIM_MS);
        now[rank] = SIM_MS;
    }
    for (uint32_t step = 0; step < r->steps; step++) {
        for (uint32_t rank = 0; rank < r->ranks; rank++) {
            const sim_time cpu = 400 * SIM_US + struck(&r->compute, rank, step) + jitter(random);
            const sim_time enter = now[rank] + cpu + struck(&r->burner, rank, step);
            sent[rank] = enter + 2 * SIM_US + struck(&r->send, rank, step) + jitter(random);
            add_send(t, rank, (rank + 1) % r->ranks, 1024, enter, sent[rank]);
            sched_call *c = &t->ranks[rank].calls[t->ranks[rank].num_calls - 1];
            c->cpu = cpu;
            c->cpu_inside = c->leave - c->enter;
        }
        for (uint32_t rank = 0; rank < r->ranks; rank++) {
            const uint32_t left = (rank + r->ranks - 1) % r->ranks;
            const sim_time enter = sent[rank] + 500 * SIM_NS + jitter(random);
            now[rank] = MAX(enter, sent[left] + 3 * SIM_US) + SIM_US + jitter(random);
            add_recv(t, rank, left, 1024, enter, now[rank]);
            sched_call *c = &t->ranks[rank].calls[t->ranks[rank].num_calls - 1];
            c->cpu = enter - sent[rank];
            c->cpu_inside = c->leave - c->enter;
        }
    }
    return t;
}
