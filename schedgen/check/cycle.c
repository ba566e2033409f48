/* schedgen/check/cycle.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check/cycle_private.h"

#define NONE       UINT32_MAX
#define MOST_NAMED 12

/* Take away operations that wait for nothing until only those on or behind cycles are left. */
static void peel(uint32_t n, const sched_edge *edges, size_t num_edges, uint32_t *waits_for)
{
    g_autofree uint32_t *first = g_new0(uint32_t, (gsize)n + 1); /* of its successors */
    g_autofree uint32_t *successor = g_new(uint32_t, num_edges + 1);
    g_autofree uint32_t *free_ops = g_new(uint32_t, (gsize)n + 1);
    for (size_t e = 0; e < num_edges; e++) {
        first[edges[e].earlier]++;
        waits_for[edges[e].later]++;
    }
    uint32_t sum = 0;
    for (uint32_t i = 0; i <= n; i++) { /* counts to ends; filling backwards makes them begins */
        sum += i < n ? first[i] : 0;
        first[i] = sum;
    }
    for (size_t e = num_edges; e-- > 0;) {
        successor[--first[edges[e].earlier]] = edges[e].later;
    }
    uint32_t num_free = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (waits_for[i] == 0) {
            free_ops[num_free++] = i;
        }
    }
    while (num_free > 0) {
        const uint32_t op = free_ops[--num_free];
        for (uint32_t s = first[op]; s < first[op + 1]; s++) {
            if (--waits_for[successor[s]] == 0) {
                free_ops[num_free++] = successor[s];
            }
        }
    }
}

/* Follow causes from any operation left: whatever is met twice lies on a cycle. */
static size_t follow(uint32_t n, const uint32_t *cause, uint32_t start, uint32_t **out)
{
    g_autofree uint8_t *met = g_new0(uint8_t, n);
    uint32_t op = start;
    while (!met[op]) {
        met[op] = 1;
        op = cause[op];
    }
    uint32_t lowest = op;
    size_t len = 1;
    for (uint32_t i = cause[op]; i != op; i = cause[i]) {
        lowest = MIN(lowest, i);
        len++;
    }
    uint32_t *cycle = g_new(uint32_t, len);
    for (size_t i = 0; i < len; i++) {
        cycle[i] = lowest;
        lowest = cause[lowest];
    }
    *out = cycle;
    return len;
}

size_t sched_cycle_find(uint32_t n, const sched_edge *edges, size_t num_edges, uint32_t **cycle)
{
    g_autofree uint32_t *waits_for = g_new0(uint32_t, (gsize)n + 1);
    peel(n, edges, num_edges, waits_for);
    g_autofree uint32_t *cause = g_new(uint32_t, (gsize)n + 1);
    uint32_t start = NONE;
    for (size_t e = 0; e < num_edges; e++) {
        if (waits_for[edges[e].later] > 0 && waits_for[edges[e].earlier] > 0) {
            cause[edges[e].later] = edges[e].earlier;
            start = MIN(start, edges[e].later);
        }
    }
    return start == NONE ? 0 : follow(n, cause, start, cycle);
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
