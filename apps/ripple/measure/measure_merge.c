/* apps/ripple/measure/measure_merge.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_measure_merge. */
#include "measure/measure_merge.h"

#include "noise/detour_file.h"
#include "output/error.h"
#include "sim/json_member.h"

#include <stdlib.h>
#include <string.h>

static const char PREFIX[] = "# ripple: ";
/* Measurements that began further apart than this do not show what CPUs have in common. */
static const int64_t TOGETHER_NS = INT64_C(10000000);

typedef struct merge {
    const char *path; /* that is read */
    JsonObject *first;
    JsonArray *cpus;
    JsonArray *nodes;
    JsonArray *sources;
    JsonArray *provenances;
    GHashTable *seen; /* "node cpu": path */
    GString *data;
    GString *fatal;
    GString *notes;
    int64_t begin_first, begin_last; /* of the windows that were kept; CLOCK_REALTIME ns */
    size_t num_begins;
} merge;

static bool fail(const merge *m, GError **error, const char *format, ...) G_GNUC_PRINTF(3, 4);
static bool fail(const merge *m, GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s: %s", m->path, text);
    return false;
}

static const char *text_of(JsonObject *object, const char *name)
{
    JsonNode *node = object != NULL ? json_object_get_member(object, name) : NULL;
    return node != NULL && JSON_NODE_HOLDS_VALUE(node) &&
                   json_node_get_value_type(node) == G_TYPE_STRING
               ? json_node_get_string(node)
               : NULL;
}

static JsonArray *array_of(JsonObject *object, const char *name)
{
    JsonNode *node = json_object_get_member(object, name);
    return node != NULL && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
}

