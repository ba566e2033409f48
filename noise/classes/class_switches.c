/* classes/class_switches.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "classes/class_switches.h"

static const double TOLERANCE_NS = 5000;

double noise_class_instant(const noise_measurement_cpu *cpu, sim_time since)
{
    const double scale =
        cpu->duration > 0 ? (double)(cpu->end - cpu->begin) / (double)cpu->duration : 0;
    return (double)since * scale; /* since the begin: the sum would not be exact */
}

typedef struct span {
    double from;
    double to;
} span;

static span detour_span(const noise_measurement_cpu *cpu, size_t i)
{
    return (span){noise_class_instant(cpu, cpu->start[i]),
                  noise_class_instant(cpu, cpu->start[i] + cpu->length[i])};
}

/* Negative: so far apart. */
static double overlap(span a, span b)
{
    return MIN(a.to, b.to) - MAX(a.from, b.from);
}

/* First detour that ends at @p from - tolerance or later. */
static size_t first_after(const noise_measurement_cpu *cpu, double from)
{
    size_t low = 0;
    size_t high = cpu->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (detour_span(cpu, middle).to < from - TOLERANCE_NS) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void noise_class_find_switches(const noise_measurement_cpu *cpu, const noise_switch *switches,
                               size_t n, uint32_t own, uint32_t *who)
{
    g_autofree double *most = g_new0(double, cpu->n + 1); /* of each detour, by one thread */
    for (size_t i = 0; i < cpu->n; i++) {
        who[i] = NOISE_CLASS_NOBODY;
    }
    for (size_t s = 0; s < n; s++) {
        const noise_switch *w = &switches[s];
        if (w->next_tid == NOISE_SWITCH_IDLE || w->next_tid == own) {
            continue;
        }
        const span ran = {(double)((int64_t)w->out - cpu->begin),
                          (double)((int64_t)w->in - cpu->begin)};
        double best = -TOLERANCE_NS;
        size_t found = cpu->n;
        for (size_t i = first_after(cpu, ran.from); i < cpu->n; i++) {
            const span d = detour_span(cpu, i);
            const double shared = overlap(d, ran);
            if (shared > best) {
                best = shared;
                found = i;
            }
            if (d.from > ran.to + TOLERANCE_NS) {
                break;
            }
        }
        if (found < cpu->n && (who[found] == NOISE_CLASS_NOBODY || best > most[found])) {
            most[found] = MAX(best, 0);
            who[found] = w->next_tid;
        }
    }
}
