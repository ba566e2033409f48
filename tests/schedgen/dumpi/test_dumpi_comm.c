/* tests/schedgen/dumpi/test_dumpi_comm.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "dumpi/dumpi_files.h"

static void check_comm(const sched_trace *trace, uint32_t rank, uint64_t i, uint32_t n,
                       const uint32_t *members)
{
    const sched_comm *comm = &trace->comms[call_of(trace, rank, i)->comm];
    CHECK_I64(comm->size, n, "rank %u, call %" G_GUINT64_FORMAT, rank, i);
    if (CHECK(comm->members != NULL, "rank %u, call %" G_GUINT64_FORMAT, rank, i) &&
        comm->size == n) {
        for (uint32_t k = 0; k < n; k++) {
            CHECK_I64(comm->members[k], members[k], "rank %u, call %" G_GUINT64_FORMAT, rank, i);
        }
    }
}

static void communicators_are_made_over_all_ranks(void)
{
    GByteArray *files[MOST];
    for (int rank = 0; rank < MOST; rank++) {
        GByteArray *f = files[rank] = dumpi_file_new();
        /* Even and odd ranks, turned round; the last rank is in none. */
        dumpi_record(f, COMM_SPLIT, 0, 1, "2442", WORLD, rank % 2, -rank, rank < 5 ? MINE : 1);
        if (rank < 5) {
            dumpi_record(f, BARRIER, 1, 2, "2", MINE);
            dumpi_record(f, COMM_FREE, 2, 3, "2", MINE);
        }
        dumpi_record(f, COMM_DUP, 3, 4, "22", WORLD, MINE);
        dumpi_record(f, BARRIER, 4, 5, "2", MINE);
        /* 3 by 2, then its columns. */
        dumpi_record(f, CART_CREATE, 5, 6, "24ll42", MINE, 2, 2, 3, 2, 2, 0, 0, 0, MINE + 1);
        dumpi_record(f, CART_SUB, 6, 7, "42l2", 2, MINE + 1, 2, 1, 0, MINE + 2);
        dumpi_record(f, BARRIER, 7, 8, "2", MINE + 2);
        dumpi_record(f, BARRIER, 8, 9, "2", SELF);
        /* Of a group: nobody knows. */
        dumpi_record(f, COMM_CREATE, 9, 10, "222", WORLD, 5, rank < 2 ? MINE + 3 : 1);
        if (rank < 2) {
            dumpi_record(f, BARRIER, 10, 11, "2", MINE + 3);
        }
    }
    g_autoptr(sched_trace) trace = dumpi_read_whole(files, MOST);
    static const uint32_t even[] = {4, 2, 0};
    static const uint32_t odd[] = {3, 1};
    static const uint32_t all[] = {0, 1, 2, 3, 4, 5};
    static const uint32_t columns[2][3] = {{0, 2, 4}, {1, 3, 5}};
    for (uint32_t rank = 0; rank < MOST; rank++) {
        const uint64_t at = rank < 5 ? 3 : 1;
        if (rank < 5) {
            check_comm(trace, rank, 1, rank % 2 == 0 ? 3 : 2, rank % 2 == 0 ? even : odd);
        }
        check_comm(trace, rank, at + 1, 6, all);
        check_comm(trace, rank, at + 4, 3, columns[rank % 2]);
        check_comm(trace, rank, at + 5, 1, &rank);
    }
    const sched_comm *unknown = &trace->comms[call_of(trace, 0, 10)->comm];
    CHECK(unknown->members == NULL && unknown->size == 2);
    CHECK_I64(call_of(trace, 1, 10)->comm, call_of(trace, 0, 10)->comm);
    g_autoptr(sim_graph) graph = dumpi_convert(trace);
    CHECK_I64(sim_graph_num_ranks(graph), MOST);
}

SUITE_MAIN("dumpi_comm", TEST(communicators_are_made_over_all_ranks))
