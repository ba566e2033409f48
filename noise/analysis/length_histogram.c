/* noise/analysis/length_histogram.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_detour_statistics. */
#include "noise/detour_statistics.h"
#include "sim/time.h"
#include "synopsis/histogram.h"

#include <stdlib.h>

enum { JOINED = 4, BINS = MINER_BINS / JOINED }; /* of the miner's 32 per octave */

noise_length_bin *noise_length_histogram(const sim_time *values, size_t n, size_t *num)
{
    *num = 0;
    if (n == 0) {
        return NULL;
    }
    g_autofree noise_length_bin *all = g_new0(noise_length_bin, BINS);
    for (size_t i = 0; i < n; i++) {
        noise_length_bin *bin = &all[miner_bin(values[i]) / JOINED];
        bin->count++;
        bin->time += (double)values[i];
    }
    noise_length_bin *some = g_new(noise_length_bin, BINS);
    uint64_t above = n;
    for (uint32_t b = 0; b < BINS; b++) {
        if (all[b].count > 0) {
            all[b].from = miner_bin_floor(b * JOINED);
            all[b].to = miner_bin_floor((b + 1) * JOINED);
            all[b].above = above;
            above -= all[b].count;
            some[(*num)++] = all[b];
        }
    }
    return some;
}

static int compare(const void *a, const void *b)
{
    const sim_time x = *(const sim_time *)a;
    const sim_time y = *(const sim_time *)b;
    return (x > y) - (x < y);
}

static size_t count_all(const noise_observation *cpus, size_t num_cpus)
{
    size_t n = 0;
    for (size_t c = 0; c < num_cpus; c++) {
        n += cpus[c].n;
    }
    return n;
}

sim_time *noise_sorted_lengths(const noise_observation *cpus, size_t num_cpus, size_t *num)
{
    sim_time *all = g_new(sim_time, count_all(cpus, num_cpus) + 1);
    *num = 0;
    for (size_t c = 0; c < num_cpus; c++) {
        for (size_t i = 0; i < cpus[c].n; i++) {
            all[(*num)++] = cpus[c].length[i];
        }
    }
    qsort(all, *num, sizeof *all, compare);
    return all;
}

sim_time *noise_sorted_gaps(const noise_observation *cpus, size_t num_cpus, size_t *num)
{
    sim_time *all = g_new(sim_time, count_all(cpus, num_cpus) + 1);
    *num = 0;
    for (size_t c = 0; c < num_cpus; c++) {
        for (size_t i = 1; i < cpus[c].n; i++) {
            all[(*num)++] = cpus[c].start[i] - cpus[c].start[i - 1];
        }
    }
    qsort(all, *num, sizeof *all, compare);
    return all;
}
