/* sim/sequential/sequential_loop.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sequential, test_sequential_random, test_creation_vectors. */
/*
 * What each event does. Cost: some 1.5 events of the queue each, a look at the rank's clocks (one
 * line of the cache with one CPU and one interface), one call or two of the program, and one
 * look-up for a message or receive. bench_engine measures it.
 */
#include "sequential/sequential_private.h"

#include <assert.h>

enum {
    MOST_SORTED = 16, /* by insertion, so in a stable way: LogGOPSim's C++ library */
    LOOK_EVERY = 1 << 16,
};

static inline sim_time later(sim_time a, sim_time b)
{
    return a > b ? a : b;
}

static inline sim_time *tx_of(const sequential *s, uint32_t rank)
{
    return sequential_cpus(s, rank) + s->num_cpus;
}

static inline sim_time *rx_of(const sequential *s, uint32_t rank)
{
    return tx_of(s, rank) + s->num_nics;
}

static inline void depart(sequential *s, sim_departure_kind kind, uint32_t rank, uint32_t op)
{
    if (s->departure[kind].count++ == 0) {
        s->departure[kind].rank = rank;
        s->departure[kind].op = op;
    }
}

/* Until when is what it needs busy? */
static inline sim_time busy_until(const sequential *s, const sequential_event *e)
{
    const sim_time cpu = sequential_cpus(s, e->rank)[sequential_cpu(e)];
    switch (sequential_sort(e)) {
    case SEQUENTIAL_SEND:
        return later(cpu, tx_of(s, e->rank)[sequential_nic(e)]);
    case SEQUENTIAL_MESSAGE:
        return later(cpu, rx_of(s, e->rank)[sequential_nic(e)]);
    default:
        return cpu;
    }
}

static inline uint64_t new_key(sequential *s, event_sort sort, unsigned cpu, unsigned nic)
{
    return s->created++ << SEQUENTIAL_ORDER_SHIFT | (unsigned)sort << SEQUENTIAL_SORT_SHIFT |
           nic << SEQUENTIAL_NIC_SHIFT | cpu;
}

/* ---- what becomes ready ---- */

static inline void create(sequential *s, uint32_t rank, const sim_ready *ready)
{
    static const uint8_t SORTS[] = {[SIM_OP_CALC] = SEQUENTIAL_CALC,
                                    [SIM_OP_SEND] = SEQUENTIAL_SEND,
                                    [SIM_OP_RECV] = SEQUENTIAL_POST};
    const sim_op *op = &ready->op;
    sequential_event e = {.rank = rank, .op = ready->index};
    e.key = new_key(s, (event_sort)SORTS[op->type], op->cpu, op->nic);
    e.key |= ready->quiet ? SEQUENTIAL_QUIET : 0;
    if (op->type == SIM_OP_CALC) {
        e.as.work = op->size;
    } else {
        e.as.message.peer = op->peer;
        e.as.message.form = sim_message_forms_number(&s->forms, op);
    }
    const sim_time from = busy_until(s, &e);
    if (__builtin_expect(from < ready->time, 0)) {
        depart(s, SIM_DEPARTURE_BACKWARDS, rank, ready->index);
    }
    e.at.time = later(from, ready->time);
    sim_instant_queue_put(&s->queue, &e);
}

/* All that one event has made ready on a rank: sends, then receives, then calcs. */
static void create_all(sequential *s, uint32_t rank, const sim_ready *ready, size_t n)
{
    static const uint8_t KINDS[] = {SIM_OP_SEND, SIM_OP_RECV, SIM_OP_CALC};
    s->num_ops += n;
    if (n == 1) {
        create(s, rank, ready);
        return;
    }
    if (__builtin_expect(n > MOST_SORTED, 0)) {
        depart(s, SIM_DEPARTURE_SORT, rank, ready[0].index);
    }
    for (size_t k = 0; k < G_N_ELEMENTS(KINDS) && n > 0; k++) {
        for (size_t i = 0; i < n; i++) {
            if (ready[i].op.type == KINDS[k]) {
                create(s, rank, &ready[i]);
            }
        }
    }
}

static inline size_t start(sequential *s, const sequential_event *e, sim_ready *out)
{
    return (e->key & SEQUENTIAL_QUIET) != 0
               ? 0
               : s->program->methods->started(s->cursor, e->rank, e->op, e->at.time, out);
}

static inline size_t finish(sequential *s, uint32_t rank, uint32_t op, sim_time at, sim_ready *out)
{
    if (__builtin_expect(at > SIM_TIME_MAX, 0)) {
        s->overflow = s->overflow == SIM_ANY ? rank : s->overflow;
        return 0;
    }
    return s->program->methods->finished(s->cursor, rank, op, at, out);
}

/* ---- calc, send ---- */

static void do_calc(sequential *s, const sequential_event *e)
{
    const sim_time end = e->at.time + e->as.work;
    sequential_cpus(s, e->rank)[sequential_cpu(e)] = end;
    size_t n = start(s, e, s->ready);
    n += finish(s, e->rank, e->op, end, s->ready + n);
    create_all(s, e->rank, s->ready, n);
}

