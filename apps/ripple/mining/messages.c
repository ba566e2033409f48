/* apps/ripple/mining/messages.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "mining/messages.h"

#include <stdlib.h>

/* One end of a message. */
typedef struct end {
    uint32_t to, comm, from, tag; /* SCHED_UNKNOWN: it meets nobody that we know */
    uint32_t rank;                /* whose end it is */
    uint32_t call, done;
    uint32_t order; /* among the ends of its rank */
    int64_t bytes;
    bool is_recv;
    bool synchronous;
    bool dropped; /* cancelled: it never was */
} end;

/* What is known of a rank while its calls are gone through. */
typedef struct walk {
    const sched_trace *trace;
    const sched_rank *record;
    GArray *ends;     /* of end */
    GHashTable *open; /* by request + 1: index of its end + 1 */
    GHashTable *init; /* by persistent request + 1: the call that defines it, + 1 */
    uint32_t rank;
} walk;

static uint32_t in_world(const walk *w, uint32_t comm, uint32_t peer)
{
    const sched_comm *c = comm < w->trace->num_comms ? &w->trace->comms[comm] : NULL;
    return c != NULL && c->members != NULL && peer < c->size ? c->members[peer] : SCHED_UNKNOWN;
}

static void add_send(walk *w, const sched_call *what, uint32_t call, uint32_t done)
{
    if (what->peer == SCHED_PROC_NULL) {
        return;
    }
    const end e = {.to = in_world(w, what->comm, what->peer),
                   .comm = what->comm,
                   .from = w->rank,
                   .tag = what->tag,
                   .rank = w->rank,
                   .call = call,
                   .done = done,
                   .order = w->ends->len,
                   .bytes = what->bytes,
                   .synchronous = what->synchronous};
    g_array_append_val(w->ends, e);
}

/* @param again a persistent receive: what came the last time says nothing of the other times */
static void add_recv(walk *w, const sched_call *what, uint32_t call, uint32_t done, bool again)
{
    const bool both = what->kind == SCHED_CALL_SENDRECV;
    uint32_t peer = both ? what->recv_peer : what->peer;
    uint32_t tag = both ? what->recv_tag : what->tag;
    if (peer == SCHED_PROC_NULL) {
        return;
    }
    peer = peer != SCHED_ANY ? peer : again ? SCHED_UNKNOWN : what->matched_peer;
    tag = tag != SCHED_ANY ? tag : again ? SCHED_UNKNOWN : what->matched_tag;
    const uint32_t from = in_world(w, what->comm, peer);
    const end e = {.to = tag == SCHED_UNKNOWN ? SCHED_UNKNOWN : w->rank,
                   .comm = what->comm,
                   .from = from,
                   .tag = tag,
                   .rank = w->rank,
                   .call = call,
                   .done = done,
                   .order = w->ends->len,
                   .is_recv = true};
    g_array_append_val(w->ends, e);
}

static void *key_of(uint64_t number)
{
    return GSIZE_TO_POINTER((gsize)number + 1);
}

/* The ends that were added since there were @p before of them belong to a request. */
static void open_request(walk *w, uint64_t request, guint before)
{
    if (w->ends->len > before) {
        g_hash_table_insert(w->open, key_of(request), GSIZE_TO_POINTER((gsize)w->ends->len));
    } else {
        g_hash_table_remove(w->open, key_of(request));
    }
}

static void start(walk *w, const sched_call *call, uint32_t index)
{
    for (uint32_t i = 0; i < call->num_list; i++) {
        const uint64_t request = w->record->requests[call->list + i];
        const gsize defined = GPOINTER_TO_SIZE(g_hash_table_lookup(w->init, key_of(request)));
        if (defined > 0) {
            const sched_call *what = &w->record->calls[defined - 1];
            const guint before = w->ends->len;
            if (what->kind == SCHED_CALL_SEND_INIT) {
                add_send(w, what, index, APP_NO_CALL);
            } else {
                add_recv(w, what, index, APP_NO_CALL, true);
            }
            open_request(w, request, before);
        }
    }
}

static void finish(walk *w, const sched_call *call, uint32_t index)
{
    for (uint32_t i = 0; i < call->num_list; i++) {
        void *key = key_of(w->record->requests[call->list + i]);
        const gsize open = GPOINTER_TO_SIZE(g_hash_table_lookup(w->open, key));
        if (open > 0) {
            end *e = &g_array_index(w->ends, end, open - 1);
            e->done = index;
            e->dropped = call->kind == SCHED_CALL_CANCEL;
            g_hash_table_remove(w->open, key);
        }
    }
}

/* A collective that is not waited for: when others are through with it is not told. */
static void add_collective(walk *w, uint32_t index)
{
    const end e = {.to = SCHED_UNKNOWN,
                   .from = SCHED_UNKNOWN,
                   .rank = w->rank,
                   .call = index,
                   .done = APP_NO_CALL,
                   .order = w->ends->len};
    g_array_append_val(w->ends, e);
}

