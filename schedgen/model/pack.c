/* schedgen/model/pack.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_packed_calls. */
#include "model/known_private.h"
#include "model/packed_private.h"

#include <string.h>

typedef struct packer {
    GByteArray *bodies;
    GByteArray *tokens;
    GByteArray *body;          /* of the call */
    GArray *classes;           /* of packed_class */
    GArray *body_at;           /* of size_t: where each body begins; at last the end */
    GArray *last;              /* of packed_last: of each body */
    sched_known known_bodies;  /* by their bytes */
    sched_known known_classes; /* likewise */
    sched_known known_counts;  /* lists in `counts` */
    GArray *counts;            /* of int64_t: each list once */
    GArray *counts_at;         /* of counts_place */
    sim_time unit;
    uint32_t body_before; /* UINT32_MAX: none */
    uint64_t run;         /* calls as expected that no token says yet */
    uint64_t posted;      /* the request after the last one posted */
    sim_time leave;       /* of the call before, */
    uint32_t line;        /* and its line */
    bool wild;
} packer;

typedef struct counts_place {
    uint64_t at;
    uint64_t n;
} counts_place;

/* ---- numbers -------------------------------------------------------------------------------- */

static void put(GByteArray *to, uint64_t value)
{
    uint8_t bytes[10];
    guint n = 0;
    for (; value >= 0x80; value >>= 7) {
        bytes[n++] = (uint8_t)(value | 0x80);
    }
    bytes[n++] = (uint8_t)value;
    g_byte_array_append(to, bytes, n);
}

/* Ranks and tags; what is none, or any, comes first. */
static void put32(GByteArray *to, uint32_t value)
{
    put(to, (uint32_t)(value - SCHED_UNKNOWN));
}

/* ---- a body --------------------------------------------------------------------------------- */

static uint32_t class_of(packer *p, const packed_class *class)
{
    const uint32_t hash = sched_known_hash(class, sizeof *class);
    uint32_t at = hash;
    uint32_t number;
    while (sched_known_next(&p->known_classes, hash, &at, &number)) {
        if (memcmp(&g_array_index(p->classes, packed_class, number), class, sizeof *class) == 0) {
            return number;
        }
    }
    number = p->classes->len;
    g_array_append_vals(p->classes, class, 1);
    sched_known_add(&p->known_classes, hash, number);
    return number;
}

/* Where a list of counts lies, which may be that of a call before. */
static uint64_t counts_of(packer *p, const int64_t *counts, uint64_t n)
{
    const uint32_t hash = sched_known_hash(counts, n * sizeof *counts);
    uint32_t at = hash;
    uint32_t number;
    while (sched_known_next(&p->known_counts, hash, &at, &number)) {
        const counts_place *place = &g_array_index(p->counts_at, counts_place, number);
        if (place->n == n && memcmp(&g_array_index(p->counts, int64_t, place->at), counts,
                                    n * sizeof *counts) == 0) {
            return place->at;
        }
    }
    const counts_place place = {p->counts->len, n};
    sched_known_add(&p->known_counts, hash, p->counts_at->len);
    g_array_append_val(p->counts_at, place);
    g_array_append_vals(p->counts, counts, (guint)n);
    return place.at;
}

