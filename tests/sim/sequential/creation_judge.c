/* tests/sim/sequential/creation_judge.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "creation_judge.h"

#include <string.h>

enum { MOST_CPUS = 8, MOST_RANKS = 64, CALC = SIM_OP_CALC, SEND = SIM_OP_SEND, RECV = SIM_OP_RECV };

/* An event: an operation that is ready, or (kind MESSAGE) a message on its way. */
enum { MESSAGE = 100 };

typedef struct happening {
    int kind;
    sim_time time;
    uint64_t number; /* when it was created */
    uint32_t host;
    uint32_t op;     /* of the host; message: of its sender */
    uint32_t sender; /* message */
    sim_op what;     /* message: its send */
} happening;

typedef struct host {
    sim_time cpu[MOST_CPUS], tx[MOST_CPUS], rx[MOST_CPUS];
    GArray *posted;     /* of happening: receives */
    GArray *unexpected; /* of happening: messages */
    GArray *fresh;      /* of uint32_t: operations that this event has made ready, in order */
    int64_t *waits;     /* [operations] how many dependencies are not satisfied */
} host;

typedef struct judge {
    const sim_graph *graph;
    const sim_params *p;
    uint32_t num_hosts;
    host host[MOST_RANKS];
    GArray *queue; /* of happening */
    uint64_t number;
} judge;

static sim_time per_byte(sim_rate rate, int64_t size)
{
    return size > 0 ? sim_rate_times(rate, size - 1) : -sim_rate_times(rate, 1);
}

static host *host_of(judge *j, uint32_t h)
{
    host *at = &j->host[h];
    g_assert(at->waits != NULL && at->posted != NULL && at->unexpected != NULL);
    return at;
}

static void satisfy(judge *j, uint32_t h, uint32_t op, bool at_start)
{
    uint32_t n = 0;
    const uint32_t *step = at_start ? sim_graph_start_steps(j->graph, h, op, &n)
                                    : sim_graph_finish_steps(j->graph, h, op, &n);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t other = op + step[i];
        if (--host_of(j, h)->waits[other] == 0) {
            g_array_append_val(j->host[h].fresh, other);
        }
    }
}

static void insert(judge *j, const happening *e)
{
    g_array_append_vals(j->queue, e, 1);
}

/* Every host, the lowest first, takes up what has become ready: sends, then receives, then calcs.
 */
static void flush(judge *j)
{
    static const int order[] = {SEND, RECV, CALC};
    for (uint32_t h = 0; h < j->num_hosts; h++) {
        host *at = &j->host[h];
        for (int k = 0; k < 3; k++) {
            for (guint i = 0; i < at->fresh->len; i++) {
                const uint32_t op = g_array_index(at->fresh, uint32_t, i);
                const sim_op what = sim_graph_op(j->graph, h, op);
                if (what.type == order[k]) {
                    const sim_time cpu = at->cpu[what.cpu];
                    const happening e = {.kind = what.type,
                                         .time =
                                             what.type == SEND ? MAX(cpu, at->tx[what.nic]) : cpu,
                                         .number = j->number++,
                                         .host = h,
                                         .op = op,
                                         .what = what};
                    insert(j, &e);
                }
            }
        }
        g_array_set_size(at->fresh, 0);
    }
}

static happening take_first(judge *j)
{
    guint first = 0;
    for (guint i = 1; i < j->queue->len; i++) {
        const happening *a = &g_array_index(j->queue, happening, i);
        const happening *b = &g_array_index(j->queue, happening, first);
        if (a->time < b->time || (a->time == b->time && a->number < b->number)) {
            first = i;
        }
    }
    const happening e = g_array_index(j->queue, happening, first);
    g_array_remove_index_fast(j->queue, first);
    return e;
}

static bool fits(const happening *message, const happening *receive)
{
    const sim_op *m = &message->what;
    const sim_op *r = &receive->what;
    return (r->peer == SIM_ANY || r->peer == message->sender) && m->comm == r->comm &&
           (m->tag == r->tag || m->tag == SIM_ANY || r->tag == SIM_ANY);
}

/* The send of a rendezvous is over; on which CPU and interface that shows depends on who came. */
static void release(judge *j, const happening *message, const sim_op *places, sim_time now)
{
    host *s = &j->host[message->sender];
    s->cpu[places->cpu] = MAX(s->cpu[places->cpu], now);
    s->tx[places->nic] = MAX(s->tx[places->nic], now);
    satisfy(j, message->sender, message->op, false);
}

static void do_send(judge *j, const happening *e)
{
    host *at = host_of(j, e->host);
    const sim_op *o = &e->what;
    satisfy(j, e->host, e->op, true);
    at->cpu[o->cpu] = e->time + j->p->o + per_byte(j->p->O, o->size);
    at->tx[o->nic] = e->time + j->p->g + per_byte(j->p->G, o->size);
    const happening message = {.kind = MESSAGE,
                               .time = e->time + j->p->o + j->p->L,
                               .number = j->number++,
                               .host = o->peer,
                               .op = e->op,
                               .sender = e->host,
                               .what = *o};
    insert(j, &message);
    if (o->size <= j->p->S) {
        satisfy(j, e->host, e->op, false);
    }
}

