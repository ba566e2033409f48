/* sim/engine/run_cpu.inl — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the CPU of a rank does; included by run_turn.inl alone, which is compiled five times.
 */
#pragma once

#include "engine/run_steps_private.h"

/* What decided that something starts now, and not earlier: for sinks and records. */
typedef struct cpu_bound {
    uint32_t rank;
    uint32_t op; /* SIM_ANY: nothing, or an accepted message */
    record_bound kind;
    record_ref by;
} cpu_bound;

static clock_cause *cause_of(const engine_turn *t, uint32_t clock)
{
    return &event_list_clock_causes(&t->p->event_list, t->r)[clock];
}

static cpu_bound bound_by_clock(uint32_t rank, record_bound kind, clock_cause cause)
{
    const uint32_t op = cause.source == SIM_ANY ? cause.op : SIM_ANY;
    return (cpu_bound){.rank = rank, .op = op, .kind = kind, .by = cause};
}

static cpu_bound bound_by_cause(const engine_turn *t, const event_cause *cause)
{
    return (cpu_bound){.rank = t->rank,
                       .op = cause->cause,
                       .kind = cause->at_start ? RECORD_BY_START : RECORD_BY_FINISH,
                       .by = {.op = cause->cause, .source = SIM_ANY}};
}

/* Something on the rank itself; causes are not kept, so nobody knows what. */
static cpu_bound bound_by_itself(uint32_t rank)
{
    return (cpu_bound){.rank = rank, .op = SIM_ANY};
}

/* A calc or a send: it became ready now, or the CPU or the interface has become free now. */
static cpu_bound local_bound(const engine_turn *t, const event_entry *entry)
{
    const sim_time now = t->p->now;
    if (!engine_keeps_causes(t->p->e)) {
        return bound_by_itself(t->rank);
    }
    if (entry->item.time == now) {
        return bound_by_cause(t, &entry->cause);
    }
    if (t->r->clock[entry->item.cpu] == now) {
        return bound_by_clock(t->rank, RECORD_BY_CPU, *cause_of(t, entry->item.cpu));
    }
    const uint32_t tx = t->p->e->layout.tx_at + entry->item.nic;
    return bound_by_clock(t->rank, RECORD_BY_TX, *cause_of(t, tx));
}

/*
 * When the interface of a receiver begins with a message: x of the model, and why.
 */
typedef struct intake {
    sim_time at;
    uint32_t rx; /* clock */
    uint32_t source;
    uint32_t send;      /* operation of the source */
    bool waited;        /* the interface was busy with an earlier message */
    clock_cause before; /* that message, if causes are kept */
} intake;

static inline intake take_in(const engine_turn *t, const event_entry *entry, sim_time arrival,
                             uint32_t send)
{
    const engine *e = t->p->e;
    intake in = {.rx = e->layout.rx_at + entry->item.nic, .source = entry->item.peer, .send = send};
    const sim_time rx = t->r->clock[in.rx];
    in.at = engine_max(arrival, rx);
    in.waited = rx > arrival;
    if (__builtin_expect(engine_keeps_causes(e), 0)) {
        in.before = *cause_of(t, in.rx);
    }
    return in;
}

/* A receive or an acceptance that could begin as far as the network goes at in.at + delay. */
static cpu_bound receive_bound(const engine_turn *t, const event_entry *entry, const intake *in,
                               sim_time delay)
{
    const bool by_network = in->at + delay == t->p->now;
    if (by_network && !in->waited) {
        return (cpu_bound){.rank = in->source, .op = in->send, .kind = RECORD_BY_NETWORK};
    }
    if (!engine_keeps_causes(t->p->e)) {
        return bound_by_itself(t->rank);
    }
    if (by_network) {
        return bound_by_clock(t->rank, RECORD_BY_NETWORK, in->before);
    }
    if (t->r->clock[entry->item.cpu] == t->p->now) {
        return bound_by_clock(t->rank, RECORD_BY_CPU, *cause_of(t, entry->item.cpu));
    }
    cpu_bound b = bound_by_cause(t, &entry->cause);
    b.kind = RECORD_BY_POSTING;
    return b;
}

