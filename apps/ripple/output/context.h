/* apps/ripple/output/context.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The options that every verb has, and what a verb says to the user besides its result.
 */
#pragma once

#include "output/manifest.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/** The formats of a verb that names none of its own. */
typedef enum { APP_FORMAT_TEXT, APP_FORMAT_JSON, APP_FORMAT_CSV } app_format;

/** What the framework has understood of the command line. */
typedef struct app_context {
    const char *verb;  /* its name */
    const char *usage; /* its positional arguments */
    char **args;       /* positional arguments, NULL-terminated */
    unsigned nargs;    /* how many */
    char **command;    /* what follows "--", NULL-terminated; NULL: no "--" */
    unsigned format;   /* index in the verb's formats: app_format, unless it has its own */
    bool format_given;
    char *output; /* -o, or NULL: standard output */
    uint64_t seed;
    bool seed_given;
    unsigned threads; /* >= 1 */
    bool quiet;
    app_manifest *manifest; /* with the seed; the verb adds the parameters that took effect */
} app_context;

/** Wrong number of positional arguments: an error of usage. Both ends inclusive. */
bool app_context_check_args(const app_context *context, unsigned min, unsigned max, GError **error);
/** One line on standard error, "ripple VERB: …"; silent under --quiet. */
void app_context_note(const app_context *context, const char *format, ...) G_GNUC_PRINTF(2, 3);
