/* apps/ripple/output/json_member.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Members of the JSON object being built, in one call each.
 */
#pragma once

#include <json-glib/json-glib.h>
#include <stdbool.h>
#include <stdint.h>

void app_json_int(JsonBuilder *builder, const char *name, int64_t value);
/** NaN and infinities, which JSON does not have, become null. */
void app_json_double(JsonBuilder *builder, const char *name, double value);
/** Any bytes: what is not UTF-8 is replaced. */
void app_json_text(JsonBuilder *builder, const char *name, const char *value);
void app_json_bool(JsonBuilder *builder, const char *name, bool value);
/** @p value, which is taken, may be any JSON. */
void app_json_node(JsonBuilder *builder, const char *name, JsonNode *value);
/** An element of the array that has begun, as app_json_text(). */
void app_json_add_text(JsonBuilder *builder, const char *value);
/** An array or object begins; the caller ends it. */
void app_json_begin_array(JsonBuilder *builder, const char *name);
void app_json_begin_object(JsonBuilder *builder, const char *name);