static JsonObject *object_of(JsonArray *array, guint i)
{
    JsonNode *node =
        array != NULL && i < json_array_get_length(array) ? json_array_get_element(array, i) : NULL;
    return node != NULL && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

static int64_t whole(JsonObject *object, const char *name, int64_t otherwise)
{
    JsonNode *node = object != NULL ? json_object_get_member(object, name) : NULL;
    return node != NULL && JSON_NODE_HOLDS_VALUE(node) &&
                   json_node_get_value_type(node) == G_TYPE_INT64
               ? json_node_get_int(node)
               : otherwise;
}

/* What all must have in common, or runs of different meaning would stand side by side. */
static bool fits(const merge *m, JsonObject *header, GError **error)
{
    static const char *const names[] = {"format", "version", "method", "quantum_ns", "kernel"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        JsonNode *a = json_object_get_member(m->first, names[i]);
        JsonNode *b = json_object_get_member(header, names[i]);
        g_autofree char *was = a != NULL ? json_to_string(a, FALSE) : g_strdup("absent");
        g_autofree char *is = b != NULL ? json_to_string(b, FALSE) : g_strdup("absent");
        if (!g_str_equal(was, is)) {
            return fail(m, error, "does not fit: its %s is %s, not %s", names[i], is, was);
        }
    }
    return true;
}

/* Index of @p name among the nodes, which it is added to. */
static int64_t node_index(merge *m, const char *name)
{
    const guint n = json_array_get_length(m->nodes);
    for (guint i = 0; i < n; i++) {
        if (g_str_equal(json_array_get_string_element(m->nodes, i), name)) {
            return i;
        }
    }
    json_array_add_string_element(m->nodes, name);
    return n;
}

static bool add_cpus(merge *m, JsonObject *header, GError **error)
{
    JsonArray *cpus = array_of(header, "cpus");
    JsonArray *nodes = array_of(header, "nodes"); /* it is a merged one already */
    JsonNode *origin = json_object_get_member(header, "provenance");
    const char *host = origin != NULL && JSON_NODE_HOLDS_OBJECT(origin)
                           ? text_of(json_node_get_object(origin), "host")
                           : NULL;
    for (guint i = 0; cpus != NULL && i < json_array_get_length(cpus); i++) {
        JsonObject *cpu = object_of(cpus, i);
        const int64_t old = whole(cpu, "node", -1);
        const char *name = nodes != NULL && old >= 0 && old < json_array_get_length(nodes)
                               ? json_array_get_string_element(nodes, (guint)old)
                               : host;
        const int64_t number = whole(cpu, "cpu", -1);
        if (name == NULL || number < 0) {
            return fail(m, error, "does not say on which node and CPU run %u was measured", i + 1);
        }
        const int64_t node = node_index(m, name);
        char *key = g_strdup_printf("%" G_GINT64_FORMAT " of %s", number, name);
        const char *other = g_hash_table_lookup(m->seen, key);
        if (other != NULL) {
            fail(m, error, "does not fit: CPU %s is in %s, too", key, other);
            g_free(key);
            return false;
        }
        g_hash_table_insert(m->seen, key, g_strdup(m->path));
        JsonNode *copy = json_node_copy(json_array_get_element(cpus, i));
        json_object_set_int_member(json_node_get_object(copy), "node", node);
        json_array_add_element(m->cpus, copy);
    }
    if (origin != NULL) {
        json_array_add_element(m->provenances, json_node_copy(origin));
    }
    return cpus != NULL && json_array_get_length(cpus) > 0
               ? true
               : fail(m, error, "does not say which CPUs were measured");
}

/* The index that source @p i of this file has in the merged one, by name and kind. */
static unsigned source_index(merge *m, JsonArray *sources, guint i)
{
    JsonObject *source = object_of(sources, i);
    for (guint k = 0; k < json_array_get_length(m->sources); k++) {
        JsonObject *other = object_of(m->sources, k);
        if (g_strcmp0(text_of(other, "name"), text_of(source, "name")) == 0) {
            return k;
        }
    }
    json_array_add_element(m->sources, json_node_copy(json_array_get_element(sources, i)));
    return json_array_get_length(m->sources) - 1;
}

/* All lines below the header; third columns by the merged sources. */
static bool add_lines(merge *m, JsonObject *header, const char *text, GError **error)
{
    JsonArray *sources = array_of(header, "sources");
    const guint n = sources != NULL ? json_array_get_length(sources) : 0;
    g_autofree unsigned *map = g_new0(unsigned, n + 1);
    for (guint i = 0; i < n; i++) {
        map[i] = source_index(m, sources, i);
    }
    if (json_array_get_length(m->sources) > NOISE_DETOUR_MOST_SOURCES) {
        return fail(m, error, "does not fit: more than %d sources in all",
                    NOISE_DETOUR_MOST_SOURCES);
    }
    while (*text != '\0') {
        const size_t len = strcspn(text, "\n");
        const char *tab = n > 0 && *text != '#' ? memchr(text, '\t', len) : NULL;
        tab = tab != NULL ? memchr(tab + 1, '\t', len - (size_t)(tab + 1 - text)) : NULL;
        if (tab != NULL) {
            const unsigned long index = strtoul(tab + 1, NULL, 10);
            if (index >= n) {
                return fail(m, error, "there is no source %lu", index);
            }
            g_string_append_len(m->data, text, tab + 1 - text);
            g_string_append_printf(m->data, "%u\n", map[index]);
        } else {
            g_string_append_len(m->data, text, (gssize)len);
            g_string_append_c(m->data, '\n');
        }
        text += len + (text[len] == '\n');
    }
    return true;
}

static void add_verdict(merge *m, JsonObject *header)
{
    const char *verdict = text_of(header, "verdict");
    const bool valid = json_object_get_boolean_member_with_default(header, "valid", FALSE);
    g_auto(GStrv) lines = g_strsplit(verdict != NULL ? verdict : "", "\n", -1);
    bool said = false;
    for (char **line = lines; *line != NULL; line++) {
        const bool bad = g_str_has_prefix(*line, "not valid: ");
        const char *colon = strstr(*line, ": ");
        if (colon != NULL) {
            g_string_append_printf(bad ? m->fatal : m->notes, "\n%s: %s%s",
                                   bad ? "not valid" : "note", m->path, colon);
            said = said || bad;
        }
    }
    if (!valid && !said) {
        g_string_append_printf(m->fatal, "\nnot valid: %s: no verdict says that it is valid",
                               m->path);
    }
    JsonObject *window = object_of(array_of(header, "windows"), (guint)whole(header, "kept", 0));
    const int64_t begin = whole(window, "begin_ns", 0);
    if (begin > 0) {
        m->begin_first = m->num_begins == 0 ? begin : MIN(m->begin_first, begin);
        m->begin_last = MAX(m->begin_last, begin);
        m->num_begins++;
    }
}

static bool add_file(merge *m, GError **error)
{
    g_autofree char *text = NULL;
    if (!g_file_get_contents(m->path, &text, NULL, error)) {
        return false;
    }
    const size_t len = strcspn(text, "\n");
    if (!g_str_has_prefix(text, PREFIX) || text[len] == '\0') {
        return fail(m, error, "is not a file of ripple measure -o: its first line is no JSON");
    }
    /* Refuses what is no trace, and JSON that nests too deeply for the parser below. */
    g_autoptr(noise_detour_file) file = noise_detour_file_read(m->path, error);
    if (file == NULL) {
        return false;
    }
    g_autofree char *json = g_strndup(text + strlen(PREFIX), len - strlen(PREFIX));
    g_autoptr(JsonNode) root = json_from_string(json, NULL);
    if (root == NULL || !JSON_NODE_HOLDS_OBJECT(root)) {
        return fail(m, error, "its first line is no JSON object");
    }
    JsonObject *header = json_node_get_object(root);
    if (m->first == NULL) {
        m->first = json_object_ref(header);
    }
    if (!fits(m, header, error) || !add_cpus(m, header, error) ||
        !add_lines(m, header, text + len + 1, error)) {
        return false;
    }
    add_verdict(m, header);
    return true;
}

/* Were they measured at the same time? */
static void judge_begins(merge *m, unsigned n)
{
    if (m->num_begins < n || n < 2) {
        return;
    }
    const int64_t apart = m->begin_last - m->begin_first;
    g_string_append_printf(
        m->notes,
        "\nnote: by the clocks of the nodes the runs began within %.3g ms of each other%s",
        (double)apart / 1e6,
        apart > TOGETHER_NS ? ": what strikes all CPUs at once does not show as that (several "
                              "windows? each process keeps "
                              "its own best; --windows=1)"
                            : "");
}

static char *header_of(merge *m, const char *verdict)
{
    static const char *const copied[] = {"format", "version", "method",           "quantum_ns",
                                         "kernel", "clock",   "ticks_per_second", "provenance"};
    JsonObject *object = json_object_new();
    for (size_t i = 0; i < G_N_ELEMENTS(copied); i++) {
        JsonNode *node = json_object_get_member(m->first, copied[i]);
        if (node != NULL) {
            json_object_set_member(object, copied[i], json_node_copy(node));
        }
    }
    json_object_set_boolean_member(object, "valid", m->fatal->len == 0);
    json_object_set_string_member(object, "verdict", verdict);
    json_object_set_array_member(object, "nodes", json_array_ref(m->nodes));
    json_object_set_array_member(object, "cpus", json_array_ref(m->cpus));
    if (json_array_get_length(m->sources) > 0) {
        json_object_set_array_member(object, "sources", json_array_ref(m->sources));
    }
    json_object_set_array_member(object, "provenances", json_array_ref(m->provenances));
    g_autoptr(JsonNode) root = json_node_new(JSON_NODE_OBJECT);
    json_node_take_object(root, object);
    return json_to_string(root, FALSE);
}

bool app_measure_merge(char *const *paths, unsigned n, app_measure_merged *out, GError **error)
{
    merge m = {.cpus = json_array_new(),
               .nodes = json_array_new(),
               .sources = json_array_new(),
               .provenances = json_array_new(),
               .seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
               .data = g_string_new(NULL),
               .fatal = g_string_new(NULL),
               .notes = g_string_new(NULL)};
    bool ok = true;
    for (unsigned i = 0; i < n && ok; i++) {
        m.path = paths[i];
        ok = add_file(&m, error);
    }
    if (ok) {
        judge_begins(&m, n);
        out->valid = m.fatal->len == 0;
        out->verdict = out->valid ? g_strconcat("valid", m.notes->str, NULL)
                                  : g_strconcat(m.fatal->str + 1, m.notes->str, NULL);
        g_autofree char *header = header_of(&m, out->verdict);
        out->text = g_strconcat(PREFIX, header, "\n", m.data->str, NULL);
    }
    g_clear_pointer(&m.first, json_object_unref);
    json_array_unref(m.cpus);
    json_array_unref(m.nodes);
    json_array_unref(m.sources);
    json_array_unref(m.provenances);
    g_hash_table_unref(m.seen);
    g_string_free(m.data, TRUE);
    g_string_free(m.fatal, TRUE);
    g_string_free(m.notes, TRUE);
    return ok;
}

void app_measure_merged_clear(app_measure_merged *merged)
{
    g_free(merged->text);
    g_free(merged->verdict);
    *merged = (app_measure_merged){NULL, false, NULL};
}
