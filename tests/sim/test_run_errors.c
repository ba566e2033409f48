/* tests/sim/test_run_errors.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs that cannot come to their end, and what a run says about them. */
#include "check.h"
#include "sim/error.h"
#include "sim/graph.h"
#include "sim/run.h"

static const sim_params PARAMS = {.L = 1000, .o = 100, .S = INT64_MAX};

static uint32_t add(sim_graph_builder *b, sim_op_type type, uint32_t peer, int64_t size,
                    uint32_t tag)
{
    const sim_op op = {.type = (uint8_t)type, .peer = peer, .size = size, .tag = tag};
    return sim_graph_builder_add(b, &op);
}

/* Runs and frees what the builder holds. */
static void check_fails(sim_graph_builder *b, const sim_params *params, sim_error code,
                        const char *const *wanted)
{
    g_autoptr(sim_graph) g = sim_graph_builder_finish(b, NULL);
    for (int setting = 0; setting < 4; setting++) {
        sim_params p = *params;
        p.progress = setting % 2 ? SIM_PROGRESS_ASYNC : SIM_PROGRESS_POLLING;
        p.rendezvous = setting / 2 ? SIM_RENDEZVOUS_INSTANT : SIM_RENDEZVOUS_HANDSHAKE;
        g_autoptr(GError) error = NULL;
        g_autoptr(sim_result) result = sim_run(sim_graph_program(g), &p, NULL, &error);
        CHECK(result == NULL, "setting %d", setting);
        CHECK(g_error_matches(error, SIM_ERROR, (gint)code), "setting %d", setting);
        for (size_t i = 0; wanted[i] != NULL; i++) {
            CHECK_ERROR(error, wanted[i]);
        }
    }
}

static void names_what_has_no_partner(void)
{
    sim_graph_builder *b = sim_graph_builder_new(2);
    sim_graph_builder_begin_rank(b, 0);
    add(b, SIM_OP_SEND, 1, 8, 7);
    sim_graph_builder_label(b, "hello");
    sim_graph_builder_begin_rank(b, 1);
    const uint32_t recv = add(b, SIM_OP_RECV, 0, 8, 6);
    const uint32_t any = add(b, SIM_OP_RECV, SIM_ANY, 8, 3);
    const uint32_t calc = add(b, SIM_OP_CALC, 0, 5, 0);
    sim_graph_builder_require(b, calc, recv);
    sim_graph_builder_require(b, calc, any);
    check_fails(b, &PARAMS, SIM_ERROR_UNMATCHED,
                (const char *const[]){
                    "3 messages or receives without a partner, 1 operation never started",
                    "rank 0, hello: send of 8 bytes to rank 1, tag 7: waits for a receive",
                    "rank 1, l1: receive of 8 bytes from rank 0, tag 6: waits for a message",
                    "rank 1, l2: receive of 8 bytes from any rank, tag 3: waits",
                    "rank 1: 1 operation never started", NULL});
}

static void lists_ten_and_counts_the_rest(void)
{
    sim_graph_builder *b = sim_graph_builder_new(2);
    sim_graph_builder_begin_rank(b, 0);
    for (int i = 0; i < 25; i++) {
        add(b, SIM_OP_RECV, 1, 8, SIM_ANY);
    }
    check_fails(b, &PARAMS, SIM_ERROR_UNMATCHED,
                (const char *const[]){"25 messages or receives", "l10: receive of 8 bytes",
                                      "any tag", "and 15 more", NULL});
}

static void names_a_cycle_inside_a_rank(void)
{
    sim_graph_builder *b = sim_graph_builder_new(1);
    sim_graph_builder_begin_rank(b, 0);
    for (int i = 0; i < 4; i++) {
        add(b, SIM_OP_CALC, 0, 5, 0);
    }
    sim_graph_builder_require(b, 1, 0); /* l1 is sound, l4 waits for the cycle l2, l3 */
    sim_graph_builder_require(b, 1, 2);
    sim_graph_builder_irequire(b, 2, 1);
    sim_graph_builder_require(b, 3, 2);
    check_fails(b, &PARAMS, SIM_ERROR_UNMATCHED,
                (const char *const[]){"3 operations never started",
                                      "dependency cycle: rank 0, l2 requires l3; "
                                      "rank 0, l3 irequires l2",
                                      NULL});
}

static void names_an_operation_that_waits_for_itself(void)
{
    sim_graph_builder *b = sim_graph_builder_new(1);
    sim_graph_builder_begin_rank(b, 0);
    add(b, SIM_OP_CALC, 0, 5, 0);
    sim_graph_builder_require(b, 0, 0);
    check_fails(b, &PARAMS, SIM_ERROR_UNMATCHED,
                (const char *const[]){"dependency cycle: rank 0, l1 requires l1", NULL});
}

