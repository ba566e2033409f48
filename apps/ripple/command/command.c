/* apps/ripple/command/command.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_command, cli_help. */
#include "command/command.h"

#include "command/help.h"
#include "output/wrap_text.h"
#include "verbs/verb_list.h"

void app_command_add_options(app_command_options *command, app_options *options)
{
    const GOptionEntry entries[] = {
        {"help", 'h', 0, G_OPTION_ARG_NONE, &command->help, "print this help and exit", NULL},
        {"version", 'V', 0, G_OPTION_ARG_NONE, &command->version, "print the version and exit",
         NULL},
        {"completion", 0, 0, G_OPTION_ARG_STRING, &command->completion,
         "print the completion script of that shell and exit", "bash"},
        {"man", 0, 0, G_OPTION_ARG_STRING, &command->man,
         "print a manual page (of a verb, or 'ripple') as roff and exit", "VERB"},
        {NULL},
    };
    app_options_add(options, "Options", entries);
}

int app_command_help(void)
{
    g_autoptr(GString) page = g_string_new("Usage: ripple VERB [OPTION]... [ARGUMENT]...\n"
                                           "Ripple: " APP_COMMAND_SUMMARY ".\n"
                                           "\nVerbs:\n");
    for (size_t i = 0; app_verbs[i] != NULL; i++) {
        g_autofree char *padded = g_strdup_printf("%-9s", app_verbs[i]->name);
        g_string_append_printf(page, "  %s ", padded);
        app_wrap_text(page, app_verbs[i]->summary, APP_HELP_WIDTH, 12, 12);
    }
    g_string_append(page, "  help      ");
    app_wrap_text(page, "print the help of a verb: ripple help VERB", APP_HELP_WIDTH, 12, 12);
    app_command_options command = {0};
    g_autoptr(app_options) options = app_options_new();
    app_command_add_options(&command, options);
    app_help_append_options(page, options);
    g_string_append(page, "\nExit codes: 0 done, 1 error, 2 wrong command line, "
                          "3 measurement not valid.\n");
    return app_help_print(page->str);
}
