/* noise/activity/nit_set.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_nit_merge, fuzz_nit_set. */
/**
 * @file
 * The file of several nodes: a line that says what it is, a line of JSON with the clocks, then the
 * nodes' own files byte for byte. So nothing is lost, and clocks can be compared again in another
 * way.
 */
#include "noise/nit_merge.h"

#include "sim/json_member.h"

#include <math.h>
#include <string.h>

static const char MAGIC[] = "ripple nits 1\n";
#define MAGIC_BYTES (sizeof MAGIC - 1)

bool noise_nit_set_is(const void *data, size_t size)
{
    return size >= MAGIC_BYTES && memcmp(data, MAGIC, MAGIC_BYTES) == 0;
}

GBytes *noise_nit_set_build(const char *const *names, const noise_node_clock *clocks,
                            GBytes *const *parts, size_t n)
{
    g_autoptr(JsonBuilder) b = json_builder_new();
    json_builder_begin_object(b);
    sim_json_begin_array(b, "nodes");
    for (size_t i = 0; i < n; i++) {
        json_builder_begin_object(b);
        sim_json_text(b, "file", names[i]);
        sim_json_int(b, "bytes", (int64_t)g_bytes_get_size(parts[i]));
        sim_json_text(b, "by", noise_clocks_by_names[clocks[i].by]);
        sim_json_int(b, "at_ns", (int64_t)clocks[i].at);
        sim_json_int(b, "offset_ns", clocks[i].offset_ns);
        sim_json_double(b, "drift", clocks[i].drift);
        sim_json_double(b, "uncertainty_ns", clocks[i].uncertainty_ns);
        sim_json_int(b, "pairs", (int64_t)clocks[i].pairs);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
    json_builder_end_object(b);
    g_autofree char *line = sim_json_line(b);
    GByteArray *all = g_byte_array_new();
    g_byte_array_append(all, (const guint8 *)MAGIC, MAGIC_BYTES);
    g_byte_array_append(all, (const guint8 *)line, (guint)strlen(line));
    g_byte_array_append(all, (const guint8 *)"\n", 1);
    for (size_t i = 0; i < n; i++) {
        gsize size = 0;
        const void *data = g_bytes_get_data(parts[i], &size);
        g_byte_array_append(all, data, (guint)size);
    }
    return g_byte_array_free_to_bytes(all);
}

static bool refuse(const char *name, const char *what, GError **error)
{
    g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_FILE, "%s:2: %s", name, what);
    return false;
}

static bool get_number(JsonObject *object, const char *key, double *out)
{
    JsonNode *node = json_object_get_member(object, key);
    if (node == NULL || !JSON_NODE_HOLDS_VALUE(node)) {
        return false;
    }
    *out = json_node_get_double(node);
    return isfinite(*out);
}

static bool get_int(JsonObject *object, const char *key, int64_t *out)
{
    JsonNode *node = json_object_get_member(object, key);
    if (node == NULL || !JSON_NODE_HOLDS_VALUE(node) ||
        json_node_get_value_type(node) != G_TYPE_INT64) {
        return false;
    }
    *out = json_node_get_int(node);
    return true;
}

static const char *get_text(JsonObject *object, const char *key)
{
    JsonNode *node = json_object_get_member(object, key);
    return node != NULL && JSON_NODE_HOLDS_VALUE(node) ? json_node_get_string(node) : NULL;
}

static bool read_clock(JsonObject *object, noise_node_clock *c, int64_t *bytes)
{
    int64_t at = 0;
    int64_t pairs = 0;
    const char *by = get_text(object, "by");
    int way = 0;
    while (noise_clocks_by_names[way] != NULL && g_strcmp0(by, noise_clocks_by_names[way]) != 0) {
        way++;
    }
    c->by = (noise_clocks_by)way;
    const bool whole = way < NOISE_NUM_CLOCKS_BY && get_int(object, "bytes", bytes) &&
                       get_int(object, "at_ns", &at) &&
                       get_int(object, "offset_ns", &c->offset_ns) &&
                       get_number(object, "drift", &c->drift) && get_int(object, "pairs", &pairs);
    c->at = (uint64_t)at;
    c->pairs = (size_t)pairs;
    if (!get_number(object, "uncertainty_ns", &c->uncertainty_ns)) {
        c->uncertainty_ns = NAN;
    }
    return whole && *bytes > 0 && at >= 0 && pairs >= 0 && fabs(c->drift) < 1 &&
           c->offset_ns > INT64_MIN / 4 && c->offset_ns < INT64_MAX / 4;
}

