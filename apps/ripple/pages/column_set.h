/* apps/ripple/pages/column_set.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Packed columns that make a table: written into a page together, or not at all where they are too
 * large.
 */
#pragma once

#include "pages/packed_column.h"

typedef struct app_named_column {
    const char *name;
    app_column_kind kind;
    app_column *column;
} app_named_column;

typedef struct app_column_set {
    app_named_column *columns; /* [n] */
    size_t n;
} app_column_set;

void app_column_set_open(app_column_set *set);
/** All values have been added. @return bytes that they take in the page */
size_t app_column_set_close(app_column_set *set);
void app_column_set_build(const app_column_set *set, JsonBuilder *b);
void app_column_set_free(app_column_set *set);
