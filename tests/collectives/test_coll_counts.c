/* tests/collectives/test_coll_counts.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many messages and bytes there are in all: the columns "msgs / vol" of collectives.md
 * section 2, at sizes 1 to 33 and some larger. And at sizes too large to look at every rank:
 * whatever a rank sends, its peer receives.
 */
#include "calls.h"
#include "check.h"

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

static totals rooted(coll_kind kind, coll_algorithm algorithm, shape s)
{
    const totals tree = {s.p - 1, (s.p - 1) * s.m}; /* numbers 1, 2, 3, 6 */
    if (algorithm == COLL_ALG_SCATTER_ALLGATHER) {  /* 21, with the steps of 16 */
        return (totals){s.p - 1 + s.p * s.k, s.m / s.p * s.bits + (s.p - 1) * s.m};
    }
    if (algorithm == COLL_ALG_RECURSIVE_HALVING) { /* 13r: fold, 12, gather of halves */
        return (totals){s.rem + s.core * s.K + s.core - 1,
                        s.rem * s.m + (s.core - 1) * s.m + s.K * s.m / 2};
    }
    if (algorithm == COLL_ALG_BINOMIAL_FAR && (kind == COLL_GATHER || kind == COLL_SCATTER)) {
        return (totals){s.p - 1, s.bits * s.m}; /* 23: a block makes a hop for each bit */
    }
    return tree;
}

static totals allreduce(coll_algorithm algorithm, shape s)
{
    switch (algorithm) {
    case COLL_ALG_DISSEMINATION: /* 9 */
        return (totals){s.p * s.k, s.p * s.k * s.m};
    case COLL_ALG_RECURSIVE_DOUBLING: /* 10, 11 */
        return (totals){2 * s.rem + s.core * s.K, (2 * s.rem + s.core * s.K) * s.m};
    case COLL_ALG_RECURSIVE_HALVING: /* 13 */
        return (totals){2 * s.rem + 2 * s.core * s.K, (2 * s.rem + 2 * (s.core - 1)) * s.m};
    case COLL_ALG_RING: /* 15 */
        return (totals){2 * s.p * (s.p - 1), 2 * (s.p - 1) * s.m};
    default: /* 24: 28 or 26 */
        return (totals){2 * (s.p - 1), 2 * (s.p - 1) * s.m};
    }
}

static totals allgather(coll_algorithm algorithm, shape s)
{
    switch (algorithm) {
    case COLL_ALG_LINEAR: /* 24: 1 + 1 */
        return (totals){2 * (s.p - 1), (s.p - 1) * s.m + (s.p - 1) * s.p * s.m};
    case COLL_ALG_COMPOSITE: /* 24: 23 + 2 */
        return (totals){2 * (s.p - 1), s.bits * s.m + (s.p - 1) * s.p * s.m};
    case COLL_ALG_RING: /* 14 */
        return (totals){s.p * (s.p - 1), s.p * (s.p - 1) * s.m};
    case COLL_ALG_RECURSIVE_DOUBLING: /* 10, 11: one block in, all others back */
        return (totals){2 * s.rem + s.core * s.K,
                        (s.rem + s.p * (s.core - 1) + s.rem * (s.p - 1)) * s.m};
    default: /* 16 */
        return (totals){s.p * s.k, s.p * (s.p - 1) * s.m};
    }
}

static totals reduce_scatter(coll_algorithm algorithm, shape s)
{
    switch (algorithm) {
    case COLL_ALG_LINEAR: /* 24: 1 + 1 */
        return (totals){2 * (s.p - 1), (s.p - 1) * s.p * s.m + (s.p - 1) * s.m};
    case COLL_ALG_COMPOSITE: /* 24: 2 + 23 */
        return (totals){2 * (s.p - 1), (s.p - 1) * s.p * s.m + s.bits * s.m};
    case COLL_ALG_RECURSIVE_HALVING: /* 11, 12: everything in, one block back */
        return (totals){2 * s.rem + s.core * s.K, (s.rem * s.p + s.p * (s.core - 1) + s.rem) * s.m};
    default: /* 15, first half; 19 */
        return (totals){s.p * (s.p - 1), s.p * (s.p - 1) * s.m};
    }
}

