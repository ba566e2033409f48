/* noise/measure/measure_json.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_selfish. */
#include "measure/measure_json_private.h"

#include <math.h>

void noise_json_int(JsonBuilder *builder, const char *name, int64_t value)
{
    json_builder_set_member_name(builder, name);
    json_builder_add_int_value(builder, value);
}

void noise_json_double(JsonBuilder *builder, const char *name, double value)
{
    json_builder_set_member_name(builder, name);
    if (isfinite(value)) {
        json_builder_add_double_value(builder, value);
    } else {
        json_builder_add_null_value(builder);
    }
}

void noise_json_bool(JsonBuilder *builder, const char *name, bool value)
{
    json_builder_set_member_name(builder, name);
    json_builder_add_boolean_value(builder, value);
}

void noise_json_text(JsonBuilder *builder, const char *name, const char *value)
{
    if (value != NULL) {
        g_autofree char *valid = g_utf8_make_valid(value, -1);
        json_builder_set_member_name(builder, name);
        json_builder_add_string_value(builder, valid);
    }
}

char *noise_json_line(JsonBuilder *builder)
{
    g_autoptr(JsonNode) root = json_builder_get_root(builder);
    return json_to_string(root, FALSE);
}
