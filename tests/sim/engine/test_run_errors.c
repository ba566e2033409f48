/* tests/sim/engine/test_run_errors.c — SPDX-License-Identifier: GPL-3.0-or-later */
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

/* Runs and frees what the builder holds. @p wanted: what is said, or, after "not", is not */
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
            if (g_str_equal(wanted[i], "not") && error != NULL) {
                i++;
                CHECK(strstr(error->message, wanted[i]) == NULL, "%s: %s", wanted[i],
                      error->message);
            } else {
                CHECK_ERROR(error, wanted[i]);
            }
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

/* Few, and so many that they are kept in another way. */
static void lists_ten_and_counts_the_rest(void)
{
    static const struct {
        int n;
        const char *count;
        const char *rest;
    } row[] = {{25, "25 messages or receives", "and 15 more"},
               {80, "80 messages or receives", "and 70 more"}};
    for (size_t k = 0; k < G_N_ELEMENTS(row); k++) {
        sim_graph_builder *b = sim_graph_builder_new(2);
        sim_graph_builder_begin_rank(b, 0);
        for (int i = 0; i < row[k].n; i++) {
            add(b, SIM_OP_RECV, 1, 8, SIM_ANY);
        }
        check_fails(b, &PARAMS, SIM_ERROR_UNMATCHED,
                    (const char *const[]){row[k].count, "l10: receive of 8 bytes", "any tag",
                                          row[k].rest, "not", "l11: receive", NULL});
    }
}

