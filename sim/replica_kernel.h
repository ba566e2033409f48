/* sim/replica_kernel.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The loops over the rows of a batch: one source, compiled once for each kind of vector
 * (replica_portable.c, …), which defines REPLICA_KERNEL and REPLICA_NAME.
 *
 * Look-ups of noise: a rank keeps, for each lane, when the next detour begins and which it is. Work
 * that is done before that needs nothing else; the others take finish_one(), lane by lane.
 */
#include "replica_private.h"

#include <stdbool.h>
#include <string.h>
#ifdef __AVX2__
#include <immintrin.h>
#endif

#pragma GCC poison malloc calloc realloc free g_malloc printf

typedef sim_time lanes __attribute__((vector_size(sizeof(replica_row)), may_alias));

#define ALWAYS_INLINE static inline __attribute__((always_inline))

static const sim_time NEVER = INT64_MAX;

/* Detours that are passed one by one before the tables are asked where to go on. */
enum { STEPS_MAX = 8 };
/* Ranks whose offsets are drawn at once. */
enum { DRAWN = 64 };

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

/* A place among the detours of a rank in one lane. */
typedef struct place {
    sim_time base; /* instant at which its period begins */
    uint32_t k;    /* the detour that comes next, or is on */
} place;

ALWAYS_INLINE sim_time end_of(const sim_detours *d, uint32_t k)
{
    return d->at[k].start + d->at[k + 1].stolen - d->at[k].stolen;
}

ALWAYS_INLINE void step(const sim_detours *d, place *p)
{
    if (++p->k == d->n) {
        p->k = 0;
        p->base += d->period;
    }
}

/* The first detour that has not ended by @p pos (0 .. period); n: none in this period. */
ALWAYS_INLINE uint32_t first_after(const sim_detours *d, sim_time pos)
{
    const uint64_t cell = (uint64_t)pos >> d->shift;
    uint32_t low = d->below[cell]; /* the first that begins at pos or later is in low..high */
    uint32_t high = d->below[cell + 1];
    while (high - low > STEPS_MAX) {
        const uint32_t middle = low + (high - low) / 2;
        if (d->at[middle].start < pos) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    while (low < high && d->at[low].start < pos) {
        low++;
    }
    return low > 0 && end_of(d, low - 1) > pos ? low - 1 : low;
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
    for (unsigned steps = 0; p.base + end_of(d, p.k) <= start; step(d, &p)) {
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
            end += end_of(d, p.k) - d->at[p.k].start;
            step(d, &p);
        }
    }
    *next = begin;
    *k = p.k;
    return end;
}

typedef struct batch {
    const replica_plan *plan;
    const replica_room *room;
    const sim_noise_lanes *noise;
} batch;

static __attribute__((noinline)) lanes finish_some(const batch *b, uint32_t rank, lanes start,
                                                   sim_time work, unsigned which)
{
    const sim_detours *d = b->noise->same != NULL ? b->noise->same : b->noise->each[rank];
    sim_time *next = b->room->next[rank];
    uint32_t *k = b->room->place[rank];
    lanes end = start + work;
    while (which != 0) {
        const unsigned lane = (unsigned)__builtin_ctz(which);
        end[lane] = finish_one(d, start[lane], work, &next[lane], &k[lane]);
        which &= which - 1;
    }
    return end;
}

/* W in every lane. */
ALWAYS_INLINE lanes finish(const batch *b, bool noisy, uint32_t rank, lanes start, sim_time work)
{
    const lanes end = start + work;
    if (!noisy || work == 0) {
        return end;
    }
    const unsigned which = where_later(end, load(&b->room->next[rank]));
    return __builtin_expect(which != 0, 0) ? finish_some(b, rank, start, work, which) : end;
}

/* The place of each rank and lane at instant 0. */
static void begin_noise(const batch *b)
{
    const sim_noise_lanes *noise = b->noise;
    sim_time offsets[DRAWN][SIM_LANES];
    for (uint32_t rank = 0; rank < b->plan->num_ranks; rank++) {
        if (rank % DRAWN == 0) {
            const uint32_t left = b->plan->num_ranks - rank;
            noise->offsets(noise, rank, left < DRAWN ? left : DRAWN, offsets);
        }
        const sim_detours *d = noise->same != NULL ? noise->same : noise->each[rank];
        for (unsigned lane = 0; lane < SIM_LANES; lane++) {
            sim_time next = NEVER;
            uint32_t k = 0;
            if (d != NULL && lane < noise->num_lanes) {
                place p = {.base = -offsets[rank % DRAWN][lane]};
                seek(d, 0, &p);
                next = p.base + d->at[p.k].start;
                k = p.k;
            }
            b->room->next[rank][lane] = next;
            b->room->place[rank][lane] = k;
        }
    }
}

