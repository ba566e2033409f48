/* apps/ripple/command/verb_main.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_command, test_option_effects. */
#include "command/verb_main.h"

#include "command/help.h"
#include "command/verb_options.h"
#include "output/error.h"
#include "output/output.h"
#include "sim/replica.h"
#include "sim/unit.h"
#include "system/stop.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void common_clear(app_common *common)
{
    g_free(common->format);
    g_free(common->output);
    g_free(common->seed);
    g_free(common->threads);
    g_free(common->time_limit);
}

static bool read_time_limit(const char *text, GError **error)
{
    sim_time limit = 0;
    if (text == NULL) {
        return true;
    }
    if (!sim_unit_parse_time(text, SIM_S, &limit, error)) {
        app_error_blame_option(error, "--time-limit");
        return false;
    }
    if (limit <= 0) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "--time-limit: no time to do anything in");
        return false;
    }
    app_stop_after(limit, text);
    return true;
}

/* Verbs with threads run replicas in lanes; which, the environment may say. */
static bool check_lanes(GError **error)
{
    const char *wanted = g_getenv("RIPPLE_LANES");
    g_autofree const char **variants = sim_replicas_variants();
    unsigned unused;
    return wanted == NULL || wanted[0] == '\0' ||
           app_parse_choice("RIPPLE_LANES", wanted, variants, &unused, error);
}

/* From text to numbers; defaults where nothing was given. */
static bool read_common(const app_verb *verb, app_context *context, const app_common *common,
                        GError **error)
{
    uint64_t threads = g_get_num_processors();
    context->seed = 1;
    context->seed_given = common->seed != NULL;
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
    if ((verb->takes & APP_TAKES_THREADS) != 0 && !check_lanes(error)) {
        return false;
    }
    context->threads = (unsigned)threads;
    if (!read_time_limit(common->time_limit, error)) {
        return false;
    }
    context->format_given = common->format != NULL;
    return common->format == NULL ||
           app_parse_choice("--format", common->format, app_verb_formats(verb), &context->format,
                            error);
}

/* The command line without what cannot change a result: it goes into the manifest. */
static char **relevant_arguments(const app_verb *verb, char **argv)
{
    static const char *const LEFT_OUT[] = {"--threads",     "--output",     "-o",
                                           "--replica-csv", "--time-limit", NULL};
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
                   !g_str_has_prefix(argv[i], "--time-limit=") &&
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

/* Before the work: is there a place for its result? */
static bool check_output(const app_verb *verb, const app_context *context, GError **error)
{
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

static int run_verb(const app_verb *verb, app_context *context, char **argv, void *state,
                    GError **error)
{
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
    if (read_common(verb, context, &common, error)) {
        g_auto(GStrv) relevant = relevant_arguments(verb, argv);
        g_autoptr(app_manifest) manifest = app_manifest_new(verb->name, relevant);
        if ((verb->takes & APP_TAKES_SEED) != 0) {
            app_manifest_set_seed(manifest, context->seed);
        }
        context->manifest = manifest;
        if (check_output(verb, context, error)) {
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
    app_context context = {.verb = verb->name, .usage = verb->usage};
    g_autofree void *state = g_malloc0(MAX(verb->state_size, 1));
    if (verb->init != NULL) {
        verb->init(state);
    }
    g_autoptr(GError) error = NULL;
    int code = run_verb(verb, &context, argv, state, &error);
    if (error != NULL) {
        code = app_error_exit_code(error);
        fprintf(stderr, "ripple %s: %s", verb->name, error->message);
        if (code == APP_EXIT_USAGE && !g_error_matches(error, APP_ERROR, APP_ERROR_UNCOMPARED)) {
            fprintf(stderr, "; see 'ripple help %s'", verb->name);
        }
        fputc('\n', stderr);
    }
    if (verb->clear != NULL) {
        verb->clear(state);
    }
    app_stop_leave();
    return code;
}
