/* tests/sim/judge.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "judge_terms.h"

#include <assert.h>

typedef struct edge {
    size_t earlier, later; /* operations, numbered through all ranks */
    bool at_start;
} edge;

typedef struct message message;

typedef struct operation {
    sim_op op;
    uint32_t rank, index;
    bool ready, started, finished; /* is the instant below known? (it may be to come) */
    sim_time ready_at, start_at, finish_at;
    bool posted;      /* a receive: has its posting happened? */
    size_t posted_as; /* how many had been posted before */
    message *message; /* a receive: matched with */
} operation;

struct message {
    sim_params p; /* that it takes, distance and all */
    operation *send;
    operation *receive; /* matched with */
    size_t sent_as;     /* how many its rank had sent before */
    size_t arrived_as;
    sim_time envelope_at;
    sim_time clear_at;    /* handshake, met: clear-to-send is back */
    sim_time release_at;  /* instant, met; async: and accepted */
    sim_time data_at;     /* A of the model */
    sim_time accepted_at; /* async: CPU is done */
    sim_time sender_end;  /* the CPU of the sender is done */
    unsigned level;       /* 1: within a node that has a level of its own; else 0 */
    bool arrived;         /* has the envelope (message or request)? */
    bool met;             /* matched, and both there */
    bool rendezvous;
    bool cleared;  /* handshake: clear-to-send has been answered by the data */
    bool released; /* instant: send is over */
    bool release_known;
    bool data_known;
    bool accepted;
    uint8_t cpu; /* async: that accepts it */
};

/* Kinds in the order in which they go at one instant on one rank. */
typedef enum { NOTHING, RELEASE, CLEAR, POST, ARRIVE, SEND, RECEIVE, CALC } happening_kind;

typedef struct happening {
    happening_kind kind;
    sim_time at, ready_at;
    bool is_cpu;
    uint32_t rank;
    uint64_t tie;
    operation *op;
    message *message;
} happening;

typedef struct judge {
    const sim_graph *graph;
    const sim_params *p;
    const judge_levels *levels; /* NULL: one level */
    const sim_noise *noise;
    operation *op;
    size_t num_ops;
    edge *edge;
    size_t num_edges;
    message *message; /* [num_ops] */
    size_t num_messages;
    sim_time cpu[64][8], tx[64][2][8], rx[64][2][8]; /* interfaces: of either level */
    size_t num_sent[64];
    size_t num_posted, num_arrived;
    bool truncated;
} judge;

static sim_time W(const judge *j, uint32_t rank, sim_time t, sim_time w)
{
    return j->noise != NULL ? j->noise->finish(j->noise, rank, t, w) : t + w;
}

static void set_ready(judge *j)
{
    for (size_t i = 0; i < j->num_ops; i++) {
        operation *o = &j->op[i];
        if (o->ready) {
            continue;
        }
        bool ready = true;
        sim_time at = 0;
        for (size_t k = 0; k < j->num_edges && ready; k++) {
            if (j->edge[k].later == i) {
                const operation *e = &j->op[j->edge[k].earlier];
                ready = j->edge[k].at_start ? e->started : e->finished;
                at = MAX(at, j->edge[k].at_start ? e->start_at : e->finish_at);
            }
        }
        if (ready) {
            o->ready = true;
            o->ready_at = at;
        }
    }
}

/* ---- when could it happen? ---- */

static bool goes_first(const happening *a, const happening *b)
{
    if (b->kind == NOTHING) {
        return true;
    }
    if (a->at != b->at) {
        return a->at < b->at;
    }
    if (a->rank != b->rank) {
        return a->rank < b->rank;
    }
    if (a->is_cpu != b->is_cpu) {
        return !a->is_cpu;
    }
    if (a->is_cpu && a->ready_at != b->ready_at) {
        return a->ready_at < b->ready_at;
    }
    if (a->kind != b->kind) {
        return a->kind < b->kind;
    }
    return a->tie < b->tie;
}

static sim_time receive_start(const judge *j, const operation *o)
{
    const message *m = o->message;
    const int64_t size = m->send->op.size;
    const sim_time x = MAX(m->data_at, j->rx[o->rank][m->level][m->send->op.nic]);
    const sim_time extra = MAX(bG(&m->p, size) - bO(&m->p, size), 0);
    return MAX(MAX(o->ready_at, j->cpu[o->rank][o->op.cpu]), x + extra);
}