/* What the CPU does now. */
typedef struct cpu_work {
    sim_op_type type;
    uint32_t op; /* SIM_ANY: it accepts a message without receive */
    uint8_t cpu;
    sim_time end;
    sim_time work;
} cpu_work;

static void tell_sink(const engine_turn *t, const cpu_work *w, const cpu_bound *b)
{
    engine_partition *p = t->p;
    sim_sink *sink = p->sink;
    if (!engine_told(p->e)) {
        return;
    }
    p->event[p->num_events++] = (sim_event){.start = p->now,
                                            .end = w->end,
                                            .work = w->work,
                                            .rank = t->rank,
                                            .op = w->op,
                                            .cause_rank = b->rank,
                                            .cause_op = b->op,
                                            .type = (uint8_t)w->type,
                                            .cpu = w->cpu};
    if (p->num_events == ENGINE_EVENTS) {
        sink->events(sink, p->event, p->num_events);
        p->num_events = 0;
    }
}

/* A clock moves on to @p at. */
static inline void set_clock(const engine_turn *t, uint32_t clock, sim_time at, clock_cause by)
{
    t->r->clock[clock] = at;
    if (__builtin_expect(engine_keeps_causes(t->p->e), 0)) {
        *cause_of(t, clock) = by;
    }
}

static inline clock_cause by_op(uint32_t op)
{
    return (clock_cause){.op = op, .source = SIM_ANY};
}

/* A calc or an eager send starts now and has finished at @p finish; both make others ready. */
static void start_and_finish(const engine_turn *t, const event_item *i, sim_time finish)
{
    engine_partition *p = t->p;
    size_t n = engine_start_op(t, i, p->now, p->ready);
    n += engine_finish_op(t, i->index, finish, p->ready + n);
    engine_take_up(t, p->ready, n, true);
}

/* A calc has been taken up: for sinks and records. */
static void note_calc(const engine_turn *t, const event_entry *entry, sim_time finish)
{
    const event_item *i = &entry->item;
    const cpu_bound b = local_bound(t, entry);
    tell_sink(t, &(cpu_work){SIM_OP_CALC, i->index, i->cpu, finish, i->size}, &b);
    if (engine_recorded(t->p->e)) {
        record_add(&t->p->log, &(record_step){.kind = RECORD_CALC,
                                              .bound = (uint8_t)b.kind,
                                              .rank = t->rank,
                                              .op = i->index,
                                              .by = b.by,
                                              .size = i->size,
                                              .noise = {finish - i->size - t->p->now}});
    }
}

static inline __attribute__((always_inline)) void calc(const engine_turn *t,
                                                       const event_entry *entry)
{
    const engine *e = t->p->e;
    const event_item *i = &entry->item;
    const sim_time finish = engine_work(e, t->rank, t->p->now, i->size);
    if (__builtin_expect(engine_noted(e), 0)) {
        note_calc(t, entry, finish);
    }
    set_clock(t, i->cpu, finish, by_op(i->index));
    start_and_finish(t, i, finish);
}

/* The CPU part of an overhead: o, then b·O; both under noise. */
typedef struct overhead {
    sim_time handed; /* W(now, o) */
    sim_time end;    /* W(now, o + b·O) */
} overhead;

static inline overhead work_overhead(const engine_turn *t, sim_time o, sim_time bytes)
{
    const engine *e = t->p->e;
    overhead w;
    w.handed = engine_work(e, t->rank, t->p->now, o);
    w.end = bytes == 0 ? w.handed : engine_work(e, t->rank, t->p->now, o + bytes);
    return w;
}

/*
 * The CPU's part in message @p i, from or to rank @p other, has been taken up. @p step says what it
 * is, but for its level and its noise.
 */
static void record_overhead(const engine_turn *t, record_step *step, const event_item *i,
                            uint32_t other, const overhead *w, sim_time bytes)
{
    step->rank = t->rank;
    step->level = (uint8_t)event_list_level(&t->p->event_list, i);
    step->distance = engine_distance(t, i, other);
    step->noise[0] = w->handed - engine_level(t, i)->o - t->p->now;
    step->noise[1] = w->end - bytes - w->handed;
    record_add(&t->p->log, step);
}

