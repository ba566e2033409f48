/* tests/schedgen/convert/test_convert_apps.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Recorded programs, whole: everything matches, and nothing of the computation is lost.
 */
#include "sched/convert.h"

#include "check.h"
#include "data.h"
#include "sim/run.h"

#include <archive.h>
#include <archive_entry.h>

static const char *const TRACES[] = {
    "traces/apps/amg.np8.tar.xz",      "traces/apps/cgpop.np8.tar.xz",
    "traces/apps/comd.np8.tar.xz",     "traces/apps/lammps-lj.np8.tar.xz",
    "traces/apps/lulesh.np27.tar.xz",  "traces/apps/lulesh.np8.tar.xz",
    "traces/apps/minife.np8.tar.xz",   "traces/apps/npb-cg.S.np8.tar.xz",
    "traces/apps/npb-ft.S.np8.tar.xz", "traces/apps/npb-mg.S.np8.tar.xz",
    "traces/apps/sweep3d.np16.tar.xz", "traces/liballprof/barr_4",
    "traces/liballprof/bcast",         "traces/liballprof/simple",
    "traces/liballprof/vladimir",      "traces/otf2/ping-pong",
    "traces/otf2/stencil4d-32",
};

/* The program converted on the preset "xt4" must run to its end. Owned by the caller. */
static sim_result *run(sim_graph *graph, GError **error)
{
    g_autoptr(sim_machine) machine = sim_machine_load("xt4", error);
    return machine == NULL ? NULL
                           : sim_run(sim_graph_program(graph), &machine->params, NULL, error);
}

static sim_time computed(const sim_graph *graph, uint32_t rank)
{
    sim_time sum = 0;
    for (uint32_t i = 0; i < sim_graph_num_ops(graph, rank); i++) {
        const sim_op op = sim_graph_op(graph, rank, i);
        sum += op.type == SIM_OP_CALC ? op.size : 0;
    }
    return sum;
}

/* The calls whose own time is communication or waiting: docs/conversion.md, section 2. */
static bool is_communication(const char *name)
{
    static const char *const names[] = {
        "MPI_Send",      "MPI_Recv",       "MPI_Isend",     "MPI_Irecv",      "MPI_Sendrecv",
        "MPI_Wait",      "MPI_Waitall",    "MPI_Send_init", "MPI_Recv_init",  "MPI_Startall",
        "MPI_Barrier",   "MPI_Bcast",      "MPI_Reduce",    "MPI_Allreduce",  "MPI_Allgather",
        "MPI_Alltoall",  "MPI_Allgatherv", "MPI_Scan",      "MPI_Comm_split", "MPI_Comm_create",
        "MPI_Comm_free", "MPI_Cart_create"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        if (g_str_equal(name, names[i])) {
            return true;
        }
    }
    return false;
}

/*
 * The time between communication in a rank's file, in microseconds, worked out by other means:
 * lines split at colons, times whole numbers.
 */
static int64_t gaps_in_text(char *text)
{
    int64_t sum = 0;
    int64_t last = 0;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        if ((*line)[0] == '#' || (*line)[0] == '\0') {
            continue;
        }
        g_auto(GStrv) fields = g_strsplit(*line, ":", -1);
        const int64_t enter = g_ascii_strtoll(fields[1], NULL, 10);
        const int64_t leave = g_ascii_strtoll(fields[g_strv_length(fields) - 1], NULL, 10);
        if (g_str_equal(fields[0], "MPI_Init")) {
            last = leave;
        } else if (g_str_equal(fields[0], "MPI_Finalize")) {
            sum += enter - last;
        } else if (is_communication(fields[0])) {
            sum += enter - last;
            last = leave;
        }
    }
    return sum;
}

/* gaps[rank] for each rank's file in a tar archive. @return how many */
static uint32_t gaps_in_archive(const char *path, int64_t *gaps, uint32_t max)
{
    struct archive *a = archive_read_new();
    struct archive_entry *entry;
    uint32_t n = 0;
    archive_read_support_filter_all(a);
    archive_read_support_format_tar(a);
    CHECK_I64(archive_read_open_filename(a, path, 1 << 16), ARCHIVE_OK);
    while (archive_read_next_header(a, &entry) == ARCHIVE_OK) {
        const char *number = strrchr(archive_entry_pathname(entry), '-');
        if (archive_entry_filetype(entry) != AE_IFREG || number == NULL) {
            continue;
        }
        const uint32_t rank = (uint32_t)g_ascii_strtoull(number + 1, NULL, 10);
        const size_t size = (size_t)archive_entry_size(entry);
        g_autofree char *text = g_malloc0(size + 1);
        CHECK_I64(archive_read_data(a, text, size), size);
        if (CHECK(rank < max, "rank %u", rank)) {
            gaps[rank] = gaps_in_text(text);
            n++;
        }
    }
    archive_read_free(a);
    return n;
}

