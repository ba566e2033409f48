/* schedgen/regrid/regrid_exchange.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_regrid_exchanges, cli_regrid_exchanges. */
/*
 * What is found of each kind of exchange. The pattern is that of the messages which the grid of
 * the whole record explains, since that grid is the one that is enlarged. Where it does not
 * explain all, the kind is looked at by itself, as if it were a whole record.
 */
#include "regrid/regrid_private.h"

/* A record of these messages alone, on which nothing has been found yet. */
static sched_regrid *part_of(const sched_regrid *g, const regrid_kinds *kinds, uint32_t kind,
                             bool explained)
{
    sched_regrid *part = sched_regrid_new();
    regrid_record *record = &part->record;
    const regrid_place *member = &kinds->members[kinds->first[kind]];
    const regrid_place *end = &kinds->members[kinds->first[kind + 1]];
    record->trace = g->record.trace;
    record->ranks = g_new0(regrid_rank, record->trace->num_ranks);
    record->used = g_new0(bool, record->trace->num_comms);
    for (uint32_t r = 0; r < record->trace->num_ranks; r++) {
        GArray *items = g_array_new(FALSE, FALSE, sizeof(regrid_item));
        for (; member < end && member->rank == r; member++) {
            const regrid_item *item = &g->record.ranks[r].items[member->item];
            if (!explained || sched_regrid_explains(g, r, member->item)) {
                g_array_append_vals(items, item, 1);
                record->used[item->comm] = true;
                record->messages += !item->is_recv;
                record->bytes += (uint64_t)item->bytes;
            }
        }
        record->ranks[r].num_items = items->len;
        record->ranks[r].items = (regrid_item *)(void *)g_array_free(items, FALSE);
    }
    sched_regrid_record_connect(record);
    return part;
}

/* "(0,1)" */
static void append_way(GString *text, const sched_regrid_way *way, uint32_t num_dims)
{
    for (uint32_t d = 0; d < num_dims; d++) {
        g_string_append_printf(text, "%s%d", d > 0 ? "," : "(", way->by[d]);
    }
    g_string_append_c(text, ')');
}

/* Is there, of two ways, one there and one back? */
static bool there_and_back(const sched_regrid_way *ways, uint32_t num_dims)
{
    bool opposite = true;
    for (uint32_t d = 0; d < num_dims; d++) {
        opposite = opposite && ways[0].by[d] == -ways[1].by[d];
    }
    return opposite;
}

/* One or two ways are told: that is more than how many there are. */
static char *name_ways(const sched_regrid *part)
{
    enum { TOLD = 2 };
    const uint32_t num_dims = part->match->layout.grid.num_dims;
    const sched_regrid_way *ways = (const sched_regrid_way *)(const void *)part->ways->data;
    const guint n = part->ways->len;
    if (n > TOLD || n == 0 || n == 2 * num_dims) { /* the last one is a stencil */
        return g_strdup(part->pattern);
    }
    const bool back = n == TOLD && there_and_back(ways, num_dims);
    GString *text = g_string_new(part->match->sweeps && !back ? "wavefront by "
                                 : back                       ? "there and back by "
                                                              : "shift by ");
    for (guint w = 0; w < (back ? 1 : n); w++) {
        g_string_append(text, w > 0 ? " and " : "");
        append_way(text, &ways[w], num_dims);
    }
    return g_string_free(text, FALSE);
}

/* What the explained messages are on the grid of the whole record. */
static char *name_pattern(const sched_regrid *g, const regrid_kinds *kinds, uint32_t kind)
{
    if (g->butterfly != NULL) {
        return g_strdup(g->pattern);
    }
    g_autoptr(sched_regrid) part = part_of(g, kinds, kind, true);
    part->match = sched_regrid_match_new(&part->record, &g->match->layout);
    sched_regrid_findings_make(part);
    return part->pattern != NULL ? name_ways(part) : g_strdup("some of the grid's ways");
}

