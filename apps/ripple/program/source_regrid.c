/* apps/ripple/program/source_regrid.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_regrid, test_option_effects. */
#include "output/error.h"
#include "program/source_private.h"
#include "sched/growth.h"

const sched_regrid *app_source_recognise(app_source *s, GError **error)
{
    if (s->trace == NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                    "%s: only of a recorded trace can a grid be found", s->description);
        return NULL;
    }
    if (s->regrid == NULL) {
        sched_trace_unpack(s->trace);
        s->regrid =
            sched_regrid_recognise(s->trace, &s->convert, &s->extrapolation.recognise, error);
    }
    return s->regrid;
}

bool app_source_is_regridded(const app_source *s)
{
    return s->kind == APP_SOURCE_TRACE && s->extrapolation.regrid;
}

static sched_regrid_target target_at(const app_source *s, uint32_t ranks)
{
    sched_regrid_target target = s->extrapolation.target;
    target.ranks = ranks;
    target.scaling = s->scaling;
    return target;
}

bool app_source_check_grid(const app_source *s, uint32_t ranks, GError **error)
{
    const sched_regrid_target target = target_at(s, ranks);
    sched_grid grid;
    if (!sched_regrid_fit(s->regrid, &target, &grid, error)) {
        if (sched_regrid_find(s->regrid).num_refusals == 0) { /* else it is the record's fault */
            app_error_blame_option(error, target.grid.num_dims > 0 ? "--grid" : "--ranks");
        }
        return false;
    }
    return true;
}

const sched_growth *app_source_growth(const app_source *s, uint32_t ranks)
{
    if (!app_source_is_regridded(s) || s->regrid == NULL || ranks == s->own_ranks) {
        return NULL;
    }
    for (guint i = 0; i < s->growths->len; i++) {
        const app_source_grown *grown = &g_array_index(s->growths, app_source_grown, i);
        if (grown->ranks == ranks) {
            return grown->growth;
        }
    }
    const sched_regrid_target target = target_at(s, ranks);
    const app_source_grown grown = {ranks, sched_regrid_grow(s->regrid, &target, NULL)};
    g_assert(grown.growth != NULL); /* app_source_check_size() */
    g_array_append_val(s->growths, grown);
    return grown.growth;
}

uint32_t app_source_followed(const app_source *s, uint32_t ranks, uint32_t rank)
{
    const sched_growth *growth = app_source_growth(s, ranks);
    return growth != NULL ? growth->methods->record(growth, rank) : rank % s->own_ranks;
}

/* "4x4" */
static void append_extents(GString *text, const sched_grid *grid)
{
    for (uint32_t d = 0; d < grid->num_dims; d++) {
        g_string_append_printf(text, "%s%u", d > 0 ? "x" : "", grid->extent[d]);
    }
}

/* "yn" */
static void append_periods(GString *text, const sched_grid *grid)
{
    for (uint32_t d = 0; d < grid->num_dims; d++) {
        g_string_append_c(text, grid->periodic[d] ? 'y' : 'n');
    }
}

/* At a size that has been checked. */
static sched_grid grid_at(const app_source *s, uint32_t ranks)
{
    const sched_regrid_target target = target_at(s, ranks);
    sched_grid grid = sched_regrid_find(s->regrid).grid;
    (void)sched_regrid_fit(s->regrid, &target, &grid, NULL);
    return grid;
}

void app_source_note_unexplained(app_source *s)
{
    if (!app_source_is_regridded(s) || s->convert.no_p2p) { /* then all are left out */
        return;
    }
    const sched_regrid_findings f = sched_regrid_find(s->regrid);
    if (f.num_refusals == 0 && f.rest_in_all > 0) {
        g_autofree char *what =
            g_strdup_printf("sends and receives that the grid does not explain, %.3g %% of all "
                            "messages: left out on more ranks",
                            100 * (1 - (double)f.explained_messages / (double)f.messages));
        sched_notices_add(s->notices, f.rest_in_all, what);
    }
}

void app_source_note_grids(const app_source *s, const uint32_t *sizes, size_t n,
                           app_manifest *manifest)
{
    const sched_regrid_findings f = sched_regrid_find(s->regrid);
    g_autoptr(GString) text = g_string_new(NULL);
    append_extents(text, &f.grid);
    app_manifest_add(manifest, "grid", "%s", text->str);
    g_string_assign(text, "");
    append_periods(text, &f.grid);
    app_manifest_add(manifest, "periodic", "%s", text->str);
    g_string_assign(text, "");
    for (size_t i = 0; i < n; i++) {
        const sched_grid grid = grid_at(s, sizes[i]);
        g_string_append(text, i > 0 ? "," : "");
        append_extents(text, &grid);
    }
    app_manifest_add(manifest, "grids", "%s", text->str);
}

sched_regrid_part app_source_part(const app_source *s, uint32_t ranks)
{
    const sched_grid small = sched_regrid_find(s->regrid).grid;
    const sched_grid large = grid_at(s, ranks);
    return sched_regrid_part_of(&small, &large);
}

char *app_source_grid_option(const app_source *s, uint32_t ranks)
{
    const sched_grid small = sched_regrid_find(s->regrid).grid;
    const sched_grid large = grid_at(s, ranks);
    GString *text = g_string_new(NULL);
    append_extents(text, &small);
    g_string_append(text, ",periodic=");
    append_periods(text, &small);
    g_string_append(text, ",to=");
    append_extents(text, &large);
    g_string_append_printf(text, ",seed=%" G_GUINT64_FORMAT, s->extrapolation.target.seed);
    return g_string_free(text, FALSE);
}

char *app_source_grid_text(const app_source *s, uint32_t ranks)
{
    const sched_grid grid = grid_at(s, ranks);
    return sched_grid_format(&grid);
}
