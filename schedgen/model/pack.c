/* schedgen/model/pack.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_packed_calls. */
#include "model/bytes_private.h"
#include "model/known_private.h"
#include "model/pack_unit.h"
#include "model/packed_private.h"
#include "model/packer_private.h"

#include <string.h>

struct sched_packer {
    sched_bytes bodies;
    sched_bytes tokens;
    sched_bytes body;          /* of the call */
    GArray *classes;           /* of packed_class */
    GArray *body_at;           /* of size_t: where each body begins; at last the end */
    GArray *class_of;          /* of uint32_t: of each body */
    GArray *last;              /* of packed_last: likewise */
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
    uint64_t num_calls;
    sim_time begin; /* enter of the first */
    bool wild;
    const uint64_t *requests; /* what the lists of the calls that come count in, */
    const int64_t *lists;     /* and their counts */
};

typedef struct counts_place {
    uint64_t at;
    uint64_t n;
} counts_place;

/* ---- numbers -------------------------------------------------------------------------------- */

static inline void put(sched_bytes *to, uint64_t value)
{
    sched_bytes_put(to, value);
}

/* Ranks and tags; what is none, or any, comes first. */
static void put32(sched_bytes *to, uint32_t value)
{
    put(to, (uint32_t)(value - SCHED_UNKNOWN));
}

/* ---- a body --------------------------------------------------------------------------------- */

static uint32_t class_of(sched_packer *p, const packed_class *class)
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
static uint64_t counts_of(sched_packer *p, const int64_t *counts, uint64_t n)
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
static uint32_t fields_of(const sched_packer *p, const sched_call *c)
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

static void put_list(sched_packer *p, const sched_call *c)
{
    uint64_t before = p->posted;
    put(&p->body, c->num_list);
    for (uint32_t i = 0; i < c->num_list; i++) {
        const uint64_t number = p->requests[c->list + i];
        put(&p->body, packed_fold((int64_t)(number - before)));
        before = number;
    }
}

/* In the order of the bits. */
static void put_fields(sched_packer *p, const sched_call *c, uint32_t has)
{
    const int64_t sizes[] = {c->bytes, c->recv_bytes, c->room};
    const uint32_t small[] = {c->peer,         c->tag,         c->recv_peer, c->recv_tag,
                              c->matched_peer, c->matched_tag, c->root};
    for (uint32_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
        if ((has & PACKED_BYTES << i) != 0) {
            put(&p->body, packed_fold(sizes[i]));
        }
    }
    for (uint32_t i = 0; i < G_N_ELEMENTS(small); i++) {
        if ((has & PACKED_PEER << i) != 0) {
            put32(&p->body, small[i]);
        }
    }
    if ((has & PACKED_REQUEST) != 0) {
        put(&p->body, packed_fold((int64_t)(c->request - p->posted)));
        p->posted = c->request + 1;
    }
    if ((has & PACKED_LIST) != 0) {
        put_list(p, c);
    }
    if ((has & PACKED_COUNTS) != 0) {
        const uint64_t n = (uint64_t)c->num_send_counts + c->num_recv_counts;
        put(&p->body, c->num_send_counts);
        put(&p->body, c->num_recv_counts);
        put(&p->body, counts_of(p, p->lists + c->counts, n));
    }
    if ((has & PACKED_LINE) != 0) {
        put(&p->body, packed_fold((int64_t)c->line - (int64_t)p->line));
    }
    p->line = c->line;
}

/* Is the body at hand that one? */
static bool is_body(const sched_packer *p, uint32_t number)
{
    const size_t *place = &g_array_index(p->body_at, size_t, number);
    return place[1] - place[0] == p->body.len &&
           memcmp(p->bodies.at + place[0], p->body.at, p->body.len) == 0;
}

static bool find_other(const sched_packer *p, uint32_t hash, uint32_t *number)
{
    uint32_t at = hash;
    while (sched_known_next(&p->known_bodies, hash, &at, number)) {
        if (is_body(p, *number)) {
            return true;
        }
    }
    return false;
}

/* Field by field: as bytes, the processor would wait for what was only just written. */
static bool is_class(const packed_class *a, const packed_class *b)
{
    return a->has == b->has && a->name == b->name && a->comm == b->comm && a->kind == b->kind &&
           a->collective == b->collective && a->in_place == b->in_place &&
           a->synchronous == b->synchronous;
}

