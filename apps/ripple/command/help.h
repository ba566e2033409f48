/* apps/ripple/command/help.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The help of a verb on standard output, made from its row and its options. Each returns an exit
 * code: a page that cannot be printed is an error like any other.
 */
#pragma once

#include "verbs/verb.h"

enum { APP_HELP_WIDTH = 96 }; /* columns */

/** ripple help VERB, ripple VERB --help. */
int app_help_verb(const app_verb *verb);
/** Print @p text on standard output; errors go to standard error. @return an exit code */
int app_help_print(const char *text);

/** All options, by groups. */
void app_help_append_options(GString *page, const app_options *options);
