/* apps/ripple/pages/view_data.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A picture as JSON for script/view.js.
 */
#pragma once

#include "view/picture.h"

#include <json-glib/json-glib.h>

typedef struct app_view_size {
    size_t most_bytes;   /* of the JSON, roughly */
    size_t first_level;  /* out: the finest level of the heat map that fits; num_levels: none */
    bool without_detail; /* out: numbers of operations did not fit, and times are rounded to ns */
} app_view_size;

/**
 * Lanes, messages and path first; then as many levels of the heat map as fit, from the coarsest to
 * the finest. O(slices + cells).
 * @return owned by the caller; NULL: the lanes alone do not fit
 */
JsonNode *app_view_data_new(const app_picture *picture, app_view_size *size);
