/* schedgen/regrid/regrid_comm.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_regrid, test_regrid_refused. */
#include "regrid/regrid_private.h"

/* Which dimensions do its members differ in? They must be all ranks that share the others. */
static regrid_comm look_at(const sched_comm *comm, const regrid_layout *layout)
{
    regrid_comm out = {.family = REGRID_NONE, .in_order = true};
    const sched_grid *grid = &layout->grid;
    const regrid_point first = sched_regrid_layout_point(layout, comm->members[0]);
    for (uint32_t i = 1; i < comm->size; i++) {
        const regrid_point point = sched_regrid_layout_point(layout, comm->members[i]);
        for (uint32_t d = 0; d < grid->num_dims; d++) {
            out.span |= (uint32_t)(point.x[d] != first.x[d]) << d;
        }
    }
    sched_grid part = {.num_dims = grid->num_dims};
    for (uint32_t d = 0; d < grid->num_dims; d++) {
        part.extent[d] = (out.span >> d & 1U) != 0 ? grid->extent[d] : 1;
    }
    for (uint32_t i = 0; i < comm->size; i++) {
        regrid_point point = sched_regrid_layout_point(layout, comm->members[i]);
        for (uint32_t d = 0; d < grid->num_dims; d++) {
            point.x[d] = part.extent[d] > 1 ? point.x[d] : 0;
        }
        out.in_order = out.in_order && sched_regrid_grid_index(&part, &point) == i;
    }
    if (sched_regrid_grid_size(&part) == comm->size) {
        out.family = 0; /* which one is found below */
    }
    return out;
}

static bool is_world_order(const sched_comm *comm)
{
    for (uint32_t i = 0; i < comm->size; i++) {
        if (comm->members[i] != i) {
            return false;
        }
    }
    return true;
}

/*
 * The n-th communicator with some span of every rank is one family: its members on the larger grid
 * differ from those of its other parts, so that one number will do for all.
 */
regrid_comm *sched_regrid_comms_find(const regrid_record *record, const regrid_layout *layout)
{
    const sched_trace *trace = record->trace;
    const uint32_t spans = 1U << SCHED_REGRID_DIMS;
    regrid_comm *comms = g_new0(regrid_comm, trace->num_comms);
    g_autofree uint32_t *seen = g_new0(uint32_t, (gsize)trace->num_ranks * spans);
    g_autoptr(GHashTable) families = g_hash_table_new(NULL, NULL);
    for (uint32_t c = 0; c < trace->num_comms; c++) {
        const sched_comm *comm = &trace->comms[c];
        comms[c].family = REGRID_NONE;
        if (!record->used[c] || comm->members == NULL || comm->size == 0) {
            continue;
        }
        comms[c] = look_at(comm, layout);
        if (comms[c].family == REGRID_NONE) {
            continue;
        }
        if (comm->size == trace->num_ranks && layout->place != NULL && is_world_order(comm)) {
            comms[c].in_order = true; /* on the larger grid both orders are one */
        }
        const uint32_t span = comms[c].span;
        const uint32_t nth = seen[comm->members[0] * spans + span];
        bool together = true;
        for (uint32_t i = 0; i < comm->size; i++) {
            together = together && seen[comm->members[i] * spans + span]++ == nth;
        }
        void *key = GUINT_TO_POINTER(nth * spans + span + 1);
        const uint32_t first = GPOINTER_TO_UINT(g_hash_table_lookup(families, key));
        if (first == 0) {
            g_hash_table_insert(families, key, GUINT_TO_POINTER(c + 1));
        }
        comms[c].family = !together ? REGRID_NONE : first == 0 ? c : first - 1;
    }
    return comms;
}
