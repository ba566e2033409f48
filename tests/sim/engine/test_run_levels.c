/* tests/sim/engine/test_run_levels.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The engine on machines with nodes and distance: small programs whose times are worked out by hand
 * from docs/model.md, section 10.3, and what must not change anything.
 */
#include "check.h"
#include "random_program.h"
#include "sim/error.h"
#include "sim/graph.h"
#include "sim/run.h"

#define SEED 20101113U

enum { RANKS = 4, MOST = 8 };

/* Times in ps. A byte beyond the first: network G = 2, O = 1; node G = 1, O = 0. */
static const sim_params NETWORK = {
    .L = 1000, .o = 10, .g = 100, .G = 2 * SIM_RATE_PER_PS, .O = 1 * SIM_RATE_PER_PS, .S = 20};
static const sim_level NODE = {.L = 50, .o = 3, .g = 7, .G = 1 * SIM_RATE_PER_PS, .O = 0, .S = 10};

/* An operation; all of a rank are ready at 0 but those that require the one before. */
typedef struct step {
    uint32_t rank;
    sim_op_type type;
    uint32_t peer;
    int64_t size;
    bool follows;
} step;

typedef struct example {
    const char *name;
    step program[MOST]; /* by rank; the first of no size and rank RANKS ends it */
    sim_time finish[RANKS];
    sim_time node_g; /* instead of NODE's; 0: NODE's */
    sim_progress progress;
    sim_rendezvous rendezvous;
    const char *distance; /* NULL: none */
    bool no_node;
    bool cyclic;
} example;

#define CALC(rank, time)                                                                           \
    {                                                                                              \
        rank, SIM_OP_CALC, 0, time, false                                                          \
    }
#define SEND(rank, to, bytes)                                                                      \
    {                                                                                              \
        rank, SIM_OP_SEND, to, bytes, false                                                        \
    }
#define RECV(rank, from, bytes)                                                                    \
    {                                                                                              \
        rank, SIM_OP_RECV, from, bytes, false                                                      \
    }
#define THEN_SEND(rank, to, b)                                                                     \
    {                                                                                              \
        rank, SIM_OP_SEND, to, b, true                                                             \
    }
#define THEN_RECV(rank, from, b)                                                                   \
    {                                                                                              \
        rank, SIM_OP_RECV, from, b, true                                                           \
    }
#define END                                                                                        \
    {                                                                                              \
        RANKS, SIM_OP_CALC, 0, 0, false                                                            \
    }

static sim_graph *graph_of(const step *program)
{
    sim_graph_builder *b = sim_graph_builder_new(RANKS);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        sim_graph_builder_begin_rank(b, rank);
        for (const step *s = program; s->rank < RANKS; s++) {
            if (s->rank == rank) {
                const sim_op op = {.type = (uint8_t)s->type, .peer = s->peer, .size = s->size};
                const uint32_t index = sim_graph_builder_add(b, &op);
                if (s->follows) {
                    sim_graph_builder_require(b, index, index - 1);
                }
            }
        }
    }
    return sim_graph_builder_finish(b, NULL);
}

static sim_levels levels_of(const example *x)
{
    sim_levels levels = {.has_node = !x->no_node, .node = NODE};
    levels.placement = x->cyclic ? sim_placement_cyclic(RANKS, 2) : sim_placement_block(RANKS, 2);
    if (x->node_g > 0) {
        levels.node.g = x->node_g;
    }
    if (x->distance != NULL) {
        CHECK(sim_distance_parse(x->distance, 30, &levels.distance, NULL), "%s", x->distance);
    }
    return levels;
}

