/* noise/analysis/length_modes.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_decompose. */
#include "analysis/length_modes.h"

#include "lengths/peaks.h"

#include <stdlib.h>

enum { TAIL = 16, NEAR = 8, MOST = 1000 }; /* bins: half an octave, a quarter */
static const sim_time GRAIN = 50 * SIM_NS; /* clocks and loops count in steps of 10 to 50 ns */

static int by_length(const void *a, const void *b)
{
    const miner_core *x = a;
    const miner_core *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

/* Bins from @p bin to the nearest of a core's, 0 within it. */
static uint32_t distance(const miner_core *core, uint32_t bin)
{
    return bin < core->first ? core->first - bin : bin > core->last ? bin - core->last : 0;
}

/* Cores that are hardly apart are one mode: lengths of 100 ns come in steps of some 10 ns, and look
 * like a mode each. */
static void join_near(GArray *cores)
{
    guint kept = 0;
    for (guint c = 1; c < cores->len; c++) {
        miner_core *last = &g_array_index(cores, miner_core, kept);
        const miner_core *next = &g_array_index(cores, miner_core, c);
        if (next->first <= last->last + NEAR ||
            miner_bin_floor(next->first) <= miner_bin_floor(last->last + 1) + GRAIN) {
            last->last = MAX(last->last, next->last);
            last->count += next->count;
        } else {
            kept++;
            g_array_index(cores, miner_core, kept) = *next;
        }
    }
    g_array_set_size(cores, MIN(cores->len, kept + 1));
}

size_t noise_length_modes(const sim_time *length, size_t n, uint16_t *mode)
{
    g_autofree uint64_t *count = g_new0(uint64_t, MINER_BINS);
    g_autofree int32_t *owner = g_new(int32_t, MINER_BINS);
    g_autofree uint16_t *mode_of = g_new(uint16_t, MINER_BINS);
    for (size_t i = 0; i < n; i++) {
        count[miner_bin(length[i])]++;
    }
    g_autoptr(GArray) cores = noise_miner_cores_new(count, owner);
    g_array_sort(cores, by_length);
    join_near(cores);
    g_array_set_size(cores, MIN(cores->len, MOST));
    for (uint32_t bin = 0; bin < MINER_BINS; bin++) {
        uint32_t least = TAIL + 1;
        mode_of[bin] = UINT16_MAX;
        for (guint c = 0; c < cores->len; c++) {
            const uint32_t away = distance(&g_array_index(cores, miner_core, c), bin);
            if (away < least) {
                least = away;
                mode_of[bin] = (uint16_t)c;
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        mode[i] = mode_of[miner_bin(length[i])];
    }
    return cores->len;
}
