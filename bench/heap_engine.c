/* bench/heap_engine.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "heap_engine.h"

#include "event_heap.h"
#include "heap_ops.h"

#include <glib.h>

#define NOBODY UINT32_MAX

typedef struct message {
    sim_time envelope;   /* when it, or its request, arrives */
    sim_time data;       /* when it arrives */
    sim_time sender_end; /* the sender's CPU is done */
    sim_time accepted;   /* async; -1: not yet */
    uint32_t send;       /* operation */
    uint32_t receive;    /* operation it is matched with */
    uint32_t order;      /* its sender had sent so many before */
    uint32_t next;       /* in the list of its rank */
    uint32_t cpu;        /* async: that accepts it */
    bool rendezvous;
} message;

typedef struct list {
    uint32_t first, last;
} list;

typedef struct rank_state {
    list posted;     /* receives without a message */
    list unexpected; /* messages without a receive */
    uint32_t num_sent;
    sim_time finish;
} rank_state;

typedef struct run {
    const sim_params *p;
    const sim_noise *noise;
    heap_ops all;
    size_t num_done;
    message *message; /* [as many as operations] */
    uint32_t num_messages;
    rank_state *rank;
    sim_time *clock; /* per rank: CPUs, TX, RX */
    event_heap heap;
    bool truncated;
} run;

static sim_time *cpu_of(run *r, uint32_t rank, uint32_t cpu)
{
    return &r->clock[rank * (size_t)(r->all.num_cpus + 2 * r->all.num_nics) + cpu];
}
static sim_time *tx_of(run *r, uint32_t rank, uint32_t nic)
{
    return cpu_of(r, rank, r->all.num_cpus + nic);
}
static sim_time *rx_of(run *r, uint32_t rank, uint32_t nic)
{
    return cpu_of(r, rank, r->all.num_cpus + r->all.num_nics + nic);
}

static sim_time bytes(sim_rate rate, int64_t size)
{
    return sim_rate_times(rate, MAX(size, 1) - 1);
}

static sim_time work(const run *r, uint32_t rank, sim_time start, sim_time w)
{
    return r->noise != NULL ? r->noise->finish(r->noise, rank, start, w) : start + w;
}

static bool is_async(const run *r)
{
    return r->p->progress == SIM_PROGRESS_ASYNC;
}
static bool is_handshake(const run *r)
{
    return r->p->rendezvous == SIM_RENDEZVOUS_HANDSHAKE;
}

/* ---- when can it happen? ---- */

/* Of something that a CPU does; as far as is known now. */
static sim_time start_of(run *r, const heap_event *e)
{
    if (e->kind == HEAP_RECEIVE && is_async(r)) {
        const message *m = &r->message[e->what];
        const sim_time cpu = *cpu_of(r, e->rank, m->cpu);
        return MAX(MAX(m->data, cpu), *rx_of(r, e->rank, r->all.op[m->send].op.nic));
    }
    const heap_op *o = &r->all.op[e->what];
    const sim_time start = MAX(o->ready, *cpu_of(r, e->rank, o->op.cpu));
    if (e->kind == HEAP_CALC) {
        return start;
    }
    if (e->kind == HEAP_SEND) {
        return MAX(start, *tx_of(r, e->rank, o->op.nic));
    }
    const message *m = &r->message[o->message];
    const sim_op *sent = &r->all.op[m->send].op;
    const sim_time extra = bytes(r->p->G, sent->size) - bytes(r->p->O, sent->size);
    return MAX(start, MAX(m->data, *rx_of(r, e->rank, sent->nic)) + MAX(extra, 0));
}

static void push_cpu(run *r, heap_kind kind, uint32_t rank, uint32_t what, sim_time ready,
                     uint64_t tie)
{
    heap_event e = {.kind = (uint8_t)kind, .rank = rank, .what = what, .ready = ready, .tie = tie};
    e.at = start_of(r, &e);
    event_heap_push(&r->heap, &e);
}

static void push(run *r, heap_kind kind, uint32_t rank, uint32_t what, sim_time at, uint64_t tie)
{
    event_heap_push(
        &r->heap,
        &(heap_event){.kind = (uint8_t)kind, .rank = rank, .what = what, .at = at, .tie = tie});
}

