/* tests/schedgen/simgrid/fuzz_simgrid.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Actions of all ranks, read and, if they are a trace, converted and run. */
#include "fuzz.h"

#include "sched/convert.h"
#include "sched/simgrid.h"
#include "sim/run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const sim_params params = {.L = SIM_US, .o = SIM_US, .g = SIM_US, .S = 1000};
    static const sched_convert_options options = {.copies = 2, .repeat = 1};
    g_autoptr(sched_trace) trace =
        sched_simgrid_read_data("fuzz.txt", (const char *)data, size, 1e9, NULL);
    if (trace != NULL) {
        sched_convert_report report = {0};
        g_autoptr(sim_graph) graph = sched_convert(trace, &options, &report, NULL);
        sched_convert_report_clear(&report);
        if (graph != NULL) {
            g_autoptr(sim_result) result = sim_run(sim_graph_program(graph), &params, NULL, NULL);
        }
    }
    return 0;
}
