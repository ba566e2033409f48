/* tests/sim/engine/test_run.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine on small programs whose times can be calculated by hand, and laws it must obey. */
#include "check.h"
#include "random_program.h"
#include "small_run.h"

#define SEED 20101113U

static void check_finish(sim_graph *graph, const sim_params *params, sim_time wanted0,
                         sim_time wanted1, const char *where)
{
    g_autoptr(sim_result) r = small_run(graph, params, NULL);
    if (r != NULL) {
        CHECK_I64(r->finish[0], wanted0, "%s", where);
        CHECK_I64(r->finish[1], wanted1, "%s", where);
        CHECK_I64(r->num_messages, 1, "%s", where);
        CHECK_I64(r->num_ops, 4, "%s", where);
    }
}

typedef struct cost {
    sim_time G, O; /* per byte */
} cost;

static const cost COSTS[] = {{2, 0}, {2, 3}, {0, 0}, {5, 5}};

/* docs/collectives.md, section 6.2: D(b) = 2o + L + (b - 1) max(O, G), to an idle, waiting rank. */
static void an_eager_message_to_a_waiting_rank(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(COSTS); i++) {
        for (int async = 0; async < 2; async++) {
            const sim_params p = {.L = 1000,
                                  .o = 100,
                                  .g = 50,
                                  .S = INT64_MAX,
                                  .G = COSTS[i].G * SIM_RATE_PER_PS,
                                  .O = COSTS[i].O * SIM_RATE_PER_PS,
                                  .progress = async ? SIM_PROGRESS_ASYNC : SIM_PROGRESS_POLLING};
            g_autofree char *where = g_strdup_printf("cost %zu, async %d", i, async);
            g_autoptr(sim_graph) g = small_one_message(7, 0, 11);
            check_finish(g, &p, 7 + 100 + 10 * COSTS[i].O,
                         7 + 200 + 1000 + 10 * MAX(COSTS[i].O, COSTS[i].G), where);
            g_autoptr(sim_graph) empty =
                small_one_message(7, 0, 0); /* 0 bytes cost what 1 byte costs */
            check_finish(empty, &p, 107, 7 + 1200, where);
        }
    }
}

/*
 * docs/sc10.md, E2: a late receive is free under async; under polling it still pays its own
 * o and O (docs/model.md, section 2, by hand).
 */
static void an_eager_message_to_a_late_receive(void)
{
    sim_params p = {.L = 1000,
                    .o = 100,
                    .g = 50,
                    .G = 2 * SIM_RATE_PER_PS,
                    .O = 3 * SIM_RATE_PER_PS,
                    .S = INT64_MAX};
    g_autoptr(sim_graph) g = small_one_message(0, 50000, 11);
    check_finish(g, &p, 130, 50000 + 100 + 30, "polling");
    p.progress = SIM_PROGRESS_ASYNC; /* accepted when the CPU is free again: after the calc */
    check_finish(g, &p, 130, 50000 + 100 + 30, "async");
    p.O = 0;
    check_finish(g, &p, 100, 50000 + 100 + 20, "async, b·G holds the CPU");
    p.progress = SIM_PROGRESS_POLLING;
    check_finish(g, &p, 100, 50000 + 100, "polling, the bytes are there");
}

/* E2, first part: X_r = max(T_s + N - T_r, 0) with N = o + L + b·G + o; a wait on another CPU. */
static void waiting_time_is_what_the_loggp_diagram_says(void)
{
    const sim_params p = {.L = 1000,
                          .o = 100,
                          .g = 50,
                          .G = 2 * SIM_RATE_PER_PS,
                          .S = INT64_MAX,
                          .progress = SIM_PROGRESS_ASYNC};
    const sim_time n = 100 + 1000 + 20 + 100;
    for (sim_time late = 0; late < 3000; late += 100) {
        sim_graph_builder *b = sim_graph_builder_new(2);
        sim_graph_builder_begin_rank(b, 0);
        small_add(b, SIM_OP_SEND, 1, 11, 0);
        sim_graph_builder_begin_rank(b, 1);
        const sim_op wait = {.type = SIM_OP_CALC, .size = late, .cpu = 1};
        sim_graph_builder_add(b, &wait); /* T_r, without occupying the CPU that accepts */
        small_add(b, SIM_OP_RECV, 0, 11, 0);
        sim_graph_builder_require(b, 1, 0);
        g_autoptr(sim_graph) g = sim_graph_builder_finish(b, NULL);
        g_autoptr(sim_result) r = small_run(g, &p, NULL);
        CHECK_I64(r->finish[1] - late, MAX(n - late, 0), "receive %d late", (int)late);
    }
}

