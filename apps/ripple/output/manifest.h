/* apps/ripple/output/manifest.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a result was computed from: version, command line and every parameter that took effect. It
 * is the header of each output: one '#' line in text and CSV, the object "manifest" in JSON.
 * Options that cannot change a result (--threads, --time-limit, --output, --quiet) are left out, so
 * that the same experiment gives the same bytes.
 */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

typedef struct app_manifest app_manifest;

/** @param argv NULL-terminated, without what cannot change the result; copied */
app_manifest *app_manifest_new(const char *verb, char **argv);
void app_manifest_free(app_manifest *manifest);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_manifest, app_manifest_free)

/** A parameter that took effect, in the order in which they are to be listed. */
void app_manifest_add(app_manifest *manifest, const char *key, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
/** The seed comes last in the line and is a number in JSON. */
void app_manifest_set_seed(app_manifest *manifest, guint64 seed);
/** The version of what follows it in JSON; 1 if it is not set. */
void app_manifest_set_schema(app_manifest *manifest, unsigned version);

/** "# ripple 0.1.0 simulate machine=xt4 … seed=1", without newline. Owned by the caller. */
char *app_manifest_line(const app_manifest *manifest);
/** Add members "schema" (ripple.VERB/VERSION) and "manifest" to the object being built. */
void app_manifest_build(const app_manifest *manifest, JsonBuilder *builder);
