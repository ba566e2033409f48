/* schedgen/regrid/regrid_findings.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_regrid, cli_regrid. */
#include "regrid/regrid_private.h"

#include <string.h>

void sched_regrid_add_name(GString *names, const char *name)
{
    if (strstr(names->str, name) == NULL || names->len == 0) {
        g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "", name);
    }
}

static void list_ways(sched_regrid *g)
{
    const regrid_match *match = g->match;
    for (guint w = 0; w < match->ways->len; w++) {
        sched_regrid_way way = {.messages = 0};
        g_autoptr(GString) names = g_string_new(NULL);
        for (uint32_t r = 0; r < match->num_ranks; r++) {
            const regrid_rank *rank = &g->record.ranks[r];
            for (uint32_t i = 0; i < rank->num_items; i++) {
                if (match->item[r][i] == w && !rank->items[i].is_recv) {
                    way.messages++;
                    way.bytes += (uint64_t)rank->items[i].bytes;
                    sched_regrid_add_name(
                        names, sched_regrid_record_name(&g->record, rank->items[i].name));
                }
            }
        }
        if (way.messages > 0) {
            memcpy(way.by, regrid_match_way(match, w)->by.x, sizeof way.by);
            way.calls = g_strdup(names->str);
            g_array_append_val(g->ways, way);
        }
    }
}

static char *describe(const sched_regrid *g, uint32_t rank, const regrid_item *item)
{
    GString *text = g_string_new(sched_regrid_record_name(&g->record, item->name));
    g_string_append_printf(text, " of rank %u", rank);
    if (item->peer == SIM_ANY) {
        g_string_append(text, " from anybody");
    } else {
        g_string_append_printf(text, " %s %u", item->is_recv ? "from" : "to", item->peer);
    }
    if (item->tag == SIM_ANY) {
        g_string_append(text, ", any tag");
    } else {
        g_string_append_printf(text, ", tag %u", item->tag);
    }
    if (!item->is_recv) {
        g_string_append_printf(text, ", %" G_GINT64_FORMAT " B", item->bytes);
    }
    return g_string_free(text, FALSE);
}

/* The first few kinds by name, with how often each is there. */
static void list_rest(sched_regrid *g)
{
    enum { NAMED = 10 };
    g_autoptr(GHashTable) named = g_hash_table_new(g_str_hash, g_str_equal);
    for (uint32_t r = 0; r < g->record.trace->num_ranks; r++) {
        const regrid_rank *rank = &g->record.ranks[r];
        for (uint32_t i = 0; i < rank->num_items; i++) {
            if (g->match != NULL && g->match->item[r][i] != REGRID_NONE) {
                continue;
            }
            g->rest_in_all++;
            g_autofree char *what = describe(g, r, &rank->items[i]);
            const guint known = GPOINTER_TO_UINT(g_hash_table_lookup(named, what));
            if (known > 0) {
                g_array_index(g->rest, sched_regrid_rest, known - 1).count++;
            } else if (g->rest->len < NAMED) {
                const sched_regrid_rest one = {.what = g_steal_pointer(&what), .count = 1};
                g_array_append_val(g->rest, one);
                g_hash_table_insert(named, one.what, GUINT_TO_POINTER(g->rest->len));
            }
        }
    }
}

/* In how many dimensions a way goes, or 0 if by more than one in any of them. */
static uint32_t dims_of(const sched_regrid_way *way, uint32_t num_dims)
{
    uint32_t n = 0;
    for (uint32_t d = 0; d < num_dims; d++) {
        if (ABS(way->by[d]) > 1) {
            return 0;
        }
        n += way->by[d] != 0;
    }
    return n;
}

static bool has_opposite(const sched_regrid *g, const sched_regrid_way *way)
{
    for (guint i = 0; i < g->ways->len; i++) {
        const sched_regrid_way *other = &g_array_index(g->ways, sched_regrid_way, i);
        bool opposite = true;
        for (uint32_t d = 0; d < SCHED_REGRID_DIMS; d++) {
            opposite = opposite && other->by[d] == -way->by[d];
        }
        if (opposite) {
            return true;
        }
    }
    return false;
}

