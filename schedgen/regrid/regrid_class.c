/* schedgen/regrid/regrid_class.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_regrid, test_regrid_refused. */
#include "regrid/regrid_private.h"

/* How many classes a dimension has. */
static uint32_t num_of(const regrid_classes *classes, const sched_grid *grid, uint32_t d)
{
    return classes->exact[d] ? grid->extent[d] : 2 * classes->reach[d] + 1;
}

uint32_t sched_regrid_class_of(const regrid_classes *classes, const sched_grid *grid,
                               regrid_point point)
{
    uint32_t number = 0;
    for (uint32_t d = 0; d < grid->num_dims; d++) {
        const uint32_t x = (uint32_t)point.x[d];
        const uint32_t reach = classes->reach[d];
        const uint32_t from_end = grid->extent[d] - 1 - x;
        const uint32_t own = classes->exact[d]  ? x
                             : x < reach        ? x
                             : from_end < reach ? 2 * reach - from_end
                                                : reach;
        number = number * num_of(classes, grid, d) + own;
    }
    return number;
}

void sched_regrid_classes_init(regrid_classes *classes, const regrid_record *record,
                               const regrid_match *match)
{
    const sched_grid *grid = &match->layout.grid;
    const uint32_t n = record->trace->num_ranks;
    *classes = (regrid_classes){.num_classes = 1};
    for (uint32_t d = 0; d < grid->num_dims; d++) {
        classes->exact[d] = match->fixed[d] && !grid->periodic[d];
        classes->reach[d] = grid->periodic[d] ? 0 : match->reach[d];
        classes->num_classes *= num_of(classes, grid, d);
    }
    g_autofree uint32_t *own = g_new(uint32_t, n);
    classes->first = g_new0(uint32_t, (gsize)classes->num_classes + 2);
    classes->ranks = g_new(uint32_t, n);
    for (uint32_t r = 0; r < n; r++) {
        own[r] = sched_regrid_class_of(classes, grid, sched_regrid_layout_point(&match->layout, r));
        classes->first[own[r] + 2] += !match->odd[r];
    }
    for (uint32_t c = 0; c < classes->num_classes; c++) {
        classes->first[c + 2] += classes->first[c + 1];
    }
    for (uint32_t r = 0; r < n; r++) {
        if (!match->odd[r]) {
            classes->ranks[classes->first[own[r] + 1]++] = r;
        }
    }
}

void sched_regrid_classes_clear(regrid_classes *classes)
{
    g_free(classes->first);
    g_free(classes->ranks);
}