static void do_message(judge *j, const happening *e)
{
    host *at = host_of(j, e->host);
    const sim_op *o = &e->what;
    at->cpu[o->cpu] =
        e->time + j->p->o + MAX(per_byte(j->p->O, o->size), per_byte(j->p->G, o->size));
    at->rx[o->nic] = e->time + j->p->g + per_byte(j->p->G, o->size);
    for (guint i = 0; i < at->posted->len; i++) {
        const happening receive = g_array_index(at->posted, happening, i);
        if (fits(e, &receive)) {
            g_array_remove_index(at->posted, i);
            if (o->size > j->p->S) {
                release(j, e, o, e->time);
            }
            satisfy(j, e->host, receive.op, false);
            return;
        }
    }
    g_array_append_vals(at->unexpected, e, 1);
}

static void do_receive(judge *j, const happening *e)
{
    host *at = host_of(j, e->host);
    satisfy(j, e->host, e->op, true);
    for (guint i = 0; i < at->unexpected->len; i++) {
        const happening message = g_array_index(at->unexpected, happening, i);
        if (fits(&message, e)) {
            g_array_remove_index(at->unexpected, i);
            if (e->what.size > j->p->S) { /* the size of the receive, not of the message */
                release(j, &message, &e->what, e->time);
            }
            satisfy(j, e->host, e->op, false);
            return;
        }
    }
    g_array_append_vals(at->posted, e, 1);
}

/* @return until when what it needs is busy */
static sim_time busy(const judge *j, const happening *e)
{
    const host *at = &j->host[e->host];
    const sim_time cpu = at->cpu[e->what.cpu];
    return e->kind == CALC      ? cpu
           : e->kind == SEND    ? MAX(cpu, at->tx[e->what.nic])
           : e->kind == MESSAGE ? MAX(cpu, at->rx[e->what.nic])
                                : 0;
}

static void do_event(judge *j, const happening *e)
{
    switch (e->kind) {
    case CALC:
        j->host[e->host].cpu[e->what.cpu] = e->time + e->what.size;
        satisfy(j, e->host, e->op, true);
        satisfy(j, e->host, e->op, false);
        break;
    case SEND:
        do_send(j, e);
        break;
    case MESSAGE:
        do_message(j, e);
        break;
    default:
        do_receive(j, e);
        break;
    }
}

static void begin(judge *j)
{
    for (uint32_t h = 0; h < j->num_hosts; h++) {
        host *at = &j->host[h];
        const uint32_t n = sim_graph_num_ops(j->graph, h);
        at->posted = g_array_new(FALSE, FALSE, sizeof(happening));
        at->unexpected = g_array_new(FALSE, FALSE, sizeof(happening));
        at->fresh = g_array_new(FALSE, FALSE, sizeof(uint32_t));
        at->waits = g_new0(int64_t, n + 1);
        for (uint32_t op = 0; op < n; op++) {
            uint32_t num_steps = 0;
            const uint32_t *step = sim_graph_finish_steps(j->graph, h, op, &num_steps);
            for (uint32_t i = 0; i < num_steps; i++) {
                at->waits[op + step[i]]++;
            }
            step = sim_graph_start_steps(j->graph, h, op, &num_steps);
            for (uint32_t i = 0; i < num_steps; i++) {
                at->waits[op + step[i]]++;
            }
        }
        for (uint32_t op = 0; op < n; op++) {
            if (at->waits[op] == 0) {
                g_array_append_val(at->fresh, op);
            }
        }
    }
    flush(j);
}

static bool end(judge *j, sim_time *finish)
{
    bool left_over = false;
    for (uint32_t h = 0; h < j->num_hosts; h++) {
        host *at = &j->host[h];
        left_over = left_over || at->posted->len > 0 || at->unexpected->len > 0;
        for (uint32_t op = 0; op < sim_graph_num_ops(j->graph, h); op++) {
            left_over = left_over || at->waits[op] > 0;
        }
        finish[h] = 0;
        for (int c = 0; c < MOST_CPUS; c++) {
            finish[h] = MAX(finish[h], at->cpu[c]);
        }
        g_array_free(at->posted, TRUE);
        g_array_free(at->unexpected, TRUE);
        g_array_free(at->fresh, TRUE);
        g_free(at->waits);
    }
    g_array_free(j->queue, TRUE);
    return left_over;
}

creation_outcome creation_judge_run(const sim_graph *graph, const sim_params *params,
                                    sim_time *finish)
{
    g_autofree judge *j = g_new0(judge, 1);
    creation_outcome outcome = {0};
    j->graph = graph;
    j->p = params;
    j->num_hosts = sim_graph_num_ranks(graph);
    j->queue = g_array_new(FALSE, FALSE, sizeof(happening));
    g_assert(j->num_hosts <= MOST_RANKS);
    begin(j);
    while (j->queue->len > 0) {
        happening e = take_first(j);
        const sim_time until = busy(j, &e);
        if (until > e.time) {
            e.time = until;
            insert(j, &e);
            outcome.postponed++;
            continue;
        }
        do_event(j, &e);
        flush(j);
    }
    outcome.num_events = j->number;
    outcome.left_over = end(j, finish);
    return outcome;
}
