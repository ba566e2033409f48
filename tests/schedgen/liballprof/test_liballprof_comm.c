/* tests/schedgen/liballprof/test_liballprof_comm.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Who is in a communicator, from handles and what each rank says of itself. */
#include "check.h"
#include "liballprof/liballprof_private.h"
#include "trace_files.h"

/* Four ranks in a 2 x 2 grid; keys turn the order round. */
static void splits_find_their_members(void)
{
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    for (int i = 0; i < 4; i++) {
        g_ptr_array_add(texts, g_strdup_printf("MPI_Comm_split:2:5000000000,%d,4:%d:%d:640:3\n"
                                               "MPI_Comm_split:4:5000000000,%d,4:%d:0:648:5\n"
                                               "MPI_Comm_dup:6:5000000000,%d,4:656:7\n"
                                               "MPI_Barrier:8:5000000100,%d,2:9\n"
                                               "MPI_Barrier:10:5000000200,%d,%d:11\n"
                                               "MPI_Barrier:12:5000000300,%d,4:13\n"
                                               "MPI_Comm_free:14:640:15\n"
                                               "MPI_Comm_split:16:5000000200,%d,%d:0:0:640:17\n"
                                               "MPI_Barrier:18:5000000100,%d,%d:19\n"
                                               "MPI_Finalize:90:-\n",
                                               i, i / 2, -i, i, i == 3 ? -32766 : 0, i, 1 - i % 2,
                                               i == 3 ? 0 : i, i == 3 ? 1 : 3, i, i == 3 ? 0 : i,
                                               i == 3 ? 1 : 3, i == 3 ? 0 : i, i == 3 ? 1 : 3));
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) trace = trace_read_texts((const char *const *)texts->pdata, 4, &error);
    if (!CHECK(trace != NULL, "%s", error != NULL ? error->message : "")) {
        return;
    }
    const sched_comm *row = &trace->comms[trace->ranks[0].calls[4].comm];
    CHECK_I64(row->size, 2);
    CHECK_I64(row->members[0], 1, "keys go down");
    CHECK_I64(row->members[1], 0);
    CHECK_I64(trace->ranks[1].calls[4].comm, trace->ranks[0].calls[4].comm);
    const sched_comm *three = &trace->comms[trace->ranks[0].calls[5].comm];
    CHECK_I64(three->size, 3);
    CHECK_I64(trace->ranks[2].calls[5].comm, trace->ranks[0].calls[5].comm);
    CHECK_STR(trace->comms[trace->ranks[3].calls[5].comm].name, "MPI_COMM_SELF");
    const uint32_t dup = trace->ranks[0].calls[6].comm;
    CHECK(dup != 0 && trace->comms[dup].size == 4 && trace->comms[dup].members[3] == 3);
    /* The handle was freed, and now means another communicator. */
    const uint32_t again = trace->ranks[0].calls[9].comm;
    CHECK(again != trace->ranks[0].calls[4].comm && trace->comms[again].size == 3);
    CHECK_I64(trace->ranks[1].calls[9].comm, again);
}

static void created_communicators_get_the_members_that_use_them(void)
{
    static const char *const texts[] = {
        "MPI_Comm_create:2:5000000000,0,4:9:640:3\nMPI_Barrier:8:5000000100,1,2:9\n"
        "MPI_Cart_create:12:5000000000,0,4:1:9:9:0:648:13\nMPI_Barrier:18:5000000200,0,3:19\n"
        "MPI_Cart_sub:22:5000000200,0,3:9:656:23\nMPI_Barrier:28:5000000300,0,2:29\n"
        "MPI_Finalize:90:-\n",
        "MPI_Comm_create:2:5000000000,1,4:9:640:3\n"
        "MPI_Cart_create:12:5000000000,1,4:1:9:9:0:648:13\nMPI_Barrier:18:5000000200,1,3:19\n"
        "MPI_Cart_sub:22:5000000200,1,3:9:656:23\nMPI_Barrier:28:5000000300,0,2:29\n"
        "MPI_Finalize:90:-\n",
        "MPI_Comm_create:2:5000000000,2,4:9:640:3\nMPI_Barrier:8:5000000100,0,2:9\n"
        "MPI_Cart_create:12:5000000000,2,4:1:9:9:0:648:13\n"
        "MPI_Finalize:90:-\n",
        "MPI_Comm_create:2:5000000000,3,4:9:640:3\n"
        "MPI_Cart_create:12:5000000000,3,4:1:9:9:0:648:13\n"
        "MPI_Finalize:90:-\n",
    };
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) trace = trace_read_texts(texts, 4, &error);
    if (!CHECK(trace != NULL, "%s", error != NULL ? error->message : "")) {
        return;
    }
    const sched_comm *created = &trace->comms[trace->ranks[0].calls[2].comm];
    CHECK(created->members != NULL && created->members[0] == 2 && created->members[1] == 0);
    /* Rank 2 never uses the topology, but topologies keep the order unless told not to. */
    const sched_comm *cart = &trace->comms[trace->ranks[0].calls[4].comm];
    CHECK(cart->members != NULL && cart->size == 3 && cart->members[2] == 2);
    /* Two processes claim rank 0 of the sub-topology: who is with whom cannot be known. */
    const sched_comm *sub = &trace->comms[trace->ranks[0].calls[6].comm];
    CHECK(sub->members == NULL && sub->size == 2);
    CHECK(strstr(sub->name, "MPI_Cart_sub at t-0.txt:8") != NULL, "%s", sub->name);
}

