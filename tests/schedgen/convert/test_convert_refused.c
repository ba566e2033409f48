/* tests/schedgen/convert/test_convert_refused.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Records whose ranks do not fit together. */
#include "check.h"
#include "convert_texts.h"

typedef struct bad_row {
    const char *a, *b;
    const char *want;
} bad_row;

static void records_that_do_not_fit_together_are_refused(void)
{
    static const bad_row rows[] = {
        {"MPI_Send:5:7:8:13,1,1:1:42:" C2(0) ":9\n", "",
         "t-0.txt:4: MPI_Send (rank 0 to 1, tag 42) is received by nobody"},
        {"", "MPI_Recv:5:7:8:13,1,1:0:42:" C2(1) ":0:9\n",
         "t-1.txt:4: MPI_Recv (rank 1 from 0, tag 42) gets no message"},
        {"", "MPI_Recv:5:7:8:13,1,1:-1:-1:" C2(1) ":0:9\n",
         "t-1.txt:4: MPI_Recv (rank 1 from any, any tag) gets no message"},
        {"MPI_Send:5:7:8:13,1,1:1:42:" C2(0) ":9\n", "MPI_Recv:5:7:7:13,1,1:0:42:" C2(1) ":0:9\n",
         "sends '8' bytes to "},
        {"MPI_Barrier:5:" C2(0) ":9\n", "MPI_Allreduce:5:1:2:4:10,8,8:2:" C2(1) ":9\n",
         "t-1.txt:4: MPI_Allreduce of rank 1 on MPI_COMM_WORLD: not the same collective"},
        {"MPI_Bcast:5:1:4:10,8,8:0:" C2(0) ":9\n", "MPI_Bcast:5:1:4:10,8,8:1:" C2(1) ":9\n",
         "not the same root"},
        {"MPI_Bcast:5:1:4:10,8,8:0:" C2(0) ":9\n", "MPI_Bcast:5:1:3:10,8,8:0:" C2(1) ":9\n",
         "not the same number of bytes"},
        {"MPI_Barrier:5:" C2(0) ":9\n", "",
         "t-0.txt:4: MPI_Barrier of rank 0: rank 1 makes only '0' of '1' collectives on "
         "MPI_COMM_WORLD"},
        {"", "MPI_Barrier:5:" C2(1) ":9\n",
         "t-1.txt:4: MPI_Barrier of rank 1: rank 0 makes only '0' of '1' collectives on "
         "MPI_COMM_WORLD"},
        {"MPI_Gatherv:5:9:1:1,4,4:8:9:1,2:9:0,1:1,4,4:0:" C2(0) ":9\n",
         "MPI_Gatherv:5:9:1:1,4,4:8:9:1,2:9:0,1:1,4,4:0:" C2(1) ":9\n",
         "not the same number of bytes"},
        {"MPI_Allgatherv:5:9:1:1,4,4:8:9:1,2:9:0,1:1,4,4:" C2(0) ":9\n",
         "MPI_Allgatherv:5:9:1:1,4,4:8:9:1,3:9:0,1:1,4,4:" C2(1) ":9\n", "not the same counts"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *a = g_strconcat(rows[i].a, END, NULL);
        g_autofree char *b = g_strconcat(rows[i].b, END, NULL);
        const char *const texts[] = {a, b};
        g_auto(result) r = convert_texts(texts, 2, &DEFAULTS);
        CHECK(r.graph == NULL, "row %zu", i);
        CHECK_ERROR(r.error, rows[i].want);
        CHECK_ERROR(r.error, rows[i].a[0] != '\0' ? "t-0.txt:4: MPI_" : "t-1.txt:4: MPI_");
    }
}

static void records_that_are_cut_short_say_so(void)
{
    static const char *const texts[][2] = {
        {"MPI_Barrier:5:" C2(0) ":9\n", ""},
        {"MPI_Send:5:7:8:13,1,1:1:42:" C2(0) ":9\n" END, ""},
    };
    static const char *const want[] = {"(its record ends without MPI_Finalize)",
                                       "(the record is cut short)"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_auto(result) r = convert_texts(texts[i], 2, &DEFAULTS);
        CHECK(g_error_matches(r.error, SCHED_ERROR, SCHED_ERROR_INCOMPLETE), "row %zu", i);
        CHECK_ERROR(r.error, want[i]);
    }
}

static void only_the_first_ten_are_named(void)
{
    GString *text = g_string_new("");
    for (int i = 0; i < 12; i++) {
        g_string_append_printf(text, "MPI_Send:5:7:8:13,1,1:1:%d:" C2(0) ":5\n", i);
    }
    g_string_append(text, END);
    const char *const texts[] = {text->str, END};
    g_auto(result) r = convert_texts(texts, 2, &DEFAULTS);
    CHECK_ERROR(r.error, "'12' sends and receives find no partner");
    CHECK_ERROR(r.error, "tag 9)");
    CHECK(strstr(r.error->message, "tag 10)") == NULL);
    g_string_free(text, TRUE);
}

enum { MEMBERS = 4, ROUNDS = 6 };

static void add_counts(sched_rank *rank, uint32_t *num, int64_t bytes[MEMBERS])
{
    for (uint32_t i = 0; i < MEMBERS; i++) {
        (void)sched_rank_add_count(rank, bytes[i]);
    }
    *num = MEMBERS;
}

/* What @p own says of a collective in which member i has bytes[i][j] for member j. */
static void add_collective(sched_rank *rank, coll_kind kind, uint32_t root, uint32_t own,
                           int64_t bytes[MEMBERS][MEMBERS])
{
    int64_t to_own[MEMBERS];
    for (uint32_t i = 0; i < MEMBERS; i++) {
        to_own[i] = bytes[i][kind == COLL_ALLGATHERV ? 0 : own];
    }
    sched_call *call = sched_rank_append(rank);
    call->kind = SCHED_CALL_COLLECTIVE;
    call->collective = (uint8_t)kind;
    call->root = coll_kind_is_rooted(kind) ? root : 0;
    call->counts = rank->num_counts;
    call->bytes = kind == COLL_GATHERV    ? bytes[own][root]
                  : kind == COLL_SCATTERV ? bytes[root][own]
                                          : 0;
    if (coll_kind_has_send_counts(kind, own == root)) {
        add_counts(rank, &call->num_send_counts, bytes[own]);
    }
    if (coll_kind_has_recv_counts(kind, own == root)) {
        add_counts(rank, &call->num_recv_counts, to_own);
    }
}

static sched_trace *trace_with_counts(GRand *rand)
{
    static const coll_kind KINDS[] = {COLL_GATHERV, COLL_SCATTERV, COLL_ALLGATHERV, COLL_ALLTOALLV};
    sched_trace *trace = sched_trace_new("t", "f", MEMBERS);
    (void)sched_trace_name(trace, "MPI_X");
    for (int k = 0; k < ROUNDS; k++) {
        const coll_kind kind = KINDS[g_rand_int_range(rand, 0, G_N_ELEMENTS(KINDS))];
        const uint32_t root = (uint32_t)g_rand_int_range(rand, 0, MEMBERS);
        int64_t bytes[MEMBERS][MEMBERS];
        for (int i = 0; i < MEMBERS * MEMBERS; i++) {
            bytes[i / MEMBERS][i % MEMBERS] = g_rand_int_range(rand, 0, 5);
        }
        for (uint32_t own = 0; own < MEMBERS; own++) {
            add_collective(&trace->ranks[own], kind, root, own, bytes);
        }
    }
    for (uint32_t own = 0; own < MEMBERS; own++) {
        sched_rank_append(&trace->ranks[own])->kind = SCHED_CALL_FINALIZE;
        trace->ranks[own].complete = true;
        trace->ranks[own].file = g_strdup("f");
    }
    return trace;
}

/* Random ones that fit, and with one count of one member changed by one. */
static void every_count_is_compared(void)
{
    enum { PROGRAMS = 200 };
    g_autoptr(GRand) rand = g_rand_new_with_seed(6);
    for (int i = 0; i < PROGRAMS; i++) {
        for (int changed = 0; changed < 2; changed++) {
            g_auto(result) r = {.trace = trace_with_counts(rand)};
            sched_rank *rank = &r.trace->ranks[g_rand_int_range(rand, 0, MEMBERS)];
            const bool wrong = changed != 0 && rank->num_counts > 0;
            if (wrong) {
                rank->counts[g_rand_int_range(rand, 0, (gint)rank->num_counts)]++;
            }
            if (i % 2 != 0) {
                sched_trace_pack(r.trace);
            }
            r.graph = sched_convert(r.trace, &DEFAULTS, &r.report, &r.error);
            CHECK((r.graph == NULL) == wrong, "program %d: %s", i,
                  r.error != NULL ? r.error->message : "");
            if (wrong) {
                CHECK_ERROR(r.error, "not the same ");
            }
        }
    }
}

SUITE_MAIN("convert_refused", TEST(records_that_do_not_fit_together_are_refused),
           TEST(records_that_are_cut_short_say_so), TEST(only_the_first_ten_are_named),
           TEST(every_count_is_compared))