static happening of_operation(const judge *j, operation *o)
{
    happening h = {.rank = o->rank, .op = o, .tie = o->index, .ready_at = o->ready_at};
    const bool polling = j->p->progress == SIM_PROGRESS_POLLING;
    if (!o->ready) {
        return h;
    }
    if (o->op.type == SIM_OP_RECV && !o->posted) {
        h.kind = POST;
        h.at = o->ready_at;
    } else if (o->op.type == SIM_OP_RECV) {
        if (polling && !o->finished && o->message != NULL && o->message->data_known &&
            o->message->met) {
            h.kind = RECEIVE;
            h.is_cpu = true;
            h.at = receive_start(j, o);
            h.ready_at = MAX(o->ready_at, o->message->data_at);
        }
    } else if (!o->started) {
        h.kind = o->op.type == SIM_OP_SEND ? SEND : CALC;
        h.is_cpu = true;
        h.at = MAX(o->ready_at, j->cpu[o->rank][o->op.cpu]);
        if (h.kind == SEND) {
            h.at = MAX(h.at, j->tx[o->rank][level_of(j->levels, o->rank, o->op.peer)][o->op.nic]);
        }
    }
    return h;
}

static happening of_message(const judge *j, message *m)
{
    happening h = {.message = m, .rank = m->send->rank, .tie = m->send->index};
    const uint32_t dest = m->send->op.peer;
    const uint64_t order = (uint64_t)m->send->rank << 32 | m->sent_as;
    if (!m->arrived) {
        h.kind = ARRIVE;
        h.at = m->envelope_at;
        h.rank = dest;
        h.tie = order;
    } else if (m->release_known && !m->released) {
        h.kind = RELEASE;
        h.at = m->release_at;
    } else if (m->met && m->rendezvous && j->p->rendezvous == SIM_RENDEZVOUS_HANDSHAKE &&
               !m->cleared) {
        h.kind = CLEAR;
        h.at = m->clear_at;
    } else if (j->p->progress == SIM_PROGRESS_ASYNC && m->data_known && !m->accepted) {
        h.kind = RECEIVE;
        h.is_cpu = true;
        h.rank = dest;
        h.tie = order;
        h.ready_at = m->data_at;
        h.at = MAX(m->data_at, MAX(j->cpu[dest][m->cpu], j->rx[dest][m->level][m->send->op.nic]));
    }
    return h;
}

/* ---- it happens ---- */

static void finish(operation *o, sim_time at)
{
    o->finished = true;
    o->finish_at = at;
}

/* The receive of an accepted message is matched: when it finishes. */
static void finish_accepted(const judge *j, message *m, sim_time accept_start)
{
    operation *r = m->receive;
    finish(r, MAX(r->ready_at, m->accepted_at));
    if (m->rendezvous && j->p->rendezvous == SIM_RENDEZVOUS_INSTANT) {
        m->release_known = true;
        m->release_at = MAX(accept_start, r->ready_at);
    }
}

static void meet(judge *j, message *m, operation *r)
{
    m->receive = r;
    r->message = m;
    m->met = true;
    if (m->send->op.size > r->op.size) {
        j->truncated = true;
    }
    const sim_time at = MAX(m->envelope_at, r->ready_at);
    if (m->rendezvous && j->p->rendezvous == SIM_RENDEZVOUS_HANDSHAKE) {
        m->clear_at = at + m->p.H + m->p.L;
        m->cpu = r->op.cpu;
    } else if (j->p->progress == SIM_PROGRESS_POLLING) {
        m->release_known = m->rendezvous;
        m->release_at = at;
    } else if (m->accepted) {
        finish_accepted(j, m, 0); /* it began before now, and the receive is posted now */
    }
}

static bool fits(const operation *r, const message *m)
{
    const sim_op *s = &m->send->op;
    return r->rank == s->peer && r->op.comm == s->comm &&
           (r->op.peer == SIM_ANY || r->op.peer == m->send->rank) &&
           (r->op.tag == SIM_ANY || s->tag == SIM_ANY || r->op.tag == s->tag);
}

static void post(judge *j, operation *r)
{
    r->posted = true;
    r->posted_as = j->num_posted++;
    r->started = true;
    r->start_at = r->ready_at;
    message *first = NULL;
    for (size_t k = 0; k < j->num_messages; k++) {
        message *m = &j->message[k];
        if (m->arrived && m->receive == NULL && fits(r, m) &&
            (first == NULL || m->arrived_as < first->arrived_as)) {
            first = m;
        }
    }
    if (first != NULL) {
        meet(j, first, r);
    }
}

