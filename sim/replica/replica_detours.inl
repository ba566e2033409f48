/* sim/replica/replica_detours.inl — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Work that detours interrupt, in lanes; included by replica_kernel.inl alone, whose batches and
 * vectors it uses, to be inlined into all of its loops.
 *
 * A rank keeps, for each lane, when the next detour begins and which it is. Work that is done
 * before that needs nothing else; the others take finish_one(), lane by lane.
 */

static const sim_time NEVER = INT64_MAX;

/* Detours that are passed one by one before the tables are asked where to go on. */
enum { STEPS_MAX = 8 };
/* Rows that are looked at before those in which work is interrupted are looked at again. */
enum { ROWS_AT_ONCE = 32 };
/* Ranks whose offsets are drawn at once. */
enum { DRAWN = 64 };

/* A place among the detours of a rank in one lane. */
typedef struct place {
    sim_time base; /* instant at which its period begins */
    uint32_t k;    /* the detour that comes next, or is on */
} place;

ALWAYS_INLINE void step(const sim_detours *d, place *p)
{
    if (++p->k == d->n) {
        p->k = 0;
        p->base += d->period;
    }
}

/* The first detour from @p low on that has not ended by @p pos (0 .. period - 1), at most the one
 * after the period's last; detours that are over by the end of pos' cell are bisected. */
