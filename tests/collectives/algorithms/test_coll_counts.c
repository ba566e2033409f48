/* tests/collectives/algorithms/test_coll_counts.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many messages and bytes there are in all: docs/collectives.md, section 6.1,
 * at sizes 1 to 33 and some larger. And at sizes too large to look at every rank:
 * whatever a rank sends, its peer receives.
 */
#include "calls.h"
#include "check.h"

#include <string.h>

/* What the formulas are made of. m: bytes of the vector, or of one block. */
typedef struct shape {
    int64_t p;
    int64_t k;    /* ceil(log2 p) */
    int64_t K;    /* floor(log2 p) */
    int64_t core; /* 2^K */
    int64_t rem;  /* p - 2^K */
    int64_t bits; /* bits set in 0 .. p-1: all hops from the root in a binomial tree */
    int64_t m;
} shape;

typedef struct totals {
    int64_t messages;
    int64_t bytes;
} totals;

static shape shape_of(uint32_t size)
{
    shape s = {.p = size, .core = 1};
    while (2 * s.core <= s.p) {
        s.core *= 2;
        s.K++;
    }
    s.rem = s.p - s.core;
    s.k = s.K + (s.rem > 0 ? 1 : 0);
    for (int64_t i = 0; i < s.p; i++) {
        s.bits += __builtin_popcountll((unsigned long long)i);
    }
    s.m = 8 * s.p * s.core; /* cut in p or 2^K parts, all are alike */
    return s;
}

/* All ranks send as much. */
static totals each(shape s, int64_t messages, int64_t bytes)
{
    return (totals){s.p * messages, s.p * bytes};
}

/* docs/collectives.md, section 6.1. */
static totals tree(shape s)
{
    return (totals){s.p - 1, (s.p - 1) * s.m};
}

static totals tree_of_blocks(shape s) /* a block makes a hop for each bit */
{
    return (totals){s.p - 1, s.bits * s.m};
}

static totals tree_there_and_back(shape s)
{
    return (totals){2 * (s.p - 1), 2 * (s.p - 1) * s.m};
}

static totals scatter_allgather(shape s)
{
    return (totals){s.p - 1 + s.p * s.k, s.m / s.p * s.bits + (s.p - 1) * s.m};
}

static totals halving_reduce(shape s) /* fold, halves, gather of halves */
{
    return (totals){s.rem + s.core * s.K + s.core - 1,
                    s.rem * s.m + (s.core - 1) * s.m + s.K * s.m / 2};
}

static totals halving_allreduce(shape s)
{
    return (totals){2 * s.rem + 2 * s.core * s.K, (2 * s.rem + 2 * (s.core - 1)) * s.m};
}

static totals halving_reduce_scatter(shape s) /* fold: everything in, one block back */
{
    return (totals){2 * s.rem + s.core * s.K, (s.rem * s.p + s.p * (s.core - 1) + s.rem) * s.m};
}

static totals dissemination(shape s)
{
    return each(s, s.k, s.k * s.m);
}

static totals doubling(shape s)
{
    return (totals){2 * s.rem + s.core * s.K, (2 * s.rem + s.core * s.K) * s.m};
}

static totals doubling_allgather(shape s) /* fold: one block in, all others back */
{
    return (totals){2 * s.rem + s.core * s.K,
                    (s.rem + s.p * (s.core - 1) + s.rem * (s.p - 1)) * s.m};
}

static totals doubling_scan(shape s) /* a pair for each bit set */
{
    return (totals){2 * s.bits, 2 * s.bits * s.m};
}

static totals every_block_to_everyone(shape s)
{
    return each(s, s.p - 1, (s.p - 1) * s.m);
}

static totals ring_allreduce(shape s)
{
    return (totals){2 * s.p * (s.p - 1), 2 * (s.p - 1) * s.m};
}

static totals bruck_allgather(shape s)
{
    return each(s, s.k, (s.p - 1) * s.m);
}

static totals bruck_alltoall(shape s)
{
    return each(s, s.k, s.bits * s.m);
}

static totals gather_bcast(shape s)
{
    return (totals){2 * (s.p - 1), (s.p - 1) * s.m + (s.p - 1) * s.p * s.m};
}