static void arrive(judge *j, message *m)
{
    m->arrived = true;
    m->arrived_as = j->num_arrived++;
    m->cpu = m->send->op.cpu;
    operation *first = NULL;
    for (size_t k = 0; k < j->num_ops; k++) {
        operation *r = &j->op[k];
        if (r->op.type == SIM_OP_RECV && r->posted && r->message == NULL && fits(r, m) &&
            (first == NULL || r->posted_as < first->posted_as)) {
            first = r;
        }
    }
    if (first != NULL) {
        m->cpu = first->op.cpu;
        meet(j, m, first);
    }
    if (!m->rendezvous || j->p->rendezvous == SIM_RENDEZVOUS_INSTANT) {
        m->data_known = true;
        m->data_at = m->envelope_at;
    }
}

static void start_send(judge *j, operation *o, sim_time s)
{
    const int64_t size = o->op.size;
    const sim_params p = parameters_of(j->p, j->levels, o->rank, o->op.peer);
    const sim_time h = W(j, o->rank, s, p.o);
    const sim_time end = W(j, o->rank, s, p.o + bO(&p, size));
    o->started = true;
    o->start_at = s;
    j->cpu[o->rank][o->op.cpu] = end;
    message *m = &j->message[j->num_messages++];
    *m = (message){.send = o,
                   .p = p,
                   .level = level_of(j->levels, o->rank, o->op.peer),
                   .sent_as = j->num_sent[o->rank]++,
                   .envelope_at = h + p.L,
                   .rendezvous = size > p.S,
                   .sender_end = end};
    if (!m->rendezvous || j->p->rendezvous == SIM_RENDEZVOUS_INSTANT) {
        j->tx[o->rank][m->level][o->op.nic] = (h - p.o) + p.g + bG(&p, size);
    }
    if (!m->rendezvous) {
        finish(o, end);
    }
}

static void clear(judge *j, message *m)
{
    const operation *o = m->send;
    sim_time *tx = &j->tx[o->rank][m->level][o->op.nic];
    const sim_time d = MAX(m->clear_at, *tx);
    *tx = d + m->p.g + bG(&m->p, o->op.size);
    finish(m->send, MAX(m->sender_end, d + bG(&m->p, o->op.size)));
    m->cleared = true;
    m->data_known = true;
    m->data_at = d + m->p.L;
}

static void release(judge *j, message *m)
{
    operation *o = m->send;
    const sim_time at = m->release_at;
    m->released = true;
    finish(o, MAX(m->sender_end, at));
    j->cpu[o->rank][o->op.cpu] = MAX(j->cpu[o->rank][o->op.cpu], at);
    sim_time *tx = &j->tx[o->rank][m->level][o->op.nic];
    *tx = MAX(*tx, at);
}

static void receive(judge *j, operation *o, sim_time start)
{
    const message *m = o->message;
    const int64_t size = m->send->op.size;
    sim_time *rx = &j->rx[o->rank][m->level][m->send->op.nic];
    *rx = MAX(m->data_at, *rx) + m->p.g + bG(&m->p, size);
    finish(o, W(j, o->rank, start, m->p.o + bO(&m->p, size)));
    j->cpu[o->rank][o->op.cpu] = o->finish_at;
}

static void accept_message(judge *j, message *m, sim_time t)
{
    const uint32_t rank = m->send->op.peer;
    const int64_t size = m->send->op.size;
    m->accepted = true;
    const sim_time worked = W(j, rank, t, m->p.o + bO(&m->p, size));
    const sim_time came = W(j, rank, t, m->p.o) + bG(&m->p, size);
    m->accepted_at = MAX(worked, came);
    j->cpu[rank][m->cpu] = m->accepted_at;
    j->rx[rank][m->level][m->send->op.nic] = t + m->p.g + bG(&m->p, size);
    if (m->receive != NULL) {
        finish_accepted(j, m, t);
    }
}

