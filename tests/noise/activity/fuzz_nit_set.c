/* tests/noise/activity/fuzz_nit_set.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "../nit/take_records.h"
#include "fuzz.h"
#include "noise/activity_trace.h"
#include "noise/nit_merge.h"

#include <stdlib.h>

/* What is read can be summed up and written as a trace, whatever it says. */
static void sum_up(const noise_nit *nit)
{
    if (nit->num_activities > 2000 || nit->num_nodes == 0) {
        return;
    }
    g_autoptr(noise_activity) activity = noise_activity_new(nit, NULL, 0);
    g_autoptr(noise_activity_trace) trace = noise_activity_trace_new(activity, NULL, 0);
    const noise_timeline *line = trace->timeline;
    for (size_t c = 0; c < line->num_cpus; c++) {
        for (size_t i = line->first[c] + 1; i < line->first[c + 1]; i++) {
            if (line->piece[i].begin < line->piece[i - 1].end) {
                abort();
            }
        }
    }
    if (trace->duration > UINT64_C(10000000000)) {
        return; /* a line for each 100 ms */
    }
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    noise_paraver_write_prv(trace, out);
    noise_paraver_write_pcf(trace, out);
    noise_paraver_write_row(trace, out);
    noise_chrome_write(trace, out);
    fclose(out);
    free(text); /* NOLINT: open_memstream() allocates it */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_nit_set) set = noise_nit_set_parse("input", data, size, &error);
    if ((set == NULL) != (error != NULL)) {
        abort();
    }
    if (set != NULL) {
        sum_up(set->nit);
    }
    nit_take_records(data, size, sum_up);
    return 0;
}
