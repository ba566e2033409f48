/* tests/schedgen/convert/test_convert_source.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* A conversion written down rank by rank gives the bytes that the stored graph of it gives. */
#include "check.h"
#include "convert/convert_private.h"
#include "data.h"
#include "model/parallel_private.h"
#include "sched/convert.h"
#include "sched/goal.h"
#include "sched/writer.h"
#include "sim/graph_file.h"
#include "trace_random.h"

#include <glib/gstdio.h>

typedef bool write_stored(const sim_graph *graph, const char *path, GError **error);
typedef bool write_stream(sched_rank_source *source, const char *path, GError **error);

/* The graph of the program in the order of its ranks: that decides what a file knows at once. */
static bool store_native(const sim_graph *graph, const char *path, GError **error)
{
    sched_graph_source source;
    sched_graph_source_init(&source, graph);
    g_autoptr(sim_graph) in_order = sched_rank_source_build(&source.source, error);
    sched_graph_source_clear(&source);
    return in_order != NULL && sim_graph_save(in_order, path, error);
}

static bool stream_native(sched_rank_source *source, const char *path, GError **error)
{
    return sched_writer_native.write_stream(source, path, error);
}

static const struct {
    const char *name;
    write_stored *stored;
    write_stream *stream;
} FORMATS[] = {
    {"text", sched_goal_write_text, sched_goal_write_text_from},
    {"binary", sched_goal_write_binary, sched_goal_write_binary_from},
    {"native", store_native, stream_native},
};

/* Both may refuse, for the same reason: GOAL cannot keep all communicators apart. */
static void compare_files(const sim_graph *graph, sched_rank_source *source, const char *folder,
                          const char *name)
{
    for (size_t f = 0; f < G_N_ELEMENTS(FORMATS); f++) {
        g_autofree char *path = g_build_filename(folder, "schedule", NULL);
        g_autoptr(GError) error_a = NULL;
        g_autoptr(GError) error_b = NULL;
        g_autofree char *a = NULL;
        g_autofree char *b = NULL;
        gsize len_a = 0;
        gsize len_b = 0;
        if (FORMATS[f].stored(graph, path, &error_a)) {
            g_file_get_contents(path, &a, &len_a, &error_a);
            (void)g_unlink(path);
        }
        if (FORMATS[f].stream(source, path, &error_b)) {
            g_file_get_contents(path, &b, &len_b, &error_b);
            (void)g_unlink(path);
        }
        CHECK_STR(error_b != NULL ? error_b->message : "", error_a != NULL ? error_a->message : "",
                  "%s, %s", name, FORMATS[f].name);
        CHECK(len_a == len_b && (len_a == 0 || memcmp(a, b, len_a) == 0),
              "%s, %s: the files differ", name, FORMATS[f].name);
    }
}

static unsigned converted; /* of compare_trace() */

/* The source reads packed ranks, and keeps few templates or all. */
static void compare_trace(sched_trace *trace, uint32_t copies, const char *folder, const char *name)
{
    g_autoptr(GError) error_a = NULL;
    g_autoptr(GError) error_b = NULL;
    const sched_convert_options options = {
        .copies = copies, .repeat = copies % 3, .reduce = SIM_RATE_PER_PS};
    sched_convert_report for_graph = {0};
    sched_convert_report for_source = {0};
    g_autoptr(sim_graph) graph = sched_convert(trace, &options, &for_graph, &error_a);
    sched_trace_pack(trace);
    sched_parallel_use(copies + 1); /* as if each record were worth a thread, or none */
    sched_rank_source *source =
        sched_convert_source_keep(trace, &options, copies % 2 == 0 ? UINT64_MAX : 50,
                                  copies < 3 ? 0 : UINT64_MAX, &for_source, &error_b);
    CHECK_STR(error_b != NULL ? error_b->message : "", error_a != NULL ? error_a->message : "",
              "%s", name);
    if (graph != NULL && source != NULL) {
        converted++;
        CHECK_I64(source->num_ranks, sim_graph_num_ranks(graph), "%s", name);
        CHECK_I64(for_source.calls, for_graph.calls, "%s", name);
        compare_files(graph, source, folder, name);
    }
    sched_convert_source_free(source);
    sched_parallel_use(0);
    sched_trace_unpack(trace);
    sched_convert_report_clear(&for_graph);
    sched_convert_report_clear(&for_source);
}

static void equals_the_graph_on_the_bundled_trace(void)
{
    g_autofree char *path = test_data("../../apps/proxies/traces/halo-cg-16");
    g_autoptr(sched_trace) trace = sched_trace_read(path, NULL);
    g_autofree char *folder = g_dir_make_tmp("ripple-source-XXXXXX", NULL);
    converted = 0;
    for (uint32_t copies = 1; copies <= 5; copies += 2) {
        compare_trace(trace, copies, folder, "halo-cg-16");
    }
    CHECK_I64(converted, 3, "halo-cg-16");
    CHECK_I64(g_rmdir(folder), 0, "a file is left");
}

static void equals_the_graph_on_random_programs(void)
{
    enum { PROGRAMS = 100 };
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);
    g_autofree char *folder = g_dir_make_tmp("ripple-source-XXXXXX", NULL);
    for (int i = 0; i < PROGRAMS; i++) {
        g_autoptr(sched_trace) trace =
            trace_random_new(rand, (uint32_t)g_rand_int_range(rand, 1, 40));
        g_autofree char *name = g_strdup_printf("random program %d", i);
        compare_trace(trace, (uint32_t)g_rand_int_range(rand, 1, 4), folder, name);
    }
    CHECK(converted > PROGRAMS / 2, "only %u programs were converted", converted);
    CHECK_I64(g_rmdir(folder), 0, "a file is left");
}

static void what_cannot_be_converted_is_refused_before_a_file_is_there(void)
{
    g_autoptr(sched_trace) trace = sched_trace_new("lonely", "random", 2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        trace->ranks[rank].file = g_strdup_printf("rank-%u", rank);
    }
    sched_call *send = sched_rank_append(&trace->ranks[0]);
    send->kind = SCHED_CALL_SEND;
    send->name = sched_trace_name(trace, "MPI_Send");
    send->peer = 1;
    sched_convert_report report = {0};
    const sched_convert_options options = {.copies = 1};
    g_autoptr(GError) error = NULL;
    CHECK(sched_convert_source_new(trace, &options, &report, &error) == NULL);
    CHECK_ERROR(error, "MPI_Send");
    sched_convert_report_clear(&report);
}

SUITE_MAIN("convert_source", TEST(equals_the_graph_on_the_bundled_trace),
           TEST(equals_the_graph_on_random_programs),
           TEST(what_cannot_be_converted_is_refused_before_a_file_is_there))
