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

SUITE_MAIN("coll_kind", TEST(every_name_parses_back), TEST(mpi_spelling_is_understood),
           TEST(six_collectives_have_a_root))
