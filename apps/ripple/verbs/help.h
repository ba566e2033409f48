/* apps/ripple/verbs/help.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Help on standard output, made from the table of verbs. Each returns an exit code: a page that
 * cannot be printed is an error like any other.
 */
#pragma once

#include "verbs/verb.h"

/** ripple --help: what there is. */
int app_help_command(void);
/** ripple help VERB, ripple VERB --help. */
int app_help_verb(const app_verb *verb);
/** Print @p text on standard output; errors go to standard error. @return an exit code */
int app_help_print(const char *text);

/** The options of the command itself: entries for its man page and completion too. */
typedef struct app_command_options {
    gboolean help;
    gboolean version;
    char *completion;
    char *man;
} app_command_options;
void app_command_add_options(app_command_options *command, app_options *options);

/** One sentence on what the command is for. */
#define APP_COMMAND_SUMMARY "what small delays on single processors do to a parallel program"
