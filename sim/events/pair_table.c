/* sim/events/pair_table.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_matching. */
#include "events/pair_table_private.h"
#include "sim/large.h"

#include <glib.h>

#include <assert.h>
#include <string.h>

/*
 * Who waits under an envelope: of the rank whose slots these are. MESSAGE: they are messages.
 * RING: they are several, and the rest is the last one's place in `ring`; else it is the one's
 * reference. 0: the slot is empty.
 */
typedef struct pair_slot {
    uint32_t source, tag, comm;
    uint32_t who;
} pair_slot;

_Static_assert(sizeof(pair_slot) == 16, "four to a line of the cache");

#define MESSAGE (UINT32_C(1) << 31)
#define RING    (UINT32_C(1) << 30)
#define MOST    (RING - 1) /* references and places */

/*
 * Of one rank. Few lie in a row, right here, so that one fetch ahead brings all that a look-up
 * needs. More are in slots elsewhere: linear probing, at most half full. Removal closes the gap, so
 * no graves are kept. Where an envelope belongs is told by the highest bits of its hash: when the
 * slots become more, they keep their order, and both arrays are gone through from beginning to end.
 */
#define FEW 7U
typedef struct pair_rank {
    pair_slot *slot; /* [2^(64 - shift)]; NULL: they are few, or none */
    uint32_t shift;
    uint32_t used;      /* slots, or of the few */
    pair_slot few[FEW]; /* the first `used`, in no order, if `slot` is NULL */
} pair_rank;

_Static_assert(sizeof(pair_rank) == 128, "two lines of the cache");

#define LOG_SEGMENT 8 /* ranks, 32 KiB */

/* Neighbouring ranks. */
typedef struct pair_segment {
    pair_rank *rank;                      /* [2^LOG_SEGMENT]; NULL: nothing has waited for any */
    uint64_t many[1 << LOG_SEGMENT >> 6]; /* bit i: rank i has slots elsewhere */
} pair_segment;

typedef struct pair_ring {
    uint32_t ref;
    uint32_t next; /* behind the last comes the first; or of those that are free */
} pair_ring;

#define LOG_LEAST 4  /* slots of a rank with more than a few */
#define LOG_CHUNK 18 /* slots, 4 MiB: ranks with as many have them to themselves */

struct pair_table {
    pair_segment *segment; /* [num_segments] */
    uint32_t num_segments;
    size_t waiting;
    pair_ring *ring; /* 0 is nobody */
    uint32_t num_ring, cap_ring, free_ring;
    pair_slot *free[LOG_CHUNK + 1]; /* arrays of empty slots, by the logarithm of how many */
    GPtrArray *chunk;               /* what arrays are cut from, each larger than the one before */
    pair_slot *rest;                /* of the last chunk */
    size_t num_rest, next_chunk;
};

pair_table *sim_pair_table_new(void)
{
    pair_table *t = g_new0(pair_table, 1);
    t->chunk = g_ptr_array_new_with_free_func(sim_large_free);
    t->next_chunk = (size_t)1 << 8;
    t->num_ring = 1;
    t->cap_ring = 64;
    t->ring = g_new(pair_ring, t->cap_ring);
    return t;
}

void sim_pair_table_free(pair_table *t)
{
    if (t != NULL) {
        g_ptr_array_unref(t->chunk);
        for (uint32_t i = 0; i < t->num_segments; i++) {
            sim_large_free(t->segment[i].rank);
        }
        g_free(t->segment);
        g_free(t->ring);
        g_free(t);
    }
}

/* ---- where slots come from ---- */

static pair_slot *new_chunk(pair_table *t, size_t n)
{
    pair_slot *slots = sim_large_new(n, sizeof *slots);
    memset(slots, 0, n * sizeof *slots);
    g_ptr_array_add(t->chunk, slots);
    return slots;
}

/* An array of empty slots is not used any more. */
static void drop_slots(pair_table *t, pair_slot *slots, unsigned log)
{
    if (log >= LOG_CHUNK) {
        g_ptr_array_remove_fast(t->chunk, slots);
        return;
    }
    memcpy(slots, &t->free[log], sizeof(pair_slot *)); /* not over the first slot's `who` */
    t->free[log] = slots;
}