/* The send of each rank starts; where there is a rendezvous, so does the receive. */
ALWAYS_INLINE void begin_run(const batch *b, bool noisy, const replica_run *run,
                             const replica_cost *c)
{
    const sim_params *m = &b->plan->params;
    const replica_room *room = b->room;
    const bool is_late = c->rendezvous && m->rendezvous == SIM_RENDEZVOUS_HANDSHAKE;
    for (uint32_t rank = run->first; rank < run->first + run->n; rank++) {
        lanes start = load(&room->clock[rank]);
        if (c->sends && room->tx != NULL) {
            start = later(start, load(&room->tx[rank]));
        }
        if (room->posted != NULL) {
            store(&room->posted[rank], start);
        }
        if (!c->sends) {
            continue;
        }
        const lanes handed = finish(b, noisy, rank, start, m->o);
        store(&room->handed[rank], handed);
        store(&room->clock[rank], finish(b, noisy, rank, handed, c->send_bytes));
        if (room->tx != NULL && !is_late) {
            store(&room->tx[rank], handed + (m->g + c->send_wire - m->o));
        }
    }
}

/* Rendezvous: the message of each rank meets its receive. */
static void meet_run(const batch *b, const replica_run *run, const replica_cost *c)
{
    const sim_params *m = &b->plan->params;
    const replica_room *room = b->room;
    for (uint32_t i = 0; i < run->n; i++) {
        const uint32_t rank = run->first + i;
        const lanes met =
            later(load(&room->handed[rank]) + m->L, load(&room->posted[run->peer + i]));
        if (m->rendezvous == SIM_RENDEZVOUS_INSTANT) {
            store(&room->released[rank], met);
            continue;
        }
        lanes leaves = met + m->L;
        if (room->tx != NULL) {
            leaves = later(leaves, load(&room->tx[rank]));
            store(&room->tx[rank], leaves + (m->g + c->send_wire));
        }
        store(&room->handed[rank], leaves);
        store(&room->released[rank], leaves + c->send_wire);
    }
}

/* The receive of each rank, and all that follows it in the round. */
ALWAYS_INLINE void end_run(const batch *b, bool noisy, const replica_run *run,
                           const replica_cost *c)
{
    const sim_params *m = &b->plan->params;
    const replica_room *room = b->room;
    for (uint32_t i = 0; i < run->n; i++) {
        const uint32_t rank = run->first + i;
        lanes clock = load(&room->clock[rank]);
        if (c->receives) {
            lanes taken = load(&room->handed[run->peer + i]) + m->L;
            if (room->rx != NULL) {
                taken = later(taken, load(&room->rx[rank]));
                store(&room->rx[rank], taken + (m->g + c->recv_wire));
            }
            clock = finish(b, noisy, rank, later(clock, taken + c->delay), m->o + c->recv_bytes);
        }
        if (c->rendezvous) {
            clock = later(clock, load(&room->released[rank]));
        }
        store(&room->clock[rank], finish(b, noisy, rank, clock, c->work));
    }
}

ALWAYS_INLINE void run_levels(const batch *b, bool noisy)
{
    const replica_plan *plan = b->plan;
    const replica_run *runs = (const replica_run *)(const void *)plan->runs->data;
    const replica_cost *costs = (const replica_cost *)(const void *)plan->costs->data;
    const replica_level *levels = (const replica_level *)(const void *)plan->levels->data;
    for (unsigned l = 0, i = 0; l < plan->levels->len; l++) {
        for (; i < levels[l].begins; i++) {
            begin_run(b, noisy, &runs[i], &costs[runs[i].cost]);
        }
        for (; i < levels[l].meetings; i++) {
            meet_run(b, &runs[i], &costs[runs[i].cost]);
        }
        for (; i < levels[l].ends; i++) {
            end_run(b, noisy, &runs[i], &costs[runs[i].cost]);
        }
    }
}

static void run_batch(const replica_plan *plan, const replica_room *room,
                      const sim_noise_lanes *noise)
{
    const batch b = {.plan = plan, .room = room, .noise = noise};
    const size_t bytes = plan->num_ranks * sizeof(replica_row);
    memset(room->clock, 0, bytes);
    if (room->tx != NULL) {
        memset(room->tx, 0, bytes);
    }
    if (room->rx != NULL) {
        memset(room->rx, 0, bytes);
    }
    if (noise != NULL) {
        begin_noise(&b);
    }
    for (uint32_t i = 0; i < plan->repeat; i++) {
        if (noise != NULL) {
            run_levels(&b, true);
        } else {
            run_levels(&b, false);
        }
    }
}

/* What has come of it; tables are read row by row and written lane by lane. */
static void finish_batch(const replica_plan *plan, const replica_room *room, sim_time *makespan,
                         sim_time *const *out)
{
    lanes last = {0};
    for (uint32_t rank = 0; rank < plan->num_ranks; rank++) {
        last = later(last, load(&room->clock[rank]));
        for (unsigned lane = 0; out != NULL && lane < SIM_LANES; lane++) {
            if (out[lane] != NULL) {
                out[lane][rank] = room->clock[rank][lane];
            }
        }
    }
    for (unsigned lane = 0; lane < SIM_LANES; lane++) {
        makespan[lane] = last[lane];
    }
}

const replica_kernel REPLICA_KERNEL = {
    .name = REPLICA_NAME,
    .run = run_batch,
    .finish = finish_batch,
};
