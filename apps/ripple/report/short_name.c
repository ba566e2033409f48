/* apps/ripple/report/short_name.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_report, test_drawing_html. */
#include "short_name.h"

#include <stdbool.h>
#include <string.h>

static const char ELLIPSIS[] = "\u2026";

/* Where a part ends, if not less than half of the name would be left; else in the middle of it. */
static char *cut(const char *name, size_t most)
{
    const size_t letters = most - 1;
    const char *end = g_utf8_offset_to_pointer(name, (glong)letters);
    for (const char *at = end; at > g_utf8_offset_to_pointer(name, (glong)letters / 2); at--) {
        if (strchr("+,;@/ ", *at) != NULL) {
            end = at;
            break;
        }
    }
    g_autofree char *begin = g_strndup(name, (gsize)(end - name));
    return g_strconcat(begin, ELLIPSIS, NULL);
}

static bool is_twice(char *const *names, size_t n, size_t i)
{
    for (size_t k = 0; k < n; k++) {
        if (k != i && strcmp(names[k], names[i]) == 0) {
            return true;
        }
    }
    return false;
}

char **app_short_names(const char *const *names, size_t n, size_t most)
{
    char **cuts = g_new0(char *, n + 1);
    char **shorts = g_new0(char *, n + 1);
    for (size_t i = 0; i < n; i++) {
        const bool fits = (size_t)g_utf8_strlen(names[i], -1) <= most;
        cuts[i] = fits ? g_strdup(names[i]) : cut(names[i], most - 2);
    }
    for (size_t i = 0; i < n; i++) {
        const bool own = strcmp(cuts[i], names[i]) == 0 || !is_twice(cuts, n, i);
        shorts[i] = own ? g_strdup(cuts[i]) : g_strdup_printf("%s%zu", cuts[i], i + 1);
    }
    g_strfreev(cuts);
    return shorts;
}

char *app_short_caption(const char *caption, const char *const *names, char *const *shorts,
                        size_t n)
{
    GString *whole = g_string_new(caption);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(names[i], shorts[i]) != 0) {
            g_string_append_printf(whole, " '%s' is %s.", shorts[i], names[i]);
        }
    }
    return g_string_free(whole, FALSE);
}
