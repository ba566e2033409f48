/* tests/noise/interference/test_wide.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "interference/wide.h"

#include "check.h"

#include "noise/random.h"

/* As on paper, by bytes. */
static void multiply_bytes(wide_half a, wide_half b, uint8_t out[32])
{
    unsigned sum[33] = {0};
    for (int i = 0; i < 16; i++) {
        for (int j = 0; j < 16; j++) {
            sum[i + j] += (unsigned)(uint8_t)(a >> (8 * i)) * (uint8_t)(b >> (8 * j));
        }
    }
    for (int i = 0; i < 32; i++) {
        sum[i + 1] += sum[i] >> 8;
        out[i] = (uint8_t)sum[i];
    }
}

static void bytes_of(wide a, uint8_t out[32])
{
    for (int i = 0; i < 16; i++) {
        out[i] = (uint8_t)(a.low >> (8 * i));
        out[16 + i] = (uint8_t)(a.high >> (8 * i));
    }
}

/* Of few ones or few zeros, so that carries run far. */
static wide_half any(uint64_t seed, uint64_t stream)
{
    wide_half v = 0;
    for (uint64_t i = 0; i < 2; i++) {
        const uint64_t a = noise_random_u64(seed, stream, 2 * i);
        const uint64_t b = noise_random_u64(seed, stream, 2 * i + 1);
        v = v << 64 | (seed % 3 == 0 ? a : seed % 3 == 1 ? (a | b) : ~(a & b) | a);
    }
    return v;
}

static void products_are_as_on_paper(void)
{
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        const wide_half a = any(seed, 1), b = any(seed, 2);
        uint8_t wanted[32], got[32];
        multiply_bytes(a, b, wanted);
        bytes_of(wide_multiply(a, b), got);
        CHECK(memcmp(wanted, got, sizeof got) == 0, "seed %" PRIu64, seed);
        bytes_of(wide_scale((wide){.low = a}, b), got);
        CHECK(memcmp(wanted, got, sizeof got) == 0, "seed %" PRIu64, seed);
    }
}

static void differences_borrow(void)
{
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        /* (a + 1) b - a b = b */
        const wide_half a = any(seed, 1) >> 1, b = any(seed, 2);
        const wide more = wide_multiply(a + 1, b), less = wide_multiply(a, b);
        const wide difference = wide_subtract(more, less);
        CHECK(difference.high == 0 && difference.low == b, "seed %" PRIu64, seed);
        CHECK(wide_less(less, more) && !wide_less(more, less) && !wide_less(more, more),
              "seed %" PRIu64, seed);
    }
}

SUITE_MAIN("wide", TEST(products_are_as_on_paper), TEST(differences_borrow))
