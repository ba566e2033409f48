/* apps/ripple/command/command.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The command itself, before or instead of a verb: its options and its help.
 */
#pragma once

#include "options/options.h"

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

/** ripple --help: what there is. */
int app_command_help(void);