static void do_send(sequential *s, const sequential_event *e)
{
    const message_form *form = &s->forms.form[e->as.message.form];
    const unsigned cpu = sequential_cpu(e);
    const unsigned nic = sequential_nic(e);
    const sim_params *p = s->params;
    const sim_time end = e->at.time + p->o + form->O;
    const bool eager = form->size <= p->S;
    sequential_cpus(s, e->rank)[cpu] = end;
    tx_of(s, e->rank)[nic] = e->at.time + p->g + form->G;
    if (__builtin_expect(form->size == 0 && (p->G != 0 || p->O != 0), 0)) {
        depart(s, SIM_DEPARTURE_EMPTY, e->rank, e->op);
    }
    const sequential_event message = {
        .at.time = e->at.time + p->o + p->L,
        .key = new_key(s, SEQUENTIAL_MESSAGE, cpu, nic),
        .rank = e->as.message.peer,
        .op = e->op,
        .as.message = {.peer = e->rank, .form = e->as.message.form},
    };
    sim_instant_queue_put(&s->queue, &message);
    s->num_messages++;
    size_t n = start(s, e, s->ready);
    if (eager) {
        n += finish(s, e->rank, e->op, end, s->ready + n);
    }
    create_all(s, e->rank, s->ready, n);
}

/* ---- messages and receives ---- */

static uint32_t new_single(sequential *s, const sequential_event *e, sim_time end)
{
    uint32_t ref = s->free_single;
    if (ref != 0) {
        s->free_single = s->single[ref].op;
    } else {
        if (s->num_singles == s->cap_singles) {
            s->cap_singles *= 2;
            s->single = g_renew(sequential_single, s->single, s->cap_singles);
        }
        ref = s->num_singles++;
    }
    s->single[ref] = (sequential_single){.end = end,
                                         .op = e->op,
                                         .peer = e->as.message.peer,
                                         .form = e->as.message.form,
                                         .cpu = (uint8_t)sequential_cpu(e),
                                         .nic = (uint8_t)sequential_nic(e)};
    return ref;
}

static sequential_single take_single(sequential *s, uint32_t ref)
{
    const sequential_single taken = s->single[ref];
    s->single[ref].op = s->free_single;
    s->free_single = ref;
    return taken;
}

/* A message and its receive have met, at an instant and on a rank. */
typedef struct meeting {
    sim_time at;
    uint32_t rank;
    uint32_t source;
    uint32_t send, receive; /* operations */
    const message_form *message;
    const message_form *room;
    uint8_t cpu, nic; /* of the send */
    bool same_place;  /* as of the receive */
    bool late;        /* the message was there first */
} meeting;

static void check_meeting(sequential *s, const meeting *m)
{
    const bool rendezvous = m->message->size > s->params->S;
    if (!m->same_place) {
        depart(s, rendezvous && m->late ? SIM_DEPARTURE_RELEASE : SIM_DEPARTURE_PLACE, m->rank,
               m->receive);
    }
    if (m->room->size < m->message->size ||
        (m->late && rendezvous != (m->room->size > s->params->S))) {
        depart(s, SIM_DEPARTURE_SIZE, m->rank, m->receive);
    }
}

/* instant: the send that message and receive were waiting for ends, too. @return what that makes
 * ready */
static size_t release(sequential *s, const meeting *m, sim_ready *out)
{
    sim_time *cpu = &sequential_cpus(s, m->source)[m->cpu];
    sim_time *tx = &tx_of(s, m->source)[m->nic];
    *cpu = later(*cpu, m->at);
    *tx = later(*tx, m->at);
    return finish(s, m->source, m->send, m->at, out);
}

/* The receive ends, and made @p n ready before; so does the send of a rendezvous, just before it.
 */
static void meet(sequential *s, const meeting *m, size_t n, sim_time end)
{
    if (__builtin_expect(!m->same_place || m->room->size != m->message->size, 0)) {
        check_meeting(s, m);
    }
    const bool rendezvous = m->message->size > s->params->S;
    const bool apart = m->source != m->rank;
    size_t others = 0;
    if (rendezvous && apart) {
        others = release(s, m, s->other);
    } else if (rendezvous) {
        n += release(s, m, s->ready + n);
    }
    n += finish(s, m->rank, m->receive, end, s->ready + n);
    if (m->source < m->rank) {
        create_all(s, m->source, s->other, others);
    }
    create_all(s, m->rank, s->ready, n);
    if (m->source > m->rank) {
        create_all(s, m->source, s->other, others);
    }
}

