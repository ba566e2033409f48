/* sim/events/pair_table.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_matching. */
#include "events/pair_table_private.h"
#include "sim/large.h"

#include <glib.h>

#include <assert.h>
#include <string.h>

/*
 * Linear probing; a slot without ref is empty. Removal closes the gap, so no graves are kept. Where
 * an envelope belongs is told by the highest bits of its hash: when the table grows, slots keep
 * their order, and both tables are gone through from beginning to end.
 */
typedef struct pair_slot {
    matching_envelope envelope;
    uint32_t ref;
    uint32_t is_message;
    uint32_t first, last; /* of those queued behind, in `queued`; 0: none */
} pair_slot;

typedef struct pair_queued {
    uint32_t ref;
    uint32_t next; /* in the queue, or of the free ones */
} pair_queued;

struct pair_table {
    pair_slot *slot; /* [mask + 1], at most half full */
    uint32_t mask;
    uint32_t shift; /* of a hash, to a slot: 64 - log2(mask + 1) */
    uint32_t used;
    pair_queued *queued; /* 0 is nobody */
    uint32_t num_queued, cap_queued, free_queued;
    size_t waiting; /* in slots and queues */
};

static pair_slot *new_slots(size_t n)
{
    pair_slot *slots = sim_large_new(n, sizeof *slots);
    memset(slots, 0, n * sizeof *slots);
    return slots;
}

pair_table *sim_pair_table_new(void)
{
    pair_table *t = g_new0(pair_table, 1);
    t->mask = 255;
    t->shift = 64 - 8;
    t->slot = new_slots(t->mask + (size_t)1);
    t->num_queued = 1;
    t->cap_queued = 64;
    t->queued = g_new(pair_queued, t->cap_queued);
    return t;
}

void sim_pair_table_free(pair_table *t)
{
    if (t != NULL) {
        sim_large_free(t->slot);
        g_free(t->queued);
        g_free(t);
    }
}

static inline uint32_t home_of(const pair_table *t, const matching_envelope *e)
{
    uint64_t h = ((uint64_t)e->rank << 32 | e->source) * UINT64_C(0x9e3779b97f4a7c15);
    h ^= h >> 29;
    h = (h ^ ((uint64_t)e->tag << 32 | e->comm)) * UINT64_C(0xd6e8feb86659fd93);
    return (uint32_t)(h >> t->shift);
}

static inline bool same(const matching_envelope *a, const matching_envelope *b)
{
    return a->rank == b->rank && a->source == b->source && a->tag == b->tag && a->comm == b->comm;
}

/* The slot of that envelope, or the empty one where it would be. */
static inline uint32_t find(const pair_table *t, const matching_envelope *envelope)
{
    uint32_t at = home_of(t, envelope);
    while (t->slot[at].ref != MATCHING_NONE && !same(&t->slot[at].envelope, envelope)) {
        at = (at + 1) & t->mask;
    }
    return at;
}

static void grow(pair_table *t)
{
    pair_slot *old = t->slot;
    const uint32_t n = t->mask + 1;
    t->mask = 2 * n - 1;
    t->shift--;
    t->slot = new_slots(2 * (size_t)n);
    for (uint32_t i = 0; i < n; i++) {
        if (old[i].ref != MATCHING_NONE) {
            t->slot[find(t, &old[i].envelope)] = old[i];
        }
    }
    sim_large_free(old);
}

/* Empty a slot; entries that lie behind it only because it was taken move up. */
static void close_gap(pair_table *t, uint32_t gap)
{
    for (uint32_t at = (gap + 1) & t->mask; t->slot[at].ref != MATCHING_NONE;
         at = (at + 1) & t->mask) {
        const uint32_t home = home_of(t, &t->slot[at].envelope);
        if (((at - home) & t->mask) >= ((at - gap) & t->mask)) {
            t->slot[gap] = t->slot[at];
            gap = at;
        }
    }
    t->slot[gap].ref = MATCHING_NONE;
    t->used--;
}

static void queue_up(pair_table *t, pair_slot *slot, uint32_t ref)
{
    uint32_t q = t->free_queued;
    if (q != 0) {
        t->free_queued = t->queued[q].next;
    } else {
        if (t->num_queued == t->cap_queued) {
            t->cap_queued *= 2;
            t->queued = g_renew(pair_queued, t->queued, t->cap_queued);
        }
        q = t->num_queued++;
    }
    t->queued[q] = (pair_queued){.ref = ref};
    *(slot->first == 0 ? &slot->first : &t->queued[slot->last].next) = q;
    slot->last = q;
}

/* Take out the one that waits longest. */
static uint32_t take(pair_table *t, uint32_t at)
{
    pair_slot *slot = &t->slot[at];
    const uint32_t ref = slot->ref;
    const uint32_t q = slot->first;
    t->waiting--;
    if (q == 0) {
        close_gap(t, at);
    } else {
        slot->ref = t->queued[q].ref;
        slot->first = t->queued[q].next;
        t->queued[q].next = t->free_queued;
        t->free_queued = q;
    }
    return ref;
}

uint32_t sim_pair_table_take(pair_table *t, const matching_envelope *envelope, bool message)
{
    const uint32_t at = find(t, envelope);
    const pair_slot *slot = &t->slot[at];
    return slot->ref != MATCHING_NONE && slot->is_message == message ? take(t, at) : MATCHING_NONE;
}

void sim_pair_table_prefetch(const pair_table *t, const matching_envelope *envelope)
{
    __builtin_prefetch(&t->slot[home_of(t, envelope)], 1);
}

uint32_t sim_pair_table_peek(const pair_table *t, const matching_envelope *envelope, bool message)
{
    const pair_slot *slot = &t->slot[find(t, envelope)];
    return slot->ref != MATCHING_NONE && slot->is_message == message ? slot->ref : MATCHING_NONE;
}

void sim_pair_table_wait(pair_table *t, const matching_envelope *envelope, uint32_t ref,
                         bool message)
{
    assert(ref != MATCHING_NONE);
    pair_slot *slot = &t->slot[find(t, envelope)];
    t->waiting++;
    if (slot->ref != MATCHING_NONE) {
        assert(slot->is_message == message);
        queue_up(t, slot, ref);
        return;
    }
    *slot = (pair_slot){.envelope = *envelope, .ref = ref, .is_message = message};
    if (++t->used > t->mask / 2 && t->mask < UINT32_MAX / 4) {
        grow(t);
    }
}

size_t sim_pair_table_num_left(const pair_table *t)
{
    return t->waiting;
}

void sim_pair_table_left(const pair_table *t, matching_left *out)
{
    for (size_t i = 0; i <= t->mask; i++) {
        const pair_slot *slot = &t->slot[i];
        if (slot->ref == MATCHING_NONE) {
            continue;
        }
        matching_left left = {slot->ref, slot->is_message != 0, slot->envelope};
        *out++ = left;
        for (uint32_t q = slot->first; q != 0; q = t->queued[q].next) {
            left.ref = t->queued[q].ref;
            *out++ = left;
        }
    }
}
