/* apps/ripple/command/verb_options.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_option_effects, cli_help. */
#include "command/verb_options.h"

const char *const *app_verb_formats(const app_verb *verb)
{
    static const char *const FORMATS[] = {"text", "json", "csv", NULL};
    return verb->formats != NULL ? verb->formats : FORMATS;
}

void app_verb_options(const app_verb *verb, void *state, app_common *common, app_options *options)
{
    if (verb->options != NULL) {
        verb->options(state, options);
    }
    GOptionEntry entries[9] = {{NULL}};
    size_t n = 0;
    if ((verb->takes & APP_TAKES_FORMAT) != 0) {
        const char *const *formats = app_verb_formats(verb);
        char *choices = app_join(formats, "|");
        entries[n++] = (GOptionEntry){"format",
                                      0,
                                      0,
                                      G_OPTION_ARG_STRING,
                                      &common->format,
                                      "format of the result [text]",
                                      app_options_keep(options, choices)};
    }
    if ((verb->takes & (APP_TAKES_FORMAT | APP_TAKES_OUTPUT)) != 0) {
        entries[n++] = (GOptionEntry){"output",
                                      'o',
                                      0,
                                      G_OPTION_ARG_FILENAME,
                                      &common->output,
                                      verb->output_help != NULL ? verb->output_help
                                                                : "write the result there [stdout]",
                                      "FILE"};
    }
    if ((verb->takes & APP_TAKES_SEED) != 0) {
        entries[n++] = (GOptionEntry){
            "seed", 0, 0, G_OPTION_ARG_STRING, &common->seed, "seed of all random numbers [1]",
            "N"};
    }
    if ((verb->takes & APP_TAKES_THREADS) != 0) {
        entries[n++] =
            (GOptionEntry){"threads",
                           0,
                           0,
                           G_OPTION_ARG_STRING,
                           &common->threads,
                           "threads; never changes a result [all CPUs this process may use]",
                           "N"};
    }
    if ((verb->takes & APP_TAKES_LIMIT) != 0) {
        entries[n++] =
            (GOptionEntry){"time-limit",
                           0,
                           0,
                           G_OPTION_ARG_STRING,
                           &common->time_limit,
                           "stop so long after the start and keep what is finished [none]",
                           "TIME"};
    }
    entries[n++] = (GOptionEntry){"quiet",
                                  'q',
                                  0,
                                  G_OPTION_ARG_NONE,
                                  &common->quiet,
                                  "no progress and no remarks on standard error",
                                  NULL};
    entries[n++] = (GOptionEntry){
        "help", 'h', 0, G_OPTION_ARG_NONE, &common->help, "print this help and exit", NULL};
    app_options_add(options, "Common options", entries);
}

char *app_verb_describe(const app_verb *verb)
{
    return verb->describe != NULL ? verb->describe() : g_strdup(verb->description);
}
