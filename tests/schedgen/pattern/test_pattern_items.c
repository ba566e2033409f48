/* tests/schedgen/pattern/test_pattern_items.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* What each item is, operation by operation, as docs/patterns.md, section 3, says; and that what is
 * sent is what is received. */
#include "check.h"
#include "pattern/pattern_random.h"
#include "sched/pattern.h"

#include <math.h>

static sched_rank_source *source_of(const sched_pattern *pattern, uint32_t ranks, uint32_t repeat)
{
    const sched_pattern_options options = {.ranks = ranks, .repeat = repeat};
    g_autoptr(GError) error = NULL;
    sched_rank_source *source = sched_pattern_source_new(pattern, &options, &error);
    CHECK(source != NULL, "%s", error != NULL ? error->message : "");
    return source;
}

/*
 * "r1 r2 s1 s2": a letter and a peer for each operation (c and ns for a calc); '+' before what only
 * irequires the operation right before it, else it requires all since the last without '+'.
 */
static char *describe(const sched_rank_ops *ops)
{
    GString *out = g_string_new(NULL);
    size_t edge = 0;
    uint32_t begin = 0;
    uint32_t previous = 0;
    for (uint32_t i = 0; i < ops->num_ops; i++) {
        const sim_op *op = &ops->ops[i];
        uint32_t starts = 0;
        uint32_t finishes = 0;
        for (; edge < ops->num_edges && ops->edges[edge].later == i; edge++) {
            const sched_edge *e = &ops->edges[edge];
            starts += e->start && e->earlier + 1 == i;
            finishes += !e->start && e->earlier >= begin;
        }
        CHECK(starts == 1 ? finishes == 0 : finishes == i - begin, "operation %u", i);
        if (starts == 0) {
            previous = begin;
            begin = i;
        }
        (void)previous;
        g_string_append_printf(
            out, "%s%s%c%" G_GINT64_FORMAT, i > 0 ? " " : "", starts == 1 ? "+" : "",
            "csr"[op->type], op -> type == SIM_OP_CALC ? op -> size / SIM_NS : (int64_t)op -> peer);
    }
    CHECK_I64(edge, ops->num_edges, "all dependencies are of some operation");
    return g_string_free(out, FALSE);
}

static void items_are_the_operations_of_their_mpi_calls(void)
{
    static const struct {
        const char *text;
        uint32_t ranks;
        uint32_t rank;
        const char *wanted;
    } row[] = {
        {"calc=3ns", 4, 2, "c3"},
        {"calc=3ns*3", 4, 2, "c3 c3 c3"},
        /* Irecv from below and above, Isend to them, Waitall */
        {"stencil1d", 5, 0, "r4 +r1 +s4 +s1"},
        {"stencil1d", 5, 3, "r2 +r4 +s2 +s4"},
        {"stencil1d,calc=1ns", 5, 3, "r2 +r4 +s2 +s4 c1"},
        /* 3 x 2: rows wrap at 3, and in the dimension of 2 both neighbours are the same */
        {"stencil2d", 6, 0, "r4 +r2 +r1 +r1 +s4 +s2 +s1 +s1"},
        {"stencil2d", 6, 5, "r3 +r1 +r4 +r4 +s3 +s1 +s4 +s4"},
        /* 2 x 2 x 2 */
        {"stencil3d", 8, 5, "r1 +r1 +r7 +r7 +r4 +r4 +s1 +s1 +s7 +s7 +s4 +s4"},
        /* 7 x 1 x 1: as in one dimension; nobody is there in the others */
        {"stencil3d", 7, 6, "r5 +r0 +s5 +s0"},
        {"stencil3d", 2, 1, "r0 +r0 +s0 +s0"},
        {"stencil3d", 1, 0, ""},
        /* 3 x 2, ranks 0 1 / 2 3 / 4 5: west, north; east, south */
        {"wavefront", 6, 0, "s1 s2"},
        {"wavefront", 6, 3, "r2 r1 s5"},
        {"wavefront", 6, 5, "r4 r3"},
        {"wavefront,calc=5ns", 6, 0, "c5 s1 s2"},
        {"wavefront,calc=5ns", 6, 2, "r0 c5 s3 s4"},
        {"(wavefront),calc=5ns", 6, 2, "r0 s3 s4 c5"},
        {"wavefront,calc=5ns,calc=6ns", 6, 2, "r0 c5 s3 s4 c6"},
        {"wavefront,calc=5ns*2", 6, 2, "r0 c5 s3 s4 r0 c5 s3 s4"},
        {"wavefront", 1, 0, ""},
        /* Sendrecv */
        {"ring", 3, 0, "s1 +r2"},
        {"ring", 3, 2, "s0 +r1"},
        {"ring,ring", 2, 0, "s1 +r1 s1 +r1"},
        {"ring", 1, 0, ""},
        {"random", 2, 1, "s0 +r0"},
        {"random", 1, 0, ""},
        /* binomial tree; dissemination: docs/collectives.md */
        {"bcast:binomial", 4, 1, "r0 s3"},
        {"barrier", 4, 1, "s2 +r0 s3 +r3"},
        {"ring,barrier:dissemination", 4, 1, "s2 +r0 s2 +r0 s3 +r3"},
        {"allreduce", 1, 0, ""},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(sched_pattern) p = sched_pattern_new(row[i].text, NULL);
        sched_rank_source *source = source_of(p, row[i].ranks, 1);
        sched_rank_ops ops;
        if (source != NULL && CHECK(source->get(source, row[i].rank, &ops, NULL))) {
            g_autofree char *got = describe(&ops);
            CHECK_STR(got, row[i].wanted, "%s, rank %u of %u", row[i].text, row[i].rank,
                      row[i].ranks);
        }
        sched_pattern_source_free(source);
    }
}

