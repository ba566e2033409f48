/* tests/collectives/test_coll_kind.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "coll/kind.h"

static void every_name_parses_back(void)
{
    for (int kind = 0; kind < COLL_NUM_KINDS; kind++) {
        coll_kind back = COLL_NUM_KINDS;
        CHECK(coll_kind_parse(coll_kind_name((coll_kind)kind), &back), "kind %d", kind);
        CHECK_I64(back, kind);
    }
}

static void mpi_spelling_is_understood(void)
{
    coll_kind kind = COLL_NUM_KINDS;
    CHECK(coll_kind_parse("MPI_Reduce_scatter_block", &kind));
    CHECK_I64(kind, COLL_REDUCE_SCATTER_BLOCK);
    CHECK(!coll_kind_parse("MPI_Send", &kind));
}

/* MPI 3.1, chapter 5: these have an argument "root". */
static void six_collectives_have_a_root(void)
{
    static const coll_kind rooted[] = {COLL_BCAST,   COLL_REDUCE,  COLL_GATHER,
                                       COLL_GATHERV, COLL_SCATTER, COLL_SCATTERV};
    int n = 0;
    for (int kind = 0; kind < COLL_NUM_KINDS; kind++) {
        n += coll_kind_is_rooted((coll_kind)kind) ? 1 : 0;
    }
    CHECK_I64(n, G_N_ELEMENTS(rooted));
    for (size_t i = 0; i < G_N_ELEMENTS(rooted); i++) {
        CHECK(coll_kind_is_rooted(rooted[i]), "%s", coll_kind_name(rooted[i]));
    }
}

/* MPI 3.1, chapter 5: who has an argument "sendcounts", and who "recvcounts". */
static void counts_are_given_where_mpi_has_them(void)
{
    static const struct {
        coll_kind kind;
        coll_counts send;
        coll_counts recv;
    } row[] = {
        {COLL_GATHERV, COLL_COUNTS_NOBODY, COLL_COUNTS_ROOT},
        {COLL_SCATTERV, COLL_COUNTS_ROOT, COLL_COUNTS_NOBODY},
        {COLL_ALLGATHERV, COLL_COUNTS_NOBODY, COLL_COUNTS_EVERYBODY},
        {COLL_ALLTOALLV, COLL_COUNTS_EVERYBODY, COLL_COUNTS_EVERYBODY},
        {COLL_ALLTOALLW, COLL_COUNTS_EVERYBODY, COLL_COUNTS_EVERYBODY},
        {COLL_REDUCE_SCATTER, COLL_COUNTS_NOBODY, COLL_COUNTS_EVERYBODY},
    };
    size_t n = 0;
    for (int kind = 0; kind < COLL_NUM_KINDS; kind++) {
        n += coll_kind_has_counts((coll_kind)kind) ? 1 : 0;
    }
    CHECK_I64(n, G_N_ELEMENTS(row));
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        const coll_kind kind = row[i].kind;
        const bool pairs = row[i].send == COLL_COUNTS_EVERYBODY;
        CHECK_I64(coll_kind_has_send_counts(kind, true), row[i].send != COLL_COUNTS_NOBODY);
        CHECK_I64(coll_kind_has_send_counts(kind, false), pairs, "row %zu", i);
        CHECK_I64(coll_kind_has_recv_counts(kind, true), row[i].recv != COLL_COUNTS_NOBODY);
        CHECK_I64(coll_kind_has_recv_counts(kind, false), row[i].recv == COLL_COUNTS_EVERYBODY);
        CHECK_I64(coll_kind_has_pairs(kind), pairs, "row %zu", i);
        CHECK_I64(coll_kind_counts_agree(kind), !pairs && row[i].recv == COLL_COUNTS_EVERYBODY);
        CHECK(!coll_kind_bytes_agree(kind), "row %zu", i);
    }
    CHECK(!coll_kind_bytes_agree(COLL_BARRIER));
    CHECK(coll_kind_bytes_agree(COLL_ALLTOALL));
}

SUITE_MAIN("coll_kind", TEST(every_name_parses_back), TEST(mpi_spelling_is_understood),
           TEST(six_collectives_have_a_root), TEST(counts_are_given_where_mpi_has_them))
