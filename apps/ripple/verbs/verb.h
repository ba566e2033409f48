/* apps/ripple/verbs/verb.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a verb is: a row of the one table from which the command, its help, man pages and
 * completion are made. Each verb has a file of its own, verb_NAME.c; verb_list.c lists them.
 */
#pragma once

#include "options/options.h"
#include "output/context.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct app_verb app_verb;

/** Options that several verbs have; the framework adds, parses and explains them. */
typedef enum {
    APP_TAKES_FORMAT = 1 << 0,  /* --format, -o */
    APP_TAKES_SEED = 1 << 1,    /* --seed */
    APP_TAKES_THREADS = 1 << 2, /* --threads */
    APP_TAKES_COMMAND = 1 << 3, /* "-- command" */
    APP_TAKES_OUTPUT = 1 << 4,  /* -o without --format; output_help says what it writes */
    APP_TAKES_LIMIT = 1 << 5,   /* --time-limit, after which app_stop_is_asked() */
} app_takes;

struct app_verb {
    const char *name;
    const char *summary;     /* one line, no full stop */
    const char *usage;       /* positional arguments, e.g. "PROGRAM" */
    const char *description; /* paragraphs, separated by empty lines; NULL: describe() makes it */
    /** The description, made from tables. @return owned by the caller */
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
