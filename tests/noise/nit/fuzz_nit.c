/* tests/noise/nit/fuzz_nit.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz.h"
#include "nit/nit_records.h"

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

/* Records, without the checksum and the deflating that would hide them from the fuzzer: the first
 * byte is the length of a head, the rest that of a frame of data. */
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
        check(nit);
    }
    noise_nit_contents_clear(&contents);
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
    take_records(data, size);
    return 0;
}
