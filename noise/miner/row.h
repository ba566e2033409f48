/* noise/miner/row.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What all modes need to write their rows.
 */
#pragma once

#include "noise/miner.h"

#include <math.h>

/** More ranges than this are cut off and the row says so. */
#define MINER_MAX_RANGES 1024

/** Nearest picosecond; saturates. */
static inline sim_time noise_miner_round(double ps)
{
    const double limit = (double)SIM_TIME_MAX;
    return ps >= limit ? SIM_TIME_MAX : ps <= -limit ? -SIM_TIME_MAX : (sim_time)llround(ps);
}

/** Put the ascending @p ranks into @p row: their number and their ranges. */
static inline void noise_miner_row_set_ranks(noise_miner_row *row, const uint32_t *ranks, size_t n)
{
    row->num_ranks = (uint32_t)n;
    row->ranks_exact = true;
    g_autoptr(GArray) ranges = g_array_new(FALSE, FALSE, sizeof(uint32_t[2]));
    for (size_t i = 0; i < n; i++) {
        uint32_t *last =
            ranges->len == 0 ? NULL : &g_array_index(ranges, uint32_t, 2 * ranges->len - 1);
        if (last != NULL && *last + 1 == ranks[i]) {
            *last = ranks[i];
        } else if (ranges->len < MINER_MAX_RANGES) {
            const uint32_t range[2] = {ranks[i], ranks[i]};
            g_array_append_val(ranges, range);
        } else {
            row->ranks_exact = false;
            break;
        }
    }
    row->num_ranges = ranges->len;
    row->ranks = (uint32_t(*)[2])(void *)g_array_free(g_steal_pointer(&ranges), FALSE);
}
