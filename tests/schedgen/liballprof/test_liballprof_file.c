/* tests/schedgen/liballprof/test_liballprof_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Which files are a trace: by name, in folders, in archives. */
#include "check.h"
#include "data.h"
#include "sched/error.h"
#include "sched/liballprof.h"
#include "trace_files.h"

static void the_last_number_of_a_name_is_the_rank(void)
{
    static const char *const name[] = {"run2-rank-0.txt"};
    static const char *const text[] = {"MPI_Init:-:1:2:3\nMPI_Finalize:9:-\n"};
    char *folder = trace_folder_new(name, text, 1);
    g_autoptr(sched_trace) trace = sched_trace_read(folder, NULL);
    CHECK(trace != NULL && trace->num_ranks == 1);
    trace_folder_free(folder);
}

typedef struct name_row {
    const char *names[4];
    const char *want; /* in the error; NULL: read */
} name_row;

static void files_are_found_by_any_name(void)
{
    static const name_row rows[] = {
        {{"trace_bcast-0.dat", "trace_bcast-1.dat", "trace_bcast-2.dat", "trace_bcast-3.dat"},
         NULL},
        {{"a2-rank-00.x4", "a2-rank-01.x4", "a2-rank-02.x4", "a2-rank-03.x4"}, NULL},
        {{"0", "1", "2", "3"}, NULL},
        {{"t-0", "t-1", "t-3", "t-4"}, "rank 2 is missing: 4 files, but none named '"},
        {{"t-1", "t-2", "t-3", "t-4"}, "rank 0 is missing"},
        {{"t-0", "t-1", "t-2", "t-02"}, "rank 2 twice"},
        {{"t-0", "t-1", "t-2", "u-3"}, "more than one trace: '"},
    };
    static const char text[] = "MPI_Init:-:1:2:3\nMPI_Finalize:9:-\n";
    static const char *const texts[] = {text, text, text, text};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        char *folder = trace_folder_new(rows[i].names, texts, 4);
        g_autoptr(GError) error = NULL;
        g_autoptr(sched_trace) trace = sched_trace_read(folder, &error);
        if (rows[i].want == NULL) {
            g_autofree char *third = g_build_filename(folder, rows[i].names[2], NULL);
            g_autoptr(sched_trace) again = sched_trace_read(third, NULL);
            CHECK(trace != NULL && trace->num_ranks == 4, "row %zu", i);
            CHECK(again != NULL && again->num_ranks == 4, "row %zu", i);
            CHECK_STR(again != NULL ? again->ranks[2].file : NULL, third);
        } else {
            CHECK_ERROR(error, rows[i].want);
        }
        trace_folder_free(folder);
    }
}

static void files_of_other_kinds_are_passed_over(void)
{
    static const char *const names[] = {"t-0.txt", "t-1.txt", "t-2.txt", "README-0"};
    static const char text[] = "MPI_Init:-:1:2:3\nMPI_Barrier:4:77,0,2:5\nMPI_Finalize:9:-\n";
    static const char *const texts[] = {text, text, "", "nothing: of interest\n"};
    char *folder = trace_folder_new(names, texts, 4);
    g_autoptr(sched_trace) trace = sched_trace_read(folder, NULL);
    CHECK(trace != NULL && trace->num_ranks == 2);
    trace_folder_free(folder);
}

/* The two ranks of pair.tar turn their order round by key, then pair up 4 bytes apart. */
static void a_tar_archive_is_read_in_place(void)
{
    g_autofree char *path = test_data("fuzz/liballprof/pair.tar");
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) trace = sched_trace_read(path, &error);
    if (!CHECK(trace != NULL, "%s", error != NULL ? error->message : "")) {
        return;
    }
    CHECK_I64(trace->num_ranks, 2);
    CHECK(g_str_has_suffix(trace->ranks[1].file, "pair.tar/pair/t-1.txt"));
    const sched_call *calls = trace->ranks[1].calls;
    const sched_comm *turned = &trace->comms[calls[3].comm];
    CHECK(turned->members != NULL && turned->members[0] == 1 && turned->members[1] == 0);
    CHECK_I64(calls[7].num_list, 2);
}

static void a_damaged_archive_is_refused(void)
{
    g_autofree char *path = shared_data("traces/apps/lulesh.np8.tar.xz");
    char *data = NULL;
    gsize len;
    if (path == NULL || !g_file_get_contents(path, &data, &len, NULL)) {
        SKIP_TEST("no LULESH trace");
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) trace = sched_liballprof_read_data("x.tar.xz", data, len / 2, &error);
    CHECK(trace == NULL && g_error_matches(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE));
    CHECK_ERROR(error, "damaged or cut short");
    CHECK_ERROR(error, "x.tar.xz/lulesh.np8/pmpi-trace-rank-");
    g_free(data);
}

static void recorded_programs_are_read(void)
{
    static const struct {
        const char *path;
        uint32_t ranks, comms;
    } rows[] = {
        {"traces/apps/amg.np8.tar.xz", 8, 2},       {"traces/apps/lulesh.np27.tar.xz", 27, 1},
        {"traces/apps/npb-ft.S.np8.tar.xz", 8, 10}, {"traces/apps/sweep3d.np16.tar.xz", 16, 1},
        {"traces/liballprof/bcast", 4, 1},          {"traces/liballprof/vladimir", 4, 1},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *path = shared_data(rows[i].path);
        if (path == NULL) {
            SKIP_TEST("no %s", rows[i].path);
        }
        g_autoptr(GError) error = NULL;
        g_autoptr(sched_trace) trace = sched_trace_read(path, &error);
        if (CHECK(trace != NULL, "%s", error != NULL ? error->message : "")) {
            CHECK_I64(trace->num_ranks, rows[i].ranks, "%s", path);
            CHECK_I64(trace->num_comms, rows[i].comms, "%s", path);
        }
    }
}

SUITE_MAIN("liballprof_file", TEST(the_last_number_of_a_name_is_the_rank),
           TEST(files_are_found_by_any_name), TEST(files_of_other_kinds_are_passed_over),
           TEST(a_tar_archive_is_read_in_place), TEST(a_damaged_archive_is_refused),
           TEST(recorded_programs_are_read))
