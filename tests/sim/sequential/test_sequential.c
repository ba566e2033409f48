/* tests/sim/sequential/test_sequential.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "creation_judge.h"
#include "sched/goal.h"
#include "sim/error.h"
#include "sim/run.h"

#define PARAMS(LATENCY, OVERHEAD, GAP, PER_BYTE, EAGER)                                            \
    {                                                                                              \
        .L = (LATENCY)*SIM_NS, .o = (OVERHEAD)*SIM_NS, .g = (GAP)*SIM_NS,                          \
        .G = (PER_BYTE)*SIM_NS * SIM_RATE_PER_PS, .S = (EAGER), .progress = SIM_PROGRESS_ASYNC,    \
        .rendezvous = SIM_RENDEZVOUS_INSTANT, .order = SIM_ORDER_CREATION                          \
    }

/* The parameters of the examples in docs/model.md, section 4.4, all but the smallest eager or not.
 */
static const sim_params EAGER = PARAMS(1000, 100, 50, 2, 100000);
static const sim_params RENDEZVOUS = PARAMS(1000, 100, 50, 2, 10);

static sim_graph *parse(const char *text)
{
    g_autoptr(GError) error = NULL;
    sim_graph *graph = sched_goal_read_data("test.goal", text, strlen(text), false, &error);
    CHECK(graph != NULL, "%s", error != NULL ? error->message : "");
    return graph;
}

/* LogGOPSim prints 1750, 21024, 33565: commit 76451de1. Rank 2 ends at 30852 if what became ready
 * first goes first, since there a message waits for the CPU and its receive is posted at the
 * instant at which that is free. */
static void takes_the_message_that_was_sent_before_the_calc_was_ready(void)
{
    static const sim_params params = PARAMS(9900, 1750, 3400, 1, 65535);
    g_autoptr(sim_graph) graph = parse("num_ranks 3\n"
                                       "rank 0 {\nl1: send 964b to 1 tag 2\n}\n"
                                       "rank 1 {\nl1: calc 14811\nl2: send 1514b to 2 tag 0\n"
                                       "l3: send 892b to 2 tag 1\nl4: recv 964b from 0 tag 2\n"
                                       "l3 requires l2\n}\n"
                                       "rank 2 {\nl1: calc 13550\nl2: recv 1514b from 1 tag 0\n"
                                       "l3: recv 892b from 1 tag 1\nl2 requires l1\n}\n");
    g_autoptr(sim_result) result = sim_run(sim_graph_program(graph), &params, NULL, NULL);
    CHECK_I64(result->finish[0], 1750 * SIM_NS);
    CHECK_I64(result->finish[1], 21024 * SIM_NS);
    CHECK_I64(result->finish[2], 33565 * SIM_NS);
    CHECK_I64(result->makespan_rank, 2);
    CHECK_I64(result->num_ops, 8);
    CHECK_I64(result->num_messages, 3);
}

typedef struct defect {
    const char *text;
    const sim_params *params;
    sim_time finish[2]; /* ns, here */
    sim_departure_kind kind;
    const char *named; /* the beginning of the line */
} defect;

