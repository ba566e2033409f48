/* noise/files/format.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_file_formats. */
#include "files/format.h"

#include "files/head.h"
#include "noise/nit.h"
#include "noise/nit_merge.h"

enum { HEAD = 1 << 16 };

const noise_file_format *noise_file_format_of(const char *beginning, size_t size)
{
    if (noise_nit_is(beginning, size) || noise_nit_set_is(beginning, size)) {
        return &noise_format_nit;
    }
    g_autofree char *head = g_strndup(beginning, MIN(size, (size_t)HEAD));
#define ROW_OF(NAME) &noise_format_##NAME,
    static const noise_file_format *const FORMATS[] = {NOISE_FILE_FORMATS(ROW_OF)};
    const bool is_ours = noise_head_has_line(head, "# ripple:");
    size_t i = 0;
    while (i + 1 < G_N_ELEMENTS(FORMATS) &&
           ((FORMATS[i]->is_foreign && is_ours) || !FORMATS[i]->probe(head))) {
        i++;
    }
    return FORMATS[i];
}
