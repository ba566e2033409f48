/* sim/run_network.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "run_private.h"

#include <glib.h>

uint32_t sim_engine_new_message(engine *e)
{
    e->total_messages++;
    const uint32_t message = e->free_message;
    if (message != 0) {
        e->free_message = e->message[message].next_free;
        return message;
    }
    if (e->num_messages == e->cap_messages) {
        e->cap_messages *= 2;
        e->message = g_renew(engine_message, e->message, e->cap_messages);
    }
    return e->num_messages++;
}

void sim_engine_drop_message(engine *e, uint32_t message)
{
    engine_message *m = &e->message[message];
    if (--m->uses == 0) {
        m->next_free = e->free_message;
        e->free_message = message;
    }
}

static void schedule(engine *e, uint32_t rank, uint32_t item, sim_time when, pending_kind kind,
                     uint64_t tie)
{
    pending_item *i = &e->pending.item[item];
    i->key = when;
    i->ready = (sim_time)kind; /* heaps compare key, ready, tie */
    i->tie = tie;
    i->kind = (uint8_t)kind;
    sim_pending_push(&e->pending, &engine_rank_of(e, rank)->network, item);
}

static void schedule_message(engine *e, uint32_t rank, uint32_t message, sim_time when,
                             pending_kind kind, uint64_t tie)
{
    const uint32_t item = sim_pending_new(&e->pending);
    e->pending.item[item].message = message;
    schedule(e, rank, item, when, kind, tie);
    sim_engine_due(e, rank, when);
}

static uint64_t arrival_tie(const engine_message *m)
{
    return (uint64_t)m->source << 32 | m->order;
}

static bool is_handshake(const engine *e, const engine_message *m)
{
    return m->rendezvous && !e->instant;
}

/* async: the message waits for CPU @p cpu of its receiver to accept it. */
static void add_acceptance(engine *e, uint32_t message, uint8_t cpu)
{
    const uint32_t item = sim_pending_new(&e->pending);
    const engine_message *m = &e->message[message];
    pending_item *i = &e->pending.item[item];
    i->key = i->ready = m->arrival;
    i->tie = arrival_tie(m);
    i->message = message;
    i->kind = PENDING_RECEIVE;
    i->cpu = cpu;
    i->nic = m->nic;
    sim_pending_add(&e->pending, &engine_rank_of(e, m->dest)->classes, item);
}

/* polling: a posted receive has its message, which arrives at engine_message.arrival. */
static void add_receive(engine *e, uint32_t message, uint32_t item)
{
    const engine_message *m = &e->message[message];
    const sim_time delay = engine_cost_of(e, m->size).delay;
    pending_item *i = &e->pending.item[item];
    const sim_time posted = i->key;
    i->key = engine_max(posted, m->arrival + delay);
    i->ready = engine_max(posted, m->arrival);
    i->delay = delay;
    i->message = message;
    i->kind = PENDING_RECEIVE;
    i->nic = m->nic; /* the message travels on the interface of the sender's index */
    sim_pending_add(&e->pending, &engine_rank_of(e, m->dest)->classes, item);
}

/* A message that has been accepted meets its receive, which is posted now. */
static void finish_late_receive(engine *e, uint32_t message, uint32_t item)
{
    const engine_message m = e->message[message];
    const pending_item *i = &e->pending.item[item];
    const uint32_t index = sim_pending_op(i);
    const sim_time at = engine_max(i->key, m.accepted);
    uint32_t posted_mark = PATH_START;
    if (e->path != NULL) {
        sim_path_adopt(e->path, m.accept_to, m.accept_from, index);
        posted_mark = sim_engine_ready_mark(e, m.dest, i->cause, i->key);
        sim_path_op(e->path, m.dest, index)->finish =
            m.accepted >= i->key ? m.accept_to : posted_mark;
    }
    sim_pending_drop(&e->pending, item);
    const size_t n = sim_engine_finish_op(e, m.dest, index, at, e->posted);
    sim_engine_take_up(e, m.dest, e->posted, n, false);
    if (m.rendezvous && e->instant) {
        sim_engine_release(e, message, posted_mark);
    }
    sim_engine_drop_message(e, message);
}

/*
 * Message (or request) and receive are matched, and both are there: now is the later of the
 * arrival and the posting (an eager message without a rendezvous may still be on its way).
 */
static void meet(engine *e, uint32_t message, uint32_t item)
{
    engine_message *m = &e->message[message];
    const pending_item *i = &e->pending.item[item];
    if (m->size > i->size) {
        e->state = ENGINE_TRUNCATED;
        e->bad_message = message;
        e->bad_receive = item;
        return;
    }
    m->receive = item;
    uint32_t mark = PATH_START;
    if (e->path != NULL && m->rendezvous) {
        mark = i->key > m->arrival ? sim_engine_ready_mark(e, m->dest, i->cause, i->key)
                                   : sim_path_mark(e->path, m->mark, m->arrival, PATH_LATENCY,
                                                   (path_who){m->source, m->send, SIM_OP_SEND});
    }
    if (is_handshake(e, m)) {
        m->meeting = mark;
        schedule_message(e, m->source, message, e->now + e->params.L, PENDING_CLEAR, m->send);
    } else if (!e->async) {
        add_receive(e, message, item);
        if (m->rendezvous) {
            sim_engine_release(e, message, mark);
        }
    } else if (m->accepted >= 0) {
        finish_late_receive(e, message, item);
    }
}

void sim_engine_release(engine *e, uint32_t message, uint32_t mark)
{
    engine_message *m = &e->message[message];
    m->meeting = mark;
    schedule_message(e, m->source, message, e->now, PENDING_RELEASE, m->send);
}