/*
 * Numbers that LogGOPSim itself prints: L=1000 o=100 g=50 G=2 S=10, 11
 * bytes: sender released at o + L = 1100, receiver 1220. With a handshake, by hand: request at
 * 1100, clear-to-send and data 1000 each: data leave at 2100, arrive at 3100; and H later, if it is
 * said.
 */
static void a_rendezvous_ends_when_they_meet_or_after_a_handshake(void)
{
    sim_params p = {.L = 1000, .o = 100, .g = 50, .G = 2 * SIM_RATE_PER_PS, .S = 10};
    g_autoptr(sim_graph) early = small_one_message(0, 0, 11);
    g_autoptr(sim_graph) late = small_one_message(0, 50000, 11);
    check_finish(early, &p, 2100 + 20, 3100 + 20 + 100, "handshake, early receive");
    check_finish(late, &p, 51000 + 20, 52000 + 20 + 100, "handshake, late receive");
    p.H = 700;
    check_finish(early, &p, 2800 + 20, 3800 + 20 + 100, "H, early receive");
    check_finish(late, &p, 51700 + 20, 52700 + 20 + 100, "H, late receive");
    p.rendezvous = SIM_RENDEZVOUS_INSTANT;
    check_finish(early, &p, 1100, 1220, "instant, early receive");
    check_finish(late, &p, 50000, 50100, "instant, late receive");
    p.progress = SIM_PROGRESS_ASYNC;
    check_finish(early, &p, 1100, 1220, "LogGOPSim, early receive");
    p.S = 11;
    check_finish(early, &p, 100, 1220, "eager");
}

/* n sends in a row; the receiver has posted everything. */
static sim_graph *stream(uint32_t n, int64_t size)
{
    sim_graph_builder *b = sim_graph_builder_new(2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        sim_graph_builder_begin_rank(b, rank);
        for (uint32_t i = 0; i < n; i++) {
            small_add(b, rank == 0 ? SIM_OP_SEND : SIM_OP_RECV, 1 - rank, size, 0);
        }
    }
    return sim_graph_builder_finish(b, NULL);
}

/*
 * docs/collectives.md, section 6.2: sends start A(b) = max(o + (b-1)O, g + (b-1)G) apart;
 * receptions B(b) = max(o + (b-1)max(O,G), g + (b-1)G) apart under async, A(b) under polling. A
 * stream ends with the slower of the two.
 */
static void messages_in_a_row_keep_their_intervals(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(COSTS); i++) {
        for (sim_time g = 0; g < 400; g += 150) {
            sim_params p = {.L = 1000,
                            .o = 100,
                            .g = g,
                            .S = INT64_MAX,
                            .G = COSTS[i].G * SIM_RATE_PER_PS,
                            .O = COSTS[i].O * SIM_RATE_PER_PS};
            const sim_time m = 10 * MAX(COSTS[i].G, COSTS[i].O);
            const sim_time send = MAX(100 + 10 * COSTS[i].O, g + 10 * COSTS[i].G);
            const sim_time receive = MAX(100 + m, g + 10 * COSTS[i].G);
            g_autoptr(sim_graph) graph = stream(6, 11);
            g_autoptr(sim_result) polling = small_run(graph, &p, NULL);
            CHECK_I64(polling->finish[0], 5 * send + 100 + 10 * COSTS[i].O, "cost %zu", i);
            CHECK_I64(polling->finish[1], 1200 + m + 5 * send, "cost %zu g %d", i, (int)g);
            p.progress = SIM_PROGRESS_ASYNC;
            g_autoptr(sim_result) async = small_run(graph, &p, NULL);
            CHECK_I64(async->finish[1], 1200 + m + 5 * MAX(send, receive), "cost %zu g %d", i,
                      (int)g);
        }
    }
}

/*
 * Everybody sends to rank 0, which has posted all: docs/collectives.md, section 6.2. async:
 * D(m) + (p - 2) B(m), and the numbers of the table there; polling: every reception but the first
 * adds max(o + (m-1)O, g + (m-1)G).
 */
