/* noise/analysis/stolen_share.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_detour_statistics. */
#include "noise/detour_statistics.h"

double noise_stolen_share(const noise_observation *cpus, size_t num_cpus)
{
    double stolen = 0;
    double measured = 0;
    for (size_t c = 0; c < num_cpus; c++) {
        for (size_t i = 0; i < cpus[c].n; i++) {
            stolen += (double)cpus[c].length[i];
        }
        measured += (double)cpus[c].duration;
    }
    return measured > 0 ? stolen / measured : 0;
}

/* What of a detour lies in which block of its CPU's time. */
static void spread(const noise_observation *cpu, size_t i, double width, double *stolen)
{
    double at = (double)cpu->start[i];
    const double end = at + (double)cpu->length[i];
    for (size_t b = (size_t)(at / width); b < NOISE_TIME_BLOCKS && at < end; b++) {
        const double edge = b + 1 < NOISE_TIME_BLOCKS ? MIN((double)(b + 1) * width, end) : end;
        stolen[b] += edge - at;
        at = edge;
    }
}

void noise_share_blocks(const noise_observation *cpus, size_t num_cpus,
                        double share[NOISE_TIME_BLOCKS])
{
    double measured = 0; /* in each block */
    for (size_t b = 0; b < NOISE_TIME_BLOCKS; b++) {
        share[b] = 0;
    }
    for (size_t c = 0; c < num_cpus; c++) {
        const double width = (double)cpus[c].duration / NOISE_TIME_BLOCKS;
        measured += width;
        for (size_t i = 0; i < cpus[c].n; i++) {
            spread(&cpus[c], i, width, share);
        }
    }
    for (size_t b = 0; b < NOISE_TIME_BLOCKS; b++) {
        share[b] = measured > 0 ? share[b] / measured : 0;
    }
}