static void let_happen(judge *j, const happening *h)
{
    switch (h->kind) {
    case RELEASE:
        release(j, h->message);
        break;
    case CLEAR:
        clear(j, h->message);
        break;
    case POST:
        post(j, h->op);
        break;
    case ARRIVE:
        arrive(j, h->message);
        break;
    case SEND:
        start_send(j, h->op, h->at);
        break;
    case RECEIVE:
        if (h->message != NULL) {
            accept_message(j, h->message, h->at);
        } else {
            receive(j, h->op, h->at);
        }
        break;
    case CALC:
        h->op->started = true;
        h->op->start_at = h->at;
        finish(h->op, W(j, h->rank, h->at, h->op->op.size));
        j->cpu[h->rank][h->op->op.cpu] = h->op->finish_at;
        break;
    case NOTHING:
        break;
    }
}

static void load_edges(judge *j, size_t first, uint32_t rank, uint32_t index)
{
    for (int at_start = 0; at_start < 2; at_start++) {
        uint32_t n = 0;
        const uint32_t *step =
            (at_start ? sim_graph_start_steps : sim_graph_finish_steps)(j->graph, rank, index, &n);
        for (uint32_t k = 0; k < n; k++) {
            j->edge[j->num_edges++] = (edge){.earlier = first + index,
                                             .later = first + (index + step[k]),
                                             .at_start = at_start == 1};
        }
    }
}

static void load(judge *j)
{
    j->op = g_new0(operation, sim_graph_total_ops(j->graph) + 1);
    j->message = g_new0(message, sim_graph_total_ops(j->graph) + 1);
    j->edge = g_new0(edge, sim_graph_total_edges(j->graph) + 1);
    for (uint32_t r = 0; r < sim_graph_num_ranks(j->graph); r++) {
        const size_t first = j->num_ops;
        for (uint32_t i = 0; i < sim_graph_num_ops(j->graph, r); i++) {
            j->op[j->num_ops] =
                (operation){.op = sim_graph_op(j->graph, r, i), .rank = r, .index = i};
            assert(j->op[j->num_ops].op.cpu < 8 && j->op[j->num_ops].op.nic < 8);
            j->num_ops++;
            load_edges(j, first, r, i);
        }
    }
}

static bool all_done(const judge *j)
{
    for (size_t i = 0; i < j->num_ops; i++) {
        if (!j->op[i].finished) {
            return false;
        }
    }
    for (size_t k = 0; k < j->num_messages; k++) {
        if (!j->message[k].met) {
            return false;
        }
    }
    return true;
}

static void give_finishes(const judge *j, sim_time *finish_out, sim_time *op_finish)
{
    for (uint32_t r = 0; r < sim_graph_num_ranks(j->graph); r++) {
        finish_out[r] = 0;
    }
    for (size_t i = 0; i < j->num_ops; i++) {
        const operation *o = &j->op[i];
        if (o->finished) {
            finish_out[o->rank] = MAX(finish_out[o->rank], o->finish_at);
        }
        if (op_finish != NULL) {
            op_finish[i] = o->finished ? o->finish_at : -1;
        }
    }
}

judge_verdict judge_run(const sim_graph *graph, const sim_params *params, const sim_noise *noise,
                        sim_time *finish_out)
{
    return judge_run_ops(graph, params, NULL, noise, finish_out, NULL);
}

judge_verdict judge_run_ops(const sim_graph *graph, const sim_params *params,
                            const judge_levels *levels, const sim_noise *noise,
                            sim_time *finish_out, sim_time *op_finish)
{
    assert(sim_graph_num_ranks(graph) <= 64);
    judge *j = g_new0(judge, 1);
    j->graph = graph;
    j->p = params;
    j->levels = levels;
    j->noise = noise;
    load(j);
    for (happening next = {.kind = CALC}; next.kind != NOTHING && !j->truncated;) {
        set_ready(j);
        next = (happening){.kind = NOTHING};
        for (size_t i = 0; i < j->num_ops + j->num_messages; i++) {
            const happening h = i < j->num_ops ? of_operation(j, &j->op[i])
                                               : of_message(j, &j->message[i - j->num_ops]);
            if (h.kind != NOTHING && goes_first(&h, &next)) {
                next = h;
            }
        }
        let_happen(j, &next);
    }
    give_finishes(j, finish_out, op_finish);
    const judge_verdict verdict = j->truncated  ? JUDGE_TRUNCATED
                                  : all_done(j) ? JUDGE_SOUND
                                                : JUDGE_UNMATCHED;
    g_free(j->op);
    g_free(j->message);
    g_free(j->edge);
    g_free(j);
    return verdict;
}
