/* apps/ripple/options/sizes.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

/**
 * Sizes of a scaling experiment: the first multiple of @p unit from @p first on, then four times as
 * many each time up to @p last. @return [*n] owned by the caller; at least one
 */
uint32_t *app_scaling_sizes(uint32_t unit, uint32_t first, uint32_t last, size_t *n);