static void a_linear_gather_takes_what_the_closed_form_says(void)
{
    static const sim_time rows[][3] = {
        /* ranks, bytes, ns under async by the table (0: not in it) */
        {2, 1024, 11638}, {8, 1, 14500}, {32, 1024, 240778}, {16, 65536, 5924650}, {3000, 8, 0},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        const uint32_t n = (uint32_t)rows[i][0];
        sim_params p = {.L = 2500 * SIM_NS,
                        .o = 1500 * SIM_NS,
                        .g = 1000 * SIM_NS,
                        .G = 6 * SIM_NS * SIM_RATE_PER_PS,
                        .S = INT64_MAX};
        sim_graph_builder *b = sim_graph_builder_new(n);
        for (uint32_t rank = n - 1; rank > 0; rank--) {
            sim_graph_builder_begin_rank(b, rank);
            small_add(b, SIM_OP_SEND, 0, rows[i][1], 0);
        }
        sim_graph_builder_begin_rank(b, 0);
        for (uint32_t rank = 1; rank < n; rank++) {
            small_add(b, SIM_OP_RECV, rank, rows[i][1], 0);
        }
        g_autoptr(sim_graph) g = sim_graph_builder_finish(b, NULL);
        const sim_time m = (rows[i][1] - 1) * 6 * SIM_NS;
        const sim_time one = 2 * p.o + p.L + m;
        g_autoptr(sim_result) polling = small_run(g, &p, NULL);
        CHECK_I64(polling->makespan, one + (n - 2) * MAX(p.o, p.g + m), "%u ranks", n);
        p.progress = SIM_PROGRESS_ASYNC;
        g_autoptr(sim_result) async = small_run(g, &p, NULL);
        CHECK_I64(async->makespan, one + (n - 2) * MAX(p.o + m, p.g + m), "%u ranks", n);
        if (rows[i][2] != 0) {
            CHECK_I64(async->makespan, rows[i][2] * SIM_NS, "%u ranks", n);
        }
    }
}

/* docs/model.md, section 6.2: on chains nothing gets faster by more noise or a slower machine.
 */
static void no_rank_of_a_chain_gains_from_delays(void)
{
    const random_shape shape = {.max_ranks = 8,
                                .max_steps = 40,
                                .max_cpus = 1,
                                .max_nics = 1,
                                .blocking = true,
                                .max_size = 60,
                                .max_calc = 5000};
    unsigned sound = 0;
    for (unsigned k = 0; k < 300; k++) {
        GRand *random = g_rand_new_with_seed(SEED + k);
        g_autoptr(sim_graph) g = random_program(random, &shape);
        const sim_params base = random_params(random, shape.max_size);
        periodic_noise weak = random_noise(random);
        periodic_noise strong = weak; /* each detour contains that of the weak one */
        weak.length = (weak.length + 1) / 2;
        g_rand_free(random);
        sim_params slower[6] = {base, base, base, base, base, base};
        slower[0].L += 77;
        slower[1].o += 13;
        slower[2].g += 501;
        slower[3].G += SIM_RATE_PER_PS;
        slower[4].O += SIM_RATE_PER_PS;
        const sim_run_options quiet = {.noise = NULL};
        const sim_run_options weakly = {.noise = &weak.noise};
        const sim_run_options strongly = {.noise = &strong.noise};
        g_autoptr(sim_result) before = sim_run(sim_graph_program(g), &base, &weakly, NULL);
        g_autoptr(sim_result) silent = sim_run(sim_graph_program(g), &base, &quiet, NULL);
        for (size_t i = 0; before != NULL && i < G_N_ELEMENTS(slower); i++) {
            g_autoptr(sim_result) after =
                sim_run(sim_graph_program(g), &slower[i], i == 5 ? &strongly : &weakly, NULL);
            for (uint32_t r = 0; r < before->num_ranks; r++) {
                CHECK(after->finish[r] >= before->finish[r], "seed %u, change %zu, rank %u",
                      SEED + k, i, r);
                CHECK(silent->finish[r] <= before->finish[r], "seed %u, rank %u", SEED + k, r);
            }
            sound++;
        }
    }
    CHECK(sound > 600, "%u", sound);
}

