/* sim/record/run_record_code.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run_record, test_run_record_file. */
/*
 * A step is a byte (low half: its kind; high half: bound and flags) and numbers of seven bits per
 * byte, lowest first. Neighbours in a log do much the same, so operations are told as distances:
 * from the step before, or from the operation itself. docs/formats.md, "The record of a run".
 */
#include "record/run_record_private.h"

enum {
    KIND_BITS = 4,
    BOUND_SHIFT = 4, /* two bits; cleared: one, then `later` */
    LATER = 1 << 5,
    SAME_SIZE = 1 << 6, /* as the one before in record_state.size */
    NOISY = 1 << 7,
};

static inline uint8_t *put(uint8_t *out, uint64_t x)
{
    while (x >= 0x80) {
        *out++ = (uint8_t)(x | 0x80);
        x >>= 7;
    }
    *out++ = (uint8_t)x;
    return out;
}

static inline uint64_t zigzag(int64_t x)
{
    return (uint64_t)x << 1 ^ (uint64_t)(x >> 63);
}

static inline uint8_t *put_distance(uint8_t *out, uint32_t from, uint32_t to)
{
    return put(out, zigzag((int64_t)to - from));
}

/* One bit more than a distance: is it a message? */
static uint8_t *put_ref(uint8_t *out, uint32_t rank, uint32_t op, record_ref ref)
{
    if (ref.source == SIM_ANY) {
        return put(out, zigzag((int64_t)ref.op - op) << 1);
    }
    out = put(out, zigzag((int64_t)ref.source - rank) << 1 | 1);
    return put_distance(out, op, ref.op);
}

/* Which of record_state.size a step has; -1: none. */
static inline int size_class(uint8_t kind)
{
    switch (kind) {
    case RECORD_CALC:
        return 0;
    case RECORD_SEND:
    case RECORD_CLEARED:
        return 1;
    case RECORD_RECEIVE:
    case RECORD_ACCEPT:
        return 2;
    default:
        return -1;
    }
}

static inline bool has_message(uint8_t kind)
{
    return kind == RECORD_RECEIVE || kind == RECORD_ACCEPT || kind == RECORD_MEET ||
           kind == RECORD_LATE;
}

static inline bool has_dest(uint8_t kind)
{
    return kind == RECORD_CLEARED || kind == RECORD_RELEASED;
}

static inline bool has_level(uint8_t kind)
{
    return kind == RECORD_SEND || kind == RECORD_CLEARED || has_message(kind);
}

/* How many of step.noise. */
static inline int num_noise(uint8_t kind)
{
    return kind == RECORD_CALC ? 1 : 2;
}

/* Bounds of receives and of what else has a message; the others have but four. */
static inline uint8_t bound_code(const record_step *s)
{
    if (s->kind == RECORD_CLEARED) {
        return s->bound == RECORD_BY_TX ? 1 : 0;
    }
    if (has_message(s->kind)) {
        return s->bound == RECORD_BY_NETWORK ? 0 : s->bound == RECORD_BY_POSTING ? 1 : 2;
    }
    return s->kind == RECORD_RELEASED ? 0 : s->bound;
}

/* @return false: the kind has no such bound */
static inline bool set_bound(record_step *s, uint8_t code)
{
    static const uint8_t MESSAGE[] = {RECORD_BY_NETWORK, RECORD_BY_POSTING, RECORD_BY_CPU};
    switch (s->kind) {
    case RECORD_CLEARED:
        s->later = (code & 2) != 0;
        s->bound = code & 1 ? RECORD_BY_TX : RECORD_BY_NETWORK;
        return true;
    case RECORD_RECEIVE:
        s->bound = code < 3 ? MESSAGE[code] : RECORD_BY_NETWORK;
        return code < 3;
    case RECORD_ACCEPT:
        s->bound = code < 3 ? MESSAGE[code] : RECORD_BY_NETWORK;
        return code == 0 || code == 2;
    case RECORD_MEET:
    case RECORD_LATE:
        s->bound = code < 2 ? MESSAGE[code] : RECORD_BY_NETWORK;
        return code < 2;
    case RECORD_RELEASED:
        s->bound = RECORD_BY_NETWORK;
        return code == 0;
    default:
        s->bound = code;
        return code <= (s->kind == RECORD_SEND   ? RECORD_BY_TX
                        : s->kind == RECORD_CALC ? RECORD_BY_CPU
                                                 : RECORD_BY_START);
    }
}

