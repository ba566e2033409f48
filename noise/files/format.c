/* noise/files/format.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_detour_file. */
#include "files/format.h"

const noise_file_format *noise_file_format_of(const char *head)
{
#define ROW_OF(NAME) &noise_format_##NAME,
    static const noise_file_format *const FORMATS[] = {NOISE_FILE_FORMATS(ROW_OF)};
    size_t i = 0;
    while (i + 1 < G_N_ELEMENTS(FORMATS) && !FORMATS[i]->probe(head)) {
        i++;
    }
    return FORMATS[i];
}