static void every_record_converts_and_runs(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(TRACES); i++) {
        g_autofree char *path = shared_data(TRACES[i]);
        if (path == NULL) {
            SKIP_TEST("no %s", TRACES[i]);
        }
        g_autoptr(GError) error = NULL;
        const sched_convert_options options = {.copies = 1, .compute = SCHED_COMPUTE_CPU};
        sched_convert_report report = {0};
        g_autoptr(sched_trace) trace = sched_trace_read(path, &error);
        g_autoptr(sim_graph) graph =
            trace == NULL ? NULL : sched_convert(trace, &options, &report, &error);
        g_autoptr(sim_result) result = graph == NULL ? NULL : run(graph, &error);
        CHECK(result != NULL, "%s: %s", TRACES[i], error != NULL ? error->message : "");
        CHECK(result != NULL && result->num_messages >= report.p2p, "%s", TRACES[i]);
        sched_convert_report_clear(&report);
    }
}

static void computation_equals_the_gaps_of_the_record(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(TRACES); i++) {
        int64_t gaps[32];
        g_autofree char *path = shared_data(TRACES[i]);
        if (path == NULL) {
            SKIP_TEST("no %s", TRACES[i]);
        }
        if (!g_str_has_suffix(path, ".tar.xz")) {
            continue;
        }
        const sched_convert_options options = {.copies = 1, .compute = SCHED_COMPUTE_WALL};
        sched_convert_report report = {0};
        g_autoptr(sched_trace) trace = sched_trace_read(path, NULL);
        g_autoptr(sim_graph) graph =
            trace == NULL ? NULL : sched_convert(trace, &options, &report, NULL);
        const uint32_t n = gaps_in_archive(path, gaps, G_N_ELEMENTS(gaps));
        if (CHECK(graph != NULL, "%s", TRACES[i])) {
            sim_time sum = 0;
            CHECK_I64(sim_graph_num_ranks(graph), n, "%s", TRACES[i]);
            for (uint32_t rank = 0; rank < n; rank++) {
                CHECK_I64(computed(graph, rank), gaps[rank] * SIM_US, "%s, rank %u", TRACES[i],
                          rank);
                sum += gaps[rank] * SIM_US;
            }
            CHECK_I64(report.compute, sum, "%s", TRACES[i]);
        }
        sched_convert_report_clear(&report);
    }
}

/* Eight copies: the messages of each, and collectives over all 64 ranks. */
static void lulesh_runs_eight_times_over(void)
{
    g_autofree char *path = shared_data("traces/apps/lulesh.np8.tar.xz");
    if (path == NULL) {
        SKIP_TEST("no LULESH trace");
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) trace = sched_trace_read(path, &error);
    sched_convert_options options = {.copies = 8, .compute = SCHED_COMPUTE_WALL};
    for (int policy = 0; policy < 2; policy++) {
        options.roots = (sched_root_policy)policy;
        sched_convert_report report = {0};
        g_autoptr(sim_graph) graph =
            trace == NULL ? NULL : sched_convert(trace, &options, &report, &error);
        g_autoptr(sim_result) result = graph == NULL ? NULL : run(graph, &error);
        if (CHECK(result != NULL, "%s", error != NULL ? error->message : "")) {
            CHECK_I64(result->num_ranks, 64);
            /* 19 allreduces and a barrier of 6 rounds on 64 ranks; a reduce is a tree: one
             * message less than it has ranks, eight trees of 8 if the roots stay. */
            const uint64_t reduce = policy == SCHED_ROOT_GLOBAL ? 63 : 56;
            CHECK_I64(result->num_messages, 8 * report.p2p + UINT64_C(20) * 6 * 64 + reduce);
            for (uint32_t rank = 0; rank < 64; rank++) {
                CHECK_I64(computed(graph, rank), computed(graph, rank % 8), "rank %u", rank);
            }
        }
        sched_convert_report_clear(&report);
    }
}

SUITE_MAIN("convert_apps", TEST(every_record_converts_and_runs),
           TEST(computation_equals_the_gaps_of_the_record), TEST(lulesh_runs_eight_times_over))
