/* schedgen/model/walk.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_packed_calls. */
#include "model/packed_private.h"

/* Where a walk through packed calls is. */
struct sched_walk_state {
    const sched_packed *packed;
    const uint8_t *token;    /* the next one */
    const uint8_t **body_at; /* [num_bodies] as far as they have come */
    packed_last *last;       /* [num_bodies] likewise */
    uint32_t num_bodies;     /* that have come */
    uint32_t before;         /* UINT32_MAX: none */
    uint64_t run;            /* calls left of it */
    uint64_t posted;         /* as packer's */
    const uint8_t *fresh;    /* where the next new body begins */
    uint64_t *list;          /* of the call */
    uint32_t max_list;
    sched_call call;
};

static inline uint64_t take(const uint8_t **at)
{
    uint64_t value = *(*at)++;
    if (value < 0x80) {
        return value;
    }
    value &= 0x7f;
    for (unsigned shift = 7;; shift += 7) {
        const uint64_t byte = *(*at)++;
        value |= (byte & 0x7f) << shift;
        if (byte < 0x80) {
            return value;
        }
    }
}

static inline int64_t take_signed(const uint8_t **at)
{
    return packed_unfold(take(at));
}

static inline uint32_t take32(const uint8_t **at)
{
    return (uint32_t)take(at) + SCHED_UNKNOWN;
}

static void take_list(struct sched_walk_state *w, const uint8_t **at)
{
    const uint32_t n = (uint32_t)take(at);
    if (n > w->max_list) {
        w->max_list = 2 * n;
        w->list = g_renew(uint64_t, w->list, w->max_list);
    }
    uint64_t before = w->posted;
    for (uint32_t i = 0; i < n; i++) {
        before += (uint64_t)take_signed(at);
        w->list[i] = before;
    }
    w->call.num_list = n;
}

/* What is not in the body, as it is in a fresh call. */
static void clear_fields(sched_call *c, const packed_class *class)
{
    *c = (sched_call){.enter = c->enter,
                      .leave = c->leave,
                      .line = c->line,
                      .cpu = -1,
                      .cpu_inside = -1,
                      .room = -1,
                      .request = SCHED_NO_REQUEST,
                      .matched_peer = SCHED_UNKNOWN,
                      .matched_tag = SCHED_UNKNOWN,
                      .name = class->name,
                      .comm = class->comm,
                      .kind = class->kind,
                      .collective = class->collective,
                      .in_place = class->in_place,
                      .synchronous = class->synchronous};
}

/* @return where the body ends */
static const uint8_t *take_body(struct sched_walk_state *w, const uint8_t *at,
                                const packed_class *class)
{
    sched_call *c = &w->call;
    const uint32_t has = class->has;
    clear_fields(c, class);
    int64_t *const sizes[] = {&c->bytes, &c->recv_bytes, &c->room};
    uint32_t *const small[] = {&c->peer,         &c->tag,         &c->recv_peer, &c->recv_tag,
                               &c->matched_peer, &c->matched_tag, &c->root};
    for (uint32_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
        if ((has & PACKED_BYTES << i) != 0) {
            *sizes[i] = take_signed(&at);
        }
    }
    for (uint32_t i = 0; i < G_N_ELEMENTS(small); i++) {
        if ((has & PACKED_PEER << i) != 0) {
            *small[i] = take32(&at);
        }
    }
    c->room = (has & PACKED_ROOM_CAME) != 0 ? packed_came(c) : c->room;
    c->matched_peer =
        (has & PACKED_MATCHED_PEER_SAME) != 0 ? packed_asked_peer(c) : c->matched_peer;
    c->matched_tag = (has & PACKED_MATCHED_TAG_SAME) != 0 ? packed_asked_tag(c) : c->matched_tag;
    if ((has & PACKED_REQUEST) != 0) {
        c->request = w->posted + (uint64_t)take_signed(&at);
        w->posted = c->request + 1;
    }
    if ((has & PACKED_LIST) != 0) {
        take_list(w, &at);
    }
    if ((has & PACKED_COUNTS) != 0) {
        c->num_send_counts = (uint32_t)take(&at);
        c->num_recv_counts = (uint32_t)take(&at);
        c->counts = take(&at);
    }
    c->line += (has & PACKED_LINE) != 0 ? (uint32_t)take_signed(&at) : 1;
    return at;
}

/* The call with the body @p number, which has come before, or is the next new one. */
static const sched_call *take_call(struct sched_walk_state *w, uint32_t number, bool with_times,
                                   sim_time gap)
{
    const sched_packed *p = w->packed;
    const bool fresh = number == w->num_bodies;
    if (fresh) {
        w->body_at[number] = w->fresh;
        w->last[number].next = number + 1;
        w->num_bodies++;
    }
    if (w->before != UINT32_MAX) {
        w->last[w->before].next = number;
    }
    w->before = number;
    const uint8_t *at = w->body_at[number];
    const packed_class *class = &p->classes[take(&at)];
    at = take_body(w, at, class);
    w->fresh = fresh ? at : w->fresh;
    packed_last *last = &w->last[number];
    if (with_times) {
        last->gap = gap;
        last->duration = take_signed(&w->token);
        last->less_cpu = (class->has & PACKED_CPU) != 0 ? take_signed(&w->token) : 0;
        last->less_inside = (class->has & PACKED_CPU_INSIDE) != 0 ? take_signed(&w->token) : 0;
    }
    sched_call *c = &w->call;
    const sim_time since = last->gap * p->unit;
    const sim_time duration = last->duration * p->unit;
    c->enter = packed_plus(c->leave, since);
    c->leave = packed_plus(c->enter, duration);
    if ((class->has & PACKED_CPU) != 0) {
        c->cpu = packed_minus(since, last->less_cpu * p->unit);
    }
    if ((class->has & (PACKED_CPU_INSIDE | PACKED_CPU_ALL)) != 0) {
        c->cpu_inside = packed_minus(duration, last->less_inside * p->unit);
    }
    return c;
}