static void counts_what_never_started_rank_by_rank(void)
{
    sim_graph_builder *b = sim_graph_builder_new(12);
    for (uint32_t rank = 0; rank < 12; rank++) {
        sim_graph_builder_begin_rank(b, rank);
        for (uint32_t i = 0; i <= rank; i++) {
            add(b, SIM_OP_CALC, 0, 5, 0);
            sim_graph_builder_require(b, i, i);
        }
    }
    check_fails(b, &PARAMS, SIM_ERROR_UNMATCHED,
                (const char *const[]){
                    "78 operations never started", "rank 0: 1 operation never started",
                    "rank 1: 2 operations never started", "rank 9: 10 operations never started",
                    "not", "rank 10: 11 operations", NULL});
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

/* Other sends that wait: for another rank, with another tag, in another communicator. */
static void of_several_sends_a_cycle_goes_through_the_one_that_fits(void)
{
    sim_graph_builder *b = sim_graph_builder_new(3);
    sim_graph_builder_begin_rank(b, 0);
    add(b, SIM_OP_RECV, 1, 8, 0); /* meets l1 */
    add(b, SIM_OP_RECV, 1, 8, 0);
    add(b, SIM_OP_SEND, 1, 8, 0);
    sim_graph_builder_require(b, 2, 1);
    sim_graph_builder_begin_rank(b, 1);
    add(b, SIM_OP_SEND, 0, 8, 0);
    add(b, SIM_OP_RECV, 0, 8, 0);
    add(b, SIM_OP_SEND, 2, 8, 0);
    add(b, SIM_OP_SEND, 0, 8, 5);
    const sim_op other = {.type = SIM_OP_SEND, .peer = 0, .size = 8, .comm = 1};
    sim_graph_builder_add(b, &other);
    add(b, SIM_OP_SEND, 0, 8, 0);
    for (uint32_t i = 2; i <= 5; i++) {
        sim_graph_builder_require(b, i, 1);
    }
    check_fails(b, &PARAMS, SIM_ERROR_UNMATCHED,
                (const char *const[]){"dependency cycle: rank 0, l2 waits for rank 1, l6; "
                                      "rank 1, l6 requires l2; "
                                      "rank 1, l2 waits for rank 0, l3; rank 0, l3 requires l2",
                                      NULL});
}

static void what_has_started_is_not_waited_for(void)
{
    sim_graph_builder *b = sim_graph_builder_new(2);
    sim_graph_builder_begin_rank(b, 0);
    add(b, SIM_OP_RECV, 1, 8, 0);
    add(b, SIM_OP_CALC, 0, 5, 0);
    add(b, SIM_OP_SEND, 1, 8, 0);
    sim_graph_builder_irequire(b, 2, 0); /* posted: that is no reason */
    sim_graph_builder_require(b, 2, 1);
    sim_graph_builder_require(b, 1, 1);
    sim_graph_builder_begin_rank(b, 1);
    add(b, SIM_OP_RECV, 0, 8, 0);
    add(b, SIM_OP_SEND, 0, 8, 0);
    sim_graph_builder_require(b, 1, 0);
    check_fails(b, &PARAMS, SIM_ERROR_UNMATCHED,
                (const char *const[]){"dependency cycle: rank 0, l2 requires l2", NULL});
}

/*
 * Rank 0 receives very much; only what it sends at last waits for itself. Were one of the receives
 * taken for unfinished, it would seem to wait for a message that rank 1 sends after that.
 */
static sim_graph_builder *long_rank(uint32_t late)
{
    enum { MANY = 300 };
    sim_graph_builder *b = sim_graph_builder_new(2);
    sim_graph_builder_begin_rank(b, 0);
    for (uint32_t i = 0; i < MANY; i++) {
        const bool is_late = i == late && late >= 64;
        add(b, SIM_OP_RECV, 1, 8, is_late ? 9 : 0); /* tag 9 never comes; of tag 0, one too few */
        if (i == late && late < 64) {               /* finishes when the 63 behind it have */
            sim_graph_builder_require(b, i, i + 63);
        }
    }
    add(b, SIM_OP_SEND, 1, 8, 1);
    for (uint32_t i = 0; i <= MANY; i++) {
        if (i != late || late < 64) {
            sim_graph_builder_require(b, MANY, i);
        }
    }
    for (uint32_t i = 0; i < 40; i++) { /* these get one of two reasons when the first end */
        add(b, SIM_OP_CALC, 0, 1, 0);
        sim_graph_builder_require(b, MANY + 1 + i, 80 + i);
        sim_graph_builder_require(b, MANY + 1 + i, MANY - 1);
    }
    sim_graph_builder_begin_rank(b, 1);
    const uint32_t sends = late < 64 ? MANY : MANY - 1;
    for (uint32_t i = 0; i < sends; i++) {
        add(b, SIM_OP_SEND, 0, 8, 0);
        if (i > 0) {
            sim_graph_builder_require(b, i, i - 1);
        }
    }
    add(b, SIM_OP_RECV, 0, 8, 1);
    add(b, SIM_OP_SEND, 0, 8, 0);
    sim_graph_builder_require(b, sends + 1, sends);
    return b;
}

static void a_long_rank_is_searched_for_what_has_not_finished(void)
{
    static const uint32_t late[] = {0, 7, 64, 70, 200, 299};
    for (size_t i = 0; i < G_N_ELEMENTS(late); i++) {
        check_fails(long_rank(late[i]), &PARAMS, SIM_ERROR_UNMATCHED,
                    (const char *const[]){"dependency cycle: rank 0, l301 requires l301", NULL});
    }
}

static void names_twenty_steps_of_a_cycle(void)
{
    enum { STEPS = 25 };
    sim_graph_builder *b = sim_graph_builder_new(1);
    sim_graph_builder_begin_rank(b, 0);
    for (uint32_t i = 0; i < STEPS; i++) {
        add(b, SIM_OP_CALC, 0, 5, 0);
    }
    for (uint32_t i = 0; i < STEPS; i++) {
        sim_graph_builder_require(b, i, (i + 1) % STEPS);
    }
    check_fails(b, &PARAMS, SIM_ERROR_UNMATCHED,
                (const char *const[]){"rank 0, l20 requires l21; and 5 steps more", "not",
                                      "l21 requires", NULL});
}

/* A rendezvous send waits for the receive that fits it, not for one from another rank. */
static void of_several_receives_a_deadlock_goes_through_the_one_that_fits(void)
{
    sim_graph_builder *b = sim_graph_builder_new(3);
    sim_graph_builder_begin_rank(b, 0);
    add(b, SIM_OP_SEND, 1, 8, 0);
    add(b, SIM_OP_RECV, 1, 8, 0);
    sim_graph_builder_require(b, 1, 0);
    sim_graph_builder_begin_rank(b, 1);
    add(b, SIM_OP_SEND, 0, 8, 0);
    add(b, SIM_OP_RECV, 2, 8, 0);
    add(b, SIM_OP_RECV, 0, 8, 0);
    sim_graph_builder_require(b, 1, 0);
    sim_graph_builder_require(b, 2, 0);
    sim_params params = PARAMS;
    params.S = 7;
    check_fails(b, &params, SIM_ERROR_UNMATCHED,
                (const char *const[]){"dependency cycle: rank 0, l1 waits for rank 1, l3; "
                                      "rank 1, l3 requires l1; "
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
        sim_graph_builder_label(b, "large");
        sim_graph_builder_begin_rank(b, 1);
        add(b, SIM_OP_RECV, 0, room, 0);
        if (room < 10) {
            check_fails(b, &PARAMS, SIM_ERROR_TRUNCATED,
                        (const char *const[]){"rank 1, l1: receive of 9 bytes meets a message of "
                                              "10 bytes from rank 0, large",
                                              NULL});
            continue;
        }
        g_autoptr(sim_graph) g = sim_graph_builder_finish(b, NULL);
        g_autoptr(sim_result) result = sim_run(sim_graph_program(g), &PARAMS, NULL, NULL);
        CHECK(result != NULL, "%d bytes", (int)room);
    }
}

typedef struct two_errors {
    sim_time delay; /* of rank 0 */
    sim_time late;  /* rank 2 posts its receive then */
    bool together;
    const char *wanted;
} two_errors;

/* Ranks 2 and 3, or one alone, have receives that are too small for what 0 and 1 send them. */
static sim_graph *truncating_twice(const two_errors *e)
{
    sim_graph_builder *b = sim_graph_builder_new(4);
    for (uint32_t rank = 0; rank < 2; rank++) {
        sim_graph_builder_begin_rank(b, rank);
        add(b, SIM_OP_CALC, 0, 500 + (rank == 0 ? e->delay : 0), 0);
        add(b, SIM_OP_SEND, e->together ? 2 : 2 + rank, 10, 0);
        sim_graph_builder_require(b, 1, 0);
    }
    sim_graph_builder_begin_rank(b, 2);
    add(b, SIM_OP_RECV, e->together ? 1 : 0, 5, 0);
    if (e->late > 0) {
        add(b, SIM_OP_CALC, 0, e->late, 0);
        sim_graph_builder_require(b, 0, 1);
    }
    if (!e->together) {
        sim_graph_builder_begin_rank(b, 3);
    }
    add(b, SIM_OP_RECV, e->together ? 0 : 1, 5, 0);
    return sim_graph_builder_finish(b, NULL);
}

static void of_several_errors_the_first_is_named(void)
{
    static const two_errors row[] = {
        {0, 0, false, "rank 2, l1"},      {1, 0, false, "rank 3, l1"},
        {-1, 0, false, "rank 2, l1"},     {0, 1700, false, "rank 3, l1"}, /* they arrive at 1600 */
        {-50, 1570, false, "rank 2, l1"}, {0, 0, true, "rank 2, l1"},
        {1, 0, true, "rank 2, l1"},       {-1, 0, true, "rank 2, l2"}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(sim_graph) g = truncating_twice(&row[i]);
        for (unsigned k = 0; k < 12; k++) {
            sim_params params = PARAMS;
            params.progress = k & 1 ? SIM_PROGRESS_ASYNC : SIM_PROGRESS_POLLING;
            params.rendezvous = k & 2 ? SIM_RENDEZVOUS_INSTANT : SIM_RENDEZVOUS_HANDSHAKE;
            const sim_run_options options = {.threads = 1 + k / 4, .serial_below = 1};
            g_autoptr(GError) error = NULL;
            CHECK(sim_run(sim_graph_program(g), &params, &options, &error) == NULL);
            CHECK(error != NULL && strstr(error->message, row[i].wanted) != NULL, "row %zu, %u: %s",
                  i, k, error != NULL ? error->message : "sound");
        }
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

/* It is known in the first window that rank 0 gets past the end; at 5000 ps rank 1 fails. */
static void what_fails_before_the_end_of_time_is_named(void)
{
    sim_graph_builder *b = sim_graph_builder_new(3);
    sim_graph_builder_begin_rank(b, 0);
    const uint32_t soon = add(b, SIM_OP_CALC, 0, 1, 0);
    sim_graph_builder_require(b, add(b, SIM_OP_CALC, 0, SIM_TIME_MAX, 0), soon);
    sim_graph_builder_begin_rank(b, 1);
    const uint32_t calc = add(b, SIM_OP_CALC, 0, 5000, 0);
    sim_graph_builder_require(b, add(b, SIM_OP_RECV, 2, 7, 0), calc);
    sim_graph_builder_begin_rank(b, 2);
    add(b, SIM_OP_SEND, 1, 8, 0);
    check_fails(b, &PARAMS, SIM_ERROR_TRUNCATED, (const char *const[]){"rank 1, l2", NULL});
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
           TEST(counts_what_never_started_rank_by_rank), TEST(names_a_cycle_inside_a_rank),
           TEST(names_an_operation_that_waits_for_itself), TEST(names_a_cycle_through_messages),
           TEST(of_several_sends_a_cycle_goes_through_the_one_that_fits),
           TEST(what_has_started_is_not_waited_for),
           TEST(a_long_rank_is_searched_for_what_has_not_finished),
           TEST(names_twenty_steps_of_a_cycle), TEST(names_a_deadlock_by_rendezvous),
           TEST(of_several_receives_a_deadlock_goes_through_the_one_that_fits),
           TEST(a_message_larger_than_its_receive_is_an_error),
           TEST(of_several_errors_the_first_is_named), TEST(time_past_the_end_is_an_error),
           TEST(what_fails_before_the_end_of_time_is_named), TEST(huge_costs_are_an_error_too))