static uint64_t tie_of(const run *r, const message *m)
{
    return (uint64_t)r->all.op[m->send].rank << 32 | m->order;
}

/* ---- dependencies ---- */

static void set_ready(run *r, uint32_t i)
{
    const heap_op *o = &r->all.op[i];
    if (o->op.type == SIM_OP_RECV) {
        push(r, HEAP_POST, o->rank, i, o->ready, o->index);
    } else {
        push_cpu(r, o->op.type == SIM_OP_SEND ? HEAP_SEND : HEAP_CALC, o->rank, i, o->ready,
                 o->index);
    }
}

static void satisfy(run *r, uint32_t from, uint32_t to, sim_time at)
{
    for (uint32_t k = from; k < to; k++) {
        heap_op *o = &r->all.op[r->all.edge[k]];
        o->ready = MAX(o->ready, at);
        if (--o->waits == 0) {
            set_ready(r, r->all.edge[k]);
        }
    }
}

static void started(run *r, uint32_t i, sim_time at)
{
    satisfy(r, r->all.op[i].middle, r->all.op[i + 1].edge, at);
}

static void finished(run *r, uint32_t i, sim_time at)
{
    rank_state *rank = &r->rank[r->all.op[i].rank];
    rank->finish = MAX(rank->finish, at);
    r->num_done++;
    satisfy(r, r->all.op[i].edge, r->all.op[i].middle, at);
}

/* ---- matching ---- */

static bool fits(const run *r, const heap_op *receive, const message *m)
{
    const heap_op *send = &r->all.op[m->send];
    return receive->op.comm == send->op.comm &&
           (receive->op.peer == SIM_ANY || receive->op.peer == send->rank) &&
           (receive->op.tag == SIM_ANY || send->op.tag == SIM_ANY ||
            receive->op.tag == send->op.tag);
}

static uint32_t *next_posted(run *r, uint32_t at)
{
    return &r->all.op[at].next;
}
static uint32_t *next_unexpected(run *r, uint32_t at)
{
    return &r->message[at].next;
}

static void append(run *r, list *l, uint32_t what, uint32_t *(*next)(run *, uint32_t))
{
    *next(r, what) = NOBODY;
    if (l->first == NOBODY) {
        l->first = what;
    } else {
        *next(r, l->last) = what;
    }
    l->last = what;
}

/* Take @p at, which follows @p before (NOBODY: is the first), out of a list. */
static void take_out(run *r, list *l, uint32_t before, uint32_t at,
                     uint32_t *(*next)(run *, uint32_t))
{
    if (before == NOBODY) {
        l->first = *next(r, at);
    } else {
        *next(r, before) = *next(r, at);
    }
    if (l->last == at) {
        l->last = before;
    }
}

/* async: the receive of a message that the CPU began to accept at @p start is matched. */
static void finish_accepted(run *r, uint32_t i, sim_time start)
{
    const message *m = &r->message[i];
    const heap_op *o = &r->all.op[m->receive];
    const sim_time posted = o->ready;
    const sim_time end = MAX(posted, m->accepted);
    if (m->rendezvous && !is_handshake(r)) {
        const heap_op *send = &r->all.op[m->send];
        push(r, HEAP_RELEASE, send->rank, i, MAX(start, posted), send->index);
    }
    finished(r, m->receive, end);
}

static void meet(run *r, uint32_t i, uint32_t receive)
{
    message *m = &r->message[i];
    heap_op *o = &r->all.op[receive];
    const heap_op *send = &r->all.op[m->send];
    m->receive = receive;
    o->message = i;
    r->truncated |= send->op.size > o->op.size;
    const sim_time at = MAX(m->envelope, o->ready);
    if (m->rendezvous && is_handshake(r)) {
        push(r, HEAP_CLEAR, send->rank, i, at + r->p->H + r->p->L, send->index);
        m->cpu = o->op.cpu;
    } else if (!is_async(r)) {
        if (m->rendezvous) {
            push(r, HEAP_RELEASE, send->rank, i, at, send->index);
        }
        push_cpu(r, HEAP_RECEIVE, o->rank, receive, at, o->index);
    } else if (m->accepted >= 0) {
        finish_accepted(r, i, 0);
    }
}