/* What the last chunk has left goes to the free arrays; a chunk of @p n slots at least follows. */
static void next_chunk(pair_table *t, size_t n)
{
    while (t->num_rest > 0) {
        const unsigned log = 63U - (unsigned)__builtin_clzll(t->num_rest);
        drop_slots(t, t->rest, log);
        t->rest += (size_t)1 << log;
        t->num_rest -= (size_t)1 << log;
    }
    t->num_rest = MAX(t->next_chunk, n);
    t->rest = new_chunk(t, t->num_rest);
    t->next_chunk = MIN(2 * t->num_rest, (size_t)1 << LOG_CHUNK);
}

static pair_slot *new_slots(pair_table *t, unsigned log)
{
    const size_t n = (size_t)1 << log;
    if (log >= LOG_CHUNK) {
        return new_chunk(t, n);
    }
    pair_slot *slots = t->free[log];
    if (slots != NULL) {
        memcpy(&t->free[log], slots, sizeof(pair_slot *));
        return slots;
    }
    if (t->num_rest < n) {
        next_chunk(t, n);
    }
    slots = t->rest;
    t->rest += n;
    t->num_rest -= n;
    return slots;
}

/* ---- the slots of a rank ---- */

static inline uint32_t mask_of(const pair_rank *r)
{
    return (uint32_t)(UINT64_MAX >> r->shift);
}

static inline uint32_t home_of(const pair_rank *r, uint32_t source, uint32_t tag, uint32_t comm)
{
    const uint64_t h = source * UINT64_C(0x9e3779b97f4a7c15) + tag * UINT64_C(0xd6e8feb86659fd93) +
                       comm * UINT64_C(0xff51afd7ed558ccd);
    return (uint32_t)(h >> r->shift);
}

static inline bool is_under(const pair_slot *s, uint32_t source, uint32_t tag, uint32_t comm)
{
    return s->source == source && s->tag == tag && s->comm == comm;
}

/* The slot of that envelope, or the empty one where it would be. */
static inline pair_slot *find_slot(const pair_rank *r, uint32_t source, uint32_t tag, uint32_t comm)
{
    uint32_t at = home_of(r, source, tag, comm);
    while (r->slot[at].who != 0 && !is_under(&r->slot[at], source, tag, comm)) {
        at = (at + 1) & mask_of(r);
    }
    return &r->slot[at];
}

/* NULL: nothing has waited for this rank, or some near it. */
static inline pair_rank *rank_at(const pair_table *t, uint32_t rank)
{
    const uint32_t i = rank >> LOG_SEGMENT;
    if (i >= t->num_segments || t->segment[i].rank == NULL) {
        return NULL;
    }
    return &t->segment[i].rank[rank & ((1U << LOG_SEGMENT) - 1)];
}

/* NULL: nothing waits under that envelope. */
static inline pair_slot *find_waiting(pair_rank *r, const matching_envelope *e)
{
    if (r == NULL) {
        return NULL;
    }
    if (r->slot != NULL) {
        pair_slot *s = find_slot(r, e->source, e->tag, e->comm);
        return s->who != 0 ? s : NULL;
    }
    for (uint32_t i = 0; i < r->used; i++) {
        if (is_under(&r->few[i], e->source, e->tag, e->comm)) {
            return &r->few[i];
        }
    }
    return NULL;
}

/* More slots, with what is in those of now, which are empty then. */
static void grow(pair_table *t, pair_rank *r)
{
    const pair_rank old = *r;
    const unsigned log = 64 - old.shift;
    r->slot = new_slots(t, log + 1);
    r->shift--;
    for (uint32_t i = 0; i <= mask_of(&old); i++) {
        pair_slot *s = &old.slot[i];
        if (s->who != 0) {
            *find_slot(r, s->source, s->tag, s->comm) = *s;
            s->who = 0;
        }
    }
    drop_slots(t, old.slot, log);
}

static inline uint64_t *many_of(const pair_table *t, uint32_t rank)
{
    return &t->segment[rank >> LOG_SEGMENT].many[(rank & ((1U << LOG_SEGMENT) - 1)) >> 6];
}