static bool read_nodes(const char *name, JsonArray *nodes, const char *data, size_t size,
                       noise_nit_set *set, noise_nit **nits, GError **error)
{
    size_t at = 0;
    for (size_t i = 0; i < set->n; i++) {
        JsonNode *node = json_array_get_element(nodes, (guint)i);
        JsonObject *object = JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
        int64_t bytes = 0;
        if (object == NULL || !read_clock(object, &set->clocks[i], &bytes)) {
            return refuse(name, "not a list of nodes and their clocks", error);
        }
        if ((uint64_t)bytes > size - at) {
            return refuse(name, "the file is shorter than this line says", error);
        }
        const char *file = get_text(object, "file");
        set->names[i] = g_strdup(file != NULL ? file : "?");
        g_autofree char *part = g_strdup_printf("%s (%s)", name, set->names[i]);
        nits[i] = noise_nit_parse(part, data + at, (size_t)bytes, error);
        if (nits[i] == NULL) {
            return false;
        }
        at += (size_t)bytes;
    }
    return at == size || refuse(name, "the file is longer than this line says", error);
}

/* The list of nodes in the second line; @p at: where their files begin. */
static JsonArray *read_head(const char *name, JsonParser *parser, const char *data, size_t size,
                            size_t *at, GError **error)
{
    const char *line = data + MAGIC_BYTES;
    const char *end = memchr(line, '\n', size - MAGIC_BYTES);
    if (end == NULL || !json_parser_load_from_data(parser, line, end - line, NULL)) {
        refuse(name, "not a line of JSON", error);
        return NULL;
    }
    *at = (size_t)(end + 1 - data);
    JsonNode *root = json_parser_get_root(parser);
    JsonNode *list = root != NULL && JSON_NODE_HOLDS_OBJECT(root)
                         ? json_object_get_member(json_node_get_object(root), "nodes")
                         : NULL;
    if (list == NULL || !JSON_NODE_HOLDS_ARRAY(list) ||
        json_array_get_length(json_node_get_array(list)) == 0) {
        refuse(name, "no list of nodes", error);
        return NULL;
    }
    return json_node_get_array(list);
}

/* A plain file: its only clock is the common one. */
static noise_nit_set *set_of_one(const char *name, noise_nit *nit)
{
    noise_nit_set *set = g_new0(noise_nit_set, 1);
    set->n = 1;
    set->names = g_new0(char *, 2);
    set->names[0] = g_strdup(name);
    set->clocks = g_new0(noise_node_clock, 1);
    set->nit = nit;
    return set;
}

noise_nit_set *noise_nit_set_parse(const char *name, const void *data, size_t size, GError **error)
{
    if (!noise_nit_set_is(data, size)) {
        noise_nit *nit = noise_nit_parse(name, data, size, error);
        return nit != NULL ? set_of_one(name, nit) : NULL;
    }
    g_autoptr(JsonParser) parser = json_parser_new();
    size_t at = 0;
    JsonArray *nodes = read_head(name, parser, data, size, &at, error);
    if (nodes == NULL) {
        return NULL;
    }
    g_autoptr(noise_nit_set) set = g_new0(noise_nit_set, 1);
    set->n = json_array_get_length(nodes);
    set->names = g_new0(char *, set->n + 1);
    set->clocks = g_new0(noise_node_clock, set->n);
    noise_nit **nits = g_new0(noise_nit *, set->n);
    const bool whole =
        read_nodes(name, nodes, (const char *)data + at, size - at, set, nits, error);
    if (whole) {
        set->nit = noise_nit_merge((const noise_nit *const *)nits, set->clocks, set->n);
    }
    for (size_t i = 0; i < set->n; i++) {
        noise_nit_free(nits[i]);
    }
    g_free(nits);
    return whole ? g_steal_pointer(&set) : NULL;
}

noise_nit_set *noise_nit_set_read(const char *path, GError **error)
{
    g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, error);
    if (file == NULL) {
        return NULL;
    }
    const char *data = g_mapped_file_get_contents(file);
    return noise_nit_set_parse(path, data != NULL ? data : "", g_mapped_file_get_length(file),
                               error);
}

void noise_nit_set_free(noise_nit_set *set)
{
    if (set != NULL) {
        g_strfreev(set->names);
        g_free(set->clocks);
        noise_nit_free(set->nit);
        g_free(set);
    }
}