record_state sim_record_state(const sim_run_record *record)
{
    return (record_state){
        .has_levels = record->has_levels, .has_node = record->has_node, .L_hop = record->L_hop};
}

/* The level, and how many times L_hop the distance is. */
static uint8_t *put_level(uint8_t *out, const record_state *state, const record_step *s)
{
    const uint64_t hops = state->L_hop > 0 ? (uint64_t)(s->distance / state->L_hop) : 0;
    return put(out, hops << 1 | s->level);
}

uint8_t *sim_record_encode(record_state *state, const record_step *s, uint8_t *out)
{
    if (s->rank != state->rank) {
        *out++ = RECORD_TURN;
        out = put_distance(out, state->rank, s->rank);
        state->rank = s->rank;
    }
    uint8_t *head = out++;
    const int class = size_class(s->kind);
    const bool noisy = class >= 0 && (s->noise[0] | s->noise[1]) != 0;
    const bool same = class >= 0 && s->size == state->size[class];
    *head = (uint8_t)((s->kind + (s->waited ? 1 : 0)) | bound_code(s) << BOUND_SHIFT |
                      (s->later ? LATER : 0) | (same ? SAME_SIZE : 0) | (noisy ? NOISY : 0));
    uint32_t op = state->op;
    if (s->kind != RECORD_ACCEPT) {
        out = put_distance(out, op, s->op);
        state->op = op = s->op;
    }
    if (has_message(s->kind) || has_dest(s->kind)) {
        out = put_distance(out, s->rank, s->peer);
    }
    if (has_message(s->kind)) {
        out = put_distance(out, op, s->send);
    }
    if (state->has_levels && has_level(s->kind)) {
        out = put_level(out, state, s);
    }
    switch ((record_bound)s->bound) {
    case RECORD_BY_FINISH:
    case RECORD_BY_START: /* nothing depends on itself: 0 is nothing */
        out = put_distance(out, op, s->by.op == SIM_ANY ? op : s->by.op);
        break;
    case RECORD_BY_TX:
        out = put_distance(out, op, s->by.op);
        break;
    case RECORD_BY_CPU:
        out = put_ref(out, s->rank, op, s->by);
        break;
    default:
        break;
    }
    if (s->waited) {
        out = put_ref(out, s->rank, op, s->rx);
    }
    if (class >= 0 && !same) {
        out = put(out, (uint64_t)s->size);
        state->size[class] = s->size;
    }
    for (int k = 0; noisy && k < num_noise(s->kind); k++) {
        out = put(out, (uint64_t)s->noise[k]);
    }
    return out;
}

/* ---- reading ---- */

/* Bytes being read; at is NULL once something was wrong. */
typedef struct input {
    const uint8_t *at;
    const uint8_t *end;
} input;

static inline uint64_t get(input *in)
{
    uint64_t x = 0;
    for (unsigned shift = 0; in->at != NULL; shift += 7) {
        if (in->at == in->end || shift > 63) {
            in->at = NULL;
            break;
        }
        const uint8_t byte = *in->at++;
        x |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            return x;
        }
    }
    return 0;
}

/* Where a distance leads: below SIM_ANY, or it is wrong. */
static inline uint32_t move(input *in, uint32_t from, uint64_t code)
{
    const int64_t to = from + ((int64_t)(code >> 1) ^ -(int64_t)(code & 1));
    if (code >> 34 != 0 || to < 0 || to >= SIM_ANY) {
        in->at = NULL;
        return 0;
    }
    return (uint32_t)to;
}

