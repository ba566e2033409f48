/* tests/noise/nit/fuzz_nit.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz.h"
#include "take_records.h"

#include <stdlib.h>

/* What the reader accepts keeps what noise/nit.h promises. */
static void check(const noise_nit *nit)
{
    for (size_t i = 0; i < nit->num_activities; i++) {
        const noise_nit_activity *a = &nit->activities[i];
        if (a->thread >= nit->num_threads || a->from > a->to ||
            (i > 0 && nit->activities[i - 1].to > a->to)) {
            abort();
        }
    }
    for (size_t i = 0; i < nit->num_interrupts; i++) {
        if (nit->interrupts[i].line >= nit->num_lines ||
            nit->interrupts[i].from > nit->interrupts[i].to) {
            abort();
        }
    }
    g_free(noise_nit_to_text(nit));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_nit) nit = noise_nit_parse("input", data, size, &error);
    if ((nit == NULL) != (error != NULL)) {
        abort();
    }
    if (nit != NULL) {
        check(nit);
    }
    nit_take_records(data, size, check);
    return 0;
}