/* docs/model.md, section 6.3. */
static void a_calc_in_two_parts_takes_as_long(void)
{
    GRand *random = g_rand_new_with_seed(SEED);
    const sim_params p = {.S = INT64_MAX};
    for (int k = 0; k < 500; k++) {
        const periodic_noise noise = random_noise(random);
        const sim_run_options options = {.noise = &noise.noise};
        const sim_time whole = g_rand_int_range(random, 0, 10000);
        const sim_time part = g_rand_int_range(random, 0, (gint32)whole + 1);
        sim_graph_builder *b = sim_graph_builder_new(2);
        sim_graph_builder_begin_rank(b, 0);
        small_add(b, SIM_OP_CALC, 0, whole, 0);
        g_autoptr(sim_graph) one = sim_graph_builder_finish(b, NULL);
        b = sim_graph_builder_new(2);
        sim_graph_builder_begin_rank(b, 0);
        small_add(b, SIM_OP_CALC, 0, part, 0);
        small_add(b, SIM_OP_CALC, 0, whole - part, 0);
        sim_graph_builder_require(b, 1, 0);
        g_autoptr(sim_graph) two = sim_graph_builder_finish(b, NULL);
        g_autoptr(sim_result) r1 = small_run(one, &p, &options);
        g_autoptr(sim_result) r2 = small_run(two, &p, &options);
        CHECK_I64(r2->finish[0], r1->finish[0], "%d of %d", (int)part, (int)whole);
    }
    g_rand_free(random);
}

/*
 * By hand: L=1000 o=100 G=2, rank 0 computes 500, sends 11 bytes, rank 1 receives. A detour of
 * 40 hits rank 0 (peer noise) at its 200th, one of 30 rank 1 (own) within the receive.
 */
static sim_time two_detours(const sim_noise *noise, uint32_t rank, sim_time start, sim_time work)
{
    (void)noise;
    const sim_time at = rank == 0 ? 200 : 1680;
    const sim_time length = rank == 0 ? 40 : 30;
    return start <= at && at < start + work ? start + work + length : start + work;
}

static void the_breakdown_names_every_part(void)
{
    const sim_noise noise = {.finish = two_detours};
    const sim_params p = {.L = 1000, .o = 100, .G = 2 * SIM_RATE_PER_PS, .S = INT64_MAX};
    const sim_run_options options = {.noise = &noise, .explain = true};
    g_autoptr(sim_graph) g = small_one_message(500, 0, 11);
    g_autoptr(sim_result) r = small_run(g, &p, &options);
    CHECK_I64(r->makespan, 500 + 40 + 100 + 1000 + 20 + 100 + 30);
    CHECK_I64(r->makespan_rank, 1);
    CHECK(r->explained);
    CHECK_I64(r->breakdown.compute, 500);
    CHECK_I64(r->breakdown.peer_noise, 40);
    CHECK_I64(r->breakdown.o, 200);
    CHECK_I64(r->breakdown.O, 0);
    CHECK_I64(r->breakdown.L, 1000);
    CHECK_I64(r->breakdown.gap, 20);
    CHECK_I64(r->breakdown.noise, 30);
    if (CHECK_I64(r->path_len, 3)) {
        CHECK(r->path[0].rank == 1 && r->path[0].op == 1 && r->path[0].type == SIM_OP_RECV);
        CHECK_I64(r->path[0].noise, 30);
        CHECK(r->path[1].rank == 0 && r->path[1].op == 1 && r->path[1].type == SIM_OP_SEND);
        CHECK_I64(r->path[1].finish, 1640);
        CHECK(r->path[2].rank == 0 && r->path[2].op == 0 && r->path[2].type == SIM_OP_CALC);
        CHECK_I64(r->path[2].noise, 40);
    }
}

/*
 * Computation counts in ones, O in thousands, gaps in millions, and so on; each less than a
 * thousand times on any path. So the digits of the makespan say what its parts are.
 */