static void computation_is_drawn_for_each_rank_and_turn(void)
{
    enum { RANKS = 50, TIMES = 40 };
    g_autoptr(sched_pattern) p = sched_pattern_new("(calc=1ms~10%)*20", NULL);
    g_autoptr(sched_pattern) other = sched_pattern_new("seed=2,(calc=1ms~10%)*20", NULL);
    sched_rank_source *source = source_of(p, RANKS, TIMES / 20);
    sched_rank_source *seeded = source_of(other, RANKS, TIMES / 20);
    g_autoptr(GHashTable) seen = g_hash_table_new(g_int64_hash, g_int64_equal);
    static int64_t size[2 * RANKS * TIMES];
    double sum = 0;
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        sched_rank_ops ops;
        sched_rank_ops of_other;
        (void)source->get(source, rank, &ops, NULL);
        (void)seeded->get(seeded, rank, &of_other, NULL);
        CHECK_I64(ops.num_ops, TIMES);
        for (uint32_t i = 0; i < ops.num_ops; i++) {
            int64_t *at = &size[((size_t)rank * TIMES + i) * 2];
            at[0] = ops.ops[i].size;
            at[1] = of_other.ops[i].size;
            CHECK(at[0] >= 900 * SIM_US && at[0] <= 1100 * SIM_US, "%" G_GINT64_FORMAT, at[0]);
            sum += (double)at[0];
            g_hash_table_add(seen, &at[0]);
            g_hash_table_add(seen, &at[1]);
        }
    }
    /* of 200,001 values, 4,000 draws meet some 40 twice */
    CHECK(g_hash_table_size(seen) > 3900, "%u different times", g_hash_table_size(seen));
    /* six standard errors of 2,000 draws from a width of 200 us */
    CHECK_NEAR(sum / (RANKS * TIMES), 1e9, 6 * 200e6 / sqrt(12) / sqrt(2000), "their mean, in ps");
    sched_pattern_source_free(source);
    sched_pattern_source_free(seeded);
}

/* ---- matching ------------------------------------------------------------------------------ */

/* Messages from a rank to another, in order: "tag:bytes tag:bytes …". */
static void note(GHashTable *pairs, uint32_t from, uint32_t to, const sim_op *op)
{
    const uint64_t key = (uint64_t)from << 32 | to;
    GString *list = g_hash_table_lookup(pairs, &key);
    if (list == NULL) {
        list = g_string_new(NULL);
        g_hash_table_insert(pairs, g_memdup2(&key, sizeof key), list);
    }
    g_string_append_printf(list, "%u:%" G_GINT64_FORMAT " ", op->tag, op->size);
}

static void string_free(gpointer data)
{
    g_string_free(data, TRUE);
}

static void check_matches(const char *text, uint32_t ranks, uint32_t repeat)
{
    g_autoptr(sched_pattern) p = sched_pattern_new(text, NULL);
    sched_rank_source *source = source_of(p, ranks, repeat);
    g_autoptr(GHashTable) sent =
        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, string_free);
    g_autoptr(GHashTable) received =
        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, string_free);
    for (uint32_t rank = 0; source != NULL && rank < ranks; rank++) {
        sched_rank_ops ops;
        CHECK(source->get(source, rank, &ops, NULL));
        for (uint32_t i = 0; i < ops.num_ops; i++) {
            const sim_op *op = &ops.ops[i];
            CHECK(op->type == SIM_OP_CALC || (op->peer < ranks && op->peer != rank), "%s", text);
            if (op->type == SIM_OP_SEND) {
                note(sent, rank, op->peer, op);
            } else if (op->type == SIM_OP_RECV) {
                note(received, op->peer, rank, op);
            }
        }
    }
    CHECK_I64(g_hash_table_size(sent), g_hash_table_size(received), "%s on %u", text, ranks);
    GHashTableIter iter;
    gpointer key;
    gpointer list;
    g_hash_table_iter_init(&iter, sent);
    while (g_hash_table_iter_next(&iter, &key, &list)) {
        const GString *other = g_hash_table_lookup(received, key);
        const uint64_t pair = *(const uint64_t *)key;
        CHECK_STR(other != NULL ? other->str : "", ((const GString *)list)->str,
                  "%s on %u ranks: %u to %u", text, ranks, (uint32_t)(pair >> 32), (uint32_t)pair);
    }
    sched_pattern_source_free(source);
}

static void every_message_is_received_in_the_order_sent(void)
{
    static const char *const items[] = {"stencil1d", "stencil2d", "stencil3d", "wavefront,calc=1us",
                                        "ring",      "random",    "alltoall",  "scan"};
    for (size_t i = 0; i < G_N_ELEMENTS(items); i++) {
        for (uint32_t ranks = 1; ranks <= 40; ranks++) {
            check_matches(items[i], ranks, 2);
        }
    }
    g_autoptr(GRand) rand = g_rand_new_with_seed(3);
    for (int i = 0; i < 150; i++) {
        g_autofree char *text = pattern_random_text(rand);
        check_matches(text, (uint32_t)g_rand_int_range(rand, 1, 50),
                      (uint32_t)g_rand_int_range(rand, 1, 3));
    }
}

SUITE_MAIN("pattern_items", TEST(items_are_the_operations_of_their_mpi_calls),
           TEST(computation_is_drawn_for_each_rank_and_turn),
           TEST(every_message_is_received_in_the_order_sent))