/* The CPU takes in a message, whether somebody waits for it or not. */
static void do_message(sequential *s, const sequential_event *e)
{
    const message_form *form = &s->forms.form[e->as.message.form];
    const unsigned cpu = sequential_cpu(e);
    const unsigned nic = sequential_nic(e);
    const sim_params *p = s->params;
    const sim_time end = e->at.time + p->o + later(form->O, form->G);
    sequential_cpus(s, e->rank)[cpu] = end;
    rx_of(s, e->rank)[nic] = e->at.time + p->g + form->G;
    const matching_envelope envelope = sequential_envelope(s, e);
    const uint32_t ref = sim_matching_take_receive(s->matching, &envelope);
    if (ref == MATCHING_NONE) {
        sim_matching_wait(s->matching, &envelope, new_single(s, e, end), true);
        return;
    }
    const sequential_single receive = take_single(s, ref);
    const meeting m = {.at = e->at.time,
                       .rank = e->rank,
                       .source = e->as.message.peer,
                       .send = e->op,
                       .receive = receive.op,
                       .message = form,
                       .room = &s->forms.form[receive.form],
                       .cpu = (uint8_t)cpu,
                       .nic = (uint8_t)nic,
                       .same_place = receive.cpu == cpu && receive.nic == nic};
    meet(s, &m, 0, end);
}

static void do_post(sequential *s, const sequential_event *e)
{
    const matching_envelope envelope = sequential_envelope(s, e);
    const size_t n = start(s, e, s->ready);
    const uint32_t ref = sim_matching_take_message(s->matching, &envelope);
    if (ref == MATCHING_NONE) {
        sim_matching_wait(s->matching, &envelope, new_single(s, e, 0), false);
        create_all(s, e->rank, s->ready, n);
        return;
    }
    const sequential_single message = take_single(s, ref);
    const meeting m = {.at = e->at.time,
                       .rank = e->rank,
                       .source = message.peer,
                       .send = message.op,
                       .receive = e->op,
                       .message = &s->forms.form[message.form],
                       .room = &s->forms.form[e->as.message.form],
                       .cpu = message.cpu,
                       .nic = message.nic,
                       .same_place =
                           message.cpu == sequential_cpu(e) && message.nic == sequential_nic(e),
                       .late = true};
    meet(s, &m, n, later(e->at.time, message.end));
}

/* ---- the loop ---- */

static void put_wake(sequential *s, const sequential_event *first, sim_time at)
{
    sequential_event wake = *first;
    wake.at.time = at;
    wake.key |= SEQUENTIAL_WAKE;
    sim_instant_queue_put(&s->queue, &wake);
}

static inline void do_work(sequential *s, const sequential_event *e)
{
    switch (sequential_sort(e)) {
    case SEQUENTIAL_CALC:
        do_calc(s, e);
        break;
    case SEQUENTIAL_SEND:
        do_send(s, e);
        break;
    default:
        do_message(s, e);
        break;
    }
}

/* The first of a line may be able to go on. */
static void do_wake(sequential *s, const sequential_event *e)
{
    uint32_t *line = sim_sequential_line(s, e);
    if (*line == 0 || (s->waiting[*line].key ^ e->key) >> SEQUENTIAL_ORDER_SHIFT != 0) {
        return; /* of one that is no longer the first: it has been, or will be, announced again */
    }
    const sim_time free_at = busy_until(s, e);
    if (free_at > e->at.time) {
        put_wake(s, e, free_at);
        return;
    }
    sequential_event first = sim_sequential_next(s, line);
    first.at.time = e->at.time;
    do_work(s, &first);
    if (*line != 0) {
        put_wake(s, &s->waiting[*line], later(busy_until(s, e), e->at.time));
    }
}

static inline void do_event(sequential *s, const sequential_event *e)
{
    if ((e->key & SEQUENTIAL_WAKE) != 0) {
        do_wake(s, e);
        return;
    }
    if (sequential_sort(e) == SEQUENTIAL_POST) {
        do_post(s, e);
        return;
    }
    const sim_time free_at = busy_until(s, e);
    if (free_at <= e->at.time) {
        do_work(s, e);
    } else if (sim_sequential_wait(s, sim_sequential_line(s, e), e)) {
        put_wake(s, e, free_at);
    }
}

static void begin(sequential *s)
{
    for (uint32_t rank = 0; rank < s->program->num_ranks; rank++) {
        create_all(s, rank, s->ready, s->program->methods->first(s->cursor, rank, s->ready));
    }
}

void sim_sequential_loop(sequential *s, sim_watch *watch)
{
    sequential_event e;
    uint64_t unwatched = 0;
    begin(s);
    while (s->overflow == SIM_ANY && sim_instant_queue_take(&s->queue, &e)) {
        if (__builtin_expect(e.at.time > SIM_TIME_MAX, 0)) {
            s->overflow = e.rank;
            return;
        }
        sim_sequential_fetch_ahead(s);
        do_event(s, &e);
        if (__builtin_expect(++unwatched == LOOK_EVERY && watch != NULL, 0)) {
            unwatched = 0;
            if (!watch->look(watch, s->num_ops, e.at.time)) {
                s->stopped = true;
                return;
            }
        }
    }
}