/* A bit for each field that is not as in a fresh call. */
static uint32_t fields_of(const packer *p, const sched_call *c)
{
    const bool room_came = c->room != -1 && c->room == packed_came(c);
    const bool same_peer =
        c->matched_peer != SCHED_UNKNOWN && c->matched_peer == packed_asked_peer(c);
    const bool same_tag = c->matched_tag != SCHED_UNKNOWN && c->matched_tag == packed_asked_tag(c);
    const bool all = c->cpu_inside >= 0 && c->cpu_inside == packed_minus(c->leave, c->enter);
    return (c->bytes != 0 ? PACKED_BYTES : 0U) | (c->recv_bytes != 0 ? PACKED_RECV_BYTES : 0U) |
           (room_came       ? PACKED_ROOM_CAME
            : c->room != -1 ? PACKED_ROOM
                            : 0U) |
           (c->peer != 0 ? PACKED_PEER : 0U) | (c->tag != 0 ? PACKED_TAG : 0U) |
           (c->recv_peer != 0 ? PACKED_RECV_PEER : 0U) | (c->recv_tag != 0 ? PACKED_RECV_TAG : 0U) |
           (same_peer                          ? PACKED_MATCHED_PEER_SAME
            : c->matched_peer != SCHED_UNKNOWN ? PACKED_MATCHED_PEER
                                               : 0U) |
           (same_tag                          ? PACKED_MATCHED_TAG_SAME
            : c->matched_tag != SCHED_UNKNOWN ? PACKED_MATCHED_TAG
                                              : 0U) |
           (c->root != 0 ? PACKED_ROOT : 0U) |
           (c->request != SCHED_NO_REQUEST ? PACKED_REQUEST : 0U) |
           (c->num_list > 0 ? PACKED_LIST : 0U) |
           (c->num_send_counts > 0 || c->num_recv_counts > 0 ? PACKED_COUNTS : 0U) |
           (c->line != p->line + 1 ? PACKED_LINE : 0U) | (c->cpu >= 0 ? PACKED_CPU : 0U) |
           (all                  ? PACKED_CPU_ALL
            : c->cpu_inside >= 0 ? PACKED_CPU_INSIDE
                                 : 0U);
}

static void put_list(packer *p, const sched_rank *rank, const sched_call *c)
{
    uint64_t before = p->posted;
    put(p->body, c->num_list);
    for (uint32_t i = 0; i < c->num_list; i++) {
        const uint64_t number = rank->requests[c->list + i];
        put(p->body, packed_fold((int64_t)(number - before)));
        before = number;
    }
}

/* In the order of the bits. */
static void put_fields(packer *p, const sched_rank *rank, const sched_call *c, uint32_t has)
{
    const int64_t sizes[] = {c->bytes, c->recv_bytes, c->room};
    const uint32_t small[] = {c->peer,         c->tag,         c->recv_peer, c->recv_tag,
                              c->matched_peer, c->matched_tag, c->root};
    for (uint32_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
        if ((has & PACKED_BYTES << i) != 0) {
            put(p->body, packed_fold(sizes[i]));
        }
    }
    for (uint32_t i = 0; i < G_N_ELEMENTS(small); i++) {
        if ((has & PACKED_PEER << i) != 0) {
            put32(p->body, small[i]);
        }
    }
    if ((has & PACKED_REQUEST) != 0) {
        put(p->body, packed_fold((int64_t)(c->request - p->posted)));
        p->posted = c->request + 1;
    }
    if ((has & PACKED_LIST) != 0) {
        put_list(p, rank, c);
    }
    if ((has & PACKED_COUNTS) != 0) {
        const uint64_t n = (uint64_t)c->num_send_counts + c->num_recv_counts;
        put(p->body, c->num_send_counts);
        put(p->body, c->num_recv_counts);
        put(p->body, counts_of(p, rank->counts + c->counts, n));
    }
    if ((has & PACKED_LINE) != 0) {
        put(p->body, packed_fold((int64_t)c->line - (int64_t)p->line));
    }
    p->line = c->line;
}

/* The number of the call's body. @return is it new? */
static bool find_body(packer *p, const sched_rank *rank, const sched_call *c, uint32_t has,
                      uint32_t *number)
{
    const packed_class class = {.has = has,
                                .name = c->name,
                                .comm = c->comm,
                                .kind = c->kind,
                                .collective = c->collective,
                                .in_place = c->in_place,
                                .synchronous = c->synchronous};
    g_byte_array_set_size(p->body, 0);
    put(p->body, class_of(p, &class));
    put_fields(p, rank, c, has);
    const uint32_t hash = sched_known_hash(p->body->data, p->body->len);
    uint32_t at = hash;
    while (sched_known_next(&p->known_bodies, hash, &at, number)) {
        const size_t *place = &g_array_index(p->body_at, size_t, *number);
        if (place[1] - place[0] == p->body->len &&
            memcmp(p->bodies->data + place[0], p->body->data, p->body->len) == 0) {
            return false;
        }
    }
    *number = p->last->len;
    g_byte_array_append(p->bodies, p->body->data, p->body->len);
    const size_t end = p->bodies->len;
    const packed_last last = {.next = *number + 1};
    g_array_append_val(p->body_at, end);
    g_array_append_val(p->last, last);
    sched_known_add(&p->known_bodies, hash, *number);
    return true;
}

