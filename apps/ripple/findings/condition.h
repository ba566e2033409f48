/* apps/ripple/findings/condition.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The conditions under which results hold: one list, from which text, JSON, page and captions say
 * the same. docs/results.md, "Conditions", has the table of codes.
 */
#pragma once

#include "experiment/experiment_results.h"
#include "program/source.h"

#include <json-glib/json-glib.h>
#include <stdio.h>

typedef enum {
    APP_CONDITION_GRAVE, /* said before everything else: no number stands for what it seems to */
    APP_CONDITION_REMARK /* said below the tables */
} app_condition_weight;

typedef struct app_condition {
    const char *code; /* "one-replica"; stable, static */
    app_condition_weight weight;
    app_mode mode;   /* that it concerns; APP_IDEAL: whichever there are */
    uint32_t *ranks; /* [num_ranks] sizes that it concerns; none: all */
    size_t num_ranks;
    char *text;  /* a sentence with its numbers */
    char *brief; /* a few words, for a caption; "" where the figure shows it itself */
} app_condition;

typedef struct app_conditions {
    app_condition *list; /* [n] what was measured and how first, then by size and mode */
    size_t n;
} app_conditions;

/**
 * Of all series with noise, what the noise is, and how the program was enlarged.
 * @param source NULL: nothing is said of the program
 */
app_conditions *app_conditions_new(const app_results *results, const app_noise *noise,
                                   const app_source *source);
void app_conditions_free(app_conditions *conditions);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_conditions, app_conditions_free)

/** The first of that code, or NULL. Borrowed. */
const app_condition *app_conditions_find(const app_conditions *conditions, const char *code);
size_t app_conditions_count(const app_conditions *conditions, app_condition_weight weight);
/** Those of that weight, a line each. */
void app_conditions_print(const app_conditions *conditions, app_condition_weight weight, FILE *out);
/** Add the member "conditions" (code, grave, text, mode, ranks) to the object being built. */
void app_conditions_build(const app_conditions *conditions, JsonBuilder *builder);
/** What goes after the caption of a figure: " Not valid. 1Mi ranks: one replica." Owned by the
 * caller. */
char *app_conditions_caption(const app_conditions *conditions);
