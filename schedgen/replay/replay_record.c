/* schedgen/replay/replay_record.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_replay. */
#include "model/known_private.h"
#include "replay/replay_private.h"

#include <assert.h>
#include <string.h>

/* Numbers that are given out, the lowest first as far as one can tell, and come back. */
typedef struct numbers {
    GArray *vacant; /* of uint32_t */
    uint32_t used;
} numbers;

static void numbers_init(numbers *n)
{
    *n = (numbers){.vacant = g_array_new(FALSE, FALSE, sizeof(uint32_t))};
}

static uint32_t numbers_take(numbers *n)
{
    if (n->vacant->len == 0) {
        return n->used++;
    }
    const uint32_t number = g_array_index(n->vacant, uint32_t, n->vacant->len - 1);
    g_array_set_size(n->vacant, n->vacant->len - 1);
    return number;
}

static void numbers_give_back(numbers *n, uint32_t number)
{
    g_array_append_val(n->vacant, number);
}

/* What is known of a request while the record is gone through. */
typedef struct request {
    uint32_t wait;  /* step of the first of the joins that follow on each other; CONV_NONE: none */
    uint32_t place; /* or chain; CONV_NONE: it is near */
    bool is_chain;
    bool is_receive;
} request;

/* What one wait completes. */
typedef struct wait {
    uint64_t span;  /* operations from the first of its posts to it */
    uint32_t group; /* CONV_NONE: none of its requests has been posted yet */
} wait;

typedef struct maker {
    const conv_template *from;
    const conv_context *context;
    GArray *order;     /* of uint32_t */
    GArray *steps;     /* of replay_step */
    sched_known known; /* steps */
    sim_time unit;
    GArray *colls;     /* of replay_coll */
    request *requests; /* [from->num_slots] */
    wait *waits;       /* [steps of the template] that begin there */
    numbers places;
    numbers groups;
    numbers chains;
    uint32_t receives; /* that have been posted, and will be waited for */
    uint32_t most_receives;
    uint32_t span; /* the longest of a wait that is near */
    uint64_t num_ops;
    uint32_t num_calcs;
} maker;

static const conv_step *step_at(const maker *m, guint i)
{
    return &g_array_index(m->from->steps, conv_step, i);
}

/* ---- the order ------------------------------------------------------------------------------ */

static void add_entry(maker *m, uint32_t entry)
{
    g_array_append_val(m->order, entry);
}

static void add_step(maker *m, const replay_step *step)
{
    const uint32_t hash = sched_known_hash(step, sizeof *step);
    uint32_t at = hash;
    uint32_t number;
    while (sched_known_next(&m->known, hash, &at, &number)) {
        if (memcmp(&g_array_index(m->steps, replay_step, number), step, sizeof *step) == 0) {
            add_entry(m, number);
            return;
        }
    }
    sched_known_add(&m->known, hash, m->steps->len);
    add_entry(m, m->steps->len);
    g_array_append_vals(m->steps, step, 1);
}

static void add_calc(maker *m, sim_time size)
{
    m->num_ops++;
    if (m->context->resample != NULL) {
        assert(m->num_calcs < REPLAY_LONG); /* 30 GB of record come first */
        add_entry(m, REPLAY_CALC | m->num_calcs++);
        return;
    }
    const uint64_t units = (uint64_t)(size / m->unit);
    const uint32_t upper = units < REPLAY_LONG ? 0 : (uint32_t)(units >> 32) | REPLAY_LONG;
    add_entry(m, REPLAY_CALC | (upper != 0 ? upper : (uint32_t)units));
    if (upper != 0) {
        add_entry(m, (uint32_t)units);
    }
}

/* The largest of us, ns and ps that all calculations are whole numbers of. */
static sim_time unit_of(const maker *m)
{
    enum { THOUSAND = 1000 };
    sim_time unit = SIM_US;
    for (guint i = 0; i < m->from->steps->len; i++) {
        const conv_step *step = &g_array_index(m->from->steps, conv_step, i);
        while (step->type == CONV_CALC && step->size % unit != 0) {
            unit /= THOUSAND;
        }
    }
    return unit;
}

/* ---- requests ------------------------------------------------------------------------------- */

/* Which wait completes each request? Joins with nothing between them are one wait. */
static void find_waits(maker *m)
{
    uint32_t first = 0;
    for (guint i = 0; i < m->from->num_slots; i++) {
        m->requests[i].wait = CONV_NONE;
    }
    for (guint i = 0; i < m->from->steps->len; i++) {
        const conv_step *step = step_at(m, i);
        m->waits[i] = (wait){.span = UINT64_MAX, .group = CONV_NONE};
        if (step->type == CONV_JOIN) {
            first = i > 0 && step_at(m, i - 1)->type == CONV_JOIN ? first : i;
            m->requests[step->slot].wait = first;
        }
    }
}

