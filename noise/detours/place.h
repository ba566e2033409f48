/* noise/detours/place.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What stands behind '@': whom a component strikes. docs/noise.md, section 2.1.
 */
#pragma once

#include "noise/error.h"
#include "noise/signature.h"

#include <stdbool.h>

typedef struct noise_where {
    noise_place place;
    noise_scope scope;
    uint32_t num_ranges;
    noise_range *ranges; /* [num_ranges] owned; NULL where the scope is all */
    const char *text;    /* borrowed from the caller; NULL: nothing was said */
} noise_where;

/**
 * @param text "core", "node:17", "0-1023/64"; NULL: every core
 * @return false with NOISE_ERROR_BAD_MODEL; @p out is then as before
 */
bool noise_where_parse(const char *text, noise_where *out, GError **error);
