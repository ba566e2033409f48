/* apps/ripple/sweep/sweep_space.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The points of a sweep by the dimensions along which they differ, for figures: which values each
 * dimension has, where each point lies, and combinations of values.
 */
#pragma once

#include "database/sweep_table.h"

/** A point lies anywhere along a dimension that has no effect in it. */
#define APP_SWEEP_ANYWHERE SIZE_MAX

/** A parameter that is varied, with those that are varied together with it. */
typedef struct app_sweep_dimension {
    app_parameter_id id;
    bool number; /* its values are different numbers, in ascending order */
    size_t num_values;
    char **labels;   /* [num_values] "1Ki"; "1us, o=100ns" */
    double *numbers; /* [num_values] as plotted; of a number */
} app_sweep_dimension;

typedef struct app_sweep_space {
    const app_sweep_table *table;
    size_t num_dimensions;
    app_sweep_dimension *dimensions;
    size_t *places; /* [num_points][num_dimensions] index of the value, or APP_SWEEP_ANYWHERE */
} app_sweep_space;

/** @return owned by the caller; borrows the table */
app_sweep_space *app_sweep_space_new(const app_sweep_table *table);
void app_sweep_space_free(app_sweep_space *space);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_sweep_space, app_sweep_space_free)

/**
 * The point at these values, done and with a result; NULL if there is none.
 * @param values [num_dimensions] an index each
 */
const app_sweep_point *app_sweep_space_find(const app_sweep_space *space, const size_t *values);

/** Some dimensions, and some values of each: their combinations are counted from 0. */
typedef struct app_sweep_combinations {
    size_t num_dimensions;
    size_t dimensions[APP_NUM_PARAMETERS];
    size_t num_values[APP_NUM_PARAMETERS];
    size_t *values[APP_NUM_PARAMETERS];
    size_t total; /* 1 without dimensions */
} app_sweep_combinations;

/** All values of one dimension more; of more than @p most the first, the last, and some between. */
void app_sweep_combinations_add(app_sweep_combinations *c, const app_sweep_space *space,
                                size_t dimension, size_t most);
void app_sweep_combinations_clear(app_sweep_combinations *c);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(app_sweep_combinations, app_sweep_combinations_clear)
/** Set the values of combination @p k in @p values [num_dimensions of the space]. */
void app_sweep_combinations_get(const app_sweep_combinations *c, size_t k, size_t *values);
/** " Of 8 values of L, 3 are drawn.": what a caption says where some are not. Owned by the caller.
 */
char *app_sweep_combinations_thinned(const app_sweep_combinations *c, const app_sweep_space *space);
/** "jaguar, co-scheduled, L=1us". Owned by the caller. */
char *app_sweep_combinations_label(const app_sweep_combinations *c, const app_sweep_space *space,
                                   size_t k);