static void name_pattern(sched_regrid *g)
{
    const uint32_t dims = g->match->layout.grid.num_dims;
    bool near = true;
    bool straight = true;
    bool both_ways = true;
    uint32_t block = 1;
    for (uint32_t d = 0; d < dims; d++) {
        block *= 3;
    }
    for (guint i = 0; i < g->ways->len; i++) {
        const sched_regrid_way *way = &g_array_index(g->ways, sched_regrid_way, i);
        const uint32_t n = dims_of(way, dims);
        near = near && n > 0;
        straight = straight && n == 1;
        both_ways = both_ways && has_opposite(g, way);
    }
    const guint points = g->ways->len + 1;
    const char *kind = !near ? "messages by fixed ways" : !both_ways ? "shifts" : "stencil";
    if (g->match->sweeps && straight) {
        g->pattern = g_strdup_printf("%u-D wavefront, %u ways", dims, g->ways->len);
    } else if (near && both_ways && (points == block || (straight && points == 2 * dims + 1))) {
        g->pattern = g_strdup_printf("%u-D stencil, %u-point", dims, points);
    } else {
        g->pattern = g_strdup_printf("%u-D %s, %u ways", dims, kind, g->ways->len);
    }
}

/* How many messages of all ranks go how far. */
static void list_stages(sched_regrid *g)
{
    const regrid_butterfly *b = g->butterfly;
    const uint32_t ranks = g->record.trace->num_ranks;
    const regrid_rank *rank = &g->record.ranks[0];
    for (uint32_t k = 0; k < b->num_stages; k++) {
        sched_regrid_way way = {.by = {(int32_t)(1U << k)}};
        g_autoptr(GString) names = g_string_new(NULL);
        for (uint32_t i = 0; i < rank->num_items; i++) {
            const regrid_item *item = &rank->items[i];
            if (!item->is_recv && sched_regrid_butterfly_stage(b, &g->record, i) == k) {
                way.messages += ranks;
                way.bytes += ranks * (uint64_t)item->bytes;
                sched_regrid_add_name(names, sched_regrid_record_name(&g->record, item->name));
            }
        }
        way.calls = g_strdup(names->str);
        g_array_append_val(g->ways, way);
    }
    g->pattern = g_strdup_printf("butterfly, %u stages, %u times: %s", b->num_stages, b->runs->len,
                                 b->mirror ? "rank xor 2^k" : "rank +- 2^k");
}

void sched_regrid_findings_make(sched_regrid *g)
{
    if (g->butterfly != NULL) {
        list_stages(g);
        return;
    }
    list_rest(g);
    if (g->match != NULL && sched_regrid_match_score(g->match) > 0) {
        list_ways(g);
        name_pattern(g);
    }
}

sched_regrid_findings sched_regrid_find(const sched_regrid *g)
{
    const regrid_match *match = g->match;
    sched_regrid_findings f = {
        .pattern = g->pattern,
        .messages = g->record.messages,
        .bytes = g->record.bytes,
        .runner_up = g->runner_up,
        .refusals = (char *const *)g->refusals->pdata,
        .num_refusals = g->refusals->len,
        .ways = (const sched_regrid_way *)(const void *)g->ways->data,
        .num_ways = g->ways->len,
        .rest = (const sched_regrid_rest *)(const void *)g->rest->data,
        .num_rest = g->rest->len,
        .rest_in_all = g->rest_in_all,
        .collectives = g->record.collectives,
    };
    if (g->butterfly != NULL) {
        f.grid =
            (sched_grid){.num_dims = 1, .extent = {g->record.trace->num_ranks}, .periodic = {true}};
        f.order = g->record.trace->comms[0].name;
        f.explained_messages = f.messages;
        f.explained_bytes = f.bytes;
        f.runner_up = -1;
        f.classes = 1;
    } else if (match != NULL) {
        f.grid = match->layout.grid;
        f.order = g->record.trace->comms[match->layout.order].name;
        f.explained_messages = sched_regrid_match_score(match);
        f.explained_bytes = match->bytes;
        f.classes = g->classes.num_classes;
    }
    return f;
}
