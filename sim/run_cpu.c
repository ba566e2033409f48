/* sim/run_cpu.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "run_private.h"

/* What decided that something starts now, and not earlier. */
typedef struct bound {
    uint32_t rank;
    uint32_t op;
    uint32_t mark; /* path: of now */
} bound;

static bound bound_by_clock(const engine_clock *clock, uint32_t rank, uint32_t mark)
{
    return (bound){.rank = rank, .op = clock->op, .mark = mark};
}

/* A calc or a send: it became ready now, or the CPU or the interface has become free now. */
static bound local_bound(engine *e, uint32_t rank, const pending_item *i, path_who who)
{
    const engine_clock *cpu = engine_cpu(e, rank, i->cpu);
    bound b = {.rank = rank, .op = i->cause};
    if (i->ready == e->now) {
        b.mark = e->path != NULL ? sim_engine_ready_mark(e, rank, i->cause, e->now) : PATH_START;
        return b;
    }
    if (cpu->at == e->now) {
        return bound_by_clock(cpu, rank, cpu->mark);
    }
    const engine_clock *tx = engine_tx(e, rank, i->nic);
    const uint32_t mark =
        e->path != NULL ? sim_path_mark(e->path, tx->mark, e->now, PATH_GAP, who) : PATH_START;
    return bound_by_clock(tx, rank, mark);
}

/*
 * When the interface of a receiver begins with a message: x of the model, and why.
 */
typedef struct intake {
    sim_time at;
    uint32_t mark;
    bool waited; /* for the message before */
} intake;

static intake take_in(engine *e, uint32_t rank, const engine_message *m)
{
    const path_who who = {m->source, m->send, SIM_OP_SEND};
    const engine_clock *rx = engine_rx(e, rank, m->nic);
    intake in = {.at = engine_max(m->arrival, rx->at), .waited = rx->at > m->arrival};
    if (e->path != NULL) {
        in.mark = in.waited ? sim_path_mark(e->path, rx->mark, in.at, PATH_GAP, who)
                            : sim_path_mark(e->path, m->mark, in.at, PATH_LATENCY, who);
    }
    return in;
}

/* A receive or an acceptance that could begin as far as the network goes at in.at + delay. */
static bound receive_bound(engine *e, uint32_t rank, const pending_item *i, intake in,
                           sim_time delay, path_who who)
{
    const engine_message *m = &e->message[i->message];
    const engine_clock *cpu = engine_cpu(e, rank, i->cpu);
    if (in.at + delay == e->now) {
        bound b = in.waited ? bound_by_clock(engine_rx(e, rank, m->nic), rank, in.mark)
                            : (bound){.rank = m->source, .op = m->send, .mark = in.mark};
        if (e->path != NULL) {
            b.mark = sim_path_mark(e->path, in.mark, e->now, PATH_GAP, who);
        }
        return b;
    }
    if (cpu->at == e->now) {
        return bound_by_clock(cpu, rank, cpu->mark);
    }
    return (bound){.rank = rank,
                   .op = i->cause,
                   .mark = e->path != NULL ? sim_engine_ready_mark(e, rank, i->cause, e->now)
                                           : PATH_START};
}

static void flush_events(engine *e)
{
    e->sink->events(e->sink, e->event, e->num_events);
    e->num_events = 0;
}

static void tell_sink(engine *e, path_who who, uint8_t cpu, sim_time end, sim_time work, bound b)
{
    if (e->sink == NULL) {
        return;
    }
    e->event[e->num_events++] = (sim_event){.start = e->now,
                                            .end = end,
                                            .work = work,
                                            .rank = who.rank,
                                            .op = who.op,
                                            .cause_rank = b.rank,
                                            .cause_op = b.op,
                                            .type = who.type,
                                            .cpu = cpu};
    if (e->num_events == ENGINE_EVENTS) {
        flush_events(e);
    }
}