static matching_envelope envelope_of(const engine_message *m)
{
    return (matching_envelope){
        .rank = m->dest, .source = m->source, .tag = m->tag, .comm = m->comm};
}

void sim_engine_send(engine *e, uint32_t message)
{
    engine_message *m = &e->message[message];
    const uint32_t dest = m->dest;
    m->receive = PENDING_NONE;
    m->accepted = -1;
    m->arrived = false;
    m->uses = m->rendezvous ? 2 : 1;
    if (e->match_early) {
        const matching_envelope envelope = envelope_of(m);
        m->receive = sim_matching_offer_message(e->matching, &envelope, message);
        if (e->async && !is_handshake(e, m)) {
            add_acceptance(e, message, m->cpu);
        }
        if (m->receive != PENDING_NONE && !m->rendezvous) {
            meet(e, message, m->receive);
        }
    }
    if (!e->match_early || m->rendezvous) {
        schedule_message(e, dest, message, m->arrival, PENDING_ARRIVAL, arrival_tie(m));
    } else {
        sim_engine_due(e, dest, e->message[message].arrival);
    }
}

static void arrive(engine *e, uint32_t message)
{
    engine_message *m = &e->message[message];
    m->arrived = true;
    if (!e->match_early) {
        const matching_envelope envelope = envelope_of(m);
        m->receive = sim_matching_offer_message(e->matching, &envelope, message);
        if (e->async && !is_handshake(e, m)) {
            add_acceptance(e, message,
                           m->receive != PENDING_NONE ? e->pending.item[m->receive].cpu : m->cpu);
        }
    }
    if (m->receive != PENDING_NONE) {
        meet(e, message, m->receive);
    }
}

void sim_engine_post(engine *e, uint32_t rank, uint32_t item)
{
    const pending_item *i = &e->pending.item[item];
    const uint32_t index = sim_pending_op(i);
    const matching_envelope envelope = {
        .rank = rank, .source = i->peer, .tag = i->tag, .comm = i->comm};
    if (e->path != NULL) {
        sim_path_op(e->path, rank, index)->start = sim_engine_ready_mark(e, rank, i->cause, i->key);
    }
    const size_t n = e->program->class->started(e->cursor, rank, index, e->now, e->posted);
    sim_engine_take_up(e, rank, e->posted, n, false);
    const uint32_t message = sim_matching_offer_receive(e->matching, &envelope, item);
    if (message == MATCHING_NONE) {
        return;
    }
    engine_message *m = &e->message[message];
    if (m->rendezvous && !m->arrived) {
        m->receive = item; /* they meet when it arrives */
    } else {
        meet(e, message, item);
    }
}

/* The clear-to-send is back: the data leave as soon as the interface is free. */
static void clear_to_send(engine *e, uint32_t message)
{
    engine_message *m = &e->message[message];
    const engine_cost cost = engine_cost_of(e, m->size);
    engine_clock *tx = engine_tx(e, m->source, m->nic);
    const uint32_t source = m->source;
    const sim_time leaves = engine_max(e->now, tx->at);
    if (leaves > SIM_TIME_MAX - cost.G) {
        sim_engine_overflow(e, source);
        return;
    }
    const sim_time finish = engine_max(m->cpu_end, leaves + cost.G);
    if (e->path != NULL) {
        const path_who who = {source, m->send, SIM_OP_SEND};
        m->mark = tx->at > e->now ? sim_path_mark(e->path, tx->mark, tx->at, PATH_GAP, who)
                                  : sim_path_mark(e->path, m->meeting, e->now, PATH_LATENCY, who);
        if (finish > m->cpu_end) {
            sim_path_op(e->path, source, m->send)->finish =
                sim_path_mark(e->path, m->mark, finish, PATH_GAP, who);
        }
    }
    *tx = (engine_clock){.at = leaves + e->params.g + cost.G, .op = m->send, .mark = m->mark};
    const sim_time arrival = leaves + e->params.L;
    m->arrival = arrival;
    const uint32_t dest = m->dest;
    const uint32_t item = m->receive;
    const size_t n = sim_engine_finish_op(e, source, m->send, finish, e->ready);
    sim_engine_take_up(e, source, e->ready, n, false);
    if (e->async) {
        add_acceptance(e, message, e->pending.item[item].cpu);
    } else {
        add_receive(e, message, item);
    }
    sim_engine_drop_message(e, message);
    sim_engine_due(e, dest, arrival);
}

/* instant: the send is over. (Moving clocks up to an instant that has come changes nothing.) */
static void release(engine *e, uint32_t message)
{
    const engine_message *m = &e->message[message];
    const uint32_t source = m->source;
    const sim_time finish = engine_max(m->cpu_end, e->now);
    if (e->path != NULL && e->now > m->cpu_end) {
        sim_path_op(e->path, source, m->send)->finish = m->meeting;
    }
    const size_t n = sim_engine_finish_op(e, source, m->send, finish, e->ready);
    sim_engine_take_up(e, source, e->ready, n, false);
    sim_engine_drop_message(e, message);
}

void sim_engine_network_step(engine *e, uint32_t rank)
{
    const uint32_t item = sim_pending_pop(&e->pending, &engine_rank_of(e, rank)->network);
    const pending_kind kind = (pending_kind)e->pending.item[item].kind;
    const uint32_t message = e->pending.item[item].message;
    if (kind == PENDING_POST) {
        sim_engine_post(e, rank, item);
        return;
    }
    sim_pending_drop(&e->pending, item);
    if (kind == PENDING_ARRIVAL) {
        arrive(e, message);
    } else if (kind == PENDING_CLEAR) {
        clear_to_send(e, message);
    } else {
        release(e, message);
    }
}
