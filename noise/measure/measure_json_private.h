/* noise/measure/measure_json_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Members of the JSON object in which a measurement says where it comes from, in one call each.
 */
#pragma once

#include <json-glib/json-glib.h>
#include <stdbool.h>
#include <stdint.h>

void noise_json_int(JsonBuilder *builder, const char *name, int64_t value);
/** NaN and infinities, which JSON does not have, become null. */
void noise_json_double(JsonBuilder *builder, const char *name, double value);
void noise_json_bool(JsonBuilder *builder, const char *name, bool value);
/** Any bytes: what is not UTF-8 is replaced. NULL: no member. */
void noise_json_text(JsonBuilder *builder, const char *name, const char *value);
/** The object that has ended, in one line. Owned by the caller. */
char *noise_json_line(JsonBuilder *builder);
