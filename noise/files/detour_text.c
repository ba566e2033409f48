/* noise/files/detour_text.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_detour_text. */
#include "files/header.h"
#include "noise/detour_file.h"
#include "sim/json_member.h"

static void append_ns(GString *out, sim_time t)
{
    g_string_append_printf(out, "%" G_GINT64_FORMAT ".%03d", t / SIM_NS, (int)(t % SIM_NS));
}

void noise_detour_run_append_lines(GString *out, const noise_detour_run *run)
{
    for (size_t i = 0; i < run->n; i++) {
        append_ns(out, run->start[i]);
        g_string_append_c(out, '\t');
        append_ns(out, run->length[i]);
        if (run->source != NULL) {
            g_string_append_printf(out, "\t%u", run->source[i]);
        }
        g_string_append_c(out, '\n');
    }
}

static JsonNode *sources_node(const noise_detour_source *sources, size_t n)
{
    g_autoptr(JsonBuilder) b = json_builder_new();
    json_builder_begin_array(b);
    for (size_t i = 0; i < n; i++) {
        json_builder_begin_object(b);
        sim_json_text(b, "name", sources[i].name);
        sim_json_text(b, "kind", sources[i].kind);
        sim_json_text(b, "evidence", sources[i].evidence);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
    return json_builder_get_root(b);
}

char *noise_detour_sources_to_json(const noise_detour_source *sources, size_t n)
{
    g_autoptr(JsonNode) node = sources_node(sources, n);
    return json_to_string(node, FALSE);
}

static void copy_members(JsonObject *to, JsonNode *from)
{
    JsonObjectIter iter;
    const char *name;
    JsonNode *value;
    json_object_iter_init_ordered(&iter, json_node_get_object(from));
    while (json_object_iter_next_ordered(&iter, &name, &value)) {
        json_object_set_member(to, name, json_node_copy(value));
    }
}

/* What the header has said of run @p i stays; where it was measured is as it is now. */
static JsonNode *cpu_node(JsonArray *cpus, size_t i, const noise_detour_run *run)
{
    JsonNode *old = cpus != NULL && i < json_array_get_length(cpus)
                        ? json_array_get_element(cpus, (guint)i)
                        : NULL;
    JsonNode *node = json_node_new(JSON_NODE_OBJECT);
    JsonObject *cpu = json_object_new();
    if (old != NULL && JSON_NODE_HOLDS_OBJECT(old)) {
        copy_members(cpu, old);
    }
    if (run->node != UINT32_MAX) {
        json_object_set_int_member(cpu, "node", run->node);
    }
    if (run->cpu != UINT32_MAX) {
        json_object_set_int_member(cpu, "cpu", run->cpu);
    }
    json_object_set_double_member(cpu, "duration_ns", (double)run->period / (double)SIM_NS);
    json_object_set_int_member(cpu, "detours", (gint64)run->n);
    json_node_take_object(node, cpu);
    return node;
}

static void append_header(GString *out, const noise_detour_file *file, bool divided)
{
    noise_header header;
    if (!noise_header_parse(file->json, &header, NULL)) {
        header.root = NULL;
    }
    JsonObject *object = json_object_new();
    if (header.root != NULL) {
        copy_members(object, header.root);
    }
    json_object_set_string_member(object, "format", "detours"); /* also of what was samples */
    json_object_set_int_member(object, "version", 1);
    if (file->method != NULL) {
        json_object_set_string_member(object, "method", file->method);
    }
    if (file->note != NULL) {
        json_object_set_string_member(object, "note", file->note);
    }
    JsonNode *was = json_object_get_member(object, "cpus");
    JsonArray *old = was != NULL && JSON_NODE_HOLDS_ARRAY(was) ? json_node_get_array(was) : NULL;
    JsonArray *cpus = json_array_new();
    for (size_t r = 0; r < file->num_runs; r++) {
        json_array_add_element(cpus, cpu_node(old, r, &file->runs[r]));
    }
    json_object_set_array_member(object, "cpus", cpus);
    json_object_remove_member(object, "sources");
    if (divided && file->num_sources > 0) {
        json_object_set_member(object, "sources", sources_node(file->sources, file->num_sources));
    }
    g_autoptr(JsonNode) root = json_node_new(JSON_NODE_OBJECT);
    json_node_take_object(root, object);
    g_autofree char *json = json_to_string(root, FALSE);
    g_string_append_printf(out, "# ripple: %s\n", json);
    noise_header_clear(&header);
}

static const char SELFISH[] = "selfish";

/* Netgauge's lines around the data of a run, as far as they are known. */
static void append_run(GString *out, const noise_detour_file *file, const noise_detour_run *run)
{
    const struct {
        const char *name, *value;
    } line[] = {{"Benchmark Method", SELFISH}, /* so are these columns read */
                {"Sysname ", file->system},
                {"Nodename", file->host},
                {"Release ", file->release}};
    for (size_t i = 0; i < G_N_ELEMENTS(line); i++) {
        if (line[i].value != NULL) {
            g_string_append_printf(out, "# %s: %s\n", line[i].name, line[i].value);
        }
    }
    g_string_append_printf(out, "# Number of Cycles/Detours: %zu\n", run->n);
    g_string_append(out, "# Time [ns]\tselfish duration [ns]\n");
    noise_detour_run_append_lines(out, run);
    double stolen = 0;
    for (size_t i = 0; i < run->n; i++) {
        stolen += (double)run->length[i];
    }
    char percent[G_ASCII_DTOSTR_BUF_SIZE];
    (void)g_ascii_formatd(percent, sizeof percent, "%.2f", 100 * stolen / (double)run->period);
    g_string_append_printf(out, "# CPU overhead due to noise: %s%%\n", percent);
    g_string_append_printf(out,
                           "# Measurement period: %" G_GINT64_FORMAT ".%012" G_GINT64_FORMAT " s\n",
                           run->period / SIM_S, run->period % SIM_S);
}

char *noise_detour_file_to_text(const noise_detour_file *file, bool divided)
{
    GString *out = g_string_new(NULL);
    append_header(out, file, divided);
    for (size_t r = 0; r < file->num_runs; r++) {
        noise_detour_run run = file->runs[r];
        run.source = divided ? run.source : NULL;
        append_run(out, file, &run);
    }
    return g_string_free(out, FALSE);
}
