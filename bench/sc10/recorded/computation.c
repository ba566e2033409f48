/* bench/sc10/recorded/computation.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_computation. */
#include "computation.h"

#include <math.h>

/* What ranks compute before the k-th collective, and, last, after all of them. */
typedef struct stretches {
    uint32_t ranks;
    size_t n;     /* stretches */
    double *work; /* [ranks * n] ps */
} stretches;

static bool ends_stretch(const sched_call *call)
{
    return call->kind == SCHED_CALL_COLLECTIVE && call->comm == 0;
}

static size_t count_stretches(const sched_rank *rank)
{
    size_t n = 1;
    for (uint64_t i = 0; i < rank->num_calls; i++) {
        n += ends_stretch(&rank->calls[i]);
    }
    return n;
}

static stretches measure(const sched_trace *trace)
{
    stretches s = {.ranks = trace->num_ranks, .n = count_stretches(&trace->ranks[0])};
    s.work = g_new0(double, s.ranks *s.n);
    for (uint32_t r = 0; r < s.ranks; r++) {
        g_assert(count_stretches(&trace->ranks[r]) == s.n);
        double *work = &s.work[r * s.n];
        for (uint64_t i = 0; i < trace->ranks[r].num_calls; i++) {
            const sched_call *call = &trace->ranks[r].calls[i];
            *work += (double)MAX(call->cpu, 0);
            work += ends_stretch(call);
        }
    }
    return s;
}

/* [n] of all ranks on average. Owned by the caller. */
static double *mean_by_stretch(const stretches *s)
{
    double *mean = g_new0(double, s->n);
    for (uint32_t r = 0; r < s->ranks; r++) {
        for (size_t k = 0; k < s->n; k++) {
            mean[k] += s->work[r * s->n + k] / s->ranks;
        }
    }
    return mean;
}

/* The calls of one rank, stretch by stretch, scaled from @p work to what it is to be. */
static void scale(sched_rank *rank, const double *work, const double *mean, double share)
{
    double before_call = 0; /* of the stretch, as recorded */
    double given = 0;       /* of it, as it is now: so that roundings do not add up */
    for (uint64_t i = 0; i < rank->num_calls; i++) {
        sched_call *call = &rank->calls[i];
        const bool ends = ends_stretch(call);
        before_call += (double)MAX(call->cpu, 0);
        const double all = share * *mean;
        const double by_now = ends ? all : *work > 0 ? all * (before_call / *work) : 0;
        call->cpu = (sim_time)llround(by_now - given);
        given += (double)call->cpu;
        if (ends) {
            before_call = 0;
            given = 0;
            work++;
            mean++;
        }
    }
}

void sc10_computation_even(sched_trace *trace, bool balanced)
{
    sched_trace_unpack(trace);
    stretches s = measure(trace);
    g_autofree double *mean = mean_by_stretch(&s);
    double all = 0;
    for (size_t k = 0; k < s.n; k++) {
        all += mean[k];
    }
    for (uint32_t r = 0; r < s.ranks; r++) {
        double own = 0;
        for (size_t k = 0; k < s.n; k++) {
            own += s.work[r * s.n + k];
        }
        scale(&trace->ranks[r], &s.work[r * s.n], mean, balanced || all <= 0 ? 1 : own / all);
    }
    g_free(s.work);
    sched_trace_pack(trace);
}
