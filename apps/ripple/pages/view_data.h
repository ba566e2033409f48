/* apps/ripple/pages/view_data.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A picture as JSON for script/view.js.
 */
#pragma once

#include "pages/packed_heat.h"
#include "view/picture.h"

#include <json-glib/json-glib.h>

typedef struct app_view_size {
    size_t most_bytes;    /* of the JSON, roughly */
    app_packed_heat heat; /* out: what fits of the heat map */
    bool without_detail;  /* out: numbers of operations did not fit, and times are rounded to ns */
} app_view_size;

/**
 * Lanes, messages and path first; then as much of the heat map as fits. O(slices + cells).
 * @return owned by the caller; NULL: the lanes alone do not fit
 */
JsonNode *app_view_data_new(const app_picture *picture, app_view_size *size);
