/* apps/ripple/output/result.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "output/context.h"
#include "output/output.h"

/** How a kind of result is shown in each format. */
typedef struct app_result_writer {
    void (*text)(const void *result, FILE *out);
    void (*csv)(const void *result, FILE *out);
    /** Add the result's members to the object being built. */
    void (*json)(const void *result, JsonBuilder *builder);
} app_result_writer;

/**
 * Write a result, headed by the manifest, to @p path (NULL: standard output) as text, JSON or CSV
 * (@p format: app_format).
 */
bool app_result_write(const app_context *context, const char *path, unsigned format,
                      const app_result_writer *writer, const void *result, GError **error);