static void the_parts_of_the_breakdown_are_the_digits_of_the_makespan(void)
{
    const random_shape shape = {.max_ranks = 12,
                                .max_steps = 40,
                                .max_cpus = 2,
                                .max_nics = 2,
                                .wildcards = true,
                                .max_size = 11,
                                .max_calc = 20};
    unsigned sound = 0;
    for (unsigned k = 0; k < 1200; k++) {
        GRand *random = g_rand_new_with_seed(SEED + k);
        g_autoptr(sim_graph) g = random_program(random, &shape);
        const bool bytes_on_cpu = g_rand_boolean(random); /* or on the wire */
        const sim_params p = {.L = 1000000000000,
                              .o = 1000000000,
                              .g = 1000000 * (sim_time)g_rand_int_range(random, 0, 3),
                              .G = bytes_on_cpu ? 0 : 1000000 * SIM_RATE_PER_PS,
                              .O = bytes_on_cpu ? 1000 * SIM_RATE_PER_PS : 0,
                              .S = g_rand_int_range(random, 0, 15),
                              .progress = k % 2 ? SIM_PROGRESS_ASYNC : SIM_PROGRESS_POLLING,
                              .rendezvous =
                                  k / 2 % 2 ? SIM_RENDEZVOUS_INSTANT : SIM_RENDEZVOUS_HANDSHAKE};
        g_rand_free(random);
        const sim_run_options options = {.explain = true};
        g_autoptr(sim_result) r = sim_run(sim_graph_program(g), &p, &options, NULL);
        if (r == NULL) {
            continue; /* stuck */
        }
        sound++;
        CHECK_I64(r->breakdown.compute, r->makespan % 1000, "program %u", k);
        CHECK_I64(r->breakdown.O, r->makespan / 1000 % 1000 * 1000, "program %u", k);
        CHECK_I64(r->breakdown.gap, r->makespan / 1000000 % 1000 * 1000000, "program %u", k);
        CHECK_I64(r->breakdown.o, r->makespan / p.o % 1000 * p.o, "program %u", k);
        CHECK_I64(r->breakdown.L, r->makespan / p.L * p.L, "program %u", k);
    }
    CHECK(sound > 800, "%u", sound);
}

/* Each receive holds just the message that is its own: a wrong one would not fit in one of them. */
static void early_messages_are_found_in_the_order_sent(void)
{
    enum { MESSAGES = 7 };
    for (int k = 0; k < 4; k++) {
        const sim_params p = {.L = 1000,
                              .o = 10,
                              .S = k % 2 == 0 ? INT64_MAX : 4, /* all eager, or some */
                              .progress = k / 2 == 0 ? SIM_PROGRESS_POLLING : SIM_PROGRESS_ASYNC};
        sim_graph_builder *b = sim_graph_builder_new(2);
        for (uint32_t rank = 0; rank < 2; rank++) {
            sim_graph_builder_begin_rank(b, rank);
            uint32_t last = small_add(b, SIM_OP_CALC, 0, rank == 0 ? 0 : 100000, 0);
            for (int64_t size = 1; size <= MESSAGES; size++) {
                const uint32_t op =
                    small_add(b, rank == 0 ? SIM_OP_SEND : SIM_OP_RECV, 1 - rank, size, 0);
                /* sends one after the other, but not waiting for each other's ends */
                (rank == 0 ? sim_graph_builder_irequire : sim_graph_builder_require)(b, op, last);
                last = op;
            }
        }
        g_autoptr(sim_graph) g = sim_graph_builder_finish(b, NULL);
        g_autoptr(sim_result) r = small_run(g, &p, NULL);
        CHECK(r == NULL || r->num_messages == MESSAGES, "setting %d", k);
    }
}

static void nothing_takes_no_time(void)
{
    const sim_run_options options = {.explain = true};
    const sim_params p = {.L = 5, .S = INT64_MAX};
    for (uint32_t ranks = 0; ranks < 3; ranks++) {
        g_autoptr(sim_graph) g = sim_graph_builder_finish(sim_graph_builder_new(ranks), NULL);
        g_autoptr(sim_result) r = small_run(g, &p, &options);
        CHECK_I64(r->makespan, 0);
        CHECK_I64(r->num_ops, 0);
        CHECK_I64(r->path_len, 0);
    }
}

/* Of rank 0: a message that is there early and one that is late, which one name fits. */
static void add_two_messages(sim_graph_builder *b, uint32_t dest, sim_time late)
{
    const sim_op early = {.type = SIM_OP_SEND, .peer = dest, .size = 1, .tag = 9};
    const sim_op wait = {.type = SIM_OP_CALC, .size = late};
    const uint32_t first = sim_graph_builder_add(b, &early);
    const uint32_t pause = sim_graph_builder_add(b, &wait);
    const uint32_t second = sim_graph_builder_add(b, &early);
    sim_graph_builder_require(b, pause, first);
    sim_graph_builder_require(b, second, pause);
}

/*
 * docs/model.md, section 4.2: receives that become ready at one instant are posted by index. One
 * waits for the finish of a calc of no length, the other, of a higher index, for its start, which
 * makes it ready before. Two messages fit both: one arrives at 1100, the other after 21210. The
 * former is the lower one's: what follows that is done at 91200, and then the other is received;
 * what follows the other begins when that has been received, at 21310.
 */