static __attribute__((noinline)) uint32_t first_of_many(const sim_detours *d, sim_time pos,
                                                        uint32_t low)
{
    uint32_t high = d->over[((uint64_t)pos >> d->shift) + 1]; /* the answer is in low..high */
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (d->at[middle].end <= pos) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The first detour that has not ended by @p pos (0 .. period - 1); @p low: of those that have not
 * when its cell begins. Few are in one cell: no branch depends on how many. */
ALWAYS_INLINE uint32_t first_from(const sim_detours *d, sim_time pos, uint32_t low)
{
    const sim_detour *at = &d->at[low];
    const uint32_t n =
        (uint32_t)(at[0].end <= pos) + (uint32_t)(at[1].end <= pos) + (uint32_t)(at[2].end <= pos);
    return __builtin_expect(n == 3, 0) ? first_of_many(d, pos, low + 3) : low + n;
}

ALWAYS_INLINE uint32_t first_after(const sim_detours *d, sim_time pos)
{
    return first_from(d, pos, d->over[(uint64_t)pos >> d->shift]);
}

/* The place of an instant >= p->base. */
static void seek(const sim_detours *d, sim_time at, place *p)
{
    sim_time pos = at - p->base;
    const sim_time laps = pos / d->period;
    p->base += laps * d->period;
    pos -= laps * d->period;
    p->k = first_after(d, pos);
    if (p->k == d->n) {
        p->k = 0;
        p->base += d->period;
    }
}

/* W for work that many detours interrupt. @p p: a place with the right base */
static __attribute__((noinline)) sim_time finish_long(const sim_detours *d, sim_time start,
                                                      sim_time work, place *p)
{
    const sim_time rest = -p->base % d->period;
    const sim_time end = d->finish(d, rest < 0 ? rest + d->period : rest, start, work);
    seek(d, end, p);
    return end;
}

/* W(start, work), work > 0; the place moves on to its end. */
ALWAYS_INLINE sim_time finish_one(const sim_detours *d, sim_time start, sim_time work,
                                  sim_time *next, uint32_t *k)
{
    place p = {.base = *next - d->at[*k].start, .k = *k};
    for (unsigned steps = 0; p.base + d->at[p.k].end <= start; step(d, &p)) {
        if (++steps > STEPS_MAX) {
            seek(d, start, &p);
            break;
        }
    }
    sim_time begin = p.base + d->at[p.k].start;
    sim_time end = start + work;
    if (begin < start) { /* part of the detour is over */
        end += begin - start;
    }
    for (unsigned steps = 0; begin < end; begin = p.base + d->at[p.k].start) {
        if (++steps > STEPS_MAX) {
            end = finish_long(d, start, work, &p);
        } else {
            end += d->at[p.k].end - d->at[p.k].start;
            step(d, &p);
        }
    }
    *next = begin;
    *k = p.k;
    return end;
}

/*
 * One detour after the other, without a branch on where it lies: of a detour of length l that
 * begins at b, work that starts at s meets
 *
 *     max(0, min(l, b + l - s)),
 *
 * nothing where it is over by then. @p end: as if there were none; @return the lanes that are not
 * done, and are as they were
 */
#ifdef __AVX512F__
ALWAYS_INLINE unsigned finish_packed(const sim_detours *d, lanes start, lanes *end, sim_time *nexts,
                                     uint32_t *places, unsigned which)
{
    __m512i *const row = (__m512i *)(void *)nexts;
    __m256i *const where = (__m256i *)(void *)places;
    const __m512i none = _mm512_setzero_si512();
    const __m512i low = _mm512_set1_epi64((long long)((UINT64_C(1) << d->apart_bits) - 1));
    const __m128i above = _mm_cvtsi32_si128((int)d->apart_bits);
    const __m512i begin = (__m512i)start.of[0];
    __m512i next = _mm512_load_si512(row);
    __m512i k = _mm512_cvtepu32_epi64(_mm256_load_si256(where));
    __m512i done = (__m512i)end->of[0];
    __mmask8 hit = (__mmask8)which;
    __mmask8 unfit = 0;
    for (unsigned steps = 0; hit != 0 && steps < STEPS_MAX; steps++) {
        const __m512i detour = _mm512_mask_i64gather_epi64(none, hit, k, d->packed, 8);
        unfit |= _mm512_mask_testn_epi64_mask(hit, detour, detour);
        const __m512i length = _mm512_srl_epi64(detour, above);
        const __m512i left = _mm512_sub_epi64(_mm512_add_epi64(next, length), begin);
        const __m512i met = _mm512_max_epi64(_mm512_min_epi64(length, left), none);
        done = _mm512_mask_add_epi64(done, hit, done, met);
        next = _mm512_mask_add_epi64(next, hit, next, _mm512_and_si512(detour, low));
        k = _mm512_mask_add_epi64(k, hit, k, _mm512_set1_epi64(1));
        const __mmask8 is_in = _mm512_cmplt_epu64_mask(k, _mm512_set1_epi64((long long)d->n));
        k = _mm512_maskz_mov_epi64(is_in, k);
        hit = _mm512_mask_cmplt_epi64_mask((__mmask8)(hit & ~unfit), next, done);
    }
    const __mmask8 through = (__mmask8)(which & ~(unsigned)(hit | unfit));
    end->of[0] = (lanes_part)_mm512_mask_mov_epi64((__m512i)end->of[0], through, done);
    _mm512_mask_store_epi64(row, through, next);
    _mm512_mask_cvtepi64_storeu_epi32(where, through, k);
    return (unsigned)(hit | unfit);
}
#else
ALWAYS_INLINE unsigned finish_packed(const sim_detours *d, lanes start, lanes *end, sim_time *nexts,
                                     uint32_t *places, unsigned which)
{
    const uint64_t low = (UINT64_C(1) << d->apart_bits) - 1;
    unsigned left = 0;
    for (; which != 0; which &= which - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(which);
        const sim_time begin = lane_of(&start, lane);
        sim_time next = nexts[lane];
        sim_time done = lane_of(end, lane);
        uint32_t k = places[lane];
        unsigned steps = 0;
        for (; next < done && steps < STEPS_MAX; steps++) {
            const uint64_t detour = d->packed[k];
            if (detour == 0) {
                break;
            }
            const sim_time length = (sim_time)(detour >> d->apart_bits);
            const sim_time met = MIN(length, next + length - begin);
            done += MAX(met, 0);
            next += (sim_time)(detour & low);
            k = k + 1 == d->n ? 0 : k + 1;
        }
        if (next < done) {
            left |= 1U << lane;
        } else {
            set_lane(end, lane, done);
            nexts[lane] = next;
            places[lane] = k;
        }
    }
    return left;
}
#endif

/* The lanes of a row in which detours come before the work is done; the rows are at their next
 * detours then. @return when it is done, in these lanes */
static __attribute__((noinline)) lanes finish_some(const batch *b, uint32_t rank, lanes start,
                                                   sim_time work, unsigned which)
{
    const sim_detours *d = b->noise->same != NULL ? b->noise->same : b->noise->each[rank];
    sim_time *next = b->storage->next[rank];
    uint32_t *k = b->storage->place[rank];
    lanes end = after(start, work);
    which = finish_packed(d, start, &end, next, k, which);
    while (which != 0) {
        const unsigned lane = (unsigned)__builtin_ctz(which);
        set_lane(&end, lane, finish_one(d, lane_of(&start, lane), work, &next[lane], &k[lane]));
        which &= which - 1;
    }
    return end;
}

/* Rows in which work is interrupted. They are looked at one after the other when all of their
 * detours are on their way from memory. */
typedef struct interrupted {
    lanes start[ROWS_AT_ONCE + 1];
    lanes own[ROWS_AT_ONCE + 1]; /* when the message before was handed over, if sends wait */
    uint32_t row[ROWS_AT_ONCE + 1];
    unsigned which[ROWS_AT_ONCE + 1];
    unsigned n;
} interrupted;

/* Bring near the detours that come next in these lanes of a row. */
ALWAYS_INLINE void fetch_detours(const batch *b, uint32_t row, unsigned which)
{
    const sim_detours *d = b->noise->same != NULL ? b->noise->same : b->noise->each[row];
    const uint32_t *k = b->storage->place[row];
#ifdef __AVX512F__
    uint32_t some[SIM_LANES];
    const __m256i all = _mm256_load_si256((const __m256i *)(const void *)k);
    _mm256_storeu_si256((__m256i *)(void *)some, _mm256_maskz_compress_epi32((__mmask8)which, all));
    const unsigned n = (unsigned)__builtin_popcount(which);
    for (unsigned i = 0; i < n; i++) {
        __builtin_prefetch(&d->packed[some[i]]);
    }
#else
    for (; which != 0; which &= which - 1) {
        __builtin_prefetch(&d->packed[k[__builtin_ctz(which)]]);
    }
#endif
}

/* W in every lane. */
ALWAYS_INLINE lanes finish(const batch *b, bool noisy, uint32_t rank, lanes start, sim_time work)
{
    const lanes end = after(start, work);
    if (!noisy || work == 0) {
        return end;
    }
    const unsigned which = where_later(end, load(&b->storage->next[rank]));
    return __builtin_expect(which != 0, 0) ? finish_some(b, rank, start, work, which) : end;
}

/* Where to look for the next detours of a rank: they are brought near. */
ALWAYS_INLINE void fetch_begin(const sim_detours *d, const sim_time *offset, uint32_t *low)
{
    for (unsigned lane = 0; lane < SIM_LANES; lane++) {
        low[lane] = d->over[(uint64_t)offset[lane] >> d->shift];
        __builtin_prefetch(&d->at[low[lane]]);
    }
}

/* The next detours at instant 0 of a rank that sees @p d from these offsets on. */
ALWAYS_INLINE void begin_rank(const sim_detours *d, const sim_time *offset, const uint32_t *low,
                              sim_time *next, uint32_t *places)
{
    for (unsigned lane = 0; lane < SIM_LANES; lane++) {
        const uint32_t k = first_from(d, offset[lane], low[lane]);
        const sim_time lap = k == d->n ? d->period : 0;
        places[lane] = k == d->n ? 0 : k;
        next[lane] = lap + d->at[places[lane]].start - offset[lane];
    }
}

/* The same for @p n <= DRAWN ranks. */
static void begin_noise(const batch *b, uint32_t first, uint32_t n)
{
    const sim_noise_lanes *noise = b->noise;
    sim_time offsets[DRAWN][SIM_LANES] = {{0}};
    uint32_t low[DRAWN][SIM_LANES];
    noise->offsets(noise, first, n, offsets);
    for (uint32_t i = 0; i < n; i++) {
        const sim_detours *d = noise->same != NULL ? noise->same : noise->each[first + i];
        if (d != NULL) {
            fetch_begin(d, offsets[i], low[i]);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t rank = first + i;
        const sim_detours *d = noise->same != NULL ? noise->same : noise->each[rank];
        sim_time *next = b->storage->next[rank];
        if (d != NULL) {
            begin_rank(d, offsets[i], low[i], next, b->storage->place[rank]);
        }
        for (unsigned lane = d != NULL ? noise->num_lanes : 0; lane < SIM_LANES; lane++) {
            next[lane] = NEVER;
        }
    }
}
