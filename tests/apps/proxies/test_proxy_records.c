/* tests/apps/proxies/test_proxy_records.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The records of sweep3d, amg and pop that are shipped: calls as the SC'10 paper counts those of
 * Sweep3D, AMG2006 and POP (section V), and how a simulated run spends its time.
 */
#include "check.h"
#include "coll/kind.h"
#include "sched/convert.h"
#include "sched/simgrid.h"
#include "shares.h"

typedef struct row {
    const char *name;
    uint32_t ranks;
    double flops_per_second; /* README.md beside the record */
    uint64_t counts[COLL_NUM_KINDS];
    uint64_t sent[2]; /* messages of all ranks that are sent by blocking, by nonblocking calls */
    /* On CHiC: makespan in s; of all ranks' time what is no computation, and of that what is in
     * collectives. */
    double makespan, communication, collective;
} row;

static const row ROWS[] = {
    {.name = "sweep3d-100",
     .ranks = 100,
     .flops_per_second = 36200,
     .counts = {[COLL_BCAST] = 4, [COLL_BARRIER] = 3, [COLL_ALLREDUCE] = 32},
     .sent = {1728000, 0},
     .makespan = 55,
     .communication = 0.183,
     .collective = 0.209},
    {.name = "amg-125",
     .ranks = 125,
     .flops_per_second = 6300,
     .counts = {[COLL_ALLGATHER] = 16,
                [COLL_ALLGATHERV] = 8,
                [COLL_ALLREDUCE] = 356,
                [COLL_BARRIER] = 1,
                [COLL_BCAST] = 23,
                [COLL_SCAN] = 8},
     .sent = {0, 1050288},
     .makespan = 80,
     .communication = 0.503,
     .collective = 0.657},
    {.name = "pop-128",
     .ranks = 128,
     .flops_per_second = 40000,
     .counts = {[COLL_ALLREDUCE] = 608, [COLL_BARRIER] = 575, [COLL_BCAST] = 703},
     .sent = {0, 147840},
     .makespan = 12.1,
     .communication = 0.711,
     .collective = 0.96},
};

static sched_trace *open_record(const row *r)
{
    g_autofree char *path = g_strdup_printf(TRACES "/%s/%s.ti.xz", r->name, r->name);
    g_autoptr(GError) error = NULL;
    sched_trace *trace = sched_simgrid_read(path, r->flops_per_second, &error);
    CHECK(trace != NULL, "%s", error != NULL ? error->message : "");
    return trace;
}

static void check_counts(const row *r, const sched_trace *trace)
{
    uint64_t sent[2] = {0, 0};
    CHECK_I64(trace->num_ranks, r->ranks, "%s", r->name);
    for (uint32_t rank = 0; rank < trace->num_ranks; rank++) {
        uint64_t counts[COLL_NUM_KINDS] = {0};
        sched_walk walk;
        sched_walk_begin(&walk, &trace->ranks[rank]);
        for (const sched_call *call; (call = sched_walk_next(&walk)) != NULL;) {
            if (call->kind == SCHED_CALL_COLLECTIVE) {
                counts[call->collective]++;
            }
            sent[0] += call->kind == SCHED_CALL_SEND;
            sent[1] += call->kind == SCHED_CALL_ISEND;
        }
        sched_walk_end(&walk);
        CHECK(memcmp(counts, r->counts, sizeof counts) == 0, "%s, rank %u", r->name, rank);
    }
    CHECK_I64(sent[0], r->sent[0], "%s", r->name);
    CHECK_I64(sent[1], r->sent[1], "%s", r->name);
}

static void check_run(const row *r, const sched_trace *trace)
{
    const sched_convert_options options = {.copies = 1};
    sched_convert_report report = {0};
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_graph) graph = sched_convert(trace, &options, &report, &error);
    sched_convert_report_clear(&report);
    sim_machine *chic = sim_machine_load("chic", NULL);
    if (!CHECK(graph != NULL && chic != NULL, "%s", error != NULL ? error->message : "")) {
        return;
    }
    sc10_shares s = {0};
    if (CHECK(sc10_shares_of(graph, &chic->params, &s, &error), "%s: %s", r->name,
              error != NULL ? error->message : "")) {
        CHECK_NEAR((double)s.makespan / (double)SIM_S, r->makespan, 0.005 * r->makespan, "%s",
                   r->name);
        CHECK_NEAR(s.communication, r->communication, 0.005, "%s", r->name);
        CHECK_NEAR(s.collectives, r->collective, 0.005, "%s", r->name);
        CHECK(s.late > 0.95 && s.late <= 1, "%s: waiting for the last rank, %g", r->name, s.late);
    }
    sc10_shares_clear(&s);
    sim_machine_free(chic);
}

static void check_record(const row *r)
{
    g_autoptr(sched_trace) trace = open_record(r);
    if (trace != NULL) {
        check_counts(r, trace);
        check_run(r, trace);
    }
}

static void sweep3d_calls_what_the_paper_says(void)
{
#ifdef __SANITIZE_ADDRESS__
    SKIP_TEST("five million operations are for builds without sanitizers");
#endif
    check_record(&ROWS[0]);
}

static void amg_calls_what_the_paper_says(void)
{
#ifdef __SANITIZE_ADDRESS__
    SKIP_TEST("three million operations are for builds without sanitizers");
#endif
    check_record(&ROWS[1]);
}

static void pop_calls_what_the_paper_says(void)
{
    check_record(&ROWS[2]);
}

SUITE_MAIN("proxy_records", TEST(sweep3d_calls_what_the_paper_says),
           TEST(amg_calls_what_the_paper_says), TEST(pop_calls_what_the_paper_says))
