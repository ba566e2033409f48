/* noise/places/lanes.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_injection, test_replica. */
#include "noise/lanes.h"

#include "places/draw.h"
#include "places/plain.h"

#include <assert.h>

struct noise_lanes {
    sim_noise_lanes hook; /* first: the hook is the lanes */
    noise_injection_options options;
    noise_plain plain; /* of these options */
    sim_time common[SIM_LANES];
    const sim_detours **each; /* or NULL: all see the same */
};

static void lanes_offsets(const sim_noise_lanes *hook, uint32_t first, uint32_t n,
                          sim_time (*out)[SIM_LANES])
{
    const noise_lanes *lanes = (const noise_lanes *)(const void *)hook;
    const noise_plain *plain = &lanes->plain;
    const noise_injection_options *o = &lanes->options;
    for (uint32_t i = 0; i < n; i++) {
        const sim_detours *d = hook->same != NULL ? hook->same : hook->each[first + i];
        if (d != NULL && o->sync == NOISE_UNSYNCHRONIZED) {
            noise_draw_alone_in_lanes(o, hook->num_lanes, noise_plain_node(plain, first + i),
                                      noise_plain_core(plain, first + i), d->period, out[i]);
        }
        for (unsigned lane = 0; d != NULL && o->sync == NOISE_COSCHEDULED && lane < hook->num_lanes;
             lane++) {
            out[i][lane] = noise_plain_offset(plain, o->replica + lane, lanes->common[lane],
                                              first + i, d->period);
        }
    }
}

bool noise_lanes_may(const noise_signature *signature, const noise_injection_options *options)
{
    const noise_plain plain = noise_plain_of(signature, options);
    return plain.is_plain && !noise_plain_drifts(&plain) && !noise_plain_is_drawn(&plain);
}

noise_lanes *noise_lanes_new(const noise_signature *signature, uint32_t num_ranks,
                             const noise_injection_options *o, unsigned num_lanes)
{
    assert(o->sigma >= 0 && num_lanes >= 1 && num_lanes <= SIM_LANES);
    assert(noise_lanes_may(signature, o));
    noise_lanes *lanes = g_new0(noise_lanes, 1);
    lanes->options = *o;
    lanes->plain = noise_plain_of(signature, &lanes->options);
    lanes->hook = (sim_noise_lanes){.num_lanes = num_lanes, .offsets = lanes_offsets};
    const sim_time longest = noise_signature_longest_period(signature);
    for (unsigned lane = 0; lane < num_lanes; lane++) {
        lanes->common[lane] = noise_draw_common(o, o->replica + lane, longest);
    }
    if (noise_plain_is_same(signature)) {
        lanes->hook.same = noise_plain_tables(&lanes->plain, 0);
        lanes->hook.coscheduled = o->sync == NOISE_COSCHEDULED && o->sigma == 0;
        return lanes;
    }
    lanes->each = g_new(const sim_detours *, num_ranks);
    for (uint32_t rank = 0; rank < num_ranks; rank++) {
        lanes->each[rank] = noise_plain_tables(&lanes->plain, rank);
    }
    lanes->hook.each = lanes->each;
    return lanes;
}

void noise_lanes_free(noise_lanes *lanes)
{
    if (lanes != NULL) {
        g_free((gpointer)lanes->each);
        g_free(lanes);
    }
}

const sim_noise_lanes *noise_lanes_hook(const noise_lanes *lanes)
{
    return lanes->hook.same != NULL || lanes->hook.each != NULL ? &lanes->hook : NULL;
}
