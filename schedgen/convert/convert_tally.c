/* schedgen/convert/convert_tally.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_convert, test_convert_refused. */
/*
 * Do all messages find each other? Messages that are alike in sender, receiver, communicator and
 * tag meet in the order in which they are sent: of such a kind of message only the sizes need be
 * known, and programs send the same sizes again and again. So a kind takes 32 bytes and each run of
 * equal sizes 16, however many messages there are. Who is left without a partner is not known then:
 * if anybody is, convert_match.c says who.
 */
#include "convert/convert_private.h"

/* So many messages of that size follow on each other. */
typedef struct tally_run {
    int64_t size;
    uint32_t n;
    uint32_t next; /* CONV_NONE: the last */
} tally_run;

typedef struct tally_runs {
    uint32_t first; /* CONV_NONE: none */
    uint32_t last;
} tally_runs;

/* A kind of messages; from and tag SIM_ANY: all receives of the rank with any source or tag. */
typedef struct tally_kind {
    uint32_t to;
    uint32_t comm;
    uint32_t from;
    uint32_t tag;
    tally_runs sends;
    tally_runs recvs;
} tally_kind;

struct conv_tally {
    tally_kind *kinds; /* [size] a hash table; vacant: neither sends nor receives */
    size_t size;       /* a power of two */
    size_t used;
    GArray *runs; /* of tally_run */
    bool full;    /* more runs than can be numbered */
};

static const tally_runs NO_RUNS = {CONV_NONE, CONV_NONE};

static bool is_vacant(const tally_kind *kind)
{
    return kind->sends.first == CONV_NONE && kind->recvs.first == CONV_NONE;
}

static tally_kind *kinds_new(size_t size)
{
    tally_kind *kinds = g_new(tally_kind, size);
    for (size_t i = 0; i < size; i++) {
        kinds[i] = (tally_kind){.sends = NO_RUNS, .recvs = NO_RUNS};
    }
    return kinds;
}

conv_tally *sched_convert_tally_new(void)
{
    conv_tally *t = g_new0(conv_tally, 1);
    t->size = 256;
    t->kinds = kinds_new(t->size);
    t->runs = g_array_new(FALSE, FALSE, sizeof(tally_run));
    return t;
}

void sched_convert_tally_free(conv_tally *t)
{
    if (t != NULL) {
        g_free(t->kinds);
        g_array_unref(t->runs);
        g_free(t);
    }
}

/* Where the kind is, or where there is room for it. */
static tally_kind *place_of(tally_kind *kinds, size_t size, const tally_kind *like)
{
    uint64_t hash = ((uint64_t)like->to << 32 | like->from) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= ((uint64_t)like->comm << 32 | like->tag) + (hash >> 29);
    hash *= UINT64_C(0xbf58476d1ce4e5b9);
    for (size_t at = hash ^ hash >> 32;; at++) {
        tally_kind *k = &kinds[at & (size - 1)];
        if (is_vacant(k) || (k->to == like->to && k->from == like->from && k->comm == like->comm &&
                             k->tag == like->tag)) {
            return k;
        }
    }
}

static void grow(conv_tally *t)
{
    const size_t size = 2 * t->size;
    tally_kind *kinds = kinds_new(size);
    for (size_t i = 0; i < t->size; i++) {
        if (!is_vacant(&t->kinds[i])) {
            *place_of(kinds, size, &t->kinds[i]) = t->kinds[i];
        }
    }
    g_free(t->kinds);
    t->kinds = kinds;
    t->size = size;
}

static void add_run(conv_tally *t, tally_runs *runs, int64_t size)
{
    const tally_run fresh = {.size = size, .n = 1, .next = CONV_NONE};
    if (runs->last != CONV_NONE) {
        tally_run *last = &g_array_index(t->runs, tally_run, runs->last);
        if (last->size == size && last->n < UINT32_MAX) {
            last->n++;
            return;
        }
        last->next = t->runs->len;
    }
    t->full = t->full || t->runs->len >= CONV_NONE - 1;
    if (!t->full) {
        runs->last = t->runs->len;
        runs->first = runs->first != CONV_NONE ? runs->first : runs->last;
        g_array_append_val(t->runs, fresh);
    }
}

/* The kind, which may be new. */
static tally_kind *find_kind(conv_tally *t, tally_kind like)
{
    if (2 * (t->used + 1) > t->size) {
        grow(t);
    }
    tally_kind *kind = place_of(t->kinds, t->size, &like);
    if (is_vacant(kind)) {
        like.sends = like.recvs = NO_RUNS;
        *kind = like;
        t->used++;
    }
    return kind;
}

