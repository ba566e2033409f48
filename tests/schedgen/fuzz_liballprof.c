/* tests/schedgen/fuzz_liballprof.c — SPDX-License-Identifier: GPL-3.0-or-later */
/** One rank's text or a tar archive, read and, if it is a trace, converted. */
#include "fuzz.h"

#include "sched/convert.h"
#include "sched/liballprof.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(sched_trace) trace =
        sched_liballprof_read_data("fuzz-0.txt", (const char *)data, size, NULL);
    if (trace != NULL) {
        sched_convert_report report = {0};
        const sched_convert_options options = {.replicas = 2};
        sim_graph_free(sched_convert(trace, &options, &report, NULL));
        sched_convert_report_clear(&report);
    }
    return 0;
}
