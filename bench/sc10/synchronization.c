/* bench/sc10/synchronization.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* E2: two processes and one message, and two barriers: exact to the picosecond. */
#include "experiments.h"
#include "sim/graph.h"
#include "sim/run.h"

#include <string.h>

/* Any numbers will do; these are odd enough to tell terms apart. */
static const sim_params PARAMS = {
    .L = 5330 * SIM_NS,
    .o = 770 * SIM_NS,
    .g = 1560 * SIM_NS,
    .G = 1250 * SIM_RATE_PER_PS,
    .S = 65535,
    .progress = SIM_PROGRESS_ASYNC, /* the paper's figures have a background progress */
    .rendezvous = SIM_RENDEZVOUS_INSTANT,
};
enum { SENDER, RECEIVER, NUM_PROCESSES };

/* A detour of its own on each process, early on: work that crosses it is later by its length. */
typedef struct detours {
    sim_noise noise; /* first: the hook is handed on as this */
    sim_time length[NUM_PROCESSES];
} detours;
#define DETOUR_AT (10 * SIM_NS)

static sim_time finish_with_detour(const sim_noise *noise, uint32_t rank, sim_time start,
                                   sim_time work)
{
    const sim_time end = DETOUR_AT + ((const detours *)noise)->length[rank];
    if (start >= end || start + work <= DETOUR_AT) {
        return start + work;
    }
    return end + work - (start < DETOUR_AT ? DETOUR_AT - start : 0);
}

typedef struct message_case {
    sim_time send_at; /* T_s */
    sim_time post_at; /* T_r */
    sim_time wait_at; /* T_ws, T_wr: nonblocking; -1: blocking */
    int64_t size;
    sim_time noise[NUM_PROCESSES]; /* sigma */
} message_case;

static uint32_t add(sim_graph_builder *b, const sim_op *op, uint32_t after)
{
    const uint32_t index = sim_graph_builder_add(b, op);
    if (after != SIM_ANY) {
        sim_graph_builder_require(b, index, after);
    }
    return index;
}

/* Computation runs beside the CPU that progresses messages, as in Figure 2. */
static void add_process(sim_graph_builder *b, uint32_t rank, const message_case *c)
{
    const sim_op before = {
        .type = SIM_OP_CALC, .cpu = 1, .size = rank == SENDER ? c->send_at : c->post_at};
    const sim_op transfer = {.type = rank == SENDER ? SIM_OP_SEND : SIM_OP_RECV,
                             .peer = rank == SENDER ? RECEIVER : SENDER,
                             .size = c->size};
    sim_graph_builder_begin_rank(b, rank);
    const uint32_t posted = add(b, &transfer, add(b, &before, SIM_ANY));
    if (c->wait_at >= 0) {
        const sim_op until = {.type = SIM_OP_CALC, .cpu = 2, .size = c->wait_at};
        const sim_op wait = {.type = SIM_OP_CALC, .cpu = 1};
        const uint32_t both = add(b, &wait, posted);
        sim_graph_builder_require(b, both, add(b, &until, SIM_ANY));
    }
}

/* When the process is through its send or receive, or the wait for it. */
static void run_message(const message_case *c, sim_time finish[NUM_PROCESSES])
{
    sim_graph_builder *b = sim_graph_builder_new(NUM_PROCESSES);
    add_process(b, SENDER, c);
    add_process(b, RECEIVER, c);
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(b, &error);
    const detours noise = {{.finish = finish_with_detour}, {c->noise[SENDER], c->noise[RECEIVER]}};
    const sim_run_options options = {.noise = &noise.noise};
    g_autoptr(sim_result) result =
        graph != NULL ? sim_run(sim_graph_program(graph), &PARAMS, &options, &error) : NULL;
    if (result == NULL) {
        g_error("%s", error->message);
    }
    finish[SENDER] = result->finish[SENDER];
    finish[RECEIVER] = result->finish[RECEIVER];
}

static sim_time positive(sim_time t)
{
    return MAX(t, 0);
}

/* N = o_s + L + (k - 1) G + o_r */
static sim_time network_time(int64_t size)
{
    return 2 * PARAMS.o + PARAMS.L + sim_rate_times(PARAMS.G, size - 1);
}

