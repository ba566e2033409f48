/* tests/schedgen/convert/test_convert_left_out.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls that are not converted count as computation, and it is said how much of the time they take.
 */
#include "check.h"
#include "graph_text.h"
#include "sched/convert.h"
#include "trace_files.h"
#include "trace_write.h"

#include <math.h>

typedef struct row {
    const char *name;
    int64_t takes; /* us */
} row;

/* One rank that makes these calls, one after the other, in @p total us from MPI_Init on. */
static sched_trace *program(const row *rows, size_t n, int64_t total)
{
    sched_trace *trace = sched_trace_new("calls", "by hand", 1);
    trace->ranks[0].file = g_strdup("rank-0");
    sim_time now = 0;
    for (size_t i = 0; i <= n + 1; i++) {
        sched_call *call = sched_rank_append(&trace->ranks[0]);
        const bool last = i == n + 1;
        call->kind = i == 0 ? SCHED_CALL_INIT : last ? SCHED_CALL_FINALIZE : SCHED_CALL_OTHER;
        call->name = sched_trace_name(trace, i == 0 ? "MPI_Init"
                                             : last ? "MPI_Finalize"
                                                    : rows[i - 1].name);
        call->enter = last ? total * SIM_US : now;
        call->leave = call->enter + (i == 0 || last ? 0 : rows[i - 1].takes * SIM_US);
        now = call->leave;
    }
    return trace;
}

typedef void write_trace(const sched_trace *trace, const char *dir);

/* What is left of the rank, and what is said of it; the same in both formats. */
static void check_program(const row *rows, size_t n, int64_t total, const char *all,
                          const char *const *said)
{
    static write_trace *const WRITE[] = {trace_write_liballprof, trace_write_otf2};
    g_autoptr(sched_trace) made = program(rows, n, total);
    for (size_t format = 0; format < G_N_ELEMENTS(WRITE); format++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *dir = g_dir_make_tmp("ripple-left-out-XXXXXX", NULL);
        WRITE[format](made, dir);
        g_autoptr(sched_trace) trace = sched_trace_read(dir, &error);
        trace_write_remove(dir);
        if (!CHECK(trace != NULL, "%s", error != NULL ? error->message : "")) {
            continue;
        }
        const sched_convert_options options = {.copies = 1};
        sched_convert_report report = {0};
        g_autoptr(sim_graph) graph = sched_convert(trace, &options, &report, NULL);
        g_autofree char *text = graph_text(graph, 0);
        CHECK_STR(text, all, "%s", trace->format);
        guint lines = 0;
        for (guint i = 0; i < report.notices->len; i++) {
            const sched_notice *notice = &g_array_index(report.notices, sched_notice, i);
            if (CHECK(said[lines] != NULL, "%s: also '%s'", trace->format, notice->what)) {
                CHECK_STR(notice->what, said[lines++], "%s", trace->format);
                const bool is_local = strstr(notice->what, "answers by itself") != NULL;
                const double share = is_local ? 0 : g_ascii_strtod(notice->what, NULL) / 100;
                CHECK(fabs(notice->share - share) < 0.005, "%s: %g", notice->what, notice->share);
            }
        }
        CHECK(said[lines] == NULL, "%s: not '%s'", trace->format, said[lines]);
        sched_convert_report_clear(&report);
    }
}

#define CHECK_PROGRAM(total, all, said, ...)                                                       \
    do {                                                                                           \
        static const row rows_[] = {__VA_ARGS__};                                                  \
        check_program(rows_, G_N_ELEMENTS(rows_), (total), (all), (said));                         \
    } while (0)