static totals expected(coll_kind kind, coll_algorithm algorithm, shape s)
{
    switch (kind) {
    case COLL_BARRIER:
        return (totals){allreduce(algorithm, s).messages, 0};
    case COLL_ALLREDUCE:
        return allreduce(algorithm, s);
    case COLL_ALLGATHER:
    case COLL_ALLGATHERV:
        return allgather(algorithm, s);
    case COLL_REDUCE_SCATTER:
    case COLL_REDUCE_SCATTER_BLOCK:
        return reduce_scatter(algorithm, s);
    case COLL_ALLTOALL:
    case COLL_ALLTOALLV:
    case COLL_ALLTOALLW:
        if (algorithm == COLL_ALG_BRUCK || algorithm == COLL_ALG_DISSEMINATION) { /* 17 */
            return (totals){s.p * s.k, s.p * s.bits * s.m};
        }
        return (totals){s.p * (s.p - 1), s.p * (s.p - 1) * s.m}; /* 19 */
    case COLL_SCAN:
    case COLL_EXSCAN:
        if (algorithm == COLL_ALG_RECURSIVE_DOUBLING) { /* 25: a pair for each bit set */
            return (totals){2 * s.bits, 2 * s.bits * s.m};
        }
        return (totals){s.p - 1, (s.p - 1) * s.m}; /* 25l */
    default:
        return rooted(kind, algorithm, s);
    }
}

static void check_totals(coll_kind kind, coll_algorithm algorithm, uint32_t size)
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
            const coll_step *step = &g_array_index(steps[rank], coll_step, i);
            totals *t = step->type == SIM_OP_SEND ? &sent : &received;
            t->messages += step->type != SIM_OP_CALC ? 1 : 0;
            t->bytes += step->type != SIM_OP_CALC ? step->size : 0;
        }
    }
    calls_steps_free(steps, size);
    const totals wanted = expected(kind, algorithm, s);
    g_autofree char *what = calls_describe(&spec);
    CHECK_I64(sent.messages, wanted.messages, "%s", what);
    CHECK_I64(sent.bytes, wanted.bytes, "%s", what);
    CHECK_I64(received.messages, wanted.messages, "%s", what);
    CHECK_I64(received.bytes, wanted.bytes, "%s", what);
}

static void messages_and_bytes_are_those_of_the_table(void)
{
    static const uint32_t larger[] = {48, 100, 127, 128, 129};
    for (int kind = 0; kind < COLL_NUM_KINDS; kind++) {
        for (int algorithm = 1; algorithm < COLL_NUM_ALGORITHMS; algorithm++) {
            if (!coll_algorithm_check((coll_algorithm)algorithm, (coll_kind)kind, 2, NULL)) {
                continue;
            }
            for (uint32_t i = 0; i < 33 + G_N_ELEMENTS(larger); i++) {
                check_totals((coll_kind)kind, (coll_algorithm)algorithm,
                             i < 33 ? i + 1 : larger[i - 33]);
            }
        }
    }
}

