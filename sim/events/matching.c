/* sim/events/matching.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "events/matching_private.h"
#include "events/pair_table_private.h"

#include <assert.h>
#include <glib.h>
#include <string.h>

/*
 * A message (source s, tag t) is in up to four queues: under (s, t), (s, every tag),
 * (every source, t) and (every source, every tag). A receive looks into those that hold nothing
 * but what fits it: a receive (s, t) into (s, t) and, for messages that fit any tag, (s, SIM_ANY);
 * a receive (s, SIM_ANY) into (s, every tag); and so on. A receive is in two: under its tag
 * as it is, and under "every tag", where messages that fit any tag look.
 *
 * All this is for wildcards; programs without them have the pair table.
 */
enum {
    ANY_TAG_TOO = 1,    /* queue of all tags */
    ANY_SOURCE_TOO = 2, /* queue of all sources */
    MESSAGES = 4,       /* queue of messages, not of receives */
    MAX_QUEUES = 4,     /* that a message or receive is in */
};

typedef struct queue_key {
    matching_envelope envelope; /* source or tag 0 where the kind says "all" */
    uint32_t kind;              /* the flags above */
} queue_key;

typedef struct queue {
    queue_key key;
    uint32_t head, tail; /* links; never empty */
    uint32_t chain;      /* next queue with the same hash */
} queue;

/* A place in a queue. Link 4e + k is place k of entry e. */
typedef struct link {
    uint32_t queue;
    uint32_t previous, next;
} link;

typedef struct entry {
    uint64_t order; /* of its beginning to wait */
    uint32_t ref;   /* MATCHING_NONE: not in use */
    uint32_t next_free;
} entry;

struct matching {
    pair_table *pairs; /* without wildcards: all of it; else NULL, and the rest */
    uint32_t *bucket;  /* [num_buckets] first queue of each hash */
    uint32_t num_buckets;
    queue *queue;
    uint32_t num_queues, cap_queues, free_queue, live_queues;
    entry *entry;
    link *link; /* [MAX_QUEUES * cap_entries] */
    uint32_t num_entries, cap_entries, free_entry, live_entries;
    uint64_t waits;
};

matching *sim_matching_new(bool wildcards)
{
    matching *m = g_new0(matching, 1);
    if (!wildcards) {
        m->pairs = sim_pair_table_new();
        return m;
    }
    m->num_buckets = 256;
    m->bucket = g_new0(uint32_t, m->num_buckets);
    m->cap_queues = 256;
    m->queue = g_new(queue, m->cap_queues);
    m->num_queues = 1;
    m->cap_entries = 256;
    m->entry = g_new(entry, m->cap_entries);
    m->link = g_new(link, MAX_QUEUES * (size_t)m->cap_entries);
    m->num_entries = 1;
    return m;
}

void sim_matching_free(matching *m)
{
    if (m != NULL) {
        sim_pair_table_free(m->pairs);
        g_free(m->bucket);
        g_free(m->queue);
        g_free(m->entry);
        g_free(m->link);
        g_free(m);
    }
}

static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
    uint64_t h = (a ^ (b * UINT64_C(0x9e3779b97f4a7c15))) * UINT64_C(0xd6e8feb86659fd93);
    h ^= h >> 32;
    return h * UINT64_C(0xd6e8feb86659fd93);
}

static inline uint32_t hash_key(const queue_key *key)
{
    const matching_envelope *e = &key->envelope;
    const uint64_t h = hash_mix((uint64_t)e->rank << 32 | e->source,
                                ((uint64_t)e->tag << 32 | e->comm) + key->kind);
    return (uint32_t)(h >> 32);
}

static inline bool same_key(const queue_key *a, const queue_key *b)
{
    return a->envelope.rank == b->envelope.rank && a->envelope.source == b->envelope.source &&
           a->envelope.tag == b->envelope.tag && a->envelope.comm == b->envelope.comm &&
           a->kind == b->kind;
}

static queue_key make_key(const matching_envelope *envelope, uint32_t kind)
{
    queue_key key = {.envelope = *envelope, .kind = kind};
    if (kind & ANY_SOURCE_TOO) {
        key.envelope.source = 0;
    }
    if (kind & ANY_TAG_TOO) {
        key.envelope.tag = 0;
    }
    return key;
}

static uint32_t find_queue(const matching *m, const queue_key *key)
{
    uint32_t q = m->bucket[hash_key(key) & (m->num_buckets - 1)];
    while (q != MATCHING_NONE && !same_key(&m->queue[q].key, key)) {
        q = m->queue[q].chain;
    }
    return q;
}