/* A calc or an eager send starts now and has finished at @p finish; both make others ready. */
static void start_and_finish(engine *e, path_who who, sim_time finish, uint32_t start_mark,
                             uint32_t finish_mark)
{
    if (e->path != NULL) {
        *sim_path_op(e->path, who.rank, who.op) =
            (path_op){.start = start_mark, .finish = finish_mark};
    }
    size_t n = e->program->class->started(e->cursor, who.rank, who.op, e->now, e->ready);
    n += sim_engine_finish_op(e, who.rank, who.op, finish, e->ready + n);
    sim_engine_take_up(e, who.rank, e->ready, n, true);
}

static void calc(engine *e, uint32_t rank, const pending_item *i)
{
    const path_who who = {rank, sim_pending_op(i), SIM_OP_CALC};
    const sim_time finish = engine_work(e, rank, e->now, i->size);
    const bound b = local_bound(e, rank, i, who);
    uint32_t mark = PATH_START;
    if (e->path != NULL) {
        mark = sim_path_work(e->path, b.mark, finish, i->size, PATH_COMPUTE, who);
    }
    *engine_cpu(e, rank, i->cpu) =
        (engine_clock){.at = finish, .op = sim_pending_op(i), .mark = mark};
    tell_sink(e, who, i->cpu, finish, i->size, b);
    start_and_finish(e, who, finish, b.mark, mark);
}

/* The CPU part of an overhead: o, then b·O; both under noise. */
typedef struct overhead {
    sim_time handed;     /* W(now, o) */
    sim_time end;        /* W(now, o + b·O) */
    uint32_t begun_mark; /* path: of handed - o */
    uint32_t handed_mark;
    uint32_t end_mark;
} overhead;

static overhead work_overhead(engine *e, sim_time bytes, uint32_t start_mark, path_who who)
{
    const sim_time o = e->params.o;
    overhead w;
    w.handed = engine_work(e, who.rank, e->now, o);
    w.end = bytes == 0 ? w.handed : engine_work(e, who.rank, e->now, o + bytes);
    w.begun_mark = w.handed_mark = w.end_mark = PATH_START;
    if (e->path != NULL) {
        w.begun_mark = sim_path_mark(e->path, start_mark, w.handed - o, PATH_NOISE, who);
        w.handed_mark = sim_path_mark(e->path, w.begun_mark, w.handed, PATH_OVERHEAD, who);
        w.end_mark = sim_path_work(e->path, w.handed_mark, w.end, bytes, PATH_BYTE_OVERHEAD, who);
    }
    return w;
}

static void send(engine *e, uint32_t rank, const pending_item *i)
{
    const path_who who = {rank, sim_pending_op(i), SIM_OP_SEND};
    const engine_cost cost = engine_cost_of(e, i->size);
    const bound b = local_bound(e, rank, i, who);
    const overhead w = work_overhead(e, cost.O, b.mark, who);
    if (w.end > SIM_TIME_MAX) {
        sim_engine_overflow(e, rank);
        return;
    }
    *engine_cpu(e, rank, i->cpu) =
        (engine_clock){.at = w.end, .op = sim_pending_op(i), .mark = w.end_mark};
    const bool rendezvous = i->size > e->params.S;
    if (!rendezvous || e->instant) { /* handshake: the data leave later */
        *engine_tx(e, rank, i->nic) =
            (engine_clock){.at = (w.handed - e->params.o) + e->params.g + cost.G,
                           .op = sim_pending_op(i),
                           .mark = w.begun_mark};
    }
    tell_sink(e, who, i->cpu, w.end, e->params.o + cost.O, b);
    const uint32_t message = sim_engine_new_message(e);
    engine_message *m = &e->message[message];
    m->arrival = w.handed + e->params.L;
    m->cpu_end = w.end;
    m->size = i->size;
    m->source = rank;
    m->dest = i->peer;
    m->tag = i->tag;
    m->comm = i->comm;
    m->send = sim_pending_op(i);
    m->order = engine_rank_of(e, rank)->num_sent++;
    m->mark = w.handed_mark;
    m->cpu = i->cpu;
    m->nic = i->nic;
    m->rendezvous = rendezvous;
    sim_engine_send(e, message);
    if (!rendezvous) {
        start_and_finish(e, who, w.end, b.mark, w.end_mark);
        return;
    }
    if (e->path != NULL) {
        *sim_path_op(e->path, rank, who.op) = (path_op){.start = b.mark, .finish = w.end_mark};
    }
    const size_t n = e->program->class->started(e->cursor, rank, who.op, e->now, e->ready);
    sim_engine_take_up(e, rank, e->ready, n, true);
}