static void receives_of_one_instant_are_posted_by_index(void)
{
    enum { CALC, RECV_THEN_CALC, RECV, LAST };
    const sim_params p = {.L = 1000, .o = 100, .g = 50, .S = INT64_MAX};
    for (int swapped = 0; swapped < 2; swapped++) {
        sim_graph_builder *b = sim_graph_builder_new(2);
        sim_graph_builder_begin_rank(b, 0);
        add_two_messages(b, 1, 20010);
        sim_graph_builder_begin_rank(b, 1);
        small_add(b, SIM_OP_CALC, 0, 0, 0);
        small_add(b, SIM_OP_RECV, 0, 1, 9);
        small_add(b, SIM_OP_RECV, 0, 1, 9);
        small_add(b, SIM_OP_CALC, 0, 90000, 0);
        sim_graph_builder_require(b, RECV_THEN_CALC, CALC);
        sim_graph_builder_irequire(b, RECV, CALC);
        sim_graph_builder_require(b, LAST, swapped ? RECV : RECV_THEN_CALC);
        g_autoptr(sim_graph) g = sim_graph_builder_finish(b, NULL);
        g_autoptr(sim_result) r = small_run(g, &p, NULL);
        CHECK_I64(r->finish[1], swapped ? 21310 + 90000 : 1200 + 90000 + 100, "%d", swapped);
    }
}

/*
 * docs/model.md, section 4.3: where messages take no time, the lowest rank that has anything left
 * goes first. Rank 1 sends a message to rank 0, which then receives a rendezvous message that
 * rank 1 has sent before; all that at 700. So the rendezvous send is over before the receive that
 * follows the other send is posted, and the one that follows this, whose index is lower, goes first
 * and has the message that is there.
 */
static void a_lower_rank_goes_before_a_receive_is_posted(void)
{
    enum { HELD, RECV_THEN_CALC, WAIT, TOLD, RECV, LAST };
    static const sim_rendezvous kinds[] = {SIM_RENDEZVOUS_INSTANT, SIM_RENDEZVOUS_HANDSHAKE};
    sim_graph_builder *b = sim_graph_builder_new(3);
    sim_graph_builder_begin_rank(b, 0);
    small_add(b, SIM_OP_RECV, 1, 1, 1);
    small_add(b, SIM_OP_RECV, 1, 1000, 5);
    sim_graph_builder_require(b, 1, 0);
    sim_graph_builder_begin_rank(b, 1);
    small_add(b, SIM_OP_SEND, 0, 1000, 5);
    small_add(b, SIM_OP_RECV, 2, 1, 9);
    small_add(b, SIM_OP_CALC, 0, 700, 0);
    small_add(b, SIM_OP_SEND, 0, 1, 1);
    small_add(b, SIM_OP_RECV, 2, 1, 9);
    small_add(b, SIM_OP_CALC, 0, 90000, 0);
    sim_graph_builder_require(b, RECV_THEN_CALC, HELD);
    sim_graph_builder_require(b, TOLD, WAIT);
    sim_graph_builder_require(b, RECV, TOLD);
    sim_graph_builder_require(b, LAST, RECV_THEN_CALC);
    sim_graph_builder_begin_rank(b, 2);
    add_two_messages(b, 1, 20000);
    g_autoptr(sim_graph) g = sim_graph_builder_finish(b, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        const sim_params p = {.S = 100, .rendezvous = kinds[i]};
        g_autoptr(sim_result) r = small_run(g, &p, NULL);
        CHECK_I64(r->finish[1], 700 + 90000, "%zu", i);
    }
}

SUITE_MAIN("run", TEST(an_eager_message_to_a_waiting_rank),
           TEST(an_eager_message_to_a_late_receive),
           TEST(waiting_time_is_what_the_loggp_diagram_says),
           TEST(a_rendezvous_ends_when_they_meet_or_after_a_handshake),
           TEST(messages_in_a_row_keep_their_intervals),
           TEST(a_linear_gather_takes_what_the_closed_form_says),
           TEST(no_rank_of_a_chain_gains_from_delays), TEST(a_calc_in_two_parts_takes_as_long),
           TEST(the_breakdown_names_every_part),
           TEST(the_parts_of_the_breakdown_are_the_digits_of_the_makespan),
           TEST(early_messages_are_found_in_the_order_sent), TEST(nothing_takes_no_time),
           TEST(receives_of_one_instant_are_posted_by_index),
           TEST(a_lower_rank_goes_before_a_receive_is_posted))
