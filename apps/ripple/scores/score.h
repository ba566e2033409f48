/* apps/ripple/scores/score.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a scorer's counts come to, for all ranks of a run: the result that `ripple detect score`
 * prints after a run, and `ripple trace --detect` at its end. The same counts are the same text.
 */
#pragma once

#include "noise/interference.h"
#include "output/context.h"

#include <json-glib/json-glib.h>
#include <stdio.h>

/** Who took CPU time from a rank while it was disturbed. */
typedef struct app_culprit {
    char *name;   /* "`burner`"; owned; NULL: nobody is known */
    double share; /* of the time taken from the rank then, 0..1 */
} app_culprit;

typedef struct app_score {
    const noise_interference_model *model;
    const noise_interference_scorer *scorer; /* finished */
    uint32_t num_ranks;
    double alpha;                         /* of noise_interference_judge() */
    noise_interference_judgement *judged; /* [num_ranks] */
    app_culprit *culprit;                 /* [num_ranks] all empty where nobody watched */
    uint32_t *order;                      /* [num_ranks] disturbed ones first, those that lost most
                                             before the others; then those that ran slower,
                                             likewise; then those that cannot be judged */
    uint32_t num_disturbed;
    uint32_t num_slower; /* and not disturbed */
    uint32_t num_clean;
    uint32_t num_judged; /* these three together */
} app_score;

/** Smallest chance of a false alarm in the whole run that is believed. */
#define APP_SCORE_ALPHA 0.001

/** Judge all ranks. @param model, scorer borrowed @return owned by the caller. O(ranks^2) */
app_score *app_score_new(const noise_interference_model *model,
                         const noise_interference_scorer *scorer, uint32_t num_ranks, double alpha);
void app_score_free(app_score *score); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_score, app_score_free)

/** The table of ranks, and sentences below it. */
void app_score_print(const app_score *score, FILE *out);
/** The first line of a CSV, and one row per rank for each @p run. */
void app_score_print_csv_head(FILE *out);
void app_score_print_csv(const app_score *score, const char *run, FILE *out);
/** Members of the object being built. */
void app_score_build(const app_score *score, JsonBuilder *builder);
