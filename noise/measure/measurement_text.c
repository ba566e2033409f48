/* noise/measure/measurement_text.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_selfish. */
#include "measure/evidence.h"
#include "sim/json_member.h"

#include <json-glib/json-glib.h>

/* Exact: three decimals of a nanosecond are picoseconds. Far below 2^53 ps = 2.5 h in practice;
 * what is above is rounded to 1 ps in 2^53. */
static void add_ns(JsonBuilder *b, const char *name, sim_time t)
{
    sim_json_double(b, name, (double)t / (double)SIM_NS);
}

static void add_windows(JsonBuilder *b, const noise_measurement *r)
{
    sim_json_begin_array(b, "windows");
    for (size_t i = 0; i < r->num_windows; i++) {
        const noise_measurement_window *w = &r->windows[i];
        json_builder_begin_object(b);
        sim_json_int(b, "begin_ns", w->begin);
        sim_json_double(b, "share", w->share);
        sim_json_double(b, "worst", w->worst);
        sim_json_bool(b, "valid", w->valid);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
    if (r->num_windows > 0) {
        sim_json_int(b, "kept", (int64_t)r->kept);
    }
}

static void add_cpu(JsonBuilder *b, noise_method method, const noise_measurement_cpu *cpu)
{
    json_builder_begin_object(b);
    sim_json_int(b, "cpu", (int64_t)cpu->cpu);
    add_ns(b, "t_min_ns", cpu->t_min);
    add_ns(b, "duration_ns", cpu->duration);
    sim_json_int(b, "begin_ns", cpu->begin);
    sim_json_int(b, "end_ns", cpu->end);
    sim_json_int(b, "iterations", (int64_t)cpu->iterations);
    if (method == NOISE_METHOD_SELFISH) {
        add_ns(b, "threshold_ns", cpu->threshold);
        sim_json_int(b, "raised", (int64_t)cpu->raised);
        sim_json_int(b, "detours", (int64_t)cpu->n);
    } else {
        sim_json_int(b, "samples", (int64_t)cpu->num_samples);
    }
    if (method == NOISE_METHOD_FTQ) {
        sim_json_double(b, "most_work", cpu->most_work);
    }
    json_builder_end_object(b);
}

static char *header_json(const noise_measurement *r, JsonNode *provenance)
{
    const noise_method method = r->options.method;
    g_autoptr(JsonBuilder) b = json_builder_new();
    json_builder_begin_object(b);
    sim_json_text(b, "format",
                  method == NOISE_METHOD_SELFISH ? "detours" : noise_method_name(method));
    sim_json_int(b, "version", 1);
    sim_json_text(b, "method", noise_method_name(method));
    if (method != NOISE_METHOD_SELFISH) {
        add_ns(b, "quantum_ns", r->options.quantum);
    }
    if (method == NOISE_METHOD_FWQ) {
        sim_json_text(b, "kernel", noise_kernel_name(r->options.kernel));
    }
    sim_json_text(b, "clock", r->clock);
    sim_json_double(b, "ticks_per_second", r->ticks_per_second);
    sim_json_double(b, "drift_ppm", r->drift_ppm);
    sim_json_double(b, "bracket_ppm", r->bracket_ppm);
    sim_json_bool(b, "valid", r->valid);
    sim_json_text(b, "verdict", r->verdict);
    sim_json_bool(b, "one_by_one", r->options.one_by_one);
    add_windows(b, r);
    sim_json_begin_array(b, "cpus");
    for (size_t i = 0; i < r->num_cpus; i++) {
        add_cpu(b, method, &r->cpus[i]);
    }
    json_builder_end_array(b);
    if (r->num_classes > 0) {
        g_autofree char *sources = noise_detour_sources_to_json(r->classes, r->num_classes);
        sim_json_node(b, "sources", json_from_string(sources, NULL));
    }
    if (provenance != NULL) {
        sim_json_node(b, "provenance", json_node_copy(provenance));
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

static void append_system(GString *out, JsonNode *provenance)
{
    static const char *const names[][2] = {{"Sysname ", "sysname"},
                                           {"Nodename", "host"},
                                           {"Release ", "release"},
                                           {"Version ", "version"},
                                           {"Machine ", "machine"}};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_string_append_printf(out, "# %s: %s\n", names[i][0],
                               provenance_text(provenance, names[i][1]));
    }
}

static void append_detours(GString *out, const noise_measurement_cpu *cpu, bool classified)
{
    g_string_append(out, "# Selfish Benchmark\n# Minimal cycle length [ns]: ");
    append_ns(out, cpu->t_min);
    g_string_append_printf(
        out, "\n# Number of iterations (recorded+unrecorded): %" G_GUINT64_FORMAT "\n",
        cpu->iterations);
    g_string_append_printf(out, "# Threshold: [%% minimal cycle length]: %" G_GINT64_FORMAT "\n#\n",
                           cpu->t_min > 0 ? 100 * cpu->threshold / cpu->t_min : 0);
    g_string_append(out, "# Time [ns]\tselfish duration [ns]\n");
    noise_detour_run run = {.n = cpu->n, .start = cpu->start, .length = cpu->length};
    if (classified && cpu->class_of != NULL) {
        run.source = g_new(uint16_t, cpu->n);
        for (size_t i = 0; i < cpu->n; i++) {
            run.source[i] = cpu->class_of[i];
        }
    }
    noise_detour_run_append_lines(out, &run);
    g_free(run.source);
}

static void append_samples(GString *out, noise_method method, const noise_measurement_cpu *cpu)
{
    if (method == NOISE_METHOD_FWQ) {
        g_string_append(out, "# Fixed Work Quantum Benchmark\n# cycle number\tduration [us]\n");
        for (size_t i = 0; i < cpu->num_samples; i++) {
            g_string_append_printf(out, "%zu\t%" G_GINT64_FORMAT ".%06d\n", i,
                                   cpu->quantum[i] / SIM_US, (int)(cpu->quantum[i] % SIM_US));
        }
    } else {
        g_string_append(out,
                        "# Fixed Time Quantum Benchmark\n# cycle number\tworkload iterations\n");
        for (size_t i = 0; i < cpu->num_samples; i++) {
            g_string_append_printf(out, "%zu\t%" G_GUINT64_FORMAT "\n", i, cpu->work[i]);
        }
    }
}

static void append_run(GString *out, const noise_measurement *r, const noise_measurement_cpu *cpu,
                       JsonNode *provenance, bool classified)
{
    const noise_method method = r->options.method;
    char percent[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_printf(out, "# Benchmark Method: %s\n", noise_method_name(method));
    if (method != NOISE_METHOD_SELFISH) {
        g_string_append_printf(out, "# Compute-Cycle Duration: %" G_GINT64_FORMAT " usec\n",
                               r->options.quantum / SIM_US);
    }
    g_string_append_printf(out, "# Number of Cycles/Detours: %zu\n",
                           method == NOISE_METHOD_SELFISH ? cpu->n : cpu->num_samples);
    append_system(out, provenance);
    g_string_append_printf(out, "# CPU: %u\n", cpu->cpu);
    if (method == NOISE_METHOD_SELFISH) {
        append_detours(out, cpu, classified);
    } else {
        append_samples(out, method, cpu);
    }
    (void)g_ascii_formatd(percent, sizeof percent, "%.2f", 100 * noise_measurement_cpu_share(cpu));
    g_string_append_printf(out, "# CPU overhead due to noise: %s%%\n", percent);
    g_string_append_printf(out,
                           "# Measurement period: %" G_GINT64_FORMAT ".%012" G_GINT64_FORMAT " s\n",
                           cpu->duration / SIM_S, cpu->duration % SIM_S);
}

static char *to_text(const noise_measurement *r, bool netgauge)
{
    g_autoptr(JsonParser) parser = json_parser_new();
    JsonNode *provenance = NULL;
    if (r->provenance != NULL && json_parser_load_from_data(parser, r->provenance, -1, NULL)) {
        provenance = json_parser_get_root(parser);
    }
    GString *out = g_string_new(NULL);
    if (!netgauge) {
        g_autofree char *json = header_json(r, provenance);
        g_string_append_printf(out, "# ripple: %s\n", json);
    }
    for (size_t i = 0; i < r->num_cpus; i++) {
        append_run(out, r, &r->cpus[i], provenance, !netgauge);
    }
    return g_string_free(out, FALSE);
}

char *noise_measurement_to_text(const noise_measurement *measurement)
{
    return to_text(measurement, false);
}

char *noise_measurement_to_netgauge(const noise_measurement *measurement)
{
    return to_text(measurement, true);
}
