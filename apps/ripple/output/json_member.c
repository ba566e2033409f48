/* apps/ripple/output/json_member.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_output, cli_measure. */
#include "output/json_member.h"

#include <math.h>

void app_json_int(JsonBuilder *builder, const char *name, int64_t value)
{
    json_builder_set_member_name(builder, name);
    json_builder_add_int_value(builder, value);
}

void app_json_double(JsonBuilder *builder, const char *name, double value)
{
    json_builder_set_member_name(builder, name);
    if (isfinite(value)) {
        json_builder_add_double_value(builder, value);
    } else {
        json_builder_add_null_value(builder);
    }
}

void app_json_text(JsonBuilder *builder, const char *name, const char *value)
{
    json_builder_set_member_name(builder, name);
    app_json_add_text(builder, value);
}

void app_json_add_text(JsonBuilder *builder, const char *value)
{
    g_autofree char *valid = g_utf8_make_valid(value, -1);
    json_builder_add_string_value(builder, valid);
}

void app_json_bool(JsonBuilder *builder, const char *name, bool value)
{
    json_builder_set_member_name(builder, name);
    json_builder_add_boolean_value(builder, value);
}

void app_json_node(JsonBuilder *builder, const char *name, JsonNode *value)
{
    json_builder_set_member_name(builder, name);
    json_builder_add_value(builder, value);
}

void app_json_begin_array(JsonBuilder *builder, const char *name)
{
    json_builder_set_member_name(builder, name);
    json_builder_begin_array(builder);
}

void app_json_begin_object(JsonBuilder *builder, const char *name)
{
    json_builder_set_member_name(builder, name);
    json_builder_begin_object(builder);
}
