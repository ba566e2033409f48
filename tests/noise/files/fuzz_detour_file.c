/* tests/noise/files/fuzz_detour_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz.h"
#include "noise/detour_file.h"
#include "noise/detour_trace.h"

#include <stdlib.h>
#include <string.h>

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

/* Written and read again it is the same. */
static void check_text(const noise_detour_file *file)
{
    g_autofree char *text = noise_detour_file_to_text(file, true);
    g_autoptr(noise_detour_file) again = noise_detour_file_parse("again", text, strlen(text), NULL);
    if (again == NULL || again->num_runs != file->num_runs ||
        again->num_sources != file->num_sources) {
        abort();
    }
    for (size_t r = 0; r < file->num_runs; r++) {
        const noise_detour_run *a = &file->runs[r];
        const noise_detour_run *b = &again->runs[r];
        if (a->n != b->n || a->period != b->period || (a->source == NULL) != (b->source == NULL)) {
            abort();
        }
        for (size_t i = 0; i < a->n; i++) {
            if (a->start[i] != b->start[i] || a->length[i] != b->length[i] ||
                (a->source != NULL &&
                 (a->source[i] != b->source[i] || a->source[i] >= file->num_sources))) {
                abort();
            }
        }
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
    if (file != NULL) {
        check_text(file);
    }
    return 0;
}
