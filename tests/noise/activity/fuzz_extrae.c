/* tests/noise/activity/fuzz_extrae.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "activity/any_nit.h"
#include "fuzz.h"
#include "noise/extrae.h"

#include <stdlib.h>

/* What is read and fits a watch can be written. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GBytes) text = g_bytes_new(data, size);
    g_autoptr(noise_extrae) extrae = noise_extrae_parse("input", text, &error);
    if ((extrae == NULL) != (error != NULL)) {
        abort();
    }
    if (extrae == NULL) {
        return 0;
    }
    g_autoptr(noise_nit) nit = g_new0(noise_nit, 1);
    any_nit_add_node(nit, "n", 3, UINT64_C(3000000000), UINT64_C(15000000000));
    g_autoptr(noise_activity) activity = noise_activity_new(nit, NULL, 0);
    g_autoptr(noise_activity_trace) trace = noise_activity_trace_new(activity, NULL, 0);
    noise_extrae_fit fit;
    if (noise_extrae_fit_marks(extrae, trace, NULL, NULL, &fit, NULL) &&
        fit.offset_ns < INT64_C(100000000000)) {
        char *written = NULL;
        size_t length = 0;
        FILE *out = open_memstream(&written, &length);
        noise_extrae_write_prv(extrae, &fit, trace, out);
        fclose(out);
        free(written); /* NOLINT: open_memstream() allocates it */
    }
    return 0;
}
