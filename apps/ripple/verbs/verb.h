/* apps/ripple/verbs/verb.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a verb is: a row of the one table from which the command, its help, man pages and
 * completion are made. Each verb has a file of its own, verb_NAME.c; verb_list.c lists them.
 */
#pragma once

#include "options/options.h"
#include "output/manifest.h"
#include "output/output.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct app_verb app_verb;

/** The formats of a verb that names none of its own. */
typedef enum { APP_FORMAT_TEXT, APP_FORMAT_JSON, APP_FORMAT_CSV } app_format;

/** Options that several verbs have; the framework adds, parses and explains them. */
typedef enum {
    APP_TAKES_FORMAT = 1 << 0,  /* --format, -o */
    APP_TAKES_SEED = 1 << 1,    /* --seed */
    APP_TAKES_THREADS = 1 << 2, /* --threads */
    APP_TAKES_COMMAND = 1 << 3, /* "-- command" */
    APP_TAKES_OUTPUT = 1 << 4,  /* -o without --format; the verb says what it is */
} app_takes;

/** What the framework has understood of the command line. */
typedef struct app_context {
    const app_verb *verb;
    char **args;     /* positional arguments, NULL-terminated */
    unsigned nargs;  /* how many */
    char **command;  /* what follows "--", NULL-terminated; NULL: no "--" */
    unsigned format; /* index in the verb's formats: app_format, unless it has its own */
    bool format_given;
    char *output; /* -o, or NULL: standard output */
    uint64_t seed;
    unsigned threads; /* >= 1 */
    bool quiet;
    app_manifest *manifest; /* the seed is in it; the verb adds what took effect */
} app_context;

struct app_verb {
    const char *name;
    const char *summary;     /* one line, no full stop */
    const char *usage;       /* positional arguments, e.g. "PROGRAM" */
    const char *description; /* paragraphs, separated by empty lines; or NULL: */
    /** The same where it is made from tables. @return owned by the caller */
    char *(*describe)(void);
    /** Pairs: command, what it does; NULL-terminated. */
    const char *const *examples;
    unsigned takes; /* of app_takes */
    /** Values of --format, NULL-terminated; NULL: text, json, csv. */
    const char *const *formats;
    /** What -o writes, for verbs whose -o is not simply the result. NULL: "FILE" of results. */
    const char *output_help;

    size_t state_size;
    /** Defaults, on zeroed memory; may be NULL. */
    void (*init)(void *state);
    /** The verb's own options; may be NULL. */
    void (*options)(void *state, app_options *options);
    /** @return exit code; if @p error is set it is printed and decides the code instead */
    int (*run)(app_context *context, void *state, GError **error);
    /** Free what state owns; may be NULL. */
    void (*clear)(void *state);
};

/** All verbs, in the order in which they are listed; NULL-terminated. */
extern const app_verb *const app_verbs[];

/** @return NULL if there is none of that name */
const app_verb *app_verb_find(const char *name);
/** Run a verb on the words after its name. @return the exit code */
int app_verb_main(const app_verb *verb, char **argv);
/** All options of @p verb, common ones included, bound to @p state and @p common. */
typedef struct app_common {
    char *format;
    char *output;
    char *seed;
    char *threads;
    gboolean quiet;
    gboolean help;
} app_common;
void app_verb_options(const app_verb *verb, void *state, app_common *common, app_options *options);

/** Its description, either way. Owned by the caller. */
char *app_verb_describe(const app_verb *verb);

/** Wrong number of positional arguments: an error of usage. Both ends inclusive. */
bool app_context_check_args(const app_context *context, unsigned min, unsigned max, GError **error);
/** One line on standard error, "ripple VERB: …"; silent under --quiet. */
void app_context_note(const app_context *context, const char *format, ...) G_GNUC_PRINTF(2, 3);
