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

SUITE_MAIN("convert_refused", TEST(records_that_do_not_fit_together_are_refused),
           TEST(records_that_are_cut_short_say_so), TEST(only_the_first_ten_are_named))
