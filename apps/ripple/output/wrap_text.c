/* apps/ripple/output/wrap_text.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_help. */
#include "output/wrap_text.h"

#include <stdbool.h>

void app_wrap_text(GString *page, const char *text, size_t width, size_t column, size_t indent)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    bool first = true;
    for (size_t i = 0; words[i] != NULL; i++) {
        const size_t length = (size_t)g_utf8_strlen(words[i], -1);
        if (!first && column + 1 + length > width) {
            g_string_append_printf(page, "\n%*s", (int)indent, "");
            column = indent;
        } else if (!first) {
            g_string_append_c(page, ' ');
            column++;
        }
        g_string_append(page, words[i]);
        column += length;
        first = false;
    }
    g_string_append_c(page, '\n');
}