/* A collective counts as more than is near: how many operations it is depends on the ranks. */
static void find_spans(maker *m)
{
    uint64_t ops = 0;
    for (guint i = 0; i < m->from->steps->len; i++) {
        const conv_step *step = step_at(m, i);
        const bool post = step->type == CONV_ISEND || step->type == CONV_IRECV;
        const uint32_t end =
            post || step->type == CONV_JOIN ? m->requests[step->slot].wait : CONV_NONE;
        if (end == i) {
            m->waits[end].span = ops - m->waits[end].span;
        } else if (post && end != CONV_NONE && m->waits[end].span == UINT64_MAX) {
            m->waits[end].span = ops;
        }
        ops += step->type == CONV_COLL ? REPLAY_NEAR + 1 : step->type != CONV_JOIN;
    }
}

/* The group of the wait for @p slot, which has just been posted; CONV_NONE if nobody waits. */
static uint32_t join_group(maker *m, uint32_t slot)
{
    if (m->requests[slot].wait == CONV_NONE) {
        return CONV_NONE;
    }
    wait *end = &m->waits[m->requests[slot].wait];
    if (end->group == CONV_NONE) {
        end->group = numbers_take(&m->groups);
    }
    return end->group;
}

/* The joins [first, end): their numbers are free again, in an order that repeats itself. */
static void add_wait(maker *m, guint first, guint end)
{
    const replay_step step = {.kind = REPLAY_JOIN, .group = m->waits[first].group};
    assert(step.group != CONV_NONE); /* only what has been posted is joined */
    add_step(m, &step);
    numbers_give_back(&m->groups, step.group);
    for (guint i = end; i > first; i--) {
        const request *done = &m->requests[step_at(m, i - 1)->slot];
        m->receives -= done->is_receive;
        if (done->place != CONV_NONE) {
            numbers_give_back(done->is_chain ? &m->chains : &m->places, done->place);
        }
    }
}

static bool same_coll(const conv_coll *a, const conv_coll *b)
{
    const coll_call *x = &a->call;
    const coll_call *y = &b->call;
    return x->kind == y->kind && x->rank == y->rank && x->size == y->size && x->root == y->root &&
           x->bytes == y->bytes && x->send_counts == y->send_counts &&
           x->recv_counts == y->recv_counts && x->num_counts == y->num_counts &&
           x->reduce == y->reduce && x->in_place == y->in_place && a->grows == b->grows &&
           a->members == b->members && a->comm == b->comm && a->tags == b->tags &&
           a->span == b->span;
}

void sched_replay_course_find(replay_coll *coll, const conv_context *context)
{
    const coll_call call = conv_coll_call(&coll->recorded, context->options, 0, 0);
    coll_course_init(&coll->course, &call, coll_profile_select(context->profile, &call));
}

static replay_coll make_coll(const maker *m, const conv_coll *recorded)
{
    replay_coll coll = {.recorded = *recorded, .in_order = true};
    sched_replay_course_find(&coll, m->context);
    const uint32_t known = recorded->members != NULL ? recorded->call.size : 0;
    for (uint32_t i = 0; i < known && coll.in_order; i++) {
        coll.in_order = recorded->members[i] == i;
    }
    return coll;
}

/* The number of a collective: that of an equal one if it is one of the last different ones. */
static uint32_t find_coll(maker *m, const conv_coll *recorded)
{
    enum { LAST = 64 };
    for (guint i = m->colls->len; i > 0 && m->colls->len - i < LAST; i--) {
        replay_coll *coll = &g_array_index(m->colls, replay_coll, i - 1);
        if (same_coll(&coll->recorded, recorded)) {
            coll->times++;
            return i - 1;
        }
    }
    replay_coll coll = make_coll(m, recorded);
    coll.times = 1;
    g_array_append_val(m->colls, coll);
    return m->colls->len - 1;
}

static void add_collective(maker *m, const conv_step *step)
{
    const conv_coll *coll = &g_array_index(m->from->colls, conv_coll, (guint)step->size);
    replay_step out = {
        .kind = REPLAY_COLL, .peer = find_coll(m, coll), .place = CONV_NONE, .group = CONV_NONE};
    if (step->slot != CONV_NONE) {
        request *posted = &m->requests[step->slot];
        out.kind = REPLAY_ICOLL;
        out.group = join_group(m, step->slot);
        out.place = posted->place = numbers_take(&m->chains);
        posted->is_chain = true;
        posted->is_receive = false;
    }
    add_step(m, &out);
    add_entry(m, coll->tag);
}

/* @p out posts a request that somebody waits for. */
static void add_request(maker *m, const conv_step *step, replay_step *out)
{
    request *posted = &m->requests[step->slot];
    const uint64_t span = m->waits[posted->wait].span;
    if (span <= REPLAY_NEAR && out->group < UINT8_MAX) {
        out->near = (uint8_t)(out->group + 1);
        m->span = MAX(m->span, (uint32_t)span);
        posted->place = CONV_NONE;
    } else {
        out->place = posted->place = numbers_take(&m->places);
    }
    posted->is_receive = step->type == CONV_IRECV;
    m->receives += posted->is_receive;
    m->most_receives = MAX(m->most_receives, m->receives);
}

