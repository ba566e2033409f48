/* apps/ripple/places/placement_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "places/placement_file.h"

#include "places/word_file.h"
#include "sim/placement.h"

#include <string.h>

enum { MOST_RANKS = 1 << 28 }; /* a gigabyte */

/* "NODE" or "NODE*COUNT". */
static bool read_word(const app_word_file *file, const char *word, GArray *nodes, GError **error)
{
    const char *star = strchr(word, '*');
    g_autofree char *first = star != NULL ? g_strndup(word, (gsize)(star - word)) : g_strdup(word);
    uint32_t node = 0;
    uint32_t count = 1;
    if (!app_word_file_parse(file, "node", first, SIM_PLACEMENT_MAX_NODES - 1, &node, error) ||
        (star != NULL &&
         !app_word_file_parse(file, "ranks", star + 1, MOST_RANKS, &count, error))) {
        return false;
    }
    if (count == 0) {
        return app_word_file_fail(file, error, "'%s' is no rank at all", word);
    }
    if (count > MOST_RANKS - nodes->len) {
        return app_word_file_fail(file, error, "more than %d ranks", MOST_RANKS);
    }
    const guint at = nodes->len;
    g_array_set_size(nodes, at + count);
    for (uint32_t i = 0; i < count; i++) {
        g_array_index(nodes, uint32_t, at + i) = node;
    }
    return true;
}

uint32_t *app_placement_read(const char *path, uint32_t *num_ranks, GError **error)
{
    g_autoptr(app_word_file) file = app_word_file_open(path, error);
    if (file == NULL) {
        return NULL;
    }
    g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    while (app_word_file_next(file)) {
        for (char **word = file->words; *word != NULL; word++) {
            if (!read_word(file, *word, nodes, error)) {
                return NULL;
            }
        }
    }
    if (nodes->len == 0) {
        (void)app_word_file_fail(file, error, "no node of any rank");
        return NULL;
    }
    *num_ranks = nodes->len;
    return (uint32_t *)(void *)g_array_free(g_steal_pointer(&nodes), FALSE);
}