/* ---- it happens ---- */

static void post(run *r, uint32_t i)
{
    const heap_op *o = &r->all.op[i];
    started(r, i, o->ready);
    list *l = &r->rank[o->rank].unexpected;
    uint32_t before = NOBODY;
    for (uint32_t m = l->first; m != NOBODY; before = m, m = r->message[m].next) {
        if (fits(r, o, &r->message[m])) {
            take_out(r, l, before, m, next_unexpected);
            meet(r, m, i);
            return;
        }
    }
    append(r, &r->rank[o->rank].posted, i, next_posted);
}

/* async: the data are there, and wait for a CPU. */
static void push_acceptance(run *r, uint32_t i)
{
    const message *m = &r->message[i];
    push_cpu(r, HEAP_RECEIVE, r->all.op[m->send].op.peer, i, m->data, tie_of(r, m));
}

static void arrive(run *r, uint32_t i)
{
    message *m = &r->message[i];
    const heap_op *send = &r->all.op[m->send];
    list *l = &r->rank[send->op.peer].posted;
    uint32_t before = NOBODY;
    uint32_t o = l->first;
    for (; o != NOBODY && !fits(r, &r->all.op[o], m); before = o, o = r->all.op[o].next) {
    }
    m->cpu = o != NOBODY ? r->all.op[o].op.cpu : send->op.cpu;
    m->data = m->envelope;
    if (is_async(r) && !(m->rendezvous && is_handshake(r))) {
        push_acceptance(r, i);
    }
    if (o != NOBODY) {
        take_out(r, l, before, o, next_posted);
        meet(r, i, o);
    } else {
        append(r, &r->rank[send->op.peer].unexpected, i, next_unexpected);
    }
}

static void send(run *r, uint32_t i, sim_time s)
{
    heap_op *o = &r->all.op[i];
    const sim_time handed = work(r, o->rank, s, r->p->o);
    const sim_time end = work(r, o->rank, s, r->p->o + bytes(r->p->O, o->op.size));
    *cpu_of(r, o->rank, o->op.cpu) = end;
    o->message = r->num_messages++;
    message *m = &r->message[o->message];
    *m = (message){.send = i,
                   .receive = NOBODY,
                   .order = r->rank[o->rank].num_sent++,
                   .envelope = handed + r->p->L,
                   .rendezvous = o->op.size > r->p->S,
                   .accepted = -1,
                   .sender_end = end};
    if (!m->rendezvous || !is_handshake(r)) {
        *tx_of(r, o->rank, o->op.nic) = handed - r->p->o + r->p->g + bytes(r->p->G, o->op.size);
    }
    push(r, HEAP_ARRIVE, o->op.peer, o->message, m->envelope, tie_of(r, m));
    started(r, i, s);
    if (!m->rendezvous) {
        finished(r, i, end);
    }
}

static void clear(run *r, uint32_t i, sim_time now)
{
    message *m = &r->message[i];
    const heap_op *o = &r->all.op[m->send];
    sim_time *tx = tx_of(r, o->rank, o->op.nic);
    const sim_time gap = bytes(r->p->G, o->op.size);
    const sim_time leaves = MAX(now, *tx);
    *tx = leaves + r->p->g + gap;
    m->data = leaves + r->p->L;
    if (is_async(r)) {
        push_acceptance(r, i);
    } else {
        const heap_op *receive = &r->all.op[m->receive];
        push_cpu(r, HEAP_RECEIVE, receive->rank, m->receive, MAX(receive->ready, m->data),
                 receive->index);
    }
    finished(r, m->send, MAX(m->sender_end, leaves + gap));
}

static void release(run *r, uint32_t i, sim_time now)
{
    const message *m = &r->message[i];
    const heap_op *o = &r->all.op[m->send];
    sim_time *cpu = cpu_of(r, o->rank, o->op.cpu);
    sim_time *tx = tx_of(r, o->rank, o->op.nic);
    *cpu = MAX(*cpu, now);
    *tx = MAX(*tx, now);
    finished(r, m->send, MAX(m->sender_end, now));
}

