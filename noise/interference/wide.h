/* noise/interference/wide.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Whole numbers of 256 bits, as far as comparing squares needs them: sums of squared picoseconds
 * fill 128 bits, and their products with thresholds must still be exact.
 * Tests: test_wide, test_scorer_oracle.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 wide_half;
__extension__ typedef __int128 wide_signed;

typedef struct wide {
    wide_half high, low;
} wide;

static inline wide wide_multiply(wide_half a, wide_half b)
{
    const wide_half mask = UINT64_MAX;
    const wide_half a0 = a & mask, a1 = a >> 64, b0 = b & mask, b1 = b >> 64;
    const wide_half low = a0 * b0, left = a1 * b0, right = a0 * b1;
    /* Three numbers below 2^64: no carry is lost. */
    const wide_half middle = (low >> 64) + (left & mask) + (right & mask);
    return (wide){.high = a1 * b1 + (left >> 64) + (right >> 64) + (middle >> 64),
                  .low = (middle << 64) | (low & mask)};
}

/** @p a - @p b, a >= b. */
static inline wide wide_subtract(wide a, wide b)
{
    return (wide){.high = a.high - b.high - (a.low < b.low), .low = a.low - b.low};
}

/** @p a * @p factor, which must fit. */
static inline wide wide_scale(wide a, wide_half factor)
{
    wide product = wide_multiply(a.low, factor);
    product.high += a.high * factor;
    return product;
}

static inline bool wide_less(wide a, wide b)
{
    return a.high != b.high ? a.high < b.high : a.low < b.low;
}
