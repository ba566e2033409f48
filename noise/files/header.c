/* noise/files/header.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_detour_file. */
#include "files/header.h"

#include <math.h>

/* json-glib's parser recurses: a line of brackets would exhaust the stack. */
static bool nests_deeply(const char *json)
{
    int depth = 0;
    bool quoted = false;
    for (const char *p = json; *p != '\0' && depth < 64; p++) {
        if (*p == '\\' && quoted && p[1] != '\0') {
            p++;
        } else if (*p == '"') {
            quoted = !quoted;
        } else if (!quoted) {
            depth += (*p == '[' || *p == '{') - (*p == ']' || *p == '}');
        }
    }
    return depth >= 64;
}

static bool refuse(char **why, char *what)
{
    if (why != NULL) {
        *why = what;
    } else {
        g_free(what);
    }
    return false;
}

bool noise_header_parse(const char *json, noise_header *out, char **why)
{
    *out = (noise_header){NULL};
    if (json == NULL) {
        return true;
    }
    if (nests_deeply(json)) {
        return refuse(why, g_strdup("the header is not JSON: it nests too deeply"));
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(JsonNode) root = json_from_string(json, &error);
    if (error != NULL) {
        return refuse(why, g_strdup_printf("the header is not JSON: %s", error->message));
    }
    if (root == NULL || !JSON_NODE_HOLDS_OBJECT(root)) {
        return refuse(why, g_strdup("the header is not a JSON object"));
    }
    out->root = g_steal_pointer(&root);
    return true;
}

void noise_header_clear(noise_header *header)
{
    g_clear_pointer(&header->root, json_node_unref);
}

static JsonNode *member(JsonNode *object, const char *name)
{
    return object != NULL && JSON_NODE_HOLDS_OBJECT(object)
               ? json_object_get_member(json_node_get_object(object), name)
               : NULL;
}

/* NULL: there is no such array. */
static JsonArray *array(JsonNode *object, const char *name)
{
    JsonNode *node = member(object, name);
    return node != NULL && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
}

const char *noise_header_text(JsonNode *object, const char *name)
{
    JsonNode *node = member(object, name);
    return node != NULL && JSON_NODE_HOLDS_VALUE(node) &&
                   json_node_get_value_type(node) == G_TYPE_STRING
               ? json_node_get_string(node)
               : NULL;
}

static uint32_t index_of(JsonNode *object, const char *name)
{
    JsonNode *node = member(object, name);
    const bool is_number = node != NULL && JSON_NODE_HOLDS_VALUE(node) &&
                           json_node_get_value_type(node) == G_TYPE_INT64;
    const gint64 value = is_number ? json_node_get_int(node) : -1;
    return value >= 0 && value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

sim_time noise_header_time(JsonNode *object, const char *name)
{
    JsonNode *ns = member(object, name);
    const double ps = ns != NULL && JSON_NODE_HOLDS_VALUE(ns) ? json_node_get_double(ns) * 1e3 : -1;
    return ps > 0 && ps <= (double)SIM_TIME_MAX ? llround(ps) : -1;
}

noise_header_cpu noise_header_cpu_of(const noise_header *header, size_t run)
{
    noise_header_cpu cpu = {-1, UINT32_MAX, UINT32_MAX};
    JsonArray *cpus = array(header->root, "cpus");
    if (cpus == NULL || run >= json_array_get_length(cpus)) {
        return cpu;
    }
    JsonNode *object = json_array_get_element(cpus, (guint)run);
    cpu.duration = noise_header_time(object, "duration_ns");
    cpu.node = index_of(object, "node");
    cpu.cpu = index_of(object, "cpu");
    return cpu;
}

JsonNode *noise_header_source(const noise_header *header, unsigned i)
{
    JsonArray *sources = array(header->root, "sources");
    return sources != NULL && i < json_array_get_length(sources)
               ? json_array_get_element(sources, i)
               : NULL;
}
