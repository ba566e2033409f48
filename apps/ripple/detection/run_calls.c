/* apps/ripple/detection/run_calls.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "detection/run_calls.h"

app_run_calls *app_run_calls_new(uint32_t num_ranks)
{
    app_run_calls *c = g_new0(app_run_calls, 1);
    c->num_ranks = num_ranks;
    c->rank = g_new0(app_rank_calls, (gsize)num_ranks + 1);
    c->names = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    return c;
}

void app_run_calls_free(app_run_calls *c)
{
    if (c != NULL) {
        for (uint32_t r = 0; r < c->num_ranks; r++) {
            g_free(c->rank[r].call);
            g_free(c->rank[r].at);
        }
        g_free(c->rank);
        g_hash_table_unref(c->names);
        g_free(c);
    }
}

void app_run_calls_name(app_run_calls *c, uint64_t symbol, const char *name)
{
    if (!g_hash_table_contains(c->names, &symbol)) {
        g_hash_table_insert(c->names, g_memdup2(&symbol, sizeof symbol), g_strdup(name));
    }
}

const char *app_run_calls_find_name(const app_run_calls *c, uint64_t symbol)
{
    return g_hash_table_lookup(c->names, &symbol);
}
