/* noise/detours/rank_ranges.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * "0,5-7": sets of ranks as ranges in order.
 */
#pragma once

#include "noise/error.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * @param n [out] ranges, in order, neither touching nor overlapping
 * @return [n] first and last rank, inclusive, owned by the caller; NULL with NOISE_ERROR_BAD_MODEL
 */
uint32_t (*noise_rank_ranges_parse(const char *text, uint32_t *n, GError **error))[2];
bool noise_rank_ranges_contain(const uint32_t (*ranges)[2], uint32_t n, uint32_t rank);
