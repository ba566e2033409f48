/* tests/noise/detours/fuzz_signature.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Any bytes as the text of a noise: refused with a message that is not empty, or a signature that
 * keeps its text and steals less than all of the CPU.
 */
#include "fuzz.h"
#include "noise/signature.h"

#include <stdlib.h>
#include <string.h>

enum {
    LONGEST = 300, /* a command line's worth */
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint32_t RANKS[] = {0, 1, 3, 7, 1000000, UINT32_MAX - 1};
    g_autofree char *text = g_strndup((const char *)data, MIN(size, (size_t)LONGEST));
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_signature) noise = noise_signature_parse(text, 1, &error);
    if (noise == NULL) {
        if (error == NULL || error->message[0] == '\0') {
            abort();
        }
        return 0;
    }
    if (strcmp(noise_signature_text(noise), text) != 0 ||
        noise_signature_longest_period(noise) <= 0) {
        abort();
    }
    for (size_t i = 0; i < G_N_ELEMENTS(RANKS); i++) {
        const double share = noise_signature_share(noise, RANKS[i]);
        const bool struck = noise_signature_trace(noise, RANKS[i]) != NULL;
        if (!(share >= 0 && share < 1) || struck != (share > 0)) {
            abort();
        }
    }
    return 0;
}