/* ---- tokens --------------------------------------------------------------------------------- */

static void put_run(packer *p)
{
    if (p->run > 0) {
        put(p->tokens, p->run << 2 | PACKED_RUN);
        p->run = 0;
    }
}

static void put_token(packer *p, packed_token token, sim_time gap)
{
    const uint64_t folded = packed_fold(gap);
    if (folded >> 61 == 0) {
        put(p->tokens, folded << 2 | token);
    } else {
        put(p->tokens, PACKED_RUN);
        put(p->tokens, token);
        put(p->tokens, folded);
    }
}

/* A time and what depends on it are in whole units: sched_rank_pack() has seen to it. */
static packed_last times_of(const packer *p, const sched_call *c, uint32_t has)
{
    const sim_time gap = packed_minus(c->enter, p->leave);
    const sim_time duration = packed_minus(c->leave, c->enter);
    return (packed_last){
        .gap = gap / p->unit,
        .duration = duration / p->unit,
        .less_cpu = (has & PACKED_CPU) != 0 ? packed_minus(gap, c->cpu) / p->unit : 0,
        .less_inside =
            (has & PACKED_CPU_INSIDE) != 0 ? packed_minus(duration, c->cpu_inside) / p->unit : 0};
}

static void put_times(packer *p, const packed_last *now, uint32_t has)
{
    put(p->tokens, packed_fold(now->duration));
    if ((has & PACKED_CPU) != 0) {
        put(p->tokens, packed_fold(now->less_cpu));
    }
    if ((has & PACKED_CPU_INSIDE) != 0) {
        put(p->tokens, packed_fold(now->less_inside));
    }
}

/* Which body is expected now; from now on it is @p number that comes after the one before. */
static uint32_t expect(packer *p, uint32_t number)
{
    uint32_t expected = 0;
    if (p->body_before != UINT32_MAX) {
        packed_last *before = &g_array_index(p->last, packed_last, p->body_before);
        expected = before->next;
        before->next = number;
    }
    p->body_before = number;
    return expected;
}

static void put_call(packer *p, const sched_rank *rank, const sched_call *c)
{
    uint32_t number;
    const uint32_t has = fields_of(p, c);
    packed_last now = times_of(p, c, has);
    const bool fresh = find_body(p, rank, c, has, &number);
    const bool expected = expect(p, number) == number;
    packed_last *last = &g_array_index(p->last, packed_last, number);
    p->leave = c->leave;
    if (!fresh && expected && last->gap == now.gap && last->duration == now.duration &&
        last->less_cpu == now.less_cpu && last->less_inside == now.less_inside) {
        p->run++;
        return;
    }
    now.next = last->next;
    *last = now;
    put_run(p);
    put_token(p, fresh ? PACKED_FRESH : expected ? PACKED_EXPECTED : PACKED_NAMED, now.gap);
    if (!fresh && !expected) {
        put(p->tokens, number);
    }
    put_times(p, &now, has);
}

/* ---- a rank --------------------------------------------------------------------------------- */

/* The largest of us, ns and ps that all times are whole numbers of. */
static sim_time unit_of(const sched_rank *rank)
{
    static const sim_time THOUSAND = 1000;
    sim_time unit = SIM_US;
    for (uint64_t i = 0; i < rank->num_calls && unit > 1; i++) {
        const sched_call *c = &rank->calls[i];
        const sim_time times[] = {c->enter - rank->calls[0].enter, c->leave - c->enter,
                                  MAX(c->cpu, 0), MAX(c->cpu_inside, 0)};
        for (size_t k = 0; k < G_N_ELEMENTS(times); k++) {
            while (times[k] % unit != 0) {
                unit /= THOUSAND;
            }
        }
    }
    return unit;
}

