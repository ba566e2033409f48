/* schedgen/regrid/regrid_expected.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_regrid_exchanges. */
#include "regrid/regrid_private.h"

static bool same_way(const sched_regrid *g, const regrid_point *a, const regrid_point *b)
{
    const sched_grid *grid = &g->match->layout.grid;
    return sched_regrid_way_key(grid, a) == sched_regrid_way_key(grid, b);
}

/* "to 1, 4 or 6": where the grid's ways lead from there. */
static char *partners(const regrid_kinds *kinds, const sched_regrid *g, uint32_t rank, bool is_recv)
{
    const regrid_layout *layout = &g->match->layout;
    const regrid_point from = sched_regrid_layout_point(layout, rank);
    GString *text = g_string_new(NULL);
    for (uint32_t to = 0; to < g->match->num_ranks; to++) {
        const regrid_point by =
            sched_regrid_layout_way(&layout->grid, from, sched_regrid_layout_point(layout, to));
        if (sched_regrid_way_known(kinds, g, &by)) {
            g_string_append_printf(text, "%s%u",
                                   text->len > 0 ? ", "
                                   : is_recv     ? "from "
                                                 : "to ",
                                   to);
        }
    }
    if (text->len == 0) {
        g_string_assign(text, is_recv ? "from nobody" : "to nobody");
    }
    return g_string_free(text, FALSE);
}

/* What the others have that go the same way in that exchange, or else in those of its kind. */
typedef struct others {
    uint64_t with_tag; /* of the same call direction and tag */
    uint32_t tag;      /* of the first that is explained */
    bool has_tag;
    int64_t least;
    int64_t most;
} others;

static void look_at(others *o, const sched_regrid *g, const regrid_place *place,
                    const regrid_item *odd)
{
    const regrid_item *item = &g->record.ranks[place->rank].items[place->item];
    if (!o->has_tag && sched_regrid_explains(g, place->rank, place->item)) {
        o->tag = item->tag;
        o->has_tag = true;
    }
    if (item->tag == odd->tag) {
        o->with_tag++;
        o->least = MIN(o->least, item->bytes);
        o->most = MAX(o->most, item->bytes);
    }
}

/* @p part: in that exchange alone; NONE: in all of the kind */
static others look_at_others(const regrid_kinds *kinds, uint32_t kind, uint32_t part,
                             const sched_regrid *g, const regrid_item *odd, const regrid_point *by)
{
    others o = {.least = INT64_MAX};
    for (uint64_t m = kinds->first[kind]; m < kinds->first[kind + 1]; m++) {
        const regrid_place *place = &kinds->members[m];
        const regrid_item *item = &g->record.ranks[place->rank].items[place->item];
        const bool meant = part == REGRID_NONE || kinds->parts.of[place->rank][place->item] == part;
        if (meant && item != odd && item->is_recv == odd->is_recv && item->peer != SIM_ANY) {
            const regrid_point own = sched_regrid_way_by(g, place->rank, item);
            if (same_way(g, &own, by)) {
                look_at(&o, g, place, odd);
            }
        }
    }
    return o;
}

/* It goes a way of the program's, but is not what all ranks do. */
static char *compare_with(const others *o, const sched_regrid *g, uint32_t rank,
                          const regrid_item *odd)
{
    if (o->with_tag == 0 && o->has_tag) {
        return g_strdup_printf("tag %u", o->tag);
    }
    if (o->with_tag == 0) {
        return g_strdup("none: no other rank has one that way");
    }
    if (!odd->is_recv && o->least == o->most && o->least != odd->bytes) {
        return g_strdup_printf("%" G_GINT64_FORMAT " B", o->least);
    }
    if (!odd->is_recv && o->least != o->most) {
        return g_strdup_printf("as many bytes as all that way, which have %" G_GINT64_FORMAT
                               " to %" G_GINT64_FORMAT,
                               MIN(o->least, odd->bytes), MAX(o->most, odd->bytes));
    }
    if (g->match->odd[rank]) {
        return g_strdup_printf("the order of the other ranks, which rank %u does not keep", rank);
    }
    return g_strdup("none: not every rank has as many that way");
}

char *sched_regrid_kinds_expected(const regrid_kinds *kinds, uint32_t number, const sched_regrid *g)
{
    const regrid_kind *kind = &g_array_index(kinds->kinds, regrid_kind, number);
    const regrid_item *odd = &g->record.ranks[kind->odd_rank].items[kind->odd_item];
    if (odd->peer == SIM_ANY) {
        return g_strdup("a rank that it names");
    }
    if (g->match == NULL || sched_regrid_match_score(g->match) == 0) {
        return g_strdup("ways that every rank goes, of which there are none");
    }
    if (g->match->comms[odd->comm].family == REGRID_NONE) {
        return g_strdup("a communicator that is a line or plane of the grid");
    }
    const regrid_point by = sched_regrid_way_by(g, kind->odd_rank, odd);
    if (!sched_regrid_way_known(kinds, g, &by)) {
        return partners(kinds, g, kind->odd_rank, odd->is_recv);
    }
    const uint32_t part = kinds->parts.of[kind->odd_rank][kind->odd_item];
    others o = look_at_others(kinds, number, part, g, odd, &by);
    if (o.with_tag == 0 && !o.has_tag) {
        o = look_at_others(kinds, number, REGRID_NONE, g, odd, &by);
    }
    return compare_with(&o, g, kind->odd_rank, odd);
}
