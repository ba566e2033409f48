/* apps/ripple/pages/column_set.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_view_page, browser_view. */
#include "pages/column_set.h"

void app_column_set_open(app_column_set *set)
{
    for (size_t i = 0; i < set->n; i++) {
        set->columns[i].column = app_column_new(set->columns[i].kind);
    }
}

size_t app_column_set_close(app_column_set *set)
{
    size_t size = 0;
    for (size_t i = 0; i < set->n; i++) {
        app_column_close(set->columns[i].column);
        size += app_column_size(set->columns[i].column);
    }
    return size;
}

void app_column_set_build(const app_column_set *set, JsonBuilder *b)
{
    for (size_t i = 0; i < set->n; i++) {
        app_column_build(set->columns[i].column, set->columns[i].name, b);
    }
}

void app_column_set_free(app_column_set *set)
{
    for (size_t i = 0; i < set->n; i++) {
        app_column_free(set->columns[i].column);
        set->columns[i].column = NULL;
    }
}
