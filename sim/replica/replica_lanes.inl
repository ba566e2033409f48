/* sim/replica/replica_lanes.inl — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Vectors of one instant for each lane, in the registers of the processor; included by
 * replica_kernel.inl alone, since they differ in each source for which that is compiled.
 */
#ifdef __AVX2__
#include <immintrin.h>
#endif

typedef sim_time lanes __attribute__((vector_size(sizeof(replica_row)), may_alias));

#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE lanes load(const replica_row *row)
{
    return *(const lanes *)(const void *)row;
}

ALWAYS_INLINE void store(replica_row *row, lanes value)
{
    *(lanes *)(void *)row = value;
}

ALWAYS_INLINE lanes later(lanes a, lanes b)
{
#ifdef __AVX512F__
    return (lanes)_mm512_max_epi64((__m512i)a, (__m512i)b);
#else
    const lanes first = a > b;
    return (a & first) | (b & ~first);
#endif
}

/* A bit for each lane in which a > b. */
ALWAYS_INLINE unsigned where_later(lanes a, lanes b)
{
#if defined(__AVX512F__)
    return _mm512_cmpgt_epi64_mask((__m512i)a, (__m512i)b);
#else
    const lanes first = a > b;
#if defined(__AVX2__)
    union {
        lanes all;
        __m256d half[2];
    } mask = {.all = first};
    return (unsigned)_mm256_movemask_pd(mask.half[0]) | (unsigned)_mm256_movemask_pd(mask.half[1])
                                                            << 4;
#else
    unsigned bits = 0;
    for (unsigned lane = 0; lane < SIM_LANES; lane++) {
        bits |= (unsigned)(first[lane] & 1) << lane;
    }
    return bits;
#endif
#endif
}
