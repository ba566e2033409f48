/* noise/places/draw.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What is drawn for the nodes and cores of one replica: where in its noise each begins, how fast
 * its clock goes, and which core of a node a detour strikes. Every number is a hash of (seed,
 * replica, node, core), so none depends on how many ranks there are, and none is stored that can be
 * had again.
 */
#pragma once

#include "detours/layout.h"
#include "noise/injection.h"

/** The numbers of one thing: of a group of detours, or of one rate. Those of different things have
 * nothing in common. */
typedef uint32_t noise_draw_thing;

/** All detours, where they are of one group. */
enum { NOISE_DRAW_ONLY = 0 };

/** Of group @p g, where there are several. */
static inline noise_draw_thing noise_draw_group(noise_group g)
{
    return 1 + (noise_draw_thing)g;
}

/** Of rate @p i. */
static inline noise_draw_thing noise_draw_rate(uint32_t i)
{
    return 1 + NOISE_NUM_GROUPS + i;
}

/** The instant that all nodes share in one replica. @p longest: noise_signature_longest_period() */
sim_time noise_draw_common(const noise_injection_options *o, uint32_t replica, sim_time longest);
/** By how much the clock of @p node is off where noise is co-scheduled; 0 without sigma. ps */
double noise_draw_error(const noise_injection_options *o, uint32_t replica, uint32_t node);
/** Where a core begins in what repeats after @p period, if noise is co-scheduled: 0..period - 1.
 * @param error noise_draw_error() of its node */
sim_time noise_draw_together(sim_time common, double error, sim_time period);
/** The same if it is not. Core 0 of every node is what all cores of it have together. */
sim_time noise_draw_alone(const noise_injection_options *o, uint32_t replica,
                          noise_draw_thing thing, uint32_t node, uint32_t core, sim_time period);
/** Lanes: of core @p core of @p node in @p n replicas from that of @p o on. */
void noise_draw_alone_in_lanes(const noise_injection_options *o, unsigned n, uint32_t node,
                               uint32_t core, sim_time period, sim_time *out);
/** Of the clock of @p node: noise_drift_rate(). */
uint64_t noise_draw_clock(const noise_injection_options *o, double ppm, uint32_t node);
/** The one core of @p node, of @p cores, that is always struck. */
uint32_t noise_draw_fixed_core(const noise_injection_options *o, noise_draw_thing thing,
                               uint32_t node, uint32_t cores);
/** Which cores are struck repeats after so many detours of a node, or the next multiple of those of
 * a period: a tick of one detour would else strike one core for ever. */
enum { NOISE_DRAW_STRUCK_LEAST = 1 << 14 };

/** After how many periods of @p n detours that is. */
static inline uint32_t noise_draw_struck_laps(size_t n)
{
    return (uint32_t)((NOISE_DRAW_STRUCK_LEAST + n - 1) / n);
}

/** Which core of @p node, of @p cores, detour @p i strikes, counted over all of these periods. */
uint32_t noise_draw_struck_core(const noise_injection_options *o, uint32_t node, size_t i,
                                uint32_t cores);