/* docs/model.md, section 4.4. */
static void names_the_defects_of_loggopsim(void)
{
    static const defect row[] = {
        {"num_ranks 1\nrank 0 {\nl1: calc 1000\nl2: calc 500 cpu 1\nl2 requires l1\n}\n",
         &EAGER,
         {1500},
         SIM_DEPARTURE_BACKWARDS,
         "rank 0, l2: what it waits for ends on another CPU"},
        {"num_ranks 2\nrank 0 {\nsend 11b to 1\n}\nrank 1 {\nl1: recv 11b from 0\n"
         "l2: calc 5000 cpu 1\nl2 requires l1\n}\n",
         &EAGER,
         {100, 6220},
         SIM_DEPARTURE_BACKWARDS,
         "rank 1, l2: "},
        {"num_ranks 2\nrank 0 {\nl1: send 11b to 1 tag 5 cpu 1\n}\nrank 1 {\n"
         "l1: recv 11b from 0 tag 5 cpu 1\nl2: recv 11b from 1 tag 6\n"
         "l3: send 11b to 1 tag 6 cpu 1\n}\n",
         &EAGER,
         {100, 1340},
         SIM_DEPARTURE_PLACE,
         "rank 1, l2: its cpu or nic is not that of the message"},
        {"num_ranks 2\nrank 0 {\nl1: send 20b to 1 tag 5\nl2: calc 7\nl2 requires l1\n}\n"
         "rank 1 {\nl1: calc 50000 cpu 1\nl2: recv 20b from 0 tag 5 cpu 1\nl2 requires l1\n}\n",
         &RENDEZVOUS,
         {50007, 50000},
         SIM_DEPARTURE_RELEASE,
         "rank 1, l2: its cpu or nic is not that of the rendezvous message"},
        {"num_ranks 2\nrank 0 {\nl1: send 20b to 1\nl2: calc 777\nl2 requires l1\n}\n"
         "rank 1 {\nl1: calc 50000\nl2: recv 5b from 0\nl2 requires l1\n}\n",
         &RENDEZVOUS,
         {50777, 50138},
         SIM_DEPARTURE_SIZE,
         "rank 1, l2: its size is not that of the message"},
        {"num_ranks 2\nrank 0 {\nl1: send 5b to 1\n}\n"
         "rank 1 {\nl1: calc 50000\nl2: recv 20b from 0\nl2 requires l1\n}\n",
         &RENDEZVOUS,
         {100, 50108},
         SIM_DEPARTURE_SIZE,
         "rank 1, l2: "},
        {"num_ranks 2\nrank 0 {\nl1: send 0b to 1\n}\nrank 1 {\nl1: recv 0b from 0\n}\n",
         &EAGER,
         {100, 1200},
         SIM_DEPARTURE_EMPTY,
         "rank 0, l1: a message of 0 bytes"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        const defect *d = &row[i];
        g_autoptr(sim_graph) graph = parse(d->text);
        const sim_program *program = sim_graph_program(graph);
        g_autoptr(GError) error = NULL;
        g_autoptr(sim_result) result = sim_run(program, d->params, NULL, &error);
        if (!CHECK(result != NULL, "row %zu: %s", i, error != NULL ? error->message : "")) {
            continue;
        }
        for (uint32_t r = 0; r < result->num_ranks; r++) {
            CHECK_I64(result->finish[r], d->finish[r] * SIM_NS, "row %zu, rank %u", i, r);
        }
        for (int k = 0; k < SIM_NUM_DEPARTURES; k++) {
            g_autofree char *line =
                sim_departure_describe(program, (sim_departure_kind)k, &result->departure[k]);
            CHECK(line == NULL || k == (int)d->kind, "row %zu: %s", i, line);
            CHECK(k != (int)d->kind || (line != NULL && g_str_has_prefix(line, d->named)),
                  "row %zu: %s", i, line);
        }
    }
}

/* Seventeen at once, by the sends of one rank; sixteen are no matter. */
static void names_what_is_too_many_for_a_small_sort(void)
{
    for (uint32_t n = 16; n <= 18; n++) {
        sim_graph_builder *b = sim_graph_builder_new(1);
        sim_graph_builder_begin_rank(b, 0);
        for (uint32_t i = 0; i <= n; i++) {
            const sim_op calc = {.type = SIM_OP_CALC, .size = SIM_NS};
            sim_graph_builder_add(b, &calc);
            if (i > 0) {
                sim_graph_builder_require(b, i, 0);
            }
        }
        g_autoptr(sim_graph) graph = sim_graph_builder_finish(b, NULL);
        const sim_program *program = sim_graph_program(graph);
        g_autoptr(sim_result) result = sim_run(program, &EAGER, NULL, NULL);
        const sim_departure *d = &result->departure[SIM_DEPARTURE_SORT];
        g_autofree char *line = sim_departure_describe(program, SIM_DEPARTURE_SORT, d);
        CHECK_I64(d->count, n > 16);
        CHECK(n <= 16 || g_str_has_prefix(line, "rank 0, l2: more than 16 operations"), "%s", line);
    }
}

static void counts_how_often(void)
{
    g_autoptr(sim_graph) graph = parse("num_ranks 1\nrank 0 {\nl1: send 0b to 0\n"
                                       "l2: send 0b to 0\nl3: send 0b to 0\nrecv 0b from 0\n"
                                       "recv 0b from 0\nrecv 0b from 0\n}\n");
    const sim_program *program = sim_graph_program(graph);
    g_autoptr(sim_result) result = sim_run(program, &EAGER, NULL, NULL);
    g_autofree char *line = sim_departure_describe(program, SIM_DEPARTURE_EMPTY,
                                                   &result->departure[SIM_DEPARTURE_EMPTY]);
    CHECK(g_str_has_suffix(line, "(and 2 more times)"), "%s", line);
}

/* Many that wait for one CPU, of sizes that all differ, on both sides of S. */
static void keeps_long_lines_in_order(void)
{
    enum { RANKS = 40, EACH = 12 };
    sim_graph_builder *b = sim_graph_builder_new(RANKS);
    for (uint32_t r = 0; r < RANKS; r++) {
        sim_graph_builder_begin_rank(b, r);
        for (uint32_t k = 0; k < EACH * (r == 0 ? RANKS - 1 : 1); k++) {
            const uint32_t source = k / EACH + 1;
            const sim_op op = {.type = r == 0 ? SIM_OP_RECV : SIM_OP_SEND,
                               .size = r == 0 ? source * 100 + k % EACH : r * 100 + k,
                               .peer = r == 0 ? source : 0,
                               .tag = r == 0 ? source * EACH + k % EACH : r * EACH + k};
            sim_graph_builder_add(b, &op);
        }
        const sim_op calc = {.type = SIM_OP_CALC, .size = 3000 * SIM_NS};
        sim_graph_builder_add(b, &calc);
    }
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(b, NULL);
    sim_params params = EAGER;
    params.S = 2000;
    sim_time slow[RANKS];
    const creation_outcome judged = creation_judge_run(graph, &params, slow);
    g_autoptr(sim_result) result = sim_run(sim_graph_program(graph), &params, NULL, NULL);
    CHECK_I64(result->num_ops + result->num_messages, judged.num_events);
    for (uint32_t r = 0; r < RANKS; r++) {
        CHECK_I64(result->finish[r], slow[r], "rank %u", r);
    }
}

static void tells_what_is_left_over(void)
{
    g_autoptr(sim_graph) graph = parse("num_ranks 2\nrank 0 {\nl1: send 11b to 1 tag 7\n"
                                       "l2: recv 8b from 1\nl3: calc 5\nl3 requires l2\n}\n"
                                       "rank 1 {\n}\n");
    g_autoptr(GError) error = NULL;
    CHECK(sim_run(sim_graph_program(graph), &EAGER, NULL, &error) == NULL);
    CHECK(g_error_matches(error, SIM_ERROR, SIM_ERROR_UNMATCHED));
    CHECK_ERROR(error, "2 messages or receives without a partner, 1 operation never started");
    CHECK_ERROR(error, "rank 0, l1: send of 11 bytes to rank 1, tag 7: waits for a receive");
    CHECK_ERROR(error, "rank 0, l2: receive of 8 bytes from rank 1, tag 0: waits for a message");
}

static void says_where_time_runs_out(void)
{
    for (int last = 0; last < 2; last++) {
        sim_graph_builder *b = sim_graph_builder_new(2);
        sim_graph_builder_begin_rank(b, 1);
        const sim_op calc = {.type = SIM_OP_CALC, .size = SIM_TIME_MAX - 10};
        const sim_op send = {.type = SIM_OP_SEND, .size = 1, .peer = 1};
        const sim_op receive = {.type = SIM_OP_RECV, .size = 1, .peer = 1};
        sim_graph_builder_add(b, &calc);
        sim_graph_builder_add(b, last == 0 ? &calc : &send);
        sim_graph_builder_require(b, 1, 0);
        sim_graph_builder_add(b, &receive);
        g_autoptr(sim_graph) graph = sim_graph_builder_finish(b, NULL);
        g_autoptr(GError) error = NULL;
        CHECK(sim_run(sim_graph_program(graph), &EAGER, NULL, &error) == NULL);
        CHECK(g_error_matches(error, SIM_ERROR, SIM_ERROR_OVERFLOW));
        CHECK_ERROR(error, "rank 1: simulated time passes");
    }
}

static sim_time no_noise(const sim_noise *noise, uint32_t rank, sim_time start, sim_time work)
{
    (void)noise;
    (void)rank;
    return start + work;
}

static void refuses_what_loggopsim_has_no_rules_for(void)
{
    g_autoptr(sim_graph) graph = parse("num_ranks 1\nrank 0 {\ncalc 5\n}\n");
    const sim_noise noise = {.finish = no_noise};
    sim_levels nodes = {.has_node = true};
    sim_sink sink = {NULL};
    const sim_run_options options[] = {
        {.noise = &noise}, {.levels = &nodes}, {.sink = &sink}, {.explain = true}};
    static const char *const words[] = {"noise", "nodes", "stream of events", "record"};
    for (size_t i = 0; i < G_N_ELEMENTS(options); i++) {
        g_autoptr(GError) error = NULL;
        CHECK(sim_run(sim_graph_program(graph), &EAGER, &options[i], &error) == NULL);
        CHECK(g_error_matches(error, SIM_ERROR, SIM_ERROR_BAD_MACHINE));
        CHECK_ERROR(error, words[i]);
    }
    sim_params polling = EAGER;
    polling.progress = SIM_PROGRESS_POLLING;
    g_autoptr(GError) error = NULL;
    CHECK(sim_run(sim_graph_program(graph), &polling, NULL, &error) == NULL);
    CHECK_ERROR(error, "another progress than async");
}

typedef struct impatient {
    sim_watch base;
    uint64_t seen;
} impatient;

static bool look_once(sim_watch *watch, uint64_t num_ops, sim_time now)
{
    (void)now;
    ((impatient *)(void *)watch)->seen = num_ops;
    return false;
}

static void stops_when_the_watch_says_so(void)
{
    enum { OPS = 200000 };
    sim_graph_builder *b = sim_graph_builder_new(1);
    sim_graph_builder_begin_rank(b, 0);
    for (uint32_t i = 0; i < OPS; i++) {
        const sim_op calc = {.type = SIM_OP_CALC, .size = SIM_NS};
        sim_graph_builder_add(b, &calc);
        if (i > 0) {
            sim_graph_builder_require(b, i, i - 1);
        }
    }
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(b, NULL);
    impatient watch = {.base.look = look_once};
    const sim_run_options options = {.watch = &watch.base};
    g_autoptr(GError) error = NULL;
    CHECK(sim_run(sim_graph_program(graph), &EAGER, &options, &error) == NULL);
    CHECK(g_error_matches(error, SIM_ERROR, SIM_ERROR_STOPPED));
    CHECK(watch.seen > 0 && watch.seen < OPS, "%" PRIu64, watch.seen);
}

SUITE_MAIN("sequential", TEST(takes_the_message_that_was_sent_before_the_calc_was_ready),
           TEST(names_the_defects_of_loggopsim), TEST(names_what_is_too_many_for_a_small_sort),
           TEST(counts_how_often), TEST(keeps_long_lines_in_order), TEST(tells_what_is_left_over),
           TEST(says_where_time_runs_out), TEST(refuses_what_loggopsim_has_no_rules_for),
           TEST(stops_when_the_watch_says_so))