/* Without a record and with one: other turns are compiled for each. */
static void check_example(const example *x)
{
    sim_params params = NETWORK;
    params.progress = x->progress;
    params.rendezvous = x->rendezvous;
    const sim_levels levels = levels_of(x);
    g_autoptr(sim_graph) graph = graph_of(x->program);
    for (int explain = 0; explain < 2; explain++) {
        const sim_run_options options = {.levels = &levels, .explain = explain == 1};
        g_autoptr(GError) error = NULL;
        g_autoptr(sim_result) r = sim_run(sim_graph_program(graph), &params, &options, &error);
        if (CHECK(r != NULL, "%s: %s", x->name, error != NULL ? error->message : "")) {
            for (uint32_t rank = 0; rank < RANKS; rank++) {
                CHECK_I64(r->finish[rank], x->finish[rank], "%s: rank %u", x->name, rank);
            }
        }
    }
}

static void check_examples(const example *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        check_example(&x[i]);
    }
}

/* Ranks 0 and 1 are on node 0, 2 and 3 on node 1. */
static void a_message_takes_the_parameters_of_its_level(void)
{
    static const example X[] = {
        /* o at 0, L, o; ten bytes more: 10 G at the receiver */
        {.name = "within",
         .program = {SEND(0, 1, 1), RECV(1, 0, 1), END},
         .finish = {3, 3 + 50 + 3}},
        {.name = "within, bytes",
         .program = {SEND(2, 3, 10), RECV(3, 2, 10), END},
         .finish = {0, 0, 3, 53 + 9 + 3}},
        /* ten bytes more: O at the sender and at the receiver, where G - O come before */
        {.name = "between",
         .program = {SEND(1, 2, 11), RECV(2, 1, 11), END},
         .finish = {0, 20, 10 + 1000 + 10 + 20}},
        {.name = "to itself", .program = {SEND(0, 0, 1), RECV(0, 0, 1), END}, .finish = {56}},
        {.name = "to itself, one level",
         .program = {SEND(0, 0, 1), RECV(0, 0, 1), END},
         .finish = {1020},
         .no_node = true},
        /* cyclic: 0 and 2 are on node 0 */
        {.name = "cyclic, between",
         .program = {SEND(0, 1, 1), RECV(1, 0, 1), END},
         .finish = {10, 1020},
         .cyclic = true},
        {.name = "cyclic, within",
         .program = {SEND(0, 2, 1), RECV(2, 0, 1), END},
         .finish = {3, 0, 56},
         .cyclic = true},
        /* accepted at 53; the CPU is held for o and 9 G */
        {.name = "async",
         .program = {SEND(0, 1, 10), RECV(1, 0, 10), END},
         .finish = {3, 53 + 3 + 9},
         .progress = SIM_PROGRESS_ASYNC},
    };
    check_examples(X, G_N_ELEMENTS(X));
}

static void each_level_has_interfaces_of_its_own(void)
{
    static const example X[] = {
        /* the second send starts when the CPU is free, at 10, and not at the gap's end, 100 */
        {.name = "sends: the network's gap",
         .program = {SEND(0, 2, 1), SEND(0, 1, 1), RECV(1, 0, 1), RECV(2, 0, 1), END},
         .finish = {13, 13 + 50 + 3, 1020}},
        /* at 3, not at 500 */
        {.name = "sends: the node's gap",
         .program = {SEND(0, 1, 1), SEND(0, 2, 1), RECV(1, 0, 1), RECV(2, 0, 1), END},
         .finish = {13, 56, 13 + 1000 + 10},
         .node_g = 500},
        /* from 3 to 7 the interface is busy; so it is at the receiver, from 53 to 60 */
        {.name = "sends of one level",
         .program = {SEND(0, 1, 1), SEND(0, 1, 1), RECV(1, 0, 1), RECV(1, 0, 1), END},
         .finish = {7 + 3, 60 + 3}},
        /* both there at 1010: o of the network first, then o of the node, and no gap between */
        {.name = "receives",
         .program = {CALC(0, 957), THEN_SEND(0, 1, 1), RECV(1, 2, 1), RECV(1, 0, 1), SEND(2, 1, 1),
                     END},
         .finish = {960, 1010 + 10 + 3, 10}},
        /* accepted in the order of their sources */
        {.name = "acceptances",
         .program = {CALC(0, 957), THEN_SEND(0, 1, 1), RECV(1, 2, 1), RECV(1, 0, 1), SEND(2, 1, 1),
                     END},
         .finish = {960, 1010 + 3 + 10, 10},
         .progress = SIM_PROGRESS_ASYNC},
    };
    check_examples(X, G_N_ELEMENTS(X));
}