static void add_op(maker *m, const conv_step *step, bool exchange_follows)
{
    const sim_op op = conv_step_op(step, 0);
    replay_step out = {.size = op.size,
                       .peer = op.peer,
                       .tag = op.tag,
                       .comm = op.comm,
                       .place = CONV_NONE,
                       .group = CONV_NONE,
                       .kind = exchange_follows ? REPLAY_PAIR : REPLAY_OP,
                       .op = op.type};
    if (step->type == CONV_EXCHANGE) {
        out.kind = REPLAY_EXCHANGE;
    } else if (step->type == CONV_ISEND || step->type == CONV_IRECV) {
        out.kind = REPLAY_POST;
        out.group = join_group(m, step->slot);
        if (out.group != CONV_NONE) {
            add_request(m, step, &out);
        }
    }
    m->num_ops++;
    add_step(m, &out);
}

static void add_half(maker *m)
{
    const replay_step half = {.kind = REPLAY_HALF};
    add_step(m, &half);
}

static void make(maker *m)
{
    const guint n = m->from->steps->len;
    bool half = false;
    for (guint i = 0; i < n; i++) {
        const conv_step *step = step_at(m, i);
        if (!half && i >= n / 2 && step->type != CONV_EXCHANGE) { /* after its send, at once */
            half = true;
            add_half(m);
        }
        if (step->type == CONV_COLL) {
            add_collective(m, step);
        } else if (step->type == CONV_JOIN) {
            const guint first = i;
            while (i + 1 < n && step_at(m, i + 1)->type == CONV_JOIN) {
                i++;
            }
            add_wait(m, first, i + 1);
        } else if (step->type == CONV_CALC) {
            add_calc(m, step->size);
        } else {
            add_op(m, step, i + 1 < n && step_at(m, i + 1)->type == CONV_EXCHANGE);
        }
    }
    const replay_step end = {.kind = REPLAY_END};
    add_step(m, &end);
}

void sched_replay_record_init(replay_record *record, const conv_template *from,
                              const conv_context *context, replay_extent *extent)
{
    maker m = {.from = from, .context = context};
    m.unit = unit_of(&m);
    m.order = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    m.steps = g_array_new(FALSE, FALSE, sizeof(replay_step));
    sched_known_init(&m.known);
    m.colls = g_array_new(FALSE, FALSE, sizeof(replay_coll));
    m.requests = g_new0(request, (gsize)from->num_slots + 1);
    m.waits = g_new0(wait, (gsize)from->steps->len + 1);
    numbers_init(&m.places);
    numbers_init(&m.groups);
    numbers_init(&m.chains);
    find_waits(&m);
    find_spans(&m);
    make(&m);
    record->num_steps = m.steps->len;
    record->num_colls = m.colls->len;
    record->num_ops = m.num_ops;
    record->unit = m.unit;
    record->num_entries = m.order->len;
    const guint entries = m.order->len; /* no more than is needed: this is what is large */
    record->order = g_renew(uint32_t, (uint32_t *)(void *)g_array_free(m.order, FALSE), entries);
    record->steps = (replay_step *)(void *)g_array_free(m.steps, FALSE);
    record->colls = (replay_coll *)(void *)g_array_free(m.colls, FALSE);
    replay_extent_join(extent, &(replay_extent){.span = m.span,
                                                .places = m.places.used,
                                                .groups = m.groups.used,
                                                .chains = m.chains.used,
                                                .receives = m.most_receives});
    g_array_unref(m.places.vacant);
    g_array_unref(m.groups.vacant);
    g_array_unref(m.chains.vacant);
    sched_known_clear(&m.known);
    g_free(m.requests);
    g_free(m.waits);
}

void sched_replay_record_clear(replay_record *record)
{
    g_free(record->order);
    g_free(record->steps);
    g_free(record->colls);
}

uint64_t sched_replay_rank_ops(const replay *p, uint32_t rank)
{
    const replay_self self = replay_self_of(p, rank);
    const replay_record *record = &p->record[self.record];
    uint64_t n = record->num_ops;
    for (uint32_t c = 0; c < record->num_colls; c++) {
        const replay_coll *coll = &record->colls[c];
        n += coll->times * coll_course_num_steps(&coll->course, replay_coll_rank(p, coll, self));
    }
    return n * p->repeat;
}

static void drop(replay *own)
{
    if (g_atomic_int_dec_and_test(&own->refs)) {
        for (uint32_t h = 0; h < own->num_records; h++) {
            sched_replay_record_clear(&own->record[h]);
        }
        sched_convert_lonely_unref(own->lonely);
        sched_convert_resample_unref(own->resample);
        g_free(own->record);
        g_free(own);
    }
}

void sched_replay_free(sim_program *program)
{
    replay *p = (replay *)program;
    if (p->base == p) {
        drop(p);
        return;
    }
    for (uint32_t h = 0; h < p->num_records; h++) {
        g_free(p->record[h].colls);
    }
    drop(p->base);
    sched_convert_resample_unref(p->resample);
    g_free(p->record);
    g_free(p);
}
