/* noise/miner/row.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What both modes need to write their rows.
 */
#pragma once

#include "noise/miner.h"

/** More ranges than this are cut off and the row says so. */
#define MINER_MAX_RANGES 1024

/** Put the ascending @p ranks into @p row: their number and their ranges. */
void noise_miner_row_set_ranks(noise_miner_row *row, const uint32_t *ranks, size_t n);
/** Release what @p row owns. */
void noise_miner_row_clear(noise_miner_row *row);
/** Nearest picosecond; saturates. */
sim_time noise_miner_round(double ps);
