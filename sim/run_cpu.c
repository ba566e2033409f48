/* sim/run_cpu.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "run_private.h"

/* What decided that something starts now, and not earlier: for sinks and explanations. */
typedef struct bound {
    uint32_t rank;
    uint32_t op;
    uint32_t mark; /* path: of now */
} bound;

static clock_note *note_of(const engine_turn *t, uint32_t clock)
{
    return &agenda_clock_notes(&t->p->agenda, t->r)[clock];
}

static bound bound_by_clock(const clock_note *note, uint32_t rank, uint32_t mark)
{
    return (bound){.rank = rank, .op = note->op, .mark = mark};
}

static bound bound_by_cause(const engine_turn *t, const agenda_note *note)
{
    const engine *e = t->p->e;
    bound b = {.rank = t->rank, .op = note->cause};
    if (e->path != NULL) {
        b.mark = sim_engine_ready_mark(e, t->rank, note);
    }
    return b;
}

/* A calc or a send: it became ready now, or the CPU or the interface has become free now. */
static bound local_bound(const engine_turn *t, const agenda_entry *entry, path_who who)
{
    const engine *e = t->p->e;
    const sim_time now = t->p->now;
    if (entry->item.time == now) {
        return bound_by_cause(t, &entry->note);
    }
    const clock_note *cpu = note_of(t, entry->item.cpu);
    if (t->r->clock[entry->item.cpu] == now) {
        return bound_by_clock(cpu, t->rank, cpu->mark);
    }
    const clock_note *tx = note_of(t, e->layout.tx_at + entry->item.nic);
    const uint32_t mark =
        e->path != NULL ? sim_path_mark(e->path, tx->mark, now, PATH_GAP, who) : PATH_START;
    return bound_by_clock(tx, t->rank, mark);
}

/*
 * When the interface of a receiver begins with a message: x of the model, and why.
 */
typedef struct intake {
    sim_time at;
    uint32_t rx; /* clock */
    uint32_t source;
    uint32_t send; /* operation of the source */
    uint32_t mark;
    bool waited; /* for the message before */
} intake;

static inline intake take_in(const engine_turn *t, const agenda_entry *entry, sim_time arrival,
                             uint32_t send)
{
    const engine *e = t->p->e;
    intake in = {.rx = e->layout.rx_at + entry->item.nic, .source = entry->item.peer, .send = send};
    const sim_time rx = t->r->clock[in.rx];
    in.at = engine_max(arrival, rx);
    in.waited = rx > arrival;
    if (e->path != NULL) {
        const path_who who = {in.source, send, SIM_OP_SEND};
        in.mark = in.waited ? sim_path_mark(e->path, note_of(t, in.rx)->mark, in.at, PATH_GAP, who)
                            : sim_path_mark(e->path, entry->note.mark, in.at, PATH_LATENCY, who);
    }
    return in;
}

/* A receive or an acceptance that could begin as far as the network goes at in.at + delay. */
static bound receive_bound(const engine_turn *t, const agenda_entry *entry, const intake *in,
                           sim_time delay, path_who who)
{
    const engine *e = t->p->e;
    if (in->at + delay == t->p->now) {
        bound b = in->waited ? bound_by_clock(note_of(t, in->rx), t->rank, in->mark)
                             : (bound){.rank = in->source, .op = in->send, .mark = in->mark};
        if (e->path != NULL) {
            b.mark = sim_path_mark(e->path, in->mark, t->p->now, PATH_GAP, who);
        }
        return b;
    }
    const clock_note *cpu = note_of(t, entry->item.cpu);
    if (t->r->clock[entry->item.cpu] == t->p->now) {
        return bound_by_clock(cpu, t->rank, cpu->mark);
    }
    return bound_by_cause(t, &entry->note);
}

static void tell_sink(const engine_turn *t, path_who who, uint8_t cpu, sim_time end, sim_time work,
                      bound b)
{
    engine_part *p = t->p;
    sim_sink *sink = p->e->sink;
    if (sink == NULL) {
        return;
    }
    p->event[p->num_events++] = (sim_event){.start = p->now,
                                            .end = end,
                                            .work = work,
                                            .rank = who.rank,
                                            .op = who.op,
                                            .cause_rank = b.rank,
                                            .cause_op = b.op,
                                            .type = who.type,
                                            .cpu = cpu};
    if (p->num_events == ENGINE_EVENTS) {
        sink->events(sink, p->event, p->num_events);
        p->num_events = 0;
    }
}

/* A clock moves on to @p at. */
static inline void set_clock(const engine_turn *t, uint32_t clock, sim_time at, uint32_t op,
                             uint32_t mark)
{
    t->r->clock[clock] = at;
    if (t->p->e->noted) {
        *note_of(t, clock) = (clock_note){.op = op, .mark = mark};
    }
}

