/* apps/ripple/verbs/verb.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "verbs/verb.h"

#include "output/error.h"
#include "verbs/help.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const FORMATS[] = {"text", "json", "csv", NULL};

const app_verb *app_verb_find(const char *name)
{
    for (size_t i = 0; app_verbs[i] != NULL; i++) {
        if (strcmp(app_verbs[i]->name, name) == 0) {
            return app_verbs[i];
        }
    }
    return NULL;
}

char *app_verb_describe(const app_verb *verb)
{
    return verb->describe != NULL ? verb->describe() : g_strdup(verb->description);
}

void app_verb_options(const app_verb *verb, void *state, app_common *common, app_options *options)
{
    if (verb->options != NULL) {
        verb->options(state, options);
    }
    GOptionEntry entries[8] = {{NULL}};
    size_t n = 0;
    if ((verb->takes & APP_TAKES_FORMAT) != 0) {
        const char *const *formats = verb->formats != NULL ? verb->formats : FORMATS;
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

static void common_clear(app_common *common)
{
    g_free(common->format);
    g_free(common->output);
    g_free(common->seed);
    g_free(common->threads);
}

/* From text to numbers; defaults where nothing was given. */
static bool read_common(app_context *context, const app_common *common, GError **error)
{
    const app_verb *verb = context->verb;
    uint64_t threads = g_get_num_processors();
    context->seed = 1;
    context->quiet = common->quiet;
    context->output = common->output;
    if (common->seed != NULL &&
        !app_parse_unsigned("--seed", common->seed, 0, UINT64_MAX, &context->seed, error)) {
        return false;
    }
    if (common->threads != NULL &&
        !app_parse_unsigned("--threads", common->threads, 1, 4096, &threads, error)) {
        return false;
    }
    context->threads = (unsigned)threads;
    context->format_given = common->format != NULL;
    return common->format == NULL ||
           app_parse_choice("--format", common->format,
                            verb->formats != NULL ? verb->formats : FORMATS, &context->format,
                            error);
}

/* The command line without what cannot change a result: it goes into the manifest. */
static char **relevant_arguments(const app_verb *verb, char **argv)
{
    static const char *const LEFT_OUT[] = {"--threads", "--output", "-o", "--replica-csv", NULL};
    GPtrArray *kept = g_ptr_array_new();
    g_ptr_array_add(kept, g_strdup("ripple"));
    g_ptr_array_add(kept, g_strdup(verb->name));
    for (size_t i = 0; argv[i] != NULL; i++) {
        if (strcmp(argv[i], "--") == 0) {
            for (; argv[i] != NULL; i++) {
                g_ptr_array_add(kept, g_strdup(argv[i]));
            }
            break;
        }
        if (g_strv_contains(LEFT_OUT, argv[i]) && argv[i + 1] != NULL) {
            i++;
        } else if (!g_str_has_prefix(argv[i], "--threads=") &&
                   !g_str_has_prefix(argv[i], "--output=") &&
                   !g_str_has_prefix(argv[i], "--replica-csv=") &&
                   !g_str_has_prefix(argv[i], "-o") && strcmp(argv[i], "-q") != 0 &&
                   strcmp(argv[i], "--quiet") != 0) {
            g_ptr_array_add(kept, g_strdup(argv[i]));
        }
    }
    g_ptr_array_add(kept, NULL);
    return (char **)g_ptr_array_free(kept, FALSE);
}

/* Take what follows "--" away from @p words. @return it, or NULL if there is no "--" */
static char **split_command(char **words)
{
    for (; *words != NULL; words++) {
        if (strcmp(*words, "--") == 0) {
            char **command = g_strdupv(words + 1);
            for (char **w = words; *w != NULL; w++) {
                g_free(*w);
                *w = NULL;
            }
            return command;
        }
    }
    return NULL;
}

/* Before the work: is there a place for what comes of it? */
static bool check_output(const app_context *context, GError **error)
{
    const app_verb *verb = context->verb;
    const char *path = context->output;
    const bool empty = path != NULL && path[0] == '\0';
    if (verb->output_help != NULL && !empty) { /* a folder or a database: the verb sees to it */
        if ((verb->takes & APP_TAKES_FORMAT) == 0) {
            return true;
        }
        path = NULL; /* where it prints besides */
    }
    const app_output_place place = {"--output", path, false};
    return app_output_check(&place, context->nargs, (const char *const *)context->args, error);
}

static int run_verb(app_context *context, char **argv, void *state, GError **error)
{
    const app_verb *verb = context->verb;
    g_autoptr(app_options) options = app_options_new();
    g_auto(GStrv) words = g_strdupv(argv);
    g_auto(GStrv) command = (verb->takes & APP_TAKES_COMMAND) != 0 ? split_command(words) : NULL;
    app_common common = {0};
    int code = APP_EXIT_ERROR;
    app_verb_options(verb, state, &common, options);
    /* GOption takes the first word for the program's name. */
    g_auto(GStrv) all = g_new0(char *, g_strv_length(words) + 2);
    all[0] = g_strdup("ripple");
    for (size_t i = 0; words[i] != NULL; i++) {
        all[i + 1] = g_strdup(words[i]);
    }
    if (!app_options_parse(options, &all, error)) {
        goto out;
    }
    if (common.help) {
        code = app_help_verb(verb);
        goto out;
    }
    context->args = all + 1;
    if (*context->args != NULL && strcmp(*context->args, "--") == 0) {
        context->args++;
    }
    context->nargs = g_strv_length(context->args);
    context->command = command;
    if (read_common(context, &common, error)) {
        g_auto(GStrv) relevant = relevant_arguments(verb, argv);
        g_autoptr(app_manifest) manifest = app_manifest_new(verb->name, relevant);
        if ((verb->takes & APP_TAKES_SEED) != 0) {
            app_manifest_set_seed(manifest, context->seed);
        }
        context->manifest = manifest;
        if (check_output(context, error)) {
            code = verb->run(context, state, error);
        }
        context->manifest = NULL;
    }
out:
    common_clear(&common);
    return code;
}

int app_verb_main(const app_verb *verb, char **argv)
{
    app_context context = {.verb = verb};
    g_autofree void *state = g_malloc0(MAX(verb->state_size, 1));
    if (verb->init != NULL) {
        verb->init(state);
    }
    g_autoptr(GError) error = NULL;
    int code = run_verb(&context, argv, state, &error);
    if (error != NULL) {
        code = app_error_exit_code(error);
        fprintf(stderr, "ripple %s: %s", verb->name, error->message);
        if (code == APP_EXIT_USAGE) {
            fprintf(stderr, "; see 'ripple help %s'", verb->name);
        }
        fputc('\n', stderr);
    }
    if (verb->clear != NULL) {
        verb->clear(state);
    }
    return code;
}

bool app_context_check_args(const app_context *context, unsigned min, unsigned max, GError **error)
{
    if (context->nargs < min) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "missing argument: %s",
                    context->verb->usage);
        return false;
    }
    if (context->nargs > max) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "unexpected argument «%s»",
                    context->args[max]);
        return false;
    }
    return true;
}

void app_context_note(const app_context *context, const char *format, ...)
{
    if (!context->quiet) {
        va_list args;
        va_start(args, format);
        g_autofree char *text = g_strdup_vprintf(format, args);
        va_end(args);
        fprintf(stderr, "ripple %s: %s\n", context->verb->name, text);
    }
}
