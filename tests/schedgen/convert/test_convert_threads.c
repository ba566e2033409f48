/* tests/schedgen/convert/test_convert_threads.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* One thread or many: the same program, report and error. */
#include "check.h"
#include "model/parallel_private.h"
#include "sched/goal.h"
#include "sched/replay.h"
#include "trace_random.h"

#include <glib/gstdio.h>

static const uint32_t THREADS[] = {1, 2, 3, SCHED_PARALLEL_MOST};

/* All that a conversion says. */
static char *report_text(const sched_convert_report *report)
{
    GString *text = g_string_new(NULL);
    g_string_append_printf(
        text, "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GINT64_FORMAT,
        report->calls, report->p2p, report->collectives, report->compute);
    for (guint i = 0; report->notices != NULL && i < report->notices->len; i++) {
        const sched_notice *n = &g_array_index(report->notices, sched_notice, i);
        g_string_append_printf(text, "\n%s %" G_GUINT64_FORMAT " %.17g", n->what, n->count,
                               n->share);
    }
    return g_string_free(text, FALSE);
}

/* The GOAL text of the program with its report, or the error. Owned by the caller. */
static char *convert(const sched_trace *trace, const char *folder, uint32_t threads)
{
    const sched_convert_options options = {.copies = 2, .reduce = SIM_RATE_PER_PS};
    g_autofree char *path = g_build_filename(folder, "x.goal", NULL);
    g_autofree char *goal = NULL;
    g_autoptr(GError) error = NULL;
    sched_convert_report report = {0};
    sched_parallel_use(threads);
    sched_rank_source *source = sched_convert_source_new(trace, &options, &report, &error);
    sched_convert_report followed = {0};
    sim_program *replay = sched_replay_new(trace, &options, &followed, NULL);
    sched_parallel_use(0);
    CHECK((source != NULL) == (replay != NULL));
    char *all = NULL;
    /* GOAL cannot keep any number of communicators apart. */
    if (source == NULL || !sched_goal_write_text_from(source, path, &error)) {
        all = g_strdup(error->message);
    } else {
        CHECK(g_file_get_contents(path, &goal, NULL, NULL));
        (void)g_unlink(path);
        g_autofree char *said = report_text(&report);
        g_autofree char *said_again = report_text(&followed);
        CHECK_STR(said_again, said);
        all = g_strdup_printf("%s\n%s", said, goal);
    }
    sched_convert_source_free(source);
    sim_program_free(replay);
    sched_convert_report_clear(&report);
    sched_convert_report_clear(&followed);
    return all;
}

static void compare(const sched_trace *trace, const char *folder, const char *name)
{
    g_autofree char *one = convert(trace, folder, THREADS[0]);
    for (size_t i = 1; i < G_N_ELEMENTS(THREADS); i++) {
        g_autofree char *many = convert(trace, folder, THREADS[i]);
        CHECK_STR(many, one, "%s, %u threads", name, THREADS[i]);
    }
}

static void random_programs_are_the_same(void)
{
    enum { PROGRAMS = 60 };
    g_autoptr(GRand) rand = g_rand_new_with_seed(7);
    g_autofree char *folder = g_dir_make_tmp("ripple-threads-XXXXXX", NULL);
    for (int i = 0; i < PROGRAMS; i++) {
        g_autoptr(sched_trace) trace =
            trace_random_new(rand, (uint32_t)g_rand_int_range(rand, 1, 40));
        g_autofree char *name = g_strdup_printf("random program %d", i);
        if (i % 2 == 0) {
            sched_trace_pack(trace);
        }
        compare(trace, folder, name);
    }
    CHECK_I64(g_rmdir(folder), 0, "a file is left");
}

/* Of several ranks that cannot be converted the first is named, whoever was faster. */
static void the_first_error_is_told(void)
{
    enum { RANKS = 32, BAD = 5, TIMES = 20 };
    g_autofree char *folder = g_dir_make_tmp("ripple-threads-XXXXXX", NULL);
    g_autoptr(sched_trace) trace = sched_trace_new("bad", "made", RANKS);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        trace->ranks[rank].file = g_strdup_printf("rank-%u", rank);
        sched_call *call = sched_rank_append(&trace->ranks[rank]);
        call->kind = SCHED_CALL_ISEND;
        call->name = sched_trace_name(trace, "MPI_Isend");
        call->request = 0;
        call->peer = (rank + 1) % RANKS;
        call->bytes = rank >= BAD ? -1 - (int64_t)rank : 1;
    }
    for (int i = 0; i < TIMES; i++) {
        compare(trace, folder, "bytes below zero");
    }
    g_autofree char *said = convert(trace, folder, SCHED_PARALLEL_MOST);
    CHECK_STR(said, "rank-5:0: MPI_Isend: bytes below zero, less '6'");
    CHECK_I64(g_rmdir(folder), 0, "a file is left");
}

SUITE_MAIN("convert_threads", TEST(random_programs_are_the_same), TEST(the_first_error_is_told))