/* A calc or an eager send starts now and has finished at @p finish; both make others ready. */
static void start_and_finish(const engine_turn *t, path_who who, sim_time finish,
                             uint32_t start_mark, uint32_t finish_mark)
{
    engine_part *p = t->p;
    const engine *e = p->e;
    if (e->path != NULL) {
        *sim_path_op(e->path, who.rank, who.op) =
            (path_op){.start = start_mark, .finish = finish_mark};
    }
    size_t n = e->program->class->started(e->cursor, who.rank, who.op, p->now, p->ready);
    n += sim_engine_finish_op(t, who.op, finish, p->ready + n);
    sim_engine_take_up(t, p->ready, n, true);
}

static void calc(const engine_turn *t, const agenda_entry *entry)
{
    const engine *e = t->p->e;
    const agenda_item *i = &entry->item;
    const path_who who = {t->rank, i->index, SIM_OP_CALC};
    const sim_time finish = engine_work(e, t->rank, t->p->now, i->size);
    bound b = {PATH_START};
    if (__builtin_expect(e->noted, 0)) {
        b = local_bound(t, entry, who);
    }
    uint32_t mark = PATH_START;
    if (e->path != NULL) {
        mark = sim_path_work(e->path, b.mark, finish, i->size, PATH_COMPUTE, who);
    }
    set_clock(t, i->cpu, finish, i->index, mark);
    tell_sink(t, who, i->cpu, finish, i->size, b);
    start_and_finish(t, who, finish, b.mark, mark);
}

/* The CPU part of an overhead: o, then b·O; both under noise. */
typedef struct overhead {
    sim_time handed;     /* W(now, o) */
    sim_time end;        /* W(now, o + b·O) */
    uint32_t begun_mark; /* path: of handed - o */
    uint32_t handed_mark;
    uint32_t end_mark;
} overhead;

static inline overhead work_overhead(const engine_turn *t, sim_time bytes, uint32_t start_mark,
                                     path_who who)
{
    const engine *e = t->p->e;
    const sim_time o = e->params.o;
    overhead w = {PATH_START};
    w.handed = engine_work(e, t->rank, t->p->now, o);
    w.end = bytes == 0 ? w.handed : engine_work(e, t->rank, t->p->now, o + bytes);
    if (e->path != NULL) {
        w.begun_mark = sim_path_mark(e->path, start_mark, w.handed - o, PATH_NOISE, who);
        w.handed_mark = sim_path_mark(e->path, w.begun_mark, w.handed, PATH_OVERHEAD, who);
        w.end_mark = sim_path_work(e->path, w.handed_mark, w.end, bytes, PATH_BYTE_OVERHEAD, who);
    }
    return w;
}

/* The message of a send, handed to the network. */
static engine_message *new_message(const engine_turn *t, const agenda_item *i, const overhead *w)
{
    engine_message *m = sim_engine_new_message(t->p, i->peer);
    m->time = w->handed + t->p->e->params.L;
    m->size = i->size;
    m->source = t->rank;
    m->dest = i->peer;
    m->tag = i->tag;
    m->comm = i->comm;
    m->send = i->index;
    m->order = t->r->num_sent++;
    m->receive = SIM_ANY;
    m->mark = w->handed_mark;
    m->kind = MESSAGE_SENT;
    m->cpu = i->cpu;
    m->nic = i->nic;
    m->rendezvous = i->size > t->p->e->params.S;
    return m;
}

/* A rendezvous message has been sent: its send waits for the end. */
static void hold_send(const engine_turn *t, const engine_message *m, path_who who,
                      const overhead *w, uint32_t start_mark)
{
    engine_part *p = t->p;
    const engine *e = p->e;
    const agenda_entry held = {.item = {.time = w->end,
                                        .size = m->size,
                                        .peer = m->dest,
                                        .order = m->order,
                                        .index = m->send,
                                        .kind = AGENDA_HELD,
                                        .cpu = m->cpu,
                                        .nic = m->nic}};
    agenda_add_entry(&p->agenda, t->r, t->rank, &held);
    p->rendezvous = true;
    sim_engine_emit(p, m);
    if (e->path != NULL) {
        *sim_path_op(e->path, t->rank, who.op) =
            (path_op){.start = start_mark, .finish = w->end_mark};
    }
    const size_t n = e->program->class->started(e->cursor, t->rank, who.op, p->now, p->ready);
    sim_engine_take_up(t, p->ready, n, true);
}

