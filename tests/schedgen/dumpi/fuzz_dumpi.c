/* tests/schedgen/dumpi/fuzz_dumpi.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* How many ranks, then the files of these, all of one size: read and, if they are a trace,
 * converted and run. */
#include "fuzz.h"

#include "sched/convert.h"
#include "sched/dumpi.h"
#include "sim/run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const sim_params params = {.L = SIM_US, .o = SIM_US, .g = SIM_US, .S = 1000};
    static const sched_convert_options options = {.copies = 1, .repeat = 1};
    static const char *const names[] = {"0.bin", "1.bin", "2.bin", "3.bin"};
    const uint32_t n = size > 0 ? 1 + (data[0] - 1U) % 4 : 1;
    const char *files[4];
    size_t sizes[4];
    for (uint32_t i = 0; i < n; i++) {
        sizes[i] = size > 0 ? (size - 1) / n : 0;
        files[i] = size > 0 ? (const char *)data + 1 + i * sizes[i] : "";
    }
    g_autoptr(sched_trace) trace = sched_dumpi_read_data(names, files, sizes, n, NULL);
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