/* They are not few any more. */
static void leave_row(pair_table *t, pair_rank *r, uint32_t rank)
{
    *many_of(t, rank) |= UINT64_C(1) << (rank & 63);
    r->slot = new_slots(t, LOG_LEAST);
    r->shift = 64 - LOG_LEAST;
    for (uint32_t i = 0; i < r->used; i++) {
        const pair_slot *s = &r->few[i];
        *find_slot(r, s->source, s->tag, s->comm) = *s;
    }
}

/* What is not under any envelope of the rank yet. */
static void add(pair_table *t, pair_rank *r, uint32_t rank, const pair_slot *slot)
{
    if (r->slot == NULL) {
        if (r->used < FEW) {
            r->few[r->used++] = *slot;
            return;
        }
        leave_row(t, r, rank);
    }
    *find_slot(r, slot->source, slot->tag, slot->comm) = *slot;
    if (++r->used > mask_of(r) / 2) {
        grow(t, r);
    }
}

/* There will be this rank. */
static pair_rank *new_rank(pair_table *t, uint32_t rank)
{
    const uint32_t i = rank >> LOG_SEGMENT;
    if (i >= t->num_segments) {
        const uint32_t n = MAX(2 * t->num_segments, i + 1);
        t->segment = g_renew(pair_segment, t->segment, n);
        memset(&t->segment[t->num_segments], 0, (n - t->num_segments) * sizeof *t->segment);
        t->num_segments = n;
    }
    if (t->segment[i].rank == NULL) {
        const size_t n = (size_t)1 << LOG_SEGMENT;
        t->segment[i].rank = sim_large_new(n, sizeof(pair_rank));
        memset(t->segment[i].rank, 0, n * sizeof(pair_rank));
    }
    return rank_at(t, rank);
}

/* Empty a slot; entries that lie behind it only because it was taken move up. */
static void close_gap(pair_rank *r, uint32_t gap)
{
    const uint32_t mask = mask_of(r);
    for (uint32_t at = (gap + 1) & mask; r->slot[at].who != 0; at = (at + 1) & mask) {
        const pair_slot *s = &r->slot[at];
        const uint32_t home = home_of(r, s->source, s->tag, s->comm);
        if (((at - home) & mask) >= ((at - gap) & mask)) {
            r->slot[gap] = *s;
            gap = at;
        }
    }
    r->slot[gap].who = 0;
}

/* Nothing waits under the envelope of a slot any more. Where none is left, few can come. */
static void take_out(pair_table *t, pair_rank *r, uint32_t rank, pair_slot *slot)
{
    r->used--;
    if (r->slot == NULL) {
        *slot = r->few[r->used];
        return;
    }
    close_gap(r, (uint32_t)(slot - r->slot));
    if (r->used == 0) {
        drop_slots(t, r->slot, 64 - r->shift);
        r->slot = NULL;
        *many_of(t, rank) &= ~(UINT64_C(1) << (rank & 63));
    }
}

/* ---- several under one envelope ---- */

static uint32_t new_place(pair_table *t, uint32_t ref)
{
    uint32_t place = t->free_ring;
    if (place != 0) {
        t->free_ring = t->ring[place].next;
    } else {
        if (t->num_ring == t->cap_ring) {
            t->cap_ring *= 2;
            t->ring = g_renew(pair_ring, t->ring, t->cap_ring);
        }
        place = t->num_ring++;
    }
    t->ring[place].ref = ref;
    return place;
}

static void drop_place(pair_table *t, uint32_t place)
{
    t->ring[place].next = t->free_ring;
    t->free_ring = place;
}

static void queue_up(pair_table *t, pair_slot *slot, uint32_t ref)
{
    const uint32_t before = slot->who & MOST;
    const uint32_t last = (slot->who & RING) != 0 ? before : new_place(t, before);
    if ((slot->who & RING) == 0) {
        t->ring[last].next = last;
    }
    const uint32_t place = new_place(t, ref);
    t->ring[place].next = t->ring[last].next;
    t->ring[last].next = place;
    slot->who = (slot->who & MESSAGE) | RING | place;
}