static void the_cpu_is_shared(void)
{
    static const example X[] = {
        /* the receive is taken up at 53, when the CPU is in the calc, until 200 */
        {.name = "a calc",
         .program = {SEND(0, 1, 1), RECV(1, 0, 1), CALC(1, 200), END},
         .finish = {3, 203}},
        /* o of the network from 1005 on: a message within the node is there at 1010, and waits */
        {.name = "an overhead of the network",
         .program = {CALC(0, 957), THEN_SEND(0, 1, 1), RECV(1, 0, 1), CALC(1, 1005),
                     THEN_SEND(1, 2, 1), RECV(2, 1, 1), END},
         .finish = {960, 1005 + 10 + 3, 1015 + 1000 + 10}},
    };
    check_examples(X, G_N_ELEMENTS(X));
}

/* 15 bytes are more than S = 10 of the node, and less than the network's 20. */
static void each_level_has_its_own_largest_eager_message(void)
{
    static const example X[] = {
        /* posted at 5000; clear-to-send at 5050, 14 G; data at 5100, after 14 G taken up */
        {.name = "rendezvous within",
         .program = {SEND(0, 1, 15), CALC(1, 5000), THEN_RECV(1, 0, 15), END},
         .finish = {5050 + 14, 5100 + 14 + 3}},
        {.name = "rendezvous within, instant",
         .program = {SEND(0, 1, 15), CALC(1, 5000), THEN_RECV(1, 0, 15), END},
         .finish = {5000, 5000 + 3},
         .rendezvous = SIM_RENDEZVOUS_INSTANT},
        {.name = "eager between",
         .program = {SEND(0, 2, 15), CALC(2, 5000), THEN_RECV(2, 0, 15), END},
         .finish = {10 + 14, 0, 5000 + 10 + 14}},
    };
    check_examples(X, G_N_ELEMENTS(X));
}

/* Nodes 0 and 1 are neighbours in a torus: two switches on the way, L_hop = 30. */
static void distance_is_added_to_every_flight(void)
{
    static const example X[] = {
        {.name = "eager",
         .program = {SEND(0, 2, 1), RECV(2, 0, 1), END},
         .finish = {10, 0, 10 + 1030 + 10},
         .distance = "torus:2"},
        /* request at 1040, clear-to-send at 2070, 24 G; data at 3100, 24 (G - O), o + 24 O */
        {.name = "handshake",
         .program = {SEND(0, 2, 25), RECV(2, 0, 25), END},
         .finish = {2070 + 48, 0, 3100 + 24 + 10 + 24},
         .distance = "torus:2"},
        {.name = "instant",
         .program = {SEND(0, 2, 25), RECV(2, 0, 25), END},
         .finish = {1040, 0, 1040 + 24 + 10 + 24},
         .distance = "torus:2",
         .rendezvous = SIM_RENDEZVOUS_INSTANT},
        {.name = "not within a node",
         .program = {SEND(0, 1, 1), RECV(1, 0, 1), END},
         .finish = {3, 56},
         .distance = "torus:2"},
        {.name = "nor there without a level",
         .program = {SEND(0, 1, 1), RECV(1, 0, 1), END},
         .finish = {10, 1020},
         .distance = "torus:2",
         .no_node = true},
        /* both nodes are on one leaf */
        {.name = "one switch",
         .program = {SEND(0, 2, 1), RECV(2, 0, 1), END},
         .finish = {10, 0, 1020},
         .distance = "fat-tree:4:2"},
    };
    check_examples(X, G_N_ELEMENTS(X));
}

