/* noise/places/draw.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_injection, test_place_cores. */
#include "places/draw.h"

#include "noise/random.h"
#include "places/drift.h"

#include <math.h>

/* The lowest byte of the upper half of a stream number, so that the draws of a replica do not meet;
 * above it the thing; the lower half is the replica. */
typedef enum {
    DRAW_OFFSET = 1,
    DRAW_COMMON = 2,
    DRAW_ERROR = 3,
    DRAW_DRIFT = 4,
    DRAW_FIXED = 5,
    DRAW_STRUCK = 6
} draw;

static uint64_t stream(draw what, noise_draw_thing thing, uint32_t replica)
{
    return (uint64_t)thing << 40 | (uint64_t)what << 32 | replica;
}

uint32_t noise_injection_cores(const noise_injection_options *o)
{
    const uint32_t ranks = o->placement != NULL ? o->placement->ranks_per_node : 1;
    const uint32_t used = ranks * MAX(o->threads_per_rank, 1);
    return MAX(o->cores_per_node, used);
}

/* Core 0 has the number of its node. */
static uint64_t core_number(uint32_t node, uint32_t core)
{
    return (uint64_t)core << 32 | node;
}

sim_time noise_draw_common(const noise_injection_options *o, uint32_t replica, sim_time longest)
{
    return (sim_time)noise_random_below(o->seed, stream(DRAW_COMMON, 0, replica), 0,
                                        (uint64_t)longest);
}

double noise_draw_error(const noise_injection_options *o, uint32_t replica, uint32_t node)
{
    return o->sigma == 0 ? 0
                         : noise_random_normal(o->seed, stream(DRAW_ERROR, 0, replica), node) *
                               (double)o->sigma;
}

sim_time noise_draw_together(sim_time common, double error, sim_time period)
{
    const sim_time offset = (common + llround(fmod(error, (double)period))) % period;
    return offset < 0 ? offset + period : offset;
}

sim_time noise_draw_alone(const noise_injection_options *o, uint32_t replica,
                          noise_draw_thing thing, uint32_t node, uint32_t core, sim_time period)
{
    return (sim_time)noise_random_below(o->seed, stream(DRAW_OFFSET, thing, replica),
                                        core_number(node, core), (uint64_t)period);
}

void noise_draw_alone_in_lanes(const noise_injection_options *o, unsigned n, uint32_t node,
                               uint32_t core, sim_time period, sim_time *out)
{
    noise_random_below_in_streams(o->seed, stream(DRAW_OFFSET, NOISE_DRAW_ONLY, o->replica), n,
                                  core_number(node, core), (uint64_t)period, out);
}

uint64_t noise_draw_clock(const noise_injection_options *o, double ppm, uint32_t node)
{
    return noise_drift_rate(ppm, o->seed, stream(DRAW_DRIFT, 0, o->replica), node);
}

uint32_t noise_draw_fixed_core(const noise_injection_options *o, noise_draw_thing thing,
                               uint32_t node, uint32_t cores)
{
    return (uint32_t)noise_random_below(o->seed, stream(DRAW_FIXED, thing, o->replica), node,
                                        cores);
}

uint32_t noise_draw_struck_core(const noise_injection_options *o, uint32_t node, size_t i,
                                uint32_t cores)
{
    return (uint32_t)noise_random_below(o->seed, stream(DRAW_STRUCK, 0, o->replica),
                                        (uint64_t)node << 32 | (uint32_t)i, cores);
}
