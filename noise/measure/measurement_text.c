/* noise/measure/selfish_text.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_selfish. */
#include "measure/evidence.h"
#include "sim/json_member.h"
#include "sim/unit.h"

#include <json-glib/json-glib.h>

/* Exact: three decimals of a nanosecond are picoseconds. Far below 2^53 ps = 2.5 h in practice;
 * what is above is rounded to 1 ps in 2^53. */
static void add_ns(JsonBuilder *b, const char *name, sim_time t)
{
    sim_json_double(b, name, (double)t / (double)SIM_NS);
}

static char *header_json(const noise_measurement *r, JsonNode *provenance)
{
    g_autoptr(JsonBuilder) b = json_builder_new();
    json_builder_begin_object(b);
    sim_json_text(b, "format", "detours");
    sim_json_int(b, "version", 1);
    sim_json_text(b, "clock", r->clock);
    sim_json_double(b, "ticks_per_second", r->ticks_per_second);
    sim_json_double(b, "drift_ppm", r->drift_ppm);
    sim_json_bool(b, "valid", r->valid);
    sim_json_text(b, "verdict", r->verdict);
    json_builder_set_member_name(b, "cpus");
    json_builder_begin_array(b);
    for (size_t i = 0; i < r->num_cpus; i++) {
        const noise_measurement_cpu *cpu = &r->cpus[i];
        json_builder_begin_object(b);
        sim_json_int(b, "cpu", (int64_t)cpu->cpu);
        add_ns(b, "t_min_ns", cpu->t_min);
        add_ns(b, "threshold_ns", cpu->threshold);
        add_ns(b, "duration_ns", cpu->duration);
        sim_json_int(b, "iterations", (int64_t)cpu->iterations);
        sim_json_int(b, "raised", (int64_t)cpu->raised);
        sim_json_int(b, "detours", (int64_t)cpu->n);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
    if (provenance != NULL) {
        json_builder_set_member_name(b, "provenance");
        json_builder_add_value(b, json_node_copy(provenance));
    }
    json_builder_end_object(b);
    return sim_json_line(b);
}

/* "" where the provenance does not say */
static const char *provenance_text(JsonNode *provenance, const char *name)
{
    JsonNode *node = provenance != NULL && JSON_NODE_HOLDS_OBJECT(provenance)
                         ? json_object_get_member(json_node_get_object(provenance), name)
                         : NULL;
    return node != NULL && JSON_NODE_HOLDS_VALUE(node) &&
                   json_node_get_value_type(node) == G_TYPE_STRING
               ? json_node_get_string(node)
               : "";
}

static void append_ns(GString *out, sim_time t)
{
    g_string_append_printf(out, "%" G_GINT64_FORMAT ".%03d", t / SIM_NS, (int)(t % SIM_NS));
}

static void append_run(GString *out, const noise_measurement_cpu *cpu, JsonNode *provenance)
{
    char percent[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append(out, "# Benchmark Method: selfish\n");
    g_string_append_printf(out, "# Number of Cycles/Detours: %zu\n", cpu->n);
    static const char *const names[][2] = {{"Sysname ", "sysname"},
                                           {"Nodename", "host"},
                                           {"Release ", "release"},
                                           {"Version ", "version"},
                                           {"Machine ", "machine"}};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_string_append_printf(out, "# %s: %s\n", names[i][0],
                               provenance_text(provenance, names[i][1]));
    }
    g_string_append_printf(
        out, "# CPU: %u\n# Selfish Benchmark\n# Minimal cycle length [ns]: ", cpu->cpu);
    append_ns(out, cpu->t_min);
    g_string_append_printf(
        out, "\n# Number of iterations (recorded+unrecorded): %" G_GUINT64_FORMAT "\n",
        cpu->iterations);
    g_string_append_printf(out, "# Threshold: [%% minimal cycle length]: %" G_GINT64_FORMAT "\n#\n",
                           cpu->t_min > 0 ? 100 * cpu->threshold / cpu->t_min : 0);
    g_string_append(out, "# Time [ns]\tselfish duration [ns]\n");
    for (size_t i = 0; i < cpu->n; i++) {
        append_ns(out, cpu->start[i]);
        g_string_append_c(out, '\t');
        append_ns(out, cpu->length[i]);
        g_string_append_c(out, '\n');
    }
    (void)g_ascii_formatd(percent, sizeof percent, "%.2f", 100 * noise_measurement_cpu_share(cpu));
    g_string_append_printf(out, "# CPU overhead due to noise: %s%%\n", percent);
    g_string_append_printf(out,
                           "# Measurement period: %" G_GINT64_FORMAT ".%012" G_GINT64_FORMAT " s\n",
                           cpu->duration / SIM_S, cpu->duration % SIM_S);
}

char *noise_measurement_to_text(const noise_measurement *r)
{
    g_autoptr(JsonParser) parser = json_parser_new();
    JsonNode *provenance = NULL;
    if (r->provenance != NULL && json_parser_load_from_data(parser, r->provenance, -1, NULL)) {
        provenance = json_parser_get_root(parser);
    }
    g_autofree char *json = header_json(r, provenance);
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "# ripple: %s\n", json);
    for (size_t i = 0; i < r->num_cpus; i++) {
        append_run(out, &r->cpus[i], provenance);
    }
    return g_string_free(out, FALSE);
}
