/* sim/base/nearest.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_machine, test_sweep_axis. */
#include "sim/nearest.h"

#include <glib.h>
#include <string.h>

#define MAX_TYPED 64 /* nobody mistypes a name by that much: longer ones have no neighbour */

/* Cost of writing b for a: wrong case is half a mistake. */
static unsigned substitution(char a, char b)
{
    if (a == b) {
        return 0;
    }
    return g_ascii_tolower(a) == g_ascii_tolower(b) ? 1 : 2;
}

/* Levenshtein distance, in half mistakes; one row of the table at a time. */
static unsigned distance(const char *a, size_t a_len, const char *b)
{
    unsigned row[MAX_TYPED + 1];
    for (size_t i = 0; i <= a_len; i++) {
        row[i] = (unsigned)(2 * i);
    }
    for (size_t j = 0; b[j] != '\0'; j++) {
        unsigned diagonal = row[0];
        row[0] += 2;
        for (size_t i = 1; i <= a_len; i++) {
            const unsigned above = row[i];
            const unsigned replaced = diagonal + substitution(a[i - 1], b[j]);
            row[i] = MIN(replaced, MIN(above, row[i - 1]) + 2);
            diagonal = above;
        }
    }
    return row[a_len];
}

const char *sim_nearest_name(const char *typed, const char *const *names)
{
    const size_t len = strlen(typed);
    const char *best = NULL;
    unsigned best_distance = UINT_MAX;
    for (size_t i = 0; len <= MAX_TYPED && names[i] != NULL; i++) {
        const unsigned d = distance(typed, len, names[i]);
        if (d <= MAX(len, strlen(names[i])) && d < best_distance) { /* half of it is right */
            best = names[i];
            best_distance = d;
        }
    }
    return best;
}

char *sim_nearest_hint(const char *typed, const char *const *names)
{
    const char *near = sim_nearest_name(typed, names);
    if (near != NULL) {
        return g_strdup_printf("; did you mean '%s'?", near);
    }
    GString *hint = g_string_new("; known are ");
    for (size_t i = 0; names[i] != NULL; i++) {
        g_string_append_printf(hint, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    return g_string_free(hint, FALSE);
}
