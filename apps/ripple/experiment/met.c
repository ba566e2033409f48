/* apps/ripple/experiment/met.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment/met.h"

#include <math.h>

/* Of the cores of a node, the part that a rank has. */
static double part_of_node(const app_noise *noise)
{
    return (double)app_noise_threads(noise) / app_noise_cores(noise);
}

uint32_t app_met_ranks(const noise_component *c, const app_noise *noise, uint32_t num_ranks)
{
    const sim_placement placement = app_noise_placement(noise, num_ranks);
    return noise_component_count_ranks(c, num_ranks, &placement);
}

/* One core of a node at a time; a rate is of all cores there. */
static bool is_one_core(const noise_component *c)
{
    return c->place == NOISE_PLACE_NODE_FIXED || (c->place == NOISE_PLACE_NODE && !c->is_rate);
}

/* With a rank that the component strikes. */
static uint32_t count_nodes(const noise_component *c, const app_noise *noise, uint32_t num_ranks)
{
    const sim_placement placement = app_noise_placement(noise, num_ranks);
    g_autofree bool *struck = g_new0(bool, placement.num_nodes);
    uint32_t nodes = 0;
    for (uint32_t rank = 0; rank < num_ranks; rank++) {
        const uint32_t node = sim_placement_node(&placement, rank);
        if (!struck[node] && noise_component_holds(c, rank, &placement)) {
            struck[node] = true;
            nodes++;
        }
    }
    return nodes;
}

/* How often a rank is struck while a core, or a node, is struck once. */
static double times_of_rank(const noise_component *c, const app_noise *noise, app_mode mode)
{
    if (is_one_core(c)) {
        return part_of_node(noise);
    }
    return c->place == NOISE_PLACE_CORE && mode != APP_COSCHEDULED ? app_noise_threads(noise) : 1;
}

double app_met_phases(const noise_component *c, const app_noise *noise, app_mode mode,
                      uint32_t num_ranks)
{
    const double ranks = app_met_ranks(c, noise, num_ranks);
    double apart; /* struck at times of their own */
    if (c->place == NOISE_PLACE_CORE) {
        apart = ranks * app_noise_threads(noise);
    } else if (!is_one_core(c)) {
        apart = count_nodes(c, noise, num_ranks);
    } else {
        apart = ranks * part_of_node(noise);
    }
    if (mode == APP_COSCHEDULED && is_one_core(c) && apart > 0) {
        /* All nodes have it at once, each on some core: does it strike any that is used? */
        const double nodes = count_nodes(c, noise, num_ranks);
        return 1 - pow(1 - MIN(apart / nodes, 1), nodes);
    }
    return mode == APP_COSCHEDULED ? MIN(apart, 1) : apart;
}

double app_met_share(const noise_component *c, const app_noise *noise, app_mode mode)
{
    if (is_one_core(c)) {
        return MIN(c->share * part_of_node(noise), 1);
    }
    const double cores = times_of_rank(c, noise, mode);
    if (c->is_rate) { /* a rank is as slow as the slowest of its cores */
        const double part = c->phase > 0 ? (double)c->phase / c->interval : 1;
        return c->slow * (1 - pow(1 - part, cores));
    }
    return cores > 1 ? 1 - pow(1 - c->share, cores) : c->share;
}

static app_met met_of(const noise_component *c, const app_noise *noise, app_mode mode,
                      uint32_t num_ranks, double lasts)
{
    const uint32_t struck = app_met_ranks(c, noise, num_ranks);
    const double events = struck > 0 ? lasts / c->interval : 0; /* infinite: no detours */
    const double phases = app_met_phases(c, noise, mode, num_ranks);
    app_met met = {.by_rank = events * times_of_rank(c, noise, mode),
                   .by_run = events * phases,
                   .share = app_met_share(c, noise, mode),
                   .most = isfinite(c->interval) ? phases * c->share : 0,
                   .ranks = struck};
    if (c->is_rate) {
        met.most = MIN(met.most, c->slow / (1 - c->slow));
    }
    return met;
}

app_met *app_met_of(const app_noise *noise, app_mode mode, uint32_t num_ranks, double lasts)
{
    const size_t n = noise_signature_num_components(noise->signature);
    app_met *met = g_new(app_met, MAX(n, 1));
    for (size_t i = 0; i < n; i++) {
        met[i] =
            met_of(noise_signature_component(noise->signature, i), noise, mode, num_ranks, lasts);
    }
    return met;
}
