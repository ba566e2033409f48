/* noise/traces/provenance.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/provenance.h"

#include <json-glib/json-glib.h>
#include <string.h>

#define NOT_VALID "not valid"

/* The member @p name of @p object, whatever it is; NULL: there is none, or no object. */
static JsonNode *member(JsonNode *object, const char *name)
{
    return object != NULL && JSON_NODE_HOLDS_OBJECT(object)
               ? json_object_get_member(json_node_get_object(object), name)
               : NULL;
}

/* A file comes from elsewhere: nothing in it moves a terminal's cursor. */
static char *readable(const char *value)
{
    char *copy = value != NULL && value[0] != '\0' ? g_utf8_make_valid(value, -1) : NULL;
    for (char *p = copy; p != NULL && *p != '\0'; p++) {
        *p = g_ascii_iscntrl(*p) && *p != '\n' ? ' ' : *p;
    }
    return copy;
}

/* A text, unless it is empty. Owned by the caller. */
static char *text(JsonNode *object, const char *name)
{
    JsonNode *node = member(object, name);
    const bool is_text = node != NULL && JSON_NODE_HOLDS_VALUE(node) &&
                         json_node_get_value_type(node) == G_TYPE_STRING;
    return readable(is_text ? json_node_get_string(node) : NULL);
}

static noise_validity validity_of(JsonNode *header)
{
    JsonNode *valid = member(header, "valid");
    if (valid == NULL || !JSON_NODE_HOLDS_VALUE(valid) ||
        json_node_get_value_type(valid) != G_TYPE_BOOLEAN) {
        return NOISE_VALIDITY_UNKNOWN;
    }
    return json_node_get_boolean(valid) ? NOISE_VALIDITY_VALID : NOISE_VALIDITY_INVALID;
}

/* "Linux" and "6.1.0", which are taken, as far as they are known. */
static char *kernel_of(char *system, char *release)
{
    if (system == NULL || release == NULL) {
        return system != NULL ? system : release;
    }
    char *kernel = g_strdup_printf("%s %s", system, release);
    g_free(system);
    g_free(release);
    return kernel;
}

noise_provenance *noise_provenance_new(const noise_detour_file *file, const char *path)
{
    noise_provenance *p = g_new0(noise_provenance, 1);
    /* The reader has made sure that it is an object that does not nest deeply. */
    g_autoptr(JsonNode) header = file->json != NULL ? json_from_string(file->json, NULL) : NULL;
    JsonNode *machine = member(header, "provenance");
    p->path = g_strdup(path);
    p->validity = validity_of(header);
    p->verdict = text(header, "verdict");
    p->clock = text(header, "clock");
    p->host = text(machine, "host");
    if (p->host == NULL) {
        p->host = readable(file->host);
    }
    p->kernel = kernel_of(text(machine, "sysname"), text(machine, "release"));
    if (p->kernel == NULL) {
        p->kernel = kernel_of(readable(file->system), readable(file->release));
    }
    p->note = readable(file->note);
    p->num_runs = file->num_runs;
    p->run_length = g_new(sim_time, file->num_runs);
    for (size_t r = 0; r < file->num_runs; r++) {
        p->run_length[r] = file->runs[r].period;
        p->length = MIN(p->length + file->runs[r].period, SIM_TIME_MAX);
    }
    return p;
}

void noise_provenance_free(noise_provenance *p)
{
    if (p != NULL) {
        g_free(p->path);
        g_free(p->verdict);
        g_free(p->run_length);
        g_free(p->clock);
        g_free(p->host);
        g_free(p->kernel);
        g_free(p->note);
        g_free(p);
    }
}

char *noise_provenance_verdict(const noise_provenance *p)
{
    if (p->validity != NOISE_VALIDITY_INVALID) {
        return g_strdup(p->validity == NOISE_VALIDITY_VALID ? "valid" : "validity unknown");
    }
    g_auto(GStrv) lines = g_strsplit(p->verdict != NULL ? p->verdict : "", "\n", -1);
    const char *first = NULL;
    unsigned more = 0;
    for (char **line = lines; *line != NULL; line++) {
        if (g_str_has_prefix(*line, NOT_VALID)) {
            more += first != NULL;
            first = first != NULL ? first : *line;
        }
    }
    if (first == NULL || more == 0) {
        return g_strdup(first != NULL ? first : NOT_VALID);
    }
    return g_strdup_printf("%s (and %u more reason%s)", first, more, more > 1 ? "s" : "");
}
