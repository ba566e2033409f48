/* apps/ripple/pages/component_data.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What was mined as JSON for script/component.js.
 */
#pragma once

#include "pages/component_view.h"

#include <json-glib/json-glib.h>

/**
 * @param most_slices  around events; those of later exemplars are left out
 * @param num_bare     out: exemplars whose slices are left out
 * @return owned by the caller
 */
JsonNode *app_component_data_new(const app_component_view *view, size_t most_slices,
                                 size_t *num_bare);
/** What is said above the timelines of a row. Owned by the caller. */
char *app_component_about(const app_component_view *view, size_t row);
/** By how much an event is longer than expected, or by the mean of its row. */
sim_time app_component_excess(const app_component_view *view, const app_exemplar *exemplar);
/** Is the event a computation or a call? */
app_exemplar_kind app_exemplar_event_kind(const app_exemplar *exemplar);