static void send(const engine_turn *t, const agenda_entry *entry)
{
    engine_part *p = t->p;
    const engine *e = p->e;
    const agenda_item *i = &entry->item;
    const path_who who = {t->rank, i->index, SIM_OP_SEND};
    const message_cost cost = *message_cost_of(&p->agenda.costs, i->size);
    bound b = {PATH_START};
    if (__builtin_expect(e->noted, 0)) {
        b = local_bound(t, entry, who);
    }
    const overhead w = work_overhead(t, cost.O, b.mark, who);
    if (w.end > SIM_TIME_MAX) {
        sim_engine_overflow(p, t->rank, w.end);
        return;
    }
    set_clock(t, i->cpu, w.end, i->index, w.end_mark);
    const engine_message *m = new_message(t, i, &w);
    const bool rendezvous = m->rendezvous;
    if (!rendezvous || e->instant) { /* handshake: the data leave later */
        set_clock(t, e->layout.tx_at + i->nic, (w.handed - e->params.o) + e->params.g + cost.G,
                  i->index, w.begun_mark);
    }
    tell_sink(t, who, i->cpu, w.end, e->params.o + cost.O, b);
    p->num_messages++;
    if (rendezvous) {
        hold_send(t, m, who, &w, b.mark);
        return;
    }
    sim_engine_emit(p, m);
    start_and_finish(t, who, w.end, b.mark, w.end_mark);
}

/* polling: a matched receive. */
static void receive(const engine_turn *t, const agenda_entry *entry)
{
    engine_part *p = t->p;
    const engine *e = p->e;
    const agenda_item *i = &entry->item;
    const path_who who = {t->rank, i->index, SIM_OP_RECV};
    const message_cost cost = *message_cost_of(&p->agenda.costs, i->size);
    const intake in = take_in(t, entry, i->arrival, i->order);
    bound b = {PATH_START};
    if (__builtin_expect(e->noted, 0)) {
        b = receive_bound(t, entry, &in, cost.delay, who);
    }
    const overhead w = work_overhead(t, cost.O, b.mark, who);
    set_clock(t, in.rx, in.at + e->params.g + cost.G, i->index, in.mark);
    set_clock(t, i->cpu, w.end, i->index, w.end_mark);
    tell_sink(t, who, i->cpu, w.end, e->params.o + cost.O, b);
    if (e->path != NULL) {
        sim_path_op(e->path, t->rank, who.op)->finish = w.end_mark;
    }
    const size_t n = sim_engine_finish_op(t, who.op, w.end, p->ready);
    sim_engine_take_up(t, p->ready, n, true);
}

/* async: a message without receive has been accepted. */
static void keep_accepted(const engine_turn *t, uint32_t ref, sim_time end, uint32_t from,
                          uint32_t to)
{
    agenda *a = &t->p->agenda;
    agenda_item *i = sim_agenda_item(a, t->r, ref);
    i->kind = AGENDA_MESSAGE;
    i->flags |= AGENDA_ACCEPTED;
    i->time = end;
    if (a->noted) {
        agenda_note *note = sim_agenda_note(a, t->r, ref);
        note->accept_from = from;
        note->accept_to = to;
    }
    sim_agenda_become(a, t->r, ref);
}

/* async: the CPU accepts a message, whether or not its receive is posted. */
static void accept_message(const engine_turn *t, const agenda_entry *entry, uint32_t ref)
{
    engine_part *p = t->p;
    const engine *e = p->e;
    const agenda_item *i = &entry->item;
    const bool matched = (i->flags & AGENDA_MATCHED) != 0;
    const path_who who = {t->rank, matched ? i->index : SIM_ANY, SIM_OP_RECV};
    const uint32_t send = matched ? i->send : i->index;
    const message_cost cost = *message_cost_of(&p->agenda.costs, i->size);
    const intake in = take_in(t, entry, i->time, send);
    bound b = {PATH_START};
    if (__builtin_expect(e->noted, 0)) {
        b = receive_bound(t, entry, &in, 0, who);
    }
    const overhead w = work_overhead(t, cost.O, b.mark, who);
    const sim_time end = engine_max(w.end, w.handed + cost.G);
    uint32_t end_mark = w.end_mark;
    if (e->path != NULL && end > w.end) {
        end_mark = sim_path_mark(e->path, w.handed_mark, end, PATH_GAP, who);
    }
    set_clock(t, in.rx, p->now + e->params.g + cost.G, who.op, b.mark);
    set_clock(t, i->cpu, end, who.op, end_mark);
    tell_sink(t, who, i->cpu, end, e->params.o + engine_max(cost.O, cost.G), b);
    if (!matched) {
        keep_accepted(t, ref, end, b.mark, end_mark);
        return;
    }
    if (e->path != NULL) {
        sim_path_op(e->path, t->rank, who.op)->finish = end_mark;
    }
    if ((i->flags & AGENDA_RENDEZVOUS) != 0 && e->instant) {
        sim_engine_release(t, i->peer, send, b.mark);
    }
    const size_t n = sim_engine_finish_op(t, who.op, end, p->ready);
    sim_engine_take_up(t, p->ready, n, true);
}

void sim_engine_cpu_step(const engine_turn *t, const agenda_entry *entry, uint32_t ref)
{
    switch ((agenda_kind)entry->item.kind) {
    case AGENDA_CALC:
        calc(t, entry);
        break;
    case AGENDA_SEND:
        send(t, entry);
        break;
    default:
        if (t->p->e->async) {
            accept_message(t, entry, ref);
        } else {
            receive(t, entry);
        }
    }
}
