/* apps/ripple/scores/detect_options.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file The options of `ripple detect`, and where each of them has an effect. */
#pragma once

#include "detection/learning.h"
#include "options/single_options.h"

typedef struct app_detect_options {
    app_single_options single;
    char **with;
    char *with_noise;
    char *ref;
    char *match;
    char *rule;
    char *min_length;
    char *sequences;
    char *filter;
    char *alpha;
    char *report;
    char *explain;
    char *page;
} app_detect_options;

/** The word after the verb. */
typedef enum { APP_DETECT_LEARN, APP_DETECT_SCORE, APP_DETECT_SHOW } app_detect_action;

void app_detect_options_add(app_detect_options *self, app_options *options);
void app_detect_options_clear(app_detect_options *self);

/** @return false with an error of usage: none of learn, score and show */
bool app_detect_options_action(const app_context *context, app_detect_action *out, GError **error);
/** Is each option given that of @p action, with so many words after it? Else an error of usage. */
bool app_detect_options_check(const app_detect_options *self, app_detect_action action,
                              const app_context *context, GError **error);
/** How runs are to be had. Borrowed. */
app_run_options app_detect_options_runs(const app_detect_options *self);
/** Put the options of learning that were given into @p manifest. */
void app_detect_options_note(const app_detect_options *self, app_manifest *manifest);
/** What the options of learning say; the seed is the caller's. */
bool app_detect_options_learning(const app_detect_options *self, app_learn_options *out,
                                 GError **error);
/** --alpha, or what it is without. */
bool app_detect_options_alpha(const app_detect_options *self, double *out, GError **error);