static void every_family_has_a_line(void)
{
    static const char *const said[] = {
        "3 % of the time is in probes, kept as computation: MPI_Probe 1, MPI_Iprobe 1",
        "3.1 % of the time is in one-sided calls, kept as computation: MPI_Win_fence 1, MPI_Put 1",
        "10 % of the time is in file operations, kept as computation, although ranks may be "
        "waiting "
        "there: MPI_File_iwrite_at_all 1",
        "4 % of the time is in neighbourhood collectives, kept as computation: "
        "MPI_Ineighbor_alltoallw 1",
        "0.1 % of the time is in calls that start or meet other programs, kept as computation: "
        "MPI_Comm_spawn_multiple 1",
        "0.1 % of the time is in partitioned messages, kept as computation: MPI_Pready_range 1",
        "2 % of the time is in other calls that are not converted, kept as computation: "
        "MPI_Next_years_call 1, MPIX_Barrier_init 1",
        NULL};
    CHECK_PROGRAM(1000, "calc 1000000000\n", said, {"MPI_Probe", 20}, {"MPI_Iprobe", 10},
                  {"MPI_Put", 10}, {"MPI_Win_fence", 21}, {"MPI_File_iwrite_at_all", 100},
                  {"MPI_Ineighbor_alltoallw", 40}, {"MPI_Comm_spawn_multiple", 1},
                  {"MPI_Pready_range", 1}, {"MPI_Next_years_call", 15}, {"MPIX_Barrier_init", 5});
}

/* Large counts have names of their own; eight names are enough. */
static void a_line_names_what_takes_most(void)
{
    static const char *const said[] = {
        "45 % of the time is in one-sided calls, kept as computation, although ranks may be "
        "waiting "
        "there: MPI_Win_wait 1, "
        "MPI_Win_test 1, MPI_Win_unlock_all 1, MPI_Win_lock_all 1, MPI_Win_flush_local 1, "
        "MPI_Rget_c 1, MPI_Get_c 1, MPI_Put_c 1, 1 more",
        NULL};
    CHECK_PROGRAM(100, "calc 100000000\n", said, {"MPI_Win_free", 1}, {"MPI_Put_c", 2},
                  {"MPI_Get_c", 3}, {"MPI_Rget_c", 4}, {"MPI_Win_flush_local", 5},
                  {"MPI_Win_lock_all", 6}, {"MPI_Win_unlock_all", 7}, {"MPI_Win_test", 8},
                  {"MPI_Win_wait", 9});
}

static void what_a_rank_does_by_itself_is_named_where_it_takes_its_time(void)
{
    static const char *const nothing[] = {NULL};
    static const char *const said[] = {
        "3 % of the time is in functions that a rank answers by itself, kept as computation: "
        "MPI_Type_commit 2, MPI_Wtime 1",
        NULL};
    CHECK_PROGRAM(1000, "calc 1000000000\n", nothing, {"MPI_Type_commit", 5}, {"MPI_Wtime", 1},
                  {"MPI_Pack", 1});
    CHECK_PROGRAM(100, "calc 100000000\n", said, {"MPI_Type_commit", 1}, {"MPI_Type_commit", 1},
                  {"MPI_Wtime", 1});
}

/* Ranks wait there for the last one: no computation before, between or after is longer for it. */
static void making_communicators_is_waiting(void)
{
    static const char *const said[] = {
        "53 % of the time is in calls that make or free communicators, taken as waiting: "
        "MPI_Comm_idup_with_info 1, MPI_Intercomm_merge 1",
        NULL};
    CHECK_PROGRAM(100, "calc 47000000\n", said, {"MPI_Comm_idup_with_info", 50},
                  {"MPI_Intercomm_merge", 3});
}

/* It was said to be kept as computation, which it is not. */
static void time_without_recording_is_neither_computed_nor_listed(void)
{
    static const char *const names[] = {"BufferFlush", "MPI_Pcontrol"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        const row rows[] = {{names[i], 70}};
        g_autoptr(sched_trace) trace = program(rows, 1, 100);
        trace->ranks[0].calls[1].kind = SCHED_CALL_COMPLETE;
        trace->ranks[0].complete = true;
        const sched_convert_options options = {.copies = 1};
        sched_convert_report report = {0};
        g_autoptr(GError) error = NULL;
        g_autoptr(sim_graph) graph = sched_convert(trace, &options, &report, &error);
        CHECK(graph != NULL, "%s", error != NULL ? error->message : "");
        CHECK_I64(report.compute, 30 * SIM_US, "%s", names[i]);
        CHECK_I64(report.notices->len, 0, "%s", names[i]);
        sched_convert_report_clear(&report);
    }
}

SUITE_MAIN("convert_left_out", TEST(time_without_recording_is_neither_computed_nor_listed),
           TEST(every_family_has_a_line), TEST(a_line_names_what_takes_most),
           TEST(making_communicators_is_waiting),
           TEST(what_a_rank_does_by_itself_is_named_where_it_takes_its_time))
