/* apps/ripple/command/verb_options.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * All options of a verb, in one table: its own and those that the framework adds.
 */
#pragma once

#include "verbs/verb.h"

/** All options of @p verb, common ones included, bound to @p state and @p common. */
typedef struct app_common {
    char *format;
    char *output;
    char *seed;
    char *threads;
    char *time_limit;
    gboolean quiet;
    gboolean help;
} app_common;
void app_verb_options(const app_verb *verb, void *state, app_common *common, app_options *options);
/** Values of --format of @p verb, NULL-terminated. */
const char *const *app_verb_formats(const app_verb *verb);
/** Its description, either way. Owned by the caller. */
char *app_verb_describe(const app_verb *verb);
