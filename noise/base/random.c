/* noise/base/random.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/random.h"

#include <endian.h>
#include <gsl/gsl_cdf.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* XXH3 mixes the seed into either word of a short key by an exclusive or: seeds that are close to
 * each other would only draw the same numbers in other streams, at other counters. So they are
 * spread over all 64 bits (an odd factor takes no two seeds to the same place); 1 stays 1. */
static inline uint64_t spread(uint64_t seed)
{
    return 1 + (seed - 1) * UINT64_C(0x9E3779B97F4A7C15); /* 2^64 / golden ratio */
}

static inline uint64_t draw(uint64_t seed, uint64_t stream, uint64_t counter)
{
    const uint64_t key[2] = {htole64(stream), htole64(counter)};
    return XXH3_64bits_withSeed(key, sizeof key, spread(seed));
}

uint64_t noise_random_u64(uint64_t seed, uint64_t stream, uint64_t counter)
{
    return draw(seed, stream, counter);
}

double noise_random_unit(uint64_t seed, uint64_t stream, uint64_t counter)
{
    /* The middles of 2^52 equal cells: each is a double, and none rounds to 0 or 1. */
    return ((double)(noise_random_u64(seed, stream, counter) >> 12) + 0.5) * 0x1p-52;
}

__extension__ typedef unsigned __int128 wide;

static inline uint64_t below(uint64_t seed, uint64_t stream, uint64_t counter, uint64_t bound)
{
    /* The high word of draw * bound is the answer. 2^64 mod bound values of the low word would
     * favour some answers: such draws are repeated (Lemire, ACM TOMACS 29, 2019). */
    wide product = (wide)draw(seed, stream, counter) * bound;
    if ((uint64_t)product < bound) {
        const uint64_t unfair = -bound % bound;
        for (uint64_t attempt = 1; (uint64_t)product < unfair; attempt++) {
            const uint64_t key[3] = {htole64(stream), htole64(counter), htole64(attempt)};
            product = (wide)XXH3_64bits_withSeed(key, sizeof key, spread(seed)) * bound;
        }
    }
    return (uint64_t)(product >> 64);
}

uint64_t noise_random_below(uint64_t seed, uint64_t stream, uint64_t counter, uint64_t bound)
{
    return below(seed, stream, counter, bound);
}

void noise_random_below_in_streams(uint64_t seed, uint64_t stream, unsigned n, uint64_t counter,
                                   uint64_t bound, int64_t *out)
{
    for (unsigned i = 0; i < n; i++) {
        out[i] = (int64_t)below(seed, stream + i, counter, bound);
    }
}

double noise_random_normal(uint64_t seed, uint64_t stream, uint64_t counter)
{
    return gsl_cdf_ugaussian_Pinv(noise_random_unit(seed, stream, counter));
}

uint64_t noise_random_stream(const char *name)
{
    return XXH3_64bits(name, strlen(name));
}