/* A distance of 0 makes windows no narrower and nothing later. */
static void levels_that_say_nothing_change_nothing(void)
{
    for (unsigned k = 0; k < 100; k++) {
        GRand *random = g_rand_new_with_seed(SEED + k);
        const random_shape shape = {.max_ranks = 12,
                                    .max_steps = 60,
                                    .max_cpus = 1 + k % 3,
                                    .max_nics = 1 + k / 2 % 3,
                                    .max_size = 60,
                                    .max_calc = 5000,
                                    .wildcards = true};
        g_autoptr(sim_graph) graph = random_program(random, &shape);
        sim_params params = random_params(random, shape.max_size);
        g_rand_free(random);
        params.progress = k & 1 ? SIM_PROGRESS_ASYNC : SIM_PROGRESS_POLLING;
        params.rendezvous = k & 2 ? SIM_RENDEZVOUS_INSTANT : SIM_RENDEZVOUS_HANDSHAKE;
        sim_levels levels = {.placement = sim_placement_block(sim_graph_num_ranks(graph), 3)};
        CHECK(k % 3 == 0 || sim_distance_parse("torus:4x4", 0, &levels.distance, NULL));
        const sim_run_options options = {.levels = &levels};
        const sim_program *program = sim_graph_program(graph);
        g_autoptr(sim_result) one = sim_run(program, &params, NULL, NULL);
        g_autoptr(sim_result) all = sim_run(program, &params, &options, NULL);
        CHECK((one == NULL) == (all == NULL), "seed %u", SEED + k);
        for (uint32_t r = 0; one != NULL && all != NULL && r < one->num_ranks; r++) {
            CHECK_I64(all->finish[r], one->finish[r], "seed %u, rank %u", SEED + k, r);
        }
    }
}

/* They are counted in a byte, twice. */
static void too_many_interfaces_are_refused(void)
{
    sim_graph_builder *b = sim_graph_builder_new(1);
    sim_graph_builder_begin_rank(b, 0);
    sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_SEND, .nic = 128});
    sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_RECV});
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(b, NULL);
    sim_levels levels = {.placement = sim_placement_block(1, 1), .has_node = true, .node = NODE};
    const sim_run_options options = {.levels = &levels};
    g_autoptr(GError) error = NULL;
    CHECK(sim_run(sim_graph_program(graph), &NETWORK, &options, &error) == NULL);
    CHECK(g_error_matches(error, SIM_ERROR, SIM_ERROR_BAD_PROGRAM));
    CHECK_ERROR(error, "interface 128");
    levels.has_node = false;
    g_autoptr(sim_result) result = sim_run(sim_graph_program(graph), &NETWORK, &options, NULL);
    CHECK(result != NULL, "one level has up to 255");
}

/* Twice the interfaces are twice the clocks: 4 of each direction more, and so a cache line. */
static void the_estimate_counts_interfaces_of_both_levels(void)
{
    const sim_program like = {.num_cpus = 1, .num_nics = 4};
    sim_levels levels = {.placement = sim_placement_block(1000, 4), .has_node = true, .node = NODE};
    sim_run_options options = {0};
    const uint64_t one = sim_run_estimate(1000, &like, &NETWORK, &options).bytes;
    options.levels = &levels;
    CHECK_I64(sim_run_estimate(1000, &like, &NETWORK, &options).bytes, one + UINT64_C(1000) * 64);
    options.threads = 2;
    options.serial_below = 1;
    CHECK_I64(sim_run_estimate(1000, &like, &NETWORK, &options).threads, 2);
    levels.node.o = levels.node.L = 0; /* no lookahead */
    CHECK_I64(sim_run_estimate(1000, &like, &NETWORK, &options).threads, 1);
}

SUITE_MAIN("run_levels", TEST(a_message_takes_the_parameters_of_its_level),
           TEST(each_level_has_interfaces_of_its_own), TEST(the_cpu_is_shared),
           TEST(each_level_has_its_own_largest_eager_message),
           TEST(distance_is_added_to_every_flight), TEST(levels_that_say_nothing_change_nothing),
           TEST(too_many_interfaces_are_refused),
           TEST(the_estimate_counts_interfaces_of_both_levels))
