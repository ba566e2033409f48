/* schedgen/model/cycle.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/cycle_private.h"

#include "sim/cycle.h"

#define MOST_NAMED 12

/* The edges by what waits. */
typedef struct by_later {
    sim_waiting waiting; /* first: it is handed on as this */
    uint32_t *first;     /* [n + 1] of its own in earlier */
    uint32_t *earlier;   /* [num_edges] */
} by_later;

static bool next_earlier(sim_waiting *waiting, uint64_t node, uint32_t *at, uint64_t *to)
{
    const by_later *b = (const by_later *)waiting;
    const uint32_t i = b->first[node] + *at;
    if (i == b->first[node + 1]) {
        return false;
    }
    *to = b->earlier[i];
    (*at)++;
    return true;
}

static void sort_edges(by_later *b, uint32_t n, const sched_edge *edges, size_t num_edges)
{
    b->first = g_new0(uint32_t, (gsize)n + 1);
    b->earlier = g_new(uint32_t, num_edges + 1);
    for (size_t e = 0; e < num_edges; e++) {
        b->first[edges[e].later]++;
    }
    uint32_t sum = 0;
    for (uint32_t i = 0; i <= n; i++) { /* counts to ends; filling backwards makes them begins */
        sum += i < n ? b->first[i] : 0;
        b->first[i] = sum;
    }
    for (size_t e = num_edges; e-- > 0;) {
        b->earlier[--b->first[edges[e].later]] = edges[e].earlier;
    }
}

/* The same cycle from its lowest operation on. */
static uint32_t *from_lowest(const uint64_t *cycle, size_t len)
{
    size_t lowest = 0;
    for (size_t i = 1; i < len; i++) {
        lowest = cycle[i] < cycle[lowest] ? i : lowest;
    }
    uint32_t *out = g_new(uint32_t, len);
    for (size_t i = 0; i < len; i++) {
        out[i] = (uint32_t)cycle[(lowest + i) % len];
    }
    return out;
}

size_t sched_cycle_find(uint32_t n, const sched_edge *edges, size_t num_edges, uint32_t **cycle)
{
    by_later b = {.waiting = {.num_nodes = n, .next = next_earlier}};
    sort_edges(&b, n, edges, num_edges);
    g_autofree uint64_t *found = NULL;
    const size_t len = sim_cycle_find(&b.waiting, &found);
    if (len > 0) {
        *cycle = from_lowest(found, len);
    }
    g_free(b.first);
    g_free(b.earlier);
    return len;
}

char *sched_cycle_describe(const uint32_t *cycle, size_t len, sched_describe *describe,
                           const void *context)
{
    GString *text = g_string_new(NULL);
    const size_t named = MIN(len, MOST_NAMED);
    for (size_t i = 0; i < named; i++) {
        g_autofree char *name = describe(context, cycle[i]);
        g_string_append_printf(text, "%s → ", name);
    }
    if (named < len) {
        g_string_append_printf(text, "… (%zu operations) → ", len);
    }
    g_autofree char *first = describe(context, cycle[0]);
    g_string_append(text, first);
    return g_string_free(text, FALSE);
}
