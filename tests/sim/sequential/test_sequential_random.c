/* tests/sim/sequential/test_sequential_random.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The order of creation on programs at random, against the slow judge. Values are coarse and often
 * zero, so that much waits for one CPU at one instant.
 */
#include "check.h"
#include "creation_judge.h"
#include "sim/error.h"
#include "sim/run.h"

enum { PROGRAMS = 12000, MOST_OPS = 24 };

static uint32_t below(GRand *random, uint32_t n)
{
    return (uint32_t)g_rand_int_range(random, 0, (gint32)n);
}

/* What programs are like. */
typedef struct manner {
    uint32_t ranks, steps, cpus, nics;
    bool crosswise;  /* dependencies between CPUs, receives elsewhere than their sends */
    bool wildcards;  /* all receives take anything */
    bool loose;      /* some do, at random: a program may get stuck */
    bool same_size;  /* all messages; else receives have that of their message */
    uint32_t hubs;   /* one dependency in so many is on the first operation of the CPU */
    uint32_t sparse; /* one operation in so many depends on nothing */
} manner;

/* The operations of a rank so far. */
typedef struct place {
    GArray *op;   /* of sim_op */
    GArray *edge; /* of sim_edge */
} place;

static void append(GRand *random, const manner *m, place *at, const sim_op *op)
{
    const uint32_t index = at->op->len;
    g_array_append_vals(at->op, op, 1);
    const uint32_t tries = below(random, m->sparse) == 0 ? 0 : 1 + below(random, 3);
    for (uint32_t k = 0; k < tries && index > 0; k++) {
        const uint32_t near = index > 6 && below(random, 4) != 0 ? 6 : index;
        uint32_t earlier = index - 1 - below(random, near);
        if (below(random, m->hubs) == 0) {
            earlier = 0;
        }
        const sim_op *other = &g_array_index(at->op, sim_op, earlier);
        if (!m->crosswise && other->cpu != op->cpu) {
            continue;
        }
        const sim_edge edge = {index, earlier, below(random, 3) == 0};
        g_array_append_vals(at->edge, &edge, 1);
    }
}

static void add_message(GRand *random, const manner *m, place *places)
{
    sim_op send = {.type = SIM_OP_SEND,
                   .size = m->same_size ? 3 : 1 + below(random, 5),
                   .peer = below(random, m->ranks),
                   .tag = below(random, 2),
                   .cpu = (uint8_t)below(random, m->cpus),
                   .nic = (uint8_t)below(random, m->nics)};
    const uint32_t from = below(random, m->ranks);
    const uint32_t to = send.peer;
    sim_op receive = send;
    receive.type = SIM_OP_RECV;
    receive.peer = from;
    if (m->crosswise) {
        receive.cpu = (uint8_t)below(random, m->cpus);
        receive.nic = (uint8_t)below(random, m->nics);
        receive.size = below(random, 8);
        send.size = below(random, 8);
    }
    if (m->wildcards) {
        receive.peer = receive.tag = SIM_ANY;
    }
    if (m->loose && below(random, 3) == 0) {
        receive.peer = SIM_ANY;
    }
    if (m->loose && below(random, 3) == 0) {
        *(below(random, 2) == 0 ? &receive.tag : &send.tag) = SIM_ANY;
    }
    append(random, m, &places[from], &send);
    append(random, m, &places[to], &receive);
}

static sim_graph *draw_program(GRand *random, const manner *m)
{
    place places[8];
    for (uint32_t r = 0; r < m->ranks; r++) {
        places[r].op = g_array_new(FALSE, FALSE, sizeof(sim_op));
        places[r].edge = g_array_new(FALSE, FALSE, sizeof(sim_edge));
    }
    for (uint32_t i = 0; i < m->steps; i++) {
        if (below(random, 3) == 0) {
            const sim_op calc = {.type = SIM_OP_CALC,
                                 .size = (int64_t)below(random, 6) * 100 * SIM_NS,
                                 .cpu = (uint8_t)below(random, m->cpus)};
            append(random, m, &places[below(random, m->ranks)], &calc);
        } else {
            add_message(random, m, places);
        }
    }
    sim_graph_builder *b = sim_graph_builder_new(m->ranks);
    for (uint32_t r = 0; r < m->ranks; r++) {
        sim_graph_builder_begin_rank(b, r);
        for (guint i = 0; i < places[r].op->len; i++) {
            sim_graph_builder_add(b, &g_array_index(places[r].op, sim_op, i));
        }
        sim_graph_builder_edges(b, (const sim_edge *)(const void *)places[r].edge->data,
                                places[r].edge->len);
    }
    g_autoptr(GError) error = NULL;
    sim_graph *graph = sim_graph_builder_finish(b, &error);
    CHECK(graph != NULL, "%s", error != NULL ? error->message : "");
    for (uint32_t r = 0; r < m->ranks; r++) {
        g_array_free(places[r].op, TRUE);
        g_array_free(places[r].edge, TRUE);
    }
    return graph;
}

