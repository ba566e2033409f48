/* tests/noise/sequences/test_call_stream.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Which calls are in a stream, and what is computed before each, by hand. */
#include "check.h"
#include "noise/call_stream.h"

static const noise_call_peer NOBODY = {.kind = NOISE_PEER_NONE};

static noise_call call_of(const noise_event_function *f, sim_time enter, sim_time leave,
                          uint64_t completed)
{
    return (noise_call){.function = f,
                        .bytes = NOISE_EVENT_NO_SIZE,
                        .distance = NOISE_EVENT_NO_PEER,
                        .enter = enter,
                        .leave = leave,
                        .completed = completed};
}

static void computation_is_what_lies_between_calls(void)
{
    const noise_event_function send = noise_event_function_of("MPI_Send");
    static const sim_time row[][3] = {
        /* enter, leave, computed before; MPI_Init returned at 100 */
        {130, 140, 30}, {140, 150, 0}, {175, 200, 25}, {190, 210, 0}, {211, 212, 1},
    };
    noise_call_stream s;
    noise_call_stream_begin(&s, NOISE_MATCH_FUNCTION, 100);
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        const noise_call call = call_of(&send, row[i][0], row[i][1], 0);
        noise_sequence_call out = {0};
        CHECK(noise_call_stream_take(&s, &call, &NOBODY, &out), "row %zu", i);
        CHECK_I64(out.compute, row[i][2], "row %zu", i);
        CHECK_I64(out.entered, row[i][0], "row %zu", i);
        CHECK(out.symbol == noise_call_symbol(&send, NOISE_MATCH_FUNCTION, &NOBODY), "row %zu", i);
    }
}

static void tests_that_find_nothing_are_no_calls(void)
{
    const noise_event_function test = noise_event_function_of("MPI_Test");
    const noise_event_function send = noise_event_function_of("MPI_Send");
    static const struct {
        bool tests;
        sim_time enter, leave;
        uint64_t completed;
        sim_time compute; /* -1: no call */
    } row[] = {
        {true, 10, 11, 0, -1}, /* computes 10 before it: counts for the next call */
        {true, 15, 16, 0, -1}, /* 4 between two of them: waiting */
        {true, 19, 20, 1, 10}, /* complete: a call */
        {false, 25, 26, 0, 5}, /* as ever */
        {true, 30, 31, 0, -1}, /* 4 */
        {false, 33, 34, 0, 6}, /* and 2 after the test */
        {true, 34, 35, 2, 0},
    };
    noise_call_stream s;
    noise_call_stream_begin(&s, NOISE_MATCH_FUNCTION, 0);
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        const noise_call call =
            call_of(row[i].tests ? &test : &send, row[i].enter, row[i].leave, row[i].completed);
        noise_sequence_call out = {0};
        const bool is_call = noise_call_stream_take(&s, &call, &NOBODY, &out);
        CHECK(is_call == (row[i].compute >= 0), "row %zu", i);
        CHECK_I64(is_call ? out.compute : -1, row[i].compute, "row %zu", i);
    }
}

static void pauses_are_no_computation(void)
{
    const noise_event_function send = noise_event_function_of("MPI_Send");
    noise_call_stream s;
    noise_call_stream_begin(&s, NOISE_MATCH_FUNCTION, 0);
    noise_call_stream_skip(&s, 7, 50);
    noise_call_stream_skip(&s, 53, 60);
    const noise_call call = call_of(&send, 62, 63, 0);
    noise_sequence_call out = {0};
    CHECK(noise_call_stream_take(&s, &call, &NOBODY, &out));
    CHECK_I64(out.compute, 7 + 3 + 2);
    CHECK(!out.has_cpu, "nobody says how much CPU time the 7 and the 3 had");
    const noise_call next = call_of(&send, 70, 71, 0);
    CHECK(noise_call_stream_take(&s, &next, &NOBODY, &out));
    CHECK(out.has_cpu, "of the next one it is known again");
}

static void cpu_time_is_summed_as_computation_is(void)
{
    const noise_event_function test = noise_event_function_of("MPI_Test");
    const noise_event_function send = noise_event_function_of("MPI_Send");
    static const struct {
        bool tests;
        sim_time enter, leave, cpu; /* -1: not recorded */
        sim_time off;               /* -1: not known; -2: no call */
    } row[] = {
        {false, 130, 140, 20, 10}, {false, 150, 160, 10, 0},
        {false, 170, 180, -1, -1}, {false, 190, 200, 4, 6},
        {true, 210, 211, 7, -2},   {true, 290, 291, 9, -2}, /* between tests it waits */
        {false, 296, 297, 1, 7},                            /* 10 - 7 and 5 - 1 */
    };
    noise_call_stream s;
    noise_call_stream_begin(&s, NOISE_MATCH_FUNCTION, 100);
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        noise_call call = call_of(row[i].tests ? &test : &send, row[i].enter, row[i].leave, 0);
        call.cpu = row[i].cpu;
        noise_sequence_call out = {0};
        const bool is_call = noise_call_stream_take(&s, &call, &NOBODY, &out);
        CHECK(is_call == (row[i].off != -2), "row %zu", i);
        CHECK_I64(!is_call ? -2 : out.has_cpu ? out.off : -1, row[i].off, "row %zu", i);
    }
}

/* A record that begins in the middle: nothing is known before the first call. */
static void without_a_beginning_the_first_call_has_no_computation(void)
{
    const noise_event_function send = noise_event_function_of("MPI_Send");
    noise_call_stream s = {.match = NOISE_MATCH_FUNCTION};
    const noise_call calls[] = {call_of(&send, 62, 63, 0), call_of(&send, 70, 71, 0)};
    noise_sequence_call out = {0};
    CHECK(noise_call_stream_take(&s, &calls[0], &NOBODY, &out));
    CHECK_I64(out.compute, 0);
    CHECK(noise_call_stream_take(&s, &calls[1], &NOBODY, &out));
    CHECK_I64(out.compute, 7);
}

SUITE_MAIN("call_stream", TEST(computation_is_what_lies_between_calls),
           TEST(tests_that_find_nothing_are_no_calls), TEST(pauses_are_no_computation),
           TEST(cpu_time_is_summed_as_computation_is),
           TEST(without_a_beginning_the_first_call_has_no_computation))
