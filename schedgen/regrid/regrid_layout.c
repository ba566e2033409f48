/* schedgen/regrid/regrid_layout.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_regrid. */
#include "regrid/regrid_private.h"

uint32_t sched_regrid_grid_size(const sched_grid *grid)
{
    uint32_t n = 1;
    for (uint32_t d = 0; d < grid->num_dims; d++) {
        n *= grid->extent[d];
    }
    return n;
}

regrid_point sched_regrid_grid_point(const sched_grid *grid, uint32_t index)
{
    regrid_point point = {{0}};
    for (uint32_t d = grid->num_dims; d > 0; d--) {
        point.x[d - 1] = (int32_t)(index % grid->extent[d - 1]);
        index /= grid->extent[d - 1];
    }
    return point;
}

uint32_t sched_regrid_grid_index(const sched_grid *grid, const regrid_point *point)
{
    uint32_t index = 0;
    for (uint32_t d = 0; d < grid->num_dims; d++) {
        index = index * grid->extent[d] + (uint32_t)point->x[d];
    }
    return index;
}

regrid_point sched_regrid_layout_point(const regrid_layout *layout, uint32_t rank)
{
    return sched_regrid_grid_point(&layout->grid,
                                   layout->place != NULL ? layout->place[rank] : rank);
}

regrid_point sched_regrid_layout_way(const sched_grid *grid, regrid_point from, regrid_point to)
{
    regrid_point way = {{0}};
    for (uint32_t d = 0; d < grid->num_dims; d++) {
        const int32_t n = (int32_t)grid->extent[d];
        int32_t by = to.x[d] - from.x[d];
        if (grid->periodic[d]) {
            by += 2 * by > n ? -n : 2 * by <= -n ? n : 0;
        }
        way.x[d] = by;
    }
    return way;
}

uint64_t sched_regrid_way_key(const sched_grid *grid, const regrid_point *way)
{
    uint64_t key = 0;
    for (uint32_t d = 0; d < grid->num_dims; d++) {
        const int64_t n = grid->extent[d];
        key = key * (uint64_t)(2 * n + 1) + (uint64_t)(way->x[d] + n);
    }
    return key;
}

bool sched_regrid_way_stays(const sched_grid *grid, const regrid_point *way, regrid_point from)
{
    for (uint32_t d = 0; d < grid->num_dims; d++) {
        const int32_t to = from.x[d] + way->x[d];
        if (!grid->periodic[d] && (to < 0 || to >= (int32_t)grid->extent[d])) {
            return false;
        }
    }
    return true;
}

bool sched_regrid_way_is_one(const sched_grid *grid, const regrid_point *way)
{
    for (uint32_t d = 0; d < grid->num_dims; d++) {
        const uint32_t by = (uint32_t)ABS(way->x[d]);
        if (by > 1 && 2 * by >= grid->extent[d]) {
            return false;
        }
    }
    return REGRID_FEW * sched_regrid_way_ranks(grid, way) >= sched_regrid_grid_size(grid);
}

uint64_t sched_regrid_way_ranks(const sched_grid *grid, const regrid_point *way)
{
    uint64_t ranks = 1;
    for (uint32_t d = 0; d < grid->num_dims; d++) {
        ranks *= grid->periodic[d] ? grid->extent[d] : grid->extent[d] - (uint32_t)ABS(way->x[d]);
    }
    return ranks;
}

char *sched_grid_format(const sched_grid *grid)
{
    GString *text = g_string_new(NULL);
    uint32_t periodic = 0;
    for (uint32_t d = 0; d < grid->num_dims; d++) {
        g_string_append_printf(text, "%s%u", d > 0 ? " x " : "", grid->extent[d]);
        periodic += grid->periodic[d];
    }
    if (periodic == grid->num_dims) {
        g_string_append(text, ", periodic");
    } else if (periodic == 0) {
        g_string_append(text, ", open");
    } else {
        g_string_append(text, ", periodic=");
        for (uint32_t d = 0; d < grid->num_dims; d++) {
            g_string_append_c(text, grid->periodic[d] ? 'y' : 'n');
        }
    }
    return g_string_free(text, FALSE);
}
