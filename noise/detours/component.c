/* noise/detours/component.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "detours/component.h"

#include "detours/rank_ranges.h"

#include <math.h>

noise_component noise_component_of(const noise_model *m, char *name, noise_component_source source,
                                   const noise_where *where)
{
    const double share = noise_model_share(m);
    const double gap = noise_model_gap(m);
    noise_component c = {
        .name = name,
        .place = where->place,
        .scope = where->scope,
        .num_ranges = where->num_ranges,
        .ranges = where->num_ranges > 0
                      ? g_memdup2(where->ranges, where->num_ranges * sizeof *where->ranges)
                      : NULL,
        .where = g_strdup(where->text),
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
        .source = source.name,
        .kind = source.kind,
        .evidence = source.evidence,
        .part = source.part,
        .num_nodes = MAX(source.num_nodes, 1),
    };
    if (m->kind->rate != NULL) {
        const noise_model_rate rate = m->kind->rate(m);
        c.is_rate = true;
        c.slow = 1 - (double)rate.gives / NOISE_RATE_WHOLE;
        c.phase = rate.length;
        c.list_length = MAX(rate.period, 1);
        c.is_locked = rate.period > 0;
        if (rate.period > 0) { /* phases are met as detours are */
            c.interval = (double)rate.period;
            c.mean_length = share * c.interval;
        }
    }
    return c;
}

void noise_component_clear(noise_component *c)
{
    g_free(c->name);
    g_free(c->ranges);
    g_free(c->where);
    g_free(c->source);
    g_free(c->kind);
    g_free(c->evidence);
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

bool noise_component_holds(const noise_component *c, uint32_t rank, const sim_placement *placement)
{
    switch (c->scope) {
    case NOISE_SCOPE_ALL:
        return true;
    case NOISE_SCOPE_NODES:
        rank = placement != NULL ? sim_placement_node(placement, rank) : rank;
        break;
    case NOISE_SCOPE_RANKS:
        break;
    }
    return noise_rank_ranges_contain(c->ranges, c->num_ranges, rank);
}

uint32_t noise_component_count_ranks(const noise_component *c, uint32_t num_ranks,
                                     const sim_placement *placement)
{
    if (c->scope == NOISE_SCOPE_ALL) {
        return num_ranks;
    }
    if (c->scope == NOISE_SCOPE_RANKS || placement == NULL) {
        return noise_rank_ranges_count(c->ranges, c->num_ranges, num_ranks);
    }
    uint32_t count = 0;
    for (uint32_t rank = 0; rank < num_ranks; rank++) {
        count += noise_component_holds(c, rank, placement);
    }
    return count;
}
