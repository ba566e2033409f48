/* tests/schedgen/regrid/test_regrid_butterfly.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Exchanges by powers of two, on more ranks: with more stages, as written at that size. */
#include "regrid/grid_compare.h"

typedef struct butterfly {
    uint32_t stages;
    bool mirror; /* with rank xor 2^k; else to rank + 2^k, from rank - 2^k */
    bool down;   /* from the largest distance */
    bool posted; /* MPI_Irecv, MPI_Isend, MPI_Waitall; else MPI_Sendrecv */
    int grows;   /* bytes by those of the stage before it: 0 the same, 1 twice, -1 half */
    uint32_t tag_step;
} butterfly;

static void exchange(grid_writer *w, const butterfly *b, uint32_t rank, uint32_t k)
{
    const uint32_t n = 1U << b->stages;
    const uint32_t by = 1U << k;
    const uint32_t to = b->mirror ? rank ^ by : (rank + by) % n;
    const uint32_t from = b->mirror ? rank ^ by : (rank + n - by) % n;
    /* 4 KiB at distance 1, whichever way the stages go */
    const int sign = b->down ? -b->grows : b->grows;
    const int64_t bytes = sign > 0 ? 4096 << k : sign < 0 ? 4096 >> k : 4096;
    const uint32_t tag = 50 + k * b->tag_step;
    if (!b->posted) {
        sched_call *call = grid_call(w, rank, SCHED_CALL_SENDRECV, "MPI_Sendrecv");
        call->peer = to;
        call->recv_peer = from;
        call->tag = call->recv_tag = tag;
        call->bytes = call->recv_bytes = call->room = bytes;
        return;
    }
    const uint64_t first = w->request[rank];
    for (int send = 0; send < 2; send++) {
        sched_call *call = grid_call(w, rank, send == 1 ? SCHED_CALL_ISEND : SCHED_CALL_IRECV,
                                     send == 1 ? "MPI_Isend" : "MPI_Irecv");
        call->peer = send == 1 ? to : from;
        call->tag = tag;
        call->bytes = call->room = bytes;
        call->request = w->request[rank]++;
    }
    grid_wait(w, rank, first);
}

/* The exchange and an allreduce, twice. */
static sched_trace *butterfly_trace(const butterfly *b)
{
    const uint32_t n = 1U << b->stages;
    grid_writer w = {.trace = sched_trace_new("butterfly", "test", n)};
    w.now = g_new0(sim_time, n);
    w.request = g_new0(uint64_t, n);
    for (uint32_t rank = 0; rank < n; rank++) {
        (void)grid_call(&w, rank, SCHED_CALL_INIT, "MPI_Init");
        for (uint32_t i = 0; i < 2 * b->stages; i++) {
            const uint32_t k = i % b->stages;
            exchange(&w, b, rank, b->down ? b->stages - 1 - k : k);
            if (k == b->stages - 1) {
                grid_collective(&w, rank, COLL_ALLREDUCE, 0, 0);
            }
        }
        (void)grid_call(&w, rank, SCHED_CALL_FINALIZE, "MPI_Finalize");
        w.trace->ranks[rank].complete = true;
    }
    g_free(w.now);
    g_free(w.request);
    return w.trace;
}

static void enlarge(const butterfly *b, uint32_t stages)
{
    g_autofree char *what = g_strdup_printf(
        "%u to %u stages%s%s%s, bytes %d, tags %u", b->stages, stages, b->mirror ? ", mirror" : "",
        b->down ? ", down" : "", b->posted ? ", posted" : "", b->grows, b->tag_step);
    butterfly large = *b;
    large.stages = stages;
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) trace = butterfly_trace(b);
    g_autoptr(sched_trace) wanted = butterfly_trace(&large);
    g_autoptr(sched_regrid) regrid = grid_recognise(trace, &GRID_ASKED);
    const sched_regrid_findings f = sched_regrid_find(regrid);
    const sched_regrid_target target = {.ranks = 1U << stages, .seed = 5};
    g_autoptr(sched_growth) growth = sched_regrid_grow(regrid, &target, &error);
    if (!CHECK(growth != NULL, "%s: %s", what, error != NULL ? error->message : "")) {
        return;
    }
    CHECK(strstr(f.pattern, "butterfly") != NULL, "%s: %s", what, f.pattern);
    CHECK_I64(f.explained_messages, f.messages, "%s", what);
    CHECK_I64(f.num_ways, b->stages, "%s", what);
    sched_convert_report reports[2] = {{0}};
    sched_rank_source *x = grid_source(trace, growth, &reports[0]);
    sched_rank_source *y = grid_source(wanted, NULL, &reports[1]);
    CHECK(grid_compare(x, y, what) > 0);
    sched_convert_source_free(x);
    sched_convert_source_free(y);
    sched_convert_report_clear(&reports[0]);
    sched_convert_report_clear(&reports[1]);
}

static void more_ranks_have_more_stages(void)
{
    for (unsigned form = 0; form < 8; form++) {
        for (int grows = -1; grows <= 1; grows++) {
            const butterfly b = {.stages = 3 + form % 2,
                                 .mirror = (form & 1U) != 0,
                                 .down = (form & 2U) != 0,
                                 .posted = (form & 4U) != 0,
                                 .grows = grows,
                                 .tag_step = form % 3};
            enlarge(&b, b.stages);
            enlarge(&b, b.stages + 1);
            enlarge(&b, b.stages + 3);
        }
    }
}

static void what_is_no_butterfly_is_refused(void)
{
    const butterfly b = {.stages = 4, .mirror = true};
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) trace = butterfly_trace(&b);
    g_autoptr(sched_regrid) regrid = grid_recognise(trace, &GRID_ASKED);
    const sched_regrid_target uneven = {.ranks = 48};
    CHECK(sched_regrid_grow(regrid, &uneven, &error) == NULL);
    CHECK_ERROR(error, "'48' ranks: a butterfly of 16 grows to powers of two");

    trace->ranks[3].calls[2].bytes = 17; /* one message is larger than the others of its stage */
    g_autoptr(sched_regrid) larger = grid_recognise(trace, &GRID_ASKED);
    CHECK(sched_regrid_find(larger).num_refusals > 0);
}

static void messages_may_be_left_out(void)
{
    const butterfly b = {.stages = 3, .mirror = true, .posted = true};
    butterfly large = b;
    large.stages = 4;
    const sched_regrid_target target = {.ranks = 16};
    g_autoptr(sched_trace) trace = butterfly_trace(&b);
    g_autoptr(sched_trace) wanted = butterfly_trace(&large);
    grid_compare_left_out(trace, wanted, &target, "without messages");
}

SUITE_MAIN("regrid_butterfly", TEST(more_ranks_have_more_stages),
           TEST(what_is_no_butterfly_is_refused), TEST(messages_may_be_left_out))