/* The number of the call's body, mostly the one that is @p expected. @return is it new? */
static bool find_body(sched_packer *p, const sched_call *c, uint32_t has, uint32_t expected,
                      uint32_t *number)
{
    const packed_class class = {.has = has,
                                .name = c->name,
                                .comm = c->comm,
                                .kind = c->kind,
                                .collective = c->collective,
                                .in_place = c->in_place,
                                .synchronous = c->synchronous};
    uint32_t likely =
        expected < p->class_of->len ? g_array_index(p->class_of, uint32_t, expected) : UINT32_MAX;
    if (likely == UINT32_MAX ||
        !is_class(&g_array_index(p->classes, packed_class, likely), &class)) {
        likely = class_of(p, &class);
    }
    p->body.len = 0;
    put(&p->body, likely);
    put_fields(p, c, has);
    *number = expected;
    if (expected < p->last->len && is_body(p, expected)) {
        return false;
    }
    const uint32_t hash = sched_known_hash(p->body.at, p->body.len);
    if (find_other(p, hash, number)) {
        return false;
    }
    *number = p->last->len;
    sched_bytes_append(&p->bodies, &p->body);
    const packed_last last = {.next = *number + 1};
    g_array_append_val(p->body_at, p->bodies.len);
    g_array_append_val(p->class_of, likely);
    g_array_append_val(p->last, last);
    sched_known_add(&p->known_bodies, hash, *number);
    return true;
}

/* ---- tokens --------------------------------------------------------------------------------- */

static void put_run(sched_packer *p)
{
    if (p->run > 0) {
        put(&p->tokens, p->run << 2 | PACKED_RUN);
        p->run = 0;
    }
}

static void put_token(sched_packer *p, packed_token token, sim_time gap)
{
    const uint64_t folded = packed_fold(gap);
    if (folded >> 61 == 0) {
        put(&p->tokens, folded << 2 | token);
    } else {
        put(&p->tokens, PACKED_RUN);
        put(&p->tokens, token);
        put(&p->tokens, folded);
    }
}

/* A time and what depends on it are in whole units: sched_unit_with() has seen to it. */
static packed_last times_of(const sched_packer *p, const sched_call *c, uint32_t has)
{
    const sim_time gap = packed_minus(c->enter, p->leave);
    const sim_time duration = packed_minus(c->leave, c->enter);
    return (packed_last){
        .gap = sched_in_units(gap, p->unit),
        .duration = sched_in_units(duration, p->unit),
        .less_cpu =
            (has & PACKED_CPU) != 0 ? sched_in_units(packed_minus(gap, c->cpu), p->unit) : 0,
        .less_inside = (has & PACKED_CPU_INSIDE) != 0
                           ? sched_in_units(packed_minus(duration, c->cpu_inside), p->unit)
                           : 0};
}

static void put_times(sched_packer *p, const packed_last *now, uint32_t has)
{
    put(&p->tokens, packed_fold(now->duration));
    if ((has & PACKED_CPU) != 0) {
        put(&p->tokens, packed_fold(now->less_cpu));
    }
    if ((has & PACKED_CPU_INSIDE) != 0) {
        put(&p->tokens, packed_fold(now->less_inside));
    }
}

/* Which body is expected now. */
static uint32_t expected_body(const sched_packer *p)
{
    return p->body_before != UINT32_MAX ? g_array_index(p->last, packed_last, p->body_before).next
                                        : 0;
}

/* From now on it is @p number that comes after the one before. */
static void come(sched_packer *p, uint32_t number)
{
    if (p->body_before != UINT32_MAX) {
        g_array_index(p->last, packed_last, p->body_before).next = number;
    }
    p->body_before = number;
}

static void put_call(sched_packer *p, const sched_call *c)
{
    uint32_t number;
    const uint32_t has = fields_of(p, c);
    const packed_last now = times_of(p, c, has);
    const uint32_t next = expected_body(p);
    const bool fresh = find_body(p, c, has, next, &number);
    const bool expected = next == number;
    come(p, number);
    packed_last *last = &g_array_index(p->last, packed_last, number);
    p->leave = c->leave;
    if (!fresh && expected && last->gap == now.gap && last->duration == now.duration &&
        last->less_cpu == now.less_cpu && last->less_inside == now.less_inside) {
        p->run++;
        return;
    }
    last->gap = now.gap;
    last->duration = now.duration;
    last->less_cpu = now.less_cpu;
    last->less_inside = now.less_inside;
    put_run(p);
    put_token(p, fresh ? PACKED_FRESH : expected ? PACKED_EXPECTED : PACKED_NAMED, now.gap);
    if (!fresh && !expected) {
        put(&p->tokens, number);
    }
    put_times(p, &now, has);
}

/* ---- a rank --------------------------------------------------------------------------------- */

static void packer_init(sched_packer *p, sim_time unit)
{
    *p = (sched_packer){.body_before = UINT32_MAX, .unit = unit};
    p->classes = g_array_new(FALSE, FALSE, sizeof(packed_class));
    p->body_at = g_array_new(FALSE, TRUE, sizeof(size_t));
    g_array_set_size(p->body_at, 1);
    p->class_of = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    p->last = g_array_new(FALSE, FALSE, sizeof(packed_last));
    p->counts = g_array_new(FALSE, FALSE, sizeof(int64_t));
    p->counts_at = g_array_new(FALSE, FALSE, sizeof(counts_place));
    sched_known_init(&p->known_bodies);
    sched_known_init(&p->known_classes);
    sched_known_init(&p->known_counts);
}

