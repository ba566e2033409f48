/* tests/bench/test_computation.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Records whose computation is evened out between collectives. */
#include "computation.h"

#include "check.h"

enum { RANKS = 2, CALLS = 5 };

/* Two stretches, each a message and an allreduce, and what is computed before MPI_Finalize. */
static const sim_time RECORDED[RANKS][CALLS] = {{10, 30, 0, 100, 5}, {30, 50, 60, 0, 15}};

static sched_trace *record(void)
{
    sched_trace *trace = sched_trace_new("computation", "test", RANKS);
    for (uint32_t r = 0; r < RANKS; r++) {
        for (size_t i = 0; i < CALLS; i++) {
            sched_call *call = sched_rank_append(&trace->ranks[r]);
            call->cpu = RECORDED[r][i];
            call->kind = i == CALLS - 1 ? SCHED_CALL_FINALIZE
                         : i % 2 == 1   ? SCHED_CALL_COLLECTIVE
                                        : SCHED_CALL_SEND;
            call->collective = COLL_ALLREDUCE;
            call->peer = 1 - r;
        }
    }
    return trace;
}

static void check_evened(bool balanced, const sim_time want[RANKS][CALLS])
{
    g_autoptr(sched_trace) trace = record();
    sc10_computation_even(trace, balanced);
    sched_trace_unpack(trace);
    for (uint32_t r = 0; r < RANKS; r++) {
        for (size_t i = 0; i < CALLS; i++) {
            CHECK_I64(trace->ranks[r].calls[i].cpu, want[r][i], "rank %u, call %zu", r, i);
        }
    }
}

/* By hand: means of 60, 80 and 10 for the stretches, cut up as 10:30, 30:50 and so on. */
static void balanced_ranks_compute_the_same_between_collectives(void)
{
    static const sim_time WANT[RANKS][CALLS] = {{15, 45, 0, 80, 10}, {23, 37, 80, 0, 10}};
    check_evened(true, WANT);
}

/* By hand: of 300 in all, rank 0 has 145 and rank 1 has 155, so 0.9667 and 1.0333 of each mean. */
static void steady_ranks_keep_their_share_of_every_stretch(void)
{
    static const sim_time WANT[RANKS][CALLS] = {{15, 43, 0, 77, 10}, {23, 39, 83, 0, 10}};
    check_evened(false, WANT);
}

SUITE_MAIN("computation", TEST(balanced_ranks_compute_the_same_between_collectives),
           TEST(steady_ranks_keep_their_share_of_every_stretch))
