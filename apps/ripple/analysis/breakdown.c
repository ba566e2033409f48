/* apps/ripple/analysis/breakdown.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_app_experiment. */
#include "analysis/breakdown.h"

const app_part app_parts[APP_NUM_PARTS] = {
    {"compute", "compute", "compute-bound", "is computation"},
    {"o", "o", "overhead-bound", "is o, the CPU overhead of messages"},
    {"O", "O", "overhead-bound", "is O, the CPU overhead of bytes"},
    {"L", "L", "latency-bound", "is L"},
    {"gap", "g/G", "bandwidth-bound", "is g and G, the network interfaces"},
    {"peer_noise", "waiting", "noise-bound", "is waiting for noise-delayed peers"},
    {"noise", "noise", "noise-bound", "is noise on the rank that finishes last"},
    {"node", "in nodes", "memory-bound", "is messages within nodes"},
};

sim_time app_breakdown_part(const sim_breakdown *b, size_t part)
{
    const sim_time values[APP_NUM_PARTS] = {b->compute, b->o,          b->O,     b->L,
                                            b->gap,     b->peer_noise, b->noise, b->node};
    return values[part];
}

size_t app_breakdown_largest(const sim_breakdown *b)
{
    size_t largest = 0;
    for (size_t i = 1; i < APP_NUM_PARTS; i++) {
        if (app_breakdown_part(b, i) > app_breakdown_part(b, largest)) {
            largest = i;
        }
    }
    return largest;
}

char *app_breakdown_sentence(const sim_breakdown *b, sim_time makespan)
{
    if (makespan == 0) {
        return g_strdup("nothing takes any time");
    }
    const size_t largest = app_breakdown_largest(b);
    return g_strdup_printf("%s: %.0f %% of the makespan %s", app_parts[largest].bound,
                           100.0 * (double)app_breakdown_part(b, largest) / (double)makespan,
                           app_parts[largest].share);
}
