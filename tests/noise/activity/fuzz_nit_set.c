/* tests/noise/activity/fuzz_nit_set.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz.h"
#include "nit/nit_records.h"
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

/* Records, without the checksum that would hide them from the fuzzer: as in fuzz_nit. */
static void take_records(const uint8_t *data, size_t size)
{
    const size_t head = size > 0 ? MIN((size_t)data[0], size - 1) : 0;
    nit_cursor first = {data + 1, data + 1 + head, false};
    nit_cursor rest = {data + 1 + head, data + size, false};
    noise_nit_contents contents;
    noise_nit_contents_init(&contents);
    if (size > 0 && noise_nit_contents_take(&contents, NIT_FRAME_HEAD, &first) == NULL &&
        noise_nit_contents_take(&contents, NIT_FRAME_DATA, &rest) == NULL) {
        g_autoptr(noise_nit) nit = noise_nit_contents_finish(&contents);
        sum_up(nit);
    }
    noise_nit_contents_clear(&contents);
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
    take_records(data, size);
    return 0;
}
