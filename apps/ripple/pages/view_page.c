/* apps/ripple/pages/view_page.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "pages/view_page.h"

#include "output/error.h"
#include "output/number_text.h"
#include "pages/interactive_page.h"
#include "pages/view_data.h"
#include "pages/view_still.h"
#include "pages/view_tables.h"
#include "sim/unit.h"

#include <string.h>

/* Our own scripts, tables and markup besides data and D3, at most. */
#define BESIDES ((size_t)400000)

static void add_facts(app_page *page, const app_picture *p)
{
    g_autofree char *ranks = app_format_ranks(p->num_ranks);
    g_autofree char *makespan = sim_unit_format_time_short(p->makespan);
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_append_printf(text, "%s, %s%s", ranks, makespan, p->is_recorded ? " as recorded" : "");
    if (p->ideal > 0) {
        g_autofree char *ideal = sim_unit_format_time_short(p->ideal);
        g_autofree char *longer =
            app_format_longer(((double)p->makespan - (double)p->ideal) / (double)p->ideal);
        g_string_append_printf(text, "; without noise %s: it takes %s", ideal, longer);
    }
    g_string_append_c(text, '.');
    app_page_finding(page, text->str);
    if (p->injection != NULL && p->injection->text != NULL) {
        app_page_finding(page, p->injection->text);
    }
    if (p->num_facts > 0) {
        static const char *const HEAD[] = {"what", "found", NULL};
        app_page_table_begin(page, HEAD);
        for (size_t i = 0; i < p->num_facts; i++) {
            const char *const cells[] = {p->facts[i].key, p->facts[i].value, NULL};
            app_page_table_row(page, cells);
        }
        app_page_table_end(page);
    }
}

static void add_level_note(GPtrArray *notes, const app_picture *p, const app_packed_heat *heat)
{
    const app_picture_level *level = &p->levels[heat->first_level];
    g_autofree char *time = sim_unit_format_time_short(level->column_width);
    g_ptr_array_add(
        notes, g_strdup_printf("A cell of the heat map is %u rank%s by %s%s", level->ranks_per_row,
                               level->ranks_per_row == 1 ? "" : "s", time,
                               heat->first_level > 0
                                   ? ": finer ones would make this page larger than 5 MB."
                                   : "."));
}

/* How fine it is, and where. */
static void add_heat_notes(GPtrArray *notes, const app_picture *p, const app_packed_heat *heat)
{
    if (heat->first_level == p->num_levels) {
        return;
    }
    const uint32_t ranks = p->levels[heat->first_level].ranks_per_row;
    if (heat->first_level > 0 || ranks > 1) {
        add_level_note(notes, p, heat);
    }
    if (heat->few_ranks > 0) {
        g_autofree char *time = sim_unit_format_time_short(heat->few_time);
        g_ptr_array_add(notes, g_strdup_printf("Closer, there are rows of %u ranks for all ranks, "
                                               "in columns of %s.",
                                               heat->few_ranks, time));
    }
    if (heat->num_blocks > 0) {
        g_autofree char *time = sim_unit_format_time_short(heat->block_time);
        g_ptr_array_add(
            notes,
            g_strdup_printf("%zu block%s of %u ranks %s a row for each rank, in columns of "
                            "%s: first those of the timelines, then those that lost most. "
                            "All other ranks are only in rows of several.",
                            heat->num_blocks, heat->num_blocks == 1 ? "" : "s", p->blocks[0].ranks,
                            heat->num_blocks == 1 ? "has" : "have", time));
    } else if (p->levels[0].ranks_per_row > 1) {
        g_ptr_array_add(notes, g_strdup("No rank has a row of its own here; with --lanes=worst:64 "
                                        "those around the timelines have."));
    }
}

/* What the reader must know of what is not here. */
static void add_notes(app_page *page, const app_picture *p, const app_view_size *size)
{
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 0; i < p->num_notes; i++) {
        g_ptr_array_add(notes, g_strdup(p->notes[i]));
    }
    if (size != NULL) {
        add_heat_notes(notes, p, &size->heat);
    }
    if (size != NULL && size->without_detail) {
        g_ptr_array_add(notes, g_strdup("Times of the timelines are rounded to nanoseconds, and "
                                        "numbers of operations are left out: there was no room "
                                        "for them."));
    }
    g_ptr_array_add(notes, NULL);
    app_page_list(page, "What this picture stands on", (const char *const *)notes->pdata);
}

static bool add_drawing(app_page *page, const app_picture *p, const char *d3, app_view_size *size,
                        JsonNode **data, GError **error)
{
    size->most_bytes = APP_PAGE_MOST_BYTES - BESIDES - strlen(d3);
    *data = app_view_data_new(p, size);
    if (*data == NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                    "the timelines of %zu ranks do not fit into a page: choose fewer ranks or a "
                    "shorter time (--lanes, --time)",
                    p->num_lanes);
        return false;
    }
    app_interactive_page_markup(page, "view_head.html");
    if (size->heat.first_level < p->num_levels) {
        app_interactive_page_markup(page, "view_heat.html");
        app_view_heat_table(page, p);
    }
    app_interactive_page_markup(page, "view_lanes.html");
    return true;
}

bool app_view_page_write(const app_picture *p, const char *path, GError **error)
{
    static const char *const SCRIPTS[] = {"units.js",     "data.js", "looks.js",
                                          "plot.js",      "heat.js", "lanes.js",
                                          "timelines.js", "view.js", NULL};
    g_autofree char *d3 = app_d3_read(NULL);
    g_autoptr(app_page) page = app_page_new(p->title);
    g_autoptr(JsonNode) data = NULL;
    app_view_size size = {0};
    app_interactive_page_begin(page);
    add_facts(page, p);
    if (d3 != NULL) {
        if (!add_drawing(page, p, d3, &size, &data, error)) {
            return false;
        }
    } else {
        app_interactive_page_static(page);
        if (!app_view_still_add(page, p, error)) {
            return false;
        }
        app_view_heat_table(page, p);
    }
    app_view_lanes_table(page, p);
    app_view_path_table(page, p);
    app_view_wave_table(page, p);
    add_notes(page, p, d3 != NULL ? &size : NULL);
    if (p->manifest != NULL) {
        app_page_heading(page, "Made by");
        app_page_command(page, p->manifest + strspn(p->manifest, "# "));
    }
    if (d3 != NULL) {
        app_interactive_page_end(page, d3, data, SCRIPTS);
    }
    return app_page_write(page, path, error);
}
