/* schedgen/regrid/regrid_match.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_regrid, test_regrid_refused. */
#include "regrid/regrid_private.h"

/* ---- ways ---------------------------------------------------------------------------------- */

typedef struct finder {
    regrid_match *match;
    GHashTable *numbers; /* of a way by its key, plus 1 */
    GArray *counts;      /* of uint64_t: ranks that go it */
} finder;

static uint32_t number_of(finder *f, const regrid_point *by)
{
    const uint64_t key = sched_regrid_way_key(&f->match->layout.grid, by);
    const uint32_t known = GPOINTER_TO_UINT(g_hash_table_lookup(f->numbers, &key));
    if (known > 0) {
        return known - 1;
    }
    uint64_t *own = g_new(uint64_t, 1);
    const regrid_way way = {.by = *by, .back = REGRID_NONE};
    const uint64_t none = 0;
    *own = key;
    g_array_append_val(f->match->ways, way);
    g_array_append_val(f->counts, none);
    g_hash_table_insert(f->numbers, own, GUINT_TO_POINTER(f->match->ways->len));
    return f->match->ways->len - 1;
}

static uint32_t way_of(finder *f, uint32_t from, uint32_t to)
{
    const regrid_layout *layout = &f->match->layout;
    const regrid_point by =
        sched_regrid_layout_way(&layout->grid, sched_regrid_layout_point(layout, from),
                                sched_regrid_layout_point(layout, to));
    return number_of(f, &by);
}

/* A dimension grows if a rank inside has been recorded, and ways there and back differ. */
static void find_reach(regrid_match *match)
{
    const sched_grid *grid = &match->layout.grid;
    for (uint32_t d = 0; d < grid->num_dims; d++) {
        match->reach[d] = 1;
        for (guint w = 0; w < match->ways->len; w++) {
            const regrid_way *way = regrid_match_way(match, w);
            const uint32_t by = (uint32_t)ABS(way->by.x[d]);
            if (way->explained) {
                match->reach[d] = MAX(match->reach[d], by);
            }
        }
        match->fixed[d] = grid->extent[d] < 2 * match->reach[d] + 1;
    }
}

void sched_regrid_ways_find(regrid_match *match, const regrid_record *record)
{
    const sched_grid *grid = &match->layout.grid;
    finder f = {.match = match};
    f.numbers = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    f.counts = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    for (size_t i = 0; i < record->num_edges; i++) {
        const uint32_t way = way_of(&f, record->edges[i].from, record->edges[i].to);
        g_array_index(f.counts, uint64_t, way)++;
    }
    const guint num_ways = match->ways->len;
    for (guint w = 0; w < num_ways; w++) {
        regrid_way *way = &g_array_index(match->ways, regrid_way, w);
        way->explained =
            sched_regrid_way_is_one(grid, &way->by) &&
            g_array_index(f.counts, uint64_t, w) == sched_regrid_way_ranks(grid, &way->by);
    }
    find_reach(match);
    for (uint32_t r = 0; r < record->trace->num_ranks; r++) {
        const regrid_rank *rank = &record->ranks[r];
        match->item[r] = g_new(uint32_t, (gsize)rank->num_items + 1);
        for (uint32_t i = 0; i < rank->num_items; i++) {
            const regrid_item *item = &rank->items[i];
            const bool known =
                item->peer != SIM_ANY && match->comms[item->comm].family != REGRID_NONE;
            match->item[r][i] = known ? way_of(&f, r, item->peer) : REGRID_NONE;
        }
    }
    for (guint w = 0; w < match->ways->len; w++) { /* receives go back on ways of sends */
        regrid_point back = {{0}};
        for (uint32_t d = 0; d < grid->num_dims; d++) {
            const int32_t by = g_array_index(match->ways, regrid_way, w).by.x[d];
            const bool half = grid->periodic[d] && 2 * by == (int32_t)grid->extent[d];
            back.x[d] = half ? by : -by;
        }
        const uint64_t key = sched_regrid_way_key(grid, &back);
        const uint32_t known = GPOINTER_TO_UINT(g_hash_table_lookup(f.numbers, &key));
        g_array_index(match->ways, regrid_way, w).back = known > 0 ? known - 1 : REGRID_NONE;
    }
    for (guint w = 0; w < num_ways; w++) { /* what is sent there is received from there */
        const regrid_way *way = regrid_match_way(match, w);
        if (way->explained && way->back != REGRID_NONE) {
            g_array_index(match->ways, regrid_way, way->back).explained = true;
        }
    }
    g_hash_table_unref(f.numbers);
    g_array_unref(f.counts);
}

/* ---- the match ----------------------------------------------------------------------------- */

regrid_match *sched_regrid_match_new(const regrid_record *record, const regrid_layout *layout)
{
    regrid_match *match = g_new0(regrid_match, 1);
    match->layout = *layout;
    match->comms = sched_regrid_comms_find(record, layout);
    match->ways = g_array_new(FALSE, FALSE, sizeof(regrid_way));
    match->num_ranks = record->trace->num_ranks;
    match->item = g_new0(uint32_t *, match->num_ranks);
    match->odd = g_new0(bool, match->num_ranks);
    match->unbalanced = REGRID_NONE;
    sched_regrid_ways_find(match, record);
    sched_regrid_master_match(match, record);
    return match;
}

void sched_regrid_match_free(regrid_match *match)
{
    if (match == NULL) {
        return;
    }
    for (uint32_t r = 0; r < match->num_ranks; r++) {
        g_free(match->item[r]);
    }
    g_free(match->item);
    g_free(match->odd);
    g_free(match->comms);
    g_array_unref(match->ways);
    g_free(match);
}

uint64_t sched_regrid_match_score(const regrid_match *match)
{
    return MIN(match->sends, match->recvs);
}
