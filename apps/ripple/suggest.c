/* apps/ripple/suggest.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "suggest.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Letters to insert, delete, replace or swap with their neighbour to get from a to b. */
static size_t edit_distance(const char *a, const char *b)
{
    const size_t n = strlen(a);
    const size_t m = strlen(b);
    g_autofree size_t *rows = g_new(size_t, 3 * (m + 1));
    size_t *before = rows;
    size_t *above = rows + (m + 1);
    size_t *row = rows + 2 * (m + 1);
    for (size_t j = 0; j <= m; j++) {
        before[j] = above[j] = j;
    }
    for (size_t i = 1; i <= n; i++) {
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            row[j] = MIN(MIN(above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = MIN(row[j], before[j - 2] + 1);
            }
        }
        size_t *spare = before;
        before = above;
        above = row;
        row = spare;
    }
    return above[m];
}

const char *app_suggest(const char *word, const char *const *names)
{
    const char *best = NULL;
    size_t best_distance = SIZE_MAX;
    for (size_t i = 0; names[i] != NULL; i++) {
        const size_t length = MAX(strlen(word), strlen(names[i]));
        const bool begins = strlen(word) >= 2 && g_str_has_prefix(names[i], word);
        const size_t distance = begins ? 1 : edit_distance(word, names[i]);
        if (distance * 3 <= length && distance < best_distance) {
            best = names[i];
            best_distance = distance;
        }
    }
    return best;
}
