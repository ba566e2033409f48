/* tests/noise/detours/fuzz_detour_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz.h"
#include "noise/detour_file.h"
#include "noise/detour_trace.h"

#include <stdlib.h>

/* What the reader accepts keeps the promises that a trace is built on. */
static void check_run(const noise_detour_run *run)
{
    sim_time total = 0;
    for (size_t i = 0; i < run->n; i++) {
        total += run->length[i];
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_detour_trace) trace =
        noise_detour_trace_new(run->start, run->length, run->n, run->period, &error);
    if ((trace == NULL) !=
        (total == run->period)) { /* no time is left: the one thing not refused */
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_detour_file) file =
        noise_detour_file_parse("input", (const char *)data, size, &error);
    if ((file == NULL) != (error != NULL)) {
        abort();
    }
    for (size_t r = 0; file != NULL && r < file->num_runs; r++) {
        check_run(&file->runs[r]);
    }
    return 0;
}