static totals far_gather_bcast(shape s)
{
    return (totals){2 * (s.p - 1), s.bits * s.m + (s.p - 1) * s.p * s.m};
}

/* Algorithms that are not here have closed forms of their own, in tests of their own. */
static const struct {
    const char *algorithm;
    coll_kind kind;
    totals (*total)(shape s);
} FORMULA[] = {
    {"linear", COLL_BCAST, tree},
    {"linear", COLL_REDUCE, tree},
    {"linear", COLL_GATHER, tree},
    {"linear", COLL_GATHERV, tree},
    {"linear", COLL_SCATTER, tree},
    {"linear", COLL_SCATTERV, tree},
    {"linear", COLL_SCAN, tree},
    {"linear", COLL_EXSCAN, tree},
    {"linear", COLL_BARRIER, tree_there_and_back},
    {"linear", COLL_ALLREDUCE, tree_there_and_back},
    {"linear", COLL_ALLGATHER, gather_bcast},
    {"linear", COLL_ALLGATHERV, gather_bcast},
    {"linear", COLL_REDUCE_SCATTER, gather_bcast},
    {"linear", COLL_REDUCE_SCATTER_BLOCK, gather_bcast},
    {"linear", COLL_ALLTOALL, every_block_to_everyone},
    {"linear", COLL_ALLTOALLV, every_block_to_everyone},
    {"linear", COLL_ALLTOALLW, every_block_to_everyone},
    {"binomial", COLL_BCAST, tree},
    {"binomial", COLL_REDUCE, tree},
    {"binomial-far", COLL_BCAST, tree},
    {"binomial-far", COLL_REDUCE, tree},
    {"binomial-far", COLL_GATHER, tree_of_blocks},
    {"binomial-far", COLL_SCATTER, tree_of_blocks},
    {"dissemination", COLL_BARRIER, dissemination},
    {"dissemination", COLL_ALLREDUCE, dissemination},
    {"dissemination", COLL_ALLGATHER, bruck_allgather},
    {"dissemination", COLL_ALLGATHERV, bruck_allgather},
    {"dissemination", COLL_ALLTOALL, bruck_alltoall},
    {"recursive-doubling", COLL_BARRIER, doubling},
    {"recursive-doubling", COLL_ALLREDUCE, doubling},
    {"recursive-doubling", COLL_ALLGATHER, doubling_allgather},
    {"recursive-doubling", COLL_ALLGATHERV, doubling_allgather},
    {"recursive-doubling", COLL_SCAN, doubling_scan},
    {"recursive-doubling", COLL_EXSCAN, doubling_scan},
    {"recursive-halving", COLL_REDUCE, halving_reduce},
    {"recursive-halving", COLL_ALLREDUCE, halving_allreduce},
    {"recursive-halving", COLL_REDUCE_SCATTER, halving_reduce_scatter},
    {"recursive-halving", COLL_REDUCE_SCATTER_BLOCK, halving_reduce_scatter},
    {"ring", COLL_BCAST, tree},
    {"ring", COLL_REDUCE, tree},
    {"ring", COLL_ALLREDUCE, ring_allreduce},
    {"ring", COLL_ALLGATHER, every_block_to_everyone},
    {"ring", COLL_ALLGATHERV, every_block_to_everyone},
    {"ring", COLL_REDUCE_SCATTER, every_block_to_everyone},
    {"ring", COLL_REDUCE_SCATTER_BLOCK, every_block_to_everyone},
    {"bruck", COLL_ALLGATHER, bruck_allgather},
    {"bruck", COLL_ALLGATHERV, bruck_allgather},
    {"bruck", COLL_ALLTOALL, bruck_alltoall},
    {"pairwise", COLL_ALLTOALL, every_block_to_everyone},
    {"pairwise", COLL_ALLTOALLV, every_block_to_everyone},
    {"pairwise", COLL_ALLTOALLW, every_block_to_everyone},
    {"pairwise", COLL_REDUCE_SCATTER, every_block_to_everyone},
    {"pairwise", COLL_REDUCE_SCATTER_BLOCK, every_block_to_everyone},
    {"scatter-allgather", COLL_BCAST, scatter_allgather},
    {"composite", COLL_BARRIER, tree_there_and_back},
    {"composite", COLL_ALLREDUCE, tree_there_and_back},
    {"composite", COLL_ALLGATHER, far_gather_bcast},
    {"composite", COLL_ALLGATHERV, far_gather_bcast},
    {"composite", COLL_REDUCE_SCATTER, far_gather_bcast},
    {"composite", COLL_REDUCE_SCATTER_BLOCK, far_gather_bcast},
};