static const sched_call *next_packed(struct sched_walk_state *w)
{
    const uint32_t expected = w->before != UINT32_MAX ? w->last[w->before].next : 0;
    if (w->run > 0) {
        w->run--;
        return take_call(w, expected, false, 0);
    }
    uint64_t token = take(&w->token);
    uint64_t rest = token >> 2;
    if ((token & 3) == PACKED_RUN) {
        if (rest > 0) {
            w->run = rest - 1;
            return take_call(w, expected, false, 0);
        }
        token = take(&w->token);
        rest = take(&w->token);
    }
    const uint32_t number = (token & 3) == PACKED_EXPECTED ? expected
                            : (token & 3) == PACKED_FRESH  ? w->num_bodies
                                                           : (uint32_t)take(&w->token);
    return take_call(w, number, true, packed_unfold(rest));
}

void sched_walk_begin(sched_walk *walk, const sched_rank *rank)
{
    *walk = (sched_walk){.rank = rank, .requests = rank->requests};
    const sched_packed *p = rank->packed;
    if (p != NULL) {
        struct sched_walk_state *w = g_new0(struct sched_walk_state, 1);
        w->packed = p;
        w->token = p->tokens;
        w->fresh = p->bodies;
        w->body_at = g_new(const uint8_t *, (gsize)p->num_bodies + 1);
        w->last = g_new(packed_last, (gsize)p->num_bodies + 1);
        w->before = UINT32_MAX;
        w->call.leave = p->begin;
        walk->state = w;
    }
}

const sched_call *sched_walk_next(sched_walk *walk)
{
    if (walk->next == walk->rank->num_calls) {
        return NULL;
    }
    if (walk->state == NULL) {
        return &walk->rank->calls[walk->next++];
    }
    walk->next++;
    const sched_call *call = next_packed(walk->state);
    walk->requests = walk->state->list;
    return call;
}

void sched_walk_end(sched_walk *walk)
{
    if (walk->state != NULL) {
        g_free(walk->state->body_at);
        g_free(walk->state->last);
        g_free(walk->state->list);
        g_free(walk->state);
        walk->state = NULL;
    }
}

void sched_rank_unpack(sched_rank *rank)
{
    if (rank->packed == NULL) {
        return;
    }
    GArray *requests = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    sched_call *calls = g_new(sched_call, rank->num_calls + 1);
    sched_walk walk;
    sched_walk_begin(&walk, rank);
    const sched_call *call;
    for (uint64_t i = 0; (call = sched_walk_next(&walk)) != NULL; i++) {
        calls[i] = *call;
        calls[i].list = requests->len;
        g_array_append_vals(requests, walk.requests, call->num_list);
    }
    sched_walk_end(&walk);
    g_clear_pointer(&rank->packed, sched_packed_free);
    rank->calls = calls;
    rank->num_requests = requests->len;
    rank->requests = (uint64_t *)(void *)g_array_free(requests, FALSE);
}

void sched_trace_unpack(sched_trace *trace)
{
    for (uint32_t rank = 0; rank < trace->num_ranks; rank++) {
        sched_rank_unpack(&trace->ranks[rank]);
    }
}

/* ---- without walking ------------------------------------------------------------------------ */

bool sched_rank_may_be_wild(const sched_rank *rank)
{
    return rank->packed == NULL || rank->packed->wild;
}

bool sched_rank_has_kind(const sched_rank *rank, sched_call_kind kind)
{
    if (rank->packed != NULL) {
        for (uint32_t i = 0; i < rank->packed->num_classes; i++) {
            if (rank->packed->classes[i].kind == kind) {
                return true;
            }
        }
        return false;
    }
    for (uint64_t i = 0; i < rank->num_calls; i++) {
        if (rank->calls[i].kind == kind) {
            return true;
        }
    }
    return false;
}

sim_time sched_rank_begin(const sched_rank *rank)
{
    return rank->packed != NULL ? rank->packed->begin : rank->calls[0].enter;
}

size_t sched_rank_bytes(const sched_rank *rank)
{
    const sched_packed *p = rank->packed;
    const size_t counts = rank->num_counts * sizeof *rank->counts;
    return p != NULL ? counts + sizeof *p + p->num_classes * sizeof *p->classes +
                           p->num_body_bytes + p->num_token_bytes
                     : counts + rank->num_calls * sizeof *rank->calls +
                           rank->num_requests * sizeof *rank->requests;
}

void sched_rank_shift(sched_rank *rank, sim_time by)
{
    if (rank->packed != NULL) {
        rank->packed->begin += by;
        return;
    }
    for (uint64_t i = 0; i < rank->num_calls; i++) {
        rank->calls[i].enter += by;
        rank->calls[i].leave += by;
    }
}
