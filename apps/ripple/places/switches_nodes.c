/* apps/ripple/places/switches_nodes.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_switches. */
/**
 * @file
 * Which switches have nodes, and how many: the line "nodes" of both kinds of files.
 */
#include "places/switches_private.h"

#include <string.h>

enum { MOST_NODES = 1 << 24, MOST_ON_SWITCH = 1 << 20 };

void app_switches_free(app_switches *switches)
{
    if (switches != NULL) {
        g_free(switches->hops);
        g_free(switches->switch_of);
        g_free(switches);
    }
}

bool app_switches_take_nodes(const app_word_file *file, GArray *nodes, bool *taken, GError **error)
{
    *taken = strcmp(file->words[0], "nodes") == 0;
    if (!*taken) {
        return true;
    }
    if (nodes->len > 0) {
        return app_word_file_fail(file, error, "a second line 'nodes'");
    }
    for (char **word = file->words + 1; *word != NULL; word++) {
        uint32_t count;
        if (!app_word_file_parse(file, "nodes", *word, MOST_ON_SWITCH, &count, error)) {
            return false;
        }
        g_array_append_val(nodes, count);
    }
    return nodes->len > 0 || app_word_file_fail(file, error, "nodes: how many on each switch?");
}

uint32_t *app_switches_count_nodes(const app_word_file *file, const GArray *nodes,
                                   uint32_t num_switches, GError **error)
{
    if (nodes->len > 1 && nodes->len != num_switches) {
        (void)app_word_file_fail(file, error, "nodes of %u switches, but there are %u", nodes->len,
                                 num_switches);
        return NULL;
    }
    uint32_t *count = g_new(uint32_t, num_switches);
    for (uint32_t i = 0; i < num_switches; i++) {
        count[i] = nodes->len == 0 ? 1 : g_array_index(nodes, uint32_t, nodes->len > 1 ? i : 0);
    }
    return count;
}

app_switches *app_switches_new(const app_word_file *file, const uint32_t *count,
                               uint32_t num_switches, uint32_t **which, GError **error)
{
    uint64_t num_nodes = 0;
    uint32_t with_nodes = 0;
    for (uint32_t i = 0; i < num_switches; i++) {
        num_nodes += count[i];
        with_nodes += count[i] > 0;
    }
    if (num_nodes == 0 || num_nodes > MOST_NODES || with_nodes > APP_SWITCHES_MOST) {
        (void)app_word_file_fail(file, error,
                                 "%" G_GUINT64_FORMAT " nodes on %u switches: there must be 1 to "
                                 "%d, on at most %u",
                                 num_nodes, with_nodes, MOST_NODES, APP_SWITCHES_MOST);
        return NULL;
    }
    app_switches *s = g_new0(app_switches, 1);
    s->num_switches = with_nodes;
    s->num_nodes = (uint32_t)num_nodes;
    s->hops = g_new0(uint16_t, (size_t)with_nodes * with_nodes);
    s->switch_of = g_new(uint32_t, num_nodes);
    *which = g_new(uint32_t, with_nodes);
    uint32_t node = 0;
    uint32_t at = 0;
    for (uint32_t i = 0; i < num_switches; i++) {
        for (uint32_t k = 0; k < count[i]; k++) {
            s->switch_of[node++] = at;
        }
        if (count[i] > 0) {
            (*which)[at++] = i;
        }
    }
    return s;
}
