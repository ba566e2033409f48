/* apps/ripple/output/sentences.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sweep_figures. */
#include "output/sentences.h"

#include "output/wrap_text.h"

enum { WIDTH = 118, INDENT = 4 };

void app_sentences_add(GPtrArray *sentences, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_ptr_array_add(sentences, g_strdup_vprintf(format, args));
    va_end(args);
}

void app_sentence_print(const char *sentence, FILE *out)
{
    g_autoptr(GString) text = g_string_new(NULL);
    app_wrap_text(text, sentence, WIDTH, 0, INDENT);
    fputs(text->str, out);
}