static void double_buckets(matching *m)
{
    m->num_buckets *= 2;
    m->bucket = g_renew(uint32_t, m->bucket, m->num_buckets);
    memset(m->bucket, 0, m->num_buckets * sizeof *m->bucket);
    for (uint32_t q = 1; q < m->num_queues; q++) {
        if (m->queue[q].head != MATCHING_NONE) {
            uint32_t *bucket = &m->bucket[hash_key(&m->queue[q].key) & (m->num_buckets - 1)];
            m->queue[q].chain = *bucket;
            *bucket = q;
        }
    }
}

static uint32_t new_queue(matching *m, const queue_key *key)
{
    if (m->live_queues == m->num_buckets && m->num_buckets <= UINT32_MAX / 4) {
        double_buckets(m);
    }
    m->live_queues++;
    uint32_t q = m->free_queue;
    if (q != MATCHING_NONE) {
        m->free_queue = m->queue[q].chain;
    } else {
        if (m->num_queues == m->cap_queues) {
            m->cap_queues *= 2;
            m->queue = g_renew(queue, m->queue, m->cap_queues);
        }
        q = m->num_queues++;
    }
    uint32_t *bucket = &m->bucket[hash_key(key) & (m->num_buckets - 1)];
    m->queue[q] = (queue){.key = *key, .chain = *bucket};
    *bucket = q;
    return q;
}

static void drop_queue(matching *m, uint32_t q)
{
    uint32_t *chain = &m->bucket[hash_key(&m->queue[q].key) & (m->num_buckets - 1)];
    while (*chain != q) {
        chain = &m->queue[*chain].chain;
    }
    *chain = m->queue[q].chain;
    m->queue[q].head = MATCHING_NONE;
    m->queue[q].chain = m->free_queue;
    m->free_queue = q;
    m->live_queues--;
}

static void append(matching *m, uint32_t e, uint32_t place, const matching_envelope *envelope,
                   uint32_t kind)
{
    const queue_key key = make_key(envelope, kind);
    uint32_t q = find_queue(m, &key);
    if (q == MATCHING_NONE) {
        q = new_queue(m, &key);
    }
    const uint32_t l = e * MAX_QUEUES + place;
    m->link[l] = (link){.queue = q, .previous = m->queue[q].tail};
    if (m->queue[q].tail != MATCHING_NONE) {
        m->link[m->queue[q].tail].next = l;
    } else {
        m->queue[q].head = l;
    }
    m->queue[q].tail = l;
}

static void unlink_place(matching *m, uint32_t l)
{
    const link *at = &m->link[l];
    if (at->queue == MATCHING_NONE) {
        return;
    }
    queue *q = &m->queue[at->queue];
    *(at->previous != MATCHING_NONE ? &m->link[at->previous].next : &q->head) = at->next;
    *(at->next != MATCHING_NONE ? &m->link[at->next].previous : &q->tail) = at->previous;
    if (q->head == MATCHING_NONE) {
        drop_queue(m, at->queue);
    }
}

static void wait_for_partner(matching *m, const matching_envelope *envelope, uint32_t ref,
                             bool is_message)
{
    uint32_t e = m->free_entry;
    if (e != MATCHING_NONE) {
        m->free_entry = m->entry[e].next_free;
    } else {
        if (m->num_entries == m->cap_entries) {
            m->cap_entries *= 2;
            m->entry = g_renew(entry, m->entry, m->cap_entries);
            m->link = g_renew(link, m->link, MAX_QUEUES * (size_t)m->cap_entries);
        }
        e = m->num_entries++;
    }
    m->live_entries++;
    m->entry[e] = (entry){.order = m->waits++, .ref = ref};
    memset(&m->link[(size_t)e * MAX_QUEUES], 0, MAX_QUEUES * sizeof(link));
    const uint32_t kind = is_message ? MESSAGES : 0;
    append(m, e, 0, envelope, kind);
    append(m, e, 1, envelope, kind | ANY_TAG_TOO);
    if (is_message) {
        append(m, e, 2, envelope, kind | ANY_SOURCE_TOO);
        append(m, e, 3, envelope, kind | ANY_SOURCE_TOO | ANY_TAG_TOO);
    }
}