/* Freed, a handle may come back for another communicator, even of the same size and rank. */
static void freed_handles_start_anew(void)
{
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    for (int i = 0; i < 4; i++) {
        g_ptr_array_add(texts, g_strdup_printf("MPI_Comm_split:2:5000000000,%d,4:%d:0:640:3\n"
                                               "MPI_Barrier:4:5000000100,%d,2:5\n"
                                               "MPI_Comm_free:6:640:7\n"
                                               "MPI_Comm_split:8:5000000000,%d,4:%d:0:640:9\n"
                                               "MPI_Barrier:10:5000000100,%d,2:11\n"
                                               "MPI_Comm_split:12:5000000000,%d,4:0:0:648:13\n"
                                               "MPI_Comm_free:14:648:15\n"
                                               "MPI_Barrier:16:5000000100,%d,2:17\n"
                                               "MPI_Finalize:90:-\n",
                                               i, i / 2, i % 2, i, i % 2, i / 2, i, i / 2));
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) trace = trace_read_texts((const char *const *)texts->pdata, 4, &error);
    if (!CHECK(trace != NULL, "%s", error != NULL ? error->message : "")) {
        return;
    }
    for (uint32_t i = 0; i < 4; i++) {
        const sched_call *calls = trace->ranks[i].calls;
        CHECK_I64(trace->comms[calls[2].comm].members[0], i / 2 * 2, "rank %u", i);
        CHECK_I64(trace->comms[calls[5].comm].members[0], i % 2, "rank %u", i);
        CHECK_I64(calls[8].comm, calls[5].comm, "rank %u: another one was freed", i);
    }
}

/* What each of n processes says of the communicator that it got from @p call on the world. */
static sched_trace *after(const char *call, const char *arguments, const uint32_t (*claim)[2],
                          uint32_t n)
{
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    for (uint32_t i = 0; i < n; i++) {
        g_autofree char *use =
            g_strdup_printf("MPI_Barrier:4:5000000100,%u,%u:5\n", claim[i][0], claim[i][1]);
        g_ptr_array_add(texts,
                        g_strdup_printf("MPI_Barrier:1:5000000000,%u,%u:2\n"
                                        "%s:2:5000000000,%u,%u:%s:640:3\n%sMPI_Finalize:90:-\n",
                                        i, n, call, i, n, arguments, claim[i][1] > 0 ? use : ""));
    }
    return trace_read_texts((const char *const *)texts->pdata, n, NULL);
}

/* "0,1 2,3": the members of each rank's communicator, each once; "?" are not known. */
static char *groups_of(const sched_trace *trace)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    GString *text = g_string_new(NULL);
    for (uint32_t i = 0; i < trace->num_ranks; i++) {
        const sched_call *call = &trace->ranks[i].calls[3];
        if (call->kind != SCHED_CALL_COLLECTIVE ||
            !g_hash_table_add(seen, GUINT_TO_POINTER(call->comm))) {
            continue;
        }
        const sched_comm *comm = &trace->comms[call->comm];
        g_string_append(text, text->len > 0 ? " " : "");
        g_string_append(text, comm->members == NULL ? "?" : "");
        for (uint32_t m = 0; comm->members != NULL && m < comm->size; m++) {
            g_string_append_printf(text, "%s%u", m > 0 ? "," : "", comm->members[m]);
        }
    }
    return g_string_free(text, FALSE);
}