/* Would it be more by itself? */
static void look_alone(const sched_regrid *g, const regrid_kinds *kinds, uint32_t kind,
                       sched_regrid_exchange *out)
{
    const sched_regrid_options any = {.explain = 1};
    g_autoptr(sched_regrid) part = part_of(g, kinds, kind, false);
    sched_regrid_orders_init(&part->orders, &part->record);
    sched_regrid_choose(part, &any);
    uint64_t score = part->match != NULL ? sched_regrid_match_score(part->match) : 0;
    if (score < part->record.messages) {
        part->butterfly = sched_regrid_butterfly_find(&part->record);
        score = part->butterfly != NULL ? part->record.messages : score;
    }
    if (score <= out->explained_messages || (part->butterfly == NULL && part->ambiguous)) {
        return;
    }
    sched_regrid_findings_make(part);
    out->alone_messages = score;
    if (part->butterfly != NULL) {
        out->alone = g_strdup(part->pattern);
    } else {
        g_autofree char *grid = sched_grid_format(&part->match->layout.grid);
        g_autofree char *ways = name_ways(part);
        out->alone = g_strdup_printf("%s on %s", ways, grid);
    }
}

static char *format_calls(const regrid_kind *kind)
{
    if (kind->sends->len == 0) {
        return g_strdup(kind->recvs->str);
    }
    if (kind->recvs->len == 0 || g_str_equal(kind->sends->str, kind->recvs->str)) {
        return g_strdup(kind->sends->str);
    }
    return g_strdup_printf("%s to %s", kind->sends->str, kind->recvs->str);
}

static char *format_tags(const regrid_kind *kind)
{
    return kind->least_tag > kind->most_tag ? g_strdup("any tag")
           : kind->least_tag == kind->most_tag
               ? g_strdup_printf("tag %u", kind->least_tag)
               : g_strdup_printf("tags %u..%u", kind->least_tag, kind->most_tag);
}

static void describe(const sched_regrid *g, const regrid_kinds *kinds, uint32_t number,
                     sched_regrid_exchange *out)
{
    const regrid_kind *kind = &g_array_index(kinds->kinds, regrid_kind, number);
    const regrid_item *first = &g->record.ranks[kind->first_rank].items[kind->first_item];
    *out = (sched_regrid_exchange){
        .calls = format_calls(kind),
        .tags = format_tags(kind),
        .first_rank = kind->first_rank,
        .first_call = (uint64_t)first->call + 1,
        .messages = kind->messages,
        .receives = kind->receives,
        .bytes = kind->bytes,
        .least_bytes = kind->messages > 0 ? kind->least_bytes : 0,
        .most_bytes = kind->most_bytes,
        .ranks = kind->ranks,
        .explained_messages = MIN(kind->explained_sends, kind->explained_recvs),
    };
    if (out->explained_messages > 0) {
        out->pattern = name_pattern(g, kinds, number);
    }
    if (kind->odd_rank != REGRID_NONE) {
        const regrid_item *odd = &g->record.ranks[kind->odd_rank].items[kind->odd_item];
        out->rank = kind->odd_rank;
        out->peer = odd->peer;
        out->call = (uint64_t)odd->call + 1;
        out->tag = odd->tag;
        out->bytes_there = odd->bytes;
        out->is_recv = odd->is_recv;
        out->expected = sched_regrid_kinds_expected(kinds, number, g);
        look_alone(g, kinds, number, out);
    }
}

static int compare(const void *a, const void *b)
{
    const sched_regrid_exchange *x = a;
    const sched_regrid_exchange *y = b;
    if (x->messages != y->messages) {
        return x->messages > y->messages ? -1 : 1;
    }
    if (x->first_call != y->first_call) {
        return x->first_call < y->first_call ? -1 : 1;
    }
    return x->first_rank < y->first_rank ? -1 : x->first_rank > y->first_rank;
}

sched_regrid_exchanges *sched_regrid_exchanges_new(const sched_regrid *g)
{
    sched_regrid_exchanges *e = g_new0(sched_regrid_exchanges, 1);
    regrid_kinds kinds;
    sched_regrid_kinds_find(&kinds, g);
    e->n = kinds.kinds->len;
    e->list = g_new0(sched_regrid_exchange, e->n + 1);
    for (size_t k = 0; k < e->n; k++) {
        describe(g, &kinds, (uint32_t)k, &e->list[k]);
    }
    qsort(e->list, e->n, sizeof *e->list, compare);
    sched_regrid_kinds_clear(&kinds);
    return e;
}

void sched_regrid_exchanges_free(sched_regrid_exchanges *e)
{
    if (e == NULL) {
        return;
    }
    for (size_t i = 0; i < e->n; i++) {
        g_free(e->list[i].calls);
        g_free(e->list[i].tags);
        g_free(e->list[i].pattern);
        g_free(e->list[i].alone);
        g_free(e->list[i].expected);
    }
    g_free(e->list);
    g_free(e);
}