typedef struct tally {
    unsigned n;
    unsigned receiver; /* as published */
    unsigned sender;
} tally;

static const int64_t EAGER = 1000;
static const int64_t LARGE = 100000;

/* X_r of an eager and X_s of a rendezvous message. @p s, @p r in units of N / 4. */
static void compare(int s, int r, bool nonblocking, const sim_time noise[NUM_PROCESSES], tally *t)
{
    sim_time finish[NUM_PROCESSES];
    const sim_time early = 3 * SIM_US;
    sim_time N = network_time(EAGER);
    message_case c = {.size = EAGER, .wait_at = -1, .send_at = early + s * N / 4};
    c.noise[SENDER] = noise[SENDER];
    c.post_at = nonblocking ? 0 : early + r * N / 4;
    sim_time needed = early + r * N / 4;
    c.wait_at = nonblocking ? needed : -1;
    run_message(&c, finish);
    t->n++;
    t->receiver += finish[RECEIVER] - needed == positive(c.send_at + noise[SENDER] + N - needed);

    N = network_time(LARGE);
    c = (message_case){.size = LARGE, .wait_at = -1, .post_at = early + N + r * N / 4};
    c.noise[RECEIVER] = noise[RECEIVER];
    c.send_at = nonblocking ? 0 : early + s * N / 4;
    needed = early + s * N / 4;
    c.wait_at = nonblocking ? needed : -1;
    run_message(&c, finish);
    t->sender +=
        positive(finish[SENDER] - needed - N) == positive(c.post_at + noise[RECEIVER] - N - needed);
}

static void check_waiting(bool nonblocking, bool noisy, sc10_table *table)
{
    const sim_time noise[NUM_PROCESSES] = {noisy ? 1700 * SIM_NS : 0, noisy ? 900 * SIM_NS : 0};
    tally t = {0};
    for (int s = 0; s < 12; s++) {
        for (int r = 0; r < 12; r++) {
            compare(s, r, nonblocking, noise, &t);
        }
    }
    const char *how = nonblocking ? "nonblocking" : "blocking";
    g_autofree char *receiver =
        g_strdup_printf("%s%s: X_r = max(T_s + N - T_r, 0)", how, noisy ? ", with detours" : "");
    g_autofree char *sender =
        g_strdup_printf("%s%s: X_s = max(T_r - N - T_s, 0)", how, noisy ? ", with detours" : "");
    sc10_check_that(table, "E2", receiver, "III-B", t.receiver == t.n, "%u of %u", t.receiver, t.n);
    sc10_check_that(table, "E2", sender, "III-B", t.sender == t.n, "%u of %u", t.sender, t.n);
}

/* Nobody waits: the receive ends when it is posted, and the send N after it began. */
static bool nobody_waits(sim_time send_at, sim_time post_at, sim_time s, sim_time r)
{
    sim_time finish[NUM_PROCESSES];
    const message_case c = {
        .send_at = send_at, .post_at = post_at, .wait_at = -1, .size = LARGE, .noise = {s, r}};
    run_message(&c, finish);
    return finish[RECEIVER] == post_at + r && finish[SENDER] <= send_at + s + network_time(LARGE);
}

static void check_balance(sc10_table *table)
{
    const sim_time send_at = 20 * SIM_US;
    const sim_time N = network_time(LARGE);
    unsigned exact = 0;
    unsigned published = 0;
    unsigned n = 0;
    unsigned same = 0;
    for (sim_time s = 0; s <= 4 * SIM_US; s += SIM_US) {
        for (sim_time r = 0; r <= 4 * SIM_US; r += SIM_US) {
            const sim_time at = send_at + N + s - r;
            const bool only_there = nobody_waits(send_at, at, s, r) &&
                                    !nobody_waits(send_at, at - 1, s, r) &&
                                    !nobody_waits(send_at, at + 1, s, r);
            exact += only_there;
            same += s == r && only_there;
            published += nobody_waits(send_at, send_at + N + (s - r) / 2, s, r);
            n++;
        }
    }
    sc10_check_that(table, "E2", "no waiting iff T_r + sigma_r = T_s + sigma_s + N", "", exact == n,
                    "%u of %u", exact, n);
    sc10_check_that(table, "E2", "equal detours: no waiting iff T_r = T_s + N", "III-B", same == 5,
                    "%u of 5", same);
    sc10_note(table, "E2", "no waiting where T_r = T_s + N + (sigma_s - sigma_r) / 2", "III-B: iff",
              "%u of %u", published, n);
}

