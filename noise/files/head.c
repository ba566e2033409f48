/* noise/files/head.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_file_formats. */
#include "files/head.h"

#include <glib.h>
#include <string.h>

static const char *next_line(const char *at)
{
    const char *newline = strchr(at, '\n');
    return newline != NULL ? newline + 1 : NULL;
}

bool noise_head_has_line(const char *head, const char *beginning)
{
    for (const char *at = head; at != NULL; at = next_line(at)) {
        if (g_str_has_prefix(at + strspn(at, " \t"), beginning)) {
            return true;
        }
    }
    return false;
}

char *noise_head_first_data(const char *head)
{
    for (const char *at = head; at != NULL; at = next_line(at)) {
        const char *line = at + strspn(at, " \t\r");
        if (*line != '#' && *line != '\n' && *line != '\0') {
            return g_strndup(line, strcspn(line, "\r\n"));
        }
    }
    return NULL;
}

unsigned noise_head_numbers(const char *line)
{
    unsigned n = 0;
    for (const char *at = line; *at != '\0'; n++) {
        char *end;
        (void)g_ascii_strtod(at, &end);
        if (end == at || strchr(" \t\r", *end) == NULL) { /* of NUL, too, a place is found */
            break;
        }
        at = end + strspn(end, " \t\r");
    }
    return n;
}
