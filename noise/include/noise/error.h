/* noise/error.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The error domain of this layer. Messages name file, line and value.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define NOISE_ERROR (noise_error_quark())
GQuark noise_error_quark(void);

typedef enum {
    NOISE_ERROR_BAD_DETOUR, /* overlaps the one before, is out of order or out of range */
    NOISE_ERROR_BAD_FILE,
    NOISE_ERROR_BAD_MODEL, /* a model or preset that cannot be understood */
    NOISE_ERROR_MEASURE,   /* this machine cannot be measured */
    NOISE_ERROR_BAD_CPUS,  /* a list of CPUs that cannot be understood */
} noise_error;

G_END_DECLS