/* docs/collectives.md section 3: empty messages travel, but for pairs whose count is 0. */
static void empty_messages_travel_unless_counted(void)
{
    static const struct {
        coll_kind kind;
        coll_algorithm algorithm;
        uint32_t messages; /* on 4 ranks */
    } row[] = {
        {COLL_ALLTOALL, COLL_ALG_LINEAR, 12},      {COLL_ALLTOALL, COLL_ALG_PAIRWISE, 12},
        {COLL_ALLTOALLV, COLL_ALG_LINEAR, 0},      {COLL_ALLTOALLW, COLL_ALG_PAIRWISE, 0},
        {COLL_GATHER, COLL_ALG_LINEAR, 3},         {COLL_GATHERV, COLL_ALG_LINEAR, 0},
        {COLL_SCATTER, COLL_ALG_LINEAR, 3},        {COLL_SCATTERV, COLL_ALG_LINEAR, 0},
        {COLL_ALLGATHERV, COLL_ALG_LINEAR, 3},     {COLL_ALLGATHERV, COLL_ALG_RING, 12},
        {COLL_REDUCE_SCATTER, COLL_ALG_LINEAR, 3}, {COLL_REDUCE_SCATTER, COLL_ALG_PAIRWISE, 12},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        const calls_spec spec = {.kind = row[i].kind, .algorithm = row[i].algorithm, .size = 4};
        GArray **steps = calls_steps(&spec);
        uint32_t n = 0;
        for (uint32_t rank = 0; rank < 4; rank++) {
            n += steps[rank]->len;
        }
        calls_steps_free(steps, 4);
        CHECK_I64(n, 2 * row[i].messages, "row %zu", i);
    }
}

/* collectives.md section 2, number 1: order 0 .. p-1 skipping the root. */
static void a_linear_root_goes_through_the_ranks_in_order(void)
{
    static const coll_kind kinds[] = {COLL_BCAST, COLL_REDUCE, COLL_GATHER, COLL_SCATTER};
    static const uint32_t wanted[] = {0, 1, 3, 4};
    for (size_t k = 0; k < G_N_ELEMENTS(kinds); k++) {
        const calls_spec spec = {
            .kind = kinds[k], .algorithm = COLL_ALG_LINEAR, .size = 5, .root = 2, .bytes = 1};
        GArray **steps = calls_steps(&spec);
        for (size_t i = 0; i < G_N_ELEMENTS(wanted); i++) {
            CHECK_I64(g_array_index(steps[2], coll_step, i).peer, wanted[i], "kind %zu", k);
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
    coll_cursor cursor;
    coll_step step;
    coll_cursor_begin(&cursor, &call, spec->algorithm);
    while (coll_cursor_next(&cursor, &step)) {
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
    coll_cursor cursor;
    coll_step step;
    uint32_t n = 0;
    coll_step seen[256];
    coll_cursor_begin(&cursor, &call, spec->algorithm);
    while (coll_cursor_next(&cursor, &step) && n < G_N_ELEMENTS(seen)) {
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

static void very_large_communicators_match_too(void)
{
    static const uint32_t sizes[] = {1U << 20, (1U << 20) + 1, 1U << 31, (1U << 31) + 1,
                                     UINT32_MAX - 1};
    static const int64_t bytes[] = {1, 1000, INT64_MAX};
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);
    for (int kind = 0; kind < COLL_NUM_KINDS; kind++) {
        for (int algorithm = 1; algorithm < COLL_NUM_ALGORITHMS; algorithm++) {
            const bool is_long = algorithm == COLL_ALG_LINEAR || algorithm == COLL_ALG_RING ||
                                 algorithm == COLL_ALG_PAIRWISE;
            if (is_long ||
                !coll_algorithm_check((coll_algorithm)algorithm, (coll_kind)kind, 2, NULL)) {
                continue;
            }
            for (size_t i = 0; i < G_N_ELEMENTS(sizes) * G_N_ELEMENTS(bytes); i++) {
                const uint32_t size = sizes[i / G_N_ELEMENTS(bytes)];
                const calls_spec spec = {.kind = (coll_kind)kind,
                                         .algorithm = (coll_algorithm)algorithm,
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

SUITE_MAIN("coll_counts", TEST(messages_and_bytes_are_those_of_the_table),
           TEST(empty_messages_travel_unless_counted),
           TEST(a_linear_root_goes_through_the_ranks_in_order),
           TEST(very_large_communicators_match_too))
