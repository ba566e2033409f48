/* apps/ripple/quick/unexplained.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_unexplained. */
#include "quick/unexplained.h"

#include "output/number_text.h"

typedef enum { NAMED, SWITCHED, NOT_KNOWN } knowledge;

static knowledge known_of(const noise_measurement *m, const noise_measurement_cpu *cpu, size_t i)
{
    if (cpu->class_of == NULL) {
        return NOT_KNOWN;
    }
    const noise_detour_source *class = &m->classes[cpu->class_of[i]];
    return g_strcmp0(class->kind, "not known") == 0   ? NOT_KNOWN
           : g_strcmp0(class->kind, "scheduler") != 0 ? NAMED
           : g_strcmp0(class->name, "other programs") == 0 ||
                   g_strcmp0(class->name, "ended programs") == 0
               ? SWITCHED
               : NAMED;
}

app_unexplained app_unexplained_of(const noise_measurement *m)
{
    app_unexplained out = {0};
    double whole = 0;
    double stolen = 0;
    double length[3] = {0};
    for (size_t c = 0; c < m->num_cpus; c++) {
        const noise_measurement_cpu *cpu = &m->cpus[c];
        whole += (double)cpu->duration;
        for (size_t i = 0; i < cpu->n; i++) {
            const knowledge known = known_of(m, cpu, i);
            length[known] += (double)cpu->length[i];
            stolen += (double)cpu->length[i];
            out.count += known != NAMED;
            out.switched += known == SWITCHED;
        }
    }
    for (size_t k = 0; k < m->num_classes; k++) {
        if (g_strcmp0(m->classes[k].kind, "not known") == 0) {
            out.evidence = m->classes[k].evidence;
        }
    }
    const double nameless = length[SWITCHED] + length[NOT_KNOWN];
    out.share = whole > 0 ? nameless / whole : 0;
    out.of_stolen = stolen > 0 ? nameless / stolen : 0;
    out.switched_share = whole > 0 ? length[SWITCHED] / whole : 0;
    return out;
}

char *app_unexplained_sentence(const app_unexplained *u)
{
    if (u->count == 0) {
        return g_strdup("unexplained: nothing");
    }
    g_autofree char *share = app_format_percent(u->share);
    g_autofree char *of_stolen = app_format_percent(u->of_stolen);
    g_autofree char *count = app_format_number(u->count);
    g_autofree char *switched = app_format_number(u->switched);
    g_autofree char *switched_share = app_format_percent(u->switched_share);
    GString *text = g_string_new(NULL);
    g_string_append_printf(text,
                           "unexplained: %s of the time, %s of what was stolen, in %s detours",
                           share, of_stolen, count);
    if (u->switched > 0) {
        g_string_append_printf(text,
                               "; in %s of them (%s of the time) another thread ran, which nobody "
                               "saw",
                               switched, switched_share);
    }
    if (u->switched < u->count) {
        g_string_append_printf(text, "%s%s", u->switched > 0 ? "; of the others: " : ": ",
                               u->evidence != NULL ? u->evidence : "nothing is known");
    }
    return g_string_free(text, FALSE);
}