static sim_params draw_params(GRand *random)
{
    const sim_time unit = 100 * SIM_NS;
    return (sim_params){.L = below(random, 6) * unit,
                        .o = below(random, 4) * unit,
                        .g = below(random, 4) * unit,
                        .G = below(random, 3) * unit * SIM_RATE_PER_PS,
                        .O = below(random, 2) * unit * SIM_RATE_PER_PS,
                        .S = below(random, 7),
                        .progress = SIM_PROGRESS_ASYNC,
                        .rendezvous = SIM_RENDEZVOUS_INSTANT,
                        .order = SIM_ORDER_CREATION};
}

/* Of which the engine computes something else, and says so. */
static bool is_corrected(const sim_result *result)
{
    return result->departure[SIM_DEPARTURE_BACKWARDS].count > 0 ||
           result->departure[SIM_DEPARTURE_RELEASE].count > 0 ||
           result->departure[SIM_DEPARTURE_SIZE].count > 0 ||
           result->departure[SIM_DEPARTURE_EMPTY].count > 0;
}

static bool may_be_corrected(const manner *m)
{
    return m->crosswise || !m->same_size || m->cpus > 1 || m->nics > 1;
}

typedef struct tally {
    uint32_t compared, on_several_cpus, corrected, stuck;
    uint64_t postponed; /* in those that were compared */
} tally;

static void compare(uint32_t seed, const manner *m, GRand *random, tally *sum)
{
    g_autoptr(sim_graph) graph = draw_program(random, m);
    const sim_params params = draw_params(random);
    sim_time slow[8];
    const creation_outcome judged = creation_judge_run(graph, &params, slow);
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_result) result = sim_run(sim_graph_program(graph), &params, NULL, &error);
    if (result == NULL) {
        CHECK(g_error_matches(error, SIM_ERROR, SIM_ERROR_UNMATCHED), "seed %u: %s", seed,
              error->message);
        CHECK(may_be_corrected(m) || judged.left_over, "seed %u: %s", seed, error->message);
        sum->stuck++;
        return;
    }
    if (is_corrected(result)) {
        CHECK(may_be_corrected(m), "seed %u: there is nothing to correct", seed);
        sum->corrected++;
        return;
    }
    CHECK(!judged.left_over, "seed %u: the judge has something left over", seed);
    CHECK_I64(result->num_ops + result->num_messages, judged.num_events, "seed %u", seed);
    for (uint32_t r = 0; r < m->ranks; r++) {
        CHECK_I64(result->finish[r], slow[r], "seed %u, rank %u", seed, r);
    }
    sum->compared++;
    sum->on_several_cpus += m->cpus > 1;
    sum->postponed += judged.postponed;
}

static void equals_the_judge(void)
{
    tally sum = {0};
    for (uint32_t seed = 1; seed <= PROGRAMS; seed++) {
        GRand *random = g_rand_new_with_seed(seed);
        const manner m = {.ranks = 1 + below(random, 6),
                          .steps = 1 + below(random, MOST_OPS),
                          .cpus = 1 + below(random, 2) * below(random, 3),
                          .nics = 1 + below(random, 2) * below(random, 3),
                          .crosswise = below(random, 8) == 0,
                          .wildcards = below(random, 4) == 0,
                          .loose = below(random, 16) == 0,
                          .same_size = below(random, 2) == 0,
                          .hubs = 2 + below(random, 8),
                          .sparse = 1 + below(random, 6)};
        compare(seed, &m, random, &sum);
        g_rand_free(random);
    }
    printf("%u compared, %u of them on several CPUs; %" PRIu64 " times something was put back; "
           "%u corrected, %u stuck ... ",
           sum.compared, sum.on_several_cpus, sum.postponed, sum.corrected, sum.stuck);
    CHECK(sum.compared >= 5000, "only %u programs were compared", sum.compared);
    CHECK(sum.on_several_cpus >= 500, "%u", sum.on_several_cpus);
    CHECK(sum.postponed >= 50000, "%" PRIu64, sum.postponed);
    CHECK(sum.corrected >= 500, "%u", sum.corrected);
    CHECK(sum.stuck >= 10, "%u", sum.stuck);
}

SUITE_MAIN("sequential_random", TEST(equals_the_judge))
