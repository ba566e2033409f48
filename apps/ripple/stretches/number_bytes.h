/* apps/ripple/stretches/number_bytes.h — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_reference, test_stretch_log. */
/**
 * @file
 * Numbers as bytes: 7 bits in each, lowest first; all but the last are marked. Inline, since they
 * are read and written for every stretch of a run.
 */
#pragma once

#include <stdint.h>

/** A number takes no more. */
enum { APP_NUMBER_BYTES = 10 };

/** @return behind what was written, at most APP_NUMBER_BYTES */
static inline uint8_t *app_number_put(uint8_t *out, uint64_t x)
{
    while (x >= 0x80) {
        *out++ = (uint8_t)(x | 0x80);
        x >>= 7;
    }
    *out++ = (uint8_t)x;
    return out;
}

/** @param in moves on */
static inline uint64_t app_number_get(const uint8_t **in)
{
    uint64_t x = 0;
    unsigned shift = 0;
    uint8_t byte;
    do {
        byte = *(*in)++;
        x |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while (byte >= 0x80);
    return x;
}

/** With sign: small ones of either are small numbers. */
static inline uint64_t app_number_fold(int64_t x)
{
    return ((uint64_t)x << 1) ^ (uint64_t)(x >> 63);
}

static inline int64_t app_number_unfold(uint64_t x)
{
    return (int64_t)(x >> 1) ^ -(int64_t)(x & 1);
}
