/* schedgen/regrid/regrid_extents.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_regrid, test_regrid_counts. */
/*
 * Which grid so many ranks are: the extents that it grows to.
 */
#include "regrid/regrid_private.h"

#include <math.h>

typedef struct fitter {
    const regrid_match *match;
    sched_grid best;
    sched_grid now;
    double spread; /* of the best: the largest growth of a dimension by the smallest */
    bool found;
} fitter;

static void keep_best(fitter *f)
{
    const sched_grid *small = &f->match->layout.grid;
    double most = 0;
    double least = INFINITY;
    for (uint32_t d = 0; d < small->num_dims; d++) {
        const double by = (double)f->now.extent[d] / small->extent[d];
        if (!f->match->fixed[d]) {
            most = MAX(most, by);
            least = MIN(least, by);
        }
    }
    const double spread = most > 0 ? most / least : 1;
    if (!f->found || spread < f->spread) {
        f->found = true;
        f->spread = spread;
        f->best = f->now;
    }
}

static void fit(fitter *f, uint32_t d, uint32_t rest)
{
    const sched_grid *small = &f->match->layout.grid;
    if (d >=
        MIN(small->num_dims, SCHED_REGRID_DIMS)) { /* the compiler cannot see that it is less */
        if (rest == 1) {
            keep_best(f);
        }
        return;
    }
    const bool last = d + 1 == small->num_dims;
    const uint32_t most = f->match->fixed[d] ? small->extent[d] : rest;
    const uint32_t least = last ? MAX(rest, small->extent[d]) : small->extent[d];
    for (uint32_t extent = least; extent <= most; extent++) {
        if (rest % extent == 0) {
            f->now.extent[d] = extent;
            fit(f, d + 1, rest / extent);
        }
    }
}

static bool check_given(const regrid_match *match, const sched_grid *given, uint32_t ranks,
                        GError **error)
{
    const sched_grid *small = &match->layout.grid;
    g_autofree char *text = sched_grid_format(given);
    if (given->num_dims != small->num_dims || sched_regrid_grid_size(given) != ranks) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_UNSUPPORTED,
                    "'%s' is not a grid of %u dimensions and %u ranks", text, small->num_dims,
                    ranks);
        return false;
    }
    for (uint32_t d = 0; d < small->num_dims; d++) {
        const bool same = given->extent[d] == small->extent[d];
        if (given->extent[d] < small->extent[d] || (match->fixed[d] && !same)) {
            g_set_error(error, SCHED_ERROR, SCHED_ERROR_UNSUPPORTED,
                        "'%s': dimension %u cannot become %u: %s", text, d + 1, given->extent[d],
                        match->fixed[d] ? "no rank was recorded that is inside of it, on no border"
                                        : "more was recorded");
            return false;
        }
    }
    return true;
}

bool sched_regrid_fit(const sched_regrid *g, const sched_regrid_target *target, sched_grid *grid,
                      GError **error)
{
    if (g->refusals->len > 0) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_UNSUPPORTED, "%s: not regridded: %s",
                    g->record.trace->path, (const char *)g_ptr_array_index(g->refusals, 0));
        return false;
    }
    if (g->butterfly != NULL) {
        return sched_regrid_butterfly_fit(g, target, grid, error);
    }
    const sched_grid *small = &g->match->layout.grid;
    fitter f = {.match = g->match, .now = *small};
    if (target->grid.num_dims > 0) {
        if (!check_given(g->match, &target->grid, target->ranks, error)) {
            return false;
        }
        f.best = *small;
        for (uint32_t d = 0; d < small->num_dims; d++) {
            f.best.extent[d] = target->grid.extent[d];
        }
        *grid = f.best;
        return true;
    }
    fit(&f, 0, target->ranks);
    if (!f.found) {
        g_autofree char *text = sched_grid_format(small);
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_UNSUPPORTED,
                    "'%u' ranks are no grid that %s can grow to", target->ranks, text);
        return false;
    }
    *grid = f.best;
    return true;
}

static uint32_t near_power(uint32_t own, uint32_t ranks)
{
    uint64_t size = own;
    while (2 * size <= ranks) {
        size *= 2;
    }
    return (uint32_t)size;
}

uint32_t sched_regrid_near(const sched_regrid *g, uint32_t ranks)
{
    const uint32_t own = g->record.trace->num_ranks;
    if (g->refusals->len > 0 || ranks <= own) {
        return own;
    }
    if (g->butterfly != NULL) {
        return near_power(own, ranks);
    }
    const double rounding = 1e-9; /* a cube's root is a little less than it is */
    const sched_grid *small = &g->match->layout.grid;
    uint32_t growing = 0;
    for (uint32_t d = 0; d < small->num_dims; d++) {
        growing += !g->match->fixed[d];
    }
    const double by = pow((double)ranks / own, 1.0 / MAX(growing, 1));
    uint32_t size = 1;
    for (uint32_t d = 0; d < small->num_dims; d++) {
        const double extent = small->extent[d] * by * (1 + rounding);
        size *= g->match->fixed[d] ? small->extent[d] : (uint32_t)extent;
    }
    return size;
}

sched_regrid_part sched_regrid_part_of(const sched_grid *small, const sched_grid *large)
{
    sched_regrid_part part = {.volume = 1, .surface = 0};
    uint32_t across = 0; /* dimensions with a face between two ranks */
    for (uint32_t d = 0; d < small->num_dims; d++) {
        part.volume *= (double)small->extent[d] / large->extent[d];
    }
    for (uint32_t d = 0; d < small->num_dims; d++) {
        if (small->extent[d] > 1) {
            part.surface += part.volume * large->extent[d] / small->extent[d];
            across++;
        }
    }
    part.surface = across > 0 ? part.surface / across : part.volume;
    return part;
}