static void names_a_cycle_through_messages(void)
{
    /* Two ranks that both receive before they send. */
    sim_graph_builder *b = sim_graph_builder_new(2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        sim_graph_builder_begin_rank(b, rank);
        add(b, SIM_OP_RECV, 1 - rank, 8, 0);
        add(b, SIM_OP_SEND, 1 - rank, 8, 0);
        sim_graph_builder_require(b, 1, 0);
    }
    check_fails(b, &PARAMS, SIM_ERROR_UNMATCHED,
                (const char *const[]){"dependency cycle: rank 0, l1 waits for rank 1, l2; "
                                      "rank 1, l2 requires l1; "
                                      "rank 1, l1 waits for rank 0, l2; rank 0, l2 requires l1",
                                      NULL});
}

static void names_a_deadlock_by_rendezvous(void)
{
    /* Two ranks that both send before they receive: sound as long as messages are eager. */
    for (int eager = 0; eager < 2; eager++) {
        sim_graph_builder *b = sim_graph_builder_new(2);
        for (uint32_t rank = 0; rank < 2; rank++) {
            sim_graph_builder_begin_rank(b, rank);
            add(b, SIM_OP_SEND, 1 - rank, 8, 0);
            add(b, SIM_OP_RECV, 1 - rank, 8, 0);
            sim_graph_builder_require(b, 1, 0);
        }
        sim_params params = PARAMS;
        params.S = eager ? 8 : 7;
        if (!eager) {
            check_fails(b, &params, SIM_ERROR_UNMATCHED,
                        (const char *const[]){
                            "rank 0, l1: send of 8 bytes to rank 1, tag 0: waits for a receive",
                            "dependency cycle: rank 0, l1 waits for rank 1, l2; "
                            "rank 1, l2 requires l1",
                            NULL});
            continue;
        }
        g_autoptr(sim_graph) g = sim_graph_builder_finish(b, NULL);
        g_autoptr(sim_result) result = sim_run(sim_graph_program(g), &params, NULL, NULL);
        CHECK(result != NULL);
    }
}

static void a_message_larger_than_its_receive_is_an_error(void)
{
    for (int64_t room = 9; room < 12; room++) {
        sim_graph_builder *b = sim_graph_builder_new(2);
        sim_graph_builder_begin_rank(b, 0);
        add(b, SIM_OP_SEND, 1, 10, 0);
        sim_graph_builder_begin_rank(b, 1);
        add(b, SIM_OP_RECV, 0, room, 0);
        if (room < 10) {
            check_fails(b, &PARAMS, SIM_ERROR_TRUNCATED,
                        (const char *const[]){"rank 1, l1: receive of 9 bytes meets a message of "
                                              "10 bytes from rank 0, l1",
                                              NULL});
            continue;
        }
        g_autoptr(sim_graph) g = sim_graph_builder_finish(b, NULL);
        g_autoptr(sim_result) result = sim_run(sim_graph_program(g), &PARAMS, NULL, NULL);
        CHECK(result != NULL, "%d bytes", (int)room);
    }
}

static void time_past_the_end_is_an_error(void)
{
    sim_graph_builder *b = sim_graph_builder_new(2);
    sim_graph_builder_begin_rank(b, 1);
    add(b, SIM_OP_CALC, 0, SIM_TIME_MAX, 0);
    add(b, SIM_OP_CALC, 0, 1, 0);
    check_fails(b, &PARAMS, SIM_ERROR_OVERFLOW,
                (const char *const[]){"rank 1: simulated time", NULL});
}

static void huge_costs_are_an_error_too(void)
{
    static const sim_params rows[] = {
        {.L = SIM_TIME_MAX, .o = SIM_TIME_MAX, .g = SIM_TIME_MAX, .S = INT64_MAX},
        {.o = SIM_TIME_MAX, .O = SIM_RATE_MAX, .S = INT64_MAX},
        {.L = SIM_TIME_MAX, .G = SIM_RATE_MAX, .g = SIM_TIME_MAX, .S = INT64_MAX},
        {.L = SIM_TIME_MAX, .G = SIM_RATE_MAX, .g = SIM_TIME_MAX, .S = 0, .o = 1},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        sim_graph_builder *b = sim_graph_builder_new(2);
        sim_graph_builder_begin_rank(b, 0);
        add(b, SIM_OP_CALC, 0, SIM_TIME_MAX - 1, 0);
        for (int k = 0; k < 3; k++) {
            add(b, SIM_OP_SEND, 1, INT64_MAX, 0);
        }
        sim_graph_builder_begin_rank(b, 1);
        for (int k = 0; k < 3; k++) {
            add(b, SIM_OP_RECV, 0, INT64_MAX, 0);
        }
        check_fails(b, &rows[i], SIM_ERROR_OVERFLOW, (const char *const[]){"simulated time", NULL});
    }
}

SUITE_MAIN("run_errors", TEST(names_what_has_no_partner), TEST(lists_ten_and_counts_the_rest),
           TEST(names_a_cycle_inside_a_rank), TEST(names_an_operation_that_waits_for_itself),
           TEST(names_a_cycle_through_messages), TEST(names_a_deadlock_by_rendezvous),
           TEST(a_message_larger_than_its_receive_is_an_error), TEST(time_past_the_end_is_an_error),
           TEST(huge_costs_are_an_error_too))
