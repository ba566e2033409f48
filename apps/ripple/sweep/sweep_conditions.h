/* apps/ripple/sweep/sweep_conditions.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The conditions of many points in a few sentences: what is said of several points is said once,
 * with how many it concerns.
 */
#pragma once

#include "database/sweep_table.h"

#include <json-glib/json-glib.h>

typedef struct app_sweep_condition {
    const char *code; /* of docs/results.md, "Conditions"; static */
    bool grave;
    char *text;    /* a sentence that says which points, unless it is all */
    char *brief;   /* for captions; may be "" */
    size_t points; /* that it concerns */
} app_sweep_condition;

typedef struct app_sweep_conditions {
    app_sweep_condition *list; /* [n] grave ones first, remarks on numbers last */
    size_t n;
} app_sweep_conditions;

/** @param points [n] done and under noise */
app_sweep_conditions *app_sweep_conditions_new(const app_sweep_point *const *points, size_t n);
void app_sweep_conditions_free(app_sweep_conditions *conditions);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_sweep_conditions, app_sweep_conditions_free)

/** What goes after the caption of a figure: " Of one pass from a cold start." Owned by the caller.
 */
char *app_sweep_conditions_caption(const app_sweep_conditions *conditions);
/** Add the member "conditions" (code, grave, text, points) to the object being built. */
void app_sweep_conditions_build(const app_sweep_conditions *conditions, JsonBuilder *builder);
