/* apps/ripple/output/output.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Where results go: standard output, or a file that appears whole or not at all. Every failure
 * (full disk, closed pipe, failed flush) is an error.
 */
#pragma once

#include "output/manifest.h"

#include <glib.h>
#include <json-glib/json-glib.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct app_output app_output;

/**
 * @param path NULL: standard output; a device or pipe is written as it is; anything else is
 *   written under another name beside it and renamed when complete
 * @return owned by the caller; NULL with G_FILE_ERROR
 */
app_output *app_output_open(const char *path, GError **error);
/** The place that the command line names for a result. */
typedef struct app_output_place {
    const char *option; /* the option that names it */
    const char *path;   /* NULL: standard output */
    bool read_again;    /* by the same command, so that it must be a file */
} app_output_place;

/**
 * Can a result go to @p place? To be asked before the work whose result it is. Leaves everything as
 * it is. Of devices and pipes, where opening is seen by the other end, only standard output is
 * tried.
 * @param taken [n] what the command reads, and where its other results go: no file may be both.
 *   Members may be NULL
 * @param error usage, naming the option; G_FILE_ERROR if it cannot be opened
 */
bool app_output_check(const app_output_place *place, size_t n, const char *const *taken,
                      GError **error);
/** Print here. Errors are kept until app_output_close(). Borrowed. */
FILE *app_output_stream(app_output *output);
/** Flush, close, rename; frees @p output, even after an error. */
bool app_output_close(app_output *output, GError **error);
/** Give up: nothing is left behind. NULL is a no-op. */
void app_output_discard(app_output *output);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_output, app_output_discard)

/** Print the line that heads text and CSV. */
void app_output_head(app_output *output, const app_manifest *manifest);
/** Print the document @p builder holds, indented, with a newline. */
void app_output_json(app_output *output, JsonBuilder *builder);
/** One field of a CSV row (RFC 4180: quoted where it must be), without a separator. */
void app_output_csv_text(FILE *stream, const char *text);
