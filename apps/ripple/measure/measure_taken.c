/* apps/ripple/measure/measure_taken.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_quick. */
#include "measure/measure_taken.h"

#include "output/number_text.h"
#include "sim/json_member.h"

/* What a class of detours took: their number and their share of the time of all CPUs. */
typedef struct taken {
    size_t count;
    double share;
} taken;

static taken taken_by(const noise_measurement *measured, size_t class)
{
    taken t = {0};
    double length = 0;
    double whole = 0;
    for (size_t i = 0; i < measured->num_cpus; i++) {
        const noise_measurement_cpu *cpu = &measured->cpus[i];
        whole += (double)cpu->duration;
        for (size_t k = 0; k < cpu->n; k++) {
            if (cpu->class_of != NULL && cpu->class_of[k] == class) {
                t.count++;
                length += (double)cpu->length[k];
            }
        }
    }
    t.share = whole > 0 ? length / whole : 0;
    return t;
}

static bool is_unexplained(const noise_detour_source *class)
{
    return g_strcmp0(class->kind, "not known") == 0;
}

/* A line each; what nothing is known of comes last, as what it is. */
void app_measure_taken_print(const noise_measurement *measured, FILE *out)
{
    taken unexplained = {0};
    for (size_t c = 0; c < measured->num_classes; c++) {
        const noise_detour_source *class = &measured->classes[c];
        const taken t = taken_by(measured, c);
        if (is_unexplained(class)) {
            unexplained.count += t.count;
            unexplained.share += t.share;
        } else if (t.count > 0) {
            g_autofree char *share = app_format_percent(t.share);
            fprintf(out, "  %-32s %8s of the time, %zu times (%s)\n", class->name, share, t.count,
                    class->kind);
        }
    }
    g_autofree char *share = app_format_percent(unexplained.share);
    if (measured->num_classes > 0) {
        fprintf(out, "  %-32s %8s of the time, %zu times\n", "unexplained", share,
                unexplained.count);
    } else {
        fputs("  the kernel does not tell: all of it is unexplained\n", out);
    }
}

void app_measure_taken_build(const noise_measurement *measured, JsonBuilder *b)
{
    sim_json_begin_array(b, "taken");
    for (size_t c = 0; c < measured->num_classes; c++) {
        const noise_detour_source *class = &measured->classes[c];
        const taken t = taken_by(measured, c);
        json_builder_begin_object(b);
        sim_json_text(b, "name", is_unexplained(class) ? "unexplained" : class->name);
        sim_json_text(b, "kind", class->kind);
        sim_json_int(b, "count", (int64_t)t.count);
        sim_json_double(b, "share", t.share);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}