/* @return how many formulas were checked */
static uint32_t check_totals(coll_kind kind, coll_algorithm algorithm, uint32_t size)
{
    const shape s = shape_of(size);
    const calls_spec spec = {.kind = kind,
                             .algorithm = algorithm,
                             .size = size,
                             .root = size / 3,
                             .bytes = s.m,
                             .reduce = SIM_RATE_PER_PS};
    GArray **steps = calls_steps(&spec);
    totals sent = {0, 0};
    totals received = {0, 0};
    for (uint32_t rank = 0; rank < size; rank++) {
        for (guint i = 0; i < steps[rank]->len; i++) {
            const coll_step *step = &g_array_index(steps[rank], calls_step, i).step;
            totals *t = step->type == SIM_OP_SEND ? &sent : &received;
            t->messages += step->type != SIM_OP_CALC ? 1 : 0;
            t->bytes += step->type != SIM_OP_CALC ? step->size : 0;
        }
    }
    calls_steps_free(steps, size);
    g_autofree char *what = calls_describe(&spec);
    CHECK_I64(received.messages, sent.messages, "%s", what);
    CHECK_I64(received.bytes, sent.bytes, "%s", what);
    /* Whatever the algorithm, nobody is left out. */
    const int64_t m = kind == COLL_BARRIER ? 0 : s.m;
    CHECK(sent.messages >= s.p - 1 && sent.bytes >= (s.p - 1) * m, "%s", what);
    uint32_t n = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(FORMULA); i++) {
        if (FORMULA[i].kind == kind &&
            strcmp(FORMULA[i].algorithm, coll_algorithm_name(algorithm)) == 0) {
            const totals wanted = FORMULA[i].total(s);
            CHECK_I64(sent.messages, wanted.messages, "%s", what);
            CHECK_I64(sent.bytes, kind == COLL_BARRIER ? 0 : wanted.bytes, "%s", what);
            n++;
        }
    }
    return n;
}

static void messages_and_bytes_are_those_of_the_table(void)
{
    static const uint32_t larger[] = {48, 100, 127, 128, 129};
    uint32_t n = 0;
    for (int kind = 0; kind < COLL_NUM_KINDS; kind++) {
        for (size_t a = 0; a < calls_algorithm_count((coll_kind)kind); a++) {
            const coll_algorithm algorithm = calls_algorithm_at((coll_kind)kind, a);
            for (uint32_t i = 0; i < 33 + G_N_ELEMENTS(larger); i++) {
                n += check_totals((coll_kind)kind, algorithm, i < 33 ? i + 1 : larger[i - 33]);
            }
        }
    }
    CHECK_I64(n, G_N_ELEMENTS(FORMULA) * (33 + G_N_ELEMENTS(larger)), "every formula is used");
}

