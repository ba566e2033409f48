/* tests/schedgen/liballprof/fuzz_liballprof.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One rank's text or a tar archive, read and, if it is a trace, converted and followed: both are
 * refused, or both run alike.
 */
#include "fuzz.h"

#include "sched/liballprof.h"
#include "sched/replay.h"
#include "sim/run.h"

#include <stdlib.h>
#include <string.h>

static void insist(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void run_both(sim_program *stored, sim_program *followed)
{
    static const sim_params params = {.L = SIM_US, .o = SIM_US, .g = SIM_US, .S = 1000};
    g_autoptr(sim_result) a = sim_run(stored, &params, NULL, NULL);
    g_autoptr(sim_result) b = sim_run(followed, &params, NULL, NULL);
    insist((a == NULL) == (b == NULL));
    if (a != NULL) {
        insist(a->num_ops == b->num_ops && a->num_messages == b->num_messages);
        insist(memcmp(a->finish, b->finish, a->num_ranks * sizeof *a->finish) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(sched_trace) trace =
        sched_liballprof_read_data("fuzz-0.txt", (const char *)data, size, NULL);
    if (trace != NULL) {
        sched_convert_report report = {0};
        const sched_convert_options options = {.copies = 2, .repeat = 1 + size % 3};
        sim_graph *graph = sched_convert(trace, &options, &report, NULL);
        sched_trace_pack(trace);
        sim_program *replay = sched_replay_new(trace, &options, &report, NULL);
        insist((graph == NULL) == (replay == NULL));
        if (graph != NULL) {
            run_both(sim_graph_program(graph), replay);
        }
        sim_graph_free(graph);
        sim_program_free(replay);
        sched_convert_report_clear(&report);
    }
    return 0;
}