static inline uint32_t get_distance(input *in, uint32_t from)
{
    return move(in, from, get(in));
}

static record_ref get_ref(input *in, uint32_t rank, uint32_t op)
{
    const uint64_t code = get(in);
    if ((code & 1) == 0) {
        return (record_ref){.op = move(in, op, code >> 1), .source = SIM_ANY};
    }
    record_ref ref = {.source = move(in, rank, code >> 1)};
    ref.op = get_distance(in, op);
    return ref;
}

/* Amounts of bytes and of time: signed, or wrong. */
static inline int64_t get_amount(input *in)
{
    const uint64_t x = get(in);
    if (x > INT64_MAX) {
        in->at = NULL;
        return 0;
    }
    return (int64_t)x;
}

static void get_level(input *in, const record_state *state, record_step *s)
{
    const uint64_t code = get(in);
    const uint64_t hops = code >> 1;
    s->level = code & 1;
    if ((s->level == MESSAGE_NODE && !state->has_node) ||
        (hops > 0 && (state->L_hop == 0 || hops > (uint64_t)(SIM_TIME_MAX / state->L_hop)))) {
        in->at = NULL;
        return;
    }
    s->distance = (sim_time)hops * state->L_hop;
}

static void get_bound(input *in, record_step *s, uint32_t op)
{
    switch ((record_bound)s->bound) {
    case RECORD_BY_FINISH:
    case RECORD_BY_START:
        s->by.op = get_distance(in, op);
        s->by.op = s->by.op == op ? SIM_ANY : s->by.op;
        break;
    case RECORD_BY_TX:
        s->by.op = get_distance(in, op);
        break;
    case RECORD_BY_CPU:
        s->by = get_ref(in, s->rank, op);
        break;
    default:
        break;
    }
    if (s->waited) {
        s->rx = get_ref(in, s->rank, op);
    }
}

const uint8_t *sim_record_decode(record_state *state, const uint8_t *at, const uint8_t *end,
                                 record_step *out)
{
    input in = {at, end};
    uint8_t head = at < end ? *in.at++ : 0;
    if (head == RECORD_TURN) {
        state->rank = get_distance(&in, state->rank);
        if (in.at == NULL || in.at == end) {
            return NULL;
        }
        head = *in.at++;
    }
    record_step s = {.rank = state->rank, .op = SIM_ANY, .by = {SIM_ANY, SIM_ANY}};
    s.kind = head & ((1 << KIND_BITS) - 1);
    s.waited = s.kind == RECORD_RECEIVE_WAITED || s.kind == RECORD_ACCEPT_WAITED;
    s.kind -= s.waited ? 1 : 0;
    if (s.kind == RECORD_TURN || s.kind >= RECORD_NUM_KINDS ||
        !set_bound(&s, head >> BOUND_SHIFT & 3)) {
        return NULL;
    }
    uint32_t op = state->op;
    if (s.kind != RECORD_ACCEPT) {
        state->op = s.op = op = get_distance(&in, op);
    }
    if (has_message(s.kind) || has_dest(s.kind)) {
        s.peer = get_distance(&in, s.rank);
    }
    if (has_message(s.kind)) {
        s.send = get_distance(&in, op);
    }
    if (state->has_levels && has_level(s.kind)) {
        get_level(&in, state, &s);
    }
    get_bound(&in, &s, op);
    const int class = size_class(s.kind);
    if (class >= 0) {
        s.size = state->size[class] =
            (head & SAME_SIZE) != 0 ? state->size[class] : get_amount(&in);
    }
    for (int k = 0; (head & NOISY) != 0 && class >= 0 && k < num_noise(s.kind); k++) {
        s.noise[k] = get_amount(&in);
    }
    *out = s;
    return in.at;
}