/* docs/collectives.md, section 3: empty messages travel, but for pairs whose count is 0. */
static void empty_messages_travel_unless_counted(void)
{
    static const struct {
        coll_kind kind;
        uint32_t messages; /* on 4 ranks */
        const char *algorithm;
    } row[] = {
        {COLL_ALLTOALL, 12, "linear"},      {COLL_ALLTOALL, 12, "pairwise"},
        {COLL_ALLTOALLV, 0, "linear"},      {COLL_ALLTOALLW, 0, "pairwise"},
        {COLL_GATHER, 3, "linear"},         {COLL_GATHERV, 0, "linear"},
        {COLL_SCATTER, 3, "linear"},        {COLL_SCATTERV, 0, "linear"},
        {COLL_ALLGATHERV, 3, "linear"},     {COLL_ALLGATHERV, 12, "ring"},
        {COLL_REDUCE_SCATTER, 3, "linear"}, {COLL_REDUCE_SCATTER, 12, "pairwise"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        const calls_spec spec = {
            .kind = row[i].kind, .algorithm = coll_algorithm_get(row[i].algorithm), .size = 4};
        GArray **steps = calls_steps(&spec);
        uint32_t n = 0;
        for (uint32_t rank = 0; rank < 4; rank++) {
            n += steps[rank]->len;
        }
        calls_steps_free(steps, 4);
        CHECK_I64(n, 2 * row[i].messages, "row %zu", i);
    }
}

/* docs/collectives.md, section 2.1: order 0 .. p-1 skipping the root. */
static void a_linear_root_goes_through_the_ranks_in_order(void)
{
    static const coll_kind kinds[] = {COLL_BCAST, COLL_REDUCE, COLL_GATHER, COLL_SCATTER};
    static const uint32_t wanted[] = {0, 1, 3, 4};
    for (size_t k = 0; k < G_N_ELEMENTS(kinds); k++) {
        const calls_spec spec = {.kind = kinds[k],
                                 .algorithm = coll_algorithm_get("linear"),
                                 .size = 5,
                                 .root = 2,
                                 .bytes = 1};
        GArray **steps = calls_steps(&spec);
        for (size_t i = 0; i < G_N_ELEMENTS(wanted); i++) {
            CHECK_I64(g_array_index(steps[2], calls_step, i).step.peer, wanted[i], "kind %zu", k);
        }
        calls_steps_free(steps, 5);
    }
}

/* The bytes of message number @p number between @p rank and @p peer, as @p rank has it; -1: none.
 */
static int64_t nth_message(const calls_spec *spec, uint32_t rank, sim_op_type type, uint32_t peer,
                           uint32_t number)
{
    const coll_call call = calls_of(spec, rank, NULL);
    coll_course course;
    coll_walk walk = {0};
    coll_step step;
    coll_course_init(&course, &call, spec->algorithm);
    while (coll_walk_next(&course, rank, &walk, &step)) {
        if (step.type == type && step.peer == peer && number-- == 0) {
            return step.size;
        }
    }
    return -1;
}

/* Every message that @p rank sends or receives is there on the other side. @return how many */
static uint32_t check_partners(const calls_spec *spec, uint32_t rank)
{
    const coll_call call = calls_of(spec, rank, NULL);
    g_autofree char *what = calls_describe(spec);
    coll_course course;
    coll_walk walk = {0};
    coll_step step;
    uint32_t n = 0;
    coll_step seen[256];
    coll_course_init(&course, &call, spec->algorithm);
    while (coll_walk_next(&course, rank, &walk, &step) && n < G_N_ELEMENTS(seen)) {
        if (step.type == SIM_OP_CALC) {
            continue;
        }
        CHECK(step.peer < spec->size && step.peer != rank, "%s rank %u: peer %u", what, rank,
              step.peer);
        uint32_t number = 0;
        for (uint32_t i = 0; i < n; i++) {
            number += seen[i].type == step.type && seen[i].peer == step.peer ? 1 : 0;
        }
        seen[n++] = step;
        const sim_op_type other = step.type == SIM_OP_SEND ? SIM_OP_RECV : SIM_OP_SEND;
        CHECK_I64(nth_message(spec, step.peer, other, rank, number), step.size,
                  "%s rank %u peer %u", what, rank, step.peer);
    }
    CHECK(n < G_N_ELEMENTS(seen), "%s", what);
    return n;
}

/* More rounds of one rank than this are not looked at one by one. */
#define MAX_LARGE_ROUNDS 50

static void very_large_communicators_match_too(void)
{
    static const uint32_t sizes[] = {1U << 20, (1U << 20) + 1, 1U << 31, (1U << 31) + 1,
                                     UINT32_MAX - 1};
    static const int64_t bytes[] = {1, 1000, INT64_MAX};
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);
    for (int kind = 0; kind < COLL_NUM_KINDS; kind++) {
        for (size_t a = 0; a < calls_algorithm_count((coll_kind)kind); a++) {
            const coll_algorithm algorithm = calls_algorithm_at((coll_kind)kind, a);
            if (coll_algorithm_max_rounds(algorithm, UINT32_MAX) > MAX_LARGE_ROUNDS) {
                continue;
            }
            for (size_t i = 0; i < G_N_ELEMENTS(sizes) * G_N_ELEMENTS(bytes); i++) {
                const uint32_t size = sizes[i / G_N_ELEMENTS(bytes)];
                const calls_spec spec = {.kind = (coll_kind)kind,
                                         .algorithm = algorithm,
                                         .size = size,
                                         .root =
                                             coll_kind_is_rooted((coll_kind)kind) ? size - 2 : 0,
                                         .bytes = bytes[i % G_N_ELEMENTS(bytes)],
                                         .reduce = SIM_RATE_PER_PS};
                const uint32_t ranks[] = {0,        1,        size - 1,
                                          size - 2, size / 2, g_rand_int(rand) % size};
                for (size_t r = 0; r < G_N_ELEMENTS(ranks); r++) {
                    CHECK(check_partners(&spec, ranks[r]) > 0);
                }
            }
        }
    }
}