static void parts_of_grids_are_told_apart(void)
{
    static const struct {
        const char *want;
        uint32_t n;
        uint32_t claim[8][2]; /* rank and size; size 0: it never uses it */
    } rows[] = {
        {"0,1 2,3", 4, {{0, 2}, {1, 2}, {0, 2}, {1, 2}}}, /* 2 x 2: keep the last */
        {"0,2 1,3", 4, {{0, 2}, {0, 2}, {1, 2}, {1, 2}}}, /* keep the first */
        {"0,1,2,3", 4, {{0, 4}, {1, 4}, {2, 4}, {3, 4}}}, /* keep both */
        {"0,1,4,5 2,3,6,7",
         8, /* 2 x 2 x 2: keep the first and the last */
         {{0, 4}, {1, 4}, {0, 4}, {1, 4}, {2, 4}, {3, 4}, {2, 4}, {3, 4}}},
        {"0,2 1,3 4,6 5,7",
         8, /* keep the one in the middle */
         {{0, 2}, {0, 2}, {1, 2}, {1, 2}, {0, 2}, {0, 2}, {1, 2}, {1, 2}}},
        {"?", 4, {{0, 2}, {1, 2}, {0, 2}, {0, 0}}}, /* one never says */
        {"?", 4, {{1, 2}, {0, 2}, {0, 2}, {1, 2}}}, /* no grid has these ranks */
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(sched_trace) trace = after("MPI_Cart_sub", "9", rows[i].claim, rows[i].n);
        g_autofree char *groups = groups_of(trace);
        CHECK_STR(groups, rows[i].want, "row %zu", i);
    }
}

/* Against grids of every shape: rank r has the coordinates that row-major numbering says. */
static void parts_of_all_grids_are_those_of_their_coordinates(void)
{
    enum { SEED = 4, GRIDS = 200, MAX_DIMS = 4, MAX_EXTENT = 4 };
    g_autoptr(GRand) rand = g_rand_new_with_seed(SEED);
    for (int i = 0; i < GRIDS; i++) {
        const int dims = 1 + i % MAX_DIMS;
        uint32_t extent[MAX_DIMS];
        bool kept[MAX_DIMS];
        uint32_t n = 1;
        uint32_t size = 1;
        for (int d = 0; d < dims; d++) {
            extent[d] = (uint32_t)g_rand_int_range(rand, 1, MAX_EXTENT + 1);
            kept[d] = g_rand_boolean(rand);
            n *= extent[d];
            size *= kept[d] ? extent[d] : 1;
        }
        g_autofree sched_lap_claim *claim = g_new(sched_lap_claim, n);
        g_autofree uint32_t *part = g_new(uint32_t, n);
        g_autofree uint32_t *group = g_new(uint32_t, n);
        for (uint32_t r = 0; r < n; r++) {
            uint32_t rest = r;
            uint32_t inner = 1; /* ranks of the part per step in this dimension, likewise below */
            uint32_t outer = 1;
            claim[r] = (sched_lap_claim){.rank = 0, .size = size};
            part[r] = 0;
            for (int d = dims - 1; d >= 0; d--) {
                const uint32_t x = rest % extent[d];
                rest /= extent[d];
                claim[r].rank += kept[d] ? x * inner : 0;
                part[r] += kept[d] ? 0 : x * outer;
                *(kept[d] ? &inner : &outer) *= extent[d];
            }
        }
        CHECK_I64(sched_lap_groups_find(claim, n, true, group), n / size, "grid %d", i);
        CHECK(memcmp(group, part, n * sizeof *part) == 0, "seed %d, grid %d", SEED, i);
    }
}

/* Nodes of a machine: neighbours on a node are certain, ranks dealt out over nodes are not. */
static void splits_by_type_are_told_apart_where_that_is_certain(void)
{
    static const uint32_t block[][2] = {{0, 2}, {1, 2}, {0, 3}, {1, 3}, {2, 3}};
    static const uint32_t cyclic[][2] = {{0, 2}, {0, 2}, {1, 2}, {1, 2}};
    g_autoptr(sched_trace) of_block = after("MPI_Comm_split_type", "7:0:9", block, 5);
    g_autoptr(sched_trace) of_cyclic = after("MPI_Comm_split_type", "7:0:9", cyclic, 4);
    g_autofree char *a = groups_of(of_block);
    g_autofree char *b = groups_of(of_cyclic);
    CHECK_STR(a, "0,1 2,3,4");
    CHECK_STR(b, "?");
}

SUITE_MAIN("liballprof_comm", TEST(splits_find_their_members),
           TEST(created_communicators_get_the_members_that_use_them),
           TEST(freed_handles_start_anew), TEST(parts_of_grids_are_told_apart),
           TEST(parts_of_all_grids_are_those_of_their_coordinates),
           TEST(splits_by_type_are_told_apart_where_that_is_certain))