static void take(walk *w, const sched_call *call, uint32_t index)
{
    const guint before = w->ends->len;
    switch ((sched_call_kind)call->kind) {
    case SCHED_CALL_SEND:
        add_send(w, call, index, index);
        break;
    case SCHED_CALL_RECV:
        add_recv(w, call, index, index, false);
        break;
    case SCHED_CALL_SENDRECV:
        add_send(w, call, index, index);
        add_recv(w, call, index, index, false);
        break;
    case SCHED_CALL_ISEND:
        add_send(w, call, index, APP_NO_CALL);
        open_request(w, call->request, before);
        break;
    case SCHED_CALL_IRECV:
        add_recv(w, call, index, APP_NO_CALL, false);
        open_request(w, call->request, before);
        break;
    case SCHED_CALL_ICOLLECTIVE:
        add_collective(w, index);
        open_request(w, call->request, before);
        break;
    case SCHED_CALL_SEND_INIT:
    case SCHED_CALL_RECV_INIT:
        g_hash_table_insert(w->init, key_of(call->request), GSIZE_TO_POINTER((gsize)index + 1));
        break;
    case SCHED_CALL_START:
        start(w, call, index);
        break;
    case SCHED_CALL_COMPLETE:
    case SCHED_CALL_CANCEL:
    case SCHED_CALL_FINALIZE:
        finish(w, call, index);
        break;
    default:
        break;
    }
}

static GArray *ends_of(const sched_trace *trace)
{
    walk w = {.trace = trace,
              .ends = g_array_new(FALSE, FALSE, sizeof(end)),
              .open = g_hash_table_new(NULL, NULL),
              .init = g_hash_table_new(NULL, NULL)};
    for (w.rank = 0; w.rank < trace->num_ranks; w.rank++) {
        w.record = &trace->ranks[w.rank];
        g_hash_table_remove_all(w.open);
        g_hash_table_remove_all(w.init);
        for (uint64_t i = 0; i < w.record->num_calls && i < APP_NO_CALL; i++) {
            take(&w, &w.record->calls[i], (uint32_t)i);
        }
    }
    g_hash_table_unref(w.open);
    g_hash_table_unref(w.init);
    return w.ends;
}

#define COMPARE(x, y)                                                                              \
    if ((x) != (y)) {                                                                              \
        return (x) < (y) ? -1 : 1;                                                                 \
    }

static int compare_key(const end *x, const end *y)
{
    COMPARE(x->to, y->to)
    COMPARE(x->comm, y->comm)
    COMPARE(x->from, y->from)
    COMPARE(x->tag, y->tag)
    return 0;
}

/* By whom it reaches, from whom, with which tag; then sends, then receives, each in order. */
static int compare(const void *a, const void *b)
{
    const end *x = a;
    const end *y = b;
    const int key = compare_key(x, y);
    if (key != 0) {
        return key;
    }
    COMPARE(x->is_recv, y->is_recv)
    COMPARE(x->order, y->order)
    return 0;
}

static bool is_known(const end *e)
{
    return e->to != SCHED_UNKNOWN && e->from != SCHED_UNKNOWN;
}

static void add_lonely(GArray *lonely, const end *e)
{
    const app_lonely one = {.rank = e->rank, .call = e->call, .done = e->done};
    g_array_append_val(lonely, one);
}

/* All ends with one key: @p sends sends, then as many receives, or not. */
static void pair(const end *run, guint n, guint sends, GArray *messages, GArray *lonely)
{
    const bool pairs = is_known(&run[0]) && n == 2 * sends;
    for (guint i = 0; i < n; i++) {
        if (!pairs) {
            add_lonely(lonely, &run[i]);
        } else if (i < sends) {
            const end *s = &run[i];
            const end *r = &run[i + sends];
            const app_message m = {.from = s->rank,
                                   .to = r->rank,
                                   .send = s->call,
                                   .sent = s->done,
                                   .recv = r->call,
                                   .received = r->done,
                                   .bytes = s->bytes,
                                   .synchronous = s->synchronous};
            g_array_append_val(messages, m);
        }
    }
}

app_messages *app_messages_new(const sched_trace *trace)
{
    g_autoptr(GArray) ends = ends_of(trace);
    GArray *messages = g_array_new(FALSE, FALSE, sizeof(app_message));
    GArray *lonely = g_array_new(FALSE, FALSE, sizeof(app_lonely));
    guint kept = 0;
    for (guint i = 0; i < ends->len; i++) {
        if (!g_array_index(ends, end, i).dropped) {
            g_array_index(ends, end, kept++) = g_array_index(ends, end, i);
        }
    }
    g_array_set_size(ends, kept);
    g_array_sort(ends, compare);
    const end *all = (const end *)(const void *)ends->data;
    for (guint i = 0; i < kept;) {
        guint n = 0;
        guint sends = 0;
        while (i + n < kept && compare_key(&all[i], &all[i + n]) == 0) {
            sends += !all[i + n].is_recv;
            n++;
        }
        pair(&all[i], n, sends, messages, lonely);
        i += n;
    }
    app_messages *m = g_new0(app_messages, 1);
    m->num_messages = messages->len;
    m->messages = (app_message *)(void *)g_array_free(messages, FALSE);
    m->num_lonely = lonely->len;
    m->lonely = (app_lonely *)(void *)g_array_free(lonely, FALSE);
    return m;
}

void app_messages_free(app_messages *m)
{
    if (m != NULL) {
        g_free(m->messages);
        g_free(m->lonely);
        g_free(m);
    }
}