static uint64_t walk_all(const coll_course *course, uint32_t rank)
{
    coll_walk walk = {0};
    coll_step step;
    uint64_t n = 0;
    while (coll_walk_next(course, rank, &walk, &step)) {
        n++;
    }
    return n;
}

/* Some pairs have nothing to exchange, and counts repeat in enlarged programs. */
static void steps_counted_ahead_are_those_taken(void)
{
    static const coll_kind kinds[] = {COLL_ALLTOALL, COLL_ALLTOALLV, COLL_ALLTOALLW};
    g_autoptr(GRand) rand = g_rand_new_with_seed(11);
    for (int i = 0; i < 3000; i++) {
        int64_t send[6], recv[6];
        for (size_t j = 0; j < G_N_ELEMENTS(send); j++) {
            send[j] = g_rand_int_range(rand, 0, 3);
            recv[j] = g_rand_int_range(rand, 0, 3);
        }
        const uint32_t period = (uint32_t)g_rand_int_range(rand, 1, 7);
        coll_call call = {.kind = kinds[i % 3],
                          .size = period * (uint32_t)g_rand_int_range(rand, 1, 12),
                          .bytes = g_rand_int_range(rand, 0, 2),
                          .reduce = SIM_RATE_PER_PS};
        if (call.kind != COLL_ALLTOALL && g_rand_boolean(rand)) {
            call.send_counts = send;
            call.recv_counts = recv;
            call.num_counts = period;
            call.in_place = g_rand_boolean(rand);
        }
        const uint32_t rank = (uint32_t)g_rand_int_range(rand, 0, (gint32)call.size);
        call.rank = rank;
        coll_course course;
        coll_course_init(&course, &call, coll_algorithm_get("pairwise"));
        CHECK_I64(coll_course_num_steps(&course, rank), walk_all(&course, rank), "%d", i);
    }
}

/* They are counted before a run to see how long it takes: round by round that took longer. */
static void steps_of_very_large_exchanges_are_counted_at_once(void)
{
    static const int64_t counts[] = {8, 0, 8, 8};
    const coll_call call = {.kind = COLL_ALLTOALLV,
                            .size = 1U << 31,
                            .send_counts = counts,
                            .recv_counts = counts,
                            .num_counts = 4};
    coll_course course;
    coll_course_init(&course, &call, coll_algorithm_get("pairwise"));
    for (uint32_t rank = 0; rank < 4000; rank++) {
        const uint64_t partners = 3 * (1ULL << 29) - (rank % 4 == 1 ? 0 : 1);
        CHECK_I64(coll_course_num_steps(&course, rank), 2 * partners, "rank %u", rank);
    }
}

SUITE_MAIN("coll_counts", TEST(steps_counted_ahead_are_those_taken),
           TEST(steps_of_very_large_exchanges_are_counted_at_once),
           TEST(messages_and_bytes_are_those_of_the_table),
           TEST(empty_messages_travel_unless_counted),
           TEST(a_linear_root_goes_through_the_ranks_in_order),
           TEST(very_large_communicators_match_too))