/* The first of several leaves. */
static uint32_t leave(pair_table *t, pair_slot *slot)
{
    const uint32_t last = slot->who & MOST;
    const uint32_t first = t->ring[last].next;
    const uint32_t second = t->ring[first].next;
    t->ring[last].next = second;
    if (second == last) { /* the only one now */
        slot->who = (slot->who & MESSAGE) | t->ring[last].ref;
        drop_place(t, last);
    }
    const uint32_t ref = t->ring[first].ref;
    drop_place(t, first);
    return ref;
}

/* ---- what all of this is for ---- */

static inline bool is_kind(const pair_slot *slot, bool message)
{
    return slot != NULL && ((slot->who & MESSAGE) != 0) == message;
}

uint32_t sim_pair_table_take(pair_table *t, const matching_envelope *envelope, bool message)
{
    pair_rank *r = rank_at(t, envelope->rank);
    pair_slot *slot = find_waiting(r, envelope);
    if (!is_kind(slot, message)) {
        return MATCHING_NONE;
    }
    t->waiting--;
    if ((slot->who & RING) != 0) {
        return leave(t, slot);
    }
    const uint32_t ref = slot->who & MOST;
    take_out(t, r, envelope->rank, slot);
    return ref;
}

void sim_pair_table_prefetch(const pair_table *t, const matching_envelope *e)
{
    const pair_rank *r = rank_at(t, e->rank);
    if (r == NULL) {
        return;
    }
    if ((*many_of(t, e->rank) >> (e->rank & 63) & 1) != 0) { /* r itself may be far away */
        __builtin_prefetch(&r->slot[home_of(r, e->source, e->tag, e->comm)], 1);
        return;
    }
    __builtin_prefetch(r, 1);
    __builtin_prefetch(&r->few[FEW - 1], 1);
}

uint32_t sim_pair_table_peek(const pair_table *t, const matching_envelope *envelope, bool message)
{
    const pair_slot *slot = find_waiting(rank_at(t, envelope->rank), envelope);
    if (!is_kind(slot, message)) {
        return MATCHING_NONE;
    }
    const uint32_t who = slot->who & MOST;
    return (slot->who & RING) != 0 ? t->ring[t->ring[who].next].ref : who;
}

void sim_pair_table_wait(pair_table *t, const matching_envelope *e, uint32_t ref, bool message)
{
    assert(ref != MATCHING_NONE);
    if (ref > MOST) { /* of places, no more are taken than there are references */
        g_error("more than %" G_GUINT32_FORMAT " messages and receives wait at once", MOST);
    }
    pair_rank *r = rank_at(t, e->rank);
    if (r == NULL) {
        r = new_rank(t, e->rank);
    }
    t->waiting++;
    pair_slot *slot = find_waiting(r, e);
    if (slot != NULL) {
        assert(is_kind(slot, message));
        queue_up(t, slot, ref);
        return;
    }
    add(t, r, e->rank, &(pair_slot){e->source, e->tag, e->comm, (message ? MESSAGE : 0) | ref});
}

size_t sim_pair_table_num_left(const pair_table *t)
{
    return t->waiting;
}

static matching_left *left_at(const pair_table *t, uint32_t rank, const pair_slot *slot,
                              matching_left *out)
{
    matching_left left = {.is_message = (slot->who & MESSAGE) != 0,
                          .envelope = {rank, slot->source, slot->tag, slot->comm},
                          .ref = slot->who & MOST};
    if ((slot->who & RING) == 0) {
        *out++ = left;
        return out;
    }
    const uint32_t last = slot->who & MOST;
    uint32_t place = last;
    do {
        place = t->ring[place].next;
        left.ref = t->ring[place].ref;
        *out++ = left;
    } while (place != last);
    return out;
}

void sim_pair_table_left(const pair_table *t, matching_left *out)
{
    for (uint32_t i = 0; i < t->num_segments; i++) {
        for (uint32_t k = 0; t->segment[i].rank != NULL && k < 1U << LOG_SEGMENT; k++) {
            const pair_rank *r = &t->segment[i].rank[k];
            const pair_slot *slot = r->slot != NULL ? r->slot : r->few;
            const pair_slot *end = slot + (r->slot != NULL ? mask_of(r) + 1 : r->used);
            for (; slot < end; slot++) {
                if (slot->who != 0) {
                    out = left_at(t, i << LOG_SEGMENT | k, slot, out);
                }
            }
        }
    }
}