static void receive(run *r, uint32_t i, sim_time start)
{
    const heap_op *o = &r->all.op[i];
    const message *m = &r->message[o->message];
    const sim_op *sent = &r->all.op[m->send].op;
    sim_time *rx = rx_of(r, o->rank, sent->nic);
    *rx = MAX(m->data, *rx) + r->p->g + bytes(r->p->G, sent->size);
    const sim_time end = work(r, o->rank, start, r->p->o + bytes(r->p->O, sent->size));
    *cpu_of(r, o->rank, o->op.cpu) = end;
    finished(r, i, end);
}

static void accept_message(run *r, uint32_t i, sim_time start)
{
    message *m = &r->message[i];
    const sim_op *sent = &r->all.op[m->send].op;
    const uint32_t rank = sent->peer;
    const sim_time gap = bytes(r->p->G, sent->size);
    const sim_time end = work(r, rank, start, r->p->o + bytes(r->p->O, sent->size));
    m->accepted = MAX(end, work(r, rank, start, r->p->o) + gap);
    *cpu_of(r, rank, m->cpu) = m->accepted;
    *rx_of(r, rank, sent->nic) = start + r->p->g + gap;
    if (m->receive != NOBODY) {
        finish_accepted(r, i, start);
    }
}

static void calc(run *r, uint32_t i, sim_time start)
{
    const heap_op *o = &r->all.op[i];
    const sim_time end = work(r, o->rank, start, o->op.size);
    *cpu_of(r, o->rank, o->op.cpu) = end;
    started(r, i, start);
    finished(r, i, end);
}

static void let_happen(run *r, const heap_event *e)
{
    switch ((heap_kind)e->kind) {
    case HEAP_RELEASE:
        release(r, e->what, e->at);
        break;
    case HEAP_CLEAR:
        clear(r, e->what, e->at);
        break;
    case HEAP_POST:
        post(r, e->what);
        break;
    case HEAP_ARRIVE:
        arrive(r, e->what);
        break;
    case HEAP_SEND:
        send(r, e->what, e->at);
        break;
    case HEAP_RECEIVE:
        if (is_async(r)) {
            accept_message(r, e->what, e->at);
        } else {
            receive(r, e->what, e->at);
        }
        break;
    case HEAP_CALC:
        calc(r, e->what, e->at);
        break;
    }
}

/* ---- all of it ---- */

static void load(run *r, const sim_graph *graph)
{
    const uint32_t num_ranks = sim_graph_num_ranks(graph);
    r->all = heap_ops_load(graph);
    r->message = g_new(message, r->all.num + 1);
    r->rank = g_new(rank_state, num_ranks);
    for (uint32_t k = 0; k < num_ranks; k++) {
        r->rank[k] = (rank_state){.posted = {NOBODY, NOBODY}, .unexpected = {NOBODY, NOBODY}};
    }
    r->clock = g_new0(sim_time, num_ranks * (size_t)(r->all.num_cpus + 2 * r->all.num_nics));
}

bool heap_engine_run(const sim_graph *graph, const sim_params *params, const sim_noise *noise,
                     sim_time *finish)
{
    run r = {.p = params, .noise = noise};
    load(&r, graph);
    uint64_t num_messages = 0;
    for (uint32_t i = 0; i < r.all.num; i++) {
        if (r.all.op[i].waits == 0) {
            set_ready(&r, i);
        }
    }
    while (r.heap.n > 0 && !r.truncated) {
        heap_event e = event_heap_pop(&r.heap);
        if (e.kind >= HEAP_SEND) {
            const sim_time start = start_of(&r, &e);
            if (start > e.at) {
                e.at = start;
                event_heap_push(&r.heap, &e);
                continue;
            }
        }
        let_happen(&r, &e);
    }
    for (uint32_t i = 0; i < r.num_messages; i++) {
        num_messages += r.message[i].receive != NOBODY;
    }
    for (uint32_t k = 0; k < sim_graph_num_ranks(graph); k++) {
        finish[k] = r.rank[k].finish;
    }
    const bool sound = !r.truncated && r.num_done == r.all.num && num_messages == r.num_messages;
    event_heap_clear(&r.heap);
    heap_ops_clear(&r.all);
    g_free(r.message);
    g_free(r.rank);
    g_free(r.clock);
    return sound;
}