/* The message of a send, handed to the network. */
static engine_message *new_message(const engine_turn *t, const event_item *i, const overhead *w)
{
    engine_message *m = engine_new_message(t->p, i->peer);
    m->item.time = w->handed + engine_latency(t, i, i->peer);
    m->item.size = i->size;
    m->item.tag = i->tag;
    m->item.comm = i->comm;
    m->item.peer = t->rank;
    m->item.order = t->r->num_sent++;
    m->item.index = i->index;
    m->item.kind = EVENT_ARRIVAL;
    m->item.cpu = i->cpu;
    m->item.nic = i->nic;
    m->item.flags = i->size > engine_level(t, i)->S ? EVENT_RENDEZVOUS : 0;
    m->dest = i->peer;
    return m;
}

/* A rendezvous message has been sent: its send waits for the end. */
static void hold_send(const engine_turn *t, const event_item *i, const engine_message *m,
                      const overhead *w)
{
    engine_partition *p = t->p;
    static const event_cause cause = {0};
    event_item *held = event_list_new(&p->event_list, t->r, t->rank);
    *held = (event_item){.time = w->end,
                         .size = i->size,
                         .arrival = m->item.time,
                         .peer = i->peer,
                         .order = m->item.order,
                         .index = i->index,
                         .kind = EVENT_HELD,
                         .cpu = i->cpu,
                         .nic = i->nic};
    event_list_add(&p->event_list, t->r, t->rank, held, &cause);
    t->r->holds = p->e->instant;
    p->rendezvous[event_list_level(&p->event_list, i)] = true;
    engine_emit(p, m);
    const size_t n = engine_start_op(t, i, p->now, p->ready);
    engine_take_up(t, p->ready, n, true);
}

static void note_send(const engine_turn *t, const event_entry *entry, const overhead *w,
                      sim_time bytes)
{
    const engine *e = t->p->e;
    const event_item *i = &entry->item;
    const cpu_bound b = local_bound(t, entry);
    const sim_time work = engine_level(t, i)->o + bytes;
    tell_sink(t, &(cpu_work){SIM_OP_SEND, i->index, i->cpu, w->end, work}, &b);
    if (engine_recorded(e)) {
        record_step step = {.kind = RECORD_SEND,
                            .bound = (uint8_t)b.kind,
                            .op = i->index,
                            .by = b.by,
                            .size = i->size};
        record_overhead(t, &step, i, i->peer, w, bytes);
    }
}

static inline __attribute__((always_inline)) void send(const engine_turn *t,
                                                       const event_entry *entry)
{
    engine_partition *p = t->p;
    const engine *e = p->e;
    const event_item *i = &entry->item;
    const sim_level *level = engine_level(t, i);
    const message_cost cost = *event_list_cost(&p->event_list, i);
    const overhead w = work_overhead(t, level->o, cost.O);
    if (w.end > SIM_TIME_MAX) {
        sim_engine_overflow(p, t->rank, w.end);
        return;
    }
    if (__builtin_expect(engine_noted(e), 0)) {
        note_send(t, entry, &w, cost.O);
    }
    set_clock(t, i->cpu, w.end, by_op(i->index));
    const engine_message *m = new_message(t, i, &w);
    const bool rendezvous = m->item.flags != 0;
    if (!rendezvous || e->instant) { /* handshake: the data leave later */
        set_clock(t, e->layout.tx_at + i->nic, (w.handed - level->o) + level->g + cost.G,
                  by_op(i->index));
    }
    p->num_messages++;
    if (rendezvous) {
        hold_send(t, i, m, &w);
        return;
    }
    engine_emit(p, m);
    start_and_finish(t, i, w.end);
}

