/* noise/measure/measurement_cpu.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_selfish, test_quantum. */
/**
 * @file
 * What was measured on the CPUs: its share, and its end.
 */
#include "measure/evidence.h"

double noise_measurement_cpu_share(const noise_measurement_cpu *cpu)
{
    if (cpu->duration <= 0) {
        return 0;
    }
    double used = 0;
    if (cpu->quantum != NULL) {
        used = (double)cpu->t_min * (double)cpu->num_samples / (double)cpu->duration;
    } else if (cpu->work != NULL) {
        for (size_t i = 0; i < cpu->num_samples; i++) {
            used += (double)cpu->work[i];
        }
        const double most = cpu->most_work * (double)cpu->num_samples;
        used = most > 0 ? used / most : 0;
    } else {
        double stolen = 0;
        for (size_t i = 0; i < cpu->n; i++) {
            stolen += (double)cpu->length[i];
        }
        return stolen / (double)cpu->duration;
    }
    return MAX(1 - used, 0);
}

void noise_measurement_cpus_free(noise_measurement_cpu *cpus, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        g_free(cpus[i].start);
        g_free(cpus[i].length);
        g_free(cpus[i].class_of);
        g_free(cpus[i].quantum);
        g_free(cpus[i].work);
    }
    g_free(cpus);
}

void noise_measurement_free(noise_measurement *m)
{
    if (m != NULL) {
        noise_measurement_cpus_free(m->cpus, m->num_cpus);
        for (size_t i = 0; i < m->num_windows; i++) {
            g_free(m->windows[i].verdict);
        }
        g_free(m->windows);
        for (size_t i = 0; i < m->num_classes; i++) {
            g_free(m->classes[i].name);
            g_free(m->classes[i].kind);
            g_free(m->classes[i].evidence);
        }
        g_free(m->classes);
        g_free(m->clock);
        g_free(m->verdict);
        g_free(m->provenance);
        g_free(m);
    }
}
