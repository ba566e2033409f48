/* apps/ripple/main.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_command, cli_closed_output. */
/**
 * @file
 * The ripple command: finds the verb and runs it.
 */
#include "command/command.h"
#include "command/completion.h"
#include "command/help.h"
#include "command/manual.h"
#include "command/verb_main.h"
#include "output/error.h"
#include "ripple_version.h"
#include "verbs/verb_list.h"

#include "sim/large.h"
#include "sim/nearest.h"

#include <fcntl.h>
#include <gsl/gsl_errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int unknown_verb(const char *name)
{
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    for (size_t i = 0; app_verbs[i] != NULL; i++) {
        g_strv_builder_add(builder, app_verbs[i]->name);
    }
    g_strv_builder_add(builder, "help");
    g_auto(GStrv) names = g_strv_builder_end(builder);
    const char *best = sim_nearest_name(name, (const char *const *)names);
    fprintf(stderr, "ripple: there is no verb '%s'", name);
    if (best != NULL) {
        fprintf(stderr, " (did you mean '%s'?)", best);
    }
    fprintf(stderr, "; see 'ripple --help'\n");
    return APP_EXIT_USAGE;
}

static int unexpected(const char *word)
{
    fprintf(stderr, "ripple: unexpected argument '%s'; see 'ripple --help'\n", word);
    return APP_EXIT_USAGE;
}

static int help_verb(char **args)
{
    if (args[0] != NULL && args[1] != NULL) {
        return unexpected(args[1]);
    }
    if (args[0] == NULL || strcmp(args[0], "help") == 0) {
        return app_command_help();
    }
    const app_verb *verb = app_verb_find(args[0]);
    return verb != NULL ? app_help_verb(verb) : unknown_verb(args[0]);
}

static int print_manual(const char *name)
{
    const app_verb *verb = app_verb_find(name);
    if (verb == NULL && strcmp(name, "ripple") != 0) {
        return unknown_verb(name);
    }
    g_autofree char *page = verb != NULL ? app_manual_verb(verb) : app_manual_command();
    return app_help_print(page);
}

static int print_completion(const char *shell)
{
    if (strcmp(shell, "bash") != 0) {
        fprintf(stderr, "ripple: --completion: no completion for '%s'; there is: bash\n", shell);
        return APP_EXIT_USAGE;
    }
    g_autofree char *script = app_completion_bash();
    return app_help_print(script);
}

/* The options before or instead of a verb. */
static int command_options(int argc, char **argv)
{
    app_command_options command = {0};
    g_autoptr(app_options) options = app_options_new();
    app_command_add_options(&command, options);
    g_auto(GStrv) words = g_strdupv(argv);
    g_autoptr(GError) error = NULL;
    int code = APP_EXIT_USAGE;
    const bool parsed = app_options_parse(options, &words, &error);
    const bool asked =
        command.help || command.version || command.man != NULL || command.completion != NULL;
    if (!parsed) {
        fprintf(stderr, "ripple: %s; see 'ripple --help'\n", error->message);
    } else if (asked && words[0] != NULL && words[1] != NULL) {
        code = unexpected(words[1]);
    } else if (command.help) {
        code = app_command_help();
    } else if (command.version) {
        code = app_help_print("ripple " RIPPLE_VERSION "\n");
    } else if (command.man != NULL) {
        code = print_manual(command.man);
    } else if (command.completion != NULL) {
        code = print_completion(command.completion);
    } else {
        fprintf(stderr, "ripple: %s; see 'ripple --help'\n",
                argc < 2 ? "missing verb" : "the verb comes first");
    }
    g_free(command.man);
    g_free(command.completion);
    return code;
}

/* Where a standard stream is closed, the next file that is opened would take its place, and what
 * is printed would go there. What stands in for it cannot be read, or written, either. */
static void hold_standard_streams(void)
{
    static const int MODE[] = {O_WRONLY, O_RDONLY, O_RDWR};
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
        if (fcntl(stream, F_GETFD) < 0) {
            (void)open("/dev/null", MODE[stream]); /* takes the lowest number: this one */
        }
    }
}

int main(int argc, char **argv)
{
    sim_large_keep_freed();
    hold_standard_streams();
    /* Only the character set: a decimal comma would break every number. */
    (void)setlocale(LC_CTYPE, "");
    (void)gsl_set_error_handler_off();
    (void)signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error like a full disk */
    if (argc < 2 || argv[1][0] == '-') {
        return command_options(argc, argv);
    }
    char **args = argv + 2;
    if (strcmp(argv[1], "help") == 0) {
        return help_verb(args);
    }
    const app_verb *verb = app_verb_find(argv[1]);
    return verb != NULL ? app_verb_main(verb, args) : unknown_verb(argv[1]);
}
