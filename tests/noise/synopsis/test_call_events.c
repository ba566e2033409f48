/* tests/noise/synopsis/test_call_events.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/call_events.h"

#include "check.h"

static noise_event_function function(const char *name)
{
    return noise_event_function_of(name);
}

/* The events of calls, as one line each: "name start end cpu waited". */
static char *events_of(const noise_call *calls, size_t n, bool local_only)
{
    noise_call_events state = {.rank = 7};
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < n; i++) {
        noise_call_event out[2];
        const int made = noise_call_events_take(&state, &calls[i], local_only, out);
        for (int k = 0; k < made; k++) {
            char name[NOISE_EVENT_NAME_BYTES];
            const noise_miner_event *e = &out[k].event;
            noise_call_event_name(&out[k], name);
            CHECK_I64(e->rank, 7);
            CHECK_I64(e->expected, -1);
            CHECK_I64(e->detour, -1);
            g_string_append_printf(text, "%s|%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n",
                                   name, e->start, e->end, e->cpu, e->waited);
        }
    }
    return g_string_free(text, FALSE);
}

static void computations_and_calls_alternate(void)
{
    const noise_event_function init = function("MPI_Init");
    const noise_event_function send = function("MPI_Send");
    const noise_event_function recv = function("MPI_Recv");
    const noise_event_function wait = function("MPI_Wait");
    const noise_call calls[] = {
        {&init, -1, NOISE_EVENT_NO_PEER, 0, 100, -1, 90, -1, 0},
        {&send, 1024, 1, 150, 160, 50, 9, 0, 0},
        {&recv, 1024, -1, 200, 290, 39, 85, 60, 0},
        {&recv, 1024, -1, 300, 301, 9, 1, 0, 0},
        {&wait, -1, NOISE_EVENT_NO_PEER, 310, 320, -1, -1, -1, 1},
        {&send, 8192, 1, 320, 330, 0, 10, -1, 0},
    };
    g_autofree char *all = events_of(calls, G_N_ELEMENTS(calls), false);
    CHECK_STR(all, "MPI_Init .. MPI_Send <= 1 KiB|100 150 50 0\n"
                   "MPI_Send <= 1 KiB to rank+1|150 160 9 0\n"
                   "MPI_Send <= 1 KiB .. MPI_Recv <= 1 KiB|160 200 39 0\n"
                   "MPI_Recv <= 1 KiB from rank-1, waited|200 290 -1 60\n"
                   "MPI_Recv <= 1 KiB .. MPI_Recv <= 1 KiB|290 300 9 0\n"
                   "MPI_Recv <= 1 KiB from rank-1|300 301 1 0\n"
                   "MPI_Recv <= 1 KiB .. MPI_Wait|301 310 -1 0\n"
                   "MPI_Wait .. MPI_Send <= 8 KiB|320 320 0 0\n");
    g_autofree char *local = events_of(calls, G_N_ELEMENTS(calls), true);
    CHECK_STR(local, "MPI_Init .. MPI_Send <= 1 KiB|100 150 50 0\n"
                     "MPI_Send <= 1 KiB to rank+1|150 160 9 0\n"
                     "MPI_Send <= 1 KiB .. MPI_Recv <= 1 KiB|160 200 39 0\n"
                     "MPI_Recv <= 1 KiB .. MPI_Recv <= 1 KiB|290 300 9 0\n"
                     "MPI_Recv <= 1 KiB .. MPI_Wait|301 310 -1 0\n"
                     "MPI_Wait .. MPI_Send <= 8 KiB|320 320 0 0\n");
}

/* The tracer knows of no partners, so it says 0 or -1; a trace that is read later says more. */
static void local_events_do_not_depend_on_what_is_known_of_partners(void)
{
    const noise_event_function send = function("MPI_Send");
    const noise_event_function test = function("MPI_Test");
    noise_call calls[] = {
        {&send, 64, 1, 0, 10, -1, 10, 0, 0},
        {&test, -1, NOISE_EVENT_NO_PEER, 20, 30, 9, 10, 0, 1},
        {&test, -1, NOISE_EVENT_NO_PEER, 40, 90, 9, 10, 0, 0},
        {&send, 64, 1, 100, 110, -1, 10, 0, 0},
    };
    g_autofree char *before = events_of(calls, G_N_ELEMENTS(calls), true);
    for (size_t i = 0; i < G_N_ELEMENTS(calls); i++) {
        calls[i].waited = i % 2 == 0 ? 5 : -1;
    }
    g_autofree char *after = events_of(calls, G_N_ELEMENTS(calls), true);
    CHECK_STR(after, before);
    CHECK(strstr(before, "MPI_Test|20 30") != NULL && strstr(before, "MPI_Test|40") == NULL, "%s",
          before);
}

static void what_is_no_computation_is_skipped(void)
{
    const noise_event_function send = function("MPI_Send");
    static const struct {
        sim_time enter, leave; /* of what is skipped, after a call that ends at 10 */
        int made;              /* by a call at 100: its computation, and itself */
        sim_time start;        /* of the computation */
    } ROWS[] = {{10, 30, 2, 30}, {5, 8, 2, 10}, {5, 40, 2, 40}, {11, 30, 1, -1}, {10, 200, 1, -1}};
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        noise_call_events state = {0};
        noise_call_event out[2];
        noise_call call = {&send, 64, 1, 0, 10, -1, -1, 0, 0};
        CHECK_I64(noise_call_events_take(&state, &call, false, out), 1);
        noise_call_events_skip(&state, ROWS[i].enter, ROWS[i].leave);
        call.enter = 100;
        call.leave = 110;
        CHECK_I64(noise_call_events_take(&state, &call, false, out), ROWS[i].made, "row %zu", i);
        if (ROWS[i].made == 2) {
            CHECK_I64(out[0].event.start, ROWS[i].start, "row %zu", i);
        }
    }
}

SUITE_MAIN("call_events", TEST(computations_and_calls_alternate),
           TEST(local_events_do_not_depend_on_what_is_known_of_partners),
           TEST(what_is_no_computation_is_skipped))
