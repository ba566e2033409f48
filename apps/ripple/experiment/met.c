/* apps/ripple/experiment/met.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment/met.h"

uint32_t app_met_ranks(const noise_component *c, uint32_t num_ranks)
{
    if (!c->some_ranks) {
        return num_ranks;
    }
    uint32_t struck = 0;
    for (uint32_t i = 0; i < c->num_ranges; i++) {
        const uint32_t first = c->ranges[i][0];
        const uint32_t end = MIN(c->ranges[i][1], num_ranks - 1) + 1; /* there is a rank */
        struck += end > first ? end - first : 0;
    }
    return struck;
}

/* Ranks of one node meet the same detours at once; so do all that are co-scheduled. */
static double in_run(const noise_component *c, const app_noise *noise, app_mode mode,
                     uint32_t num_ranks)
{
    const double ranks = app_met_ranks(c, num_ranks);
    return mode == APP_COSCHEDULED ? MIN(ranks, 1)
                                   : MAX(MIN(ranks, 1), ranks / noise->ranks_per_node);
}

app_met *app_met_of(const app_noise *noise, app_mode mode, uint32_t num_ranks, double lasts)
{
    const size_t n = noise_signature_num_components(noise->signature);
    app_met *met = g_new(app_met, MAX(n, 1));
    for (size_t i = 0; i < n; i++) {
        const noise_component *c = noise_signature_component(noise->signature, i);
        const uint32_t struck = app_met_ranks(c, num_ranks);
        const double by_rank = struck > 0 ? lasts / c->interval : 0; /* infinite: no detours */
        const double at_once = in_run(c, noise, mode, num_ranks);
        met[i] = (app_met){.by_rank = by_rank,
                           .by_run = by_rank * at_once,
                           .share = c->share,
                           .most = at_once * c->share,
                           .ranks = struck};
    }
    return met;
}