void sched_convert_tally_add(conv_tally *t, const conv_step *step, bool is_recv, uint32_t rank)
{
    tally_kind like = {.to = is_recv ? rank : step->peer,
                       .comm = step->comm,
                       .from = is_recv ? step->peer : rank,
                       .tag = step->tag};
    if (is_recv && (like.from == SIM_ANY || like.tag == SIM_ANY)) {
        like.from = like.tag = SIM_ANY;
    }
    tally_kind *kind = find_kind(t, like);
    add_run(t, is_recv ? &kind->recvs : &kind->sends, step->size);
}

/* Runs that were copied behind the first @p before ones; nobody has added any on this side yet. */
static void join_runs(tally_runs *runs, tally_runs more, uint32_t before)
{
    if (more.first != CONV_NONE) {
        *runs = (tally_runs){more.first + before, more.last + before};
    }
}

void sched_convert_tally_join(conv_tally *t, const conv_tally *more)
{
    const uint32_t before = t->runs->len;
    t->full = t->full || more->full || (uint64_t)before + more->runs->len >= CONV_NONE - 1;
    if (t->full) {
        return; /* then nothing is said by what is there */
    }
    for (guint i = 0; i < more->runs->len; i++) {
        tally_run run = g_array_index(more->runs, tally_run, i);
        run.next += run.next != CONV_NONE ? before : 0;
        g_array_append_val(t->runs, run);
    }
    for (size_t i = 0; i < more->size; i++) {
        const tally_kind *kind = &more->kinds[i];
        if (!is_vacant(kind)) {
            tally_kind *own = find_kind(t, *kind);
            join_runs(&own->sends, kind->sends, before);
            join_runs(&own->recvs, kind->recvs, before);
        }
    }
}

/* ---- the check ------------------------------------------------------------------------------ */

static const tally_run *run_at(const conv_tally *t, uint32_t run)
{
    return run != CONV_NONE ? &g_array_index(t->runs, tally_run, run) : NULL;
}

static uint64_t count(const conv_tally *t, tally_runs runs)
{
    uint64_t n = 0;
    for (const tally_run *r = run_at(t, runs.first); r != NULL; r = run_at(t, r->next)) {
        n += r->n;
    }
    return n;
}

/* As many sends as receives, and each fits. */
static bool fits(const conv_tally *t, const tally_kind *kind)
{
    const tally_run *send = run_at(t, kind->sends.first);
    const tally_run *recv = run_at(t, kind->recvs.first);
    uint64_t sent = 0; /* of the run at hand */
    uint64_t received = 0;
    while (send != NULL && recv != NULL) {
        if (send->size > recv->size) {
            return false;
        }
        const uint64_t n = MIN(send->n - sent, recv->n - received);
        sent += n;
        received += n;
        if (sent == send->n) {
            send = run_at(t, send->next);
            sent = 0;
        }
        if (received == recv->n) {
            recv = run_at(t, recv->next);
            received = 0;
        }
    }
    return send == NULL && recv == NULL;
}

static bool is_wild(const tally_kind *kind)
{
    return kind->from == SIM_ANY;
}

static tally_kind *wild_of(const conv_tally *t, const tally_kind *kind)
{
    const tally_kind like = {.to = kind->to, .comm = kind->comm, .from = SIM_ANY, .tag = SIM_ANY};
    return place_of(t->kinds, t->size, &like);
}

/* What is sent and not received by name is for the receives that take any: all of these get one. */
static bool wild_get_theirs(const conv_tally *t)
{
    g_autofree uint64_t *surplus = g_new0(uint64_t, t->size);
    for (size_t i = 0; i < t->size; i++) {
        const tally_kind *kind = &t->kinds[i];
        const tally_kind *wild = is_vacant(kind) || is_wild(kind) ? NULL : wild_of(t, kind);
        if (wild != NULL && !is_vacant(wild)) {
            const uint64_t sends = count(t, kind->sends);
            const uint64_t recvs = count(t, kind->recvs);
            if (recvs > sends) {
                return false;
            }
            surplus[wild - t->kinds] += sends - recvs;
        }
    }
    for (size_t i = 0; i < t->size; i++) {
        const tally_kind *kind = &t->kinds[i];
        if (!is_vacant(kind) && is_wild(kind) && count(t, kind->recvs) != surplus[i]) {
            return false;
        }
    }
    return true;
}

bool sched_convert_tally_check(const conv_tally *t)
{
    bool wild = false;
    for (size_t i = 0; i < t->size && !wild; i++) {
        wild = !is_vacant(&t->kinds[i]) && is_wild(&t->kinds[i]);
    }
    for (size_t i = 0; i < t->size; i++) {
        const tally_kind *kind = &t->kinds[i];
        if (!is_vacant(kind) && !is_wild(kind) && !(wild && !is_vacant(wild_of(t, kind))) &&
            !fits(t, kind)) {
            return false;
        }
    }
    return !t->full && (!wild || wild_get_theirs(t));
}