/* The entry at the head of the queue of this name, or MATCHING_NONE. */
static uint32_t head(const matching *m, const matching_envelope *envelope, uint32_t kind)
{
    const queue_key key = make_key(envelope, kind);
    const uint32_t q = find_queue(m, &key);
    return q == MATCHING_NONE ? MATCHING_NONE : m->queue[q].head / MAX_QUEUES;
}

static uint32_t earlier(const matching *m, uint32_t a, uint32_t b)
{
    if (a == MATCHING_NONE || b == MATCHING_NONE) {
        return a + b;
    }
    return m->entry[a].order < m->entry[b].order ? a : b;
}

/* The first receive that fits a message. */
static uint32_t find_receive(const matching *m, const matching_envelope *envelope)
{
    matching_envelope e = *envelope;
    uint32_t best = MATCHING_NONE;
    for (int i = 0; i < 2; i++) { /* receives from this source, from any */
        e.source = i == 0 ? envelope->source : SIM_ANY;
        if (envelope->tag == SIM_ANY) {
            best = earlier(m, best, head(m, &e, ANY_TAG_TOO));
        } else {
            e.tag = envelope->tag;
            best = earlier(m, best, head(m, &e, 0));
            e.tag = SIM_ANY;
            best = earlier(m, best, head(m, &e, 0));
        }
    }
    return best;
}

/* The first message that fits a receive. */
static uint32_t find_message(const matching *m, const matching_envelope *envelope)
{
    const uint32_t kind = envelope->source == SIM_ANY ? MESSAGES | ANY_SOURCE_TOO : MESSAGES;
    if (envelope->tag == SIM_ANY) {
        return head(m, envelope, kind | ANY_TAG_TOO);
    }
    matching_envelope any_tag = *envelope;
    any_tag.tag = SIM_ANY;
    return earlier(m, head(m, envelope, kind), head(m, &any_tag, kind));
}

static uint32_t take(matching *m, uint32_t e)
{
    for (uint32_t place = 0; place < MAX_QUEUES; place++) {
        unlink_place(m, e * MAX_QUEUES + place);
    }
    const uint32_t ref = m->entry[e].ref;
    m->entry[e].ref = MATCHING_NONE;
    m->entry[e].next_free = m->free_entry;
    m->free_entry = e;
    m->live_entries--;
    return ref;
}

uint32_t sim_matching_take_receive(matching *m, const matching_envelope *message)
{
    if (m->pairs != NULL) {
        return sim_pair_table_take(m->pairs, message, false);
    }
    const uint32_t e = find_receive(m, message);
    return e != MATCHING_NONE ? take(m, e) : MATCHING_NONE;
}

uint32_t sim_matching_take_message(matching *m, const matching_envelope *receive)
{
    if (m->pairs != NULL) {
        return sim_pair_table_take(m->pairs, receive, true);
    }
    const uint32_t e = find_message(m, receive);
    return e != MATCHING_NONE ? take(m, e) : MATCHING_NONE;
}

void sim_matching_wait(matching *m, const matching_envelope *envelope, uint32_t ref, bool message)
{
    assert(ref != MATCHING_NONE);
    if (m->pairs != NULL) {
        sim_pair_table_wait(m->pairs, envelope, ref, message);
    } else {
        wait_for_partner(m, envelope, ref, message);
    }
}

void sim_matching_prefetch(const matching *m, const matching_envelope *envelope)
{
    if (m->pairs != NULL) {
        sim_pair_table_prefetch(m->pairs, envelope);
    }
}

uint32_t sim_matching_peek(const matching *m, const matching_envelope *envelope, bool message)
{
    return m->pairs != NULL ? sim_pair_table_peek(m->pairs, envelope, message) : MATCHING_NONE;
}

size_t sim_matching_num_left(const matching *m)
{
    return m->pairs != NULL ? sim_pair_table_num_left(m->pairs) : m->live_entries;
}

void sim_matching_left(const matching *m, matching_left *out)
{
    if (m->pairs != NULL) {
        sim_pair_table_left(m->pairs, out);
        return;
    }
    for (uint32_t e = 1; e < m->num_entries; e++) {
        if (m->entry[e].ref != MATCHING_NONE) {
            /* what it calls itself is the name of the queue of its first place */
            const queue_key *key = &m->queue[m->link[(size_t)e * MAX_QUEUES].queue].key;
            *out++ = (matching_left){.ref = m->entry[e].ref,
                                     .is_message = (key->kind & MESSAGES) != 0,
                                     .envelope = key->envelope};
        }
    }
}