/* A receive or an acceptance has been taken up: for sinks and records. */
static void note_receive(const engine_turn *t, const event_entry *entry, const intake *in,
                         const overhead *w, const message_cost *cost)
{
    const engine *e = t->p->e;
    const event_item *i = &entry->item;
    const bool matched = !engine_async(e) || (i->flags & EVENT_MATCHED) != 0;
    const uint32_t op = matched ? i->index : SIM_ANY;
    const cpu_bound b = receive_bound(t, entry, in, engine_async(e) ? 0 : cost->delay);
    const sim_time o = engine_level(t, i)->o;
    cpu_work work = {SIM_OP_RECV, op, i->cpu, w->end, o + cost->O};
    if (engine_async(e)) {
        work.end = engine_max(w->end, w->handed + cost->G);
        work.work = o + engine_max(cost->O, cost->G);
    }
    tell_sink(t, &work, &b);
    if (engine_recorded(e)) {
        record_step step = {.kind = matched ? RECORD_RECEIVE : RECORD_ACCEPT,
                            .bound = (uint8_t)b.kind,
                            .waited = in->waited,
                            .op = op,
                            .peer = in->source,
                            .send = in->send,
                            .by = b.by,
                            .rx = in->before,
                            .size = i->size};
        record_overhead(t, &step, i, in->source, w, cost->O);
    }
}

/* polling: a matched receive. */
static inline __attribute__((always_inline)) void receive(const engine_turn *t,
                                                          const event_entry *entry)
{
    engine_partition *p = t->p;
    const event_item *i = &entry->item;
    const sim_level *level = engine_level(t, i);
    const message_cost cost = *event_list_cost(&p->event_list, i);
    const intake in = take_in(t, entry, i->arrival, i->order);
    const overhead w = work_overhead(t, level->o, cost.O);
    if (__builtin_expect(engine_noted(p->e), 0)) {
        note_receive(t, entry, &in, &w, &cost);
    }
    set_clock(t, in.rx, in.at + level->g + cost.G, by_op(i->index));
    set_clock(t, i->cpu, w.end, by_op(i->index));
    const size_t n = engine_finish_op(t, i->index, w.end, p->ready);
    engine_take_up(t, p->ready, n, true);
}

/* async: a message without receive has been accepted. */
static void keep_accepted(const engine_turn *t, uint32_t ref, sim_time end)
{
    event_list *a = &t->p->event_list;
    event_item *i = sim_event_list_item(a, t->r, ref);
    i->kind = EVENT_UNEXPECTED;
    i->flags |= EVENT_ACCEPTED;
    i->time = end;
    event_list_become(a, t->r, t->rank, ref, EVENT_UNEXPECTED);
}

/* async: the CPU accepts a message, whether or not its receive is posted. */
static void accept_message(const engine_turn *t, const event_entry *entry, uint32_t ref)
{
    engine_partition *p = t->p;
    const engine *e = p->e;
    const event_item *i = &entry->item;
    const bool matched = (i->flags & EVENT_MATCHED) != 0;
    const uint32_t send = matched ? i->send : i->index;
    const sim_level *level = engine_level(t, i);
    const message_cost cost = *event_list_cost(&p->event_list, i);
    const intake in = take_in(t, entry, i->time, send);
    const overhead w = work_overhead(t, level->o, cost.O);
    const sim_time end = engine_max(w.end, w.handed + cost.G);
    if (__builtin_expect(engine_noted(e), 0)) {
        note_receive(t, entry, &in, &w, &cost);
    }
    const clock_cause by = matched ? by_op(i->index) : (clock_cause){.op = send, .source = i->peer};
    set_clock(t, in.rx, p->now + level->g + cost.G, by);
    set_clock(t, i->cpu, end, by);
    if (!matched) {
        keep_accepted(t, ref, end);
        return;
    }
    if ((i->flags & EVENT_RENDEZVOUS) != 0 && e->instant) {
        sim_engine_release(t, i->peer, send);
    }
    const size_t n = engine_finish_op(t, i->index, end, p->ready);
    engine_take_up(t, p->ready, n, true);
}

static inline __attribute__((always_inline)) void
engine_cpu_step(const engine_turn *t, const event_entry *entry, uint32_t ref)
{
    switch ((event_kind)entry->item.kind) {
    case EVENT_CALC:
        calc(t, entry);
        break;
    case EVENT_SEND:
        send(t, entry);
        break;
    default:
        if (engine_async(t->p->e)) {
            accept_message(t, entry, ref);
        } else {
            receive(t, entry);
        }
    }
}
