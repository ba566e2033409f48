/* tests/schedgen/convert/test_convert_formats.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* One program recorded in both formats gives one schedule and one makespan. */
#include "check.h"
#include "sched/convert.h"
#include "schedule_compare.h"
#include "sim/run.h"
#include "trace_files.h"
#include "trace_random.h"
#include "trace_write.h"

static const sim_params MACHINE = {
    .L = 2 * SIM_US, .o = SIM_US, .g = SIM_US, .G = 1000000, .S = 1000};

typedef void write_trace(const sched_trace *trace, const char *dir);

static sched_trace *written_and_read(const sched_trace *trace, write_trace *write, GError **error)
{
    g_autofree char *dir = g_dir_make_tmp("ripple-formats-XXXXXX", NULL);
    write(trace, dir);
    sched_trace *back = sched_trace_read(dir, error);
    trace_write_remove(dir);
    return back;
}

static sim_graph *converted(const sched_trace *trace, sched_convert_report *report, GError **error)
{
    const sched_convert_options options = {.copies = 1};
    return trace != NULL ? sched_convert(trace, &options, report, error) : NULL;
}

/* Every notice of the one about what was left out is one of the other. */
static void compare_left_out(const GArray *a, const GArray *b, const char *name)
{
    for (guint i = 0; i < a->len; i++) {
        const sched_notice *n = &g_array_index(a, sched_notice, i);
        if (strstr(n->what, "kept as computation") != NULL) {
            CHECK_I64(trace_noticed(b, n->what), n->count, "%s: '%s'", name, n->what);
        }
    }
}

static bool compare(const sched_trace *trace, const char *name)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) text = written_and_read(trace, trace_write_liballprof, &error);
    g_autoptr(sched_trace) archive = written_and_read(trace, trace_write_otf2, &error);
    sched_convert_report of_text = {0};
    sched_convert_report of_archive = {0};
    g_autoptr(sim_graph) a = converted(text, &of_text, &error);
    g_autoptr(sim_graph) b = converted(archive, &of_archive, &error);
    bool same = CHECK(a != NULL && b != NULL, "%s: %s", name, error != NULL ? error->message : "");
    if (same) {
        g_autofree char *different = schedule_compare(a, b);
        same = CHECK_STR(different != NULL ? different : "", "", "%s", name);
        g_autoptr(sim_result) x = sim_run(sim_graph_program(a), &MACHINE, NULL, &error);
        g_autoptr(sim_result) y = sim_run(sim_graph_program(b), &MACHINE, NULL, &error);
        if (CHECK(x != NULL && y != NULL, "%s: %s", name, error != NULL ? error->message : "")) {
            CHECK_I64(x->makespan, y->makespan, "%s", name);
        }
        CHECK_I64(of_text.compute, of_archive.compute, "%s", name);
        compare_left_out(of_text.notices, of_archive.notices, name);
        compare_left_out(of_archive.notices, of_text.notices, name);
    }
    sched_convert_report_clear(&of_text);
    sched_convert_report_clear(&of_archive);
    return same;
}

static void both_formats_of_a_program_give_one_makespan(void)
{
    enum { SEED = 5, PROGRAMS = 60 };
    g_autoptr(GRand) rand = g_rand_new_with_seed(SEED);
    for (int i = 0; i < PROGRAMS; i++) {
        g_autoptr(sched_trace) trace =
            trace_random_new(rand, (uint32_t)g_rand_int_range(rand, 1, 60));
        g_autofree char *name = g_strdup_printf("seed %d, program %d", SEED, i);
        if (!compare(trace, name)) {
            break;
        }
    }
}

SUITE_MAIN("convert_formats", TEST(both_formats_of_a_program_give_one_makespan))
