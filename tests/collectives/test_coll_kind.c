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

SUITE_MAIN("coll_kind", TEST(every_name_parses_back), TEST(mpi_spelling_is_understood))
