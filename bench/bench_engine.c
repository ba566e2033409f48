/* bench/bench_engine.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ns per event (operation or message), bytes per operation and peak memory of the engine on
 * stored programs. Usage: bench_engine [CASE [RANKS [SETTING]]], where SETTING may contain async,
 * rendezvous, explain. Without arguments: all cases at their sizes, and against the tests' judge.
 */
#include "judge.h"
#include "sim/graph.h"
#include "sim/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* Cray XT-4: SC'10, Table III; the network of the published simulations. */
static const sim_params PARAMS = {
    .L = 6500 * SIM_NS,
    .o = 1750 * SIM_NS,
    .g = 3300 * SIM_NS,
    .G = 2500 * (SIM_RATE_PER_PS / 1000),
    .S = 65535,
};

static uint32_t add(sim_graph_builder *b, sim_op_type type, uint32_t peer, int64_t size,
                    uint32_t tag)
{
    const sim_op op = {.type = (uint8_t)type, .peer = peer, .size = size, .tag = tag};
    return sim_graph_builder_add(b, &op);
}

/* A chain of exchange steps: send to one, receive from another. @return its last operation */
static uint32_t exchange(sim_graph_builder *b, uint32_t last, uint32_t to, uint32_t from,
                         int64_t size, uint32_t tag)
{
    const uint32_t send = add(b, SIM_OP_SEND, to, size, tag);
    if (last != SIM_ANY) {
        sim_graph_builder_require(b, send, last);
    }
    if (last != SIM_ANY && last + 2 == send) {
        sim_graph_builder_require(b, send, last - 1);
    }
    const uint32_t receive = add(b, SIM_OP_RECV, from, size, tag);
    sim_graph_builder_irequire(b, receive, send);
    return receive;
}

static uint32_t rounds(sim_graph_builder *b, uint32_t rank, uint32_t n, uint32_t last, uint32_t tag)
{
    for (uint64_t d = 1; d < n; d *= 2) {
        last =
            exchange(b, last, (uint32_t)((rank + d) % n), (uint32_t)((rank + n - d) % n), 1, tag);
    }
    return last;
}

static void dissemination(sim_graph_builder *b, uint32_t rank, uint32_t n)
{
    rounds(b, rank, n, SIM_ANY, 0);
}

static void binomial(sim_graph_builder *b, uint32_t rank, uint32_t n)
{
    uint32_t last = SIM_ANY;
    uint64_t bit = 1;
    for (; rank >= bit; bit *= 2) {
    }
    if (rank > 0) {
        last = add(b, SIM_OP_RECV, rank - (uint32_t)(bit / 2), 1, 0);
    }
    for (; rank + bit < n; bit *= 2) {
        const uint32_t send = add(b, SIM_OP_SEND, rank + (uint32_t)bit, 1, 0);
        if (last != SIM_ANY) {
            sim_graph_builder_require(b, send, last);
        }
        last = send;
    }
}

/* Everybody to rank 0, which has posted all at once. */
static void incast(sim_graph_builder *b, uint32_t rank, uint32_t n)
{
    if (rank > 0) {
        add(b, SIM_OP_SEND, 0, 8, 0);
        return;
    }
    for (uint32_t source = 1; source < n; source++) {
        add(b, SIM_OP_RECV, source, 8, 0);
    }
}

/* The same with sizes that all differ, and receives from anyone. */
static void wild_incast(sim_graph_builder *b, uint32_t rank, uint32_t n)
{
    if (rank > 0) {
        add(b, SIM_OP_SEND, 0, rank % 4096, 0);
        return;
    }
    for (uint32_t source = 1; source < n; source++) {
        add(b, SIM_OP_RECV, SIM_ANY, 4096, SIM_ANY);
    }
}

static void alltoall(sim_graph_builder *b, uint32_t rank, uint32_t n)
{
    for (uint32_t k = 1; k < n; k++) {
        add(b, SIM_OP_RECV, (rank + n - k) % n, 64, 0);
        add(b, SIM_OP_SEND, (rank + k) % n, 64, 0);
    }
}

