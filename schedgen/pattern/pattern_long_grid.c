/* schedgen/pattern/pattern_long_grid.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_pattern_grid. */
#include "pattern/pattern_private.h"

#include <string.h>

/* Extents do not grow from one dimension to the next. */
static bool is_long(const pattern_grid *grid)
{
    const uint64_t least = grid->extent[grid->dimensions - 1];
    return grid->extent[0] > SCHED_PATTERN_LONG * least;
}

static char *format(const pattern_item_class *class, const pattern_grid *grid)
{
    GString *text = g_string_new_len(class->form, (gssize)strcspn(class->form, "["));
    for (uint32_t i = 0; i < grid->dimensions; i++) {
        g_string_append_printf(text, "%s%u", i == 0 ? " on " : " x ", grid->extent[i]);
    }
    return g_string_free(text, FALSE);
}

char *sched_pattern_long_grid(const sched_pattern *p, uint32_t ranks)
{
    for (guint i = 0; i < p->items->len; i++) {
        const pattern_item *item = g_ptr_array_index(p->items, i);
        if (item->class->dimensions == 0) {
            continue;
        }
        const pattern_grid grid = sched_pattern_grid(ranks, item->class->dimensions);
        if (is_long(&grid)) {
            return format(item->class, &grid);
        }
    }
    return NULL;
}
