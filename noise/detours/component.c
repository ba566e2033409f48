/* noise/detours/component.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "detours/component.h"

#include <math.h>

noise_component noise_component_of(const noise_model *m, char *name, noise_component_source source)
{
    const double share = noise_model_share(m);
    const double gap = noise_model_gap(m);
    return (noise_component){
        .name = name,
        .share = share,
        .interval = gap,
        .mean_length = isfinite(gap) ? share * gap : 0,
        .list_length = m->kind->is_drawn ? SIM_TIME_MAX : m->interval,
        .is_locked = m->kind->is_periodic,
        .origin = m->trace != NULL        ? NOISE_ORIGIN_FILE
                  : source.preset != NULL ? NOISE_ORIGIN_PRESET
                                          : NOISE_ORIGIN_MODEL,
        .preset = source.preset,
        .provenance = source.provenance,
    };
}

void noise_component_clear(noise_component *c)
{
    g_free(c->name);
    g_free(c->ranges);
    noise_provenance_free(c->provenance);
}

void noise_component_note_drawn(noise_component *c, const noise_model *m, sim_time longest,
                                sim_time period)
{
    c->longest = MAX(c->longest, longest);
    if (m->kind->is_drawn) {
        c->list_length = MIN(c->list_length, period);
    }
}