/* ---- Figure 4 ---- */

enum { BARRIER_RANKS = 8, DELAYED = 4, MOST_DELAYED = 3 };

static uint32_t add_barrier(sim_graph_builder *b, uint32_t rank, uint32_t last, uint32_t tag)
{
    for (uint32_t distance = 1; distance < BARRIER_RANKS; distance *= 2) {
        const sim_op send = {
            .type = SIM_OP_SEND, .size = 1, .tag = tag, .peer = (rank + distance) % BARRIER_RANKS};
        const sim_op receive = {.type = SIM_OP_RECV,
                                .size = 1,
                                .tag = tag,
                                .peer = (rank + BARRIER_RANKS - distance) % BARRIER_RANKS};
        const uint32_t sent = add(b, &send, last);
        last = sim_graph_builder_add(b, &receive);
        sim_graph_builder_irequire(b, last, sent);
    }
    return last;
}

/* @p finish of two barriers between which one rank computes for @p delay. */
static void run_barriers(const sim_params *params, sim_time delay, sim_time finish[BARRIER_RANKS])
{
    sim_graph_builder *b = sim_graph_builder_new(BARRIER_RANKS);
    for (uint32_t rank = 0; rank < BARRIER_RANKS; rank++) {
        sim_graph_builder_begin_rank(b, rank);
        const sim_op phase = {.type = SIM_OP_CALC, .size = rank == DELAYED ? delay : 0};
        const uint32_t first = add_barrier(b, rank, SIM_ANY, 0);
        add_barrier(b, rank, add(b, &phase, first), 1);
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(b, &error);
    g_autoptr(sim_result) result =
        graph != NULL ? sim_run(sim_graph_program(graph), params, NULL, &error) : NULL;
    if (result == NULL) {
        g_error("%s", error->message);
    }
    memcpy(finish, result->finish, BARRIER_RANKS * sizeof *finish);
}

static void check_barriers(sc10_table *table)
{
    const sim_time delay = 100 * SIM_US;
    sim_params params = PARAMS;
    params.progress = SIM_PROGRESS_POLLING;
    params.g = params.o; /* never binds */
    sim_time finish[BARRIER_RANKS];
    run_barriers(&params, delay, finish);
    const sim_time barrier = 3 * (2 * params.o + params.L);
    unsigned right = 0;
    unsigned as_late = 0;
    for (uint32_t rank = 0; rank < BARRIER_RANKS; rank++) {
        const int hops = __builtin_popcount((rank + BARRIER_RANKS - DELAYED) % BARRIER_RANKS);
        right += finish[rank] == barrier + delay + 6 * params.o + hops * params.L;
        as_late += rank != MOST_DELAYED && finish[rank] >= finish[MOST_DELAYED];
    }
    sc10_check_that(table, "E2", "Figure 4: rank r ends at D + 6 o + L for each hop from rank 4",
                    "", right == BARRIER_RANKS, "%u of %u", right, (unsigned)BARRIER_RANKS);
    sc10_check_that(table, "E2", "Figure 4: process 3, and no other, is delayed most", "process 3",
                    as_late == 0, "%u others", as_late);
    unsigned distinct = 0;
    for (uint32_t rank = 0; rank < BARRIER_RANKS; rank++) {
        bool first = true;
        for (uint32_t other = 0; other < rank; other++) {
            first = first && finish[other] != finish[rank];
        }
        distinct += first;
    }
    sc10_note(table, "E2", "Figure 4: instants at which the processes leave", "all differ", "%u",
              distinct);
}

void sc10_synchronization(sc10_lab *lab, sc10_table *table)
{
    (void)lab;
    for (int noisy = 0; noisy < 2; noisy++) {
        check_waiting(false, noisy == 1, table);
        check_waiting(true, noisy == 1, table);
    }
    check_balance(table);
    check_barriers(table);
}
