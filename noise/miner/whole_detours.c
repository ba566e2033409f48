/* noise/miner/whole_detours.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_miner_stream, test_miner_simulated. */
#include "miner/whole_detours.h"

#define LEAST_REST SIM_NS /* less is the rounding of a core that gives less of its time */

/* When a core is free that is not at @p at; @p at + 1 where it is free. */
static sim_time free_after(const sim_noise *noise, uint32_t rank, sim_time at)
{
    return noise->finish(noise, rank, at, 1);
}

/* How long ago the detour began that lasts at @p at until @p end: instants from its beginning on
 * all wait for the same end. Not before instant 0, where the run began. */
static sim_time time_gone(const sim_noise *noise, uint32_t rank, sim_time at, sim_time end)
{
    sim_time within = 0;
    sim_time beyond = end - at;
    while (beyond < at && free_after(noise, rank, at - beyond) == end) {
        within = beyond;
        beyond = beyond < at / 2 ? 2 * beyond : at;
    }
    if (beyond >= at) {
        if (free_after(noise, rank, 0) == end) {
            return at;
        }
        beyond = at;
    }
    while (beyond - within > 1) {
        const sim_time middle = within + (beyond - within) / 2;
        if (free_after(noise, rank, at - middle) == end) {
            within = middle;
        } else {
            beyond = middle;
        }
    }
    return within;
}

sim_time noise_miner_whole_detours(const sim_noise *noise, const sim_event *e)
{
    const sim_time excess = e->end - e->start - e->work;
    const sim_time end = free_after(noise, e->rank, e->start);
    const bool in_one = end - e->start - 1 >= LEAST_REST;
    return excess + (in_one ? time_gone(noise, e->rank, e->start, end) : 0);
}
