/* noise/detours/rank_ranges.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * "0,5-7,64-1023/64": sets of ranks, or of nodes, as ranges in order.
 */
#pragma once

#include "noise/error.h"
#include "noise/signature.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * @param what "ranks", "nodes": for the error
 * @param n [out] ranges, by their first; those without stride neither touch nor overlap, where all
 *   are
 * @return [n] owned by the caller; NULL with NOISE_ERROR_BAD_MODEL
 */
noise_range *noise_rank_ranges_parse(const char *text, const char *what, uint32_t *n,
                                     GError **error);
/** O(n). */
bool noise_rank_ranges_contain(const noise_range *ranges, uint32_t n, uint32_t rank);
/** Of 0..end - 1. O(n), O(n end) where a range has a stride. */
uint32_t noise_rank_ranges_count(const noise_range *ranges, uint32_t n, uint32_t end);
