/* apps/ripple/output/json_member.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Members of the JSON object being built, in one call each.
 */
#pragma once

#include <json-glib/json-glib.h>
#include <stdint.h>

void app_json_int(JsonBuilder *builder, const char *name, int64_t value);
/** NaN and infinities, which JSON does not have, become null. */
void app_json_double(JsonBuilder *builder, const char *name, double value);
/** Any bytes: what is not UTF-8 is replaced. */
void app_json_text(JsonBuilder *builder, const char *name, const char *value);
/** An array or object begins; the caller ends it. */
void app_json_begin_array(JsonBuilder *builder, const char *name);
void app_json_begin_object(JsonBuilder *builder, const char *name);
