/* schedgen/regrid/regrid_candidate.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_regrid, test_regrid_refused. */
/*
 * All factorisations of the number of ranks into up to four extents, in row-major order: the
 * column-major ones are among them, with their dimensions in the opposite order. A grid is judged
 * by pairs of ranks at first: of a way that every rank goes from where it stays on the grid, as
 * many messages are explained as the rank with the fewest of them sends.
 */
#include "regrid/regrid_private.h"

#include <string.h>

void sched_regrid_orders_init(regrid_orders *orders, const regrid_record *record)
{
    const sched_trace *trace = record->trace;
    orders->comms = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    orders->places = g_array_new(FALSE, FALSE, sizeof(uint32_t *));
    for (uint32_t c = 0; c < trace->num_comms; c++) {
        const sched_comm *comm = &trace->comms[c];
        if ((c > 0 && !record->used[c]) || comm->size != trace->num_ranks ||
            comm->members == NULL) {
            continue;
        }
        bool known = false;
        for (guint i = 0; i < orders->comms->len && !known; i++) {
            const sched_comm *other = &trace->comms[g_array_index(orders->comms, uint32_t, i)];
            known = memcmp(other->members, comm->members, comm->size * sizeof *comm->members) == 0;
        }
        if (known) {
            continue;
        }
        uint32_t *place = g_new(uint32_t, comm->size);
        for (uint32_t i = 0; i < comm->size; i++) {
            place[comm->members[i]] = i;
        }
        g_array_append_val(orders->comms, c);
        g_array_append_val(orders->places, place);
    }
}

void sched_regrid_orders_clear(regrid_orders *orders)
{
    for (guint i = 0; i < orders->places->len; i++) {
        g_free(g_array_index(orders->places, uint32_t *, i));
    }
    g_array_unref(orders->comms);
    g_array_unref(orders->places);
}

/*
 * Which dimensions are periodic? Steps of one go from n - 1 pairs of neighbouring coordinates, and
 * in a periodic dimension from one more, which looks like a step of n - 1 back.
 */
static void find_periods(regrid_layout *layout, const regrid_record *record)
{
    uint64_t steps[SCHED_REGRID_DIMS] = {0};
    uint64_t wraps[SCHED_REGRID_DIMS] = {0};
    for (size_t i = 0; i < record->num_edges; i++) {
        const regrid_point from = sched_regrid_layout_point(layout, record->edges[i].from);
        const regrid_point to = sched_regrid_layout_point(layout, record->edges[i].to);
        for (uint32_t d = 0; d < layout->grid.num_dims; d++) {
            const int32_t by = ABS(to.x[d] - from.x[d]);
            steps[d] += by == 1;
            wraps[d] += by == (int32_t)layout->grid.extent[d] - 1;
        }
    }
    for (uint32_t d = 0; d < layout->grid.num_dims; d++) {
        const uint32_t n = layout->grid.extent[d];
        layout->grid.periodic[d] = n >= 3 && wraps[d] > 0 && 2 * wraps[d] * (n - 1) > steps[d];
    }
}

typedef struct tally {
    uint64_t key;
    uint64_t ranks;
    uint64_t eligible;
    uint64_t least; /* messages of a rank */
} tally;

static void judge(regrid_candidate *candidate, const regrid_record *record)
{
    const sched_grid *grid = &candidate->layout.grid;
    g_autoptr(GHashTable) tallies =
        g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
    for (size_t i = 0; i < record->num_edges; i++) {
        const regrid_edge *edge = &record->edges[i];
        const regrid_point way =
            sched_regrid_layout_way(grid, sched_regrid_layout_point(&candidate->layout, edge->from),
                                    sched_regrid_layout_point(&candidate->layout, edge->to));
        const uint64_t key = sched_regrid_way_key(grid, &way);
        tally *t = g_hash_table_lookup(tallies, &key);
        if (t == NULL) {
            t = g_new0(tally, 1);
            *t = (tally){.key = key,
                         .eligible = sched_regrid_way_is_one(grid, &way)
                                         ? sched_regrid_way_ranks(grid, &way)
                                         : UINT64_MAX,
                         .least = UINT64_MAX};
            g_hash_table_insert(tallies, &t->key, t);
        }
        t->ranks++; /* an edge is one for each rank and way */
        t->least = MIN(t->least, edge->messages);
    }
    GHashTableIter iter;
    void *value;
    g_hash_table_iter_init(&iter, tallies);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const tally *t = value;
        if (t->ranks == t->eligible) {
            candidate->messages += t->least * t->eligible;
            candidate->num_ways++;
        }
    }
}

typedef struct search {
    const regrid_record *record;
    const regrid_orders *orders;
    GArray *found;
    guint order;
    sched_grid grid;
} search;

static void add_candidate(search *s, const sched_grid *grid, bool periods_known)
{
    regrid_candidate candidate = {
        .layout = {.grid = *grid,
                   .order = g_array_index(s->orders->comms, uint32_t, s->order),
                   .place = g_array_index(s->orders->places, uint32_t *, s->order)}};
    if (!periods_known) {
        find_periods(&candidate.layout, s->record);
    }
    judge(&candidate, s->record);
    g_array_append_val(s->found, candidate);
}

static void divide(search *s, uint32_t rest)
{
    if (rest == 1) {
        add_candidate(s, &s->grid, false);
        return;
    }
    if (s->grid.num_dims == SCHED_REGRID_DIMS) {
        return;
    }
    const uint32_t d = s->grid.num_dims++;
    for (uint32_t extent = 2; extent <= rest; extent++) {
        if (rest % extent == 0) {
            s->grid.extent[d] = extent;
            divide(s, rest / extent);
        }
    }
    s->grid.num_dims--;
}

static int compare(const void *a, const void *b)
{
    const regrid_candidate *x = a;
    const regrid_candidate *y = b;
    if (x->messages != y->messages) {
        return x->messages > y->messages ? -1 : 1;
    }
    if (x->num_ways != y->num_ways) {
        return x->num_ways < y->num_ways ? -1 : 1;
    }
    return 0;
}

GArray *sched_regrid_candidates_find(const regrid_record *record, const regrid_orders *orders,
                                     const sched_regrid_options *options)
{
    search s = {.record = record, .orders = orders};
    s.found = g_array_new(FALSE, FALSE, sizeof(regrid_candidate));
    for (s.order = 0; s.order < orders->comms->len; s.order++) {
        if (options->grid.num_dims > 0) {
            add_candidate(&s, &options->grid, options->periodic_given);
        } else {
            s.grid = (sched_grid){0};
            divide(&s, record->trace->num_ranks);
        }
    }
    g_array_sort(s.found, compare);
    return s.found;
}
