/* sim/spread.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Which ranks to look at where looking at all takes too long.
 */
#pragma once

#include <stdint.h>

/**
 * The @p i-th (0..some-1) of @p some different numbers below @p n; all of them if @p some is @p n.
 * They are spread evenly, but at no fixed distance: ranks that are multiples of a power of two, or
 * of the size of a node, are often unlike the others.
 * @param some 1..n
 */
static inline uint32_t sim_spread(uint32_t i, uint32_t some, uint32_t n)
{
    const uint64_t first = (uint64_t)i * n / some;
    const uint64_t next = ((uint64_t)i + 1) * n / some;
    const uint32_t golden =
        i * UINT32_C(2654435769); /* 2^32 / 1.618...: its multiples are spread */
    return (uint32_t)(first + ((next - first) * golden >> 32));
}
