/* sim/json_member.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Members of the JSON object being built, in one call each. All here, so that only those who write
 * JSON need json-glib, and ripple::base does not.
 */
#pragma once

#include <json-glib/json-glib.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

static inline void sim_json_int(JsonBuilder *builder, const char *name, int64_t value)
{
    json_builder_set_member_name(builder, name);
    json_builder_add_int_value(builder, value);
}

/** NaN and infinities, which JSON does not have, become null. */
static inline void sim_json_double(JsonBuilder *builder, const char *name, double value)
{
    json_builder_set_member_name(builder, name);
    if (isfinite(value)) {
        json_builder_add_double_value(builder, value);
    } else {
        json_builder_add_null_value(builder);
    }
}

/** An element of the array that has begun. Any bytes: what is not UTF-8 is replaced. */
static inline void sim_json_add_text(JsonBuilder *builder, const char *value)
{
    g_autofree char *valid = g_utf8_make_valid(value, -1);
    json_builder_add_string_value(builder, valid);
}

/** The same as a member. NULL: no member. */
static inline void sim_json_text(JsonBuilder *builder, const char *name, const char *value)
{
    if (value != NULL) {
        json_builder_set_member_name(builder, name);
        sim_json_add_text(builder, value);
    }
}

static inline void sim_json_bool(JsonBuilder *builder, const char *name, bool value)
{
    json_builder_set_member_name(builder, name);
    json_builder_add_boolean_value(builder, value);
}

/** @p value, which is taken, may be any JSON. */
static inline void sim_json_node(JsonBuilder *builder, const char *name, JsonNode *value)
{
    json_builder_set_member_name(builder, name);
    json_builder_add_value(builder, value);
}

/** An array or object begins; the caller ends it. */
static inline void sim_json_begin_array(JsonBuilder *builder, const char *name)
{
    json_builder_set_member_name(builder, name);
    json_builder_begin_array(builder);
}

static inline void sim_json_begin_object(JsonBuilder *builder, const char *name)
{
    json_builder_set_member_name(builder, name);
    json_builder_begin_object(builder);
}

/** The object that has ended, in one line. Owned by the caller. */
static inline char *sim_json_line(JsonBuilder *builder)
{
    g_autoptr(JsonNode) root = json_builder_get_root(builder);
    return json_to_string(root, FALSE);
}
