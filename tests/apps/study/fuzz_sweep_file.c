/* tests/apps/study/fuzz_sweep_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Any bytes as a study file: refused with a message, or written and read back the same.
 */
#include "fuzz.h"
#include "study/sweep_file.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(app_sweep_study) study =
        app_sweep_file_parse("fuzz", (const char *)data, size, &error);
    if (study == NULL) {
        if (error == NULL || error->message[0] == '\0') {
            abort();
        }
        return 0;
    }
    g_autofree char *text = app_sweep_study_text(study);
    g_autoptr(app_sweep_study) back = app_sweep_file_parse("fuzz", text, strlen(text), NULL);
    if (back == NULL) {
        abort();
    }
    g_autofree char *again = app_sweep_study_text(back);
    if (strcmp(text, again) != 0) {
        abort();
    }
    return 0;
}