/* 20 iterations: compute, four neighbours (nonblocking), wait, allreduce. */
static void application(sim_graph_builder *b, uint32_t rank, uint32_t n)
{
    uint32_t side = 1;
    while (side * side < n) {
        side *= 2;
    }
    const uint32_t step[4] = {1, n - 1, side, n - side};
    uint32_t last = SIM_ANY;
    for (uint32_t i = 0; i < 20; i++) {
        const uint32_t calc = add(b, SIM_OP_CALC, 0, 100 * SIM_US, 0);
        if (last != SIM_ANY) {
            sim_graph_builder_require(b, calc, last);
        }
        uint32_t halo[8];
        for (uint32_t k = 0; k < 4; k++) {
            halo[k] = add(b, SIM_OP_RECV, (uint32_t)((rank + (uint64_t)step[k]) % n), 1024, k);
            sim_graph_builder_require(b, halo[k], calc);
        }
        for (uint32_t k = 0; k < 4; k++) {
            halo[4 + k] =
                add(b, SIM_OP_SEND, (uint32_t)((rank + (uint64_t)step[k ^ 1]) % n), 1024, k);
            sim_graph_builder_require(b, halo[4 + k], calc);
        }
        last = add(b, SIM_OP_CALC, 0, 0, 0);
        for (uint32_t k = 0; k < 8; k++) {
            sim_graph_builder_require(b, last, halo[k]);
        }
        last = rounds(b, rank, n, last, 4 + i);
    }
}

typedef struct bench_case {
    const char *name;
    void (*rank)(sim_graph_builder *b, uint32_t rank, uint32_t n);
    uint32_t ranks;
} bench_case;

static const bench_case CASES[] = {
    {"dissemination", dissemination, 1 << 14},
    {"binomial", binomial, 1 << 16},
    {"incast", incast, 1 << 16},
    {"wild-incast", wild_incast, 1 << 14},
    {"alltoall", alltoall, 512},
    {"application", application, 1 << 12},
};

/* Of this process: the machine may be shared. */
static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static long peak_mib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

static int run_case(const bench_case *c, uint32_t ranks, const char *setting)
{
    sim_params params = PARAMS;
    params.progress = strstr(setting, "async") ? SIM_PROGRESS_ASYNC : SIM_PROGRESS_POLLING;
    params.S = strstr(setting, "rendezvous") ? 0 : PARAMS.S;
    const sim_run_options options = {.explain = strstr(setting, "explain") != NULL};
    double start = cpu_seconds();
    sim_graph_builder *b = sim_graph_builder_new(ranks);
    for (uint32_t r = 0; r < ranks; r++) {
        sim_graph_builder_begin_rank(b, r);
        c->rank(b, r, ranks);
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(b, &error);
    const double build = cpu_seconds() - start;
    if (graph == NULL) {
        fprintf(stderr, "%s\n", error->message);
        return 1;
    }
    start = cpu_seconds();
    g_autoptr(sim_result) result = sim_run(sim_graph_program(graph), &params, &options, &error);
    const double run = cpu_seconds() - start;
    if (result == NULL) {
        fprintf(stderr, "%s\n", error->message);
        return 1;
    }
    const double events = (double)(result->num_ops + result->num_messages);
    printf("%-14s %-10s %8" PRIu32 " ranks %10.0f events  build %6.2f s %5.0f ns/op %5.1f B/op"
           "  run %6.2f s %6.1f ns/event  peak %5ld MiB\n",
           c->name, setting, ranks, events, build, 1e9 * build / (double)result->num_ops,
           (double)sim_graph_memory(graph) / (double)result->num_ops, run, 1e9 * run / events,
           peak_mib());
    return 0;
}

/* The engine and the judge of the tests on the same small program. */
static void versus_judge(const bench_case *c)
{
    enum { RANKS = 32 };
    sim_graph_builder *b = sim_graph_builder_new(RANKS);
    for (uint32_t r = 0; r < RANKS; r++) {
        sim_graph_builder_begin_rank(b, r);
        c->rank(b, r, RANKS);
    }
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(b, NULL);
    if (sim_graph_total_ops(graph) > 2500) {
        return; /* minutes for the judge */
    }
    sim_time finish[RANKS];
    double start = cpu_seconds();
    judge_run(graph, &PARAMS, NULL, finish);
    const double slow = cpu_seconds() - start;
    start = cpu_seconds();
    for (int k = 0; k < 100; k++) {
        sim_result_free(sim_run(sim_graph_program(graph), &PARAMS, NULL, NULL));
    }
    const double fast = (cpu_seconds() - start) / 100;
    printf("%-14s %d ranks: judge %.3g s, engine %.3g s, %.0f times as fast\n", c->name, RANKS,
           slow, fast, slow / fast);
}

int main(int argc, char **argv)
{
    int status = 0;
    const uint32_t ranks = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
    for (size_t i = 0; i < G_N_ELEMENTS(CASES); i++) {
        if (argc <= 1 || strcmp(argv[1], CASES[i].name) == 0) {
            status |= run_case(&CASES[i], ranks > 0 ? ranks : CASES[i].ranks,
                               argc > 3 ? argv[3] : "polling");
        }
    }
    for (size_t i = 0; argc <= 1 && i < G_N_ELEMENTS(CASES); i++) {
        versus_judge(&CASES[i]);
    }
    return status;
}