/* Are all times such that their differences, and the differences of these, are in range? */
static bool is_tame(const sched_rank *rank)
{
    const sim_time most = SIM_TIME_MAX / 2;
    for (uint64_t i = 0; i < rank->num_calls; i++) {
        const sched_call *c = &rank->calls[i];
        if (c->enter < -most || c->enter > most || c->leave < -most || c->leave > most ||
            c->cpu > most || c->cpu_inside > most) {
            return false;
        }
    }
    return true;
}

static void packer_init(packer *p, const sched_rank *rank)
{
    *p = (packer){.body_before = UINT32_MAX, .unit = is_tame(rank) ? unit_of(rank) : 1};
    p->bodies = g_byte_array_new();
    p->tokens = g_byte_array_new();
    p->body = g_byte_array_new();
    p->classes = g_array_new(FALSE, FALSE, sizeof(packed_class));
    p->body_at = g_array_new(FALSE, TRUE, sizeof(size_t));
    g_array_set_size(p->body_at, 1);
    p->last = g_array_new(FALSE, FALSE, sizeof(packed_last));
    p->counts = g_array_new(FALSE, FALSE, sizeof(int64_t));
    p->counts_at = g_array_new(FALSE, FALSE, sizeof(counts_place));
    p->leave = rank->num_calls > 0 ? rank->calls[0].enter : 0;
    sched_known_init(&p->known_bodies);
    sched_known_init(&p->known_classes);
    sched_known_init(&p->known_counts);
}

static void packer_clear(packer *p)
{
    g_byte_array_unref(p->body);
    g_array_unref(p->body_at);
    g_array_unref(p->last);
    g_array_unref(p->counts_at);
    sched_known_clear(&p->known_bodies);
    sched_known_clear(&p->known_classes);
    sched_known_clear(&p->known_counts);
}

/* Its bytes, in a block that is no larger. */
static uint8_t *take_bytes(GByteArray *from, size_t *n)
{
    *n = from->len;
    return g_realloc(g_byte_array_free(from, FALSE), *n);
}

static bool is_wild(const sched_call *c)
{
    return packed_asked_peer(c) == SCHED_ANY || packed_asked_tag(c) == SCHED_ANY;
}

void sched_rank_pack(sched_rank *rank)
{
    if (rank->packed != NULL) {
        return;
    }
    packer p;
    packer_init(&p, rank);
    for (uint64_t i = 0; i < rank->num_calls; i++) {
        put_call(&p, rank, &rank->calls[i]);
        p.wild = p.wild || is_wild(&rank->calls[i]);
    }
    put_run(&p);
    sched_packed *packed = g_new0(sched_packed, 1);
    packed->unit = p.unit;
    packed->begin = rank->num_calls > 0 ? rank->calls[0].enter : 0;
    packed->wild = p.wild;
    packed->num_classes = p.classes->len;
    packed->num_bodies = p.last->len;
    packed->classes = (packed_class *)(void *)g_array_free(p.classes, FALSE);
    packed->bodies = take_bytes(p.bodies, &packed->num_body_bytes);
    packed->tokens = take_bytes(p.tokens, &packed->num_token_bytes);
    g_free(rank->calls);
    g_free(rank->requests);
    g_free(rank->counts);
    rank->calls = NULL;
    rank->requests = NULL;
    rank->num_requests = 0;
    rank->num_counts = p.counts->len;
    rank->counts = (int64_t *)(void *)g_array_free(p.counts, FALSE);
    rank->packed = packed;
    packer_clear(&p);
}

void sched_trace_pack(sched_trace *trace)
{
    for (uint32_t rank = 0; rank < trace->num_ranks; rank++) {
        sched_rank_pack(&trace->ranks[rank]);
    }
}

void sched_packed_free(sched_packed *packed)
{
    if (packed != NULL) {
        g_free(packed->classes);
        g_free(packed->bodies);
        g_free(packed->tokens);
        g_free(packed);
    }
}