static void packer_clear(sched_packer *p)
{
    g_free(p->bodies.at);
    g_free(p->tokens.at);
    g_free(p->body.at);
    g_array_unref(p->classes);
    g_array_unref(p->counts);
    g_array_unref(p->class_of);
    g_array_unref(p->body_at);
    g_array_unref(p->last);
    g_array_unref(p->counts_at);
    sched_known_clear(&p->known_bodies);
    sched_known_clear(&p->known_classes);
    sched_known_clear(&p->known_counts);
}

/* Its bytes, in a block that is no larger. */
static uint8_t *take_bytes(sched_bytes *from, size_t *n)
{
    uint8_t *bytes = g_realloc(from->at, from->len);
    *n = from->len;
    *from = (sched_bytes){0};
    return bytes;
}

static void *take_array(GArray **from, guint size)
{
    void *array = g_array_free(*from, FALSE);
    *from = g_array_new(FALSE, FALSE, size);
    return array;
}

/* Nothing more is to come until it is all put again. */
static void packer_close(sched_packer *p, sched_rank *rank)
{
    put_run(p);
    sched_packed *packed = g_new0(sched_packed, 1);
    packed->unit = p->unit;
    packed->begin = p->begin;
    packed->wild = p->wild;
    packed->num_classes = p->classes->len;
    packed->num_bodies = p->last->len;
    packed->classes = take_array(&p->classes, sizeof(packed_class));
    packed->bodies = take_bytes(&p->bodies, &packed->num_body_bytes);
    packed->tokens = take_bytes(&p->tokens, &packed->num_token_bytes);
    rank->num_calls = p->num_calls;
    rank->num_counts = p->counts->len;
    rank->counts = take_array(&p->counts, sizeof(int64_t));
    rank->max_calls = rank->max_requests = rank->max_counts = 0;
    rank->packed = packed;
}

static bool is_wild(const sched_call *c)
{
    return packed_asked_peer(c) == SCHED_ANY || packed_asked_tag(c) == SCHED_ANY;
}

static void put_calls(sched_packer *p, const sched_call *calls, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        put_call(p, &calls[i]);
        p->wild = p->wild || is_wild(&calls[i]);
    }
    p->num_calls += n;
}

/* All that was taken, in the smaller @p unit: a time has come that is no whole number of the one
 * before. Mostly the first calls have such. */
static void change_unit(sched_packer *p, sim_time unit)
{
    sched_rank taken = {0};
    const sim_time begin = p->begin;
    packer_close(p, &taken);
    packer_clear(p);
    packer_init(p, unit);
    p->begin = p->leave = begin;
    p->lists = taken.counts;
    sched_walk walk;
    sched_walk_begin(&walk, &taken);
    for (const sched_call *call; (call = sched_walk_next(&walk)) != NULL;) {
        p->requests = walk.requests;
        put_calls(p, call, 1);
    }
    sched_walk_end(&walk);
    sched_rank_clear(&taken);
}

static void take(sched_packer *p, const sched_rank *rank, uint64_t n)
{
    if (p->num_calls == 0 && n > 0) {
        p->begin = p->leave = rank->calls[0].enter;
    }
    const sim_time unit = sched_unit_with(p->unit, p->begin, rank->calls, n);
    if (unit != p->unit && p->num_calls > 0) {
        change_unit(p, unit);
    }
    p->unit = unit;
    p->requests = rank->requests;
    p->lists = rank->counts;
    put_calls(p, rank->calls, n);
}

sched_packer *sched_packer_new(void)
{
    sched_packer *p = g_new(sched_packer, 1);
    packer_init(p, SIM_US);
    return p;
}

void sched_packer_free(sched_packer *p)
{
    if (p != NULL) {
        packer_clear(p);
        g_free(p);
    }
}

void sched_packer_take(sched_packer *p, sched_rank *rank, uint64_t n)
{
    take(p, rank, n);
    sched_rank_drop(rank, n);
}

void sched_packer_finish(sched_packer *p, sched_rank *rank)
{
    take(p, rank, rank->num_calls);
    g_free(rank->calls);
    g_free(rank->requests);
    g_free(rank->counts);
    rank->calls = NULL;
    rank->requests = NULL;
    rank->num_requests = 0;
    packer_close(p, rank);
}

void sched_rank_pack(sched_rank *rank)
{
    if (rank->packed == NULL) {
        sched_packer *p = sched_packer_new();
        sched_packer_finish(p, rank);
        sched_packer_free(p);
    }
}

void sched_trace_pack(sched_trace *trace)
{
    for (uint32_t rank = 0; rank < trace->num_ranks; rank++) {
        sched_rank_pack(&trace->ranks[rank]);
    }
}
