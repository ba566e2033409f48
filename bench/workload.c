/* bench/workload.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "workload.h"

#include <string.h>

/* Cray XT-4: SC'10, Table III; the network of the published simulations. */
const sim_params WORKLOAD_PARAMS = {
    .L = 6500 * SIM_NS,
    .o = 1750 * SIM_NS,
    .g = 3300 * SIM_NS,
    .G = 2500 * (SIM_RATE_PER_PS / 1000),
    .S = 65535,
};

/* A machine of the measured kind that has whole nanoseconds: other simulators take no others. */
static const sim_params WHOLE_PARAMS = {
    .L = 9900 * SIM_NS,
    .o = 1750 * SIM_NS,
    .g = 3400 * SIM_NS,
    .G = 1000 * SIM_RATE_PER_PS,
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

/* Iterations: compute, four neighbours (nonblocking), wait, allreduce. */
static void iterate(sim_graph_builder *b, uint32_t rank, uint32_t n, uint32_t iterations)
{
    uint32_t side = 1;
    while (side * side < n) {
        side *= 2;
    }
    const uint32_t step[4] = {1, n - 1, side, n - side};
    uint32_t last = SIM_ANY;
    for (uint32_t i = 0; i < iterations; i++) {
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

static void iteration(sim_graph_builder *b, uint32_t rank, uint32_t n)
{
    iterate(b, rank, n, 1);
}

static void application(sim_graph_builder *b, uint32_t rank, uint32_t n)
{
    iterate(b, rank, n, 20);
}

/* A number that looks as if drawn for a rank and an iteration: splitmix64 (Steele et al., 2014). */
static uint64_t draw(uint32_t rank, uint32_t iteration)
{
    uint64_t z = ((uint64_t)rank << 32 | iteration) + UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* nx * ny * nz = n, nx >= ny >= nz and close to each other; n a power of two. */
static void torus_sides(uint32_t n, uint32_t side[3])
{
    side[0] = side[1] = side[2] = 1;
    for (uint32_t k = 0; n > 1; k = (k + 1) % 3, n /= 2) {
        side[k] *= 2;
    }
}

/* The neighbour one step along an axis, up or down, round the ring. */
static uint32_t neighbour(uint32_t rank, const uint32_t side[3], uint32_t axis, bool up)
{
    const uint32_t stride = axis == 0 ? 1 : axis == 1 ? side[0] : side[0] * side[1];
    const uint32_t at = rank / stride % side[axis];
    const uint32_t to = (up ? at + 1 : at + side[axis] - 1) % side[axis];
    return rank + to * stride - at * stride;
}

/*
 * What a user would bring: computation that differs by 5 %, six neighbours with 8 KiB each, whose
 * receives are posted before it, a join of all twelve, and an allreduce, twenty times.
 */
static void stencil(sim_graph_builder *b, uint32_t rank, uint32_t n)
{
    enum { ITERATIONS = 20, FACES = 6, BYTES = 8192, FIRST_TAG = 100, LAST_TAG = 200 };
    uint32_t side[3];
    torus_sides(n, side);
    uint32_t last = SIM_ANY;
    for (uint32_t i = 0; i < ITERATIONS; i++) {
        const uint64_t drawn = draw(rank, i);
        uint32_t halo[2 * FACES];
        for (uint32_t k = 0; k < FACES; k++) {
            const uint32_t from = neighbour(rank, side, k / 2, k % 2 == 0);
            halo[k] = add(b, SIM_OP_RECV, from, BYTES, FIRST_TAG + k);
        }
        const int64_t work = 100000 + (int64_t)((drawn >> 32) * 5000 >> 32); /* ns */
        const uint32_t calc = add(b, SIM_OP_CALC, 0, work * SIM_NS, 0);
        for (uint32_t k = 0; k < FACES; k++) {
            const uint32_t to = neighbour(rank, side, k / 2, k % 2 != 0);
            halo[FACES + k] = add(b, SIM_OP_SEND, to, BYTES, FIRST_TAG + k);
        }
        for (uint32_t k = 0; k <= FACES && last != SIM_ANY; k++) {
            const uint32_t op = k < FACES ? halo[k] : calc;
            sim_graph_builder_require(b, op, last);
            if (n > 1) {
                sim_graph_builder_require(b, op, last - 1); /* the send of the last exchange */
            }
        }
        for (uint32_t k = 0; k < FACES; k++) {
            sim_graph_builder_require(b, halo[FACES + k], calc);
        }
        last = add(b, SIM_OP_CALC, 0, (int64_t)(1 + drawn % 256) * SIM_NS, 0);
        for (uint32_t k = 0; k < 2 * FACES; k++) {
            sim_graph_builder_require(b, last, halo[k]);
        }
        for (uint64_t d = 1; d < n; d *= 2) {
            last = exchange(b, last, (uint32_t)((rank + d) % n), (uint32_t)((rank + n - d) % n), 8,
                            LAST_TAG);
        }
    }
}

const workload WORKLOADS[] = {
    {"dissemination", dissemination, 1 << 14, &WORKLOAD_PARAMS},
    {"binomial", binomial, 1 << 16, &WORKLOAD_PARAMS},
    {"incast", incast, 1 << 13, &WORKLOAD_PARAMS},
    {"wild-incast", wild_incast, 1 << 13, &WORKLOAD_PARAMS},
    {"alltoall", alltoall, 512, &WORKLOAD_PARAMS},
    {"iteration", iteration, 1 << 16, &WORKLOAD_PARAMS},
    {"application", application, 1 << 14, &WORKLOAD_PARAMS},
    {"stencil", stencil, 1 << 14, &WHOLE_PARAMS},
};
const size_t NUM_WORKLOADS = sizeof WORKLOADS / sizeof *WORKLOADS;

sim_graph *workload_graph(const workload *work, uint32_t num_ranks)
{
    sim_graph_builder *b = sim_graph_builder_new(num_ranks);
    for (uint32_t r = 0; r < num_ranks; r++) {
        sim_graph_builder_begin_rank(b, r);
        work->rank(b, r, num_ranks);
    }
    g_autoptr(GError) error = NULL;
    sim_graph *graph = sim_graph_builder_finish(b, &error);
    if (graph == NULL) {
        g_error("%s", error->message);
    }
    return graph;
}

const workload *workload_by_name(const char *name)
{
    for (size_t i = 0; i < NUM_WORKLOADS; i++) {
        if (strcmp(name, WORKLOADS[i].name) == 0) {
            return &WORKLOADS[i];
        }
    }
    return NULL;
}