/* polling: a matched receive. */
static void receive(engine *e, uint32_t rank, const pending_item *i)
{
    const path_who who = {rank, sim_pending_op(i), SIM_OP_RECV};
    const engine_message *m = &e->message[i->message];
    const engine_cost cost = engine_cost_of(e, m->size);
    const intake in = take_in(e, rank, m);
    const bound b = receive_bound(e, rank, i, in, cost.delay, who);
    const overhead w = work_overhead(e, cost.O, b.mark, who);
    *engine_rx(e, rank, m->nic) = (engine_clock){
        .at = in.at + e->params.g + cost.G, .op = sim_pending_op(i), .mark = in.mark};
    *engine_cpu(e, rank, i->cpu) =
        (engine_clock){.at = w.end, .op = sim_pending_op(i), .mark = w.end_mark};
    tell_sink(e, who, i->cpu, w.end, e->params.o + cost.O, b);
    if (e->path != NULL) {
        sim_path_op(e->path, rank, who.op)->finish = w.end_mark;
    }
    sim_engine_drop_message(e, i->message);
    const size_t n = sim_engine_finish_op(e, rank, who.op, w.end, e->ready);
    sim_engine_take_up(e, rank, e->ready, n, true);
}

/* async: the CPU accepts a message, whether or not its receive is posted. */
static void accept_message(engine *e, uint32_t rank, const pending_item *i)
{
    engine_message *m = &e->message[i->message];
    const uint32_t message = i->message;
    const uint32_t item = m->receive;
    const path_who who = {
        rank, item != PENDING_NONE ? sim_pending_op(&e->pending.item[item]) : SIM_ANY, SIM_OP_RECV};
    const engine_cost cost = engine_cost_of(e, m->size);
    const intake in = take_in(e, rank, m);
    const bound b = receive_bound(e, rank, i, in, 0, who);
    const overhead w = work_overhead(e, cost.O, b.mark, who);
    const sim_time end = engine_max(w.end, w.handed + cost.G);
    uint32_t end_mark = w.end_mark;
    if (e->path != NULL && end > w.end) {
        end_mark = sim_path_mark(e->path, w.handed_mark, end, PATH_GAP, who);
    }
    *engine_rx(e, rank, m->nic) =
        (engine_clock){.at = e->now + e->params.g + cost.G, .op = who.op, .mark = b.mark};
    *engine_cpu(e, rank, i->cpu) = (engine_clock){.at = end, .op = who.op, .mark = end_mark};
    tell_sink(e, who, i->cpu, end, e->params.o + engine_max(cost.O, cost.G), b);
    if (item == PENDING_NONE) {
        m->accepted = end;
        m->accept_from = b.mark;
        m->accept_to = end_mark;
        return;
    }
    if (e->path != NULL) {
        sim_path_op(e->path, rank, who.op)->finish = end_mark;
    }
    sim_pending_drop(&e->pending, item);
    if (m->rendezvous && e->instant) {
        sim_engine_release(e, message, b.mark);
    }
    sim_engine_drop_message(e, message);
    const size_t n = sim_engine_finish_op(e, rank, who.op, end, e->ready);
    sim_engine_take_up(e, rank, e->ready, n, true);
}

void sim_engine_cpu_step(engine *e, uint32_t rank)
{
    const uint32_t class = engine_rank_of(e, rank)->next_class;
    const uint32_t item = sim_pending_take(&e->pending, &engine_rank_of(e, rank)->classes, class);
    const pending_item i = e->pending.item[item]; /* steps may move the pool */
    sim_pending_drop(&e->pending, item);
    switch ((pending_kind)i.kind) {
    case PENDING_CALC:
        calc(e, rank, &i);
        break;
    case PENDING_SEND:
        send(e, rank, &i);
        break;
    default:
        if (e->async) {
            accept_message(e, rank, &i);
        } else {
            receive(e, rank, &i);
        }
    }
}
