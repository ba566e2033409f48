/* apps/ripple/output/sentences.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sweep_figures. */
#include "output/sentences.h"

void app_sentences_add(GPtrArray *sentences, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_ptr_array_add(sentences, g_strdup_vprintf(format, args));
    va_end(args);
}
