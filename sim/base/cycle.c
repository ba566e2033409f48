/* sim/base/cycle.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cycle.h"

#include <glib.h>

typedef enum { UNSEEN, ON_THE_WAY, DONE } state;

typedef struct visit {
    uint64_t node;
    uint32_t at; /* sim_waiting.next: where the search goes on from here */
} visit;

/* The way from its first visit of @p node on: it leads back there. */
static size_t copy_cycle(const GArray *way, uint64_t node, uint64_t **cycle)
{
    size_t first = way->len - 1;
    while (g_array_index(way, visit, first).node != node) {
        first--;
    }
    const size_t len = way->len - first;
    *cycle = g_new(uint64_t, len);
    for (size_t i = 0; i < len; i++) {
        (*cycle)[i] = g_array_index(way, visit, first + i).node;
    }
    return len;
}

/* All that @p node waits for, directly or not. */
static size_t search_from(sim_waiting *graph, uint64_t node, uint8_t *seen, GArray *way,
                          uint64_t **cycle)
{
    visit here = {.node = node};
    seen[node] = ON_THE_WAY;
    g_array_append_val(way, here);
    while (way->len > 0) {
        visit *last = &g_array_index(way, visit, way->len - 1);
        if (!graph->next(graph, last->node, &last->at, &node)) {
            seen[last->node] = DONE;
            g_array_set_size(way, way->len - 1);
        } else if (seen[node] == UNSEEN) {
            seen[node] = ON_THE_WAY;
            here = (visit){.node = node};
            g_array_append_val(way, here);
        } else if (seen[node] == ON_THE_WAY) {
            return copy_cycle(way, node, cycle);
        }
    }
    return 0;
}

size_t sim_cycle_find(sim_waiting *graph, uint64_t **cycle)
{
    g_autofree uint8_t *seen = g_new0(uint8_t, graph->num_nodes + 1);
    g_autoptr(GArray) way = g_array_new(FALSE, FALSE, sizeof(visit));
    size_t len = 0;
    for (uint64_t node = 0; node < graph->num_nodes && len == 0; node++) {
        if (seen[node] == UNSEEN) {
            len = search_from(graph, node, seen, way, cycle);
        }
    }
    return len;
}
