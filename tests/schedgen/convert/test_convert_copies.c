/* tests/schedgen/convert/test_convert_copies.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded ranks copied to reach more of them, and the collectives of all copies. */
#include "check.h"
#include "convert_texts.h"

static const char *const RING[] = {
    "MPI_Sendrecv:2:1:3:13,1,1:1:12:2:3:13,1,1:1:12:" C2(
        0) ":9:4\n"
           "MPI_Bcast:6:1:4:10,8,8:1:" C2(0) ":7\nMPI_Barrier:8:" C2(0) ":9\n" END,
    "MPI_Sendrecv:2:1:3:13,1,1:0:12:2:3:13,1,1:-1:12:" C2(
        1) ":9:4\n"
           "MPI_Bcast:6:1:4:10,8,8:1:" C2(1) ":7\nMPI_Barrier:8:" C2(1) ":9\n" END,
};

/* Rank h of copy e is h + 2 e; messages stay inside, collectives go over all. */
static void copies_share_their_collectives(void)
{
    sched_convert_options options = DEFAULTS;
    options.copies = 2;
    g_auto(result) r = convert_texts(RING, 2, &options);
    /* Bcast from rank 1 of 4, nearest child first: 1 -> 2; then 1 -> 3 and 2 -> 0. */
    check_rank(&r, 1,
               "calc 2000000\n"
               "send 3 to 0 #12 c0 < 0\n"
               "recv 3 from any #12 c0 ~ 1\n"
               "calc 2000000 < 1,2\n"
               "send 32 to 2 #0 c1 < 3\n"
               "send 32 to 3 #0 c1 < 4\n"
               "calc 1000000 < 5\n"
               "send 0 to 2 #1 c1 < 6\nrecv 0 from 0 #1 c1 ~ 7\n"
               "send 0 to 3 #1 c1 < 7,8\nrecv 0 from 3 #1 c1 ~ 9\n"
               "calc 91000000 < 9,10\n");
    check_rank(&r, 2,
               "calc 2000000\n"
               "send 3 to 3 #12 c0 < 0\n"
               "recv 3 from 3 #12 c0 ~ 1\n"
               "calc 2000000 < 1,2\n"
               "recv 32 from 1 #0 c1 < 3\n"
               "send 32 to 0 #0 c1 < 4\n"
               "calc 1000000 < 5\n"
               "send 0 to 3 #1 c1 < 6\nrecv 0 from 1 #1 c1 ~ 7\n"
               "send 0 to 0 #1 c1 < 7,8\nrecv 0 from 0 #1 c1 ~ 9\n"
               "calc 91000000 < 9,10\n");
    check_runs(&r);
    CHECK_I64(r.report.p2p, 2, "one copy");
}

static void roots_may_stay_in_their_copy(void)
{
    sched_convert_options options = DEFAULTS;
    options.copies = 3;
    options.roots = SCHED_ROOT_PER_COPY;
    g_auto(result) r = convert_texts(RING, 2, &options);
    CHECK(r.graph != NULL);
    g_autofree char *root = graph_text(r.graph, 5);
    CHECK(strstr(root, "send 32 to 4 #0 c1 < 3\ncalc") != NULL, "%s", root);
    check_runs(&r);
}

/* Every collective of MPI, on four ranks, then on twelve, with counts that differ by rank. */
static void all_collectives_convert_and_grow(void)
{
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    for (int i = 0; i < 4; i++) {
        GString *t = g_string_new("");
        g_autofree char *c = g_strdup_printf("5000000000,%d,4:9\n", i);
        g_string_append_printf(t, "MPI_Barrier:5:%s", c);
        g_string_append_printf(t, "MPI_Bcast:5:1:4:10,8,8:3:%s", c);
        g_string_append_printf(t, "MPI_Reduce:5:1:2:4:10,8,8:3:2:%s", c);
        g_string_append_printf(t, "MPI_Allreduce:5:1:2:4:10,8,8:3:%s", c);
        g_string_append_printf(t, "MPI_Gather:5:9:4:10,8,8:9:4:10,8,8:1:%s", c);
        g_string_append_printf(t, "MPI_Scatter:5:9:4:10,8,8:9:4:10,8,8:1:%s", c);
        g_string_append_printf(t, "MPI_Gatherv:5:9:%d:1,4,4:8:9:1,2,3,4:9:0,1,3,6:1,4,4:2:%s",
                               i + 1, c);
        g_string_append_printf(t, "MPI_Scatterv:5:9:9:4,3,2,1:9:0,4,7,9:1,4,4:8:%d:1,4,4:0:%s",
                               4 - i, c);
        g_string_append_printf(t, "MPI_Allgather:5:9:4:10,8,8:9:4:10,8,8:%s", c);
        g_string_append_printf(t, "MPI_Allgatherv:5:9:%d:1,4,4:8:9:1,2,3,4:9:0,1,3,6:1,4,4:%s",
                               i + 1, c);
        g_string_append_printf(t, "MPI_Alltoall:5:9:4:10,8,8:9:4:10,8,8:%s", c);
        g_string_append_printf(
            t, "MPI_Alltoallv:5:7:9:%d,%d,%d,%d:9:0,1,2,3:1,4,4:8:9:%d,%d,%d,%d:9:0,1,2,3:1,4,4:%s",
            i, 10 + i, 20 + i, 30 + i, 10 * i, 10 * i + 1, 10 * i + 2, 10 * i + 3, c);
        g_string_append_printf(t, "MPI_Reduce_scatter:5:7:8:9:1,2,3,0:11,8,8:3:%s", c);
        g_string_append_printf(t, "MPI_Reduce_scatter_block:5:7:8:6:11,8,8:3:%s", c);
        g_string_append_printf(t, "MPI_Scan:5:7:8:6:11,8,8:3:%s", c);
        g_string_append_printf(t, "MPI_Exscan:5:7:8:6:11,8,8:3:%s" END, c);
        g_ptr_array_add(texts, g_string_free(t, FALSE));
    }
    for (uint32_t copies = 1; copies <= 3; copies += 2) {
        for (int policy = 0; policy < 2; policy++) {
            sched_convert_options options = DEFAULTS;
            options.copies = copies;
            options.roots = (sched_root_policy)policy;
            g_auto(result) r = convert_texts((const char *const *)texts->pdata, 4, &options);
            check_runs(&r);
            CHECK_I64(r.report.collectives, 4 * 16);
        }
    }
}

static void too_many_ranks_are_refused(void)
{
    sched_convert_options options = DEFAULTS;
    for (uint32_t i = 0; i < 2; i++) {
        options.copies = i * UINT32_MAX;
        g_auto(result) r = convert_texts(RING, 2, &options);
        CHECK_ERROR(r.error, "is not a number of ranks");
    }
}

SUITE_MAIN("convert_copies", TEST(copies_share_their_collectives),
           TEST(roots_may_stay_in_their_copy), TEST(all_collectives_convert_and_grow),
           TEST(too_many_ranks_are_refused))
