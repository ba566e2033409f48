/* sim/replica/replica_lanes.inl — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * One instant for each lane, in the registers of the processor; included by replica_kernel.inl
 * alone, since they differ in each source for which that is compiled. A vector that is wider than a
 * register is compared one lane after the other by the compiler, so there is one for each register.
 */
#ifdef __AVX2__
#include <immintrin.h>
#endif

#if defined(__AVX512F__)
enum { PART_LANES = 8 };
#elif defined(__AVX2__)
enum { PART_LANES = 4 };
#else
enum { PART_LANES = 2 };
#endif
enum { PARTS = SIM_LANES / PART_LANES };

typedef sim_time lanes_part __attribute__((vector_size(PART_LANES * sizeof(sim_time)), may_alias));
typedef struct lanes {
    lanes_part of[PARTS];
} lanes;

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define EACH_PART(i)  _Pragma("GCC unroll 4") for (unsigned i = 0; i < PARTS; i++)

ALWAYS_INLINE lanes load(const replica_row *row)
{
    const lanes_part *from = (const lanes_part *)(const void *)row;
    lanes all;
    EACH_PART(i) all.of[i] = from[i];
    return all;
}

ALWAYS_INLINE void store(replica_row *row, lanes value)
{
    lanes_part *to = (lanes_part *)(void *)row;
    EACH_PART(i) to[i] = value.of[i];
}

ALWAYS_INLINE sim_time lane_of(const lanes *all, unsigned lane)
{
    return all->of[lane / PART_LANES][lane % PART_LANES];
}

ALWAYS_INLINE void set_lane(lanes *all, unsigned lane, sim_time value)
{
    all->of[lane / PART_LANES][lane % PART_LANES] = value;
}

/* The same time later in every lane. */
ALWAYS_INLINE lanes after(lanes start, sim_time time)
{
    EACH_PART(i) start.of[i] += time;
    return start;
}

ALWAYS_INLINE lanes_part part_max(lanes_part a, lanes_part b)
{
#ifdef __AVX512F__
    return (lanes_part)_mm512_max_epi64((__m512i)a, (__m512i)b);
#else
    const lanes_part first = a > b;
    return (a & first) | (b & ~first);
#endif
}

ALWAYS_INLINE lanes later(lanes a, lanes b)
{
    EACH_PART(i) a.of[i] = part_max(a.of[i], b.of[i]);
    return a;
}

/* A bit for each lane of a part in which a > b. */
ALWAYS_INLINE unsigned part_later(lanes_part a, lanes_part b)
{
#if defined(__AVX512F__)
    return _mm512_cmpgt_epi64_mask((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return (unsigned)_mm256_movemask_pd((__m256d)(a > b));
#else
    const lanes_part first = a > b;
    return (unsigned)(first[0] & 1) | (unsigned)(first[1] & 2);
#endif
}

/* A bit for each lane in which a > b. */
ALWAYS_INLINE unsigned where_later(lanes a, lanes b)
{
    unsigned bits = 0;
    EACH_PART(i) bits |= part_later(a.of[i], b.of[i]) << (i * PART_LANES);
    return bits;
}
