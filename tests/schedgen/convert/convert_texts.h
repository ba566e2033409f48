/* tests/schedgen/convert/convert_texts.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Conversions of small liballprof records, written out in the tests.
 */
#pragma once

#include "check.h"
#include "graph_text.h"
#include "sched/convert.h"
#include "sim/run.h"
#include "trace_files.h"

#define C2(rank) "5000000000," #rank ",2" /* MPI_COMM_WORLD of two ranks */
#define C4(rank) "5000000000," #rank ",4"
#define END      "MPI_Finalize:100:-\n"

static const sched_convert_options DEFAULTS = {.copies = 1, .compute = SCHED_COMPUTE_WALL};

/* The L o g G of nothing in particular. */
static const sim_params MACHINE = {.L = 2 * SIM_US, .o = SIM_US, .g = SIM_US, .G = 0, .S = 1000};

typedef struct result {
    sched_trace *trace;
    sim_graph *graph;
    sched_convert_report report;
    GError *error;
} result;

static inline void result_clear(result *r)
{
    sched_trace_free(r->trace);
    sim_graph_free(r->graph);
    sched_convert_report_clear(&r->report);
    g_clear_error(&r->error);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(result, result_clear)

/* Rank i makes the calls of texts[i]; MPI_Init ends at 0. Times are microseconds. */
static inline result convert_texts(const char *const *texts, guint n,
                                   const sched_convert_options *options)
{
    result r = {.trace = trace_read_texts(texts, n, &r.error)};
    if (r.trace != NULL) {
        r.graph = sched_convert(r.trace, options, &r.report, &r.error);
    }
    return r;
}

static inline void check_rank(const result *r, uint32_t rank, const char *want)
{
    if (CHECK(r->graph != NULL, "%s", r->error != NULL ? r->error->message : "")) {
        g_autofree char *text = graph_text(r->graph, rank);
        CHECK_STR(text, want);
    }
}

/* Nothing is left over, on a machine where some messages are eager, some are not. */
static inline void check_runs(const result *r)
{
    g_autoptr(GError) error = NULL;
    if (CHECK(r->graph != NULL, "%s", r->error != NULL ? r->error->message : "")) {
        g_autoptr(sim_result) run = sim_run(sim_graph_program(r->graph), &MACHINE, NULL, &error);
        CHECK(run != NULL, "%s", error != NULL ? error->message : "");
    }
}
